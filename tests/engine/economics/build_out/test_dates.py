"""Dates and power: a case by hand, and what must hold of any."""

from dataclasses import replace

import numpy as np
import pytest

from app.engine.economics.build_out.project import drawn_share, evaluate_project
from app.engine.economics.build_out.timeline import timeline
from app.engine.economics.build_out.ways import ways_to_pay
from app.engine.economics.cash_flow.holdings import FACILITY_ASSETS, price_of
from tests.engine.economics.build_out.sites import column, drawn, financing, phased
from tests.support import part_of

LIFE = np.array([5.0])
PEAK = np.array([100e6])


def test_a_case_by_hand() -> None:
    found = timeline(phased(PEAK), PEAK, LIFE)
    assert found.ready_month.ravel().tolist() == [18, 30]
    assert found.delivery_month.ravel().tolist() == [18, 30]
    assert found.end_month.ravel().tolist() == [78, 90]
    assert found.full_power_month == 30
    assert found.full_load_month == 36
    assert found.bridge_used_w[[18, 19, 30, 31, 48, 49]].tolist() == [0, 50e6, 50e6, 100e6, 100e6, 0]
    # The first month of a ramp of six is a twelfth on average, the last eleven twelfths.
    assert found.load[0, 18:26] == pytest.approx([0, *(np.arange(1, 12, 2) / 12), 1])


def test_without_bridge_power_the_site_waits_for_the_grid() -> None:
    waiting = replace(phased(PEAK), bridge_w=column(0, 0))
    found = timeline(waiting, PEAK, LIFE)
    assert found.delivery_month.ravel().tolist() == [48, 48]
    assert found.full_power_month == 48
    assert timeline(replace(waiting, grid_w=column(30e6, 30e6)), PEAK, LIFE).full_power_month == np.inf


def test_the_s_curve_is_slow_at_both_ends() -> None:
    terms = {"from_month": column(2), "over_months": column(4), "months": np.arange(8.0)}
    even = drawn_share(**terms, s_curve=np.zeros(1))[0]
    curve = drawn_share(**terms, s_curve=np.ones(1))[0]
    assert even == pytest.approx([0, 0, 0, 0.25, 0.25, 0.25, 0.25, 0])
    assert curve == pytest.approx([0, 0, 0, 10 / 64, 22 / 64, 22 / 64, 10 / 64, 0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(300)))
def test_a_later_grid_never_brings_full_power_earlier(seed: int) -> None:
    site, build_out, _ = drawn(seed)
    rng = np.random.default_rng(seed)
    later = build_out.grid_month + rng.integers(0, 30, build_out.grid_month.shape)
    life = site.economics.life_years
    first = timeline(build_out, site.utility_peak_w, life)
    second = timeline(replace(build_out, grid_month=later), site.utility_peak_w, life)
    assert second.full_power_month >= first.full_power_month
    assert np.all(second.delivery_month >= first.delivery_month)
    assert np.all((first.powered >= 0) & (first.powered <= 1) & (first.load <= first.powered + 1e-12))


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(100)))
def test_longer_construction_costs_more_interest(seed: int) -> None:
    site, build_out, terms = drawn(seed)
    if terms.loan_rate[0, 0] == 0 or terms.loan_share[0, 0] < 0.01:
        terms = financing()
    flat = replace(site.economics, finance=replace(site.economics.finance, inflation=np.zeros(1)))
    site = replace(site, economics=flat)
    # The grid is there, so that only the construction moves.
    early = replace(
        build_out, grid_month=build_out.grid_month * 0, grid_w=build_out.share * site.utility_peak_w
    )
    interest = []
    for more in (0, 1, 6, 24):
        longer = replace(early, construction_months=early.construction_months + more)
        level = ways_to_pay(evaluate_project(site, longer), None, site.economics, terms)[1]
        interest.append(level.construction_interest_usd / level.project.uses_usd.sum())
    # In colocation there is no building to draw: only equipment, over the same months before delivery.
    owns = price_of(site.assets, FACILITY_ASSETS)[0] > 0
    assert np.all(np.diff(interest) > 0) if owns else np.all(np.diff(interest) >= -1e-12)
