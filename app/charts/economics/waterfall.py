"""From one figure to another in steps, as a horizontal waterfall: what carbon and differences are drawn with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Mark, Row, even_ticks, layout, name_axis, token, value_axis
from app.charts.format import MINUS, THIN_SPACE, WIDE_SPACE, number, rounded

ROW_HEIGHT = 30
ROOM = 0.16  # of the span, for what stands beside the bars
NARROW_ROOM = 0.7
MEASURES = {
    "kg": ((1e7, 1e6, "kt"), (1e4, 1e3, "t")),
    "USD": ((1e9, 1e9, f"billion{WIDE_SPACE}USD"), (1e6, 1e6, f"M{WIDE_SPACE}USD")),
}
"""From how much on a figure is shown in a larger measure, by unit."""


class Level(NamedTuple):
    """A figure that is reached: a bar from nought."""

    title: str
    value: float
    slot: str = "text-2"


class Change(NamedTuple):
    """A step from where the bars stand; `kind` is one of the kinds of the figure."""

    title: str
    amount: float
    kind: str


class Kind(NamedTuple):
    label: str
    slot: str


class Scale(NamedTuple):
    """The measure that all figures of one chart share."""

    divisor: float
    unit: str

    def words(self, value: float) -> str:
        """Three digits, noughts kept: columns of them line up."""
        scaled = rounded(value / self.divisor)
        if scaled == 0:
            return "0"
        decimals = max(0, 2 - math.floor(math.log10(abs(scaled))))
        return f"{scaled:,.{decimals}f}".replace("-", MINUS)

    def signed(self, value: float) -> str:
        """Three digits with their sign."""
        words = self.words(abs(value))
        return words if words == "0" else f"{MINUS if value < 0 else '+'}{words}"

    @property
    def space(self) -> str:
        return WIDE_SPACE if "USD" in self.unit else THIN_SPACE


Steps = Sequence[Level | Change]


class _Bar(NamedTuple):
    title: str
    base: float
    size: float
    slot: str
    text: str
    kind: str

    @property
    def end(self) -> float:
        return self.base + self.size


def scale_of(largest: float, unit: str) -> Scale:
    """The measure for figures up to so much.

    >>> scale_of(5e7, "kg").unit, scale_of(2.5, "USD").divisor
    ('kt', 1.0)
    """
    for at_least, divisor, word in MEASURES.get(unit, ()):
        if abs(largest) >= at_least:
            return Scale(divisor, word)
    return Scale(1.0, unit)


def waterfall_figure(
    steps: Steps,
    *,
    name: str,
    eyebrow: str,
    takeaway: str,
    caption: str,
    unit: str,
    kinds: Mapping[str, Kind],
    share_of: float,
    least_rows: int = 0,
) -> Figure:
    """The steps from the first level to the last; `share_of` is what their shares are of in the table.

    `least_rows` is how many another chart beside it has: both are as high.
    """
    scale = scale_of(max(abs(bar.end) for bar in _bars(steps, Scale(1.0, ""), kinds)), unit)
    bars = _bars(steps, scale, kinds)
    height = 48 + ROW_HEIGHT * max(len(bars), least_rows)
    used = {step.kind for step in steps if isinstance(step, Change)}
    return Figure(
        name=name,
        eyebrow=f"{eyebrow}, {scale.unit}",
        takeaway=takeaway,
        caption=caption,
        height=height,
        columns=(
            Column(name="Step", numeric=False),
            Column(name="Kind", numeric=False),
            Column(name="Amount", unit=scale.unit),
            Column(name="Share", unit="%"),
        ),
        rows=tuple(_row(step, scale, kinds, share_of) for step in steps),
        legend=tuple(Mark(slot=kind.slot, label=kind.label) for key, kind in kinds.items() if key in used),
        plot=_plot(bars, scale, height),
        narrow=_narrow(bars, scale),
    )


def _bars(steps: Steps, scale: Scale, kinds: Mapping[str, Kind]) -> list[_Bar]:
    bars, at = [], 0.0
    for step in steps:
        if isinstance(step, Level):
            at = step.value
            text = f"<b>{scale.words(at)}</b>"
            bars.append(_Bar(step.title, 0.0, at / scale.divisor, step.slot, text, ""))
            continue
        kind = kinds[step.kind]
        bars.append(
            _Bar(
                step.title,
                at / scale.divisor,
                step.amount / scale.divisor,
                kind.slot,
                scale.signed(step.amount),
                kind.label,
            )
        )
        at += step.amount
    return bars


def _row(step: Level | Change, scale: Scale, kinds: Mapping[str, Kind], share_of: float) -> Row:
    if isinstance(step, Level):
        return Row(cells=(step.title, "", scale.words(step.value), ""), total=True)
    share = f"{100 * step.amount / share_of:.1f}".replace("-", MINUS) if share_of else ""
    kind = kinds[step.kind]
    return Row(cells=(step.title, kind.label, scale.signed(step.amount), share), slot=kind.slot)


def _extent(bars: list[_Bar], room: float) -> list[float]:
    """From the lowest end to the highest, nought in it, with room for the words on the right."""
    ends = [end for bar in bars for end in (bar.base, bar.end)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    span = (high - low) or 1.0
    return [low - (0.04 * span if low < 0 else 0), high + room * span]


def _plot(bars: list[_Bar], scale: Scale, height: int) -> dict[str, Any]:
    names = [bar.title for bar in bars]
    extent = _extent(bars, ROOM)
    ticks, labels = _ticks(extent, scale, 4)
    trace = {
        "type": "bar",
        "orientation": "h",
        "y": names,
        "x": [bar.size for bar in bars],
        "base": [bar.base for bar in bars],
        "width": 0.55,
        "marker": {"color": [token(bar.slot) for bar in bars]},
        "customdata": [[bar.text.removeprefix("<b>").removesuffix("</b>"), bar.kind] for bar in bars],
        "hovertemplate": f"%{{y}}<br>%{{customdata[0]}}{scale.space}{scale.unit} %{{customdata[1]}}<extra></extra>",
    }
    lines = [
        {"type": "line", "x0": bar.end, "x1": bar.end, "y0": place + 0.28, "y1": place + 0.72,
         "line": {"color": token("axis"), "width": 1}}
        for place, bar in enumerate(bars[:-1])
    ]  # fmt: skip
    annotations = [
        {"x": max(bar.base, bar.end), "y": bar.title, "text": bar.text, "xanchor": "left", "xshift": 5,
         "showarrow": False, "font": {"size": 12, "color": token("text-2" if bar.kind else "text")}}
        for bar in bars
    ]  # fmt: skip
    return {
        "data": [trace],
        "layout": layout(
            height,
            margin={"l": 8, "r": 16, "t": 4, "b": 8},
            xaxis=value_axis(ticks, labels, extent),
            yaxis=name_axis(names),
            shapes=lines,
            annotations=annotations,
        ),
    }


def _ticks(extent: list[float], scale: Scale, wanted: int) -> tuple[list[float], list[str]]:
    """Round values over the axis, also below nought, the unit on the last."""
    ticks = even_ticks(extent[0], extent[1], wanted)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{scale.space}{scale.unit}"
    return ticks, labels


def _narrow(bars: list[_Bar], scale: Scale) -> dict[str, Any]:
    """Room for what stands beside the bars, and fewer ticks."""
    extent = _extent(bars, NARROW_ROOM)
    ticks, labels = _ticks(extent, scale, 2)
    return {"xaxis.range": extent, "xaxis.tickvals": ticks, "xaxis.ticktext": labels}
