"""Errors of measured latencies, every family of models counting the same, and notes."""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from app.scenarios.reading.spreadsheets.text import to_cell
from app.validation.serving.cases import BOTH, ENGINE, MODEL, PAIR, SYSTEM
from app.validation.study import Numbers, Prediction, Report, weighted_quantile

# Errors of one quantity over distinct measurements, with one vote for each family of models.

A_THIRD, DOUBLE = 0.33, 2.0


@dataclass(frozen=True)
class Score:
    """Errors as fractions; `bias` is the median of predicted over measured, less one."""

    rows: int
    median_abs_error: float | None
    within_33_pct: float | None
    within_2x: float | None
    bias: float | None


def score_of(predictions: Sequence[Prediction]) -> Score:
    """Every family has the same weight, however many measurements it has."""
    if not predictions:
        return Score(0, None, None, None, None)
    errors = np.array([one.error for one in predictions])
    sizes = Counter(one.family for one in predictions)
    weights = np.array([1 / sizes[one.family] for one in predictions])
    near = np.abs(errors) <= A_THIRD
    double = (errors + 1 >= 1 / DOUBLE) & (errors + 1 <= DOUBLE)
    return Score(
        rows=len(predictions),
        median_abs_error=weighted_quantile(np.abs(errors), weights, 0.5),
        within_33_pct=float(weights[near].sum() / weights.sum()),
        within_2x=float(weights[double].sum() / weights.sum()),
        bias=weighted_quantile(errors, weights, 0.5),
    )


def scores_by(
    predictions: Sequence[Prediction], label: Callable[[Prediction], str]
) -> dict[str, dict[str, Any]]:
    """The score of each group, by its name."""
    members: dict[str, list[Prediction]] = defaultdict(list)
    for one in predictions:
        members[label(one)].append(one)
    return {name: asdict(score_of(members[name])) for name in sorted(members)}


# One measured quantity of a file: its predictions, and those with a family or a system left out of the fit.

GROUPS = (MODEL, SYSTEM, ENGINE, "precision")


@dataclass(frozen=True)
class Quantity:
    """Distinct measurements only; `left_out` is by what was left out of the fit, empty where nothing was refitted.

    `coverage` is the share of measurements that lie in the interval of eight of ten, with their family left out.
    """

    name: str  # tpot | ttft
    predictions: tuple[Prediction, ...]
    left_out: Mapping[str, tuple[Prediction, ...]]
    coverage: float | None = None

    def as_json(self) -> dict[str, Any]:
        """The public shape; errors are fractions."""
        return {
            **asdict(score_of(self.predictions)),
            "coverage": self.coverage,
            **{f"by_{group}": scores_by(self.predictions, member(group)) for group in GROUPS},
            **{
                f"leave_one_{group}_out": {
                    **asdict(score_of(predictions)),
                    f"by_{group}": scores_by(predictions, member(group)),
                }
                for group, predictions in self.left_out.items()
            },
        }


def member(group: str) -> Any:
    """Subject of a prediction, in one of GROUPS."""
    return lambda one: one.groups[group]


# Between which bounds 80 % of measurements lie, from the errors that other families of models had.


SHARES = (0.1, 0.9)
"""Shares of the errors below the ends of an interval."""
FEWEST = 20
"""Measurements of other families that an interval needs."""


def bounds(ratio: Numbers, families: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Least and most of measured over predicted for each row; not a number where few others were measured.

    Parameters
    ----------
    ratio : measured over predicted, each with its family left out of the fit where it was in it
    families : rows of a family do not vouch for each other; every other one has the same weight
    """
    names = np.array(families)
    low, high = np.full((2, len(names)), np.nan)
    for name in set(families):
        others = (names != name) & np.isfinite(ratio)
        if others.sum() < FEWEST:
            continue
        sizes = Counter(names[others].tolist())
        weights = np.array([1 / sizes[other] for other in names[others].tolist()])
        ends = [weighted_quantile(np.log(ratio[others]), weights, share) for share in SHARES]
        low[names == name], high[names == name] = np.exp(ends)
    return low, high


def coverage_of(predictions: Sequence[Prediction]) -> float | None:
    """Share of measurements within their intervals, every family with the same weight; None without any interval."""
    known = [one for one in predictions if one.low is not None and one.high is not None]
    if not known:
        return None
    sizes = Counter(one.family for one in known)
    inside = [one for one in known if (one.low or 0.0) <= one.measured <= (one.high or 0.0)]
    return sum(1 / sizes[one.family] for one in inside) / len(sizes)


# What the validation of served latencies says, as JSON, as a table and row by row.

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
