"""Own trends beside those of others: inside or overlapping where the same thing is fitted, and explained where not."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.growth import Rate, growth_data
from app.catalog.lookup import Catalog
from app.engine.growth.trend import LEAST_ROWS
from app.views.growth.answer import (
    HORIZON,
    Growth,
    UnknownTrendError,
    agreement,
    doubling_of,
    trend_answer,
    trends_answer,
    trends_of,
)
from app.views.growth.series import FRONTIER, SERIES

INSIDE = {
    "frontier_compute": (4.39, 4.87),
    "frontier_compute_2018": (4.31, 5.32),
    "run_accelerators": (1.73, 2.35),
    "run_power": (2.15, 2.71),
    "run_duration": (1.09, 1.57),
    "memory_bandwidth": (1.25, 1.33),
    "memory_capacity": (1.20, 1.32),
    "scale_up_bandwidth": (1.16, 1.48),
    "flop_per_usd": (1.37, 1.54),
}
"""90 % intervals on the whole data of Epoch AI, in which our fits on what is shipped must lie."""

OVERLAPPING = {
    "run_cost": (2.59, 3.34),
    "device_best_flops": (1.63, 1.79),
    "device_bf16_flops": (1.26, 1.42),
    "transistors": (1.29, 1.35),
    "scale_out_bandwidth": (1.28, 1.37),
    "flop_per_w": (1.48, 1.60),
}


@pytest.fixture(scope="module")
def items(catalog: Catalog) -> dict[str, dict[str, Any]]:
    return {one["key"]: one for one in trends_answer(catalog)["items"]}


@pytest.mark.parametrize("key", INSIDE)
def test_fits_lie_in_the_published_intervals(items: dict[str, dict[str, Any]], key: str) -> None:
    low, high = INSIDE[key]
    assert low <= items[key]["fit"]["annual_factor"] <= high
    assert "within" in {rate["agreement"] for rate in items[key]["rates"]}


@pytest.mark.parametrize("key", OVERLAPPING)
def test_the_others_overlap_them(items: dict[str, dict[str, Any]], key: str) -> None:
    low, high = OVERLAPPING[key]
    fit = items[key]["fit"]
    assert fit["low"] <= high
    assert low <= fit["high"]


def test_what_is_apart_says_why(items: dict[str, dict[str, Any]]) -> None:
    apart = [(one, rate) for one in items.values() for rate in one["rates"] if rate["agreement"] == "apart"]
    assert {one["key"] for one, _ in apart} >= {"training_compute", "parameters", "tokens"}
    for one, rate in apart:
        assert one["differs"]
        assert rate["says"].endswith(one["differs"])


def test_doubling_times_follow_from_the_rates(items: dict[str, dict[str, Any]]) -> None:
    fit = items["frontier_compute"]["fit"]
    assert fit["low"] < fit["annual_factor"] < fit["high"]
    for rate, doubling in (("annual_factor", "doubling_years"), ("low", "doubling_high_years"),
                           ("high", "doubling_low_years")):  # fmt: skip
        assert fit[doubling] == pytest.approx(math.log(2) / math.log(fit[rate]))
    assert items["cluster_flop_per_w"]["fit"]["doubling_high_years"] is None
    assert doubling_of(0.9) == math.inf


def test_a_frontier_model_is_one_of_the_ten_largest_when_it_comes_out(catalog: Catalog) -> None:
    material = trends_of(catalog).material
    models = sorted(growth_data().models, key=lambda one: one.year)
    frontier = {one.key for one in material.frontier}
    assert {one.key for one in models[:FRONTIER]} <= frontier
    for place, model in enumerate(models):
        larger = sum(one.figures["training_flop"] > model.figures["training_flop"] for one in models[:place])
        assert (model.key in frontier) == (larger < FRONTIER)


def test_only_sold_devices_and_domains_count(catalog: Catalog) -> None:
    found = trends_of(catalog).fitted
    best = {point.key for point in found["device_best_flops"].points}
    assert "nvidia_p100_sxm2" in best
    assert not {"cerebras_wse3", "huawei_ascend_960"} & best
    domains = {point.key for point in found["scale_up_bandwidth"].points}
    assert "nvidia_h100_sxm" in domains
    assert not {"nvidia_h100_pcie", "nvidia_h100_nvl", "nvidia_l40s"} & domains
    clusters = {point.key for point in found["cluster_accelerators"].points}
    assert "xai_colossus_200k" in clusters
    assert not {"meta_llama3_16k", "china_mobile_cpu_gpu_dpu", "coreweave_fleet_2024"} & clusters


def test_every_trend_has_enough_figures_or_says_that_not(items: dict[str, dict[str, Any]]) -> None:
    assert set(items) == set(SERIES)
    for one in items.values():
        assert (one["fit"] is None) == (one["n"] < LEAST_ROWS)
        assert bool(one["unknown"]) == (one["fit"] is None)


def test_utilisation_of_runs(catalog: Catalog) -> None:
    mfu = trends_answer(catalog)["mfu"]
    assert mfu["n"] == 24
    for one, published in zip(mfu["quartiles"], mfu["published"], strict=True):
        assert one["low"] <= one["value"] <= one["high"]
        assert one["low"] <= published <= one["high"]


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, series in SERIES.items() if series.measure])
def test_projections_stop_at_the_lowest_limit(catalog: Catalog, key: str) -> None:
    answer = trend_answer(catalog, key)
    limits = [limit["value"] for limit in answer["limits"]]
    assert limits == sorted(limits)
    band = answer["projection"]
    assert band["years"][-1] == HORIZON
    for name in ("central", "low", "high", "least", "most"):
        assert max(band[name]) <= limits[0]
    assert [limit["binds_first"] for limit in answer["limits"]] == [True] + [False] * (len(limits) - 1)


def test_power_binds_first_on_training_compute(catalog: Catalog) -> None:
    limits = trend_answer(catalog, "frontier_compute")["limits"]
    assert [limit["key"] for limit in limits] == ["power_run", "chips_run", "latency_run"]
    assert [limit["value"] for limit in limits] == [2e29, 9e29, 2e31]
    years = [limit["met_year"] for limit in limits]
    assert years == sorted(years)
    assert 2029.5 < years[0] < 2031.5
    assert "2e29" not in limits[0]["says"]
    assert limits[0]["met_early"] < years[0] < limits[0]["met_late"]


def test_an_unknown_trend_names_the_nearest(catalog: Catalog) -> None:
    with pytest.raises(UnknownTrendError, match="frontier_compute"):
        trend_answer(catalog, "frontier_computer")


@pytest.mark.parametrize(
    ("low", "central", "high", "expected"),
    [
        (1.9, 2.0, 2.1, "within"),
        (2.05, 2.2, 2.4, "overlap"),
        (2.3, 2.5, 2.7, "apart"),
        (None, 2.1, None, "overlap"),
        (None, 3.0, None, "apart"),
    ],
)
def test_how_rates_stand_to_each_other(
    low: float | None, central: float, high: float | None, expected: str
) -> None:
    growth = Growth(annual_factor=2.0, low=1.8, high=2.2, r_squared=1.0)
    rate = Rate(
        key="k", trend="t", quantity="q", low=low, central=central, high=high, shape="factor_per_year",
        probability=None, window="", basis="published", confidence="high", source="s",
    )  # fmt: skip
    assert agreement(growth, rate) == expected
