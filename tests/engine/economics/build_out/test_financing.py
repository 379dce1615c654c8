"""Loans and leases: cases by hand, and what must hold of any."""

from dataclasses import replace

import numpy as np
import pytest

from app.engine.economics.build_out.loans import Borrower, lease, level_payment_usd, loan, yearly_return
from app.engine.economics.build_out.project import evaluate_project
from app.engine.economics.build_out.ways import borrower_of, ways_to_pay
from tests.engine.economics.build_out.sites import column, drawn, financing, phased, site_and_table
from tests.support import part_of

RATE = 1.01**12 - 1  # 1 % a month


def borrower(months: int, begin: int, uses: dict[int, float], cfads: float) -> Borrower:
    at = np.arange(months + 1.0)
    spent = np.zeros((1, months + 1))
    for month, usd in uses.items():
        spent[0, month] = usd
    return Borrower(
        months=at,
        delivery_month=column(begin),
        end_month=column(months),
        uses_usd=spent,
        cfads_usd=np.where(at > begin, cfads, 0.0)[None, :],
    )


def test_a_level_loan_by_hand() -> None:
    # 1,000 on day 0 and 1,000 in month 1, delivered in month 2: half of 1,000 x 1.0201 + 1,000 x 1.01.
    terms = financing(
        loan_share=0.5,
        loan_rate=RATE,
        loan_months=12,
        interest_only_months=0,
        upfront_fee=0.01,
        commitment_fee=0,
    )
    found = loan(borrower(20, 2, {0: 1000, 1: 1000}, 100), terms, sculpted=False)
    assert found.owed_usd[0, 2] == pytest.approx(1015.05)
    assert found.capitalised_usd.sum() == pytest.approx(15.05)
    assert found.fees_usd.sum() == pytest.approx(10)
    assert found.service_usd[0, 3:15] == pytest.approx(np.full(12, 1015.05 * 0.0888487887), rel=1e-8)
    assert found.service_usd[0, 15:].sum() == 0
    assert found.cover[0, 3] == pytest.approx(100 / 90.18597)


def test_a_sculpted_loan_by_hand() -> None:
    # 140 a month at a cover of 1.4 serves 100, which supports 12 payments at 1 %: 1,125.51.
    terms = financing(
        loan_share=1, loan_rate=RATE, loan_months=12, interest_only_months=0, target_dscr=1.4, upfront_fee=0
    )
    found = loan(borrower(20, 0, {0: 5000}, 140), terms, sculpted=True)
    assert found.drawn_usd[0, 0] == pytest.approx(1125.5077, rel=1e-7)
    assert found.cover[0, 1:13] == pytest.approx(np.full(12, 1.4))
    assert np.all(found.owed_usd[0, 12:] == 0)


def test_a_lease_by_hand() -> None:
    # 1,000 with 200 left after 12 months at 1 %: (1,000 - 177.4898) x 0.0888488 = 73.0791, or 72.3556 in advance.
    given = borrower(24, 0, {0: 1000}, 100)
    for advance, rent in ((0, 73.0791), (1, 72.3555)):
        found = lease(given, column(1000), column(200), column(RATE), column(12), column(advance))
        assert found.service_usd[0].max() == pytest.approx(rent, abs=1e-4)
        assert yearly_return(flow_usd=found.lender_flow_usd[0])[0] == pytest.approx(RATE)


def test_an_annuity_is_that_of_every_spreadsheet() -> None:
    paid = level_payment_usd(owed_usd=np.array([31_250.0]), rate=np.array([0.1]), payments=np.array([4.0]))
    assert paid[0] == pytest.approx(9858.4625, rel=1e-7)
    flow = np.array([-100.0, 40, 40, 40, 40])
    assert (1 + yearly_return(flow_usd=flow)[0]) ** (1 / 12) - 1 == pytest.approx(0.21862, abs=1e-5)
    assert np.isnan(yearly_return(flow_usd=np.array([-1.0, 3, -2.5]))[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(300)))
