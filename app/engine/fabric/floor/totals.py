"""Totals of a floor: racks, area, density, and how long its cables are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.floor.floor import RACK_KINDS, Floor, Measured
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="m2", source="definition")
def floor_area_m2(*, length_m: Array, width_m: Array) -> Array:
    """Floor area: rows with the aisles between and around them"""
    return length_m * width_m


@quantity(unit="W/m2", source="definition")
def floor_power_w_per_m2(*, rated_power_w: Array, floor_area_m2: Array) -> Array:
    """Rated power of all racks for each square metre of floor"""
    return rated_power_w / floor_area_m2


@quantity(unit="m", source="definition")
def mean_cable_length_m(*, lengths_m: Array) -> Array:
    """Mean length of the cables bought"""
    return np.full(1, np.mean(lengths_m))


@quantity(unit="m", source="definition")
def longest_cable_m(*, lengths_m: Array) -> Array:
    """Length of the longest cable bought"""
    return np.full(1, np.max(lengths_m))


@quantity(unit="m", source="definition")
def cable_metres(*, lengths_m: Array) -> Array:
    """Length of all cables together; one cable a link"""
    return np.full(1, np.sum(lengths_m))


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorTotals:
    """Sums over racks. Unknown is NaN, as soon as one rack is unknown."""

    racks_total: int
    racks_by_kind: dict[str, int]
    rows: int
    length_m: float
    width_m: float
    area_m2: float
    rated_power_w: float
    power_w_per_m2: float
    largest_rack_power_w: float
    largest_rack_air_heat_w: float
    heaviest_rack_kg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CableTotals:
    """Cables of one tier of one network."""

    network: str
    tier: str
    links: int
    mean_length_m: float
    longest_m: float
    metres: float


def floor_totals(floor: Floor) -> FloorTotals:
    """Totals of the racks of a floor."""
    racks = floor.racks
    size = {"length_m": np.full(1, floor.length_m), "width_m": np.full(1, floor.width_m)}
    area_m2, power_w = floor_area_m2(**size), np.full(1, racks.power_w.sum())
    counts = np.bincount(racks.kind, minlength=len(RACK_KINDS)).tolist()
    return FloorTotals(
        racks_total=racks.count,
        racks_by_kind=dict(zip(RACK_KINDS, counts, strict=True)),
        rows=int(np.unique(racks.row).size),
        length_m=floor.length_m,
        width_m=floor.width_m,
        area_m2=float(area_m2[0]),
        rated_power_w=float(power_w[0]),
        power_w_per_m2=float(floor_power_w_per_m2(rated_power_w=power_w, floor_area_m2=area_m2)[0]),
        largest_rack_power_w=_largest(racks.power_w),
        largest_rack_air_heat_w=_largest(racks.air_heat_w),
        heaviest_rack_kg=_largest(racks.weight_kg),
    )


def cable_totals(network: str, graph: FabricGraph, lengths_m: Measured) -> list[CableTotals]:
    """Cables by tier; a tier without links is left out."""
    found = []
    for tier in graph.tiers:
        lengths = lengths_m[graph.of_tier(tier)]
        if lengths.size:
            found.append(
                CableTotals(
                    network=network,
                    tier=tier,
                    links=int(lengths.size),
                    mean_length_m=float(mean_cable_length_m(lengths_m=lengths)[0]),
                    longest_m=float(longest_cable_m(lengths_m=lengths)[0]),
                    metres=float(cable_metres(lengths_m=lengths)[0]),
                )
            )
    return found


def _largest(values: Measured) -> float:
    """Of the racks of which it is known; unknown where it is of none."""
    known = values[~np.isnan(values)]
    return float(known.max()) if known.size else float("nan")
