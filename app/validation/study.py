"""The study that every kind of validation is: rows of a file, predictions, their errors, and what is said of them."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.uncertainty import quantile
from app.scenarios.reading.spreadsheets.text import from_cell, to_cell

# Rows of a validation file: CSV with a header, one measurement a row.

MOST_ROWS = 200_000


class ValidationFileError(ValueError):
    """The file cannot be read as measurements; the message says where and what would do."""


class UnsupportedRowError(ValueError):
    """A row that cannot be predicted; the message is the reason."""


@dataclass(frozen=True)
class Row:
    """One measurement: its cells by column."""

    key: str
    cells: dict[str, str]

    @property
    def scored(self) -> bool:
        """A missing column, or an empty cell, means yes."""
        return self.cells.get("scored", "").lower() not in ("no", "false", "0")

    @property
    def family(self) -> str:
        """The source that a row belongs to: its id up to the dash, else the source it names."""
        prefix, dash, _ = self.key.partition("-")
        return prefix if dash else self.text("source") or "unnamed"

    def text(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    def number(self, column: str) -> float | None:
        """A cell as a number, None where it is empty.

        Raises
        ------
        UnsupportedRowError : the cell holds something else
        """
        text = self.text(column).replace(",", "")
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            raise UnsupportedRowError(f"{column} is {text!r}, not a number") from None
        if not math.isfinite(value):
            raise UnsupportedRowError(f"{column} is {text!r}, not finite")
        return value

    def count(self, column: str) -> int | None:
        """A cell as a whole number of at least one, None where it is empty or zero."""
        value = self.number(column)
        if value is None or value == 0:
            return None
        if value < 0 or value != int(value):
            raise UnsupportedRowError(f"{column} is {value:g}, not a whole number")
        return int(value)

    def needed(self, column: str) -> int:
        """A whole number that nothing else says.

        Raises
        ------
        UnsupportedRowError : the cell is empty
        """
        value = self.count(column)
        if value is None:
            raise UnsupportedRowError(f"{column} is not given")
        return value


def read_rows(path: Path, columns: tuple[str, ...]) -> tuple[Row, ...]:
    """Every row of a file that has at least these columns; `id`, else `key`, else the number names a row.

    Raises
    ------
    ValidationFileError : the file is missing, is no text, lacks columns or has too many rows
    """
    reader = _reader(path)
    missing = [column for column in columns if column not in (reader.fieldnames or ())]
    if missing:
        raise ValidationFileError(
            f"{path} has no column {' and no column '.join(missing)}; a file of this kind needs {', '.join(columns)}"
        )
    try:
        return tuple(_rows(reader, path))
    except csv.Error as error:
        raise ValidationFileError(f"{path}, line {reader.line_num}: {error}") from None


def columns_of(path: Path) -> tuple[str, ...]:
    """The columns of a file, none where it is empty.

    Raises
    ------
    ValidationFileError : the file is missing or is no text
    """
    try:
        return tuple(_reader(path).fieldnames or ())
    except csv.Error as error:
        raise ValidationFileError(f"{path}, line 1: {error}") from None


def _reader(path: Path) -> csv.DictReader[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValidationFileError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ValidationFileError(f"{path} is not UTF-8 text: byte {error.start:,} cannot be read") from None
    return csv.DictReader(text.splitlines(keepends=True), strict=True)


def _rows(reader: csv.DictReader[str], path: Path) -> Iterator[Row]:
    for number, cells in enumerate(reader, start=1):
        if number > MOST_ROWS:
            raise ValidationFileError(f"{path} has more than {MOST_ROWS:,} rows")
        kept = {name: from_cell(value or "") for name, value in cells.items() if isinstance(name, str)}
        yield Row(key=kept.get("id") or kept.get("key") or str(number), cells=kept)


# Errors of predictions in a few numbers.

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Prediction:
    """One measurement and what the engine says of it, in the same unit."""

    key: str
    family: str
    groups: dict[str, str]
    measured: float
    predicted: float
    low: float | None = None
    high: float | None = None
    assumed: tuple[str, ...] = ()

    @property
    def error(self) -> float:
        """Predicted over measured, less one."""
        return self.predicted / self.measured - 1


@dataclass(frozen=True)
class Unsupported:
    """A scored row that cannot be predicted."""

    id: str
    reason: str


@dataclass(frozen=True)
class Errors:
    """Absolute errors as fractions; `bias` is the median signed error."""

    rows: int
    median_abs_error: float | None
    p90_abs_error: float | None
    bias: float | None
    within_20_pct: float | None


def weighted_quantile(values: Numbers, weights: Numbers, share: float) -> float:
    """The value below which a share of the weight lies, as the engine counts it.

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.ones(3), 0.5)
    2.0
    """
    return float(quantile.weighted_quantile(values, weights, share))


def errors_of(predictions: Sequence[Prediction], *, families_equal: bool = False) -> Errors:
    """Errors of some predictions; with `families_equal` each source counts the same, however many rows."""
    if not predictions:
        return Errors(0, None, None, None, None)
    errors = np.array([one.error for one in predictions])
    weights = np.ones(len(errors))
    if families_equal:
        sizes: dict[str, int] = defaultdict(int)
        for one in predictions:
            sizes[one.family] += 1
        weights = np.array([1 / sizes[one.family] for one in predictions])
    size = np.abs(errors)
    return Errors(
        rows=len(predictions),
        median_abs_error=weighted_quantile(size, weights, 0.5),
        p90_abs_error=weighted_quantile(size, weights, 0.9),
        bias=weighted_quantile(errors, weights, 0.5),
        within_20_pct=float(weights[size <= 0.2].sum() / weights.sum()),
    )


def grouped(
    predictions: Iterable[Prediction], group: Callable[[Prediction], str]
) -> dict[str, dict[str, Any]]:
    """Errors of each group, by its name."""
    members: dict[str, list[Prediction]] = defaultdict(list)
    for one in predictions:
        members[group(one)].append(one)
    return {name: asdict(errors_of(members[name])) for name in sorted(members)}


# Published figures that are not compared.


class LeftOut(NamedTuple):
    """A row of a file that is not compared, and why."""

    row: Row
    reason: str


# What a validation says: one shape for every kind, as JSON, as a table and row by row.

FAMILY = "source_family"


@dataclass(frozen=True)
class Report:
    """Predictions of the scored rows, and what was fitted to whom.

    `left_out` holds, by the name of a grouping, every row predicted with constants that were fitted without
    the rows of its group. `extra` are further figures of a kind, with their own names.
    """

    kind: str
    rows: int
    predictions: tuple[Prediction, ...]
    unsupported: tuple[Unsupported, ...]
    constants: Mapping[str, float]
    left_out: Mapping[str, tuple[Prediction, ...]] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scored(self) -> int:
        return len(self.predictions) + len(self.unsupported)

    @property
    def totals(self) -> Errors:
        """Errors with every source counting the same."""
        return errors_of(self.predictions, families_equal=True)

    def as_json(self) -> dict[str, Any]:
        """The public shape; errors are fractions."""
        groups = sorted({name for one in self.predictions for name in one.groups})
        return {
            "kind": self.kind,
            "scored": self.scored,
            "supported": len(self.predictions),
            **asdict(self.totals),
            "rows": self.rows,
            "by_row": asdict(errors_of(self.predictions)),
            **self.extra,
            "fitted_constants": len(self.constants),
            "constants": dict(self.constants),
            "unsupported": [asdict(one) for one in self.unsupported],
            "groups": {
                FAMILY: grouped(self.predictions, lambda one: one.family),
                **{name: grouped(self.predictions, _member(name)) for name in groups},
            },
            "left_out": {
                name: {
                    **asdict(errors_of(predictions, families_equal=True)),
                    "by_row": asdict(errors_of(predictions)),
                    "groups": grouped(predictions, _label(name)),
                }
                for name, predictions in self.left_out.items()
            },
        }

    def as_csv(self) -> str:
        """id, measured, predicted, error, low, high of every scored row that could be predicted."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("id", "measured", "predicted", "error", "low", "high"))
        for one in self.predictions:
            bounds = ["" if bound is None else f"{bound:.6g}" for bound in (one.low, one.high)]
            writer.writerow(
                (to_cell(one.key), f"{one.measured:.6g}", f"{one.predicted:.6g}", f"{one.error:.4f}", *bounds)
            )
        return stream.getvalue()

    def as_text(self) -> str:
        """A table for people."""
        counts = f"{len(self.predictions):,} predicted, {len(self.unsupported):,} unsupported"
        lines = [
            f"{self.rows:,} rows, {self.scored:,} scored: {counts}; {len(self.constants)} constants fitted",
            "",
            f"{'':34s} {'rows':>5s} {'median':>8s} {'90 %':>8s} {'bias':>8s} {'within 20 %':>12s}",
            errors_line("sources weighted equally", self.totals),
            errors_line("rows weighted equally", errors_of(self.predictions)),
        ]
        for name, predictions in self.left_out.items():
            lines.append(errors_line(f"each {_words(name)} left out", errors_of(predictions)))
        for name, value in self.extra.items():
            lines.append(f"{_words(name)}: {value if value is not None else 'none'}")
        names = [FAMILY, *sorted({name for one in self.predictions for name in one.groups})]
        for name in names:
            lines += ["", _words(name)]
            for member, errors in grouped(self.predictions, _label(name)).items():
                lines.append(errors_line(f"  {member}", Errors(**errors)))
        if self.unsupported:
            lines += ["", "unsupported", *(f"  {one.id}: {one.reason}" for one in self.unsupported)]
        return "\n".join(lines)


def _label(name: str) -> Any:
    return (lambda one: one.family) if name == FAMILY else _member(name)


def _member(name: str) -> Any:
    return lambda one: one.groups.get(name, "")


def _words(name: str) -> str:
    return name.replace("_", " ")


def errors_line(label: str, errors: Errors) -> str:
    if errors.rows == 0:
        return f"{label:34s} {0:5d}"
    shares: Sequence[float | None] = (
        errors.median_abs_error,
        errors.p90_abs_error,
        errors.bias,
        errors.within_20_pct,
    )
    median, high, bias, within = (100 * (share or 0.0) for share in shares)
    return f"{label:34s} {errors.rows:5d} {median:7.1f}% {high:7.1f}% {bias:+7.1f}% {within:11.0f}%"
