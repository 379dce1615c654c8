"""Heat maps and flows of a drawn chart."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

from app.charts.vector.axes import Axis
from app.charts.vector.words import LINE, path, rect, text, widest

Trace = dict[str, Any]
HEX = re.compile(r"#([0-9a-fA-F]{2})([0-9a-fA-F]{2})([0-9a-fA-F]{2})$")
BAR_GAP, BAR_WIDTH = 12.0, 6.0
SHORT = 1.3
"""Of the plot's height over that of all labels, below which labels of flows lose their amounts."""


def heat_map(trace: Trace, x: Axis, y: Axis) -> list[str]:
    """Cells in their colours."""
    columns, lines = _edges(trace.get("x"), x, len(trace["z"][0])), _edges(trace.get("y"), y, len(trace["z"]))
    gap_x, gap_y = float(trace.get("xgap", 0)), float(trace.get("ygap", 0))
    low, high = trace.get("zmin"), trace.get("zmax")
    known = [one for line in trace["z"] for one in line if one is not None and math.isfinite(one)]
    low = min(known, default=0) if low is None else low
    high = max(known, default=1) if high is None else high
    font, found, labels = trace.get("textfont", {}), [], []
    for (top, foot), values, at in zip(lines, trace["z"], itertools.count(), strict=False):
        for (left, right), value, across in zip(columns, values, itertools.count(), strict=False):
            if value is None or not math.isfinite(value):
                continue
            share = 0.5 if high == low else (value - low) / (high - low)
            wide, deep = abs(right - left) - gap_x, abs(foot - top) - gap_y
            fill = colour_at(trace["colorscale"], share)
            found.append(
                rect(
                    min(left, right) + gap_x / 2,
                    min(top, foot) + gap_y / 2,
                    max(wide, 0.5),
                    max(deep, 0.5),
                    fill,
                )
            )
            words = trace["text"][at][across] if trace.get("text") and trace.get("texttemplate") else ""
            if words:
                labels += text(words, (left + right) / 2, (top + foot) / 2, size=float(font.get("size", 12)),
                               colour=font.get("color") or readable(fill))  # fmt: skip
    return found + labels


def colour_bar_width(trace: Trace) -> float:
    """Pixels that the bar that explains the colours takes beside the chart."""
    bar = trace.get("colorbar")
    if not bar or trace.get("showscale") is False:
        return 0.0
    size = float(bar.get("tickfont", {}).get("size", 12))
    labels = max((widest(one, size) for one in bar.get("ticktext") or ()), default=30.0)
    return float(bar.get("xpad", BAR_GAP)) + float(bar.get("thickness", BAR_WIDTH)) + 6 + labels


def colour_bar(trace: Trace, left: float, top: float, foot: float) -> list[str]:
    """The bar that explains the colours, from low at its foot to high."""
    bar = trace["colorbar"]
    left += float(bar.get("xpad", BAR_GAP))
    wide, steps = float(bar.get("thickness", BAR_WIDTH)), 48
    high = foot - top
    found = [
        rect(
            left,
            foot - high * (at + 1) / steps,
            wide,
            high / steps + 0.4,
            colour_at(trace["colorscale"], (at + 0.5) / steps),
        )
        for at in range(steps)
    ]
    low, top_value = trace["zmin"], trace["zmax"]
    font = bar.get("tickfont", {})
    size = float(font.get("size", 12))
    for value, words in zip(bar.get("tickvals") or (), bar.get("ticktext") or (), strict=False):
        share = 0.5 if top_value == low else (value - low) / (top_value - low)
        if -1e-6 <= share <= 1 + 1e-6:
            y = min(max(foot - high * share, top + size * LINE / 2), foot - size * LINE / 2)
            found += text(
                words, left + wide + 6, y, size=size, colour=font.get("color", "#000"), across="start"
            )
    return found


def colour_at(scale: Sequence[Sequence[Any]], share: float) -> str:
    """A colour between those of a scale.

    >>> colour_at([[0, "#000000"], [1, "#FFFFFF"]], 0.5)
    '#808080'
    """
    share = min(max(share, 0.0), 1.0)
    for (a, one), (b, other) in itertools.pairwise(scale):
        if share <= b:
            part = 0.0 if b == a else (share - a) / (b - a)
            first, second = HEX.match(one), HEX.match(other)
            if not first or not second:
                return str(one if part < 0.5 else other)
            pairs = zip(first.groups(), second.groups(), strict=True)
            return "#" + "".join(
                f"{int(int(p, 16) * (1 - part) + int(q, 16) * part + 0.5):02X}" for p, q in pairs
            )
    return str(scale[-1][1])


