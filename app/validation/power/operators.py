"""What the engine says of a usual data centre at a climate: the one that published means are held against.

Nobody publishes which plants stand in a region. PUE is that of halls cooled by air throughout, of the
defaults: servers with a rating like that of DGX H100, 128 of them, 2N with double conversion, chilled
water with a dry economiser. Such halls use no water; operators that do wet pads when it is hot, so WUE is
that of adiabatic coolers that make the same chilled water. The same for every region and operator; nothing
is fitted.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.design import at_site
from app.validation.power.evaluated import ANY_JOB, evaluated

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
