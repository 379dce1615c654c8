"""Every kind of rack of a design against what its hall can power, cool and carry."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from app.charts.facility.rack_heat import STATES, TITLES, feeds_text, headline, measured, more_servers
from app.charts.format import percent, show
from app.engine.fabric.floor.contents import node_name
from app.engine.fabric.floor.elevation import FullRack
from app.engine.fabric.floor.floor import RACK_KINDS
from app.engine.facility.cooling.coolant import coolant_loop
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.racks.checks import Check, Status, way_out
from app.engine.facility.racks.kind import CooledSuperNode, Hall, RackAir, RackKind, ShelfHeat, rack_kind
from app.engine.facility.racks.loads import RackFeeds
from app.engine.trace import plain
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.fabric.floor import FloorAnswer, FloorOptions, floor_answer
from app.views.table import Column, text_table


class RacksOptions(Part):
    """Rack to show in detail, and the electrical code."""

    rack: Annotated[str, Field(max_length=20)] = Field(
        default="", description="Name of a rack, such as R01-05, whose type is shown in detail."
    )
    standard: Literal["nec", "iec"] = Field(
        default="nec", description="Rules for continuous current: NEC (80 % of a breaker) or IEC (100 %)."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RacksAnswer:
    """Kinds of rack: those of SuperNodes first, in each kind the most frequent first."""

    kinds: tuple[RackKind, ...]
    chosen: RackKind | None  # None: there is no rack at all
    hall: Hall
    floor: FloorAnswer
    ways_out: dict[str, str]  # by check

    @property
    def fits(self) -> bool:
        """Return whether no rack is beyond a limit; what is unknown is not."""
        return not any(kind.over for kind in self.kinds)


def racks_answer(evaluated: EvaluatedScenario, options: RacksOptions) -> RacksAnswer:
    """The racks of a scenario, checked.

    Raises
    ------
    ScenarioError : there is no rack of that name; the nearest names are in the message
    """
    floor = floor_answer(evaluated, FloorOptions(rack=options.rack))
    hall = _hall(evaluated, floor, options)
    supernodes = _cooled(floor)
    kinds = []
    for rack, count in _grouped(floor):
        whose = next((supernodes[shelf.what] for shelf in rack.shelves if shelf.what in supernodes), None)
        kinds.append(rack_kind(rack, racks=count, supernode=whose, devices=floor.laid.devices, hall=hall))
    kinds.sort(key=lambda kind: (RACK_KINDS.index(kind.kind), -kind.racks, -kind.servers))
    asked = None if floor.rack is None else _make_up(floor.rack)
    chosen = next((kind for kind in kinds if _make_up(kind.example) == asked), kinds[0] if kinds else None)
    facility = evaluated.resolved.design.facility
    return RacksAnswer(
        kinds=tuple(kinds),
        chosen=chosen,
        hall=hall,
        floor=floor,
        ways_out={check.key: way_out(check.key, facility) for kind in kinds for check in kind.checks},
    )


def _hall(evaluated: EvaluatedScenario, floor: FloorAnswer, options: RacksOptions) -> Hall:
    design = evaluated.resolved.design
    facility, rooms = design.facility, design.assumptions.rooms
    flow_m3_per_j, _ = coolant_loop(
        coolant_supply_c=plain(facility.coolant_supply_c), assumptions=rooms["facility"]
    )
    return Hall(
        plant=evaluated.evaluation.sections.cooling.plant,
        chain=Chain(
            redundancy=facility.redundancy,
            distribution=facility.distribution,
            ups=facility.ups,
            standard=options.standard,
            rectifier_input=facility.rectifier_input,
        ),
        rules=floor.laid.rules,
        coolant_flow_m3_per_j=plain(flow_m3_per_j),
        air_pressure_pa=np.full(1, np.mean(plain(facility.site.climate.pressure_pa))),
        assumptions=rooms["facility"],
        electrical=rooms["electrical"],
    )


def _cooled(floor: FloorAnswer) -> dict[str, CooledSuperNode]:
    """By the name of a node in its rack, the SuperNode as it is fed and as its plant cools it."""
    installed = [size.as_installed for size in floor.laid.supernodes]
    return {
        node_name(size): CooledSuperNode(size=size, power_w=size.power_w, liquid_share=size.liquid_share)
        for size in installed
    }


def _grouped(floor: FloorAnswer) -> list[tuple[FullRack, int]]:
    """An example of each kind of rack and how many there are: the same things, at whatever height."""
    examples: dict[tuple[str, ...], FullRack] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    of_example = np.bincount(floor.make_up, minlength=len(floor.examples)).tolist()
    for rack, count in zip(floor.examples, of_example, strict=True):
        examples.setdefault(_make_up(rack), rack)
        counts[_make_up(rack)] += count
    return [(rack, counts[make_up]) for make_up, rack in examples.items()]


def _make_up(rack: FullRack) -> tuple[str, ...]:
    return (rack.kind, *sorted(shelf.what for shelf in rack.shelves if shelf.units))


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

    rack: str  # name of one
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


NAME_WIDTH = 36
CHECKS = (
    Column("Check", lambda check: TITLES[check.key], width=-NAME_WIDTH),
    Column("asked", lambda check: measured(check.value, check.unit).text, width=14),
    Column("usual", lambda check: measured(check.usual, check.unit).text, width=14),
    Column("limit", lambda check: measured(check.limit, check.unit).text, width=14),
    Column("used", lambda check: percent(check.utilisation).text, width=14),
    Column("more", more_servers, width=14),
    Column("", lambda check: STATES[check.status]),
)


def racks_text(answer: RacksAnswer) -> str:
    """The chosen kind of rack with all its checks, and the first limit of every other."""
    chosen = answer.chosen
    if chosen is None:
        return "There is no rack."
    lines = [headline(chosen)]
    if chosen.first is not None:
        lines.append(f"Way out: {answer.ways_out[chosen.first.key]}")
    lines += ["", *text_table(CHECKS, chosen.checks)]
    lines += ["", *(f"{label:<{NAME_WIDTH}}{text}" for label, text in facts(chosen))]
    others = [kind for kind in answer.kinds if kind is not chosen]
    if others:
        lines += ["", *(f"{_count(kind)}, {kind.example.name}: {headline(kind)}" for kind in others)]
    return "\n".join(lines)


def facts(kind: RackKind) -> tuple[tuple[str, str], ...]:
    """Feeds, coolant, air and floor of one rack, as people read them."""
    air, feeds = kind.air, kind.feeds
    found = [
        ("Racks that hold the same", f"{kind.racks:,}, such as {kind.example.name}"),
        ("Rated power", measured(kind.heat.power_w, "W").text),
        ("Feeds", feeds_text(kind)),
        (
            "Line current, other side lost" if feeds.sides == 2 else "Current of a line",
            f"{measured(feeds.current_a, 'A').text}, {measured(feeds.current_limit_a, 'A').text} at most",
        ),
    ]
    if kind.whole:
        found.append(("Power shelves", show(feeds.shelves).text))
    if kind.heat.liquid_heat_w != 0:
        found += [
            ("Heat to liquid", measured(kind.heat.liquid_heat_w, "W").text),
            ("Coolant", measured(kind.coolant_flow_l_per_min, "L/min").text),
            ("Rack pumping units", show(kind.pumping_units).text),
        ]
    return (
        *found,
        ("Heat to air", measured(kind.heat.air_heat_w, "W").text),
        (
            f"Air at {air.rise_k:g} K rise",
            f"{measured(air.flow_m3_per_s, 'm3/s').text}, {measured(air.flow_cfm, 'CFM').text}",
        ),
        ("Weight", measured(kind.weight_kg, "kg").text),
        (
            "On its footprint",
            ", ".join(
                measured(load, unit).text
                for load, unit in (
                    (kind.footprint_load_kg_per_m2, "kg/m2"),
                    (kind.footprint_load_n_per_m2, "N/m2"),
                )
            ),
        ),
    )


def _count(kind: RackKind) -> str:
    return "1 rack" if kind.racks == 1 else f"{kind.racks:,} racks"
