"""What the validation of power says beyond errors: ranks, and errors of what PUE adds to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from app.validation.power.places import NEAR_KM
from app.validation.report import Report
from app.validation.statistics import Prediction, errors_of


class PowerReport(Report):
    """A report with rank correlations as a table."""

    def as_text(self) -> str:
        told = ("pue_less_one", "rank_correlation", "rank_correlation_with_far", "regions", "places", "wue")
        plain = {name: value for name, value in self.extra.items() if name not in told}
        lines = [Report(**{**self.__dict__, "extra": plain}).as_text()]
        overhead: dict[str, Any] = self.extra.get("pue_less_one", {})
        if overhead.get("rows"):
            lines += [
                "",
                (
                    f"PUE less one, {overhead['rows']} rows: median error "
                    f"{100 * overhead['median_abs_error']:.1f} %, nine of ten within {100 * overhead['p90_abs_error']:.1f} %"
                ),
            ]
        lines += _ranks("PUE", self.extra.get("rank_correlation", {}))
        water: dict[str, Any] = self.extra.get("wue", {})
        if water:
            lines += _water(water)
        return "\n".join(lines)


def overhead_errors(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """Errors of PUE less one: what the building adds, which an error of the whole PUE makes look small."""
    return asdict(
        errors_of(
            [
                replace(one, measured=one.measured - 1, predicted=one.predicted - 1)
                for one in predictions
                if one.measured > 1
            ]
        )
    )


def _ranks(of: str, found: dict[str, Any]) -> list[str]:
    if not found:
        return []
    return [
        "",
        f"rank correlation of {of} (Spearman), places with a climate year within {NEAR_KM:.0f} km",
        *(
            f"  {name}: {'too few' if one['spearman'] is None else format(one['spearman'], '.2f')}, "
            f"{one['pairs']} rows"
            for name, one in found.items()
        ),
    ]


def _water(water: dict[str, Any]) -> list[str]:
    lines = [
        "",
        (
            f"WUE, {water['rows']} rows: published median {water['published_median_l_per_kwh']:.2f} L/kWh, ours "
            f"{water['predicted_median_l_per_kwh']:.2f}, median difference "
            f"{water['median_abs_difference_l_per_kwh']:.2f}"
        ),
        *_ranks("WUE", water["rank_correlation"]),
        "",
        f"WUE left out, {len(water['left_out'])} rows",
    ]
    return lines + [f"  {one['id']}: {one['reason']}" for one in water["left_out"]]