def readable(ground: str) -> str:
    """Black or white, by what it is written on."""
    found = HEX.match(ground)
    red, green, blue = (int(one, 16) for one in found.groups()) if found else (255, 255, 255)
    return "#FFFFFF" if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else "#10141A"


def _edges(values: Any, axis: Axis, count: int) -> list[tuple[float, float]]:
    """Edges of cells in pixels: halfway to the next."""
    places = [axis.counted(one) for one in (values if values is not None else range(count))]
    if len(places) == count + 1:
        return [(axis.place(a), axis.place(b)) for a, b in itertools.pairwise(places)]
    if len(places) == 1:
        return [(axis.place(places[0] - 0.5), axis.place(places[0] + 0.5))]
    middles = [(a + b) / 2 for a, b in itertools.pairwise(places)]
    ends = [2 * places[0] - middles[0], *middles, 2 * places[-1] - middles[-1]]
    return [(axis.place(a), axis.place(b)) for a, b in itertools.pairwise(ends)]


def sankey(trace: Trace, left: float, top: float, wide: float, high: float) -> list[str]:
    """Flows between nodes, whose places are given as shares of the chart."""
    node, link = trace["node"], trace["link"]
    count = len(node["label"])
    into, out = [0.0] * count, [0.0] * count
    for source, target, value in zip(link["source"], link["target"], link["value"], strict=True):
        out[source] += value
        into[target] += value
    amount = [max(a, b) for a, b in zip(into, out, strict=True)]
    columns: dict[float, list[int]] = {}
    for at, x in enumerate(node["x"]):
        columns.setdefault(round(x, 3), []).append(at)
    pad = float(node["pad"])
    scale = min(
        (high - pad * (len(members) - 1)) / total
        for members in columns.values()
        if (total := sum(amount[at] for at in members)) > 0
    )
    thick = float(node["thickness"])
    x0 = [left + x * wide - thick / 2 for x in node["x"]]
    x0 = [min(max(one, left), left + wide - thick) for one in x0]
    tops = _apart(columns, [top + y * high - amount[at] * scale / 2 for at, y in enumerate(node["y"])],
                  [one * scale for one in amount], pad, top, top + high)  # fmt: skip
    found = _flows(link, x0, tops, thick, scale)
    font = trace.get("textfont", {})
    size = float(font.get("size", 12))
    colours = node["color"]
    for at in range(count):
        deep = max(amount[at] * scale, 1.0)
        found.append(
            rect(x0[at], tops[at], thick, deep, colours if isinstance(colours, str) else colours[at])
        )
        words, back = node["label"][at], x0[at] > left + wide / 2
        room = x0[at] - left if back else left + wide - x0[at] - thick
        if widest(words, size) > room:
            words = words.replace(" ", "<br>", 1)
        x = x0[at] - 5 if back else x0[at] + thick + 5
        found += text(
            words,
            x,
            tops[at] + deep / 2,
            size=size,
            colour=font.get("color", "#000"),
            across="end" if back else "start",
        )
    return found


def _apart(
    columns: dict[float, list[int]],
    tops: list[float],
    deep: list[float],
    pad: float,
    least: float,
    most: float,
) -> list[float]:
    """Nodes of a column moved so that none lies on another or beyond the chart."""
    found = list(tops)
    for members in columns.values():
        ordered = sorted(members, key=lambda at: tops[at])
        edge = least
        for at in ordered:
            found[at] = max(found[at], edge)
            edge = found[at] + deep[at] + pad
        edge = most
        for at in reversed(ordered):
            found[at] = min(found[at], edge - deep[at])
            edge = found[at] - pad
    return found


def _flows(link: dict[str, Any], x0: list[float], tops: list[float], thick: float, scale: float) -> list[str]:
    flows = list(zip(link["source"], link["target"], link["value"], itertools.count(), strict=False))
    start, end = list(tops), list(tops)
    leaves: dict[int, float] = {}
    for source, _, value, at in sorted(flows, key=lambda one: (one[0], tops[one[1]])):
        leaves[at] = start[source]
        start[source] += value * scale
    found = []
    for source, target, value, at in sorted(flows, key=lambda one: (one[1], tops[one[0]])):
        a, b, deep = leaves[at], end[target], max(value * scale, 0.5)
        end[target] += value * scale
        left, right = x0[source] + thick, x0[target]
        middle = (left + right) / 2
        moves = (
            f"M{left:.1f},{a:.1f} C{middle:.1f},{a:.1f} {middle:.1f},{b:.1f} {right:.1f},{b:.1f} V{b + deep:.1f} "
            f"C{middle:.1f},{b + deep:.1f} {middle:.1f},{a + deep:.1f} {left:.1f},{a + deep:.1f} Z"
        )
        colours = link["color"]
        found.append(path(moves, fill=colours if isinstance(colours, str) else colours[at]))
    return found
