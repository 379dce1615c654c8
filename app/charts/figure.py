"""Figure: plot, takeaway and the same data as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from app.charts import forms


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


class Kind(NamedTuple):
    """What several marks of a chart are, and their colour."""

    label: str
    slot: str


@dataclass(frozen=True, slots=True)
class Act:
    """A button of a detail: it adds a value to a field of the page, whose form is then sent."""

    label: str
    field: str
    value: str


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
    acts: tuple[Act, ...] = ()  # the first is done when the part is clicked in the plot


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


def table(
    items: Iterable[Any],
    *columns: tuple[Column, Callable[[Any], str]],
    after: Sequence[Row] = (),
    **of_a_row: Callable[[Any], Any],
) -> dict[str, Any]:
    """The columns and rows of a figure: each column with what it says of an item, and a row an item.

    Parameters
    ----------
    after : rows below, such as the total
    of_a_row : the path, slot or total of the row of an item
    """
    rows = (
        Row(tuple(cell(item) for _, cell in columns), **{name: part(item) for name, part in of_a_row.items()})
        for item in items
    )
    return {"columns": tuple(column for column, _ in columns), "rows": (*rows, *after)}


def line_marks(names: Sequence[str]) -> tuple[Mark, ...]:
    """The legend of lines in the styles of their places; those that look like the last one share its entry."""
    most = len(forms.LINE_STYLES)
    shown = [*names[: most - 1], *([", ".join(names[most - 1 :])] if len(names) >= most else [])]
    return tuple(Mark(forms.style(place)[0], name) for place, name in enumerate(shown))


def unknown_figure(name: str, eyebrow: str, caption: str, missing: str) -> Figure:
    """The empty state of a figure: what it would show, and what is not known."""
    return Figure(
        name=name, eyebrow=eyebrow, takeaway=missing, caption=caption, columns=(), rows=(), plot=None
    )


def get_path(evaluation: Any, path: str) -> Any:
    """The value at a dotted path of an evaluation, None where there is none.

    >>> get_path({"cost": {"tco_usd": 1.0}}, "cost.tco_usd"), get_path({}, "cost.tco_usd")
    (1.0, None)
    """
    for name in path.split("."):
        evaluation = evaluation.get(name) if isinstance(evaluation, dict) else None
    return evaluation


def estimated_words(evaluation: dict[str, Any], path: str) -> str:
    """Badge of a figure that rests on accepted estimates; "" of any other."""
    labels = [one["label"] for one in evaluation.get("estimates", ()) if path in one["affects"]]
    return f"Rests on accepted estimates: {'; '.join(labels)}" if labels else ""


def is_rent_only(evaluation: dict[str, Any], path: str) -> bool:
    """Return whether a cost of owning is unknown because the hardware is for rent only."""
    return any(
        problem["constraint"] == "rent_only" and path in problem["affects"]
        for problem in evaluation.get("problems", ())
    )
