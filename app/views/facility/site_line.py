"""The design at one site: what depends on the place, computed anew."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.design import at_site
from app.engine.evaluation import Sections
from app.engine.facility.cooling.plants import (
    ADIABATIC,
    AIR,
    AIR_TOWER,
    CHILLER,
    DRY,
    IMMERSED,
    TOWER,
)
from app.engine.specs import Facility
from app.engine.trace import Array, first_of, plain
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve import terms
from app.scenarios.resolve.inputs import Inputs

CHEAPEST = "cheapest"
LIQUID_PLANTS = (DRY, ADIABATIC, TOWER, CHILLER)
AIR_PLANTS = (AIR, AIR_TOWER)
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
    sections = _sections(base, facility, plant, here=here)
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
    return LIQUID_PLANTS if liquid else AIR_PLANTS


def _dearness(sections: Sections) -> tuple[float, float]:
    """By cost; where no price is known, by electricity alone."""
    cost = _value(sections.cost.usd_per_accelerator_hour)
    return (0.0 if np.isnan(cost) else cost, _value(sections.power.utility_mean_w))


def _why_left_out(distance_m: float, year: str) -> str:
    return f"its weather is that of {year}, {distance_m / 1e3:,.0f} km away, in another climate"


def _value(array: Array | None) -> float:
    """Of the first sample; not a number where a design of its kind has no such figure."""
    return first_of(array)
