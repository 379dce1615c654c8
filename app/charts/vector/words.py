"""Text and plain shapes of SVG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from app.charts.slide import text_width

LINE = 1.25
"""Height of a line of text, of its size."""

TAG = re.compile(r"<[^>]+>")
BREAK = re.compile(r"<br\s*/?>")
DASHES = {"dash": "7 4", "longdash": "12 5", "dot": "2 3", "dashdot": "7 3 2 3", "longdashdot": "12 4 2 4"}


def plain_lines(words: Any) -> list[tuple[str, bool]]:
    """The lines of a text of Plotly, and whether each is bold.

    >>> plain_lines("<b>80 days</b><br>of 90")
    [('80 days', True), ('of 90', False)]
    """
    return [(unescape(TAG.sub("", line)), "<b>" in line) for line in BREAK.split(str(words))]


def widest(words: Any, size: float) -> float:
    """Pixels that the longest line of a text takes at most."""
    return max(text_width(line, size, weight=600 if bold else 400) for line, bold in plain_lines(words))


def text(
    words: Any, x: float, y: float, *, size: float = 12, colour: str = "", across: str = "middle",
    down: str = "middle", turned: float = 0, ground: str = "",
) -> list[str]:  # fmt: skip
    """A text at its place.

    Parameters
    ----------
    across : start, middle or end: the side of the text that is at x
    down : top, middle or bottom: the side of it that is at y
    ground : painted behind it
    """
    lines = plain_lines(words)
    high = len(lines) * size * LINE
    top = y - {"top": 0.0, "middle": high / 2, "bottom": high}[down]
    found = []
    if ground:
        wide = widest(words, size)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[across]
        found.append(rect(left - 1, top, wide + 2, high, ground))
    for place, (line, bold) in enumerate(lines):
        if line.strip():
            heavy = ' font-weight="600"' if bold else ""
            foot = top + (place + 0.5) * size * LINE + 0.35 * size
            found.append(
                f'<text x="{x:.1f}" y="{foot:.1f}" font-size="{size:g}" fill="{colour}" '
                f'text-anchor="{across}"{heavy}>{escape(line)}</text>'
            )
    if turned:
        return [f'<g transform="rotate({turned:g} {x:.1f} {y:.1f})">', *found, "</g>"]
    return found


def rect(
    x: float, y: float, wide: float, high: float, fill: str, edge: str = "", stroke: float = 1, more: str = ""
) -> str:
    """A rectangle."""
    drawn = f' stroke="{edge}" stroke-width="{stroke:g}"' if edge and stroke else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(wide, 0):.1f}" height="{max(high, 0):.1f}" '
        f'fill="{fill or "none"}"{drawn}{more}/>'
    )


def path(
    moves: str, stroke: str = "", width: float = 1, fill: str = "none", dash: str = "", more: str = ""
) -> str:
    """A line or an area."""
    drawn = f' stroke="{stroke}" stroke-width="{width:g}"' if stroke and width else ""
    broken = f' stroke-dasharray="{DASHES[dash]}"' if drawn and dash in DASHES else ""
    return f'<path d="{moves}" fill="{fill or "none"}"{drawn}{broken}{more}/>'


def opacity(value: Any) -> str:
    """The opacity attribute; "" for opaque marks."""
    return "" if value is None or value == 1 else f' opacity="{value:g}"'


def through(points: Sequence[tuple[float, float]]) -> str:
    """The path through points."""
    return "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in points)


def document(body: Sequence[str], wide: float, high: float, label: str, face: str) -> str:
    """The picture as an element of a page."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
        f'height="{high:g}" role="img" aria-label={quoteattr(label)} font-family="{face}">\n'
        + "\n".join(body)
        + "\n</svg>"
    )
