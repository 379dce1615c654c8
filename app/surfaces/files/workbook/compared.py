"""Parts common to the sheets of a comparison: candidates as columns, and differences to the base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from app.engine.trace import first_of
from app.engine.units import unit_of, words_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.study.document import StudyDocument
from app.surfaces.files.redaction import Redaction
from app.surfaces.files.workbook.cost_model import CostModel, cost_model
from app.surfaces.files.workbook.sources_sheet import Citations
from app.views.sheet import Book, Formula, Sheet, unit_cell
from app.views.study.report import StudyAnswer, StudyRow, StudyTiming

COST_INPUTS, SITE_INPUTS = "economics.", "facility.site."
"""Beginnings of the paths of inputs that only the cost has, and of those of the site."""
NOTHING = Redaction()

FIRST = 2
"""Place of the first candidate in a row: after the label and the unit."""


@dataclass(frozen=True)
class Compared:
    """A candidate of the workbook; `found` is None where it cannot be evaluated, `timing` where nothing is
    planned."""

    letter: str
    name: str
    is_base: bool
    row: StudyRow
    choices: tuple[str, ...]
    found: EvaluatedScenario | None
    timing: StudyTiming | None

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        return self.found.as_json if self.found else {}

    @cached_property
    def model(self) -> CostModel:
        """Its cost as a chain of cells."""
        return cost_model(self.found.figures, {}) if self.found else CostModel()

    @property
    def wacc(self) -> float | None:
        """What its cash flow is discounted by."""
        return float(first_of(self.found.resolved.design.economics.wacc)) if self.found else None


@dataclass(frozen=True)
class Comparison:
    """Data of the workbook. `choices` are titles of the choices in which candidates differ."""

    document: StudyDocument
    answer: StudyAnswer
    columns: tuple[Compared, ...]
    choices: tuple[str, ...]
    redaction: Redaction = NOTHING
    citations: Citations = field(init=False)

    def __post_init__(self) -> None:
        origins = [
            origin
            for column in self.columns if column.found
            for path, origin in column.found.resolved.origins.items() if self.shows_input(path)
        ]  # fmt: skip
        object.__setattr__(self, "citations", Citations(origins))

    def shows(self, path: str, unit: str) -> bool:
        """Return whether a figure may leave: no amount of money may, where prices are left out."""
        return not (self.redaction.prices and ("usd" in path or "price" in path or "USD" in unit))

    def shows_input(self, path: str) -> bool:
        """Return whether an input may leave: none of the cost where prices are left out, none of the site without sites."""
        name = path.removeprefix("assumptions.rooms.").removeprefix("assumptions.")
        if self.redaction.prices and name.startswith(COST_INPUTS):
            return False
        return self.shows(path, unit_of(path)) and not (self.redaction.sites and path.startswith(SITE_INPUTS))

    @property
    def base(self) -> Compared | None:
        return next((one for one in self.columns if one.is_base), None)


def candidate_sheet(book: Book, comparison: Comparison, title: str, *after: float) -> Sheet:
    """A sheet with a column for each candidate; `after` are the widths of further ones."""
    sheet = book.sheet(title, (48, 14, *(20.0 for _ in comparison.columns), *after))
    letters = [f"{one.letter}: {one.name}{' (base)' if one.is_base else ''}" for one in comparison.columns]
    heads = ("Figure", "Unit", *letters, *(("Place",) if after else ()))
    sheet.header(*heads, numbers=range(FIRST, FIRST + len(letters)), frozen=True)
    return sheet


def across_all(comparison: Comparison, after: int = 0) -> int:
    """Columns of such a sheet."""
    return FIRST + len(comparison.columns) + after


def same_label(labels: Sequence[str], path: str) -> str:
    """Name of a row; by its place where candidates name it after parts or sites of their own."""
    if len(set(labels)) == 1:
        return labels[0]
    part, _, _ = path.partition(".")
    words = words_of(path)
    return f"{part.capitalize()}: {words}"


def column_letter(place: int) -> str:
    """The letter that Excel gives the column of a candidate, by its place among them.

    >>> column_letter(0), column_letter(11)
    ('C', 'N')
    """
    return chr(ord("A") + FIRST + place)


def against_base(sheet: Sheet, comparison: Comparison, lines: Sequence[tuple[str, str, int]]) -> None:
    """Differences to the base, in the unit and as a share, of lines by their number."""
    base = next((place for place, one in enumerate(comparison.columns) if one.is_base), None)
    if base is None:
        return
    sheet.gap()
    sheet.heading("Difference to the base", across=across_all(comparison))
    written = sheet.values
    for title, unit, row in lines:
        values = [
            written.get((row - 1, FIRST + place), float("nan")) for place in range(len(comparison.columns))
        ]
        at = [f"{column_letter(place)}{row}" for place in range(len(comparison.columns))]
        known = values[base]
        sheet.line(title, unit_cell(unit), *(
            Formula(f"={at[place]}-{at[base]}", value - known, unit) for place, value in enumerate(values)
        ))  # fmt: skip
        if known and known == known:
            sheet.line(f"{title}, share", None, *(
                Formula(f"={at[place]}/{at[base]}-1", value / known - 1, look="share") for place, value in enumerate(values)
            ))  # fmt: skip
