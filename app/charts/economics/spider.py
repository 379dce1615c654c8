"""One figure along the range of each input that moves it most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.economics.tornado import measure_of, measured_axis
from app.charts.figure import Column, Figure, Row, line_marks, unknown_figure
from app.charts.format import Measure
from app.engine.units import inside

NAME = "spider"
MOST_LINES = 6  # that can be distinguished
HEIGHT = 320
CAPTION = (
    "Each line follows one input from the low end of its range on the left to the high end on the right, all others "
    "as they are. A bent line tells that the effect depends on where the input is."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeLine:
    """An input: shares of its range, and the figure at each; None where it is unknown."""

    name: str
    low_words: str
    high_words: str
    shares: Sequence[float]
    values: Sequence[float | None]

    @property
    def known(self) -> list[float]:
        return [value for value in self.values if value is not None]


def spider_figure(label: str, unit: str, lines: Sequence[RangeLine]) -> Figure:
    """The widest lines, as many as can be distinguished."""
    eyebrow = f"{label}, along each range"
    drawn = sorted(
        (line for line in lines if line.known), key=lambda line: min(line.known) - max(line.known)
    )[:MOST_LINES]
    if not drawn:
        return unknown_figure(NAME, eyebrow, CAPTION, "No input that varies moves this figure.")
    measure = measure_of([value for line in drawn for value in line.known], unit)
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(drawn[0], measure),
        caption=CAPTION,
        columns=(
            Column.words("Input"),
            Column("From"),
            Column("To"),
            *(
                Column(words, measure.unit)
                for words in ("At the low end", "At the median", "At the high end")
            ),
        ),
        rows=tuple(
            Row((line.name, line.low_words, line.high_words, *_three(line, measure)), slot=slot)
            for line, (slot, _, _) in zip(drawn, forms.LINE_STYLES, strict=False)
        ),
        legend=line_marks([line.name for line in drawn]),
        plot=_plot(drawn, measure),
        narrow={"xaxis.ticktext": ["low", "middle", "high"], "yaxis.nticks": 4},
    )


def _takeaway(widest: RangeLine, measure: Measure) -> str:
    first, last = widest.known[0], widest.known[-1]
    way = "rises" if last > first else "falls"
    ends = f"from {measure.words(first)} to {measure.text(last)}"
    return f"It {way} {ends} as {inside(widest.name)} goes from {widest.low_words} to {widest.high_words}."


def _three(line: RangeLine, measure: Measure) -> list[str]:
    places = (0, len(line.values) // 2, len(line.values) - 1)
    found = [line.values[place] for place in places]
    return ["unknown" if value is None else measure.words(value) for value in found]


def _plot(drawn: list[RangeLine], measure: Measure) -> dict[str, Any]:
    lines = [
        forms.line(
            line.shares, measure.of(line.values), slot, 2.2, dash, size=7, symbol=symbol, name=line.name,
            said=["unknown" if value is None else measure.text(value) for value in line.values],
            hover=f"{line.name}<br>%{{x:.0%}} of its range<br>%{{customdata}}",
        )
        for line, (slot, dash, symbol) in zip(drawn, forms.LINE_STYLES, strict=False)
    ]  # fmt: skip
    return forms.plot(
        lines,
        HEIGHT,
        x=forms.values([0, 0.5, 1], ["low end", "middle of the range", "high end"], [-0.03, 1.03]),
        y=measured_axis([value for line in drawn for value in line.known], measure),
        right=24,
    )
