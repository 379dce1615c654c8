"""Racks filled by their limits, units that stand together, and places that no one shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.floor.floor import RACK_KINDS, Floor
from app.engine.fabric.floor.plan import floor_plan
from app.engine.fabric.topologies import asked_of, topology_of
from tests.engine.fabric.floor.cases import DGX_H100, NVL72, SIZES, laid_out, of, two_tiers
from tests.engine.fabric.floor.rules import floor_rules
from tests.engine.fabric.pods import FabricAssumptions, pod
from tests.support import assumptions, dgx_h100

POSITIONS = ["in_rack", "end_of_row", "middle_of_row", "network_rows"]


def kinds(floor: Floor) -> list[str]:
    return [RACK_KINDS[kind] for kind in floor.racks.kind]


def test_two_racks_by_hand():
    """Four servers of 8 U and 10.2 kW fill a rack of 41 kW; leaf and spine share the racks alongside them."""
    floor = laid_out(two_tiers([4]), floor_rules(), of(DGX_H100, 4))
    assert kinds(floor) == ["compute", "network", "network"]
    places = floor.places["compute"]
    assert places.rack.tolist() == [0, 0, 0, 0, 1, 2]
    assert places.bottom_u.tolist() == [1, 9, 17, 25, 1, 1]
    racks = floor.racks
    assert racks.used_u.tolist() == [32, 1, 1]
    assert racks.power_w.tolist() == [40_800, 1_720, 1_720]
    assert racks.air_heat_w.tolist() == [40_800, 1_720, 1_720]
    assert racks.weight_kg[0] == 4 * 130.5 + 161
    assert np.isnan(racks.weight_kg[1])  # nobody published what the switch weighs
    assert racks.x_m.tolist() == [0.375, 1.125, 1.875]
    assert racks.y_m.tolist() == [0.6, 0.6, 0.6]
    assert floor.length_m == 3 * 0.75 + 2 * 1.2
    assert floor.width_m == pytest.approx(1.2 + 2 * 1.2)


@pytest.mark.parametrize(
    ("limit", "value", "in_rack"),
    [
        ("rack_power_w", 20_400.0, 2),
        ("rack_air_heat_w", 30_600.0, 3),
        ("rack_weight_kg", 161 + 130.5, 1),
        ("rack_units", 6 + 8.0, 1),
        ("service_units", 48 - 16.0, 2),
    ],
)
def test_each_limit_binds_when_it_is_met_exactly(limit: str, value: float, in_rack: int):
    floor = laid_out(two_tiers([8]), floor_rules(**{limit: value}), of(DGX_H100, 8))
    assert np.bincount(floor.hosts.rack).max() == in_rack


def test_fewer_servers_in_a_rack_where_the_scenario_says_so():
    floor = laid_out(two_tiers([8]), floor_rules(nodes_per_rack=2), of(DGX_H100, 8))
    assert np.bincount(floor.hosts.rack).max() == 2


def test_switches_stand_where_they_are_asked_to():
    def order(position: str) -> list[str]:
        rules = floor_rules(switch_position=position, row_racks=4)
        return kinds(laid_out(two_tiers([8, 8]), rules, of(DGX_H100, 16)))

    of_unit = ["compute", "network", "compute"]
    assert order("middle_of_row") == [*of_unit, "network", *of_unit]
    assert order("end_of_row") == ["compute"] * 2 + ["network"] * 2 + ["compute"] * 2 + ["network"]
    assert order("in_rack") == order("middle_of_row")  # 4 x 10.2 + 1.72 kW > 41 kW
    rules = floor_rules(switch_position="in_rack", row_racks=4, nodes_per_rack=3)
    three = kinds(laid_out(two_tiers([8, 8]), rules, of(DGX_H100, 16)))
    assert three == ["compute"] * 3 + ["network"] + ["compute"] * 3
    assert order("network_rows") == ["compute"] * 2 + ["network"] + ["compute"] * 2


def test_network_rows_are_shared_with_nobody():
    rules = floor_rules(switch_position="network_rows", row_racks=4)
    floor = laid_out(two_tiers([8, 8]), rules, of(DGX_H100, 16))
    assert floor.racks.row.tolist() == [0, 0, 1, 2, 2]


def test_a_switch_in_the_rack_stands_at_its_top():
    rules = floor_rules(switch_position="in_rack", rack_power_w=50e3)
    floor = laid_out(two_tiers([4], leaves=2), rules, of(DGX_H100, 4))
    places = floor.places["compute"]
    assert places.rack[4:6].tolist() == [0, 0]
    assert places.bottom_u[4:6].tolist() == [42, 41]


def test_a_unit_is_not_broken_over_two_rows():
    floor = laid_out(two_tiers([12, 12, 12]), floor_rules(row_racks=6), of(DGX_H100, 36))
    for unit in range(3):
        assert np.unique(floor.racks.row[floor.racks.unit == unit]).size == 1


def test_units_smaller_than_half_a_row_share_a_rack_of_switches():
    floor = laid_out(two_tiers([4] * 10), floor_rules(row_racks=20), of(DGX_H100, 40))
    leaves = floor.places["compute"].rack[40:50]
    assert np.unique(leaves).size == 1
    assert kinds(floor) == ["compute"] * 5 + ["network"] + ["compute"] * 5 + ["network"]


def test_a_supernode_that_fills_racks_is_one():
    """An NVL72 comes as a rack: its power, heat and weight are the rack's, its trays lie in equal parts."""
    graph = two_tiers([36], leaves=4, spines=2)
    rules = floor_rules(rack_power_w=132e3)
    floor = laid_out(graph, rules, of(NVL72, 2))
    own = floor.racks.kind == RACK_KINDS.index("compute")
    assert floor.racks.power_w[own].tolist() == [132e3, 132e3]
    assert floor.racks.air_heat_w[own] == pytest.approx(0.13 * 132e3)
    assert floor.racks.liquid_heat_w[own] == pytest.approx(0.87 * 132e3)
    assert floor.racks.weight_kg[own].tolist() == [1360, 1360]
    assert floor.racks.used_u[own].tolist() == [48, 48]
    assert np.unique(floor.hosts.rack[:18]).size == 1
    assert floor.hosts.bottom_u[:3].tolist() == [1, 3, 5]


