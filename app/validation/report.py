"""What a validation says: one shape for every kind, as JSON, as a table and row by row."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from app.scenarios.reading.spreadsheets.text import to_cell
from app.validation.statistics import Errors, Prediction, Unsupported, errors_of, grouped

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
