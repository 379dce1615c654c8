"""How right figures of power and cooling are, as answers of the API."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from app.validation.power.study import Checked, PublishedPower, RegionYear
from app.validation.study import LeftOut, errors_of, grouped


def power_errors(found: PublishedPower) -> dict[str, Any]:
    """The whole answer."""
    report = found.report
    return {
        "rows": report.rows,
        "scored": report.scored,
        "computed": len(report.predictions),
        "errors": dataclasses.asdict(errors_of(report.predictions)),
        "errors_by_source": dataclasses.asdict(report.totals),
        "pue_less_one": report.extra["pue_less_one"],
        "kinds": _groups(grouped(report.predictions, lambda one: one.groups["quantity"])),
        "rank_correlation": _ranks(report.extra["rank_correlation"]),
        "items": [_figure(one) for one in found.checked],
        "unsupported": [_left_out(one) for one in found.unsupported],
        "unscored": [_left_out(one) for one in found.unscored],
        "regions": _regions(found),
    }


def _regions(found: PublishedPower) -> dict[str, Any]:
    report, water = found.regions_report, found.regions_report.extra["wue"]
    below, above = found.band
    return {
        "rows": report.rows,
        "computed": len(report.predictions),
        "model": report.extra["model"],
        "errors": dataclasses.asdict(errors_of(report.predictions)),
        "pue_less_one": report.extra["pue_less_one"],
        "providers": _groups(grouped(report.predictions, lambda one: one.groups["provider"])),
        "rank_correlation": _ranks(report.extra["rank_correlation"]),
        "rank_correlation_with_far": _ranks(report.extra["rank_correlation_with_far"]),
        "operators_below": below,
        "operators_above": above,
        "water": {
            **{
                name: water[name]
                for name in (
                    "rows",
                    "published_median_l_per_kwh",
                    "predicted_median_l_per_kwh",
                    "median_abs_difference_l_per_kwh",
                    "left_out",
                )
            },
            "rank_correlation": _ranks(water["rank_correlation"]),
        },
        "items": [_region(one) for one in found.regions.found],
        "unsupported": [dataclasses.asdict(one) for one in report.unsupported],
    }


def _groups(errors: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, "errors": one} for name, one in errors.items()]


def _ranks(found: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, **one} for name, one in found.items()]


def _figure(one: Checked) -> dict[str, Any]:
    row, prediction = one.row, one.prediction
    return {
        "id": row.key,
        "kind": one.kind,
        **{name: row.text(name) for name in ("quantity", "unit", "conditions", "source", "url")},
        "published": prediction.measured,
        "predicted": prediction.predicted,
        "low": prediction.low,
        "high": prediction.high,
        "error": prediction.error,
        "assumed": list(prediction.assumed),
    }


def _left_out(one: LeftOut) -> dict[str, str]:
    return {"id": one.row.key, "reason": one.reason}


def _region(one: RegionYear) -> dict[str, Any]:
    return {
        "id": one.row.key,
        **{name: one.row.text(name) for name in ("provider", "region", "location", "year")},
        "place": one.place.badge,
        "near": one.place.near,
        "pue": one.pue,
        "predicted_pue": one.predicted_pue,
        "wue_l_per_kwh": one.wue_l_per_kwh,
        "predicted_wue_l_per_kwh": one.predicted_wue_l_per_kwh,
    }
