"""Terms of the scenario that a tab asks for: boxes that change the scenario of the address, and nothing else.

One range that is added, changed or taken out, and pairs of inputs that go together: forms that change the scenario
of the address, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.scenarios.declared_fields import declared_field
from app.scenarios.document.ranges import field_of_fault, number_fields, range_at, with_range, without_range
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.reading.messages import point_of
from app.scenarios.sweeping.fields import ASSUMPTIONS, with_field
from app.surfaces.pages.economics.uncertainty_inputs import TAB
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.field import Field, number
from app.surfaces.pages.studio.fields import fields_by_path, in_field_words
from app.surfaces.pages.studio.form import field_text, set_text
from app.surfaces.pages.studio.numbers import Scale, in_percent, number_of, number_text, scale_of
from app.surfaces.pages.studio.state import MISSING, encode_state, value_at, with_value
from app.views.uncertainty.report import UncertainInput

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

    A form that was sent changes the scenario: the route then redirects to `address`.
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
        room = opened.room
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


RANGE = "range"
CHANGE = "change"
ENDS = ("low", "typical", "high")
LONGEST = 80


class RangeForm(NamedTuple):
    """The boxes of one field's range; `field` "" where none is being changed. `address` is where a change leads."""

    field: str
    label: str
    unit: str
    texts: dict[str, str]
    distribution: str
    stated: bool
    errors: dict[str, str]
    faults: tuple[str, ...]
    address: str | None
    choices: tuple[tuple[str, str], ...]  # fields that may have a range, with their names

    @property
    def is_refused(self) -> bool:
        return bool(self.errors or self.faults)


class PairForm(NamedTuple):
    """Two fields and their correlation, as typed."""

    one: str
    other: str
    coefficient: str
    error: str
    address: str | None
    choices: tuple[tuple[str, str], ...]


def range_form(
    opened: OpenedDesign, varying: Sequence[UncertainInput], typed: Mapping[str, str]
) -> RangeForm:
    """The form as the address has it; one that was sent leads on to the scenario that it makes."""
    path = typed.get(RANGE, "")[:LONGEST]
    known = next((one for one in varying if one.field == path), None)
    choices = range_choices(varying)
    empty = RangeForm(path, "", "", dict.fromkeys(ENDS, ""), "", False, {}, (), None, choices)
    if not path:
        return empty
    field = _field(path, known)
    if field is None:
        return empty._replace(
            field="", faults=(f"{path} is not a number of this scenario. Choose one of the list.",)
        )
    stated = range_at(opened.carried.values, path)
    scale = _range_form_scale(opened, field, stated, known)
    form = empty._replace(
        label=known.label if known else field.label, unit=scale.unit, stated=stated is not None
    )
    if CHANGE not in typed:
        return form._replace(
            texts=_texts(stated, known, scale),
            distribution=str((stated or {}).get("distribution") or ""),
        )
    form = form._replace(
        texts={name: typed.get(name, "").strip()[:LONGEST] for name in ENDS},
        distribution=typed.get("distribution", "")[:LONGEST],
    )
    try:
        values = _changed(opened.carried.values, field, form, scale)
        build_scenario(values)
    except ScenarioError as refused:
        return _with_faults(form, refused.errors)
    return form._replace(address=_address(opened, values))


def pair_form(opened: OpenedDesign, varying: Sequence[UncertainInput], typed: Mapping[str, str]) -> PairForm:
    """The form of a correlation; an empty coefficient takes the pair out."""
    one, other, share = (typed.get(name, "").strip() for name in ("one", "other", "coefficient"))
    form = PairForm(one, other, share, "", None, pair_choices(varying))
    if "pair" not in typed:
        return form
    between = {form.one, form.other}
    stated = value_at(opened.carried.values, "uncertainty.correlations")
    pairs = [pair for pair in stated if set(pair["between"]) != between] if isinstance(stated, list) else []
    if form.coefficient:
        coefficient = number_of(form.coefficient, Scale(1.0, ""))
        pairs.append({"between": [form.one, form.other], "coefficient": coefficient})
    values = with_value(opened.carried.values, "uncertainty.correlations", pairs or MISSING)
    try:
        build_scenario(values)
    except ScenarioError as refused:
        return form._replace(
            error=" ".join(
                in_field_words(f"{fault.message} {fault.hint}".strip()) for fault in refused.errors
            )
        )
    return form._replace(address=_address(opened, values))


