"""An electrical chain where it is not drawn: plain values, unknown as None."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.design import at_site
from app.engine.evaluation import Sections
from app.engine.facility.cooling.plants import IMMERSED, PLANTS, WITHOUT_COOLANT
from app.engine.facility.electrical.redundancy import SchemeLoads
from app.engine.problems import Problem
from app.engine.specs import Facility
from app.engine.trace import Array, first_of, plain
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve import terms
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.jurisdictions import costs as place_costs
from app.scenarios.resolve.jurisdictions import place_of
from app.views.facility.electrical import Availability, ElectricalAnswer, StageLoss, Standby
from app.views.table import UNKNOWN, Column, fixed, number, percent, text_table


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockLine:
    """One kind of block. Units, loads and ratings of a rack feed or shelf are those of one rack."""

    kind: str
    title: str
    places: float | None  # racks that have it; 1 for all else
    units: float | None
    idle_units: float | None
    rating_w: float | None
    derated_w: float | None  # what a unit may carry at this site in its hottest hour
    load_w: float | None
    normal_load: float | None  # of a unit at work, over what it may carry
    current_a: float | None
    breaker_a: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LostLine:
    """Effect of losing one block at rated power."""

    kind: str
    title: str
    load_moved_w: float | None
    load_before: float | None
    load_after: float | None  # of the busiest that takes over; None: none does, or unknown
    it_served_w: float | None
    overloaded: bool
    ride_through_s: float | None
    carried_by: str  # rest, catcher, generators, nobody or unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectricalReport:
    """The electrical chain of a design in its hottest hour."""

    redundancy: str
    distribution: str
    ups: str
    sized_on: str
    standard: str
    it_power_w: float | None
    site_power_w: float | None
    cooling_and_house_w: float | None
    blocks: tuple[BlockLine, ...]
    lost: tuple[LostLine, ...]
    allowed_it_power_w: float | None
    narrowest: str
    schemes: tuple[SchemeLoads, ...]
    losses: tuple[StageLoss, ...]
    standby: Standby
    availability: Availability
    problems: tuple[Problem, ...]


def block_lines(answer: ElectricalAnswer) -> tuple[BlockLine, ...]:
    """Every kind of block that the chain has, from the utility to the rack."""
    s = answer.sizing
    columns: list[Iterable[Any]] = [
        s.kinds,
        (answer.chain.title(kind) for kind in s.kinds),
        *(
            map(_known, values.tolist())
            for values in (
                s.places,
                s.sharing + s.idle,
                s.idle,
                s.rating_w,
                s.capacity_w,
                s.load_w,
                s.normal_load,
                s.current_a,
                s.breaker_a,
            )
        ),
    ]
    return tuple(BlockLine(**line) for line in _lines(BlockLine, columns))


def lost_lines(answer: ElectricalAnswer) -> tuple[LostLine, ...]:
    """Every kind of block, one of it lost."""
    lost = answer.lost
    columns: list[Iterable[Any]] = [
        lost.kinds,
        (answer.chain.title(kind) for kind in lost.kinds),
        *(
            map(_known, values.tolist())
            for values in (lost.load_moved_w, lost.load_before, lost.load_after, lost.it_served_w)
        ),
        lost.overloaded,
        map(_known, lost.ride_through_s.tolist()),
        lost.carried_by,
    ]
    return tuple(LostLine(**line) for line in _lines(LostLine, columns))


def electrical_report(answer: ElectricalAnswer) -> ElectricalReport:
    """The answer as lines."""
    return ElectricalReport(
        redundancy=answer.chain.redundancy,
        distribution=answer.chain.distribution,
        ups=answer.chain.ups,
        sized_on=answer.options.sized_on,
        standard=answer.options.standard,
        it_power_w=_known(first_of(answer.loads.it_w)),
        site_power_w=_known(first_of(answer.loads.site_w)),
        cooling_and_house_w=_known(first_of(answer.loads.cooling_and_house_w)),
        blocks=block_lines(answer),
        lost=lost_lines(answer),
        allowed_it_power_w=_known(answer.allowed_it_w),
        narrowest=answer.narrowest,
        schemes=answer.schemes,
        losses=answer.losses,
        standby=answer.standby,
        availability=answer.availability,
        problems=answer.problems,
    )


def _lines(kind: Any, columns: list[Iterable[Any]]) -> list[dict[str, Any]]:
    names = [field.name for field in dataclasses.fields(kind)]
    return [dict(zip(names, line, strict=True)) for line in zip(*columns, strict=True)]


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


kw = partial(number, digits=1, per=1e3, unit=" kW")


def share(value: float | None, digits: int = 1) -> str:
    return "n/a" if value is None else percent(value, digits)


def _units(line: BlockLine) -> str:
    count = number(line.units)
    if line.idle_units:
        count += f" ({line.idle_units:g} idle)"
    return count if line.places == 1 else f"{count} per rack"


def _rest(line: LostLine) -> str:
    return f"{share(line.load_after)}{' !' if line.overloaded else ''}"


BLOCKS = (
    Column("Block", "title", width=-22),
    Column("Units", _units, width=14),
    Column("Rating", "rating_w", kw, 12),
    Column("Load", "load_w", kw, 12),
    Column("Each at", "normal_load", share, 9),
    Column("Breaker A", "breaker_a", lambda amperes: number(amperes) if amperes else "", 11),
)
LOST = (
    Column("One lost", "title", width=-22),
    Column("Moves", "load_moved_w", kw, 12),
    Column("Rest at", _rest, width=9),
    Column("IT served", "it_served_w", kw, 13),
    Column("Rides s", "ride_through_s", lambda time: "" if time is None else f"{time:.3g}", 9),
    Column("Carried by", "carried_by"),
)
OUTAGES = (
    Column("Hours per year without", "block", width=-44),
    Column("Hours", "hours", fixed(3), 9),
    Column("Installed", "installed_share", lambda share: "" if share is None else f"{share:.2f}", 10),
)
LOSSES = (
    Column("Loss at mean load", "stage", width=-22),
    Column("Load", "load", share, 9),
    Column("Loss", "loss_w", kw, 12),
    Column("Of IT", "share_of_it", partial(share, digits=2), 9),
)


def electrical_text(answer: ElectricalAnswer) -> str:
    """Loads, blocks, what losing one does, losses by stage, and what stands in the way."""
    report, standby = electrical_report(answer), answer.standby
    lines = [
        (
            f"Sized on        {report.sized_on}, {report.standard.upper()}; {report.redundancy}, {report.distribution}, "
            f"{report.ups}"
        ),
        (
            f"Hottest hour    {kw(report.it_power_w)} IT, {kw(report.site_power_w)} at the meter, "
            f"{number(standby.hottest_dry_bulb_c, 1)} degC"
        ),
        (
            f"Generators      {number(standby.generator_derating * 100, 1)} % of their rating here; "
            f"{number(standby.load_steps)} load steps of {kw(standby.load_step_w)} at most; "
            f"the job swings by {kw(standby.job_swing_w)}"
        ),
        f"Batteries       {number(standby.battery_energy_j, per=3.6e6)} kWh for {standby.battery_time_s:g} s",
        f"Fuel            {number(standby.fuel_l)} L",
        (
            f"Outage          {number(report.availability.outage_hours, 2)} h a year at a rack, "
            f"{number(report.availability.nines, 1)} nines; topology class {report.availability.topology_tier}, "
            f"{report.availability.tier_reason}"
        ),
        (
            f"All units hold  {kw(report.allowed_it_power_w)} IT after the loss of any one block; the narrowest is the "
            f"{answer.chain.title(report.narrowest).lower() if report.narrowest else UNKNOWN}"
        ),
        "",
        *text_table(BLOCKS, report.blocks),
        "",
        *text_table(LOST, report.lost),
        "",
        *text_table(LOSSES, report.losses),
        "",
        *text_table(OUTAGES, report.availability.blocks),
    ]
    if report.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in report.problems)]
    return "\n".join(lines)


CHEAPEST = "cheapest"
ANYWHERE = tuple(
    name
    for name, plant in PLANTS.items()
    if not plant.by_water_body and not plant.immersed and plant.liquid != "hall"
)
"""Plants that any site may have: no sea, no lake, and nothing that changes the SuperNode or the hall."""
PLACE_FIELDS = ("electricity_price_usd_per_kwh", "water_price_usd_per_m3")
"""Terms of the scenario that are of the place where it stands, and no other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLine:
    """The design at one site. Unknown is NaN; a place that it does not have is None."""

    key: str
    name: str
    country: str
    own: str  # who entered it, "" where it is built in
    here: bool  # where the design stands
    climate: str  # catalog key of the hourly year
    climate_name: str
    year_kind: str
    climate_distance_m: float  # from the site to where its weather was taken; unknown of a site written out
    rankable: bool
    left_out: str  # why it is not ranked, "" where it is
    plant: str
    pue: float
    pue_hottest_hour: float
    wue_l_per_kwh: float
    water_m3_per_year: float
    utility_mean_w: float
    electricity_price_usd_per_kwh: float
    electricity_price_kind: str  # as of a fact: assumption for one that was only recalled
    carbon_intensity_kg_per_kwh: float
    usd_per_accelerator_hour: float
    tco_usd: float
    operational_kg: float
    operational_market_kg: float | None
    score: float
    place: int | None
    place_by: dict[str, int | None]
    on_front: bool
    unknown: tuple[str, ...]  # of cost, carbon, water and pue


