"""Sums of money: the monthly build-out agrees with the yearly cash flow, and no dollar is lost or made."""

from dataclasses import replace

import numpy as np
import pytest

from app.engine.economics.build_out.project import Project, evaluate_project
from app.engine.economics.build_out.section import bought_at_once
from app.engine.economics.build_out.ways import ways_to_pay
from app.engine.trace import Array
from tests.engine.economics.build_out.sites import drawn, site_and_table
from tests.support import part_of

SEEDS = part_of(range(300))


def by_year(values: Array) -> Array:
    """Sums of the years of a site: column 0, then months 1 to 12, and so on."""
    site = np.sum(values, axis=0)
    year = np.ceil(np.arange(site.size) / 12).astype(int)
    return np.bincount(year, weights=site)


@pytest.mark.slow
@pytest.mark.parametrize("life", [3, 5, 4.5])
@pytest.mark.parametrize("depreciation", ["straight_line", "declining_balance", "macrs"])
@pytest.mark.parametrize("owns", [0.0, 1.0])
def test_without_phases_every_year_is_that_of_the_cash_flow(
    life: float, depreciation: str, owns: float
) -> None:
    site, yearly = site_and_table(
        terms={"life_years": life, "owns_building": owns, "residual_value": 0.2},
        depreciation=depreciation,
        bonus_depreciation=0.3,
        price_usd_per_accelerator_hour=2.5,
    )
    found = evaluate_project(site, bought_at_once(site.utility_peak_w))
    for name in ("used_hours", "revenue_usd", "ebitda_usd", "depreciation_usd", "tax_usd", "flow_usd"):
        theirs = {"depreciation_usd": "depreciation_total_usd"}.get(name, name)
        assert by_year(getattr(found, name)) == pytest.approx(getattr(yearly, theirs), rel=1e-9, abs=1e-3), (
            name
        )
    assert by_year(found.uses_usd + found.replacement_usd) == pytest.approx(yearly.purchase_total_usd)
    assert by_year(found.sales_usd) == pytest.approx(yearly.sales_total_usd)
    for kind, usd in yearly.operating_usd.items():
        assert by_year(found.operating_usd[kind]) == pytest.approx(usd), kind
    # The flows of a year come half a year earlier on average, and are worth more by about that.
    monthly = _npv(found) + yearly.purchase_total_usd.sum()
    later = yearly.npv_usd[0] + yearly.purchase_total_usd.sum()
    assert later < monthly < later * 1.1**0.5


def _npv(project: Project) -> float:
    months = project.timeline.months
    worth = np.sum(project.flow_usd, axis=0) * (1 + project.discount_rate) ** (-months / 12)
    return float(worth.sum())


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_no_dollar_is_lost(seed: int) -> None:
    site, build_out, terms = drawn(seed)
    found = evaluate_project(site, build_out)
    times, share = found.timeline, build_out.share
    inflation, life = site.economics.finance.inflation, 12 * site.economics.life_years
    prices = site.price_usd
    # Uses are the prices of the orders, whatever the curve; without inflation they are those of the whole.
    flat = replace(site, economics=replace(site.economics, finance=_without_inflation(site)))
    assert np.sum(evaluate_project(flat, build_out).uses_usd) == pytest.approx(float(prices[0]))
    assert np.all(found.uses_usd >= -1e-6)
    assert np.all(np.sum(found.uses_usd, axis=-1, keepdims=True) >= prices * share * (1 - 1e-9))
    # Every phase serves its life, no more.
    assert np.sum(times.alive, axis=-1, keepdims=True) == pytest.approx(np.full_like(share, life[0]))
    assert np.sum(found.used_hours) <= site.used_hours_per_year * life / 12 * (1 + 1e-9)
    # Energy is from the grid or the bridge, and all that is written off is what was paid less what is left.
    assert np.all(found.grid_kwh >= 0)
    assert np.all(found.bridge_kwh >= -1e-6)
    assert np.all(times.bridge_used_w + times.grid_available_w == pytest.approx(times.available_w))
    paid = np.sum(found.uses_usd + found.replacement_usd - found.sales_usd, axis=-1)
    written_off = np.sum(found.depreciation_usd - found.gain_usd, axis=-1)
    assert written_off == pytest.approx(paid, rel=1e-9, abs=1)
    assert inflation >= 0
    for way in ways_to_pay(found, found, site.economics, terms):
        assert np.isfinite([way.owners_flow_usd, way.tax_usd]).all()
        if way.debt is not None:
            debt = way.debt
            assert np.all(debt.owed_usd[:, -1] == 0)
            repaid = np.sum(debt.principal_usd, axis=-1)
            assert repaid == pytest.approx(np.sum(debt.drawn_usd + debt.capitalised_usd, axis=-1), abs=1)


def _without_inflation(site):  # type: ignore[no-untyped-def]
    return replace(site.economics.finance, inflation=np.zeros(1))


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(60)))
def test_phases_on_one_schedule_are_the_whole(seed: int) -> None:
    site, build_out, _ = drawn(seed)
    same = {
        name: np.broadcast_to(getattr(build_out, name)[:1], build_out.share.shape)
        for name in (
            "start_month", "construction_months", "ramp_months", "grid_month", "bridge_lead_months",
            "bridge_usd_per_kw_month", "bridge_usd_per_kwh", "bridge_kg_per_kwh", "equipment_months",
        )
    }  # fmt: skip
    peak = site.utility_peak_w
    several = replace(
        build_out, **same, grid_w=build_out.share * peak * 0.8, bridge_w=build_out.share * peak * 0.4
    )
    one = replace(
        several,
        names=("All",),
        **{name: values[:1] for name, values in same.items()},
        share=np.ones((1, 1)),
        grid_w=several.grid_w.sum(keepdims=True),
        bridge_w=several.bridge_w.sum(keepdims=True),
    )
    parts, whole = evaluate_project(site, several), evaluate_project(site, one)
    for name in ("revenue_usd", "ebitda_usd", "uses_usd", "sales_usd", "tax_usd", "flow_usd", "bridge_kg"):
        assert np.sum(getattr(parts, name), axis=0) == pytest.approx(
            np.sum(getattr(whole, name), axis=0), rel=1e-9, abs=1e-3
        ), name
