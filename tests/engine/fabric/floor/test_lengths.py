"""Cables along trays: known lengths by hand, and what holds of all."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.floor.floor import RACK_UNIT_M
from app.engine.fabric.floor.lengths import SOLD_LENGTHS_M, link_lengths_m, link_routes_m, sold_length_m
from app.engine.fabric.graph.graph import FabricGraph, Links
from tests.engine.fabric.floor.cases import DGX_H100, laid_out, of, two_tiers
from tests.engine.fabric.floor.rules import floor_rules


def reversed_links(graph: FabricGraph) -> FabricGraph:
    links = graph.links
    swapped = Links(
        tier=links.tier, lower=links.upper, upper=links.lower,
        lower_port=links.upper_port, upper_port=links.lower_port,
    )  # fmt: skip
    return dataclasses.replace(graph, links=swapped)


def test_two_racks_by_hand():
    """Up from the middle of a server, one rack along, down to the middle of the switch."""
    graph, rules = two_tiers([4]), floor_rules()
    floor = laid_out(graph, rules, of(DGX_H100, 4))
    lowest = (2.6 - 4 * RACK_UNIT_M) + 0.75 + (2.6 - 0.5 * RACK_UNIT_M)
    routes = link_routes_m(graph, floor, rules)
    assert routes[:4] == pytest.approx(lowest - np.arange(4) * 8 * RACK_UNIT_M)
    assert routes[4] == pytest.approx(2 * (2.6 - 0.5 * RACK_UNIT_M) + 0.75)  # leaf to spine in the next rack
    needed = routes * 1.1 + 2 * 0.5
    assert needed[0] == pytest.approx(7.325, abs=0.001)
    assert needed[2] == pytest.approx(6.543, abs=0.001)
    assert link_lengths_m(graph, floor, rules).tolist() == [10, 7, 7, 7, 10]


def test_inside_a_rack_a_cable_takes_no_tray():
    rules = floor_rules(switch_position="in_rack", rack_power_w=50e3)
    graph = two_tiers([1])
    floor = laid_out(graph, rules, of(DGX_H100, 1))
    assert link_routes_m(graph, floor, rules)[0] == pytest.approx((41.5 - 4) * RACK_UNIT_M)
    assert link_lengths_m(graph, floor, rules)[0] == 3


def test_across_an_aisle():
    """Rows of one rack: the second stands a rack and a cold aisle behind the first."""
    graph, rules = two_tiers([4]), floor_rules(row_racks=1)
    floor = laid_out(graph, rules, of(DGX_H100, 4))
    across = np.abs(floor.racks.y_m[1] - floor.racks.y_m[0]) + np.abs(floor.racks.x_m[1] - floor.racks.x_m[0])
    assert link_routes_m(graph, floor, rules)[0] == pytest.approx(2 * 2.6 - 4.5 * RACK_UNIT_M + across)


def test_lengths_are_rounded_up_to_what_is_sold():
    asked = np.array([0.1, 0.5, 0.51, 6.0, 120.0, 150.1, 430.0])
    assert sold_length_m(asked).tolist() == [0.5, 0.5, 1.0, 7.0, 150.0, 200.0, 450.0]
    assert np.all(np.diff(SOLD_LENGTHS_M) > 0)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    hosts=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    spines=st.integers(1, 20),
    position=st.sampled_from(["in_rack", "end_of_row", "middle_of_row", "network_rows"]),
    row=st.integers(1, 10),
    further_m=st.floats(0, 20),
)
def test_routes_are_no_shorter_than_straight_lines_nor_shorter_when_racks_move_apart(
    hosts, spines, position, row, further_m
):
    graph = two_tiers(hosts, leaves=2, spines=spines)
    rules = floor_rules(switch_position=position, row_racks=row)
    floor = laid_out(graph, rules, of(DGX_H100, sum(hosts)))
    routes, lengths = link_routes_m(graph, floor, rules), link_lengths_m(graph, floor, rules)
    places, racks, links = floor.places["compute"], floor.racks, graph.links
    height = (places.bottom_u - 1 + places.units / 2) * RACK_UNIT_M
    at = np.column_stack([racks.x_m[places.rack], racks.y_m[places.rack], height])
    straight = np.linalg.norm(at[links.lower] - at[links.upper], axis=1)
    assert np.all(routes >= straight - 1e-9)
    assert np.all(lengths >= routes)
    assert np.isin(lengths[lengths <= SOLD_LENGTHS_M[-1]], SOLD_LENGTHS_M).all()
    assert lengths.tolist() == link_lengths_m(reversed_links(graph), floor, rules).tolist()

    beyond = racks.x_m > np.median(racks.x_m)
    apart = dataclasses.replace(floor, racks=dataclasses.replace(racks, x_m=racks.x_m + further_m * beyond))
    assert np.all(link_routes_m(graph, apart, rules) >= routes - 1e-9)
    behind = racks.y_m > np.median(racks.y_m)
    apart = dataclasses.replace(floor, racks=dataclasses.replace(racks, y_m=racks.y_m + further_m * behind))
    assert np.all(link_routes_m(graph, apart, rules) >= routes - 1e-9)
