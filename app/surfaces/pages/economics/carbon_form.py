"""What the carbon tab asks for: terms of the scenario, and what can be known beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.economics.terms_form import typed_number
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.choices import Choice
from app.surfaces.pages.studio.field import Field, number
from app.surfaces.pages.studio.values import value_at
from app.views.economics.carbon.options import CarbonOptions

SITE = "facility.site"
TERMS = tuple(
    number(path, used=path)
    for path in ("facility.clean_energy_share", "economics.utilisation", "economics.life_years")
)
BESIDE = {
    "network_embodied_kg": ("Embodied carbon of the network", "kg"),
    "storage_embodied_kg": ("Embodied carbon of the storage", "kg"),
    "building_embodied_kg": ("Embodied carbon of the building", "kg"),
    "intensity_by_hour": ("Hourly grid intensity: 24 values, or 12 months of 24", "kg/kWh"),
}
MOST_TYPED = 4_000


class Box(NamedTuple):
    """What can be known beside the scenario."""

    name: str
    label: str
    unit: str
    text: str
    error: str


def beside_of(query: Mapping[str, str]) -> dict[str, str]:
    """What was typed into the boxes beside the terms."""
    return {name: query.get(name, "").strip()[:MOST_TYPED] for name in BESIDE}


def boxes_of(typed: Mapping[str, str], errors: Mapping[str, str]) -> list[Box]:
    """The boxes beside the terms, with what is wrong in them."""
    return [Box(name, *words, typed[name], errors.get(name, "")) for name, words in BESIDE.items()]


def terms_of(opened: OpenedDesign, sites: tuple[Choice, ...]) -> tuple[Field, ...]:
    """A site that is written out stays as it is; one of the catalog can be another."""
    if isinstance(value_at(opened.carried.values, SITE), dict):
        return TERMS
    words = tuple((site.key, site.name) for site in sites)
    return (Field(path=SITE, label="Site", control="select", words=words), *TERMS)


def options_of(typed: Mapping[str, str]) -> tuple[CarbonOptions, dict[str, str]]:
    """What is known beside the scenario, or nothing with what is wrong by box."""
    values: dict[str, Any] = {}
    for name in BESIDE:
        text = typed.get(name, "")
        if not text:
            continue
        if name == "intensity_by_hour":
            values[name] = [typed_number(word) for word in text.replace(",", " ").replace(";", " ").split()]
        else:
            values[name] = typed_number(text)
    try:
        return build_document(CarbonOptions, values), {}
    except ScenarioError as error:
        faults = {fault.path.split(".")[0].split("[")[0]: fault.words for fault in error.errors}
        return CarbonOptions(), faults
