"""Lines, points and bars of a drawn chart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

from app.charts.vector.axes import Axis
from app.charts.vector.words import LINE, opacity, path, rect, text, through, widest

Trace = dict[str, Any]
CLEAR = "rgba(0,0,0,0"
CORNERS = {
    "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "triangle-up": ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    "triangle-down": ((0, 1.1), (1.1, -0.9), (-1.1, -0.9)),
    "triangle-right": ((1.1, 0), (-0.9, 1.1), (-0.9, -1.1)),
    "triangle-left": ((-1.1, 0), (0.9, 1.1), (0.9, -1.1)),
}
CROSSES = {"x": ((-1, -1, 1, 1), (-1, 1, 1, -1)), "cross": ((-1, 0, 1, 0), (0, -1, 0, 1))}
BESIDE = 4.0
"""Pixels between a point and its text, on top of the size of the point."""
BAR_TEXT = 6.0
DEFAULT_GAP = 0.2


def one_of(value: Any, place: int) -> Any:
    """The entry of a list, or the value that all have."""
    if isinstance(value, list | tuple):
        return value[place] if place < len(value) else None
    return value


def scatter(
    trace: Trace, x: Axis, y: Axis, before: Sequence[tuple[float, float]], clip: str
) -> tuple[list[str], list[tuple[float, float]]]:
    """Lines, points and text of a trace, and the points of its line, which the next may fill up to."""
    mode = trace.get("mode", "lines")
    points = [(x.at(a), y.at(b)) for a, b in zip(trace.get("x", ()), trace.get("y", ()), strict=False)]
    found: list[str] = []
    kept = "" if trace.get("cliponaxis") is False else clip
    if "lines" in mode:
        found += _lines(trace, points, before, y)
    found += _error_bars(trace, points, x, y)
    if "markers" in mode:
        found += _points(trace, points)
    faded = opacity(trace.get("opacity"))
    if found and (faded or kept):
        found = [f"<g{faded}{kept}>", *found, "</g>"]
    if "text" in mode:
        found += _texts(trace, points)
    return found, [one for one in points if _is_known(one)]


def _is_known(point: tuple[float, float]) -> bool:
    return math.isfinite(point[0]) and math.isfinite(point[1])


def _runs(points: Sequence[tuple[float, float]], joins: bool) -> Iterable[list[tuple[float, float]]]:
    """Points that follow each other without a gap."""
    if joins:
        yield [one for one in points if _is_known(one)]
        return
    for known, run in itertools.groupby(points, key=_is_known):
        if known:
            yield list(run)


def _lines(
    trace: Trace, points: Sequence[tuple[float, float]], before: Sequence[tuple[float, float]], y: Axis
) -> list[str]:
    stroke = trace.get("line", {})
    found = []
    for run in _runs(points, bool(trace.get("connectgaps"))):
        if len(run) < 2:
            continue
        stepped = _stepped(run, stroke.get("shape", "linear"))
        filled = trace.get("fill", "none")
        if filled != "none":
            found.append(path(_area(stepped, filled, before, y), fill=trace.get("fillcolor", "none")))
        found.append(
            path(through(stepped), stroke.get("color", ""), stroke.get("width", 2), dash=stroke.get("dash", ""),
                 more=' stroke-linejoin="round"')
        )  # fmt: skip
    return found


def _stepped(run: list[tuple[float, float]], shape: str) -> list[tuple[float, float]]:
    if shape not in ("hv", "vh", "hvh"):
        return run
    found = [run[0]]
    for (x0, y0), (x1, y1) in itertools.pairwise(run):
        middle = (x0 + x1) / 2
        corners = {"hv": [(x1, y0)], "vh": [(x0, y1)], "hvh": [(middle, y0), (middle, y1)]}[shape]
        found += [*corners, (x1, y1)]
    return found


def _area(run: list[tuple[float, float]], filled: str, before: Sequence[tuple[float, float]], y: Axis) -> str:
    if filled == "toself":
        return through(run) + " Z"
    if filled == "tonexty" and before:
        return through([*run, *reversed(before)]) + " Z"
    base = y.place(max(min(y.low, y.high), min(0.0, max(y.low, y.high)))) if y.kind != "log" else y.start
    return through([*run, (run[-1][0], base), (run[0][0], base)]) + " Z"


def _error_bars(trace: Trace, points: Sequence[tuple[float, float]], x: Axis, y: Axis) -> list[str]:
    found = []
    for name, axis, values in (("error_x", x, trace.get("x", ())), ("error_y", y, trace.get("y", ()))):
        bar = trace.get(name)
        if not bar or bar.get("visible") is False:
            continue
        cap = float(bar.get("width", 3))
        for place, ((px, py), value) in enumerate(zip(points, values, strict=False)):
            above = one_of(bar.get("array"), place) or 0
            below = (
                above
                if bar.get("symmetric", True) and "arrayminus" not in bar
                else one_of(bar.get("arrayminus"), place) or 0
            )
            if isinstance(value, str) or not _is_known((px, py)) or not (above or below):
                continue
            a, b = axis.at(value - below), axis.at(value + above)
            moves = (
                f"M{a:.1f},{py:.1f} H{b:.1f} M{a:.1f},{py - cap:.1f} v{2 * cap:g} M{b:.1f},{py - cap:.1f} v{2 * cap:g}"
                if axis.is_x
                else f"M{px:.1f},{a:.1f} V{b:.1f} M{px - cap:.1f},{a:.1f} h{2 * cap:g} M{px - cap:.1f},{b:.1f} h{2 * cap:g}"
            )
            found.append(path(moves, bar.get("color", "#000"), bar.get("thickness", 1)))
    return found


def _points(trace: Trace, points: Sequence[tuple[float, float]]) -> list[str]:
    marker = trace.get("marker", {})
    chosen = set(trace.get("selectedpoints") or ())
    found = []
    for place, point in enumerate(points):
        colour = one_of(marker.get("color"), place)
        if place in chosen:
            colour = trace.get("selected", {}).get("marker", {}).get("color", colour)
        edge = marker.get("line", {})
        edge_colour = one_of(edge.get("color"), place) or ""
        clear = not isinstance(colour, str) or colour.startswith(CLEAR)
        if not _is_known(point) or (clear and not edge_colour):
            continue
        size = float(one_of(marker.get("size", 6), place) or 0)
        found.append(
            mark(*point, size / 2, "none" if clear else str(colour), str(one_of(marker.get("symbol"), place) or "circle"),
                 edge_colour, float(one_of(edge.get("width", 1), place) or 0), opacity(one_of(marker.get("opacity"), place)))
        )  # fmt: skip
    return found


def mark(
    x: float, y: float, r: float, colour: str, symbol: str, edge: str = "", width: float = 1, more: str = ""
) -> str:
    """One point."""
    if symbol.endswith("-open"):
        symbol, edge, colour, width = symbol.removesuffix("-open"), colour, "none", max(width, 1.2)
    drawn = f' stroke="{edge}" stroke-width="{width:g}"' if edge and width else ""
    if symbol in CROSSES:
        lines = "".join(
            f"M{x + r * a:.1f},{y + r * b:.1f} L{x + r * c:.1f},{y + r * d:.1f} "
            for a, b, c, d in CROSSES[symbol]
        )
        return path(lines.strip(), colour, max(r * 0.6, 1.5), more=more)
    if symbol == "square":
        return rect(x - r, y - r, 2 * r, 2 * r, colour, edge, width, more)
    if symbol in CORNERS:
        return path(
            through([(x + r * a, y + r * b) for a, b in CORNERS[symbol]]) + " Z",
            edge,
            width,
            colour,
            more=more,
        )
    if symbol.startswith("line-ns"):
        return path(f"M{x:.1f},{y - r:.1f} V{y + r:.1f}", edge or colour, max(width, 1.5), more=more)
    if symbol.startswith("line-ew"):
        return path(f"M{x - r:.1f},{y:.1f} H{x + r:.1f}", edge or colour, max(width, 1.5), more=more)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.2f}" fill="{colour}"{drawn}{more}/>'


def _texts(trace: Trace, points: Sequence[tuple[float, float]]) -> list[str]:
    font = trace.get("textfont", {})
    size = float(one_of(font.get("size", 12), 0))
    radius = trace.get("marker", {}).get("size", 0) if "markers" in trace.get("mode", "") else 0
    found = []
    for place, point in enumerate(points):
        words = one_of(trace.get("text"), place)
        if not words or not _is_known(point):
            continue
        down, across = (one_of(trace.get("textposition", "middle center"), place) or "middle center").split()
        away = float(one_of(radius, place) or 0) / 2 + BESIDE
        x = point[0] + {"left": -away, "right": away}.get(across, 0)
        y = point[1] + {"top": -away + 1, "bottom": away - 1}.get(down, 0)
        colour = one_of(font.get("color"), place) or "#000"
        found += text(words, x, y, size=size, colour=colour, across={"left": "end", "right": "start"}.get(across, "middle"),
                      down={"top": "bottom", "bottom": "top"}.get(down, "middle"))  # fmt: skip
    return found


class Bars:
    """Bars of all traces: those that are stacked lie on each other."""

    def __init__(self, traces: Sequence[Trace], layout: dict[str, Any]) -> None:
        self.mode = layout.get("barmode", "group")
        self.gap = layout.get("bargap", DEFAULT_GAP)
        self.hides = layout.get("uniformtext", {}).get("mode") == "hide"
        self.grouped = (
            [one for one in traces if one["type"] == "bar" and "base" not in one]
            if self.mode == "group"
            else []
        )
        self.ends: dict[tuple[str, str, Any, bool], float] = {}

    def extent(self, trace: Trace) -> list[tuple[float, float]]:
        """Where every bar of a trace begins and ends."""
        across = trace.get("orientation") == "h"
        places, lengths = (trace["y"], trace["x"]) if across else (trace["x"], trace["y"])
        found = []
        for at, (where, length) in enumerate(zip(places, lengths, strict=False)):
            known = math.nan if length is None else float(length)
            base = one_of(trace.get("base"), at)
            if base is None and self.mode in ("stack", "relative"):
                key = (str(trace.get("xaxis", "x")), str(trace.get("yaxis", "y")), where, known < 0)
                base = self.ends.get(key, 0.0)
                if math.isfinite(known):
                    self.ends[key] = base + known
            found.append((float(base or 0), float(base or 0) + known))
        return found

    def draw(
        self, trace: Trace, x: Axis, y: Axis, spans: Sequence[tuple[float, float]], ground: str
    ) -> list[str]:
        """The bars of a trace with their text."""
        across = trace.get("orientation") == "h"
        along, beside = (x, y) if across else (y, x)
        places = trace["y"] if across else trace["x"]
        marker = trace.get("marker", {})
        step = _spacing([beside.counted(one) for one in places])
        shapes, words = [], []
        for at, (where, (begin, end)) in enumerate(zip(places, spans, strict=False)):
            middle, half = beside.counted(where), self._half(trace, at, step)
            middle += self._aside(trace, half)
            if not (math.isfinite(begin) and math.isfinite(end) and math.isfinite(middle)):
                continue
            a, b = along.at(begin), along.at(end)
            c, d = beside.place(middle - half), beside.place(middle + half)
            box = (
                (min(a, b), min(c, d), abs(b - a), abs(d - c))
                if across
                else (min(c, d), min(a, b), abs(d - c), abs(b - a))
            )
            edge = marker.get("line") or {}
            shapes.append(
                rect(*box, str(one_of(marker.get("color"), at) or "#888"), one_of(edge.get("color"), at) or "",
                     float(one_of(edge.get("width", 0), at) or 0),
                     opacity(one_of(marker.get("opacity"), at)) or opacity(trace.get("opacity")))
            )  # fmt: skip
            words += self._words(trace, at, box, across, b < a if across else b > a)
            shapes += _bar_error(trace, at, end, along, (c + d) / 2)
        return shapes + words

    def _half(self, trace: Trace, at: int, step: float) -> float:
        width = one_of(trace.get("width"), at)
        if width is None:
            width = step * (1 - self.gap)
            width /= max(len(self.grouped), 1) if trace in self.grouped else 1
        return float(width) / 2

    def _aside(self, trace: Trace, half: float) -> float:
        """How far the bars of one of several groups are from the middle of their place."""
        if "offset" in trace:
            return float(one_of(trace["offset"], 0)) + half
        if len(self.grouped) < 2 or trace not in self.grouped:
            return 0.0
        return (2 * self.grouped.index(trace) - len(self.grouped) + 1) * half

    def _words(
        self, trace: Trace, at: int, box: tuple[float, float, float, float], across: bool, back: bool
    ) -> list[str]:
        words, where = one_of(trace.get("text"), at), one_of(trace.get("textposition", "auto"), at)
        if not words or where == "none":
            return []
        fonts = {
            name: {**trace.get("textfont", {}), **trace.get(f"{name}textfont", {})}
            for name in ("inside", "outside")
        }
        size = float(one_of(fonts["inside"].get("size", 12), at))
        left, top, wide, high = box
        need, deep = widest(words, size), len(str(words).split("<br>")) * size * LINE
        fits = need + BAR_TEXT <= wide and deep <= high + 2
        if where == "inside" or (where == "auto" and fits):
            if not fits and self.hides:
                return []
            colour = one_of(fonts["inside"].get("color"), at) or "#000"
            if trace.get("insidetextanchor") == "middle" or not across:
                return text(words, left + wide / 2, top + high / 2, size=size, colour=colour)
            end = left + BAR_TEXT if back else left + wide - BAR_TEXT
            return text(
                words, end, top + high / 2, size=size, colour=colour, across="start" if back else "end"
            )
        colour = one_of(fonts["outside"].get("color"), at) or "#000"
        if across:
            end = left - BAR_TEXT if back else left + wide + BAR_TEXT
            return text(
                words, end, top + high / 2, size=size, colour=colour, across="end" if back else "start"
            )
        return text(words, left + wide / 2, top + high + 2 if back else top - 2, size=size, colour=colour,
                    down="top" if back else "bottom")  # fmt: skip


def _bar_error(trace: Trace, at: int, end: float, along: Axis, middle: float) -> list[str]:
    bar = trace.get("error_x" if along.is_x else "error_y")
    above, below = (one_of(bar.get(name), at) or 0 for name in ("array", "arrayminus")) if bar else (0, 0)
    if not bar or not (above or below):
        return []
    a, b, cap = along.at(end - below), along.at(end + above), float(bar.get("width", 3))
    moves = (
        f"M{a:.1f},{middle:.1f} H{b:.1f} M{a:.1f},{middle - cap:.1f} v{2 * cap:g} M{b:.1f},{middle - cap:.1f} v{2 * cap:g}"
        if along.is_x
        else f"M{middle:.1f},{a:.1f} V{b:.1f} M{middle - cap:.1f},{a:.1f} h{2 * cap:g} M{middle - cap:.1f},{b:.1f} h{2 * cap:g}"
    )
    return [path(moves, bar.get("color", "#000"), bar.get("thickness", 1))]


def _spacing(places: Sequence[float]) -> float:
    known = sorted({one for one in places if math.isfinite(one)})
    return min((b - a for a, b in itertools.pairwise(known)), default=1.0)
