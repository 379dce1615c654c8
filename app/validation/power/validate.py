"""`podwright validate power`: published figures of power and cooling, or of regions, against the engine."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from app.catalog.lookup import Catalog
from app.validation.power.asked import Asked, Predicted
from app.validation.power.cases import PUE_FACILITY, PUE_PROVIDER, case_of, kind_of
from app.validation.power.columns import COLUMNS, REGION_COLUMNS
from app.validation.power.correlation import by_group
from app.validation.power.region_table import region_table, regions_report
from app.validation.power.report import PowerReport, overhead_errors
from app.validation.power.statement import Statement
from app.validation.rows import Row, UnsupportedRowError, ValidationFileError, read_rows
from app.validation.statistics import Prediction, Unsupported

NO_PROVIDER = "no provider"


@dataclass(frozen=True)
class Checked:
    """A scored row beside what the engine says of it, in the unit of the row."""

    row: Row
    kind: str
    watts: float  # of the printed unit; 0 where it is none of power
    prediction: Prediction
    found: Predicted


def validate_power(path: Path, catalog: Catalog) -> PowerReport:
    """Compute every scored figure of a file, or every region of a file of regions.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    try:
        regions = read_rows(path, REGION_COLUMNS)
    except ValidationFileError:
        rows = read_rows(path, COLUMNS)
    else:
        return regions_report(len(regions), region_table(regions, catalog), catalog)
    return figures_report(len(rows), *checked_rows(rows, catalog))


def figures_report(rows: int, checked: Sequence[Checked], unsupported: Sequence[Unsupported]) -> PowerReport:
    """The report of a file of single figures."""
    of_places = [one for one in checked if one.kind in (PUE_PROVIDER, PUE_FACILITY)]
    return PowerReport(
        kind="power",
        rows=rows,
        predictions=tuple(one.prediction for one in checked),
        unsupported=tuple(unsupported),
        constants={},
        extra={
            "pue_less_one": overhead_errors([one.prediction for one in of_places]),
            "rank_correlation": _ranks(one for one in of_places if one.found.place and one.found.place.near),
            "rank_correlation_with_far": _ranks(of_places),
        },
    )


def checked_rows(rows: Sequence[Row], catalog: Catalog) -> tuple[list[Checked], list[Unsupported]]:
    """Every scored row beside its prediction, and those that cannot be predicted with the reason."""
    statements = statements_of(rows)
    checked, unsupported = [], []
    for statement in statements:
        if not statement.row.scored:
            continue
        others = tuple(one for one in statements if one is not statement and _alike(one, statement))
        try:
            checked.append(_checked(Asked(statement, others, catalog)))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(statement.row.key, str(error)))
    return checked, unsupported


def statements_of(rows: Sequence[Row]) -> list[Statement]:
    """Rows, read; "same run" is the run of the row before."""
    read: list[Statement] = []
    for row in rows:
        before = read[-1] if read and _submission(read[-1].row) == _submission(row) else None
        read.append(Statement(row, before))
    return read


def _ranks(checked: Iterable[Checked]) -> dict[str, dict[str, float | None]]:
    """Rank correlation of PUE, of all and by provider."""
    pairs = (
        (one.found.provider or NO_PROVIDER, one.prediction.measured, one.prediction.predicted)
        for one in checked
    )
    return {name: asdict(found) for name, found in by_group(pairs).items()}


def _checked(asked: Asked) -> Checked:
    statement = asked.statement
    case = case_of(statement)
    kind = kind_of(statement, case)
    measured, factor = statement.measured(), statement.factor(case.dimension)
    found = case.predict(asked)
    if not math.isfinite(found.value):
        raise UnsupportedRowError("the engine leaves it unknown: an input is not in the catalog")
    prediction = Prediction(
        key=statement.row.key,
        family=statement.row.text("source") or statement.row.family,
        groups={"quantity": kind},
        measured=measured,
        predicted=found.value / factor,
        low=None if found.low is None else found.low / factor,
        high=None if found.high is None else found.high / factor,
        assumed=found.assumed,
    )
    return Checked(statement.row, kind, factor if case.dimension == "W" else 0.0, prediction, found)


def _alike(one: Statement, other: Statement) -> bool:
    return _submission(one.row) == _submission(other.row)


def _submission(row: Row) -> str:
    """What rows of one submission share."""
    return row.text("url") or row.text("source")