def site_line(base: EvaluatedScenario, catalog: Catalog, key: str | None, plant: str) -> SiteLine:
    """The design at a site of the catalog, or at the one that it is written out with."""
    here = key is None or key == base.document.facility.site
    facility = base.resolved.design.facility if here else _facility_at(base, catalog, str(key))
    sections = _sections(base if here else _priced_at(base, catalog, str(key)), facility, plant, here=here)
    part = None if key is None else catalog.part("sites", key)
    year = catalog.part("climate", facility.site.climate.key)
    cost, carbon, cooling = sections.cost, sections.carbon, sections.cooling
    distance = part.facts.get("climate_proxy_distance_m") if part else None
    rankable = part is None or part.attributes["rankable"] == "yes"
    price = part.facts.get("electricity_price_usd_per_kwh") if part else None
    stated = here and base.document.economics.electricity_price_usd_per_kwh is not None
    return SiteLine(
        key=key or "inline",
        name=facility.site.name,
        country=str(part.attributes.get("country", "")) if part else "",
        own=part.own if part else "",
        here=here,
        climate=year.key,
        climate_name=year.name,
        year_kind=str(year.attributes.get("year_kind", "")),
        climate_distance_m=distance.value if distance else np.nan,
        rankable=rankable,
        left_out="" if rankable else _why_left_out(distance.value if distance else np.nan, year.name),
        plant=cooling.plant,
        pue=_value(cooling.pue),
        pue_hottest_hour=_value(cooling.pue_hottest_hour),
        wue_l_per_kwh=_value(cooling.wue_l_per_kwh),
        water_m3_per_year=_value(cooling.water_m3_per_year),
        utility_mean_w=_value(sections.power.utility_mean_w),
        electricity_price_usd_per_kwh=_value(facility.site.electricity_price_usd_per_kwh),
        electricity_price_kind="scenario" if stated or part is None else price.kind if price else "",
        carbon_intensity_kg_per_kwh=_value(facility.site.carbon_intensity_kg_per_kwh),
        usd_per_accelerator_hour=_value(cost.usd_per_accelerator_hour),
        tco_usd=_value(cost.tco_usd),
        operational_kg=_value(carbon.operational_kg),
        operational_market_kg=None
        if carbon.operational_market_kg is None
        else _value(carbon.operational_market_kg),
        score=np.nan,
        place=None,
        place_by={},
        on_front=False,
        unknown=(),
    )