def test_two_kinds_of_supernode_share_no_rack():
    graph = two_tiers([6])
    floor = laid_out(graph, floor_rules(), of(DGX_H100, 3), of(DGX_H100, 3))
    assert set(floor.hosts.rack[:3]).isdisjoint(floor.hosts.rack[3:])


def test_servers_stand_in_racks_of_their_own_kind():
    floor = laid_out(two_tiers([4], managers=3), floor_rules(), of(DGX_H100, 4))
    managers = floor.places["compute"].rack[4:7]
    assert {kinds(floor)[rack] for rack in managers} == {"service"}


def test_supernodes_that_nothing_joins_still_stand_somewhere():
    floor = floor_plan({}, supernodes=[of(DGX_H100, 9)], devices={}, rules=floor_rules())
    assert np.bincount(floor.hosts.rack).tolist() == [4, 4, 1]
    assert kinds(floor) == ["compute"] * 3


def test_a_device_of_two_networks_has_one_place():
    """Where the second network calls the leaves of the first "managed", they stand where they stood."""
    compute, other = two_tiers([4, 4]), two_tiers([4, 4])
    floor = floor_plan(
        {"compute": compute, "other": other},
        supernodes=[of(DGX_H100, 8)],
        devices={"compute": SIZES, "other": SIZES},
        rules=floor_rules(),
        one_and_the_same={"other": {"leaf": [("compute", "spine"), ("compute", "leaf")]}},
    )
    first, second = floor.places["compute"], floor.places["other"]
    spine, leaves = compute.of_kind("spine"), compute.of_kind("leaf")
    same = np.concatenate([spine, leaves])[:2]
    assert second.rack[other.of_kind("leaf")].tolist() == first.rack[same].tolist()
    assert second.rack[other.of_kind("host")].tolist() == first.rack[compute.of_kind("host")].tolist()


def test_a_pod_of_the_catalog_counts_as_its_reference_architecture():
    """DGX SuperPOD H100, 4 SU: 32 racks of four systems, as its reference architecture has them."""
    ask = asked_of(pod=pod(128), supernode=dgx_h100(), assumptions=assumptions("fabric", FabricAssumptions))
    graph = topology_of("rail_fat_tree").graph(ask)
    floor = laid_out(graph, floor_rules(), of(DGX_H100, 128))
    assert kinds(floor).count("compute") == 32


def test_the_same_design_gives_the_same_floor():
    graph = two_tiers([8, 8, 3])
    one, two = (laid_out(graph, floor_rules(), of(DGX_H100, 19)) for _ in range(2))
    assert one.places["compute"].rack.tolist() == two.places["compute"].rack.tolist()
    assert one.racks.x_m.tolist() == two.racks.x_m.tolist()


@pytest.mark.slow
@settings(max_examples=60)
@given(
    hosts=st.lists(st.integers(1, 20), min_size=1, max_size=6),
    leaves=st.integers(1, 5),
    spines=st.integers(1, 30),
    managers=st.integers(0, 5),
    position=st.sampled_from(POSITIONS),
    power_w=st.floats(10_200, 80e3),
    units=st.integers(20, 52),
    row=st.integers(1, 12),
)
def test_no_rack_is_over_a_limit_and_no_two_devices_share_a_place(
    hosts, leaves, spines, managers, position, power_w, units, row
):
    graph = two_tiers(hosts, leaves=leaves, spines=spines, managers=managers)
    rules = floor_rules(
        switch_position=position,
        rack_power_w=power_w,
        rack_air_heat_w=power_w,
        rack_units=units,
        row_racks=row,
    )
    floor = laid_out(graph, rules, of(DGX_H100, sum(hosts)))
    racks, places = floor.racks, floor.places["compute"]
    assert racks.power_w.max() <= power_w * (1 + 1e-12)
    assert racks.used_u.max() <= units - 6
    assert np.nanmax(racks.weight_kg) <= 1361
    assert places.rack.min() >= 0
    assert places.rack.max() < racks.count
    assert places.bottom_u.min() >= 1
    heights = np.repeat(places.rack * 1000 + places.bottom_u, places.units)
    heights += np.concatenate([np.arange(count) for count in places.units])
    assert np.unique(heights).size == heights.size
    assert (heights % 1000).max() <= units - 6
    assert np.unique(racks.row * 1000 + racks.position).size == racks.count
    assert racks.position.max() < row
    assert racks.used_u.sum() == places.units.sum()
    assert racks.power_w.sum() == pytest.approx(places.power_w.sum())
