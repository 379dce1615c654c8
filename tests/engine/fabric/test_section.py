"""The fabric section: bill, power, price, bandwidths, latency, explanations."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.section import Fabric, evaluate_fabric
from app.engine.leaves import leaves
from app.engine.quantities import quantity_at
from app.engine.trace import Origin, Traced, traced_input
from tests.engine.fabric.pods import evaluate, module, nvl72, pod, qm9700, supernode
from tests.support import assumptions, dgx_h100, number


def line(fabric: Fabric, item: str) -> Any:
    return next(line for line in fabric.bill if line.item == item)


def test_one_scalable_unit_of_h100_is_counted_by_role() -> None:
    """252 + 256 links: 8 x 16 + 256 modules in switches, 4 twin-port modules a node, 508 fibres."""
    fabric = evaluate(pod(31, management_ports=4))
    leaf, spine = fabric.tiers
    assert [float(tier.links[0]) for tier in (leaf, spine)] == [252, 256]
    assert [float(tier.switch_modules[0]) for tier in (leaf, spine)] == [128, 256]
    assert float(leaf.modules[0] - leaf.switch_modules[0]) == 4 * 31
    assert fabric.fibres_total.tolist() == [508.0]
    assert fabric.cables_total.tolist() == [508.0]
    assert fabric.modules_total.tolist() == [128 + 256 + 124.0]


def test_one_scalable_unit_of_h100_is_priced_and_powered_by_hand() -> None:
    fabric = evaluate(pod(31, management_ports=4))
    # 12 switches of 747 W and 508 modules of 16 W
    assert float(fabric.network_power_w[0]) == pytest.approx(12 * 747 + 508 * 16)
    # spares of 2 %: 131 + 262 + 127 modules, 258 + 262 fibres
    expected = 12 * 32000 + (131 + 262 + 127) * 1241 + (258 + 262) * 87
    assert float(fabric.network_price_usd[0]) == pytest.approx(expected)
    assert "Compute NICs" not in [each.item for each in fabric.bill]


def test_lines_of_the_bill_add_up() -> None:
    fabric = evaluate(pod(2048), supernode(price_includes_nics=False))
    assert sum(float(each.price_usd[0]) for each in fabric.bill) == float(fabric.network_price_usd[0])
    assert sum(float(each.power_w[0]) for each in fabric.bill) == float(fabric.network_power_w[0])
    assert line(fabric, "Compute NICs").count.tolist() == [2048 * 8.0]
    switches = sum(float(each.count[0]) for each in fabric.bill if each.item.endswith("switches"))
    assert switches == float(fabric.switches_total[0]) == 512 + 512 + 256


def test_totals_are_the_sums_of_the_tiers() -> None:
    fabric = evaluate(pod(600, planes=2))
    for name in ("switches", "links", "cables", "modules"):
        total = sum(float(getattr(tier, name)[0]) for tier in fabric.tiers)
        assert total == float(getattr(fabric, f"{name}_total")[0])


def test_bandwidths_of_a_dgx_h100_pod() -> None:
    fabric = evaluate(pod(2048))
    assert fabric.scale_up_bandwidth_bytes_per_s.tolist() == [450e9]
    assert fabric.scale_out_bandwidth_bytes_per_s.tolist() == [50e9]
    assert fabric.bandwidth_gap.tolist() == [9.0]
    assert fabric.bisection_bandwidth_bytes_per_s.tolist() == [2048 * 8 * 50e9 / 2]


def test_planes_halve_the_links_and_not_the_bandwidth() -> None:
    one, two = evaluate(pod(64)), evaluate(pod(64, planes=2))
    assert two.bisection_bandwidth_bytes_per_s.tolist() == one.bisection_bandwidth_bytes_per_s.tolist()
    assert two.scale_out_bandwidth_bytes_per_s.tolist() == one.scale_out_bandwidth_bytes_per_s.tolist()
    assert float(two.tiers[0].links[0]) == 2 * float(one.tiers[0].links[0])


def test_latency_grows_by_two_switches_a_tier() -> None:
    known = assumptions("fabric", FabricAssumptions)
    latency = [float(evaluate(pod(size)).latency_s[0]) for size in (2, 32, 2048)]
    lengths = [known.node_cable_length_m[0], known.spine_cable_length_m[0], known.core_cable_length_m[0]]
    for above in (1, 2):
        step = (
            2 * 150e-9
            + 4 * known.optical_end_latency_s[0]
            + 2 * lengths[above] * known.cable_latency_s_per_m[0]
        )
        assert latency[above] - latency[above - 1] == pytest.approx(step)


@pytest.mark.parametrize("alone", [pod(1), pod(1, topology="none"), pod(1, topology="none", switch=None)])
def test_a_single_supernode_has_no_fabric_and_nothing_unknown(alone: Any) -> None:
    fabric = evaluate(alone)
    assert fabric.topology == "none"
    assert fabric.tiers == ()
    for name in ("switches", "links", "cables", "modules", "fibres"):
        assert getattr(fabric, f"{name}_total").tolist() == [0.0]
    assert [path for path, value in leaves(fabric) if np.isnan(value).any()] == []
    assert fabric.bill == ()
    assert fabric.bandwidth_gap.tolist() == [9.0]


def test_a_single_supernode_of_several_domains_is_joined() -> None:
    rack = supernode(accelerators=128, scale_up_domain_accelerators=8, nodes=16, scale_out_nics=128)
    assert evaluate(pod(1), rack).topology == "rail_fat_tree"
    assert float(evaluate(pod(1), rack).tiers[0].links[0]) == 128


def test_supernodes_that_are_not_joined_reach_nothing() -> None:
    fabric = evaluate(pod(4, topology="none", switch=None))
    assert fabric.scale_out_bandwidth_bytes_per_s.tolist() == [0.0]
    assert fabric.tiers == ()
    assert np.isnan(fabric.bandwidth_gap[0])


def test_unknown_prices_and_powers_stay_unknown_where_something_is_bought() -> None:
    dark = pod(32, switch=qm9700(price_usd=float("nan"), typical_power_w=float("nan")))
    assert np.isnan(evaluate(dark).network_price_usd[0])
    assert np.isnan(evaluate(dark).network_power_w[0])
    assert evaluate(dark).switches_total.tolist() == [12.0]


def test_a_switch_nobody_named_leaves_the_fabric_unknown() -> None:
    fabric = evaluate(pod(32, switch=None))
    assert np.isnan(fabric.switches_total[0])
    assert np.isnan(fabric.network_power_w[0])
    assert fabric.scale_out_bandwidth_bytes_per_s.tolist() == [50e9]


def test_single_port_modules_at_the_node() -> None:
    fabric = evaluate(pod(8, node_transceiver=module(ports=1)), nvl72())
    assert float(fabric.tiers[0].modules[0] - fabric.tiers[0].switch_modules[0]) == 8 * 72


def test_an_unknown_topology_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown topology 'torus'"):
        evaluate(pod(4, topology="torus"))


def test_ten_thousand_samples_at_once() -> None:
    many = dataclasses.replace(pod(64), supernodes=np.linspace(2, 4096, 10_000).round()[:, None])
    assert evaluate(many).switches_total.shape == (10_000, 1)


def trace(item: Any, path: str) -> Any:
    """The same record with every number an input that is traced."""
    if isinstance(item, np.ndarray):
        return traced_input(path, item, "", Origin(kind="scenario", label=path))
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        values = {
            each.name: trace(getattr(item, each.name), f"{path}.{each.name}")
            for each in dataclasses.fields(item)
        }
        return type(item)(**values)
    return item


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 4, 64, 2048])
@pytest.mark.parametrize("kind", [dgx_h100, nvl72])
@pytest.mark.parametrize("changes", [{}, {"topology": "none", "switch": None}, {"switch": None}])
def test_every_figure_explains_itself(size: int, kind: Any, changes: dict[str, Any]) -> None:
    bare = pod(size, **changes)
    known = assumptions("fabric", FabricAssumptions)
    fabric = evaluate_fabric(
        pod=trace(bare, "pod"),
        supernode=trace(kind(), "supernode"),
        assumptions=trace(known, "assumptions"),
    )
    plainly = dict(leaves(evaluate_fabric(pod=bare, supernode=kind(), assumptions=known)))
    found = dict(leaves(fabric))
    assert found.keys() == plainly.keys()
    for path, value in found.items():
        place = f"fabric.{path}"
        assert isinstance(value, Traced), place
        record = quantity_at(place)
        assert record is not None, place
        assert value.node.quantity is record, place
        assert {node.kind for node in value.node.walk() if not node.inputs} == {"input"}, place
        np.testing.assert_array_equal(value.value, plainly[path], err_msg=place)


def test_counts_hold_for_numbers_of_any_shape() -> None:
    fabric = evaluate(dataclasses.replace(pod(64), supernodes=number(64)))
    for path, value in leaves(fabric):
        assert value.shape == (1,), path
