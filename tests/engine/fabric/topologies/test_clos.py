"""Folded Clos of every kind: brute force on small ones, published and textbook counts on large ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from tests.engine.fabric.pods import counts, evaluate, nvl72, pod, qm9700, sn5600, supernode
from tests.engine.fabric.topologies.brute_force import agrees, bisection, built, distances

CLOS = ["rail_fat_tree", "fat_tree", "rail_only", "dual_tor"]
OPEN = float("nan")


def small(ports: int) -> Any:
    return qm9700(ports=ports, max_logical_ports=2 * ports)


def nodes(nics: int = 2, **changes: Any) -> Any:
    return supernode(accelerators=nics, scale_out_nics=nics, **changes)


def test_three_tiers_of_64_ports_are_the_textbook_fat_tree() -> None:
    # Al-Fares 2008: k^3 / 4 endpoints, 5 k^2 / 4 switches; 4.97 switches on the way on average
    fabric = evaluate(pod(8192, topology="fat_tree", scalable_unit_supernodes=OPEN))
    assert counts(fabric) == (2048, 2048, 1024)
    assert [float(tier.links[0]) for tier in fabric.tiers] == [65_536] * 3
    assert float(fabric.bisection_bandwidth_bytes_per_s[0]) == 32_768 * 50e9
    assert float(fabric.diameter_links[0]) == 6
    n = 65_536
    by_hand = ((32 - 1) * 1 + (1024 - 32) * 3 + (n - 1024) * 5) / (n - 1)
    assert float(fabric.mean_distance_links[0]) - 1 == pytest.approx(by_hand)
    assert round(by_hand, 2) == 4.97


def test_two_tiers_by_hand() -> None:
    # 8 servers of 8: 2 leaves of 4 servers, one spine; 4 - 2 x 31 / 63 links
    fabric = evaluate(pod(16, topology="fat_tree", scalable_unit_supernodes=OPEN))
    assert counts(fabric) == (4, 2, 0)
    assert float(fabric.mean_distance_links[0]) == pytest.approx(4 - 2 * 31 / 127)


def test_a_set_of_switches_of_megascale_takes_64_servers() -> None:
    # 64 x 400G, 32 ports down split into 2 x 200G: 64 servers of eight 200G NICs share a set of eight leaves
    slow = supernode(scale_out_nic_bandwidth_bytes_per_s=25e9)
    fabric = evaluate(pod(64 * 24, scalable_unit_supernodes=OPEN), slow)
    assert float(fabric.unit_supernodes[0]) == 64
    assert counts(fabric)[0] == 24 * 8
    assert len(fabric.tiers) == 3


def test_a_pod_of_meta_24k_has_a_rack_switch_for_16_gpus() -> None:
    # 3,072 GPUs in 192 racks of two servers; the switch of a rack takes 16 NICs
    racks = qm9700(ports=32, max_logical_ports=32)
    fabric = evaluate(pod(384, topology="fat_tree", switch=racks, scalable_unit_supernodes=OPEN))
    assert float(fabric.unit_supernodes[0]) == 2
    assert counts(fabric)[0] == 192


def test_a_pod_of_alibaba_hpn_is_two_planes_of_segments() -> None:
    # 15 segments of 1,024 GPUs; NICs of 2 x 200G, one port a plane; two tiers of switches of 51.2T, 256 ports
    switch = qm9700(ports=128, port_bandwidth_bytes_per_s=50e9, max_logical_ports=256)
    fabric = evaluate(pod(15 * 128, switch=switch, planes=2, scalable_unit_supernodes=128))
    assert float(fabric.scalable_units[0]) == 15
    assert float(fabric.networked_supernodes[0]) * 8 == 15_360
    assert len(fabric.tiers) == 2
    assert counts(fabric)[0] == 15 * 8 * 2  # a leaf a rail, segment and plane


def test_rail_only_is_a_clos_a_rail() -> None:
    # 64 servers: each rail is 64 endpoints below one switch; rails do not meet
    fabric = evaluate(pod(64, topology="rail_only"))
    assert counts(fabric) == (8, 0, 0)
    assert float(fabric.diameter_links[0]) == 2
    assert float(fabric.bisection_bandwidth_bytes_per_s[0]) == 256 * 50e9
    # 65 servers: three units of 32 a rail, 96 uplinks over two spines of 64 ports
    assert counts(evaluate(pod(65, topology="rail_only"))) == (24, 16, 0)
    fully = evaluate(pod(2048))
    railed = evaluate(pod(2048, topology="rail_only"))
    assert railed.switches_total[0] < fully.switches_total[0]
    assert counts(railed) == (512, 256, 0)


def test_every_nic_of_dual_top_of_rack_has_a_link_to_two_leaves() -> None:
    found = built(pod(16, topology="dual_tor", switch=small(16), scalable_unit_supernodes=OPEN), nodes(4))
    links, graph = found.graph.links, found.graph
    below = links.tier == 0
    nic = links.lower[below] * 100 + links.lower_port[below] // 2
    pairs = np.unique(np.stack([nic, links.upper[below]]), axis=1)
    assert pairs.shape[1] == 2 * np.unique(nic).size
    assert (np.bincount(nic)[np.unique(nic)] == 2).all()
    # both leaves of a NIC are of its rail
    rails = graph.devices.rail[links.upper[below]]
    assert (rails == links.lower_port[below] // 2).all()


def test_dual_top_of_rack_by_hand() -> None:
    # 64 servers of 400G NICs: links of 200G, 128 a switch; 64 down: one leaf a rail and side, 1,024 uplinks
    fabric = evaluate(pod(64, topology="dual_tor", scalable_unit_supernodes=OPEN))
    assert counts(fabric) == (16, 8, 0)
    assert [float(tier.links[0]) for tier in fabric.tiers] == [1024, 1024]
    one = evaluate(pod(64))
    assert fabric.bisection_bandwidth_bytes_per_s.tolist() == one.bisection_bandwidth_bytes_per_s.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("topology", CLOS)
@pytest.mark.parametrize(("ports", "size"), [(4, 6), (8, 8)])
@pytest.mark.parametrize("over", [1, 3])
def test_no_half_of_a_whole_clos_is_parted_by_fewer_links(
    topology: str, ports: int, size: int, over: float
) -> None:
    found = built(
        pod(
            size, topology=topology, switch=small(ports), scalable_unit_supernodes=OPEN, oversubscription=over
        ),
        nodes(2),
    )
    formula = float(found.shape.bisection_links[0])
    cut = bisection(found.graph)
    if over == 1:
        assert cut == formula
    else:  # a half that splits a leaf costs more than its share
        assert formula <= cut + 1e-9
        leaf = 2 if topology == "dual_tor" else 1
        assert cut <= formula + leaf * float(found.ask.plugs.leaf_down_ports[0])


@pytest.mark.slow
def test_oversubscribed_leaves_by_brute_force() -> None:
    # 3 down, 1 up, four leaves of three servers: two leaves against two leaves are two links
    found = built(
        pod(12, topology="fat_tree", switch=small(4), scalable_unit_supernodes=OPEN, oversubscription=3),
        nodes(1),
    )
    assert counts(found.fabric) == (4, 1, 0)
    assert bisection(found.graph) == float(found.shape.bisection_links[0]) == 2


@pytest.mark.slow
def test_oversubscribed_spines_by_brute_force() -> None:
    # 6 ports down and 2 up at spines; leaves of 4 + 4 fill two groups of six
    found = built(
        pod(
            12,
            topology="fat_tree",
            switch=small(8),
            scalable_unit_supernodes=1,
            oversubscription=1,
            spine_oversubscription=3,
            tiers_asked=3,
        ),
        nodes(2),
    )
    assert counts(found.fabric) == (12, 4, 1)
    assert [float(tier.links[0]) for tier in found.fabric.tiers] == [24, 24, 8]
    assert float(found.fabric.oversubscription[0]) == 3
    assert bisection(found.graph) == float(found.shape.bisection_links[0]) == 4


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(
    topology=st.sampled_from(CLOS),
    size=st.integers(2, 24),
    ports=st.sampled_from([4, 8]),
    nics=st.sampled_from([1, 2, 4]),
    trays=st.sampled_from([1, 2]),
    planes=st.sampled_from([1, 2]),
    over=st.sampled_from([1.0, 1.5, 3.0]),
    spines=st.sampled_from([None, 1.0, 3.0]),
    tiers=st.sampled_from([None, 2.0, 3.0]),
    managers=st.sampled_from([0, 1]),
    unit=st.sampled_from([OPEN, 2.0]),
)
def test_shape_and_graph_agree(  # type: ignore[no-untyped-def]
    topology, size, ports, nics, trays, planes, over, spines, tiers, managers, unit
) -> None:
    found = built(
        pod(
            size, topology=topology, switch=small(ports), planes=planes, oversubscription=over,
            spine_oversubscription=spines, tiers_asked=tiers, management_ports=managers,
            scalable_unit_supernodes=unit,
        ),
        nodes(nics * trays, nodes=trays),
    )  # fmt: skip
    agrees(found)
    if not found.can_be_built:
        return
    apart = distances(found)
    if np.isfinite(apart).any():
        assert np.nanmean(apart) == pytest.approx(float(found.shape.mean_path_links[0]))
        # a leaf that only management servers have is further than any endpoint
        assert np.nanmax(apart) <= float(found.fabric.diameter_links[0])
        assert managers or np.nanmax(apart) == float(found.fabric.diameter_links[0])
    links = found.graph.links
    parts, _ = connected_components(
        csr_matrix(
            (np.ones(links.tier.size), (links.lower, links.upper)), shape=(found.graph.device_count,) * 2
        )
    )
    # planes and rails meet in the hosts; without links between rails, trays of a SuperNode still do
    assert parts == 1 if trays == 1 else parts >= 1


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(
    topology=st.sampled_from(CLOS),
    size=st.integers(2, 4096),
    steps=st.lists(st.floats(1, 16), min_size=2, max_size=2).map(sorted),
    kind=st.sampled_from([supernode, nvl72]),
    switch=st.sampled_from([qm9700, sn5600]),
)
def test_oversubscription_never_raises_bisection(topology, size, steps, kind, switch) -> None:  # type: ignore[no-untyped-def]
    cuts = [
        float(
            evaluate(
                pod(
                    size, topology=topology, oversubscription=over, scalable_unit_supernodes=OPEN,
                    switch=switch(),
                ),
                kind(),
            ).bisection_bandwidth_bytes_per_s[0]
        )
        for over in steps
    ]  # fmt: skip
    assert cuts[1] <= cuts[0] * (1 + 1e-9)


@pytest.mark.parametrize("topology", CLOS)
def test_spine_oversubscription_never_raises_bisection(topology: str) -> None:
    cuts = [
        float(
            evaluate(
                pod(
                    2000, topology=topology, tiers_asked=3, spine_oversubscription=over,
                    scalable_unit_supernodes=OPEN,
                )
            ).bisection_bandwidth_bytes_per_s[0]
        )
        for over in (1.0, 1.5, 2.0, 3.0, 7.0)
    ]  # fmt: skip
    assert cuts == sorted(cuts, reverse=True)
    assert cuts[-1] < cuts[0]


@pytest.mark.parametrize("topology", CLOS)
def test_many_sizes_at_once_are_the_sizes_one_by_one(topology: str) -> None:
    sizes = np.array([2.0, 9, 31, 64, 95, 352, 2048])
    together = evaluate(pod(sizes[:, None], topology=topology))  # type: ignore[arg-type]
    for place, size in enumerate(sizes):
        alone = evaluate(pod(float(size), topology=topology))
        for name in ("switches_total", "mean_distance_links", "bisection_bandwidth_bytes_per_s"):
            one, many = getattr(alone, name)[0], getattr(together, name)[place, 0]
            assert math.isclose(one, many), (name, size)
