"""A node and the networks it is in: how many ports of which rate, and what stands behind them."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Row
from app.charts.format import TIMES, show
from app.charts.forms import segment, token
from app.charts.forms.drawing import box, drawing, hover_points, text

NODE, NETWORK = (0.0, 22.0), (64.0, 100.0)  # from left to right
MOST_LINES = 8
ROW_HALF = 0.34
SLOTS = ("c1", "c2", "c3", "c7")


class Connection(NamedTuple):
    """What a node has of one network. `through` names the network that carries it in place of switches."""

    title: str
    built: bool
    ports: float | None
    gbit_s: float | None
    switches: float | None
    through: str = ""
    path: str = ""


def networks_figure(connections: list[Connection]) -> Figure:
    """One node, and a line for every port of it."""
    height = 64 + 84 * len(connections)
    return Figure(
        name="networks",
        eyebrow="Networks per node",
        takeaway=_takeaway(connections),
        caption=f"Lines are ports, {MOST_LINES} of a network at most; rates are one way. What is dashed is not built, "
        "or goes by the ports of another network.",
        columns=(
            Column.words("Network"), Column("Ports per node"), Column("Rate", "Gbit/s"), Column("Switches"),
        ),
        rows=tuple(_row(each) for each in connections),
        plot=_plot(connections, height),
        minimum_width=520,
    )  # fmt: skip


def _row(each: Connection) -> Row:
    cells = (each.title, _count(each.ports), _count(each.gbit_s), _count(each.switches))
    return Row(cells, path=each.path)


def _count(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.6g}"


def _takeaway(connections: list[Connection]) -> str:
    own = [each for each in connections if each.built and not each.through]
    if not own:
        return "One SuperNode alone is in no network of a pod."
    if any(each.ports is None or each.gbit_s is None for each in own):
        return f"A node is in {len(own)} networks; ports or rates of some are unknown."
    ports = sum(each.ports or 0 for each in own)
    rate = sum((each.ports or 0) * (each.gbit_s or 0) for each in own)
    word = "network" if len(own) == 1 else "networks"
    return (
        f"A node has {_count(ports)} port{'' if ports == 1 else 's'} in {len(own)} {word}, "
        f"{show(rate * 1e9 / 8, 'B/s').text} in all."
    )


def _plot(connections: list[Connection], height: int) -> dict[str, Any]:
    shapes = [box(*_corners(NODE, 0, len(connections) - 1))]
    words = [text(sum(NODE) / 2, (1 - len(connections)) / 2, "<b>One node</b>", colour="text")]
    rows = {each.title: -position for position, each in enumerate(connections)}
    named, names = [], []
    for position, each in enumerate(connections):
        y, solid = -float(position), each.built and not each.through
        target = rows.get(each.through, y)
        slot = SLOTS[min(position, len(SLOTS) - 1)]
        if not each.through:
            shape = box(*_corners(NETWORK, position, position))
            shapes.append(
                shape
                if solid
                else shape | {"line": {"color": token("line-strong"), "width": 1.2, "dash": "dot"}}
            )
            words.append(_label(y + 0.04, f"<b>{each.title}</b>", "text", "bottom"))
            words.append(_label(y - 0.02, _behind(each), "text-2", "top"))
        if each.built:
            shapes += [
                _wire(y + offset, target + offset, slot, dash="solid" if solid else "dash")
                for offset in _offsets(each)
            ]
            above = (y + target) / 2 + _offsets(each)[-1] + 0.03
            words.append(text((NODE[1] + NETWORK[0]) / 2, above, _rate(each), yanchor="bottom"))
        named.append(((NODE[1] + NETWORK[0]) / 2, y))
        names.append(f"{each.title}: {_rate(each) if each.built else 'not built'}")
    extent = [-len(connections) + 0.4, 0.62]
    return drawing(height, [-1, 101], extent, [hover_points(named, names)], shapes, words)


def _corners(span: tuple[float, float], first: int, last: int) -> tuple[float, float, float, float]:
    return span[0], -last - ROW_HALF, span[1], -first + ROW_HALF


def _offsets(each: Connection) -> list[float]:
    """Where the lines of a network leave the node, around the middle of its row."""
    count = max(1, min(MOST_LINES, round(each.ports or 1)))
    pitch = ROW_HALF / MOST_LINES
    return [(line - (count - 1) / 2) * pitch for line in range(count)]


def _wire(start: float, end: float, slot: str, *, dash: str) -> dict[str, Any]:
    return segment(NODE[1], start, NETWORK[0], end, slot, 1.2, dash, layer="below")


def _label(y: float, words: str, colour: str, anchor: str) -> dict[str, Any]:
    return text(sum(NETWORK) / 2, y, words, colour=colour, yanchor=anchor)


def _behind(each: Connection) -> str:
    if not each.built:
        return "not built"
    if each.switches is None:
        return "switches unknown"
    return f"{each.switches:,.0f} switch{'' if each.switches == 1 else 'es'}"


def _rate(each: Connection) -> str:
    if each.ports is None or each.gbit_s is None:
        return "rate unknown"
    through = f", by the {each.through.lower()}" if each.through else ""
    return f"{each.ports:g} {TIMES} {each.gbit_s:g} Gbit/s{through}"
