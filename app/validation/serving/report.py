"""What the validation of served latencies says, as JSON, as a table and row by row."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from app.scenarios.reading.spreadsheets.text import to_cell
from app.validation.report import Report
from app.validation.serving.left_out import BOTH, MODEL, PAIR, SYSTEM
from app.validation.serving.quantity import GROUPS, Quantity, member
from app.validation.serving.score import Score, score_of, scores_by
from app.validation.statistics import Prediction

LEFT_OUT_WORDS = {MODEL: "model", SYSTEM: "system", PAIR: "model x engine", BOTH: "model and engine"}
HEADER = (
    "id", "measured", "predicted", "error", "low", "high", "quantity", "mode", "counted", "assumed",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Written:
    """A line of the table of rows."""

    quantity: str
    mode: str
    counted: str  # the score that the row counts in, else why it counts in none
    prediction: Prediction


@dataclass(frozen=True, kw_only=True)
class ServingReport(Report):
    """Times in seconds. `quantities` are by the name of their score."""

    quantities: Mapping[str, Quantity] = field(default_factory=dict)
    written: tuple[Written, ...] = ()
    newer: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The public shape; errors are fractions."""
        return {
            "kind": self.kind,
            "rows": self.rows,
            "scored": self.scored,
            "supported": len(self.predictions),
            "fitted_constants": len(self.constants),
            **{name: quantity.as_json() for name, quantity in self.quantities.items()},
            **self.extra,
            "newest_known_engine_used_for": list(self.newer),
            "constants": dict(self.constants),
            "unsupported": [asdict(one) for one in self.unsupported],
        }

    def as_csv(self) -> str:
        """Measured and predicted times of every scored row that could be predicted, in seconds."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEADER)
        for line in self.written:
            one = line.prediction
            bounds = ["" if bound is None else f"{bound:.6g}" for bound in (one.low, one.high)]
            writer.writerow(
                (
                    to_cell(one.key), f"{one.measured:.6g}", f"{one.predicted:.6g}", f"{one.error:.4f}",
                    *bounds, line.quantity, line.mode, line.counted, to_cell("; ".join(one.assumed)),
                )
            )  # fmt: skip
        return stream.getvalue()

    def as_text(self) -> str:
        """A table for people."""
        counts = f"{len(self.predictions):,} predicted, {len(self.unsupported):,} unsupported"
        lines = [
            f"{self.rows:,} rows, {self.scored:,} scored: {counts}; {len(self.constants)} constants fitted",
            "distinct measurements, one vote for each family of models",
        ]
        for name, quantity in self.quantities.items():
            lines += [
                "",
                f"{name:34s} {'rows':>5s} {'median':>8s} {'bias':>8s} {'in 33 %':>8s} {'in 2x':>8s}",
            ]
            lines.append(_line("all", score_of(quantity.predictions)))
            for group, left_out in quantity.left_out.items():
                lines.append(_line(f"each {LEFT_OUT_WORDS[group]} left out", score_of(left_out)))
            if quantity.coverage is not None:
                lines.append(f"{'within the interval of 80 %':34s} {100 * quantity.coverage:14.0f}%")
            for group in GROUPS:
                members = quantity.left_out.get(group, quantity.predictions)
                lines.append(f"{group}{', each left out' if group in quantity.left_out else ''}")
                lines += [
                    _line(f"  {name}", Score(**errors))
                    for name, errors in scores_by(members, member(group)).items()
                ]
        for name, score in self.extra.items():
            if isinstance(score, dict):
                lines += ["", f"{name}: {score.get('note', '')}", _line("  all", _score(score))]
        if self.newer:
            lines += ["", *self.newer]
        if self.unsupported:
            lines += ["", "unsupported", *(f"  {one.id}: {one.reason}" for one in self.unsupported)]
        return "\n".join(lines)


def _score(found: Mapping[str, Any]) -> Score:
    return Score(**{name: found[name] for name in Score.__dataclass_fields__})


def _line(label: str, score: Score) -> str:
    if not score.rows:
        return f"{label:34s} {0:5d}"
    shares = (score.median_abs_error, score.bias, score.within_33_pct, score.within_2x)
    median, bias, third, double = (100 * (share or 0.0) for share in shares)
    return f"{label:34s} {score.rows:5d} {median:7.1f}% {bias:+7.1f}% {third:7.0f}% {double:7.0f}%"
