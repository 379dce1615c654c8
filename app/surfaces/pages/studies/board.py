"""The board: candidates as columns, their figures as rows, what differs from the base, and the charts of
both."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.charts.figure import Figure
from app.charts.format import Shown, number, one_prefix, percent, show, show_computed, signed_percent
from app.charts.studies.board import (
    DAY_S,
    OTHER,
    SLOTS,
    Bar,
    Point,
    multiple_figure,
    slots_of,
    trade_off_figure,
)
from app.scenarios.study.candidates import MOST_CHOSEN
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.explore.supernode_sizes import size_figures
from app.surfaces.pages.studies.asking import TERMS
from app.surfaces.pages.studies.columns import keys_of
from app.surfaces.pages.studies.differing import Difference, differences_of
from app.views.study.columns import CHOICES, FIGURE, FIGURES, FigureColumn, StudyFigure
from app.views.study.report import StudyAnswer, StudyRow

USUAL_COLUMNS = 5
"""Shown where none were kept by hand: the best ones."""
MULTIPLES = ("time_s", "tco_usd", "capex_usd", "meter_power_w", "carbon_kg", "mfu")
SAME = 5e-4
"""Share by which a figure differs from that of the base to count as another."""
LETTERS = "ABCDEFGHIJKL"
CAPTION = (
    "Each choice at its mean effect over all orders in which the choices could be made; they add up exactly."
)


class Cell(NamedTuple):
    """A figure of a column; `change` is against the base, `sense` whether it is better or worse."""

    shown: Shown
    between: str
    change: str
    sense: str
    comments: int
    place: str  # of a comment on it


class Line(NamedTuple):
    """A row of the board; `alike` where no column differs from the base."""

    key: str
    title: str
    cells: tuple[Cell, ...]
    alike: bool
    effect: float


class Kept(NamedTuple):
    """A limit of a column in words."""

    title: str
    words: str
    probability: str
    kept: bool
    binds: bool
    change: str


class BoardColumn(NamedTuple):
    row: StudyRow
    letter: str
    slot: str
    name: str
    below: str  # site, network and terms
    is_base: bool
    is_kept: bool
    is_chosen: bool  # by the decision
    limits: tuple[Kept, ...]
    probability: str


class Ranked(NamedTuple):
    """A line of the list of candidates."""

    row: StudyRow
    name: str
    below: str
    figures: tuple[Shown, ...]
    probability: str
    binds: str
    letter: str  # of its column, "" where it has none
    brush: tuple[float, ...]  # cost, time, power, carbon, risk; NaN where unknown
    slot: str  # colour of its system


class Brush(NamedTuple):
    """A figure that the list can be narrowed by, from its least to its most; `factor` is that of the unit
    shown."""

    label: str
    low: float
    high: float
    unit: str
    factor: float

    @property
    def narrows(self) -> bool:
        """Return whether candidates differ in it."""
        return self.low < self.high

    @property
    def low_text(self) -> str:
        return number(self.low / self.factor)

    @property
    def high_text(self) -> str:
        return number(self.high / self.factor)


class Board(NamedTuple):
    answer: StudyAnswer
    columns: tuple[BoardColumn, ...]
    choices: tuple[Line, ...]
    figures: tuple[Line, ...]
    multiples: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    ranked: tuple[Ranked, ...]
    ranked_titles: tuple[str, ...]
    brushes: tuple[Brush, ...]
    trade_off: Figure
    sizes: tuple[Figure, ...]
    sizes_found: tuple[str, ...]

    @property
    def base(self) -> BoardColumn | None:
        return next((column for column in self.columns if column.is_base), None)


def board_of(answer: StudyAnswer, document: StudyDocument, comments: Mapping[str, int]) -> Board:
    """The board of an answer; `comments` are open ones by the place of their cell."""
    rows, base_key = _chosen_rows(answer, document), _base_key(answer, document)
    base = next((row for row in rows if row.key == base_key), rows[0] if rows else None)
    kept = _kept_keys(answer, document)
    columns = tuple(
        BoardColumn(
            row=row,
            letter=LETTERS[place],
            slot=SLOTS[place] if place < len(SLOTS) else OTHER,
            name=name_of(row, document),
            below=_below(row),
            is_base=row is base,
            is_kept=row.key in kept,
            is_chosen=document.decision.chosen in (row.key, name_of(row, document))
            if document.decision.chosen
            else False,
            limits=_limits(row),
            probability=_probability(row.probability),
        )
        for place, row in enumerate(rows)
    )
    letters = {column.row.key: column.letter for column in columns}
    points = [_point(row, document) for row in answer.rows if row.feasible]
    slots = slots_of(points)
    return Board(
        answer=answer,
        columns=columns,
        choices=tuple(_choice_line(choice.key, choice.title, columns, comments) for choice in CHOICES),
        figures=_figure_lines(columns, base, comments),
        multiples=tuple(_multiple(FIGURE[key], columns) for key in MULTIPLES if _is_known(key, columns)),
        differences=differences_of(answer, columns, document),
        ranked=tuple(_ranked(row, document, letters, slots) for row in answer.rows),
        ranked_titles=tuple(FIGURE[key].title for key in RANKED),
        brushes=_brushes(points),
        trade_off=trade_off_figure(points, cost_limit=_limit(document.limits.tco_usd), time_limit=_limit(document.limits.finish_within_days) * DAY_S),
        sizes=tuple(size_figures(answer.sizes)) if answer.sizes else (),
        sizes_found=tuple(answer.sizes.findings) if answer.sizes else (),
    )  # fmt: skip


RANKED = ("tco_usd", "time_s", "capex_usd", "meter_power_w", "carbon_kg")


def name_of(row: StudyRow, document: StudyDocument) -> str:
    """Name of a column kept by hand, else what it is."""
    column = next((one for one in document.chosen if row.key in keys_of(one, document)), None)
    if column is not None:
        return column.name
    return f"{row.supernodes:,} {row.system_name}" if row.supernodes else row.key


def found_rows(rows: Sequence[StudyRow], document: StudyDocument) -> tuple[Ranked, ...]:
    """Rows of a search that goes on."""
    return tuple(_ranked(row, document, {}, {}) for row in rows)


def _chosen_rows(answer: StudyAnswer, document: StudyDocument) -> list[StudyRow]:
    """Columns kept by hand, else the best; the base is always among them."""
    kept = _kept_keys(answer, document)
    rows = [row for row in answer.rows if row.key in kept]
    if not rows:
        rows = [row for row in answer.rows if row.is_answer][:USUAL_COLUMNS] or list(
            answer.rows[:USUAL_COLUMNS]
        )
    base = next((row for row in answer.rows if row.key == _base_key(answer, document)), None)
    if base is not None and base not in rows:
        rows = [base, *rows]
    return rows[:MOST_CHOSEN]


def _kept_keys(answer: StudyAnswer, document: StudyDocument) -> set[str]:
    wanted = [keys_of(one, document) for one in document.chosen]
    return {row.key for row in answer.rows if any(row.key in keys for keys in wanted)}


def _base_key(answer: StudyAnswer, document: StudyDocument) -> str:
    """The column that the study names, else that of the answer."""
    column = next((one for one in document.chosen if one.name == document.base), None)
    keys = keys_of(column, document) if column else frozenset()
    return next((row.key for row in answer.rows if row.key in keys), answer.base)


def _below(row: StudyRow) -> str:
    words = [row.site_name or row.site, row.network, TERMS.get(row.terms, row.terms)]  # type: ignore[call-overload]
    return ", ".join(word for word in words if word)


def _limits(row: StudyRow) -> tuple[Kept, ...]:
    return tuple(
        Kept(
            title=one.title,
            words=f"{_show(one.value, one.unit).text} of {_bound(one.bound, one.unit).text}",
            probability=_probability(one.probability),
            kept=one.kept,
            binds=one.binds,
            change=one.change,
        )
        for one in row.limits
    )


def _probability(value: float) -> str:
    return percent(value).text if math.isfinite(value) else "unknown"


def _bound(value: float, unit: str) -> Shown:
    """A limit as it was stated: 21 days, not the 20.9 that three digits of its seconds are."""
    return _show(value, unit) if unit == "months" else show(value, unit)


def _show(value: float, unit: str) -> Shown:
    if not math.isfinite(value):
        return Shown("unknown")
    return Shown(f"{value:,.1f}", "months") if unit == "months" else show_computed(value, unit)


def _choice_line(key: str, title: str, columns: Sequence[BoardColumn], comments: Mapping[str, int]) -> Line:
    words = [_choice(column.row, key) for column in columns]
    cells = tuple(
        Cell(Shown(word), "", "", "", comments.get(place, 0), place)
        for word, place in zip(words, (f"{column.row.key}/{key}" for column in columns), strict=True)
    )
    return Line(key, title, cells, len(set(words)) < 2, 0.0)


def _choice(row: StudyRow, key: str) -> str:
    match key:
        case "system":
            return row.system_name
        case "site":
            return row.site_name or row.site
        case "terms":
            return TERMS.get(row.terms, row.terms)  # type: ignore[call-overload, no-any-return]
        case "supernodes" | "domain_size":
            return number(getattr(row, key)) if getattr(row, key) else "n/a"
        case _:
            return str(getattr(row, key)) or "n/a"


def _figure_lines(
    columns: Sequence[BoardColumn], base: StudyRow | None, comments: Mapping[str, int]
) -> tuple[Line, ...]:
    """Figures that any column has, the one that differs most from the base first."""
    lines = []
    for figure in FIGURES:
        if not _is_known(figure.key, columns):
            continue
        of_base = _value(base, figure.key) if base else math.nan
        cells = tuple(_cell(column, figure, of_base, comments) for column in columns)
        effect = max((_apart(_value(column.row, figure.key), of_base) for column in columns), default=0.0)
        lines.append(Line(figure.key, figure.title, cells, effect < SAME, effect))
    return tuple(sorted(lines, key=lambda line: -line.effect))


def _cell(column: BoardColumn, figure: FigureColumn, of_base: float, comments: Mapping[str, int]) -> Cell:
    found = column.row.figures.get(figure.key)
    value = found.value if found else math.nan
    change, sense = "", ""
    if not column.is_base and math.isfinite(value) and math.isfinite(of_base) and of_base:
        share = value / of_base - 1
        if abs(share) >= SAME:
            change = signed_percent(share)
            sense = "better" if (share < 0) == (figure.better == "less") else "worse"
    between = ""
    if found and math.isfinite(found.low) and found.low < found.high:
        between = f"{_show(found.low, figure.unit).text} to {_show(found.high, figure.unit).text}"
    place = f"{column.row.key}/{figure.key}"
    return Cell(_show(value, figure.unit), between, change, sense, comments.get(place, 0), place)


def _apart(value: float, base: float) -> float:
    """How far a figure is from that of the base, as a ratio on a logarithmic scale."""
    if not (math.isfinite(value) and math.isfinite(base)) or value <= 0 or base <= 0:
        return 0.0
    return abs(math.log(value / base))


def _value(row: StudyRow | None, key: str) -> float:
    found: StudyFigure | None = row.figures.get(key) if row else None
    return found.value if found else math.nan


def _is_known(key: str, columns: Sequence[BoardColumn]) -> bool:
    return any(math.isfinite(_value(column.row, key)) for column in columns)


def _multiple(figure: FigureColumn, columns: Sequence[BoardColumn]) -> Figure:
    bars = []
    for column in columns:
        found = column.row.figures.get(figure.key) or StudyFigure(value=math.nan, low=math.nan, high=math.nan)
        bars.append(Bar(column.letter, column.name, column.slot, found.value, found.low, found.high))
    bound = next(
        (one.bound for column in columns for one in column.row.limits if one.limit == figure.limit), math.nan
    )
    return multiple_figure(
        bars, key=figure.key, title=figure.title, unit=figure.unit, bound=bound if figure.limit else math.nan,
        more=figure.better == "more",
    )  # fmt: skip


def _point(row: StudyRow, document: StudyDocument) -> Point:
    return Point(
        key=row.key,
        name=f"{name_of(row, document)}, {row.site_name or row.site}",
        group=row.system_name,
        cost=_value(row, "tco_usd"),
        time=_value(row, "time_s"),
        power=_value(row, "meter_power_w"),
        carbon=_value(row, "carbon_kg"),
        risk=1 - row.probability,
        is_answer=row.is_answer,
        on_front=row.on_front,
        rank=row.rank,
    )


def _ranked(
    row: StudyRow, document: StudyDocument, letters: Mapping[str, str], slots: Mapping[str, str]
) -> Ranked:
    point = _point(row, document)
    binds = next((one.title for one in row.limits if one.binds), "")
    return Ranked(
        row=row,
        name=name_of(row, document),
        below=_below(row),
        figures=tuple(_show(_value(row, key), FIGURE[key].unit) for key in RANKED),
        probability=_probability(row.probability),
        binds=binds,
        letter=letters.get(row.key, ""),
        brush=(point.cost, point.time, point.power, point.carbon, point.risk),
        slot=slots.get(point.group, OTHER),
    )


def _brushes(points: Sequence[Point]) -> tuple[Brush, ...]:
    found = []
    for label, unit, values in (
        ("Cost", "USD", [point.cost for point in points]),
        ("Time", "s", [point.time for point in points]),
        ("Power", "W", [point.power for point in points]),
        ("Carbon", "kg", [point.carbon for point in points]),
        ("Risk of missing a limit", "%", [point.risk for point in points]),
    ):
        known = [value for value in values if math.isfinite(value)]
        factor, shown = {"s": (DAY_S, "days"), "%": (0.01, "%")}.get(unit) or one_prefix(known, unit)
        low, high = (min(known), max(known)) if known else (math.nan, math.nan)
        found.append(Brush(label, low, high, shown, factor))
    return tuple(found)


def _limit(value: float | None) -> float:
    return math.nan if value is None else value
