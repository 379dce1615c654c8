"""The form of a fleet: text that was typed, the document that it means, and faults next to their inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from app.scenarios.errors import InputError
from app.surfaces.pages.fleet.boxes import CHECKED, GROUPS, ROWS, Box, Group, Rows, help_of

Typed = dict[str, str]
"""Text by the name of its input: `classes.0.sizes`, `rented.accelerators`, `policies.easy`; `rows.classes`
counts rows."""
Choices = Sequence[tuple[str, Sequence[tuple[str, str]]]]


class Input(NamedTuple):
    """An input with what is in it."""

    id: str
    box: Box
    text: str
    help: str
    default: str
    error: str
    choices: Choices
    """Of a select, by the headings that they are below; empty for other kinds."""


class Row(NamedTuple):
    """A row of a list: its own inputs, and those that most fleets leave as they are."""

    number: int
    title: str
    inputs: tuple[Input, ...]
    further: tuple[Input, ...]

    @property
    def is_open(self) -> bool:
        """Whether something further is stated or wrong."""
        return any(one.error for one in self.further)


class Section(NamedTuple):
    """A list of rows, or the inputs of a group as its only row."""

    key: str
    title: str
    one: str
    rows: tuple[Row, ...]
    may_add: bool
    error: str


class Checks(NamedTuple):
    key: str
    title: str
    options: tuple[tuple[str, str, bool], ...]
    error: str


class Form(NamedTuple):
    """All that the page shows of the form."""

    sections: dict[str, Section]
    checks: tuple[Checks, ...]
    faults: tuple[str, ...]
    """Those that belong to no input."""


def typed_of(values: Mapping[str, Any]) -> Typed:
    """The text of every input of a document as it was written."""
    typed: Typed = {}
    for rows in ROWS:
        parts = values.get(rows.name) or ()
        typed[f"rows.{rows.name}"] = str(len(parts))
        for place, part in enumerate(parts):
            for box in rows.boxes:
                _put(typed, f"{rows.name}.{place}.{box.name}", part, box, rows)
    for group in GROUPS:
        part = values.get(group.prefix) if group.prefix else values
        for box in group.boxes:
            _put(typed, _name(group, box), part if isinstance(part, Mapping) else {}, box, group)
    for key, _, options in CHECKED:
        chosen = values.get(key, ("fifo", "easy", "preemption") if key == "policies" else ())
        typed |= {f"{key}.{word}": "on" for word, _ in options if word in (chosen or ())}
    return typed


def values_of(typed: Mapping[str, str]) -> dict[str, Any]:
    """The document that was typed; what is no number stays text, for the document to refuse at its field."""
    found: dict[str, Any] = {}
    for group in GROUPS:
        part: dict[str, Any] = {}
        for box in group.boxes:
            _take(part, box, typed.get(_name(group, box), ""))
        if group.prefix and part:
            found[group.prefix] = part
        elif not group.prefix:
            found |= part
    for rows in ROWS:
        parts = []
        for place in range(count_of(typed, rows)):
            part = {}
            for box in rows.boxes:
                _take(part, box, typed.get(f"{rows.name}.{place}.{box.name}", ""))
            parts.append(part)
        if parts:
            found[rows.name] = parts
    for key, _, options in CHECKED:
        found[key] = [word for word, _ in options if typed.get(f"{key}.{word}")]
    return found


def count_of(typed: Mapping[str, str], rows: Rows) -> int:
    """How many rows a list has."""
    text = typed.get(f"rows.{rows.name}", "0")
    return min(int(text), rows.most) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def with_row(typed: Typed, name: str) -> Typed:
    """One more row in a list."""
    rows = next(one for one in ROWS if one.name == name)
    count = count_of(typed, rows)
    if count >= rows.most:
        return typed
    new = {
        f"{name}.{count}.{box.name}": "on" for box in rows.boxes if box.kind == "check" and _is_on(rows, box)
    }
    return {**typed, **new, f"rows.{name}": str(count + 1)}


def without_row(typed: Typed, name: str, place: int) -> Typed:
    """The rows of a list without one; those after it move up."""
    rows = next(one for one in ROWS if one.name == name)
    count = count_of(typed, rows)
    kept: Typed = {}
    for field, text in typed.items():
        found = re.fullmatch(rf"{name}\.(\d+)\.(.+)", field)
        if found is None:
            kept[field] = text
        elif int(found[1]) != place:
            kept[f"{name}.{int(found[1]) - (int(found[1]) > place)}.{found[2]}"] = text
    return {**kept, f"rows.{name}": str(max(count - 1, 0))}


def form_of(typed: Mapping[str, str], faults: Iterable[InputError], designs: Choices) -> Form:
    """The form with what was typed, and faults at their inputs; the others above it."""
    names = {
        *(f"{rows.name}.{place}.{box.name}" for rows in ROWS for place in range(count_of(typed, rows)) for box in rows.boxes),
        *(_name(group, box) for group in GROUPS for box in group.boxes),
        *(rows.name for rows in ROWS), *(key for key, _, _ in CHECKED),
    }  # fmt: skip
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        place = _place(fault.path, names)
        if place:
            errors.setdefault(place, f"{fault.message} {fault.hint}".strip())
        else:
            above.append(str(fault))

    def inputs(prefix: str, part: Rows | Group, boxes: Iterable[Box]) -> tuple[Input, ...]:
        return tuple(_input(prefix, part, box, typed, errors, designs) for box in boxes)

    sections = {}
    for rows in ROWS:
        count = count_of(typed, rows)
        sections[rows.name] = Section(
            rows.name, rows.title, rows.one,
            tuple(
                Row(
                    place, typed.get(f"{rows.name}.{place}.name", ""),
                    inputs(f"{rows.name}.{place}.", rows, [box for box in rows.boxes if not box.further]),
                    inputs(f"{rows.name}.{place}.", rows, [box for box in rows.boxes if box.further]),
                )
                for place in range(count)
            ),
            count < rows.most, errors.get(rows.name, ""),
        )  # fmt: skip
    for group in GROUPS:
        key = group.prefix or group.title.split(",")[0].lower()
        row = Row(0, "", inputs(f"{group.prefix}." if group.prefix else "", group, group.boxes), ())
        sections[key] = Section(key, group.title, "", (row,), False, "")
    checks = tuple(
        Checks(key, title, tuple((word, label, bool(typed.get(f"{key}.{word}"))) for word, label in options), errors.get(key, ""))
        for key, title, options in CHECKED
    )  # fmt: skip
    return Form(sections, checks, tuple(above))


def _input(
    prefix: str, part: Rows | Group, box: Box, typed: Mapping[str, str], errors: Mapping[str, str], designs: Choices
) -> Input:  # fmt: skip
    name = prefix + box.name
    words, default = help_of(part.part, box.name)
    choices: Choices = designs if box.kind == "design" else ()
    if box.kind == "choice":
        choices = (("", box.choices),)
    return Input(name, box, typed.get(name, ""), words, default, errors.get(name, ""), choices)


def _place(path: str, names: set[str]) -> str:
    """The input that a field of the document belongs to: itself, or the nearest above it; "" where there is
    none."""
    place = re.sub(r"\[(\d+)\]", r".\1", path)
    while place and place not in names:
        place = place.rpartition(".")[0]
    return place


def _name(group: Group, box: Box) -> str:
    return f"{group.prefix}.{box.name}" if group.prefix else box.name


def _put(typed: Typed, name: str, part: Mapping[str, Any], box: Box, of: Rows | Group) -> None:
    value: Any = part
    for step in box.name.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    if box.kind == "check":
        if _is_on(of, box) if value is None else value:
            typed[name] = "on"
    elif isinstance(value, list | tuple):
        typed[name] = ", ".join(_text(one) for one in value)
    elif value is not None:
        typed[name] = _text(value)


def _take(part: dict[str, Any], box: Box, text: str) -> None:
    """Put what was typed into its part; what is empty is left out."""
    text = text.strip()
    if box.kind == "check":
        part[box.name] = bool(text)
        return
    if not text:
        return
    value: Any = text
    if box.kind == "number" or (box.choices and text.isdigit()):
        value = _number(text)
    elif box.kind == "numbers":
        value = [_number(one) for one in re.split(r"[,;\s]+", text) if one]
    *above, last = box.name.split(".")
    for step in above:
        part = part.setdefault(step, {})
    part[last] = value


def _is_on(of: Rows | Group, box: Box) -> bool:
    return bool(of.part.model_fields[box.name].default)


def _number(text: str) -> int | float | str:
    """A number with or without thousands separators; text that is none stays as it is."""
    plain = re.sub(r"(?<=\d),(?=\d{3}(\D|$))", "", text)
    try:
        return int(plain)
    except ValueError:
        pass
    try:
        return float(plain)
    except ValueError:
        return text


def _text(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)
