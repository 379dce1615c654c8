"""From one figure to another in steps, as a horizontal waterfall: what carbon and differences are drawn with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.charts.figure import Column, Figure, Kind, Mark, Row
from app.charts.format import MINUS, Measure, Shown, in_currency, rounded
from app.charts.forms import Step, narrow_waterfall, waterfall
from app.exchange import DOLLAR

ROW_HEIGHT = 30
MEASURES = {
    "kg": ((1e7, 1e6, "kt"), (1e4, 1e3, "t")),
    "USD": ((1e9, 1e9, "billion"), (1e6, 1e6, "M")),
}
"""From how much on a figure is shown in a larger measure, by unit."""


class Level(NamedTuple):
    """A figure that is reached: a bar from zero."""

    title: str
    value: float
    slot: str = "text-2"


class Change(NamedTuple):
    """A step from where the bars stand; `kind` is one of the kinds of the figure."""

    title: str
    amount: float
    kind: str


class Scale(Measure):
    """Amounts with a sign."""

    __slots__ = ()

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


Steps = Sequence[Level | Change]


def scale_of(largest: float, unit: str) -> Scale:
    """The measure for figures up to so much.

    >>> scale_of(5e7, "kg").unit, scale_of(2.5, "USD").divisor
    ('kt', 1.0)
    """
    if unit == DOLLAR:
        return Scale(*in_currency(MEASURES[unit], largest))
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

    `least_rows` is how many another chart alongside it has: both are as high.
    """
    scale = scale_of(max(abs(step.end) for step in _drawn(steps, Scale(1.0, ""), kinds)), unit)
    drawn = _drawn(steps, scale, kinds)
    used = {step.kind for step in steps if isinstance(step, Change)}
    return Figure(
        name=name,
        eyebrow=f"{eyebrow}, {scale.unit}",
        takeaway=takeaway,
        caption=caption,
        columns=(
            Column.words("Step"), Column.words("Kind"), Column("Amount", scale.unit), Column("Share", "%"),
        ),
        rows=tuple(_row(step, scale, kinds, share_of) for step in steps),
        legend=tuple(Mark(kind.slot, kind.label) for key, kind in kinds.items() if key in used),
        plot=waterfall(drawn, scale.unit, 48 + ROW_HEIGHT * max(len(drawn), least_rows)),
        narrow=narrow_waterfall(drawn, scale.unit),
    )  # fmt: skip


def _drawn(steps: Steps, scale: Scale, kinds: Mapping[str, Kind]) -> list[Step]:
    drawn, at = [], 0.0
    for step in steps:
        if isinstance(step, Level):
            start, at, words = 0.0, step.value, scale.words(step.value)
            slot, kind = step.slot, ""
        else:
            start, at, words = at, at + step.amount, scale.signed(step.amount)
            slot, kind = kinds[step.kind].slot, f", {kinds[step.kind].label}"
        said = f"{Shown(words, scale.unit).text}{kind}"
        drawn.append(Step(step.title, start / scale.divisor, at / scale.divisor, slot, words, said, not kind))
    return drawn


def _row(step: Level | Change, scale: Scale, kinds: Mapping[str, Kind], share_of: float) -> Row:
    if isinstance(step, Level):
        return Row((step.title, "", scale.words(step.value), ""), total=True)
    share = f"{100 * step.amount / share_of:.1f}".replace("-", MINUS) if share_of else ""
    kind = kinds[step.kind]
    return Row((step.title, kind.label, scale.signed(step.amount), share), slot=kind.slot)
