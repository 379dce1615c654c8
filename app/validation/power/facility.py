"""PUE, water and flow of buildings and regions."""

from __future__ import annotations

import dataclasses
import functools
import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.design import at_site
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.coolant import coolant_flow_m3_per_j, liquid_loops
from app.validation.power.nodes import ANY_JOB, evaluated
from app.validation.power.places import Place, city_in, is_filler, place_of, provider_in, region_in
from app.validation.power.statement import Asked, Predicted, Statement
from app.validation.study import UnsupportedRowError

# What the engine says of a usual data centre at a climate: the one that published means are held against.
#
# It is not published which plants stand in a region. PUE is that of halls cooled by air throughout, of the
# defaults: servers with a rating like that of DGX H100, 128 of them, 2N with double conversion, chilled
# water with a dry economiser. Such halls use no water; operators that do wet pads when it is hot, so WUE is
# that of adiabatic coolers that make the same chilled water. The same for every region and operator; nothing
# is fitted.

AIR, ADIABATIC = "air", "direct_liquid_adiabatic"
SAYS = (
    "128 air-cooled servers (dgx_h100) that serve, 2N with double conversion, chilled water with a dry "
    "economiser, the same everywhere"
)
AIR_SERVERS = {"supernode": {"system": "dgx_h100"}, "pod": {"supernodes": 128}}
LIQUID_SERVERS = {"supernode": {"system": "gb200_nvl72"}, "pod": {"supernodes": 8}}
HALL_COOLANT_C = 24.0
"""Coolant of the adiabatic coolers: 20 degC water, as an air hall is supplied with, and 4 K of a heat exchanger."""


@dataclass(frozen=True, slots=True)
class Operated:
    """Annual means of a data centre at one climate."""

    pue: float
    wue_l_per_kwh: float


def operated_at(
    catalog: Catalog, climate: str, plant: str = AIR, coolant_supply_c: float | None = None
) -> Operated:
    """The usual data centre of a plant in this climate year; computed once a catalog."""
    return _operated(catalog.builtin, climate, plant, coolant_supply_c)


def water_at(catalog: Catalog, climate: str) -> float:
    """WUE of halls that are cooled with adiabatic coolers in this climate year [L/kWh]."""
    return operated_at(catalog, climate, ADIABATIC, HALL_COOLANT_C).wue_l_per_kwh


@functools.lru_cache(maxsize=1024)
def _operated(catalog: Catalog, climate: str, plant: str, coolant_supply_c: float | None) -> Operated:
    """The same servers and building elsewhere: only what depends on the weather is computed again."""
    base = evaluated(catalog, _document(plant, coolant_supply_c))
    design = base.resolved.design
    site = replace(design.facility.site, climate=catalog.climate(climate).spec())
    with np.errstate(invalid="ignore", divide="ignore"):
        sections = at_site(design, base.evaluation.sections, replace(design.facility, site=site))
    cooling = sections.cooling
    return Operated(pue=float(cooling.pue[0]), wue_l_per_kwh=float(cooling.wue_l_per_kwh[0]))


def _document(plant: str, coolant_supply_c: float | None) -> dict[str, Any]:
    servers = AIR_SERVERS if plant.startswith(AIR) else LIQUID_SERVERS
    facility: dict[str, Any] = {"cooling": plant, "load_profile": "serving"}
    if coolant_supply_c is not None:
        facility["coolant_supply_c"] = coolant_supply_c
    return {
        "name": "Usual data centre",
        "workload": ANY_JOB,
        **servers,
        "facility": facility,
        "operations": {"spares": 0},
    }


# PUE and water of named places, and coolant flow.

PLANTS = (
    (r"\b(immersion|immersed)\b", "immersion_dry"),
    (r"\b(adiabatic)\b", "direct_liquid_adiabatic"),
    (r"\b(liquid|warm.water|direct-to-chip|cold plates?)\b.*\b(tower|evaporative)", "direct_liquid_tower"),
    (r"\b(tower|evaporative)\b.*\b(liquid|warm.water|direct-to-chip|cold plates?)\b", "direct_liquid_tower"),
    (r"\b(liquid|warm.water|direct-to-chip|cold plates?)\b", "direct_liquid_dry"),
    (r"\b(tower|evaporative)\b", "air_tower"),
)
"""Words that name a plant, the first that fits."""
COOLANTS = (
    (r"\b(propylene glycol|pg)\b", {25: "pg25", 30: "pg30"}),
    (r"\b(ethylene glycol|eg)\b", {25: "eg25"}),
)
DECIMAL = r"(\d+(?:\.\d+)?)"
SUPPLY = re.compile(rf"{DECIMAL} ?(?:deg ?)?c supply|supply (?:of |at )?{DECIMAL} ?(?:deg ?)?c\b")
RISE = re.compile(rf"{DECIMAL} ?k\b")
SHARE = re.compile(rf"{DECIMAL} ?%")
LITRES_PER_MIN_KW = 1e3 * 60 * 1e3
"""Of a cubic metre for each joule."""
YEAR = re.compile(r"\b20\d\d\b")


