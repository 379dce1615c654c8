"""Sites, build-outs and terms of financing that the tests of this room draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from app.engine.economics.build_out.project import Site
from app.engine.economics.build_out.section import bought_at_once, finished_site
from app.engine.economics.build_out.specs import BuildOut, Financing
from app.engine.economics.cash_flow.section import evaluate_cash_flow
from app.engine.economics.cash_flow.worth import CashFlow
from app.engine.economics.section import evaluate_cost
from app.engine.trace import Array
from tests.engine.economics.pods import economics, finance, pod


def site_and_table(*, terms: dict[str, Any] | None = None, **of_finance: Any) -> tuple[Site, CashFlow]:
    """The finished pod of a build-out, and the yearly cash flow of the same pod."""
    given = pod(economics=economics(**(terms or {}), finance=finance(**of_finance)))
    with np.errstate(invalid="ignore", divide="ignore"):
        cost = evaluate_cost(**given)
        names = ("supernode", "pod", "economics", "reliability", "power", "assumptions")
        yearly = evaluate_cash_flow(cost=cost, **{name: given[name] for name in names})
        names = (*names, "facility", "cooling")
        return finished_site(cost=cost, **{name: given[name] for name in names}), yearly


def column(*values: float) -> Array:
    return np.array(values, dtype=float)[:, None]


def phased(peak_w: Array, **changes: Any) -> BuildOut:
    """Two halves a year apart: the first on gas turbines until the grid comes in month 48."""
    whole = bought_at_once(peak_w)
    values: dict[str, Any] = {
        "names": ("One", "Two"),
        "share": column(0.5, 0.5),
        "start_month": column(0, 12),
        "construction_months": column(18, 18),
        "ramp_months": column(6, 6),
        "grid_month": column(48, 48),
        "grid_w": column(0.5, 0.5) * peak_w,
        "bridge_w": column(0.5, 0.5) * peak_w,
        "bridge_lead_months": column(12, 12),
        "bridge_usd_per_kw_month": column(25, 25),
        "bridge_usd_per_kwh": column(0.05, 0.05),
        "bridge_kg_per_kwh": column(0.5, 0.5),
        "equipment_months": column(6, 6),
        "is_s_curve": True,
    }
    return replace(whole, **(values | changes))


def financing(**changes: Any) -> Financing:
    values = {
        "loan_share": 0.7,
        "loan_rate": 0.09,
        "loan_months": 48,
        "interest_only_months": 6,
        "upfront_fee": 0.02,
        "commitment_fee": 0.005,
        "target_dscr": 1.4,
        "lease_rate": 0.1,
        "lease_months": 48,
        "lease_in_advance": 1,
        "leaseback_rate": 0.11,
        "leaseback_months": 36,
        "leaseback_buy_out": 0.1,
    }
    return Financing(**{name: np.array([[float(value)]]) for name, value in (values | changes).items()})


def drawn(seed: int) -> tuple[Site, BuildOut, Financing]:
    """A random site, with one to five phases of any dates, with and without bridge power, tax and inflation."""
    rng = np.random.default_rng(seed)
    site, _ = site_and_table(
        terms={
            "life_years": float(rng.choice([3.0, 4.5, 5.0, 7.25])),
            "residual_value": rng.uniform(0, 0.4),
            "utilisation": rng.uniform(0.2, 1),
            "owns_building": float(rng.integers(2)),
        },
        prices=str(rng.choice(["nominal", "real"])),
        depreciation=str(rng.choice(["straight_line", "declining_balance", "macrs"])),
        tax_rate=float(rng.choice([0.0, 0.21, 0.4])),
        bonus_depreciation=float(rng.choice([0.0, 0.4, 1.0])),
        inflation=rng.uniform(0, 0.06),
        price_usd_per_accelerator_hour=rng.uniform(0.5, 6),
    )
    count = int(rng.integers(1, 6))
    share = rng.dirichlet(np.ones(count))[:, None]

    def months(high: int) -> Array:
        return rng.integers(0, high, (count, 1)).astype(float)

    build_out = replace(
        bought_at_once(site.utility_peak_w),
        names=tuple(f"Phase {place + 1}" for place in range(count)),
        share=share,
        start_month=months(40),
        construction_months=months(36),
        ramp_months=months(18),
        grid_month=months(84),
        grid_w=share * site.utility_peak_w * rng.uniform(0.3, 1.5, (count, 1)),
        bridge_w=share
        * site.utility_peak_w
        * rng.uniform(0, 1.2, (count, 1))
        * rng.integers(0, 2, (count, 1)),
        bridge_lead_months=months(36),
        bridge_usd_per_kw_month=rng.uniform(10, 60, (count, 1)),
        bridge_usd_per_kwh=rng.uniform(0.02, 0.3, (count, 1)),
        bridge_kg_per_kwh=rng.uniform(0.3, 0.8, (count, 1)),
        equipment_months=months(12),
        is_s_curve=bool(rng.integers(2)),
    )
    life = float(12 * site.economics.life_years[0])
    return (
        site,
        build_out,
        financing(
            loan_share=rng.uniform(0, 1),
            loan_rate=rng.choice([0.0, rng.uniform(0.01, 0.2)]),
            loan_months=rng.integers(2, 120),
            interest_only_months=rng.integers(0, 24),
            upfront_fee=rng.uniform(0, 0.04),
            commitment_fee=rng.uniform(0, 0.02),
            target_dscr=rng.uniform(1.01, 2.5),
            lease_rate=rng.uniform(0, 0.2),
            lease_months=rng.integers(6, life),
            lease_in_advance=rng.integers(2),
            leaseback_rate=rng.uniform(0, 0.2),
            leaseback_months=rng.integers(6, life),
            leaseback_buy_out=rng.uniform(0, 0.4),
        ),
    )
