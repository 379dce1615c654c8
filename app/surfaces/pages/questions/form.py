"""The inputs of a question as a form: controls from their declarations, and values from what is typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic.fields import FieldInfo
from starlette.datastructures import QueryParams

from app.catalog.lookup import Catalog
from app.charts.format import UNIT_TEXT
from app.scenarios.errors import InputError
from app.scenarios.fields import Display, Part
from app.surfaces.pages.studio.choices import DESIGN, Choice
from app.surfaces.pages.studio.numbers import SCALES, Scale, number_of, number_text
from app.views.questions.question import Of, Question

MOST_TYPED = 80
"""Characters of a box."""
WORDS = {"training": "Training", "serving": "Serving", "owned": "Owned", "colocation": "Colocation"}
SEPARATORS = re.compile(r"[\s;,]+")
SELECTS = 3
"""Of an input of several parts."""


class Input(NamedTuple):
    """One input. `texts` are what its boxes or selects hold: several of an input of several parts."""

    name: str
    label: str
    help: str
    control: Literal["select", "selects", "number", "numbers"]
    unit: str
    texts: tuple[str, ...]
    choices: tuple[Choice, ...]
    error: str = ""


class Typed(NamedTuple):
    """The inputs as typed, and the values of those that can be read, by name."""

    inputs: tuple[Input, ...]
    values: dict[str, Any]

    def with_errors(self, errors: Sequence[InputError]) -> tuple[Typed, list[str]]:
        """The same with faults beside their inputs, and those that belong to none."""
        beside: dict[str, str] = {}
        rest = []
        names = {one.name for one in self.inputs}
        for error in errors:
            name = re.split(r"[.\[]", error.path)[0]
            if name in names:
                beside.setdefault(name, error.words)
            else:
                rest.append(str(error))
        inputs = tuple(one._replace(error=one.error or beside.get(one.name, "")) for one in self.inputs)
        return self._replace(inputs=inputs), rest

    @property
    def refused(self) -> bool:
        """Return whether any input has a fault."""
        return any(one.error for one in self.inputs)


def typed_inputs(
    question: Question[Any],
    query: QueryParams,
    catalog: Catalog,
    choices: Mapping[str, Sequence[Choice]],
) -> Typed:
    """The inputs of a question with what an address has typed into them, else their defaults."""
    inputs, values = [], {}
    for name, field in question.options.model_fields.items():
        found, value = _input(question.options, name, field, query, catalog, choices)
        inputs.append(found)
        if value is not None and not found.error:
            values[name] = value
    return Typed(tuple(inputs), values)


def _input(
    options: type[Part],
    name: str,
    field: FieldInfo,
    query: QueryParams,
    catalog: Catalog,
    choices: Mapping[str, Sequence[Choice]],
) -> tuple[Input, Any]:
    texts = tuple(text.strip()[:MOST_TYPED] for text in query.getlist(name))
    kind, words, several = _kind_of(field), get_args(field.annotation), get_origin(field.annotation) is tuple
    is_choice = bool(kind) or get_origin(field.annotation) is Literal
    says = "" if is_choice else field.description or ""  # names to choose from need no words
    empty = Input(name, field.title or name, says, "number", "", texts, ())
    if several and kind:
        chosen = tuple(text for text in texts if text) if texts else tuple(field.default)
        offered = _offered(kind, catalog, choices)
        return empty._replace(
            control="selects", texts=(*chosen, *[""] * (SELECTS - len(chosen)))[:SELECTS], choices=offered
        ), list(chosen)
    if several:
        text = texts[0] if texts else ", ".join(f"{one:,}".replace(",", "") for one in field.default)
        sizes = [number_of(word, Scale(1.0, ""), whole=True) for word in SEPARATORS.split(text) if word]
        wrong = next((one for one in sizes if not isinstance(one, int)), None)
        error = "" if wrong is None else f"'{wrong}' is not a whole number. Enter sizes such as 8, 72, 144."
        return empty._replace(control="numbers", texts=(text,), error=error), sizes
    if kind or get_origin(field.annotation) is Literal:
        text = texts[0] if texts and texts[0] else str(field.default)
        offered = (
            _offered(kind, catalog, choices)
            if kind
            else tuple(Choice(word, WORDS[word], "") for word in words)
        )
        return empty._replace(control="select", texts=(text,), choices=offered), text
    return _number(options, empty, field)


def _number(options: type[Part], empty: Input, field: FieldInfo) -> tuple[Input, Any]:
    scale = _scale(field)
    text = empty.texts[0] if empty.texts and empty.texts[0] else number_text(field.default, scale)
    value = number_of(text, scale, whole=isinstance(field.default, int))
    found = empty._replace(texts=(text,), unit=scale.unit)
    schema = options.model_json_schema()["properties"][empty.name]
    low = schema.get("minimum", schema.get("exclusiveMinimum", 0.0))
    high = schema.get("maximum", 1e30)
    within = (
        isinstance(value, int | float)
        and (low <= value if "minimum" in schema else low < value)
        and value <= high
        and (isinstance(value, int) or not isinstance(field.default, int))
    )
    if within:
        return found, value if isinstance(field.default, int) else float(value)
    what = "a whole number" if isinstance(field.default, int) else "a number"
    ends = f"{'above ' if 'minimum' not in schema else ''}{number_text(low, scale)} to {number_text(high, scale)}"
    unit = f" {scale.unit}" if scale.unit else ""
    return found._replace(error=f"Enter {what}, {ends}{unit}; '{text}' is not one."), None


def _kind_of(field: FieldInfo) -> str:
    """The kind of the catalog that a field, or each of its values, is a key of; "" where it is none."""
    inside = [mark for part in get_args(field.annotation) for mark in getattr(part, "__metadata__", ())]
    return next((mark.kind for mark in (*field.metadata, *inside) if isinstance(mark, Of)), "")


def _scale(field: FieldInfo) -> Scale:
    """The unit of a box: that which suits the default, so that it does not change while a person types."""
    unit = next((mark.unit for mark in field.metadata if isinstance(mark, Display)), "")
    scales = SCALES.get(unit)
    if scales is None:
        return Scale(1.0, UNIT_TEXT.get(unit, unit))
    return next((scale for scale in scales if field.default >= scale.factor), scales[-1])


def _offered(kind: str, catalog: Catalog, choices: Mapping[str, Sequence[Choice]]) -> tuple[Choice, ...]:
    if kind == "accelerators":  # those that someone builds a system of
        built = {part.attributes.get("accelerator_key") for part in catalog.parts("systems")}
        parts = [part for part in catalog.parts("accelerators") if part.key in built]
        return tuple(Choice(part.key, part.name, "") for part in parts)
    return tuple(choice for choice in choices[kind] if not choice.key.startswith(DESIGN))