def _priced_at(base: EvaluatedScenario, catalog: Catalog, key: str) -> EvaluatedScenario:
    """The scenario with duty, sales tax, construction and pay of another site, unless it states them."""
    resolved = base.resolved
    inputs = Inputs(catalog=catalog, context=dict(resolved.context), overrides=base.document.assumptions)
    place = place_of(inputs, base.document, at=key)
    costs: dict[str, Any] = place_costs(inputs, base.document.economics, place)
    economics = dataclasses.replace(resolved.design.economics, **costs)
    design = dataclasses.replace(resolved.design, economics=economics)
    return dataclasses.replace(base, resolved=dataclasses.replace(resolved, design=design))


def _facility_at(base: EvaluatedScenario, catalog: Catalog, key: str) -> Facility:
    """The building at another site, at what electricity and water cost there."""
    resolved = base.resolved
    inputs = Inputs(catalog=catalog, context=dict(resolved.context), overrides=base.document.assumptions)
    document = base.document.facility.model_copy(update={"site": key})
    economics = base.document.economics.model_copy(update=dict.fromkeys(PLACE_FIELDS))
    return terms.facility(inputs, document, economics)


def _sections(base: EvaluatedScenario, facility: Facility, plant: str, *, here: bool) -> Sections:
    design, sections = base.resolved.design, base.evaluation.sections
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        if plant != CHEAPEST:
            return sections if here else at_site(design, sections, facility)
        found = [
            at_site(design, sections, dataclasses.replace(facility, cooling=name)) for name in _plants(base)
        ]
    return min(found, key=_dearness)


def _plants(base: EvaluatedScenario) -> tuple[str, ...]:
    """The plants that can take the heat of the design as it is built."""
    if base.document.facility.cooling in IMMERSED:
        return IMMERSED
    liquid = np.any(plain(base.resolved.design.supernode.liquid_share) > 0)
    return tuple(name for name in ANYWHERE if liquid != (name in WITHOUT_COOLANT))


def _dearness(sections: Sections) -> tuple[float, float]:
    """By cost; where no price is known, by electricity alone."""
    cost = _value(sections.cost.usd_per_accelerator_hour)
    return (0.0 if np.isnan(cost) else cost, _value(sections.power.utility_mean_w))


def _why_left_out(distance_m: float, year: str) -> str:
    return f"its weather is that of {year}, {distance_m / 1e3:,.0f} km away, in another climate"


def _value(array: Array | None) -> float:
    """Of the first sample; not a number where a design of its kind has no such figure."""
    return first_of(array)
