"""Published figures beside ours."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import at
from app.charts.format import Shown, signed_percent
from app.surfaces.pages.labels import label_of, shown


class Comparison(NamedTuple):
    label: str
    path: str
    published: Shown
    ours: Shown
    difference: str
    known: bool
    source: str
    note: str


def comparisons(evaluation: dict[str, Any], published: list[dict[str, Any]]) -> tuple[Comparison, ...]:
    """Each published figure with ours and the difference."""
    return tuple(_comparison(evaluation, figure) for figure in published)


def _comparison(evaluation: dict[str, Any], figure: dict[str, Any]) -> Comparison:
    path = figure["path"]
    theirs, ours = figure["value"], at(evaluation, path)
    return Comparison(
        label=figure.get("label") or label_of(path),
        path=path,
        published=shown(path, theirs),
        ours=shown(path, ours),
        difference=signed_percent(ours / theirs - 1) if ours is not None and theirs else "n/a",
        known=ours is not None,
        source=figure.get("source", ""),
        note=figure.get("note", ""),
    )
