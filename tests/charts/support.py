"""What a figure draws, and whether it is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import plotly.graph_objects as go

from app.charts.figure import Detail, Figure
from app.charts.vector import plot_svg

TOKENS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"
COLOURS = frozenset(re.findall(r"--([\w-]+):", TOKENS.read_text(encoding="utf-8")))
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
BROKEN = re.compile(r"\b(nan|inf|None)\b(?![^<]*</text>)")
MARKS = ("rect", "path", "circle", "ellipse", "text")
accepted: set[str] = set()
"""Documents that Plotly has taken, whatever their numbers."""


def traces(figure: Figure) -> list[dict[str, Any]]:
    """The traces of a figure that is drawn."""
    assert figure.plot is not None
    found: list[dict[str, Any]] = figure.plot["data"]
    return found


def layout(figure: Figure) -> dict[str, Any]:
    """The layout of a figure that is drawn."""
    assert figure.plot is not None
    found: dict[str, Any] = figure.plot["layout"]
    return found


def notes(figure: Figure) -> list[str]:
    """The words that stand in a drawing."""
    return [note["text"] for note in layout(figure)["annotations"]]


def plain(text: str) -> str:
    """Text with ordinary spaces."""
    return text.replace("\u202f", " ").replace("\u00a0", " ")


def assert_whole(figure: Figure) -> None:
    """Words end as sentences, rows are as wide as their head, and every plot is one that Plotly draws."""
    assert figure.takeaway == "" or figure.takeaway.endswith("."), figure.name
    for columns, rows in ((figure.columns, figure.rows), (figure.legend_columns, figure.legend_rows)):
        assert all(len(row.cells) == len(columns) for row in rows), figure.name
    for plot in [figure.plot, *_plots(figure.details)]:
        if plot is not None:
            assert_drawable(plot)


def assert_drawable(plot: dict[str, Any]) -> None:
    """The document has only properties that Plotly knows, no missing numbers, and colours of the theme."""
    text = json.dumps(plot, allow_nan=False)
    assert set(re.findall(r"var\(--([\w-]+)\)", text)) <= COLOURS
    assert not re.search(r'"#[0-9a-fA-F]{3,8}"', text)
    alike = NUMBER.sub("0", text)
    if alike not in accepted:
        go.Figure(plot)
        assert_vector(plot)
        accepted.add(alike)


def _plots(details: tuple[Detail, ...]) -> Iterator[dict[str, Any] | None]:
    for detail in details:
        yield detail.plot
        yield from _plots(detail.details)


def assert_vector(plot: dict[str, Any]) -> None:
    """The server draws the chart too: something, and every number of it."""
    drawn = plot_svg(plot, 640, label="A chart")
    assert not BROKEN.search(drawn), BROKEN.search(drawn)
    marks = [one for one in ElementTree.fromstring(drawn).iter() if one.tag.endswith(MARKS)]
    assert marks or not any(trace.get("x") or trace.get("node") for trace in plot["data"])