def pue(asked: Asked) -> Predicted:
    """Annual PUE at the place that a row names, between what 90 % of operators have there."""
    place = place_in(asked)
    plant = _plant(asked.statement) or AIR
    predicted = operated_at(asked.catalog, place.climate, plant).pue
    below, above = operators_band(asked.catalog)
    return Predicted(
        value=predicted,
        low=predicted - below,
        high=predicted + above,
        assumed=(place.badge, f"plant {plant}"),
        place=place,
        provider=provider_in(asked.statement.quantity) or "",
    )


def water(asked: Asked) -> Predicted:
    """Water for each kilowatt-hour of IT energy at the place that a row names."""
    place = place_in(asked)
    provider = provider_in(asked.statement.quantity) or ""
    measured = asked.statement.measured()
    if provider and any(
        is_filler(asked.catalog, provider, int(year), measured)
        for year in YEAR.findall(asked.statement.conditions)
    ):
        raise UnsupportedRowError(FILLER.format(wue=measured, provider=provider))
    plant = _plant(asked.statement)
    if plant:
        litres = operated_at(asked.catalog, place.climate, plant).wue_l_per_kwh
    else:
        litres = water_at(asked.catalog, place.climate)
    return Predicted(
        value=litres,
        assumed=(place.badge, f"plant {plant or ADIABATIC}"),
        place=place,
        provider=provider,
    )


FILLER = "{wue:g} L/kWh is the mean of {provider}, printed where a region has none of its own"


def flow(asked: Asked) -> Predicted:
    """Coolant flow for each kilowatt."""
    said = asked.statement.said
    if re.search(r"\bwater\b", said) and not re.search(r"\bglycol\b|\bpg\b|\beg\b", said):
        return _water_flow(asked, said)
    coolant = _coolant(said)
    assumptions = _facility(asked.catalog, coolant)
    supply, rise = SUPPLY.search(said), RISE.search(said)
    if supply is None:
        raise UnsupportedRowError("it does not say at which temperature the coolant is supplied")
    if rise is not None:
        assumptions = dataclasses.replace(assumptions, coolant_temperature_rise_k=np.array([float(rise[1])]))
    supply_c = np.array([float(supply[1] or supply[2])])
    flow_m3_per_j, _ = liquid_loops(coolant_supply_c=supply_c, assumptions=assumptions)
    usual = () if rise else (f"rise of {assumptions.coolant_temperature_rise_k[0]:g} K",)
    return Predicted(
        value=float(flow_m3_per_j[0]) * LITRES_PER_MIN_KW, assumed=(f"coolant {coolant}", *usual)
    )


def _water_flow(asked: Asked, said: str) -> Predicted:
    """Flow of plain water, with its properties in the facility loop."""
    assumptions, rise = _facility(asked.catalog, "pg25"), RISE.search(said)
    rise_k = np.array([float(rise[1])]) if rise else assumptions.facility_water_temperature_rise_k
    flow_m3_per_j = coolant_flow_m3_per_j(
        density_kg_per_m3=assumptions.facility_water_density_kg_per_m3,
        heat_capacity_j_per_kg_k=assumptions.facility_water_heat_capacity_j_per_kg_k,
        temperature_rise_k=rise_k,
        flow_excess=np.ones(1),
    )
    return Predicted(
        value=float(flow_m3_per_j[0]) * LITRES_PER_MIN_KW, assumed=(f"water, rise of {rise_k[0]:g} K",)
    )


def place_in(asked: Asked) -> Place:
    """The place that a row names: a region of a provider, else a city, in the quantity before the conditions.

    Raises
    ------
    UnsupportedRowError : it names none that is known, or none with a climate year near enough
    """
    statement, catalog = asked.statement, asked.catalog
    for text in (statement.row.text("quantity"), statement.own_conditions):
        if region := region_in(catalog, text):
            return region.place(catalog)
        if city := city_in(catalog, text):
            return place_of(catalog, city)
    raise UnsupportedRowError("it names no place that the catalog knows: a mean of several, or one unknown")


def operators_band(catalog: Catalog) -> tuple[float, float]:
    """How far published regions lie below and above the model, as the catalog states it."""
    below, above = (
        catalog.assumption("facility", f"pue_operators_{side}", {}).value for side in ("below", "above")
    )
    return below, above


def _plant(statement: Statement) -> str:
    """The plant that a row names, "" where it names none."""
    said = f"{statement.quantity}; {statement.conditions}"
    return next((plant for words, plant in PLANTS if re.search(words, said)), "")


def _coolant(said: str) -> str:
    share = SHARE.search(said)
    for words, by_share in COOLANTS:
        if re.search(words, said):
            percent = float(share[1]) if share else next(iter(by_share))
            if percent in by_share:
                return by_share[int(percent)]
            raise UnsupportedRowError(
                f"no properties of a coolant with {percent:g} % glycol; there are {', '.join(by_share.values())}"
            )
    raise UnsupportedRowError("it names no coolant whose properties are known")


def _facility(catalog: Catalog, coolant: str) -> FacilityAssumptions:
    document = {
        "name": "Coolant",
        "workload": ANY_JOB,
        **LIQUID_SERVERS,
        "facility": {"coolant": coolant},
    }
    rooms = evaluated(catalog, document).resolved.design.assumptions.rooms
    found: FacilityAssumptions = rooms["facility"]
    return found
