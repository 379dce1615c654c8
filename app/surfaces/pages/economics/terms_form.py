"""Terms of the scenario that a tab asks for: boxes that change the scenario of the address, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from app.scenarios.declared_fields import declared_field
from app.scenarios.document.ranges import field_of_fault
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.form import field_text, set_text
from app.surfaces.pages.studio.numbers import Scale, number_of, number_text, scale_of
from app.surfaces.pages.studio.percent_words import in_percent
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.studio.values import value_at

ASKED = "terms"
"""In the address when the form was sent."""
LONGEST_REFUSED = 40


class TermBox(NamedTuple):
    """One field: what is stated, and in `used` what is taken where nothing is."""

    field: Field
    text: str
    unit: str
    used: str
    error: str


class TermsForm(NamedTuple):
    """`address` is where the changed scenario is shown; None where nothing was sent, or it cannot be used."""

    boxes: tuple[TermBox, ...]
    faults: tuple[str, ...]
    address: str | None

    @property
    def is_refused(self) -> bool:
        return bool(self.faults) or any(box.error for box in self.boxes)

    def address_with(self, beside: Mapping[str, str]) -> str:
        """`address` with what was typed that is no part of the scenario."""
        query = urlencode({name: text for name, text in beside.items() if text})
        return f"{self.address}&{query}" if query else str(self.address)


def terms_form(
    opened: OpenedDesign, tab: str, fields: tuple[Field, ...], typed: Mapping[str, str]
) -> TermsForm:
    """The form of a tab as the address has it.

    A form that was sent changes the scenario: whoever answers goes on to `address`.
    """
    if ASKED not in typed:
        return TermsForm(tuple(_box(opened, field) for field in fields), (), None)
    values = opened.carried.values
    for field in fields:
        values = set_text(values, field, typed.get(field.path, ""), _scale(opened, field))
    errors: dict[str, str] = {}
    above: list[str] = []
    try:
        build_scenario(values)
    except ScenarioError as refused:
        paths = {field.path: field for field in fields}
        for fault in refused.errors:
            if (path := field_of_fault(fault.path, paths)) in paths:
                errors.setdefault(path, in_percent(fault.words) if paths[path].percent else fault.words)
            else:
                above.append(str(fault))
    boxes = tuple(
        _box(opened, field)._replace(text=typed.get(field.path, "").strip(), error=errors.get(field.path, ""))
        for field in fields
    )
    address = None
    if not errors and not above:
        room = opened.room.key
        address = f"/{room}/{opened.carried.key}/{tab}?s={encode_state(values)}"
    return TermsForm(boxes, tuple(above), address)


def typed_number(text: str) -> float | str:
    """A number that no field of the scenario takes; what cannot be read stays text, for its document to refuse.

    >>> typed_number("1.2k"), typed_number("2 000"), typed_number("soon")
    (1200.0, 2000.0, 'soon')
    """
    value = number_of(text, Scale(1.0, ""))
    return value[:LONGEST_REFUSED] if isinstance(value, str) else value


def _box(opened: OpenedDesign, field: Field) -> TermBox:
    scale = _scale(opened, field)
    return TermBox(
        field, field_text(field, opened.carried.values), scale.unit, _used(opened, field, scale), ""
    )


def _scale(opened: OpenedDesign, field: Field) -> Scale:
    stated = value_at(opened.carried.values, field.path)
    return scale_of(field, stated if isinstance(stated, int | float) else _taken(opened, field))


def _taken(opened: OpenedDesign, field: Field) -> float | None:
    """What the design uses there."""
    if opened.scenario is None:
        return None
    found = opened.scenario.resolved.values.get(field.used or field.path)
    return None if found is None else float(found.item()) * field.used_factor


def _used(opened: OpenedDesign, field: Field, scale: Scale) -> str:
    taken = _taken(opened, field)
    if taken is not None:
        return "unknown" if taken != taken else number_text(float(f"{taken:.4g}"), scale)
    default = declared_field(field.path).default
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, int | float):
        return number_text(default, scale)
    return default if isinstance(default, str) else field.empty
