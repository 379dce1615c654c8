"""Differences between two documents or evaluations, field by field."""

from __future__ import annotations

import re
from typing import Any

from app.engine.quantities import quantity_at
from app.engine.units import unit_of, words_of
from app.saved.documents import canonical
from app.saved.records import Change
from app.scenarios.declared_fields import label_of_field
from app.scenarios.document.ranges import ranged_field

NOT_FIGURES = ("name", "inputs", "given", "problems", "provenance", "intervals", "estimates")
"""Parts of an evaluation or a projection that are not compared: words, inputs and estimates, whose changes are
changes of the document, and intervals, which move with the runs that were measured since and say nothing new of the design."""


ESTIMATE = re.compile(r"estimates\.(.+)\.(of|value|low|high|rule)")
ESTIMATE_PARTS = {
    "of": "estimated",
    "value": "accepted estimate",
    "low": "low end of the estimate",
    "high": "high end of the estimate",
    "rule": "rule of the estimate",
}


def input_changes(before: dict[str, Any], after: dict[str, Any]) -> tuple[Change, ...]:
    """Fields of two saved documents that differ, in the order of the document.

    Documents are compared with their defaults written out: stating a default changes nothing.
    """
    old, new = leaves_of(canonical(before)), leaves_of(canonical(after))
    return tuple(
        Change(
            path=path,
            label=_label_of_input(path, old, new),
            before=old.get(path),
            after=new.get(path),
            unit=unit_of(_named(ranged_field(path)[0] or ESTIMATE.sub(r"\1", path)))
            if _is_number(old.get(path), new.get(path))
            else "",
        )
        for path in dict.fromkeys([*old, *new])
        if not same_value(old.get(path), new.get(path)) and not _is_name_of_estimate(path)
    )


def result_changes(before: dict[str, Any], after: dict[str, Any]) -> tuple[Change, ...]:
    """Figures of two evaluations that differ, and whether the design is feasible; None is unknown."""
    old, new = (leaves_of(_figures(evaluation)) for evaluation in (before, after))
    return tuple(
        _figure_change(path, old.get(path), new.get(path))
        for path in dict.fromkeys([*old, *new])
        if not same_value(old.get(path), new.get(path)) and not _is_text(old.get(path), new.get(path))
    )


def _figures(evaluation: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in evaluation.items() if name not in NOT_FIGURES}


def _figure_change(path: str, before: Any, after: Any) -> Change:
    record = quantity_at(path)
    return Change(
        path=path,
        label=record.label if record else label_of_path(path),
        before=before,
        after=after,
        unit="" if path == "feasible" else record.unit if record else unit_of(path.partition("[")[0]),
    )


def leaves_of(values: Any) -> dict[str, Any]:
    """Every value that is no mapping or list, by its place; what is not stated is left out."""
    found: dict[str, Any] = {}
    pending: list[tuple[str, Any]] = [("", values)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending.extend((f"{path}.{key}".lstrip("."), item) for key, item in reversed(value.items()))
        elif isinstance(value, list | tuple):
            pending.extend((f"{path}[{index}]", value[index]) for index in reversed(range(len(value))))
        elif value is not None:
            found[path] = value
    return found


def same_value(before: Any, after: Any) -> bool:
    # True equals 1 in Python, and is another value here.
    return bool(before == after) and isinstance(before, bool) == isinstance(after, bool)


def _is_number(*values: Any) -> bool:
    return all(
        value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values
    )


def _is_text(*values: Any) -> bool:
    return any(isinstance(value, str) for value in values)


def label_of_path(path: str) -> str:
    """What the last step of a path is called: "Max power"; of a range also whose it is."""
    field, part = ranged_field(path)
    if field:
        return f"{label_of_path(field)}, {part} of its range"
    text = label_of_field(path)
    of_one = re.search(r"(?:^|\.)(\w+)s\[(\d+)\]\.", path)
    if of_one:
        return f"{words_of(of_one[1]).capitalize()} {int(of_one[2]) + 1}, {text[:1].lower()}{text[1:]}"
    return text


def _is_name_of_estimate(path: str) -> bool:
    """The name of what is estimated stands in the labels of its other parts."""
    return bool((found := ESTIMATE.fullmatch(path)) and found[2] == "of")


def _label_of_input(path: str, old: dict[str, Any], new: dict[str, Any]) -> str:
    """As `label_of_path`; of an entry of a list that has one name on both sides, by it: "Europe, round trip"."""
    if estimate := ESTIMATE.fullmatch(path):
        place, part = estimate.groups()
        name = new.get(f"estimates.{place}.of") or old.get(f"estimates.{place}.of") or "An input"
        return f"{name}, {ESTIMATE_PARTS[part]}"
    label, entry = label_of_path(path), re.match(r"(.+s\[\d+\])\.(?!name$)", path)
    if not entry:
        return label
    names = {side.get(f"{entry[1]}.name") for side in (old, new)} - {None}
    return f"{names.pop()}, {label.partition(', ')[2]}" if len(names) == 1 else label


def _named(path: str) -> str:
    """The name that a unit ends, which stands before the place in a list of numbers.

    >>> _named("demand.regions[0].round_trip_s"), _named("swept_w[2]")
    ('demand.regions[0].round_trip_s', 'swept_w')
    """
    return path if "." in path.rpartition("]")[2] else path.partition("[")[0]
