"""The packing rule against published reference architectures, between and beyond them."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.section import Fabric
from app.engine.fabric.topologies.clos.packing import evenly_reached_switches, unit_supernodes
from tests.engine.fabric.pods import counts, evaluate, nvl72, pod, q3400, qm9700, sn5600, supernode
from tests.support import SEED_DATA, number

with (SEED_DATA / "reference_architectures.csv").open(encoding="utf-8", newline="") as file:
    ROWS = {
        row["key"]: row
        for row in csv.DictReader(file)
        if row["confidence"] == "verified"
        and row["num_leaf_switches"]
        and row["key"].startswith(("superpod_", "h100_512_servers"))
    }

SWITCHES = {"QM9700": qm9700, "NDR 64": qm9700, "Spectr": sn5600, "Q3400 ": q3400}


def built(row: dict[str, str]) -> Fabric:
    """The fabric of a row, from its hardware and its size alone."""
    per_node, units = int(row["accelerators_per_node"]), int(row["num_scalable_units"])
    nodes, management = int(row["num_nodes"]), int(row["management_ports_on_leaf"] or 0)
    nic = {"scale_out_nic_bandwidth_bytes_per_s": float(row["nic_gbit_s_per_accelerator"]) / 8 * 1e9}
    if int(row["scale_up_domain_size"]) == 72:
        joined, kind = nodes / 18, nvl72()
    else:
        joined, kind = nodes, supernode(accelerators=per_node, scale_out_nics=per_node, **nic)
    # Where the fabric manager has ports of its own, one node of the last unit gave up its place.
    slots = joined + (1 if management else 0)
    return evaluate(
        pod(
            joined,
            switch=SWITCHES[row["leaf_switch_model"][:6]](),
            scalable_unit_supernodes=slots / units,
            management_ports=management,
            planes=int(row["planes"]),
        ),
        kind,
    )


def test_every_published_table_is_here() -> None:
    assert len(ROWS) == 26
    assert {"superpod_h100_3su", "superpod_b200_large_64su", "superpod_gb200_1su"} <= set(ROWS)


@pytest.mark.slow
@pytest.mark.parametrize("key", ROWS)
def test_published_switches_and_cables_come_out_exactly(key: str) -> None:
    row, fabric = ROWS[key], built(ROWS[key])
    for name, computed in zip(("leaf", "spine", "core"), counts(fabric), strict=True):
        if row[f"num_{name}_switches"]:
            assert computed == int(row[f"num_{name}_switches"]), name
    cables = [float(tier.cabled_ports[0]) for tier in fabric.tiers] + [0.0] * (3 - len(fabric.tiers))
    for name, laid in zip(("node_leaf", "leaf_spine", "spine_core"), cables, strict=True):
        if row[f"cables_{name}"]:
            assert laid == int(row[f"cables_{name}"]), name
    assert len(fabric.tiers) == int(row["tiers"])
    assert float(fabric.scalable_units[0]) == int(row["num_scalable_units"])


def test_a_naive_division_would_miss_three_units() -> None:
    """768 uplinks fill 12 spines of 64 ports, over which 32 uplinks cannot spread evenly."""
    spines = evenly_reached_switches(links=number(24 * 32), ports=number(64), uplinks=number(32))
    assert 24 * 32 / 64 == 12
    assert spines.tolist() == [16.0]


def test_a_misprint_of_the_source_is_not_ours() -> None:
    """The 18-unit XDR table prints 9,216 accelerators beside 1,296 nodes of 8 and 10,368 cables."""
    fabric = built(ROWS["superpod_b300_xdr_18su"])
    assert float(fabric.tiers[0].links[0]) == 1296 * 8 == 10368


@pytest.mark.parametrize(
    ("units", "expected"),
    [(9, (72, 96, 48)), (11, (88, 96, 48)), (20, (160, 160, 80)), (33, (264, 288, 144))],
)
def test_between_published_sizes_spines_come_in_whole_groups(units: int, expected: tuple[float, ...]) -> None:
    assert counts(evaluate(pod(32 * units))) == expected


def test_the_larger_spine_layer_of_the_gb200_unit_is_kept_for_growth() -> None:
    fabric = evaluate(pod(16, scalable_unit_supernodes=8), nvl72())
    assert counts(fabric) == (64, 48, 24)
    assert float(fabric.leaf_groups[0]) == 8  # four rails of two units


def test_racks_in_units_of_one_are_a_plain_two_tier_clos() -> None:
    # 32 leaves of 18 up over 64-port spines: 9, a divisor of 18
    assert counts(evaluate(pod(8, scalable_unit_supernodes=1), nvl72())) == (32, 9, 0)


@pytest.mark.parametrize("supernodes", range(2, 9))
def test_few_servers_share_one_switch(supernodes: int) -> None:
    fabric = evaluate(pod(supernodes))
    assert counts(fabric) == (1, 0, 0)
    assert float(fabric.links_total[0]) == 8 * supernodes


@pytest.mark.parametrize("supernodes", [9, 20, 31, 32])
def test_a_partly_filled_unit_has_all_its_leaves(supernodes: int) -> None:
    fabric = evaluate(pod(supernodes))
    assert counts(fabric) == (8, 4, 0)
    assert float(fabric.tiers[1].links[0]) == 256


def test_management_ports_take_a_place_in_the_last_unit() -> None:
    assert counts(evaluate(pod(31, management_ports=4))) == (8, 4, 0)
    assert counts(evaluate(pod(32, management_ports=4))) == (16, 8, 0)


def test_oversubscription_by_hand() -> None:
    # 3:1 on 64 ports: 48 down, 16 up. 48 nodes: 8 leaves, 128 uplinks over 64 ports: 2 spines.
    fabric = evaluate(pod(48, oversubscription=3, scalable_unit_supernodes=48))
    assert counts(fabric) == (8, 2, 0)
    assert fabric.oversubscription.tolist() == [3.0]
    assert float(fabric.bisection_bandwidth_bytes_per_s[0]) == 128 * 50e9 / 2


def test_slower_nics_split_the_ports() -> None:
    # 200G NICs on a 400G switch: 128 links a switch, 64 down; 64 nodes fill one leaf a rail.
    slow = supernode(scale_out_nic_bandwidth_bytes_per_s=25e9)
    fabric = evaluate(pod(64, scalable_unit_supernodes=64), slow)
    assert counts(fabric) == (8, 4, 0)
    assert [float(tier.cabled_ports[0]) for tier in fabric.tiers] == [256, 256]
    assert [float(tier.cables[0]) for tier in fabric.tiers] == [512, 512]  # a jumper a link


def test_faster_nics_take_several_ports() -> None:
    # 800G NICs on a 400G switch, one plane: two links a NIC, 16 nodes fill one leaf a rail.
    fast = supernode(scale_out_nic_bandwidth_bytes_per_s=100e9)
    fabric = evaluate(pod(16, scalable_unit_supernodes=16), fast)
    assert counts(fabric) == (8, 4, 0)
    assert float(fabric.tiers[0].links[0]) == 256


def test_a_supernode_larger_than_a_leaf_has_several_leaves_a_rail() -> None:
    # 48 nodes of 8 NICs: 48 links a rail, two leaves of 24
    matrix = supernode(accelerators=384, scale_up_domain_accelerators=384, nodes=48, scale_out_nics=384)
    fabric = evaluate(pod(4, scalable_unit_supernodes=4), matrix)
    assert counts(fabric)[0] == 8 * 4 * 2
    assert float(fabric.tiers[1].links[0]) == 8 * 4 * 2 * 24


@pytest.mark.parametrize(
    ("nodes", "endpoints", "down", "asked", "expected"),
    [
        (1, 1, 32, np.nan, 32),
        (1, 1, 20, 32, 20),
        (18, 18, 32, np.nan, 8),
        (18, 18, 32, 4, 4),
        (4, 4, 20, np.nan, 5),
    ],
)
def test_the_scalable_unit(
    nodes: float, endpoints: float, down: float, asked: float, expected: float
) -> None:
    unit = unit_supernodes(
        scalable_unit_supernodes=number(asked),
        networked_supernodes=number(100),
        leaf_down_ports=number(down),
        endpoints_per_rail=number(endpoints),
        nodes=number(nodes),
        rack_unit_supernodes=number(8),
    )
    assert unit.tolist() == [expected]


def test_many_sizes_at_once_are_the_sizes_one_by_one() -> None:
    sizes = np.array([1.0, 2, 8, 9, 31, 64, 95, 256, 352, 2048])
    together = evaluate(pod(sizes[:, None]))  # type: ignore[arg-type]
    alone = [float(evaluate(pod(float(size))).switches_total[0]) for size in sizes]
    assert together.switches_total.shape == (10, 1)
    assert together.switches_total[:, 0].tolist() == alone


def test_unknown_ports_leave_the_fabric_unknown() -> None:
    fabric = evaluate(pod(64, switch=qm9700(ports=float("nan"))))
    assert len(fabric.tiers) == 3
    for tier in fabric.tiers:
        assert np.isnan(tier.switches[0])
    assert np.isnan(fabric.switches_total[0])


@pytest.mark.slow
@given(
    needed=st.integers(1, 4096),
    uplinks=st.integers(1, 288),
    ports=st.sampled_from([20, 32, 36, 64, 72, 128, 144]),
)
def test_every_switch_below_reaches_every_switch_above_evenly(needed: int, uplinks: int, ports: int) -> None:
    above = float(
        evenly_reached_switches(links=number(needed), ports=number(ports), uplinks=number(uplinks))[0]
    )
    assert above * ports >= needed
    assert uplinks % above == 0 or above % uplinks == 0


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    supernodes=st.integers(2, 8192),
    oversubscription=st.sampled_from([1.0, 2.0, 3.0, 7.0]),
    planes=st.sampled_from([1, 2]),
    switch=st.sampled_from([qm9700, sn5600, q3400]),
    kind=st.sampled_from([supernode, nvl72]),
)
def test_no_switch_has_more_links_than_ports(supernodes, oversubscription, planes, switch, kind) -> None:  # type: ignore[no-untyped-def]
    asked = float("nan")
    fabric = evaluate(
        pod(
            supernodes, oversubscription=oversubscription, planes=planes, switch=switch(),
            scalable_unit_supernodes=asked,
        ),
        kind(),
    )  # fmt: skip
    for tier in fabric.tiers:
        assert 0 < tier.ports_used[0] <= 1, tier.name
    for below, above in zip(fabric.tiers[:-1], fabric.tiers[1:], strict=True):
        assert above.switches[0] <= below.switches[0] or above.name == "spine"
    # what an endpoint can send reaches the spines, thinned by no more than was asked for
    if len(fabric.tiers) > 1:
        assert fabric.tiers[1].links[0] * oversubscription >= fabric.tiers[0].links[0] - 1e-6
