"""A racks answer where it is not drawn. Unknown, and a bound that does not bind, is no finite number."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.racks.air import RackAir
from app.engine.facility.racks.checks import Check, Status
from app.engine.facility.racks.feeds import RackFeeds
from app.engine.facility.racks.heat import ShelfHeat
from app.engine.facility.racks.kind import RackKind
from app.views.facility.racks import RacksAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCheckLine:
    """One check: what a rack asks, up to where that is usual, and what is not built beyond."""

    check: str
    unit: str
    value: float
    usual: float  # None: nothing binds, as below
    limit: float
    utilisation: float  # of the limit; of what is usual where there is no limit
    servers_until_limit: float  # None: the rack takes no servers, or they never reach it
    status: Status
    way_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RackKindLine:
    """Racks that hold the same."""

    rack: str  # name of one of them
    name: str
    kind: str
    racks: int
    servers: int
    whole: bool
    power_w: float
    air_heat_w: float
    liquid_heat_w: float
    weight_kg: float
    footprint_load_kg_per_m2: float
    footprint_load_n_per_m2: float
    coolant_flow_l_per_min: float
    pumping_units: float
    feeds: RackFeeds
    air: RackAir
    heat_by_unit: tuple[ShelfHeat, ...]
    checks: tuple[RackCheckLine, ...]
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
    racks: tuple[RackKindLine, ...]


def racks_report(answer: RacksAnswer) -> RacksReport:
    """The answer as lines."""
    return RacksReport(
        fits=answer.fits,
        plant=answer.hall.plant,
        distribution=answer.hall.chain.distribution,
        standard=answer.hall.chain.standard,
        chosen=None if answer.chosen is None else answer.chosen.example.name,
        racks=tuple(_kind(kind, answer.ways_out) for kind in answer.kinds),
    )


def _kind(kind: RackKind, ways_out: dict[str, str]) -> RackKindLine:
    return RackKindLine(
        rack=kind.example.name,
        name=kind.name,
        kind=kind.kind,
        racks=kind.racks,
        servers=kind.servers,
        whole=kind.whole,
        power_w=kind.heat.power_w,
        air_heat_w=kind.heat.air_heat_w,
        liquid_heat_w=kind.heat.liquid_heat_w,
        weight_kg=kind.weight_kg,
        footprint_load_kg_per_m2=kind.footprint_load_kg_per_m2,
        footprint_load_n_per_m2=kind.footprint_load_n_per_m2,
        coolant_flow_l_per_min=kind.coolant_flow_l_per_min,
        pumping_units=kind.pumping_units,
        feeds=kind.feeds,
        air=kind.air,
        heat_by_unit=kind.heat.shelves,
        checks=tuple(_check(check, ways_out[check.key]) for check in kind.checks),
        first_limit=None if kind.first is None else kind.first.key,
        fits=not kind.over,
    )


def _check(check: Check, way_out: str) -> RackCheckLine:
    return RackCheckLine(
        check=check.key,
        unit=check.unit,
        value=check.value,
        usual=check.usual,
        limit=check.limit,
        utilisation=check.utilisation,
        servers_until_limit=check.more,
        status=check.status,
        way_out=way_out,
    )
