"""The options of a search of a served model as a form: what was typed, what it stands for, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from app.catalog.lookup import Catalog
from app.catalog.number_formats import number_formats
from app.scenarios.declared_fields import label_of_field
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.explore.form import HOLD, LONGEST, axis_value, fault_text, typed_number
from app.views.economics.systems_compared import BUILDING_BLOCKS
from app.views.searching.options import SERVING_AXES, ServingSearchOptions

OBJECTIVES = (
    ("throughput", "Tokens per accelerator"),
    ("cost", "Cost per token"),
    ("energy", "Energy per token"),
    ("speed", "Tokens for a user"),
)
MODES = (("", "Both"), ("aggregated", "Aggregated"), ("disaggregated", "Split"))
FORMATS: tuple[str, ...] = get_args(ServingPrecision)
KILO = 1000.0
MOST_NAMED = 40
DEFAULTS = {"objective": "throughput", "mode": "", "top": "10", "power_limit_kw": ""}
BOXES = {"power_limit_w": "power_limit_kw", "modes": "mode"}
"""Boxes of the form that are called otherwise than the option."""


class DegreeField(NamedTuple):
    """A degree that can be held."""

    name: str
    label: str
    text: str
    error: str


class Choice(NamedTuple):
    """Something that can be ticked."""

    key: str
    name: str
    here: bool


class ServingSearchForm(NamedTuple):
    """`options` is None where something that was typed cannot be used."""

    options: ServingSearchOptions | None
    texts: Mapping[str, str]
    formats: tuple[str, ...]
    hardware: tuple[str, ...]
    degrees: tuple[DegreeField, ...]
    errors: Mapping[str, str]

    def error(self, name: str) -> str:
        """Message of a fault of a box; "" without one."""
        return self.errors.get(name, "")

    @property
    def held(self) -> int:
        """Number of held degrees."""
        return sum(bool(degree.text) for degree in self.degrees)

    @property
    def query(self) -> list[tuple[str, str]]:
        """The form as it was typed, without what is left at its default."""
        fields = [(name, text) for name, text in self.texts.items() if text and text != DEFAULTS[name]]
        fields += [("precision", word) for word in self.formats]
        fields += [("system", key) for key in self.hardware]
        return fields + [(f"{HOLD}{degree.name}", degree.text) for degree in self.degrees if degree.text]

    def format_choices(self, own: str) -> list[Choice]:
        """Formats beside that of the scenario; what is no format stays to be seen."""
        offered = [word for word in FORMATS if word != own]
        return [Choice(word, number_formats()[word].label, word in self.formats) for word in offered] + [
            Choice(word, word, True) for word in self.formats if word not in FORMATS
        ]

    def hardware_choices(self, catalog: Catalog, own: str | None) -> list[Choice]:
        """Systems beside that of the scenario; what cannot be found stays to be seen."""
        parts = [catalog.part("systems", key) for key in catalog.keys("systems")]
        listed = [
            Choice(part.key, part.name, part.key in self.hardware)
            for part in parts
            if part.attributes.get("accelerator_key")
            and (part.attributes.get("category") in BUILDING_BLOCKS or part.key in self.hardware)
            and part.key != own
        ]
        offered = {choice.key for choice in listed} | {own}
        return listed + [Choice(key, key, True) for key in self.hardware if key not in offered]


def serving_search_form(query: Mapping[str, str]) -> ServingSearchForm:
    """The form of an address."""
    texts = {name: query.get(name, "").strip()[:LONGEST] or default for name, default in DEFAULTS.items()}
    formats, hardware = _named(query, "precision"), _named(query, "system")
    stated: dict[str, Any] = {"objective": texts["objective"], "top": typed_number(texts["top"])}
    stated |= {"formats": formats, "hardware": hardware}
    if texts["mode"]:
        stated["modes"] = [texts["mode"]]
    if texts["power_limit_kw"]:
        limit = typed_number(texts["power_limit_kw"])
        stated["power_limit_w"] = limit * KILO if isinstance(limit, int | float) else limit
    errors: dict[str, str] = {}
    hold: dict[str, list[Any]] = {}
    typed = {name: query.get(f"{HOLD}{name}", "").strip()[:LONGEST] for name in SERVING_AXES}
    for name, text in typed.items():
        if text:
            hold[name] = [axis_value(part.strip()) for part in text.split(",")]
            errors |= _errors({"hold": {name: hold[name]}}, f"{HOLD}{name}")
    errors |= _errors(stated)
    if "power_limit_kw" in errors and isinstance(stated["power_limit_w"], int | float):
        errors["power_limit_kw"] = (
            f"{texts['power_limit_kw']} kW is no power to stay within. Give one above 0."
        )
    return ServingSearchForm(
        options=None if errors else build_document(ServingSearchOptions, stated | {"hold": hold}),
        texts=texts,
        formats=formats,
        hardware=hardware,
        degrees=tuple(
            DegreeField(
                name, label_of_field(f"workload.layout.{name}"), text, errors.get(f"{HOLD}{name}", "")
            )
            for name, text in typed.items()
        ),
        errors=errors,
    )


def address_with(address: str, fields: Sequence[tuple[str, str]]) -> str:
    return f"{address}?{urlencode(fields)}" if fields else address


def _named(query: Mapping[str, str], name: str) -> tuple[str, ...]:
    """What is ticked under a name, each once."""
    values = query.getlist(name) if isinstance(query, QueryParams) else [query[name]] if name in query else []
    return tuple(dict.fromkeys(value.strip()[:80] for value in values if value.strip()))[:MOST_NAMED]


def _errors(values: dict[str, Any], field: str = "") -> dict[str, str]:
    """Faults of some options, by the box that they were typed into."""
    try:
        build_document(ServingSearchOptions, values)
    except ScenarioError as error:
        found = {}
        for fault in error.errors:
            name = fault.path.partition("[")[0].partition(".")[0]
            found[field or BOXES.get(name, name)] = fault_text(fault)
        return found
    return {}
