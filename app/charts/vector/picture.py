"""A Plotly document as SVG: the forms of app/charts/forms, drawn as pages draw them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.charts.slide import FACE, space
from app.charts.vector.areas import colour_bar, colour_bar_width, heat_map, sankey
from app.charts.vector.axes import Axis, read_axis
from app.charts.vector.marks import Bars, scatter
from app.charts.vector.words import document, opacity, path, rect, text, widest

AXIS = re.compile(r"([xy])axis(\d*)$")
PAIR = re.compile(r"(-?\d+(?:\.\d+)?(?:e-?\d+)?),(-?\d+(?:\.\d+)?(?:e-?\d+)?)")
LEAST_MARGIN = 2.0
Trace = dict[str, Any]


def plot_svg(plot: dict[str, Any], width: float, *, label: str, name: str = "plot", height: float = 0) -> str:
    """A chart as an element of a page; its colours are put in before (`app.views.colours.in_colours`).

    Parameters
    ----------
    label : what it shows, for those who do not see it
    name : one of its own for every chart of a page
    height : in place of that of the chart
    """
    layout, traces = plot["layout"], plot["data"]
    high = float(height or layout["height"])
    if "scene" in layout:
        return document(space(traces, layout["scene"], (0.0, 0.0, width, high)), width, high, label, FACE)
    return document(_Picture(traces, layout, width, high, name).drawn(), width, high, label, FACE)


class _Picture:
    """One chart being drawn."""

    def __init__(
        self, traces: Sequence[Trace], layout: dict[str, Any], width: float, height: float, name: str
    ) -> None:
        self.traces, self.layout, self.name = traces, layout, name
        self.bars = Bars(traces, layout)
        self.spans = {at: self.bars.extent(one) for at, one in enumerate(traces) if one["type"] == "bar"}
        self.axes = self._read_axes()
        self.width, self.height = width, height
        self.box = self._box()
        self.axes = {name: self._placed(axis) for name, axis in self.axes.items()}
        self._square()

    def drawn(self) -> list[str]:
        left, top, right, foot = self.box
        clip = f"{self.name}-area"
        area = rect(left, top, right - left, foot - top, "none")
        found = [f'<clipPath id="{clip}">{area}</clipPath>']
        flows = [one for one in self.traces if one["type"] == "sankey"]
        if flows:
            return sankey(flows[0], left, top, right - left, foot - top) + self._notes()
        for axis in self.axes.values():
            found += axis.grid(self._other(axis))
        shapes = self.layout.get("shapes") or ()
        found += [self._shape(one) for one in shapes if one.get("layer") == "below"]
        found += self._traces(f' clip-path="url(#{clip})"')
        found += [self._shape(one) for one in shapes if one.get("layer") != "below"]
        for axis in self.axes.values():
            found += axis.labels(self._edge(axis))
        return found + self._notes()

    def _traces(self, clip: str) -> list[str]:
        found: list[str] = []
        before: list[tuple[float, float]] = []
        for at, trace in enumerate(self.traces):
            x, y = (self.axes[trace.get(f"{side}axis", side)] for side in "xy")
            if trace["type"] == "bar":
                found += self.bars.draw(trace, x, y, self.spans[at], "")
            elif trace["type"] == "heatmap":
                found += [f"<g{clip}>", *heat_map(trace, x, y), "</g>"]
                if colour_bar_width(trace):
                    found += colour_bar(trace, self.box[2], self.box[1], self.box[3])
            elif trace.get("visible") is not False:
                drawn, before = scatter(trace, x, y, before, clip)
                found += drawn
        return found

    # Axes and the room that they leave

    def _read_axes(self) -> dict[str, Axis]:
        looks = {f"{m[1]}{m[2]}": look for key, look in self.layout.items() if (m := AXIS.match(key))}
        if any(one["type"] not in ("sankey",) for one in self.traces):
            looks = {"x": {}, "y": {}} | looks
        found = {}
        for name, look in looks.items():
            side = name[0]
            values: list[Any] = []
            ends: list[float] = []
            beside = False
            for at, trace in enumerate(self.traces):
                if trace.get(f"{side}axis", side) != name or trace["type"] == "sankey":
                    continue
                is_along = trace["type"] == "bar" and (trace.get("orientation") == "h") == (side == "x")
                if is_along:
                    ends += [end for span in self.spans[at] for end in span]
                    continue
                beside = beside or trace["type"] in ("bar", "heatmap")
                given = trace.get(side)
                if given is None and trace["type"] == "heatmap":
                    given = range(len(trace["z"][0] if side == "x" else trace["z"]))
                values += list(given or ())
            found[name] = read_axis(name, look, values, ends, beside)
        return found

    def _box(self) -> tuple[float, float, float, float]:
        """Edges of the area of the chart: left, top, right and foot."""
        margin = self.layout.get("margin", {})
        sides = {side: max(float(margin.get(side, 8)), LEAST_MARGIN) for side in "ltrb"}
        for axis in self.axes.values():
            if axis.look.get("automargin") or axis.is_seen:
                side = ("t" if axis.is_far else "b") if axis.is_x else ("r" if axis.is_far else "l")
                sides[side] = max(sides[side], axis.thickness() + LEAST_MARGIN)
        sides["r"] = max(
            sides["r"], *(colour_bar_width(one) + LEAST_MARGIN for one in self.traces), self._over_right()
        )
        return sides["l"], sides["t"], self.width - sides["r"], self.height - sides["b"]

    def _over_right(self) -> float:
        """Half of the last label of an axis across, which reaches beyond the chart."""
        found = 0.0
        for axis in self.axes.values():
            if axis.is_x and axis.is_seen and (ticks := axis.ticks()):
                share = (ticks[-1][0] - axis.low) / (axis.high - axis.low)
                if share > 0.97:
                    found = max(found, widest(ticks[-1][1], axis.size) / 2 + LEAST_MARGIN)
        return found

    def _placed(self, axis: Axis) -> Axis:
        left, top, right, foot = self.box
        a, b = axis.look.get("domain") or (0.0, 1.0)
        if axis.is_x:
            return axis.between(left + a * (right - left), left + b * (right - left))
        return axis.between(foot - a * (foot - top), foot - b * (foot - top))

    def _square(self) -> None:
        """Axes that share a scale: the roomier one shows more."""
        for name, axis in list(self.axes.items()):
            other = self.axes.get(axis.look.get("scaleanchor", ""))
            if other is None:
                continue
            mine = abs((axis.end - axis.start) / (axis.high - axis.low)) / axis.look.get("scaleratio", 1)
            theirs = abs((other.end - other.start) / (other.high - other.low))
            if mine > theirs:
                self.axes[name] = _wider(axis, mine / theirs)
            else:
                self.axes[other.name] = _wider(other, theirs / mine)

    def _other(self, axis: Axis) -> Axis:
        """The axis that one stands across."""
        named = axis.look.get("anchor", "")
        default = "y" if axis.is_x else "x"
        return self.axes.get(named) or self.axes.get(default + axis.name[1:]) or self.axes[default]

    def _edge(self, axis: Axis) -> float:
        other = self._other(axis)
        low, high = sorted((other.start, other.end))
        return (low if axis.is_far else high) if axis.is_x else (high if axis.is_far else low)

    # Shapes and notes

    def _at(self, ref: str, value: Any, side: str, *, counted: bool = False) -> float:
        """Pixels of a place of a shape or a note; `counted` as the axis counts."""
        left, top, right, foot = self.box
        if ref == "paper":
            return float(left + value * (right - left) if side == "x" else foot - value * (foot - top))
        if ref.endswith(" domain"):
            axis = self.axes[ref.removesuffix(" domain")]
            return float(axis.start + value * (axis.end - axis.start))
        axis = self.axes[ref or side]
        return axis.place(float(value)) if counted and not isinstance(value, str) else axis.at(value)

    def _shape(self, shape: Trace) -> str:
        x, y = shape.get("xref", "x"), shape.get("yref", "y")
        stroke = shape.get("line", {})
        colour, width, dash = stroke.get("color", ""), float(stroke.get("width", 1)), stroke.get("dash", "")
        fill = shape.get("fillcolor", "none")
        fill = "none" if fill.startswith("rgba(0,0,0,0") else fill
        faded = opacity(shape.get("opacity"))
        if shape["type"] == "path":
            moved = PAIR.sub(
                lambda pair: f"{self._at(x, float(pair[1]), 'x'):.1f},{self._at(y, float(pair[2]), 'y'):.1f}",
                shape["path"],
            )
            return path(moved, colour, width, fill, dash, faded)
        x0, x1 = (self._at(x, shape[name], "x") for name in ("x0", "x1"))
        y0, y1 = (self._at(y, shape[name], "y") for name in ("y0", "y1"))
        if shape["type"] == "line":
            return path(f"M{x0:.1f},{y0:.1f} L{x1:.1f},{y1:.1f}", colour, width, dash=dash, more=faded)
        if shape["type"] == "circle":
            return (
                f'<ellipse cx="{(x0 + x1) / 2:.1f}" cy="{(y0 + y1) / 2:.1f}" rx="{abs(x1 - x0) / 2:.1f}" '
                f'ry="{abs(y1 - y0) / 2:.1f}" fill="{fill}" stroke="{colour or "none"}" stroke-width="{width:g}"{faded}/>'
            )
        return rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0), fill, colour, width, faded)

    def _notes(self) -> list[str]:
        return [line for one in self.layout.get("annotations") or () for line in self._note(one)]

    def _note(self, note: Trace) -> list[str]:
        if note.get("visible") is False:
            return []
        xref, yref = note.get("xref", "x"), note.get("yref", "y")
        x, y = self._at(xref, note["x"], "x", counted=True), self._at(yref, note["y"], "y", counted=True)
        if not (math.isfinite(x) and math.isfinite(y)):
            return []
        font = note.get("font", {})
        colour, size = font.get("color", "#000"), float(font.get("size", 12))
        found = []
        x, y = x + note.get("xshift", 0), y - note.get("yshift", 0)
        if note.get("showarrow", True):
            tail_x, tail_y = x + note.get("ax", 0), y + note.get("ay", -30)
            found.append(
                path(
                    f"M{tail_x:.1f},{tail_y:.1f} L{x:.1f},{y:.1f}",
                    note.get("arrowcolor", colour),
                    note.get("arrowwidth", 1),
                )
            )
            x, y = tail_x, tail_y
        across = _side(note.get("xanchor", "auto"), note["x"], xref, ("left", "center", "right"))
        down = _side(note.get("yanchor", "auto"), note["y"], yref, ("bottom", "middle", "top"))
        anchor = {"left": "start", "center": "middle", "right": "end"}[across]
        wide = widest(note["text"], size)
        begin = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        if not note.get("textangle"):  # the widths are estimates from above: kept inside the picture
            over = min(max(begin + wide - self.width, 0.0), max(begin, 0.0))
            x -= over
        return found + text(note["text"], x, y, size=size, colour=colour, across=anchor, down=down,
                            turned=float(note.get("textangle") or 0), ground=note.get("bgcolor", ""))  # fmt: skip


def _side(stated: str, value: Any, ref: str, sides: tuple[str, str, str]) -> str:
    """The side of a text that is at its place: of one on the paper, the nearest edge's."""
    if stated != "auto":
        return stated
    if ref != "paper" or isinstance(value, str):
        return sides[1]
    return sides[0] if value < 1 / 3 else sides[2] if value > 2 / 3 else sides[1]


def _wider(axis: Axis, factor: float) -> Axis:
    middle, half = (axis.low + axis.high) / 2, (axis.high - axis.low) / 2 * factor
    return replace(axis, low=middle - half, high=middle + half)
