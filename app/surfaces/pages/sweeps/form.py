"""The form of a sweep: up to three fields with their ranges, as they were typed and as they are meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.charts.format import number, percent, show_at, unit_at
from app.charts.sweep import Quantity
from app.engine.quantities import label_at
from app.engine.units import unit_of
from app.scenarios.declared_fields import label_of_field
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import DOUBLING, SweepDocument
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.fields import fields_by_path, in_field_words, panels
from app.surfaces.pages.studio.kinds import of_kind
from app.surfaces.pages.studio.numbers import Scale, number_of, number_text, scale_of
from app.surfaces.pages.studio.state import MISSING, value_at

AXES = 3
STEPS = 20
"""Values of a range where the form leaves their number open."""
BOXES = ("field", "from", "to", "steps", "scale")
SCALES = (
    ("", "Automatic"),
    ("linear", "Even"),
    ("log", "Logarithmic"),
    (DOUBLING, "Doubling"),
)
"""Spacing of values.

Automatic: counts double, which layouts, batches and racks divide by; all else is even.
"""
LONGEST = 200
LEFT_OUT = ("workload.calibration.",)
"""What own runs say of a scenario is not a choice of the designer."""


class Choice(NamedTuple):
    """A field that can vary, with the value that it has in the design."""

    path: str
    label: str
    now: str


class AxisForm(NamedTuple):
    """One axis as it was typed."""

    number: int
    texts: dict[str, str]
    errors: dict[str, str]


class SweepForm(NamedTuple):
    """`document` is None where something cannot be used; `faults` are those that belong to no box."""

    name: str
    axes: tuple[AxisForm, ...]
    choices: tuple[tuple[str, tuple[Choice, ...]], ...]
    faults: tuple[str, ...]
    document: SweepDocument | None

    @property
    def is_refused(self) -> bool:
        return bool(self.faults or any(axis.errors for axis in self.axes))


def sweep_form(design: Evaluated, scenario: ScenarioDocument, typed: Mapping[str, str] | None) -> SweepForm:
    """The form of a design; `typed` is what was sent, None for a form that is new."""
    choices = _choices(design, scenario)
    if typed is None:
        return SweepForm(scenario.name, _blank(), choices, (), None)
    given = {name: text.strip()[:LONGEST] for name, text in typed.items()}
    filled = [number for number in range(1, AXES + 1) if given.get(f"field{number}")]
    axes = [_axis(design, given, number) for number in filled]
    name = given.get("name") or scenario.name
    form = SweepForm(name, _typed(given), choices, (), None)
    stated = {"name": name, "scenario": scenario.as_dict(), "axes": axes}
    if beyond := _beyond(design, axes):
        return refused(form, beyond)
    try:
        return form._replace(document=build_document(SweepDocument, stated))
    except ScenarioError as error:
        return refused(form, error.errors)


def refused(form: SweepForm, faults: tuple[InputError, ...]) -> SweepForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    numbers = [axis.number for axis in form.axes if axis.texts["field"]]
    beside: dict[int, dict[str, str]] = {}
    above = []
    for fault in faults:
        words = f"{fault.message} {fault.hint}".strip()
        message = (
            words if fault.rule == "unknown_field" or fault.path.endswith("field") else in_field_words(words)
        )
        found = re.match(r"axes\[(\d+)\](?:\.(\w+))?", fault.path)
        if found is None or int(found[1]) >= len(numbers):
            above.append(message if numbers else "Choose a field, and say from where to where it goes.")
            continue
        box = found[2] if found[2] in BOXES else "from" if found[2] == "values" else "field"
        beside.setdefault(numbers[int(found[1])], {})[box] = message
    axes = tuple(axis._replace(errors=beside.get(axis.number, {})) for axis in form.axes)
    return form._replace(axes=axes, faults=tuple(above), document=None)


def _axis(design: Evaluated, given: Mapping[str, str], place: int) -> dict[str, Any]:
    """An axis as the document has it; what is no number stays text, for the document to refuse by name."""
    path = given[f"field{place}"]
    axis: dict[str, Any] = {"field": path}
    field = fields_by_path().get(path)
    for box in ("from", "to"):
        text = given.get(f"{box}{place}", "")
        if text:
            axis[box] = _number(design, field, text)
    steps = given.get(f"steps{place}", "")
    scale = given.get(f"scale{place}", "") or ("" if steps else _usual_scale(field, axis))
    if scale:
        axis["scale"] = scale
    if steps or scale != DOUBLING:
        steps = steps or str(STEPS)
        axis["steps"] = int(steps) if steps.isascii() and steps.isdigit() else steps
    return axis


def _usual_scale(field: Field | None, axis: dict[str, Any]) -> str:
    """Counts double where there is room for it: even steps between them would be refused by most layouts."""
    first, last = axis.get("from"), axis.get("to")
    if field is None or not field.whole:
        return ""
    if not isinstance(first, int | float) or not isinstance(last, int | float):
        return ""
    return DOUBLING if first >= 1 and last >= 2 * first else ""


def _beyond(design: Evaluated, axes: list[dict[str, Any]]) -> tuple[InputError, ...]:
    """Values that their field does not take, in the unit that they were typed in."""
    faults = []
    for place, axis in enumerate(axes):
        field = fields_by_path().get(axis["field"])
        for box in ("from", "to"):
            value = axis.get(box)
            if field is None or isinstance(value, str | None):
                continue
            scale = scale_of(field, _now(design, field))
            for bound, word in zip(field.bounds, ("least", "most"), strict=True):
                if bound is not None and (value < bound if word == "least" else value > bound):
                    said = [f"{number_text(one, scale)} {scale.unit}".rstrip() for one in (value, bound)]
                    message = f"{said[0]} is beyond the {word} that {field.label} takes, {said[1]}."
                    faults.append(
                        InputError(path=f"axes[{place}].{box}", value=value, rule="range", message=message)
                    )
    return tuple(faults)


def _number(design: Evaluated, field: Field | None, text: str) -> Any:
    return number_of(text, Scale(1.0, "") if field is None else scale_of(field, _now(design, field)))


def _choices(design: Evaluated, scenario: ScenarioDocument) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """Fields that take numbers, panel by panel, with the unit that is typed and the value of the design."""
    kind = scenario.workload.kind
    searched = isinstance(scenario.parallelism, str)
    found = []
    for panel in panels():
        fields = [
            field
            for field in (*panel.fields, *panel.more)
            if field.control == "number" and _can_vary(field.path, kind=kind, searched=searched)
        ]
        if fields:
            found.append((panel.title, tuple(_choice(design, field) for field in fields)))
    return tuple(found)


def _can_vary(path: str, *, kind: str, searched: bool) -> bool:
    """Return whether a scenario of this kind has the field at all."""
    if path.startswith(LEFT_OUT):
        return False
    if path.startswith("workload."):
        return of_kind(path, kind)
    return not (path.startswith("parallelism.") and (searched or kind != "training"))


def _choice(design: Evaluated, field: Field) -> Choice:
    value = _now(design, field)
    unit = scale_of(field, value).unit
    label = f"{field.label} ({unit})" if unit else field.label
    now = "" if value is None else number_text(float(f"{value:.6g}"), scale_of(field, value))
    return Choice(field.path, label, now)


def _now(design: Evaluated, field: Field) -> float | None:
    """The value that a field has in the design; None where it has none."""
    stated = value_at(design.document.as_dict(), field.path)
    if stated is not MISSING and isinstance(stated, int | float) and not isinstance(stated, bool):
        return float(stated)
    used = design.used.get(field.used)
    return float(used) * field.used_factor if isinstance(used, int | float) else None


def _blank() -> tuple[AxisForm, ...]:
    texts = dict.fromkeys(BOXES, "")
    return tuple(AxisForm(number, texts, {}) for number in range(1, AXES + 1))


def _typed(given: Mapping[str, str]) -> tuple[AxisForm, ...]:
    return tuple(
        AxisForm(number, {box: given.get(f"{box}{number}", "") for box in BOXES}, {})
        for number in range(1, AXES + 1)
    )


STATES = {
    "queued": "Waits",
    "running": "Runs",
    "done": "Done",
    "failed": "Failed",
    "cancelled": "Cancelled",
}


def field_name(path: str) -> str:
    """What a field is called in the studio, else its own name in words."""
    return label_of_field(path)


def value_text(path: str, value: Any) -> str:
    """A value of a field as the studio shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, int | float):
        return str(value)
    known = fields_by_path().get(path)
    if known is not None and known.control == "number":
        if known.percent:
            return percent(value).text
        scale = scale_of(known, value)
        exact = number_text(float(f"{value:.4g}"), scale)
        return f"{exact} {scale.unit}".rstrip()
    unit = unit_of(path.rsplit(".", 1)[-1])
    return number(value) if unit in ("", "1") else f"{number(value)} {unit}"


def field_quantity(path: str) -> Quantity:
    """A field as a chart names it."""
    return Quantity(name=field_name(path), unit=unit_of(path), shown=lambda value: value_text(path, value))


def output_quantity(path: str) -> Quantity:
    """A figure as a chart names it."""
    return Quantity(name=label_at(path), unit=unit_at(path), shown=lambda value: show_at(path, value).text)
