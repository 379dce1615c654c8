"""The rows of the form, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.engine.trace import Origin
from app.scenarios.declared_fields import declared_field
from app.scenarios.document.ranges import range_at
from app.surfaces.pages.designs import Evaluated
from app.surfaces.pages.explain_page import MARKS
from app.surfaces.pages.studio.choices import DESIGN, Choice
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.fields import BASIC
from app.surfaces.pages.studio.form import INLINE, Choices, Values, field_text, list_text
from app.surfaces.pages.studio.numbers import Scale, number_text, range_box_text, scale_of
from app.surfaces.pages.studio.serving_fields import LAYOUT, REQUESTS
from app.surfaces.pages.studio.state import MISSING, value_at

LOG_STEPS = 1000


class Slider(NamedTuple):
    """A range control; `low` and `high` are values, `position` and `most` its own numbers."""

    low: float
    high: float
    snap: str
    least: float
    most: float
    step: float
    position: float
    share: float  # of the track that is filled


RANGE = "figures are of its typical value, or of the middle of its ends; Uncertainty samples the range"


class Source(NamedTuple):
    mark: str
    kind: str  # in words
    text: str
    catalog: str  # "accelerators/nvidia_h100_sxm"


def source_of(
    field: Field, stated: bool, changed: bool, origins: Mapping[str, Origin], *, ranged: bool = False
) -> Source:
    """The source of one field."""
    if ranged:
        mark = "scenario by-you" if changed else "scenario"
        return Source(mark, "Range by you" if changed else "Range in the scenario", RANGE, "")
    if stated and field.control != "choice":
        return _set(changed)
    origin = origins.get(field.origin or field.used)
    if origin is None or (origin.kind == "scenario" and not stated):
        return Source(
            "assumption", "Default assumption", "The scenario does not say; this is the default.", ""
        )
    if origin.kind == "scenario":
        return _set(changed)
    words = [origin.label, origin.source, f"printed as {origin.printed}" if origin.printed else ""]
    text = ": ".join(word for word in words[:2] if word)
    text += f" ({words[2]})" if words[2] else ""
    dated = f"{text}, {origin.date}" if origin.date else text
    return Source(
        origin.kind,
        MARKS.get(origin.kind, origin.kind),
        f"{dated}. {origin.own}" if origin.own else dated,
        origin.catalog,
    )


def _set(changed: bool) -> Source:
    mark = "scenario by-you" if changed else "scenario"
    return Source(mark, "Set by you" if changed else "Set in the scenario", "", "")


class Row(NamedTuple):
    field: Field
    id: str
    text: str
    scale: Scale
    slider: Slider | None
    source: Source
    stated: bool
    changed: bool
    was: str
    error: str
    selected: str
    name: str  # of the selected part
    spec: str
    basic: bool


class Form(NamedTuple):
    """What rows are made from: the scenario as it is typed, and the one it started as."""

    values: Values
    base: Values
    now: Evaluated
    before: Evaluated
    choices: Choices
    errors: Mapping[str, str]


def row(field: Field, form: Form) -> Row:
    """One field as it is shown."""
    stated = _states(field, form.values)
    value = _shown_value(field, form.values, form.now)
    scale = scale_of(field, value if isinstance(value, int | float) else None)
    changed = _is_changed(field, form)
    selected, name, spec = _selection(field, form)
    text = _text(field, value, scale, form.values)
    return Row(
        field=field,
        id="field-" + field.path.replace(".", "-").replace("_", "-"),
        text=text,
        scale=scale,
        slider=_slider(field, value) if field.slider else None,
        source=source_of(
            field, stated, changed, form.now.origins, ranged=_range(field, form.values) is not None
        ),
        stated=stated,
        changed=changed,
        was=_was(field, form, scale) if changed else "",
        error=form.errors.get(field.path, ""),
        selected=selected,
        name=name,
        spec=spec,
        basic=field.path in BASIC,
    )


def _is_changed(field: Field, form: Form) -> bool:
    """Return whether what is stated differs; of a part that a saved design gives, whether the value does."""
    sides = ((form.values, form.now), (form.base, form.before))
    if _range(field, form.values) != _range(field, form.base):
        return True
    one, other = (_shown_value(field, values, evaluated, stated_only=True) for values, evaluated in sides)
    if one == other or not any(_given_by_design(field, values) for values, _ in sides):
        return bool(one != other)
    texts = []
    for values, evaluated in sides:
        value = _shown_value(field, values, evaluated)
        texts.append(
            _text(field, value, scale_of(field, value if isinstance(value, int | float) else None), values)
        )
    return texts[0] != texts[1]


def _given_by_design(field: Field, values: Values) -> bool:
    """Return whether a saved design gives the value of a field that the scenario does not state."""
    part = field.path.split(".")[0]
    named = value_at(values, f"{part}.design") not in (MISSING, None)
    return named and field.path not in ("supernode.system", "pod.design") and not _states(field, values)


def _left_out(field: Field, values: Values) -> bool:
    """Return whether leaving out the whole part of a field has a meaning of its own, such as no heat
    reuse."""
    return bool(field.empty) and value_at(values, field.path.rpartition(".")[0]) in (MISSING, None)


def _range(field: Field, values: Values) -> dict[str, Any] | None:
    """The range that stands in place of a number; one of a field that is not stated is told elsewhere."""
    return range_at(values, field.path) if field.control == "number" and _states(field, values) else None


def default_of(field: Field) -> Any:
    """What the document takes when a field is not stated."""
    default = declared_field(field.path).default
    return default if isinstance(default, str | int | float) else None


def _states(field: Field, values: Values) -> bool:
    if field.path == "supernode.system":
        return True
    if field.path == "parallelism":
        return value_at(values, "parallelism") is not MISSING
    return value_at(values, field.path) not in (MISSING, None)


def _shown_value(field: Field, values: Values, evaluated: Evaluated, *, stated_only: bool = False) -> Any:
    """Contents of the field: as stated, else the default, else what the design uses."""
    value = value_at(values, field.path)
    if field.path == "supernode.system" and value is MISSING:
        return field_text(field, values)
    if field.path in ("parallelism", LAYOUT, REQUESTS):
        return field_text(field, values)
    if value is not MISSING and value is not None:
        return value
    default = None if _given_by_design(field, values) or _left_out(field, values) else default_of(field)
    if default is not None or stated_only:
        return default
    used = evaluated.used.get(field.used)
    return used * field.used_factor if isinstance(used, float) else used or None


def _text(field: Field, value: Any, scale: Scale, values: Values) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        written = _range(field, values)
        if written:
            return range_box_text(written, scale)
        shown = value if value_at(values, field.path) is not MISSING else float(f"{value:.4g}")
        return number_text(shown, scale if field.control == "number" else Scale(1.0, ""))
    if isinstance(value, list) and field.control == "text":
        return list_text(value)
    return INLINE if isinstance(value, dict | list) else str(value)


def _was(field: Field, form: Form, scale: Scale) -> str:
    before = _shown_value(field, form.base, form.before)
    if field.control == "choice":
        return _selected_choice(field, form.base, form.choices)[1]
    words = dict(field.words)
    if before is None:
        return "not set"
    if isinstance(before, bool | str):
        text = str(before).lower() if isinstance(before, bool) else before
        return words.get(text, text)
    if isinstance(before, list) and field.control == "text":
        return list_text(before)
    if not isinstance(before, int | float):
        return "written out"
    if field.control != "number":
        return number_text(before, Scale(1.0, ""))
    own = scale_of(field, before)
    unit = f" {own.unit}" if own.unit and own != scale else ""
    if written := _range(field, form.base):
        return f"{range_box_text(written, own)}{unit}"
    return f"{number_text(float(f'{before:.6g}'), own)}{unit}"


def _selection(field: Field, form: Form) -> tuple[str, str, str]:
    if field.control != "choice":
        return "", "", ""
    return _selected_choice(field, form.values, form.choices)


def _selected_choice(field: Field, values: Values, choices: Choices) -> tuple[str, str, str]:
    text = field_text(field, values)
    if text == INLINE:
        inner = value_at(values, "supernode.custom" if field.path == "supernode.system" else field.path)
        name = inner.get("name", "") if isinstance(inner, dict) else ""
        return INLINE, str(name) or "Written out", "Written out in the scenario; edit it as YAML below."
    text = text or str(default_of(field) or "")
    if text in dict(field.words):
        return text, dict(field.words)[text], ""
    found = next((choice for choice in choices.get(field.catalog, ()) if choice.key == text), None)
    if found is None and (text.startswith(DESIGN) or (field.path == "pod.design" and text)):
        return text, "A design that is not there", "It was deleted, or is not yours to see. Choose another."
    found = found or Choice(text, text, "")
    return found.key, found.name, found.spec


def _slider(field: Field, value: Any) -> Slider:
    assert field.slider is not None
    low, high = field.slider
    rest = low if field.rest is None else field.rest
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else rest
    held = min(max(number, low), high)
    if field.snap == "step":
        least, most, step, position = low, high, field.step, held
    elif field.snap == "power":
        least, most, step = 0.0, math.ceil(math.log2(high / low)), 1.0
        position = math.log2(held / low)
    else:
        least, most, step = 0.0, float(LOG_STEPS), 1.0
        position = LOG_STEPS * math.log(held / low) / math.log(high / low)
    share = (position - least) / (most - least)
    return Slider(low, high, field.snap, least, most, step, round(position, 4), round(100 * share, 2))
