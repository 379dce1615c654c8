"""Ways to pay for one site, side by side: the owners' cash, its worth, and what outside money costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.build_out.loans import Borrower, Debt, lease, loan, yearly_return
from app.engine.economics.build_out.project import Project
from app.engine.economics.build_out.specs import Financing
from app.engine.quantities import quantity
from app.engine.specs import Economics
from app.engine.trace import Array

CASH, LEVEL, SCULPTED, LEASE, LEASEBACK, COLOCATE = (
    "cash", "level_loan", "sculpted_loan", "lease", "sale_and_leaseback", "colocate",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """The site paid for in one way. Measures that do not apply are unknown."""

    key: str
    project: Project
    debt: Debt | None
    owners_flow_usd: Array  # of the site by month
    tax_usd: Array
    npv_usd: float
    irr: float
    equity_usd: float  # most that the owners have in it at one time
    borrowed_usd: float  # with capitalised interest
    construction_interest_usd: float
    interest_usd: float
    fees_usd: float
    least_cover: float
    full_load_cover: float  # lowest once the load of a phase is full
    effective_rate: float  # of outside money, fees included


@quantity(unit="USD", source="definition", at="economics.build_out.owners_npv_usd")
def owners_npv_usd(*, flow_usd: Array, rate_per_year: Array, months: Array) -> Array:
    """Net present value of monthly flows, in money of the first order."""
    found: Array = np.sum(flow_usd * (1 + rate_per_year) ** (-months / 12), axis=-1, keepdims=True)
    return found


@quantity(unit="USD", source="definition", at="economics.build_out.most_equity_usd")
def most_equity_usd(*, flow_usd: Array) -> Array:
    """Most that the owners have paid in and not got back."""
    found: Array = np.maximum(-np.min(np.cumsum(flow_usd, axis=-1), axis=-1, keepdims=True), 0.0)
    return found


def borrower_of(project: Project) -> Borrower:
    """The phases of a project as lenders see them."""
    times = project.timeline
    return Borrower(
        months=times.months,
        delivery_month=times.delivery_month,
        end_month=times.end_month,
        uses_usd=project.uses_usd,
        cfads_usd=project.cfads_usd,
    )


def ways_to_pay(
    project: Project, colocated: Project | None, economics: Economics, terms: Financing
) -> tuple[Way, ...]:
    """All ways, the owners' own cash first. `colocated` is the same pod in another's building."""
    owned = borrower_of(project)
    price = np.sum(project.equipment_usd, axis=-1, keepdims=True)
    ways = [
        _way(CASH, project, None, economics),
        _way(LEVEL, project, loan(owned, terms, sculpted=False), economics),
        _way(SCULPTED, project, loan(owned, terms, sculpted=True), economics),
        _leased(project, owned, price, economics, terms),
        _way(
            LEASEBACK,
            project,
            lease(
                owned,
                price,
                price * terms.leaseback_buy_out,
                terms.leaseback_rate,
                terms.leaseback_months,
                terms.lease_in_advance,
            ),
            economics,
        ),
    ]
    if colocated is not None:
        ways.append(_way(COLOCATE, colocated, None, economics))
    return tuple(ways)


def _leased(project: Project, owned: Borrower, price: Array, economics: Economics, terms: Financing) -> Way:
    """An operating lease: rents are deducted, the lessor writes off and keeps what is left.

    A term shorter than the life ends with a purchase at fair value, as the pod goes on.
    """
    times = project.timeline
    life_months = 12 * economics.life_years
    term = np.minimum(terms.lease_months, np.floor(times.end_month - times.delivery_month))
    left = price * project.site.equipment_worth_share(term / 12)
    goes_back = term >= np.floor(life_months)
    debt = lease(owned, price, left, terms.lease_rate, term, terms.lease_in_advance)
    bought = np.where(goes_back, 0.0, left) * (times.months == times.delivery_month + term)
    sold = np.where(goes_back, 0.0, project.equipment_sales_usd)
    replaced = project.replacement_usd - project.replaced_sales_usd
    is_last = times.months == np.minimum(np.ceil(times.end_month), times.months[-1])
    rate = economics.finance.tax_rate
    installation = np.sum(project.installation_usd, axis=-1, keepdims=True)
    # Installation stays the owners'; it is written off with its share of the life.
    of_price = installation / np.where(price + installation > 0, price + installation, 1.0)
    written_off = project.equipment_depreciation_usd * of_price
    gain = is_last * (
        np.sum(sold - bought - replaced, axis=-1, keepdims=True)
        - (installation - np.sum(written_off, axis=-1, keepdims=True))
    )
    profit = project.ebitda_usd - debt.service_usd - written_off - project.facility_depreciation_usd
    tax = np.where(rate == 0, 0.0, rate * (profit + gain + project.facility_gain_usd))
    flow = (
        project.ebitda_usd
        - (project.uses_usd - project.equipment_usd)
        - debt.service_usd
        - bought
        - replaced
        + project.building_sales_usd
        + sold
        - tax
    )
    return _measured(LEASE, project, debt, flow, tax)


def _way(key: str, project: Project, debt: Debt | None, economics: Economics) -> Way:
    """Owned equipment, with a loan or a finance lease on it or without."""
    if debt is None:
        return _measured(key, project, None, project.flow_usd, project.tax_usd)
    rate = economics.finance.tax_rate
    tax = np.where(rate == 0, 0.0, project.tax_usd - rate * (debt.interest_usd + debt.fees_usd))
    flow = project.flow_usd + project.tax_usd - tax - debt.lender_flow_usd
    return _measured(key, project, debt, flow, tax)


def _measured(key: str, project: Project, debt: Debt | None, flow: Array, tax: Array) -> Way:
    site = np.sum(flow, axis=0)
    months = project.timeline.months
    claims = None if debt is None else np.sum(debt.lender_flow_usd, axis=0)
    covers = np.full(1, np.nan) if debt is None else debt.cover

    def total(name: str) -> float:
        return 0.0 if debt is None else float(np.sum(getattr(debt, name)))

    return Way(
        key=key,
        project=project,
        debt=debt,
        owners_flow_usd=site,
        tax_usd=np.sum(tax, axis=0),
        npv_usd=float(owners_npv_usd(flow_usd=site, rate_per_year=project.discount_rate, months=months)[0]),
        irr=float(yearly_return(flow_usd=site)[0]),
        equity_usd=float(most_equity_usd(flow_usd=site)[0]),
        borrowed_usd=total("drawn_usd") + total("capitalised_usd"),
        construction_interest_usd=total("capitalised_usd"),
        interest_usd=total("interest_usd"),
        fees_usd=total("fees_usd"),
        least_cover=_least(covers),
        full_load_cover=_least(np.where(months > project.timeline.full_month, covers, np.nan)),
        effective_rate=float("nan") if claims is None else float(yearly_return(flow_usd=claims)[0]),
    )


def _least(covers: Array) -> float:
    """The lowest of the months in which something is due."""
    known = covers[np.isfinite(covers)]
    return float(np.min(known)) if known.size else float("nan")