def test_what_must_hold_of_any_financing(seed: int) -> None:
    site, build_out, terms = drawn(seed)
    project = evaluate_project(site, build_out)
    ways = {way.key: way for way in ways_to_pay(project, None, site.economics, terms)}
    sculpted = ways["sculpted_loan"].debt
    begin = project.timeline.delivery_month
    months = project.timeline.months
    free = np.minimum(terms.interest_only_months, terms.loan_months - 1)
    is_due = (months > begin + free) & (sculpted.service_usd > 1e-3) & (project.cfads_usd > 0)
    most = terms.loan_share * np.sum(
        project.uses_usd * (1 + terms.loan_rate) ** (np.maximum(begin - months, 0) / 12),
        axis=-1,
        keepdims=True,
    )
    amount = np.sum(sculpted.drawn_usd + sculpted.capitalised_usd, axis=-1, keepdims=True)
    for place in range(begin.size):
        covers = sculpted.cover[place][is_due[place]]
        if covers.size == 0:
            continue
        assert covers == pytest.approx(np.full(covers.size, covers[0]))
        if amount[place, 0] < most[place, 0] * (1 - 1e-9):
            assert covers[0] == pytest.approx(terms.target_dscr[0, 0])
        assert covers[0] >= terms.target_dscr[0, 0] * (1 - 1e-9)
    assert np.all(amount <= most * (1 + 1e-9))
    # A lease costs its implicit rate; a loan its rate and its fees.
    for key, rate in (("lease", terms.lease_rate), ("sale_and_leaseback", terms.leaseback_rate)):
        assert ways[key].effective_rate == pytest.approx(float(rate[0, 0]), abs=1e-7)
    for key in ("level_loan", "sculpted_loan"):
        way = ways[key]
        if way.borrowed_usd > 1 and np.isfinite(way.effective_rate):
            assert way.effective_rate >= terms.loan_rate[0, 0] - 1e-9
    # Outside money moves cash between owners and lenders, and nothing else but tax.
    cash = ways["cash"]
    for key in ("level_loan", "sculpted_loan", "sale_and_leaseback"):
        way = ways[key]
        claims = np.sum(way.debt.lender_flow_usd, axis=0)
        assert way.owners_flow_usd + claims + way.tax_usd == pytest.approx(
            cash.owners_flow_usd + cash.tax_usd, rel=1e-9, abs=1
        )


def test_a_loan_at_the_cost_of_capital_changes_no_worth() -> None:
    site, _ = site_and_table(tax_rate=0.0, price_usd_per_accelerator_hour=3.0)
    project = evaluate_project(site, phased(site.utility_peak_w))
    capital = float(site.economics.wacc[0])
    terms = financing(loan_rate=capital, upfront_fee=0, commitment_fee=0, leaseback_rate=capital)
    cash, level, sculpted, _, leaseback = ways_to_pay(project, None, site.economics, terms)
    for way in (level, sculpted, leaseback):
        assert way.npv_usd == pytest.approx(cash.npv_usd, rel=1e-6)
        assert way.equity_usd < cash.equity_usd


def test_an_operating_lease_at_the_cost_of_capital_is_worth_what_owning_is_where_the_residual_is_fair() -> (
    None
):
    site, _ = site_and_table(
        terms={"residual_value": 0.2}, tax_rate=0.0, inflation=0.0, price_usd_per_accelerator_hour=3.0
    )
    project = evaluate_project(site, replace(phased(site.utility_peak_w), equipment_months=column(0, 0)))
    capital = float(site.economics.wacc[0])
    for months in (24, 60):
        terms = financing(lease_rate=capital, lease_months=months)
        cash, _, _, leased, _ = ways_to_pay(project, None, site.economics, terms)
        assert leased.npv_usd == pytest.approx(cash.npv_usd, rel=1e-6)


def test_a_higher_cover_supports_less_debt() -> None:
    site, _ = site_and_table(price_usd_per_accelerator_hour=3.0)
    project = evaluate_project(site, phased(site.utility_peak_w))
    amounts = [
        loan(borrower_of(project), financing(loan_share=1, target_dscr=cover), sculpted=True).drawn_usd.sum()
        for cover in (1.2, 1.4, 2.0, 3.0)
    ]
    assert amounts == sorted(amounts, reverse=True)
    assert amounts[2] / amounts[3] == pytest.approx(1.5)
