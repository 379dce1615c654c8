"""When it pays to replace the SuperNodes, by how fast the rent of their hours falls."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from app.engine.economics import finance, refresh
from app.engine.economics.residual import value_curves
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario

MONTH: Array = np.arange(1.0, 241.0)
"""Twenty years: longer than any generation has been kept."""
SHOWN_YEARS = (1, 2, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefreshYear:
    """SuperNodes of that age. Unknown is NaN."""

    age_years: int
    worth_share: float  # of the price, that they fetch
    rent_usd_per_accelerator_hour: float
    gain_usd_per_month: float  # rent less running cost
    level_worth_usd_per_month: float  # of replacing at that age, again and again


@dataclass(frozen=True, slots=True, kw_only=True)
class Refresh:
    """One decline of rents. Months are None where they do not come within twenty years, and the best
    one where buying again pays at no age: its worth is below nothing."""

    key: str  # successor | path
    title: str
    decline_per_year: float
    source: str
    best_month: float | None
    best_usd_per_month: float
    at_life_usd_per_month: float
    last_month_that_pays: float | None
    is_known: bool
    years: tuple[RefreshYear, ...]
    said: str


def refreshes(
    scenario: EvaluatedScenario, price_usd_per_hour: Array, used_hours_per_year: float
) -> tuple[Refresh, ...]:
    """By the successor's price for the same work, and by the path of rents."""
    economics, origins = scenario.resolved.whole.economics, scenario.resolved.origins
    cases = (
        (
            "successor",
            "Where the rent of an hour follows what the successor does for the money",
            economics.value_decline_per_year,
            origins["economics.value_decline_per_year"].source,
        ),
        (
            "path",
            "Where the rent of an hour goes on as rents of this generation did",
            -economics.renting.price_change_per_year,
            origins["economics.renting.price_change_per_year"].source,
        ),
    )
    return tuple(_refresh(scenario, price_usd_per_hour, used_hours_per_year, *case) for case in cases)


def _refresh(
    scenario: EvaluatedScenario,
    price_usd_per_hour: Array,
    used_hours_per_year: float,
    key: str,
    title: str,
    decline: Array,
    source: str,
) -> Refresh:
    economics, cost = scenario.resolved.whole.economics, scenario.evaluation.sections.cost
    parts = cost.capex_breakdown_usd
    servers = parts["servers"] + parts["spares"]
    rate = finance.monthly_rate(yearly_rate=economics.wacc)
    worth_share = value_curves(economics)["servers"].at(MONTH / 12)
    rent = refresh.rent_by_age_usd_per_hour(
        rent_usd_per_hour=price_usd_per_hour, decline_per_year=decline, month=MONTH
    )
    gain = refresh.gain_by_age_usd_per_month(
        rent_by_age_usd_per_hour=rent,
        used_hours_per_month=np.array([used_hours_per_year / 12]),
        opex_usd_per_year=cost.opex_usd_per_year,
    )
    worth = refresh.worth_until_usd(
        price_usd=servers + parts["installation"] + parts["duties"],
        resale_usd=servers * worth_share,
        gain_usd_per_month=gain,
        month=MONTH,
        monthly_rate=rate,
    )
    level = refresh.level_worth_usd_per_month(worth_until_usd=worth, month=MONTH, monthly_rate=rate)
    best = first_of(refresh.best_month_to_replace(level_worth_usd_per_month=level, month=MONTH))
    last = first_of(refresh.last_month_that_pays(gain_usd_per_month=gain, month=MONTH))
    life = int(min(max(round(12 * first_of(economics.life_years)), 1), MONTH.size)) - 1
    found = Refresh(
        key=key,
        title=title,
        decline_per_year=first_of(decline),
        source=source,
        best_month=_month(best),
        best_usd_per_month=float(np.max(level)),
        at_life_usd_per_month=float(level[life]),
        last_month_that_pays=_month(last),
        is_known=not math.isnan(best),
        years=tuple(
            RefreshYear(
                age_years=age,
                worth_share=float(worth_share[12 * age - 1]),
                rent_usd_per_accelerator_hour=float(rent[12 * age - 1]),
                gain_usd_per_month=float(gain[12 * age - 1]),
                level_worth_usd_per_month=float(level[12 * age - 1]),
            )
            for age in SHOWN_YEARS
        ),
        said="",
    )
    return _with_words(found)


def _month(month: float) -> float | None:
    return month if math.isfinite(month) else None


def _with_words(found: Refresh) -> Refresh:
    return replace(found, said=_said(found))


def _said(found: Refresh) -> str:
    """One sentence or two."""
    if not found.is_known:
        return f"{found.title}: when it pays to replace is unknown, as a price or the rent is."
    change = found.decline_per_year
    rate = f"{'falling' if change >= 0 else 'rising'} by {abs(100 * change):.3g} % per year"
    if found.best_usd_per_month <= 0:
        best = "buying SuperNodes again pays at no age"
    elif found.best_month is None:
        best = "keeping the SuperNodes is best for more than twenty years"
    else:
        best = f"it pays best to replace them after {found.best_month:.0f} months"
    if found.last_month_that_pays is None:
        last = "their rent covers running cost for more than twenty years"
    elif found.last_month_that_pays == 0:
        last = "their rent does not cover running cost in any month"
    else:
        last = f"their rent covers running cost for {found.last_month_that_pays:.0f} months"
    return f"{found.title}, {rate}: {best}, and {last}."
