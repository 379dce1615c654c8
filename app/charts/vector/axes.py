"""Axes of a drawn chart: from values to places in pixels, with ticks, grid and titles."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.charts.format import number
from app.charts.forms.axes import even_ticks, log_ticks
from app.charts.vector.words import LINE, path, text, widest

STANDOFF, TITLE_GAP = 6.0, 6.0
SMALLEST_LABEL = 8.0
LEAST_APART = 4.0
"""Pixels between two labels along an axis; those nearer are left out."""


@dataclass(frozen=True, slots=True)
class Axis:
    """`low` and `high` are its ends as the axis counts: powers of a logarithmic one, places of a category."""

    name: str  # x, x2, y
    look: dict[str, Any]
    kind: str
    low: float
    high: float
    names: tuple[str, ...] = ()
    start: float = 0.0  # pixels of `low`
    end: float = 1.0  # and of `high`

    @property
    def is_x(self) -> bool:
        return self.name.startswith("x")

    @property
    def is_seen(self) -> bool:
        return self.look.get("visible", True) is not False

    def counted(self, value: Any) -> float:
        """A value as the axis counts; nan where it has no place."""
        if isinstance(value, str):
            if self.kind == "category" or value in self.names:
                return float(self.names.index(value)) if value in self.names else math.nan
            try:
                value = float(value)
            except ValueError:
                return math.nan
        if value is None:
            return math.nan
        if self.kind == "log":
            return math.log10(value) if value > 0 else -math.inf
        return float(value)

    def place(self, counted: float) -> float:
        """Pixels of a number as the axis counts."""
        if math.isinf(counted):
            counted = self.low if counted < 0 else self.high
        return self.start + (counted - self.low) / (self.high - self.low) * (self.end - self.start)

    def at(self, value: Any) -> float:
        """Pixels of a value."""
        return self.place(self.counted(value))

    def between(self, start: float, end: float) -> Axis:
        """The same between two places in pixels."""
        return replace(self, start=start, end=end)

    def ticks(self) -> list[tuple[float, str]]:
        """Ticks within its ends, as the axis counts, with their labels."""
        low, high = sorted((self.low, self.high))
        room = 1e-6 * (high - low)
        if self.look.get("showticklabels") is False and self.look.get("tickvals") is None:
            return []
        if self.look.get("tickvals") is not None:
            values = self.look["tickvals"]
            labels = self.look.get("ticktext") or [_short(one) for one in values]
        elif self.kind == "category":
            values, labels = list(self.names), list(self.names)
        elif self.kind == "log":
            values = log_ticks(10**low, 10**high)
            labels = [_short(one) for one in values]
        else:
            values = even_ticks(low, high, self.look.get("nticks") or 6)
            labels = [_short(one) for one in values]
        pairs = [(self.counted(one), str(words)) for one, words in zip(values, labels, strict=False)]
        return [(one, words) for one, words in pairs if low - room <= one <= high + room]

    @property
    def size(self) -> float:
        return float(self.look.get("tickfont", {}).get("size", 12))

    @property
    def title(self) -> str:
        title = self.look.get("title") or ""
        return str(title.get("text", "")) if isinstance(title, dict) else str(title)

    def thickness(self) -> float:
        """Pixels that its labels and its title take beside the chart."""
        if not self.is_seen:
            return 0.0
        labels = [words for _, words in self.ticks() if words]
        if self.look.get("showticklabels") is False:
            labels = []
        if self.is_x:
            high = max((len(words.split("<br>")) for words in labels), default=0) * self.size * LINE
        else:
            high = max((widest(words, self.size) for words in labels), default=0.0)
        title = self.size * LINE + TITLE_GAP if self.title else 0.0
        return (high + self._standoff if labels else 0.0) + title

    @property
    def _standoff(self) -> float:
        return max(float(self.look.get("ticklabelstandoff", 0)), STANDOFF)

    @property
    def is_far(self) -> bool:
        """Whether it stands above, or to the right."""
        return self.look.get("side") in ("top", "right")

    def grid(self, across: Axis) -> list[str]:
        """Lines of the grid, and the line on which the chart stands."""
        if not self.is_seen:
            return []
        found = []
        a, b = across.start, across.end
        if self.look.get("showgrid") is not False and self.look.get("gridcolor"):
            found += [self._line(self.place(one), a, b, self.look["gridcolor"], 1) for one, _ in self.ticks()]
        if self.look.get("showline") and self.look.get("linecolor"):
            at = min(a, b) if (self.is_far == self.is_x) else max(a, b)
            width = float(self.look.get("linewidth", 1))
            found.append(
                path(f"M{self.start:.1f},{at:.1f} H{self.end:.1f}", self.look["linecolor"], width)
                if self.is_x
                else path(f"M{at:.1f},{self.start:.1f} V{self.end:.1f}", self.look["linecolor"], width)
            )
        return found

    def _line(self, at: float, a: float, b: float, colour: str, width: float) -> str:
        moves = f"M{at:.1f},{a:.1f} V{b:.1f}" if self.is_x else f"M{a:.1f},{at:.1f} H{b:.1f}"
        return path(moves, colour, width)

    def labels(self, edge: float) -> list[str]:
        """Labels and title, outwards from an edge of the chart in pixels."""
        if not self.is_seen:
            return []
        found: list[str] = []
        colour = self.look.get("tickfont", {}).get("color", "#000")
        out = (-1 if self.is_far else 1) if self.is_x else (1 if self.is_far else -1)
        taken: list[tuple[float, float]] = []
        ticks = [] if self.look.get("showticklabels") is False else self.ticks()
        size = self._fitting(ticks)
        for one, words in self._outermost_first(ticks):
            at = self.place(one)
            if not words or not math.isfinite(at):
                continue
            half = (widest(words, size) if self.is_x else size * LINE) / 2
            if any(
                at - half < b + LEAST_APART * self.is_x and at + half > a - LEAST_APART * self.is_x
                for a, b in taken
            ):
                continue
            taken.append((at - half, at + half))
            beside = edge + out * self._standoff
            if self.is_x:
                down = "bottom" if self.is_far else "top"
                found += text(words, at, beside, size=size, colour=colour, down=down)
            else:
                found += text(
                    words, beside, at, size=size, colour=colour, across="start" if self.is_far else "end"
                )
        return found + self._title(edge, out)

    def _fitting(self, ticks: Sequence[tuple[float, str]]) -> float:
        """The size of labels: every name of a category is shown, in smaller letters where rows are low."""
        if self.is_x or self.kind != "category" or len(ticks) < 2:
            return self.size
        pitch = abs(self.place(1.0) - self.place(0.0))
        return min(self.size, max(pitch / LINE, SMALLEST_LABEL))

    def _outermost_first(self, ticks: Sequence[tuple[float, str]]) -> Iterable[tuple[float, str]]:
        """The ends hold the unit: they are kept where labels would lie on each other."""
        return [*ticks[-1:], *ticks[:-1]]

    def _title(self, edge: float, out: int) -> list[str]:
        if not self.title:
            return []
        title = self.look["title"]
        font = title.get("font", {}) if isinstance(title, dict) else {}
        colour = font.get("color", self.look.get("tickfont", {}).get("color", "#000"))
        middle, far = (self.start + self.end) / 2, edge + out * self.thickness()
        size = self.size
        if self.is_x:
            return text(
                self.title, middle, far, size=size, colour=colour, down="bottom" if out > 0 else "top"
            )
        return text(self.title, far - out * size * LINE / 2, middle, size=size, colour=colour, turned=-90)


def _short(value: Any) -> str:
    return number(value) if isinstance(value, int | float) else str(value)


def read_axis(
    name: str, look: dict[str, Any], values: Sequence[Any], bars_to: Sequence[float], zero: bool
) -> Axis:
    """The axis of some values.

    Parameters
    ----------
    values : that are drawn along it
    bars_to : ends of bars, which begin at zero
    zero : whether bars stand across it, each with half a place on either side
    """
    kind = look.get("type") or _kind(values, look)
    names: tuple[str, ...] = ()
    if kind == "category":
        stated = [str(one) for one in look.get("categoryarray") or ()]
        names = tuple(dict.fromkeys([*stated, *(str(one) for one in values if one is not None)]))
    axis = Axis(name, look, kind, 0.0, 1.0, names)
    extent = look.get("range")
    if (
        extent
        and None not in extent
        and not (kind == "category" and any(isinstance(one, str) for one in extent))
    ):
        return replace(axis, low=float(extent[0]), high=float(extent[1]))
    if kind == "category":
        low, high = -0.5, len(names) - 0.5
    else:
        found = [axis.counted(one) for one in (*values, *bars_to)]
        known = [one for one in found if math.isfinite(one)]
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        if bars_to and kind == "linear":
            low, high = min(low, 0.0), max(high, 0.0)
        step = _step(known) if zero else 0.0
        room = step / 2 if zero else 0.05 * ((high - low) or abs(high) or 1.0)
        low, high = low - (room if not bars_to or low < 0 else 0), high + room
        if not high > low:
            low, high = low - 0.5, high + 0.5
    if look.get("autorange") == "reversed":
        low, high = high, low
    return replace(axis, low=low, high=high)


def _step(known: Sequence[float]) -> float:
    places = sorted(set(known))
    return min((b - a for a, b in itertools.pairwise(places)), default=1.0)


def _kind(values: Sequence[Any], look: dict[str, Any]) -> str:
    if look.get("categoryarray"):
        return "category"
    return "category" if any(isinstance(one, str) for one in values) else "linear"
