"""Total cost of ownership over the life of the pod, as a waterfall."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    at,
    layout,
    name_axis,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import WIDE_SPACE, number, percent, show

EYEBROW = "Total cost of ownership"
BREAKDOWN = "cost.tco_breakdown_usd"
ROW_HEIGHT = 27


class Item(NamedTuple):
    name: str
    label: str
    group: str
    value: float


class Kind(NamedTuple):
    label: str
    slot: str


class Scale(NamedTuple):
    """The prefix that all amounts of one chart share."""

    divisor: float
    unit: str

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
    breakdown = at(evaluation, BREAKDOWN)
    total = at(evaluation, "cost.tco_usd")
    caption = _caption(evaluation)
    if (
        not isinstance(breakdown, dict)
        or not breakdown
        or total is None
        or any(v is None for v in breakdown.values())
    ):
        return unknown_figure("tco", EYEBROW, caption, "The total cost is unknown.")
    scale = money_scale(total)
    items = [
        Item(name, _label(name), _group(name), value)
        for name, value in breakdown.items()
        if abs(value) >= abs(total) * 5e-4
    ]
    items.sort(key=lambda item: list(KINDS).index(item.group))
    height = 48 + ROW_HEIGHT * (len(items) + 1)
    return Figure(
        name="tco",
        eyebrow=f"{EYEBROW}, {scale.unit}",
        takeaway=_takeaway(items, total),
        caption=caption,
        height=height,
        columns=(Column(name="Item", numeric=False), Column(name="Kind", numeric=False),
                 Column(name="Cost", unit=scale.unit), Column(name="Share", unit="%")),
        rows=(
            *(
                Row(
                    cells=(_label(name), KINDS[_group(name)].label, scale.words(value),
                           number(round(100 * value / total, 1)) if total else "n/a"),
                    path=f"{BREAKDOWN}.{name}",
                )
                for name, value in breakdown.items()
            ),
            Row(cells=("Total", "", scale.words(total), "100"), path="cost.tco_usd", total=True),
        ),
        legend=tuple(
            Mark(
                slot=kind.slot,
                label=kind.label,
                value=scale.words(sum(item.value for item in items if item.group == group)),
            )
            for group, kind in KINDS.items()
            if any(item.group == group for item in items)
        ),
        plot=_plot(items, total, scale, height),
        narrow={f"annotations.{len(items)}.text": f"<b>{scale.words(total)}</b>"},
    )  # fmt: skip


def money_scale(total: float) -> Scale:
    """Millions, thousands or single dollars."""
    if abs(total) >= 1e6:
        return Scale(1e6, f"M{WIDE_SPACE}USD")
    return Scale(1e3, f"k{WIDE_SPACE}USD") if abs(total) >= 1e3 else Scale(1.0, "USD")


def _caption(evaluation: dict[str, Any]) -> str:
    years = at(evaluation, "inputs.economics.life_years")
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


def _plot(items: list[Item], total: float, scale: Scale, height: int) -> dict[str, Any]:
    names = [*(item.label for item in items), "Total"]
    starts, running = [], 0.0
    for item in items:
        starts.append(running / scale.divisor)
        running += item.value
    ends = [start + item.value / scale.divisor for start, item in zip(starts, items, strict=True)]
    peak = max([*ends, total / scale.divisor]) * 1.14
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": names[:-1],
        "x": [item.value / scale.divisor for item in items],
        "base": starts,
        "width": 0.55,
        "marker": {"color": [token(KINDS[item.group].slot) for item in items]},
        "customdata": [[scale.words(item.value), KINDS[item.group].label] for item in items],
        "hovertemplate": f"%{{y}}<br>%{{customdata[0]}}{WIDE_SPACE}{scale.unit}, %{{customdata[1]}}"
        "<extra></extra>",
    }
    whole = {
        "type": "bar",
        "orientation": "h",
        "y": ["Total"],
        "x": [total / scale.divisor],
        "width": 0.55,
        "marker": {"color": token("text-2")},
        "hovertemplate": f"Total<br>{scale.words(total)}{WIDE_SPACE}{scale.unit}<extra></extra>",
    }
    steps = [
        {"type": "line", "x0": end, "x1": end, "y0": position + 0.28, "y1": position + 0.72,
         "line": {"color": token("axis"), "width": 1}}
        for position, end in enumerate(ends)
    ]  # fmt: skip
    annotations = [
        {"x": max(start, end), "y": item.label, "text": scale.words(item.value), "xanchor": "left", "xshift": 5,
         "showarrow": False, "font": {"size": 12, "color": token("text-2")}}
        for item, start, end in zip(items, starts, ends, strict=True)
    ]  # fmt: skip
    annotations.append(
        {"x": total / scale.divisor, "y": "Total", "text": f"<b>{scale.words(total)}{WIDE_SPACE}{scale.unit}</b>",
         "xanchor": "left", "xshift": 5, "showarrow": False, "font": {"size": 12, "color": token("text")}}
    )  # fmt: skip
    ticks = round_ticks(peak, wanted=4)
    return {
        "data": [bars, whole],
        "layout": layout(
            height,
            margin={"l": 8, "r": 16, "t": 4, "b": 8},
            xaxis=value_axis(ticks, [number(tick) for tick in ticks], [0, peak]),
            yaxis=name_axis(names),
            shapes=steps,
            annotations=annotations,
        ),
    }
