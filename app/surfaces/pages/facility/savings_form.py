"""The form of an energy what-if, as it was typed and as it is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.views.facility.savings.document import STEPS, SavingsOptions
from app.views.facility.savings.words import TITLES

LONGEST = 40
PLACE = re.compile(r"[1-9][0-9]{0,3}")
ASKED = "asked"
"""In the address once the form was sent: boxes that are not ticked are not in it."""


class Box(NamedTuple):
    """A value of a step; `unit` stands behind its label."""

    name: str
    label: str
    unit: str = ""


BOXES: dict[str, tuple[Box, ...]] = {
    "warmer_chilled_water": (Box("baseline_chilled_water_supply_c", "Chilled water of the baseline", "°C"),),
    "liquid_cooling": (Box("cold_coolant_supply_c", "Coolant at first", "°C"),),
    "warmer_coolant": (Box("warm_coolant_supply_c", "Warmer coolant", "°C"),),
    "rack_batteries": (),
    "dc_800": (),
    "power_cap": (Box("power_cap", "Cap", "of TDP"),),
    "demand_aware": (
        Box("flexible_share", "Work that can wait", "share"),
        Box("window_h", "Done within", "h"),
    ),
    "renewables": (
        Box("solar_over_load", "Solar", "× load"),
        Box("wind_over_load", "Wind", "× load"),
        Box("battery_h", "Battery", "h of load"),
        Box("battery_power_over_load", "Battery power", "× load"),
        Box("round_trip_efficiency", "Battery efficiency", "share"),
        Box("clean_price_usd_per_kwh", "Price of clean energy", "USD/kWh"),
        Box("solar_capacity_factor", "Solar capacity factor", "share"),
        Box("wind_capacity_factor", "Wind capacity factor", "share"),
    ),
}
NUMBERS = tuple(box.name for boxes in BOXES.values() for box in boxes)
FOLLOWED = {"pue": "hours of low PUE", "clean": "hours of much clean energy"}


class StepRow(NamedTuple):
    """A step as a line of the form."""

    key: str
    title: str
    on: bool
    order: str
    boxes: tuple[Box, ...]


class SavingsForm(NamedTuple):
    """`options` is None where something cannot be used; `faults` belong to no box."""

    texts: dict[str, str]
    rows: tuple[StepRow, ...]
    errors: dict[str, str]
    faults: tuple[str, ...]
    options: SavingsOptions | None

    @property
    def is_refused(self) -> bool:
        return bool(self.errors or self.faults)


def savings_form(typed: Mapping[str, str]) -> SavingsForm:
    """The form as the address has it; the steps as they come where it was not sent yet."""
    texts = {name: typed.get(name, "").strip()[:LONGEST] for name in NUMBERS}
    texts["follow"] = typed.get("follow", "pue").strip()[:LONGEST]
    asked = ASKED in typed
    rows = tuple(
        StepRow(
            key=step,
            title=TITLES[step],
            on=not asked or f"on_{step}" in typed,
            order=typed.get(f"order_{step}", str(place)).strip()[:LONGEST],
            boxes=BOXES[step],
        )
        for place, step in enumerate(STEPS, start=1)
    )
    form = SavingsForm(texts, rows, {}, (), None)
    wrong = {
        f"order_{row.key}": f"{row.order or 'Nothing'} is no place in the order: write a whole number from 1."
        for row in rows
        if row.on and not PLACE.fullmatch(row.order)
    }
    try:
        options = build_document(SavingsOptions, _stated(texts, rows))
    except ScenarioError as error:
        form = refused(form, error.errors)
        return form._replace(errors=wrong | form.errors)
    return form._replace(errors=wrong, options=None if wrong else options)


def refused(form: SavingsForm, faults: tuple[InputError, ...]) -> SavingsForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        message = f"{fault.message} {fault.hint}".strip()
        if fault.path in form.texts:
            errors.setdefault(fault.path, message)
        else:
            above.append(f"{fault.path}: {message}" if fault.path else message)
    return form._replace(errors=errors, faults=tuple(above), options=None)


def _stated(texts: Mapping[str, str], rows: tuple[StepRow, ...]) -> dict[str, Any]:
    """What was typed as the options have it; what is no number stays text, to be refused by name."""
    chosen = sorted(
        (row for row in rows if row.on), key=lambda row: int(row.order) if PLACE.fullmatch(row.order) else 0
    )
    numbers = {name: _number(texts[name]) for name in NUMBERS if texts[name]}
    return {"steps": [row.key for row in chosen], "follow": texts["follow"], **numbers}


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text
