"""`podwright validate scaling`: published figures of scaling laws against the engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.validation.report import Report
from app.validation.rows import Row, UnsupportedRowError, read_rows
from app.validation.scaling.cases import predicted
from app.validation.scaling.differences import agree, reason_for
from app.validation.scaling.figures import COLUMNS, Figures
from app.validation.statistics import Prediction, Unsupported


@dataclass(frozen=True)
class ScalingReport(Report):
    """A report that says of every difference from a published figure what it comes from."""

    def as_text(self) -> str:
        counts = {name: value for name, value in self.extra.items() if not isinstance(value, list)}
        lines = [Report(**{**self.__dict__, "extra": counts}).as_text()]
        for name in ("explained", "unexplained"):
            found: list[dict[str, Any]] = self.extra[name]
            if found:
                lines += ["", f"more than 1 % from what is published, {name}"]
                lines += [_difference(one) for one in found]
        return "\n".join(lines)


def validate_scaling(path: Path) -> ScalingReport:
    """Compute every scored figure of a file.

    A figure more than 1 % from what is published is explained where the file's own `computed` shows the same
    difference and its cause is known.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    predictions, unsupported = [], []
    for row in rows:
        if row.scored:
            try:
                predictions.append(_prediction(row))
            except UnsupportedRowError as error:
                unsupported.append(Unsupported(row.key, str(error)))
    return ScalingReport(
        kind="scaling",
        rows=len(rows),
        predictions=tuple(predictions),
        unsupported=tuple(unsupported),
        constants={},
        extra=_agreement(predictions, {row.key: row for row in rows}),
    )


def _prediction(row: Row) -> Prediction:
    published = row.number("published")
    if not published:
        raise UnsupportedRowError("published is empty or zero")
    return Prediction(
        key=row.key,
        family=row.text("law"),
        groups={},
        measured=published,
        predicted=predicted(Figures(row)),
    )


def _agreement(predictions: list[Prediction], rows: dict[str, Row]) -> dict[str, Any]:
    explained: list[dict[str, Any]] = []
    unexplained: list[dict[str, Any]] = []
    with_computed = agreeing = 0
    for one in predictions:
        row = rows[one.key]
        computed = row.number("computed")
        same = computed is not None and agree(one.predicted, computed)
        with_computed += computed is not None
        agreeing += same
        if not agree(one.predicted, one.measured) or not (same or computed is None):
            reason = reason_for(Figures(row)) if same else ""
            (explained if reason else unexplained).append(_entry(one, row, computed, reason))
    return {
        "within_1_pct_of_published": sum(agree(one.predicted, one.measured) for one in predictions),
        "with_computed": with_computed,
        "within_1_pct_of_computed": agreeing,
        "explained": explained,
        "unexplained": unexplained,
    }


def _entry(one: Prediction, row: Row, computed: float | None, reason: str) -> dict[str, Any]:
    return {
        "id": one.key,
        "law": row.text("law"),
        "case": row.text("case"),
        "input": row.text("input"),
        "published": one.measured,
        "predicted": one.predicted,
        "computed": computed,
        "reason": reason,
    }


def _difference(one: dict[str, Any]) -> str:
    share = 100 * (one["predicted"] / one["published"] - 1)
    what = " ".join(word for word in (one["law"], one["case"], one["input"]) if word)
    return f"  {one['id']}: {what}: {share:+.1f} %{'; ' if one['reason'] else ''}{one['reason']}"
