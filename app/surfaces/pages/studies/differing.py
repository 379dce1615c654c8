"""What explains the figures of each column against the base case, as waterfalls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from app.charts.economics.difference import Brought, Side, difference_figure
from app.charts.figure import Figure
from app.charts.format import one_prefix
from app.charts.studies.board import DAY_S
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.studies.columns import keys_of
from app.views.study.report import StudyAnswer, StudyDifference

if TYPE_CHECKING:  # which has the differences in it
    from app.surfaces.pages.studies.board import BoardColumn

CAPTION = (
    "Each choice at its mean effect over all orders in which the choices could be made; they add up exactly."
)
SAME_WORDS = "Both are the same."


class Difference(NamedTuple):
    """What explains the figures of one column against the base."""

    column: BoardColumn
    figures: tuple[Figure, ...]


def differences_of(
    answer: StudyAnswer, columns: Sequence[BoardColumn], document: StudyDocument
) -> tuple[Difference, ...]:
    """What the answer explains against its own base case; another base case has to be searched with first."""
    found: list[Difference] = []
    base = next((column for column in columns if column.is_base), None)
    if base is not None and answer.base not in _keys(
        base, document
    ):  # a scenario of its own, or a misspelt name
        return ()
    for column in columns if base is not None else ():
        keys = _keys(column, document)
        mine = [one for one in answer.differences if one.key in keys]
        if mine and base is not None and not column.is_base:
            found.append(Difference(column, tuple(_waterfall(one, column, base) for one in mine)))
    return tuple(found)


def _keys(column: BoardColumn, document: StudyDocument) -> set[str]:
    """Keys by which an answer may have a column."""
    kept = (keys_of(one, document) for one in document.chosen)
    return {column.row.key}.union(*(keys for keys in kept if column.row.key in keys))


def _waterfall(one: StudyDifference, column: BoardColumn, base: BoardColumn) -> Figure:
    # durations in days, and all else with one prefix: steps are read without counting zeros
    factor, unit = (DAY_S, "days") if one.unit == "s" else one_prefix([one.base_value, one.value], one.unit)
    most = max(one.parts, key=lambda part: abs(part.value), default=None)
    says = SAME_WORDS
    if most is not None and one.value != one.base_value:
        says = f"{most.title} explains most of it: {most.from_words} to {most.to_words}."
    figure = difference_figure(
        [Brought(part.title, part.value / factor) for part in one.parts],
        view="choice",
        first=one.base_value / factor,
        second=one.value / factor,
        title=one.title,
        unit=unit,
        takeaway=says,
        caption=one.note or CAPTION,
        sides=(Side(base.letter, base.slot), Side(column.letter, column.slot)),
    )
    return replace(figure, name=f"study_{one.figure}_{column.letter}")
