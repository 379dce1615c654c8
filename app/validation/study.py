"""The study that every kind of validation is: rows of a file, predictions, their errors, and notes."""

from __future__ import annotations

import csv
import functools
import io
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.engine.uncertainty import summary
from app.paths import seed_data
from app.scenarios.reading.spreadsheets.text import from_cell, to_cell

# Rows of a validation file: CSV with a header, one measurement a row.

MOST_ROWS = 200_000
FAMILY = "source_family"
"""The grouping by source."""


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
Mask = NDArray[np.bool_]


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
    return float(summary.weighted_quantile(values, weights, share))


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


def grouped(predictions: Iterable[Prediction], group: str) -> dict[str, Errors]:
    """Errors by the name of each group, or of each source where the grouping is FAMILY."""
    members: dict[str, list[Prediction]] = defaultdict(list)
    for one in predictions:
        members[one.family if group == FAMILY else one.groups.get(group, "")].append(one)
    return {name: errors_of(members[name]) for name in sorted(members)}


# Published figures that are not compared.


class LeftOut(NamedTuple):
    """A row of a file that is not compared, and why."""

    row: Row
    reason: str


# What a validation says: one shape for every kind, as JSON, as a table and row by row.


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
    counts: tuple[str, ...] | None = None  # of `extra`, what a text says in a line each; None is all
    more: Callable[[Mapping[str, Any]], Iterable[str]] = lambda extra: ()  # further lines of a text
    parted: Mapping[str, str] = field(default_factory=dict)  # what is left out, by what else it is grouped

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
            "groups": {name: _plain(grouped(self.predictions, name)) for name in (FAMILY, *groups)},
            "left_out": {
                name: {
                    **asdict(errors_of(predictions, families_equal=True)),
                    "by_row": asdict(errors_of(predictions)),
                    self.parted.get(name, "groups"): _plain(
                        grouped(predictions, self.parted.get(name, name))
                    ),
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
        for name in self.extra if self.counts is None else self.counts:
            value = self.extra[name]
            lines.append(f"{_words(name)}: {value if value is not None else 'none'}")
        names = [FAMILY, *sorted({name for one in self.predictions for name in one.groups})]
        for name in names:
            lines += ["", _words(name)]
            lines += [errors_line(f"  {key}", one) for key, one in grouped(self.predictions, name).items()]
        if self.unsupported:
            lines += ["", "unsupported", *(f"  {one.id}: {one.reason}" for one in self.unsupported)]
        for name, group in self.parted.items():
            if name in self.left_out:
                lines += ["", f"each {_words(name)} left out"]
                found = grouped(self.left_out[name], group)
                lines += [errors_line(f"  {key}", one) for key, one in found.items()]
        return "\n".join([*lines, *self.more(self.extra)])


def _plain(found: Mapping[str, Errors]) -> dict[str, dict[str, Any]]:
    return {name: asdict(errors) for name, errors in found.items()}


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


# The declaration of a kind whose rows are figures, compared one with one.

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Checked(Generic[Found]):
    """A row beside what the engine says of it, in the unit of the row.

    `found` is what the kind knows beside the number. `label` says why it is shown and not scored, "" where it is.
    """

    row: Row
    prediction: Prediction
    found: Found
    label: str = ""


@dataclass(frozen=True)
class Compared(Generic[Found]):
    """A file beside the engine: its figures in the order of the rows, and what is not compared with the reason."""

    rows: tuple[Row, ...]
    figures: tuple[Checked[Found], ...]
    unsupported: tuple[LeftOut, ...]

    @property
    def predictions(self) -> tuple[Prediction, ...]:
        """Of the figures that are scored."""
        return tuple(one.prediction for one in self.figures if not one.label)

    @property
    def unscored(self) -> tuple[LeftOut, ...]:
        """Rows that are neither scored nor shown with a label."""
        shown = {id(one.row) for one in self.figures}
        rows = (row for row in self.rows if not row.scored and id(row) not in shown)
        return tuple(LeftOut(row, row.text("unscored_reason")) for row in rows)

    def by(self, group: str) -> dict[str, Errors]:
        """Errors by the groups of a grouping."""
        return grouped(self.predictions, group)


Predict = Callable[[Sequence[Row], Catalog], Iterable["Checked[Found] | LeftOut"]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Study(Generic[Found]):
    """A kind of published figure: where its rows are, how they become predictions, and further notes.

    `predict` takes all rows of a file at once; those that are not scored it leaves aside, or labels. `extra` are
    further measures by name, of which `counts` stand in a text in a line each, and `more` gives further lines.
    """

    kind: str
    file: str  # of the shipped rows, in the folder of seed data
    columns: tuple[str, ...]  # without which a file is none of this kind
    predict: Predict[Found]
    extra: Callable[[Compared[Found]], Mapping[str, Any]] = lambda compared: {}
    counts: tuple[str, ...] = ()
    more: Callable[[Mapping[str, Any]], Iterable[str]] = lambda extra: ()
    constants: Callable[[Catalog], Mapping[str, float]] = lambda catalog: {}

    def compare(self, rows: Sequence[Row], catalog: Catalog) -> Compared[Found]:
        """Rows beside the engine."""
        found = list(self.predict(rows, catalog))
        order = {id(row): place for place, row in enumerate(rows)}  # an id may stand twice in a file
        checked = [one for one in found if isinstance(one, Checked)]
        return Compared(
            rows=tuple(rows),
            figures=tuple(sorted(checked, key=lambda one: order[id(one.row)])),
            unsupported=tuple(one for one in found if isinstance(one, LeftOut)),
        )

    def report_of(self, compared: Compared[Found], catalog: Catalog) -> Report:
        """Report of a comparison."""
        return Report(
            kind=self.kind,
            rows=len(compared.rows),
            predictions=compared.predictions,
            unsupported=tuple(Unsupported(one.row.key, one.reason) for one in compared.unsupported),
            constants=self.constants(catalog),
            extra=self.extra(compared),
            counts=self.counts,
            more=self.more,
        )

    def report(self, path: Path, catalog: Catalog) -> Report:
        """Report of a file.

        Raises
        ------
        ValidationFileError : the file cannot be read
        """
        return self.report_of(self.compare(read_rows(path, self.columns), catalog), catalog)

    def shipped(self, catalog: Catalog) -> Shipped[Found]:
        """The rows that ship; compared once a catalog revision."""
        return _shipped(self, catalog.builtin)


class Shipped(NamedTuple, Generic[Found]):
    """The shipped rows beside the engine, and what that says."""

    compared: Compared[Found]
    report: Report


@functools.lru_cache(maxsize=16)
def _shipped(study: Study[Any], catalog: Catalog) -> Shipped[Any]:
    compared = study.compare(read_rows(seed_data() / study.file, study.columns), catalog)
    return Shipped(compared, study.report_of(compared, catalog))


def attempts(
    asked: Iterable[tuple[Row, Callable[[], Checked[Found]]]],
) -> Iterator[Checked[Found] | LeftOut]:
    """The figure of each scored row, or why there is none."""
    for row, figure in asked:
        if row.scored:
            try:
                yield figure()
            except (UnsupportedRowError, CatalogLookupError) as error:
                yield LeftOut(row, str(error))


def one_by_one(figure: Callable[[Row, Catalog], Checked[Found]]) -> Predict[Found]:
    """The prediction of a file from that of a row by itself."""
    return lambda rows, catalog: attempts((row, functools.partial(figure, row, catalog)) for row in rows)


def first_that_reads(*studies: Study[Any]) -> Callable[[Path, Catalog, Any], Report]:
    """What the first of these kinds whose columns a file has says of it; the last refuses what none reads."""

    def report(path: Path, catalog: Catalog, progress: Any) -> Report:
        for study in studies[:-1]:
            if set(study.columns) <= set(columns_of(path)):
                return study.report(path, catalog)
        return studies[-1].report(path, catalog)

    return report


# What is fitted to measurements, where a kind fits anything.


class Constant(NamedTuple):
    """One row of the assumptions that is fitted; `narrows` names the conditions of the row that it is a ratio to.

    The prior is what one would say without the measurements; the spread is how far from it the fit may go at the
    cost of one standard deviation, in logarithms.
    """

    assumption: str
    applies_to: str
    prior: float
    spread: float
    narrows: str | None = None

    @property
    def name(self) -> str:
        return f"{self.assumption}[{self.applies_to}]"

    @property
    def conditions(self) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self.applies_to.split(";") if part)


def softened(scaled: Numbers) -> Numbers:
    """Residuals of which large ones count by their size and no longer by their square (soft L1)."""
    soft: Numbers = np.sign(scaled) * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
    return soft
