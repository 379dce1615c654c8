"""`podwright validate cost`: published costs, each by the method that its source used."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.validation.cost.cases import case_of
from app.validation.cost.columns import COLUMNS
from app.validation.cost.statement import Asked, Computed, Statement
from app.validation.report import Report
from app.validation.rows import Row, UnsupportedRowError, read_rows
from app.validation.statistics import Prediction, Unsupported


@dataclass(frozen=True)
class Checked:
    """A scored row beside what the engine says of it, in the unit of the row."""

    row: Row
    method: str
    prediction: Prediction
    found: Computed


def validate_cost(path: Path, catalog: Catalog) -> Report:
    """Compute every scored figure of a file by its method.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    return cost_report(len(rows), *checked_rows(rows, catalog))


def cost_report(rows: int, checked: Sequence[Checked], unsupported: Sequence[Unsupported]) -> Report:
    """The report of a file."""
    return Report(
        kind="cost",
        rows=rows,
        predictions=tuple(one.prediction for one in checked),
        unsupported=tuple(unsupported),
        constants={},
    )


def checked_rows(rows: Sequence[Row], catalog: Catalog) -> tuple[list[Checked], list[Unsupported]]:
    """Every scored row beside its figure, and those of which none can be computed with the reason."""
    statements = [Statement(row) for row in rows]
    by_url: dict[str, list[Statement]] = {}
    for statement in statements:
        by_url.setdefault(statement.row.text("url"), []).append(statement)
    checked, unsupported = [], []
    for statement in statements:
        if not statement.row.scored:
            continue
        url = statement.row.text("url")
        others = tuple(one for one in by_url[url] if url and one is not statement)
        try:
            checked.append(_checked(Asked(statement, others, catalog.builtin)))
        except (UnsupportedRowError, CatalogLookupError) as error:
            unsupported.append(Unsupported(statement.row.key, str(error)))
    return checked, unsupported


def _checked(asked: Asked) -> Checked:
    statement = asked.statement
    measured, (_, factor) = statement.published(), statement.unit
    case = case_of(asked)
    with np.errstate(divide="ignore", invalid="ignore"):  # a row may state nought
        found = case.compute(asked)
    if not math.isfinite(found.value):
        raise UnsupportedRowError("the engine leaves it unknown: an input is nought, or not in the catalog")
    prediction = Prediction(
        key=statement.row.key,
        family=statement.row.text("source") or statement.row.family,
        groups={"method": case.method},
        measured=measured,
        predicted=found.value / factor,
        low=None if found.low is None else found.low / factor,
        high=None if found.high is None else found.high / factor,
        assumed=found.assumed,
    )
    return Checked(statement.row, case.method, prediction, found)
