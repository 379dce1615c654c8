"""Total cost of ownership over the life of the pod, as a waterfall."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Kind, Mark, Row, get_path, unknown_figure
from app.charts.format import Measure, Shown, in_currency, number, percent, show
from app.charts.forms import Step, narrow_waterfall, waterfall

EYEBROW = "Total cost of ownership"
BREAKDOWN = "cost.tco_breakdown_usd"
ROW_HEIGHT = 27


class Item(NamedTuple):
    name: str
    label: str
    group: str
    value: float


class Scale(Measure):
    """Amounts of money."""

    __slots__ = ()

    def words(self, value: float) -> str:
        """Integers from a hundred upwards, else three digits."""
        scaled = value / self.divisor
        return number(round(scaled)) if abs(scaled) >= 99.5 else number(scaled)


KINDS = {
    "up_front": Kind("Up front", "c1"),
    "running": Kind("Running", "c2"),
    "capital": Kind("Capital cost", "c5"),
    "resale": Kind("Resale", "c3"),
}
GROUPS = {
    "colocation": "running",
    "energy": "running",
    "upkeep": "running",
    "staff": "running",
    "engineers": "running",
    "capital_cost": "capital",
    "resale": "resale",
}


def tco_figure(evaluation: dict[str, Any]) -> Figure:
    """Horizontal waterfall: what is bought, what it costs to run, what the money costs, what comes back."""
    breakdown = get_path(evaluation, BREAKDOWN)
    total = get_path(evaluation, "cost.tco_usd")
    caption = _caption(evaluation)
    known = isinstance(breakdown, dict) and breakdown and None not in (total, *breakdown.values())
    if not known:
        return unknown_figure("tco", EYEBROW, caption, "The total cost is unknown.")
    scale = money_scale(total)
    items = [
        Item(name, _label(name), _group(name), value)
        for name, value in breakdown.items()
        if abs(value) >= abs(total) * 5e-4
    ]
    items.sort(key=lambda item: list(KINDS).index(item.group))
    sums = {kind: [item.value for item in items if item.group == kind] for kind in KINDS}
    steps = _steps(items, total, scale)
    return Figure(
        name="tco",
        eyebrow=f"{EYEBROW}, {scale.unit}",
        takeaway=_takeaway(items, total),
        caption=caption,
        columns=(
            Column.words("Item"), Column.words("Kind"), Column("Cost", scale.unit), Column("Share", "%"),
        ),
        rows=(
            *(_row(name, value, total, scale) for name, value in breakdown.items()),
            Row(("Total", "", scale.words(total), "100"), path="cost.tco_usd", total=True),
        ),
        legend=tuple(
            Mark(kind.slot, kind.label, scale.words(sum(sums[group])))
            for group, kind in KINDS.items()
            if sums[group]
        ),
        plot=waterfall(steps, scale.unit, 48 + ROW_HEIGHT * len(steps)),
        narrow=narrow_waterfall(steps, scale.unit),
    )  # fmt: skip


def money_scale(total: float) -> Scale:
    """Millions, thousands or single units of the currency of the reader."""
    return Scale(*in_currency(((1e6, 1e6, "M"), (1e3, 1e3, "k")), total))


def _caption(evaluation: dict[str, Any]) -> str:
    years = get_path(evaluation, "inputs.economics.life_years")
    life = f"Over {number(years)} years. " if years else ""
    return f"{life}Bought, not rented; purchase prices are estimates."


def _label(name: str) -> str:
    text = name.removesuffix("_usd").replace("_", " ")
    return text[0].upper() + text[1:]


def _group(name: str) -> str:
    """What is not running cost, interest or resale is bought at the start."""
    return GROUPS.get(name, "up_front")


def _takeaway(items: list[Item], total: float) -> str:
    largest = max(items, key=lambda item: item.value)
    energy = sum(item.value for item in items if item.name == "energy")
    text = f"{largest.label} is {percent(round(largest.value / total, 3)).text} of {show(total, 'USD').text}"
    if energy and largest.name != "energy":
        text += f"; energy is {percent(energy / total).text}"
    return f"{text}."


def _row(name: str, value: float, total: float, scale: Scale) -> Row:
    share = number(round(100 * value / total, 1)) if total else "n/a"
    return Row(
        (_label(name), KINDS[_group(name)].label, scale.words(value), share), path=f"{BREAKDOWN}.{name}"
    )


def _steps(items: list[Item], total: float, scale: Scale) -> list[Step]:
    steps, at = [], 0.0
    for item in items:
        words, kind = scale.words(item.value), KINDS[item.group]
        start, at = at, round(at + item.value / scale.divisor, 4)
        steps.append(
            Step(item.label, start, at, kind.slot, words, f"{Shown(words, scale.unit).text}, {kind.label}")
        )
    whole = scale.text(total)
    return [*steps, Step("Total", 0.0, total / scale.divisor, "text-2", whole, whole, total=True)]
