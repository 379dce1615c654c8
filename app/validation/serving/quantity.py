"""One measured quantity of a file: its predictions, and those with a family or a system left out of the fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from app.validation.serving.left_out import ENGINE, MODEL, SYSTEM
from app.validation.serving.score import score_of, scores_by
from app.validation.statistics import Prediction

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
    """What a prediction is of, in one of GROUPS."""
    return lambda one: one.groups[group]
