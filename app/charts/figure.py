"""What every figure gives: the plot, what it says, and the same data as a table."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

FONT = "Inter, system-ui, sans-serif"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    unit: str = ""
    numeric: bool = True

    @classmethod
    def words(cls, name: str) -> Column:
        """A column of names or other words."""
        return cls(name, numeric=False)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a figure's table, already in words. `path` leads to an explanation."""

    cells: tuple[str, ...]
    path: str = ""
    slot: str = ""  # palette slot of the mark it stands for
    total: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """An entry of the legend above a plot."""

    slot: str
    label: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """What opens beside a plot when one of its parts is chosen; `details` open from inside it.

    A part that can be chosen is a point of a trace with `meta` "choosable" and `customdata` of its
    title, its subtitle and the position of its detail.
    """

    title: str
    subtitle: str
    note: str = ""
    plot: dict[str, Any] | None = None
    facts: tuple[tuple[str, str], ...] = ()
    details: tuple[Detail, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart with its words. `plot` None means that what it would draw is unknown.

    Colours in `plot` are names of theme tokens, "var(--c1)", which the page replaces by the
    current theme's. `narrow` overrides parts of the layout on small screens, by dotted name.
    """

    name: str
    eyebrow: str
    takeaway: str
    caption: str
    height: int = 0  # that of the plot where none is given
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    plot: dict[str, Any] | None
    narrow: dict[str, Any] = field(default_factory=dict)
    legend: tuple[Mark, ...] = ()
    legend_rows: tuple[Row, ...] = ()  # a table that stays visible beside the plot as its legend
    legend_columns: tuple[Column, ...] = ()
    details: tuple[Detail, ...] = ()
    hint: str = ""
    minimum_width: int = 0

    def __post_init__(self) -> None:
        if self.plot and not self.height:
            object.__setattr__(self, "height", self.plot["layout"]["height"])


def figure_json(figure: Figure) -> dict[str, Any]:
    """The figure as plain JSON values, with the names of its fields."""
    return asdict(figure)


def token(name: str) -> str:
    """A colour of the theme, filled in where the figure is drawn."""
    return f"var(--{name})"


def layout(height: int, **changes: Any) -> dict[str, Any]:
    """What all plots share: no frame, no title, no legend, nothing that moves."""
    return {
        "height": height,
        "autosize": True,
        "font": {"family": FONT, "size": 12, "color": token("text-2")},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "showlegend": False,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {
            "bgcolor": token("bg-raised"),
            "bordercolor": token("line-strong"),
            "font": {"family": FONT, "size": 12, "color": token("text")},
            "align": "left",
        },
        "uirevision": "constant",
        **changes,
    }


def value_axis(ticks: list[float], labels: list[str], extent: list[float], **changes: Any) -> dict[str, Any]:
    """An axis of values: a thin grid, four to six labels, the unit on the outermost."""
    return {
        "range": extent,
        "tickvals": ticks,
        "ticktext": labels,
        "tickfont": {"size": 12, "color": token("text-3")},
        "gridcolor": token("grid"),
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "fixedrange": True,
        "automargin": True,
        **changes,
    }


def name_axis(names: list[str], **changes: Any) -> dict[str, Any]:
    """An axis of names, read from the top, standing on the base line of the values."""
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": names,
        "autorange": "reversed",
        "tickfont": {"size": 12, "color": token("text-2")},
        "showgrid": False,
        "zeroline": False,
        "showline": True,
        "linecolor": token("axis"),
        "linewidth": 1,
        "ticks": "",
        "ticklabelstandoff": 6,
        "fixedrange": True,
        "automargin": True,
        **changes,
    }


def blank_axis(extent: list[float], **changes: Any) -> dict[str, Any]:
    """An axis for drawings: no line, no labels."""
    return {"range": extent, "visible": False, "fixedrange": True, **changes}


def round_ticks(largest: float, wanted: int = 5) -> list[float]:
    """About `wanted` round values from nought up to `largest`.

    >>> round_ticks(6.48)
    [0.0, 2.0, 4.0, 6.0]
    """
    if largest <= 0:
        return [0.0]
    power = 1.0
    while power * 10 <= largest / wanted:
        power *= 10
    while power > largest / wanted:
        power /= 10
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * (wanted + 0.5) >= largest)
    count = int(largest / step * (1 + 1e-9))
    return [round(step * position, 12) for position in range(count + 1)]


def even_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values between two others, however far they are from nought.

    >>> even_ticks(61, 78), even_ticks(0.5, 0.5)
    ([65.0, 70.0, 75.0], [0.5])
    """
    if not high > low:
        return [low]
    step = 10.0 ** math.floor(math.log10(high - low))
    wanted = [step * part for part in (0.1, 0.2, 0.5, 1, 2, 5)]
    step = next((one for one in wanted if (high - low) / one <= most), wanted[-1])
    count = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [round(step * place, 12) for place in count]


def unknown_figure(name: str, eyebrow: str, caption: str, missing: str) -> Figure:
    """The empty state of a figure: what it would show, and what is not known."""
    return Figure(
        name=name, eyebrow=eyebrow, takeaway=missing, caption=caption, columns=(), rows=(), plot=None
    )


def at(evaluation: Any, path: str) -> Any:
    """The value at a dotted path of an evaluation, None where there is none.

    >>> at({"cost": {"tco_usd": 1.0}}, "cost.tco_usd"), at({}, "cost.tco_usd")
    (1.0, None)
    """
    for name in path.split("."):
        evaluation = evaluation.get(name) if isinstance(evaluation, dict) else None
    return evaluation


def estimated_words(evaluation: dict[str, Any], path: str) -> str:
    """What a badge says of a figure that rests on accepted estimates; "" of any other."""
    labels = [one["label"] for one in evaluation.get("estimates", ()) if path in one["affects"]]
    return f"Rests on accepted estimates: {'; '.join(labels)}" if labels else ""


def is_rent_only(evaluation: dict[str, Any], path: str) -> bool:
    """Whether a figure of owning is open since nobody can buy what it is of."""
    return any(
        problem["constraint"] == "rent_only" and path in problem["affects"]
        for problem in evaluation.get("problems", ())
    )
