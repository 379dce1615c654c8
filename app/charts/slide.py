"""A chart as a slide of 16:9: an SVG with title, drawing, facts and a source line, made without a browser.

Drawings are the Plotly documents of `forms.drawing`: rectangles, paths and lines, words, marks, and marks and lines in
space, which are seen from the corner that the page shows first. Widths of words are estimated from above, so that none
runs out of its place; the face is the page's, and any other is narrower or as wide.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from app.charts.figure import Figure
from app.charts.forms.axes import token

WIDTH, HEIGHT, MARGIN = 1600, 900, 64
FACE = "Inter, 'Helvetica Neue', Arial, sans-serif"
TITLE, TAKEAWAY, FACT, SMALL = 44.0, 27.0, 22.0, 18.0
PICTURE = (MARGIN, 190.0, 1000.0, 560.0)  # left, top, width, height
FACTS = 1112.0  # where the facts begin
NATURAL = 620.0  # pixels that a drawing is made for
LEAST = 0.3  # of a box in space, however thin it is from where it is seen
NARROW, WIDE = set("iljtfrI.,:;'|!()[]· "), set("mwMW%@—")
PAIR = re.compile(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)")


def slide(figure: Figure, *, title: str, facts: Sequence[tuple[str, str]], source: str) -> str:
    """One slide of a drawing; its colours are names of theme tokens, as in every chart.

    Parameters
    ----------
    facts : names and values beside the drawing; those that have no room are left out
    source : the line at the foot
    """
    inner = WIDTH - 2 * MARGIN
    parts = [
        _rect(0, 0, WIDTH, HEIGHT, token("bg")),
        *_block(title, MARGIN, 92, inner, TITLE, "text", weight=600, lines=1),
        *_block(figure.takeaway, MARGIN, 140, inner, TAKEAWAY, "text-2", lines=1),
        f'<path d="M{MARGIN},166 H{WIDTH - MARGIN}" stroke="{token("line-strong")}" stroke-width="1"/>',
    ]
    if figure.plot is not None:
        parts += _picture(figure.plot)
    parts += _legend(figure)
    parts += _facts(facts)
    parts += _block(figure.caption, MARGIN, HEIGHT - 58, inner, SMALL, "text-3", lines=1)
    parts += _block(source, MARGIN, HEIGHT - 30, inner, SMALL, "text-3", lines=1)
    body = "\n".join(parts)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label={quoteattr(f"{title}. {figure.takeaway}")} font-family="{FACE}">'
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n<title>{escape(title)}</title>\n{body}\n</svg>\n'


def text_width(words: str, size: float, *, weight: int = 400) -> float:
    """Width of words in pixels, estimated from above.

    >>> text_width("ill", 10) < text_width("MWM", 10)
    True
    """
    units = sum(
        0.36
        if one in NARROW
        else 0.98
        if one in WIDE
        else 0.74
        if one.isupper()
        else 0.66
        if one.isdigit()
        else 0.61
        for one in words
    )
    return units * size * (1.05 if weight > 500 else 1.0)


def _fitted(words: str, size: float, room: float, lines: int, weight: int) -> tuple[list[str], float]:
    """Words in at most so many lines, smaller down to SMALL where they are too long, and then cut."""
    while True:
        found = _wrapped(words, size, room, weight)
        if len(found) <= lines or size <= SMALL:
            break
        size -= 1
    if len(found) > lines:
        found = found[:lines]
        found[-1] += "…"
    return [_cut(line, size, room, weight) for line in found], size


def _wrapped(words: str, size: float, room: float, weight: int) -> list[str]:
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, weight=weight) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _cut(line: str, size: float, room: float, weight: int) -> str:
    while line and text_width(line, size, weight=weight) > room:
        line = line[:-2].rstrip("… ") + "…"
    return line


def _block(
    words: str, x: float, y: float, room: float, size: float, slot: str, *, weight: int = 400, lines: int = 2, anchor: str = "start"
) -> list[str]:  # fmt: skip
    """Words at their place; `y` is the foot of the first line."""
    found, size = _fitted(words, size, room, lines, weight)
    return [
        _text(line, x, y + place * size * 1.25, size, token(slot), weight=weight, anchor=anchor)
        for place, line in enumerate(found)
    ]


def _text(
    words: str, x: float, y: float, size: float, colour: str, *, weight: int = 400, anchor: str = "start"
) -> str:
    heavier = f' font-weight="{weight}"' if weight != 400 else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{heavier}>'
        f"{escape(words)}</text>"
    )


def _rect(
    x: float, y: float, width: float, height: float, fill: str, edge: str = "", stroke: float = 1.0
) -> str:
    drawn = f' stroke="{edge}" stroke-width="{stroke:g}"' if edge else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{drawn}/>'


def _facts(facts: Sequence[tuple[str, str]]) -> list[str]:
    """Names above their values, down the right side."""
    found, y, room = [], PICTURE[1] + 18, WIDTH - MARGIN - FACTS
    for name, words in facts:
        lines, size = _fitted(words, FACT, room, 2, 500)
        high = 26 + len(lines) * size * 1.25 + 14
        if y + high > HEIGHT - 60:
            break
        found += _block(name, FACTS, y, room, SMALL, "text-3", lines=1)
        found += [
            _text(line, FACTS, y + 28 + place * size * 1.25, size, token("text"), weight=500)
            for place, line in enumerate(lines)
        ]
        y += high
    return found


def _legend(figure: Figure) -> list[str]:
    """Swatches below the drawing."""
    found, x, y = [], float(MARGIN), PICTURE[1] + PICTURE[3] + 44
    for mark in figure.legend:
        words = f"{mark.label} {mark.value}".strip()
        wide = 24 + text_width(words, SMALL + 2) + 28
        if x + wide > FACTS:
            x, y = float(MARGIN), y + 30
        found += [
            _rect(x, y - 14, 16, 16, token(mark.slot)),
            _text(words, x + 24, y, SMALL + 2, token("text-2")),
        ]
        x += wide
    return found


@dataclass(frozen=True)
class _Frame:
    """From the coordinates of a drawing to those of the slide."""

    x0: float
    x1: float
    y0: float  # at the foot
    y1: float
    left: float
    top: float
    width: float
    height: float
    scale: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (
            self.left + (x - self.x0) / (self.x1 - self.x0) * self.width,
            self.top + (y - self.y1) / (self.y0 - self.y1) * self.height,
        )


def _picture(plot: dict[str, Any]) -> list[str]:
    layout = plot["layout"]
    left, top, width, height = PICTURE
    if "scene" in layout:
        return space(plot["data"], layout["scene"])
    scale = min(width / NATURAL, height / layout["height"])
    margin = {side: layout["margin"][side] * scale for side in "lrtb"}
    drawn_high = layout["height"] * scale
    (x0, x1), (y0, y1) = layout["xaxis"]["range"], layout["yaxis"]["range"]
    frame = _Frame(
        x0, x1, y0, y1, left + margin["l"], top + (height - drawn_high) / 2 + margin["t"],
        width - margin["l"] - margin["r"], drawn_high - margin["t"] - margin["b"], scale,
    )  # fmt: skip
    shapes = [_shape(one, frame) for one in layout.get("shapes", ())]
    marks = [mark for trace in plot["data"] for mark in _marks(trace, frame)]
    words = [word for note in layout.get("annotations", ()) for word in _note(note, frame)]
    return [*shapes, *marks, *words]


def _shape(shape: dict[str, Any], frame: _Frame) -> str:
    stroke = shape["line"]
    edge, wide = stroke.get("color", "none"), max(stroke.get("width", 1), 0) * 1.3
    if shape["type"] == "path":
        moved = PAIR.sub(
            lambda pair: "{:.1f},{:.1f}".format(*frame.at(float(pair[1]), float(pair[2]))), shape["path"]
        )
        fill = shape.get("fillcolor", "none")
        fill = "none" if fill.startswith("rgba(0,0,0,0") else fill
        return (
            f'<path d="{moved}" fill="{fill}" stroke="{edge if wide else "none"}" stroke-width="{wide:g}"/>'
        )
    (x0, y0), (x1, y1) = frame.at(shape["x0"], shape["y0"]), frame.at(shape["x1"], shape["y1"])
    if shape["type"] == "line":
        return f'<path d="M{x0:.1f},{y0:.1f} L{x1:.1f},{y1:.1f}" stroke="{edge}" stroke-width="{wide:g}" fill="none"/>'
    box = (min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))
    return _rect(*box, shape["fillcolor"], edge if wide else "", wide)


def _marks(trace: dict[str, Any], frame: _Frame) -> Iterable[str]:
    """Marks of a trace, without those that only answer the pointer."""
    if trace.get("mode") == "lines":
        yield from _runs(trace, frame)
        return
    marker = trace.get("marker", {})
    if marker.get("color", "").startswith("rgba(0,0,0,0") if isinstance(marker.get("color"), str) else False:
        return
    for place, (x, y) in enumerate(zip(trace["x"], trace["y"], strict=True)):
        size, colour, symbol = (_of(marker.get(name), place) for name in ("size", "color", "symbol"))
        edge = _of(marker.get("line", {}).get("color", ""), place)
        yield _mark(*frame.at(x, y), float(size) * frame.scale / 2, colour, symbol or "circle", edge)


def _runs(trace: dict[str, Any], frame: _Frame) -> Iterable[str]:
    """Lines of a trace, which gaps divide."""
    stroke = trace["line"]
    dash = ' stroke-dasharray="3 4"' if stroke.get("dash", "solid") != "solid" else ""
    for has, run in itertools.groupby(
        zip(trace["x"], trace["y"], strict=True), key=lambda point: point[0] is not None
    ):
        if has:
            path = " L".join("{:.1f},{:.1f}".format(*frame.at(x, y)) for x, y in run)
            yield (
                f'<path d="M{path}" stroke="{stroke["color"]}" stroke-width="{stroke["width"] * 1.3:g}" fill="none"{dash}/>'
            )


def _of(value: Any, place: int) -> Any:
    return value[place] if isinstance(value, list | tuple) else value


def _mark(x: float, y: float, r: float, colour: str, symbol: str, edge: str) -> str:
    drawn = f' stroke="{edge}" stroke-width="1.3"' if edge else ""
    if symbol.endswith("-open"):
        symbol, drawn, colour = symbol.removesuffix("-open"), f' stroke="{colour}" stroke-width="1.3"', "none"
        edge = edge or colour
    if symbol == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{colour}"{drawn}/>'
    if symbol == "square":
        return _rect(x - r, y - r, 2 * r, 2 * r, colour, edge, 1.3)
    corners = {
        "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
        "triangle-up": ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    }[symbol]
    path = " L".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners)
    return f'<path d="M{path} Z" fill="{colour}"{drawn}/>'


def _note(note: dict[str, Any], frame: _Frame) -> Iterable[str]:
    x, y = frame.at(note["x"], note["y"])
    lines = note["text"].split("<br>")
    weight = 600 if lines[0].startswith("<b>") else 400
    lines = [line.removeprefix("<b>").removesuffix("</b>") for line in lines]
    size = max(note["font"]["size"] * frame.scale, SMALL)
    anchor = {"left": "start", "right": "end"}.get(note.get("xanchor", "center"), "middle")
    x, y = x + note.get("xshift", 0) * frame.scale, y - note.get("yshift", 0) * frame.scale
    foot = {"bottom": -(len(lines) - 1), "top": 1.0}.get(
        note.get("yanchor", "middle"), 0.5 - (len(lines) - 1) / 2
    )
    if note.get("bgcolor"):
        wide = max(text_width(line, size) for line in lines)
        yield _rect(x - wide / 2, y - size * 0.6, wide, size * 1.2, note["bgcolor"])
    for place, line in enumerate(lines):
        at = y + (foot + place) * size * 1.2 - (0.25 * size if foot == 0.5 else 0)
        yield _text(line, x, at, size, note["font"]["color"], weight=weight, anchor=anchor)


def space(
    data: Sequence[dict[str, Any]],
    scene: dict[str, Any],
    frame: tuple[float, float, float, float] = PICTURE,
) -> list[str]:
    """Marks and lines in space, from far to near, as large as the frame: its left, top, width and height."""
    eye = [scene["camera"]["eye"][axis] for axis in "xyz"]
    length = math.hypot(*eye)
    ahead = [-one / length for one in eye]
    flat = math.hypot(ahead[0], ahead[1])
    right = (-ahead[1] / flat * -1, ahead[0] / flat * -1, 0.0)
    up = (-ahead[2] * ahead[0] / flat, -ahead[2] * ahead[1] / flat, flat)
    ratio = [scene["aspectratio"][axis] for axis in "xyz"]
    spans = [scene[f"{axis}axis"]["range"] for axis in "xyz"]

    def seen(point: Sequence[float]) -> tuple[float, float, float]:
        placed = [
            (at - low) / (high - low) * long
            for at, (low, high), long in zip(point, spans, ratio, strict=True)
        ]
        return tuple(sum(a * b for a, b in zip(placed, side, strict=True)) for side in (right, up, ahead))

    drawn: list[tuple[float, str, list[tuple[float, float]], dict[str, Any]]] = []
    for trace in data:
        points = [
            None if None in one else seen(one) for one in zip(*(trace[axis] for axis in "xyz"), strict=True)
        ]
        if trace["mode"] == "lines":
            drawn += [
                ((a[2] + b[2]) / 2, "line", [a[:2], b[:2]], trace)
                for a, b in itertools.pairwise(points)
                if a and b
            ]
        else:
            drawn += [(one[2] - 1e-3, "mark", [one[:2]], trace) for one in points if one]
    across = [x for _, _, ends, _ in drawn for x, _ in ends]
    down = [y for _, _, ends, _ in drawn for _, y in ends]
    left, top, width, height = frame
    scale = 0.94 * min(
        width / max(max(across) - min(across), LEAST), height / max(max(down) - min(down), LEAST)
    )
    middle = ((max(across) + min(across)) / 2, (max(down) + min(down)) / 2)

    def at(point: tuple[float, float]) -> tuple[float, float]:
        return left + width / 2 + (point[0] - middle[0]) * scale, top + height / 2 - (
            point[1] - middle[1]
        ) * scale

    found = []
    for _, kind, ends, trace in sorted(drawn, key=lambda one: -one[0]):
        if kind == "line":
            (x0, y0), (x1, y1) = map(at, ends)
            colour = trace["line"]["color"]
            found.append(
                f'<path d="M{x0:.1f},{y0:.1f} L{x1:.1f},{y1:.1f}" stroke="{colour}" stroke-width="2" fill="none"/>'
            )
        else:
            marker = trace["marker"]
            found.append(
                _mark(*at(ends[0]), marker["size"] * 1.3, marker["color"], marker["symbol"], token("bg"))
            )
    return found
