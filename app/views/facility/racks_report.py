"""A racks answer where it is not drawn: plain values, unknown as None."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from app.engine.facility.racks.checks import Check, Status
from app.engine.facility.racks.feeds import RackFeeds
from app.engine.facility.racks.kind import RackKind
from app.views.facility.racks import RacksAnswer

Number = float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCheckLine:
    """One check: what a rack asks, up to where that is usual, and what is not built beyond."""

    check: str
    unit: str
    value: Number
    usual: Number  # None: nothing binds, as below
    limit: Number
    utilisation: Number  # of the limit; of what is usual where there is no limit
    servers_until_limit: Number  # None: the rack takes no servers, or they never reach it
    status: Status
    way_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RackFeedLine:
    """Feeds of a rack at its rating, as few on each side as carry all of it."""

    sides: int
    voltage_v: Number
    breaker_a: Number
    feeder_w: Number
    feeds_per_side: Number
    current_a: Number  # of a line of each feed while one side carries all
    current_limit_a: Number
    shelves: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class RackAirLine:
    """The air that carries a rack's heat to air, at the site's altitude."""

    flow_m3_per_s: Number
    flow_cfm: Number
    density_kg_per_m3: Number
    rise_k: Number
    inlet_c: Number
    supply_c: Number
    recirculation_share: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class ShelfHeatLine:
    """Heat of what fills some height units, for each of them."""

    name: str
    what: str
    bottom_u: int
    units: int
    air_w_per_u: Number
    liquid_w_per_u: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class RackKindLine:
    """Racks that hold the same."""

    rack: str  # name of one of them
    name: str
    kind: str
    racks: int
    servers: int
    whole: bool
    power_w: Number
    air_heat_w: Number
    liquid_heat_w: Number
    weight_kg: Number
    footprint_load_kg_per_m2: Number
    footprint_load_n_per_m2: Number
    coolant_flow_l_per_min: Number
    pumping_units: Number
    feeds: RackFeedLine
    air: RackAirLine
    heat_by_unit: list[ShelfHeatLine]
    checks: list[RackCheckLine]
    first_limit: str | None
    fits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RacksReport:
    """Every kind of rack of a design, checked."""

    fits: bool
    plant: str
    distribution: str
    standard: str
    chosen: str | None
    racks: list[RackKindLine]


def racks_report(answer: RacksAnswer) -> RacksReport:
    """The answer as lines."""
    return RacksReport(
        fits=answer.fits,
        plant=answer.hall.plant,
        distribution=answer.hall.chain.distribution,
        standard=answer.hall.chain.standard,
        chosen=None if answer.chosen is None else answer.chosen.example.name,
        racks=[_kind(kind, answer.ways_out) for kind in answer.kinds],
    )


def _kind(kind: RackKind, ways_out: dict[str, str]) -> RackKindLine:
    return RackKindLine(
        rack=kind.example.name,
        name=kind.name,
        kind=kind.kind,
        racks=kind.racks,
        servers=kind.servers,
        whole=kind.whole,
        power_w=known(kind.heat.power_w),
        air_heat_w=known(kind.heat.air_heat_w),
        liquid_heat_w=known(kind.heat.liquid_heat_w),
        weight_kg=known(kind.weight_kg),
        footprint_load_kg_per_m2=known(kind.footprint_load_kg_per_m2),
        footprint_load_n_per_m2=known(kind.footprint_load_n_per_m2),
        coolant_flow_l_per_min=known(kind.coolant_flow_l_per_min),
        pumping_units=known(kind.pumping_units),
        feeds=_feeds(kind.feeds),
        air=RackAirLine(**{name: known(value) for name, value in dataclasses.asdict(kind.air).items()}),
        heat_by_unit=[
            ShelfHeatLine(
                name=shelf.name,
                what=shelf.what,
                bottom_u=shelf.bottom_u,
                units=shelf.units,
                air_w_per_u=known(shelf.air_w_per_u),
                liquid_w_per_u=known(shelf.liquid_w_per_u),
            )
            for shelf in kind.heat.shelves
        ],
        checks=[_check(check, ways_out[check.key]) for check in kind.checks],
        first_limit=None if kind.first is None else kind.first.key,
        fits=not kind.over,
    )


def _feeds(feeds: RackFeeds) -> RackFeedLine:
    numbers = {name: known(value) for name, value in dataclasses.asdict(feeds).items() if name != "sides"}
    return RackFeedLine(sides=feeds.sides, **numbers)


def _check(check: Check, way_out: str) -> RackCheckLine:
    return RackCheckLine(
        check=check.key,
        unit=check.unit,
        value=known(check.value),
        usual=known(check.usual),
        limit=known(check.limit),
        utilisation=known(check.utilisation),
        servers_until_limit=known(check.more),
        status=check.status,
        way_out=way_out,
    )


def known(value: float) -> Number:
    """The value, or None where it is unknown or does not bind."""
    return value if math.isfinite(value) else None
