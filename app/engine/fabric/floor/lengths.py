"""Length of every cable, from its route over the trays to a length that is sold."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.floor.floor import RACK_UNIT_M, Floor, Measured
from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.quantities import quantity
from app.engine.specs import FloorRules
from app.engine.trace import Array

SOLD_LENGTHS_M = np.array(
    [0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 150]
)
"""Copper to 3 m and active copper of 4 and 5 m: NVIDIA MCP7Y00 and MCP7Y10 product specifications; 10 to
30 m: MFS1S50 product specification; the others recalled from lists of NVIDIA fibre cables, not confirmed.
"""
SOLD_BY_HALVES_M = SOLD_LENGTHS_M[np.searchsorted(SOLD_LENGTHS_M, np.arange(2 * SOLD_LENGTHS_M[-1] + 1) / 2)]
"""The next length that is sold, by half metres needed: quicker than a search for each link."""
BLOCK_LINKS = 16_384
LONG_STEP_M = 50.0  # chosen, no published figure: longer fibre is made to order, and counted in such steps


@quantity(unit="m", source="definition: up to the tray, along the row and across the aisles, down again")
def cable_route_m(
    *, rise_m: Array, fall_m: Array, along_m: Array, across_m: Array, between_m: Array, same_rack: Array
) -> Array:
    """Way of a cable: over the trays, or inside a rack where both ends are in one

    Trays run above the rows and above the cross aisles, so that ways along and across add up.

    Parameters
    ----------
    rise_m, fall_m : between the ends and the tray [m]
    along_m, across_m : distance of the two racks along the rows and across them [m]
    between_m : height of one end above the other [m]
    same_rack : 1 where both ends are in one rack [1]
    """
    return np.where(same_rack, between_m, rise_m + along_m + across_m + fall_m)


@quantity(unit="m", source="definition")
def cable_needed_m(*, cable_route_m: Array, slack_share: Array, end_slack_m: Array) -> Array:
    """Cable that a route needs: with slack for bends, and at both ends the way from the port with its loop"""
    return cable_route_m * (1 + slack_share) + 2 * end_slack_m


def link_routes_m(graph: FabricGraph, floor: Floor, rules: FloorRules, network: str = "compute") -> Measured:
    """(m,) metres from end to end of every link along its way, without slack."""
    return _routes_m(graph.links.lower, graph.links.upper, _points_m(floor, network), rules)


def link_lengths_m(graph: FabricGraph, floor: Floor, rules: FloorRules, network: str = "compute") -> Measured:
    """(m,) metres of the cable bought for every link: the route with slack, rounded up to a length sold."""
    points_m = _points_m(floor, network)
    lengths_m = np.empty(graph.link_count)
    for start in range(0, graph.link_count, BLOCK_LINKS):  # what a step needs stays near the processor
        links = slice(start, start + BLOCK_LINKS)
        needed_m = cable_needed_m(
            cable_route_m=_routes_m(graph.links.lower[links], graph.links.upper[links], points_m, rules),
            slack_share=rules.slack_share,
            end_slack_m=rules.end_slack_m,
        )
        lengths_m[links] = sold_length_m(needed_m)
    return lengths_m


def _points_m(floor: Floor, network: str) -> tuple[Measured, Measured, Measured]:
    """(n,) of every device, along the rows, across them and above the floor: links are many more."""
    places, racks = floor.places[network], floor.racks
    height_m = (places.bottom_u - 1 + places.units / 2) * RACK_UNIT_M
    return racks.x_m[places.rack], racks.y_m[places.rack], height_m


def _routes_m(
    lower: Whole, upper: Whole, points_m: tuple[Measured, Measured, Measured], rules: FloorRules
) -> Measured:
    lower, upper = lower.astype(np.intp), upper.astype(np.intp)  # what arrays are indexed by fastest
    x_m, y_m, height_m = points_m
    along_m, across_m = np.abs(x_m.take(lower) - x_m.take(upper)), np.abs(y_m.take(lower) - y_m.take(upper))
    lower_m, upper_m = height_m.take(lower), height_m.take(upper)
    routes_m: Measured = cable_route_m(
        rise_m=np.abs(rules.tray_height_m - lower_m),
        fall_m=np.abs(rules.tray_height_m - upper_m),
        along_m=along_m,
        across_m=across_m,
        between_m=np.abs(lower_m - upper_m),
        same_rack=along_m + across_m == 0,  # no two racks stand in one place
    )
    return routes_m


def sold_length_m(needed_m: Measured) -> Measured:
    """The next length that is sold.

    >>> sold_length_m(np.array([0.2, 3.0, 3.1, 149.0, 151.0])).tolist()
    [0.5, 3.0, 4.0, 150.0, 200.0]
    """
    longest = SOLD_LENGTHS_M[-1]
    halves = np.fmin(np.ceil(2 * needed_m), 2 * longest).astype(np.intp)  # all sold are of half metres
    lengths_m: Measured = SOLD_BY_HALVES_M[halves]
    made = needed_m > longest
    lengths_m[made] = np.ceil(needed_m[made] / LONG_STEP_M) * LONG_STEP_M
    return lengths_m
