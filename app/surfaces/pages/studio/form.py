"""Scenario <-> form: every field as text, and the scenario that a filled-in form stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.scenarios.document.ranges import range_at, with_range, without_range
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.reading.messages import point_of
from app.surfaces.pages.studio.choices import DESIGN, Choice
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.fields import KINDS, all_fields, fields_by_path
from app.surfaces.pages.studio.kinds import kind_of, of_kind, with_kind
from app.surfaces.pages.studio.numbers import (
    Scale,
    number_of,
    number_text,
    range_box_text,
    range_of_box,
    scale_of,
)
from app.surfaces.pages.studio.serving_fields import (
    LAYOUT,
    REQUESTS,
    is_of_layout,
    is_of_requests,
    layout_word,
    requests_word,
    with_layout,
    with_requests,
)
from app.surfaces.pages.studio.state import MISSING, value_at, with_value

INLINE = "<written out>"
STATED = "stated"
FIRST_LAYOUTS = {"instance": {"tp": 1}, "split": {"prefill": {"tp": 1}, "decode": {"tp": 1}}}
"""What a layout starts from where none is found by the engine."""
Values = dict[str, Any]
Choices = Mapping[str, tuple[Choice, ...]]


def stated_values(document: ScenarioDocument) -> Values:
    """Inputs of a scenario, without defaults, as plain JSON values."""
    values: Values = document.model_dump(mode="json", exclude_unset=True)
    return values


def field_text(field: Field, values: Values) -> str:
    """Contents of a field as text; "" where the scenario states nothing."""
    value = value_at(values, field.path)
    if field.path == "parallelism":
        return STATED if isinstance(value, dict) else "auto"
    if field.path == LAYOUT:
        return layout_word(value) if isinstance(value, dict) or value in (MISSING, "auto") else ""
    if field.path == REQUESTS:
        return requests_word(value)
    if field.path == "supernode.system":
        design = value_at(values, "supernode.design")
        if isinstance(design, str):
            return f"{DESIGN}{design}"
        if value_at(values, "supernode.custom") is not MISSING:
            return INLINE
    if value is MISSING or value is None:
        return ""
    if isinstance(value, list) and field.control == "text":
        return list_text(value)
    if isinstance(value, dict | list):
        return INLINE
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) and field.control == "number":
        written = range_at(values, field.path)
        scale = scale_of(field, value)
        return range_box_text(written, scale) if written else number_text(value, scale)
    if isinstance(value, int | float):
        return number_text(value, Scale(1.0, ""))
    return str(value)


def list_text(value: list[Any]) -> str:
    """A list of numbers in one box, as lengths are written.

    >>> list_text([8, 16])
    '8 x 16'
    """
    return " x ".join(str(item) for item in value)


def form_of(values: Values) -> dict[str, str]:
    """Every field of the form as text."""
    return {field.path: field_text(field, values) for field in all_fields()}


def filled_in(
    base: Values,
    form: Mapping[str, str],
    shown: Mapping[str, tuple[str, Scale]] | None = None,
    started: Values | None = None,
) -> Values:
    """The scenario of a form that was made from `base`: fields whose text differs are set.

    `shown` is what the form showed, text and unit; what the base states where it is silent. `started` is the
    scenario that the changes count from: another kind of workload is taken from there where it has it.
    """
    values = base
    for path, field in fields_by_path().items():
        text = form.get(path)
        before = (shown or {}).get(path)
        if path == "workload.kind" and text in KINDS and value_at(base, path) in KINDS:
            values = values if text == kind_of(base) else with_kind(base, started or base, text)
            continue
        if text is None or text == (before[0] if before else field_text(field, base)):
            continue
        if path.startswith("parallelism.") and not isinstance(value_at(values, "parallelism"), dict):
            continue  # fields of a layout that is searched for
        if not _has(values, path):
            continue
        stated = value_at(base, path)
        known = stated if isinstance(stated, int | float) else None
        values = set_text(values, field, text, before[1] if before else scale_of(field, known))
    return values


def set_text(values: Values, field: Field, text: str, scale: Scale) -> Values:
    """One field set to what its text stands for; an empty text takes it out. What is no range ends the one there."""
    text = text.strip()
    if field.path == LAYOUT:
        return with_layout(values, text, FIRST_LAYOUTS)
    if field.path == REQUESTS:
        return with_requests(values, text)
    if field.control == "number":
        written = range_of_box(text, scale, whole=field.whole)
        if written:
            point = point_of(written["low"], written.get("typical"), written["high"], whole=field.whole)
            return with_range(with_value(values, field.path, point), field.path, written)
        values = without_range(values, field.path)
    if text == INLINE or (field.path == "parallelism" and text == STATED):
        return values if text == INLINE or isinstance(value_at(values, field.path), dict) else _state(values)
    if not text:
        return with_value(values, field.path, MISSING)
    if field.path == "supernode.system":
        for other in ("supernode.custom", "supernode.design", "supernode.system"):
            values = with_value(values, other, MISSING)
        if text.startswith(DESIGN):
            return with_value(values, "supernode.design", text.removeprefix(DESIGN))
    return with_value(values, field.path, _value(field, text, scale))


def _has(values: Values, path: str) -> bool:
    """Return whether the scenario that is being filled in has the field: its kind or its layout may just have changed."""
    if path.startswith(f"{LAYOUT}."):
        return kind_of(values) == "serving" and is_of_layout(path, values)
    if path.startswith(f"{REQUESTS}."):
        return kind_of(values) == "serving" and is_of_requests(path, values)
    return not path.startswith("workload.") or path == "workload.kind" or of_kind(path, kind_of(values))


def _state(values: Values) -> Values:
    return with_value(values, "parallelism", {"tp": 1})


def _value(field: Field, text: str, scale: Scale) -> Any:
    if field.control == "switch":
        return {"true": True, "false": False}.get(text, text)
    if field.path == "parallelism.zero_stage" and text.isdigit():
        return int(text)
    if field.control == "number" and text not in dict(field.words):
        return number_of(text, scale, whole=field.whole)
    if field.path == "parallelism.recompute" and text not in dict(field.words):
        return number_of(text, Scale(1.0, ""))
    return text
