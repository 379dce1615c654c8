"""Published figures beside ours."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import Shown, show_at, signed_percent
from app.engine.quantities import label_at


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
    theirs, ours = figure["value"], get_path(evaluation, path)
    return Comparison(
        label=figure.get("label") or label_at(path),
        path=path,
        published=show_at(path, theirs),
        ours=show_at(path, ours),
        difference=signed_percent(ours / theirs - 1) if ours is not None and theirs else "n/a",
        known=ours is not None,
        source=figure.get("source", ""),
        note=figure.get("note", ""),
    )