def _changed(values: dict[str, Any], field: Field, form: RangeForm, scale: Scale) -> dict[str, Any]:
    """The scenario with the range, or without it where no end is given."""
    if not any(form.texts.values()):
        return without_range(values, field.path)
    ends = {name: number_of(text, scale, whole=field.whole) for name, text in form.texts.items() if text}
    written = ends | ({"distribution": form.distribution} if form.distribution else {})
    low, high = (ends.get(name) for name in ("low", "high"))
    if not isinstance(low, str | None) and not isinstance(high, str | None):
        typical = ends.get("typical")
        point = point_of(low, None if isinstance(typical, str) else typical, high, whole=field.whole)
        doubt = values.get("uncertainty")
        values = with_field(values, field.path, point, "typical")
        if doubt is not None:  # with the range that goes, its correlations do: the new one keeps them
            values = {**values, "uncertainty": doubt}
    return with_range(values, field.path, written)


def _with_faults(form: RangeForm, errors: Sequence[InputError]) -> RangeForm:
    """What is wrong beside the box that it is about, else above the form."""
    beside: dict[str, str] = {}
    above: list[str] = []
    inside = f"uncertainty.inputs.{form.field}"
    for fault in errors:
        words = in_field_words(f"{fault.message} {fault.hint}".strip())
        name = fault.path.removeprefix(f"{inside}.")
        if name in (*ENDS, "distribution"):
            beside.setdefault(name, words)
        elif fault.path in (inside, form.field):
            beside.setdefault("low", f"The range {words}" if fault.path == inside else words)
        else:
            above.append(f"{fault.path}: {words}")
    return form._replace(errors=beside, faults=tuple(above))


def _texts(stated: dict[str, Any] | None, known: UncertainInput | None, scale: Scale) -> dict[str, str]:
    """The range as it is stated, else the one of the catalog, to be changed."""
    found = stated or ({name: getattr(known, name) for name in ENDS} if known else {})
    return {
        name: number_text(float(f"{found[name]:.6g}"), scale)
        if isinstance(found.get(name), int | float)
        else ""
        for name in ENDS
    }


def _field(path: str, known: UncertainInput | None) -> Field | None:
    """The box of a field, made up where the studio has none; None where the document has no such number."""
    own = fields_by_path().get(path)
    if own is not None and own.control == "number":
        return own
    if path.startswith(ASSUMPTIONS) and known is not None:
        return Field(path=path, label=known.label, control="number", unit=known.unit)
    if path not in number_fields(ScenarioDocument):
        return None
    return number(path)


def _range_form_scale(
    opened: OpenedDesign, field: Field, stated: dict[str, Any] | None, known: UncertainInput | None
) -> Scale:
    point = value_at(opened.carried.values, field.path)
    size = (stated or {}).get("low", known.low if known else point)
    return scale_of(field, size if isinstance(size, int | float) else None)


def range_choices(varying: Sequence[UncertainInput]) -> tuple[tuple[str, str], ...]:
    """What varies already by its name, then every other number of the form."""
    first = {one.field: one.label for one in varying if one.field}
    rest = {
        path: f"{field.label} ({path.split('.')[0]})"
        for path, field in fields_by_path().items()
        if field.control == "number" and path in number_fields(ScenarioDocument) and path not in first
    }
    return tuple((first | rest).items())


def pair_choices(varying: Sequence[UncertainInput]) -> tuple[tuple[str, str], ...]:
    """What varies and has a field."""
    return tuple((one.field, one.label) for one in varying if one.field)


def _address(opened: OpenedDesign, values: dict[str, Any]) -> str:
    return f"/{opened.room}/{opened.carried.key}/{TAB}?s={encode_state(values)}#inputs-that-vary"
