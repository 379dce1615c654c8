"""The table as a whole: the engine's own cost of an hour, sums that keep every dollar, real and nominal money."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.economics.cash_flow.money import nominal_rate, real_rate
from app.engine.economics.cash_flow.worth import CashFlow
from tests.engine.economics.cash_flow.tables import table
from tests.support import number

UNKNOWN = float("nan")


@pytest.mark.slow
@pytest.mark.parametrize("life", [1, 4, 5, 12])
@pytest.mark.parametrize("prices", ["nominal", "real"])
def test_an_hour_costs_what_the_build_up_says(life: float, prices: str) -> None:
    cost, found = table(terms={"life_years": life}, prices=prices)
    hour = cost.usd_per_accelerator_hour[0]
    assert found.levelised_usd_per_used_hour[0] == pytest.approx(hour, rel=1e-9)
    # In real terms inflation changes nothing before tax.
    _, dearer = table(terms={"life_years": life}, prices="real", inflation=0.04)
    assert dearer.levelised_usd_per_used_hour[0] == pytest.approx(hour, rel=1e-9)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    life=st.integers(1, 12),
    network=st.integers(1, 15),
    storage=st.integers(1, 15),
    residual=st.sampled_from([None, 0.0, 0.3]),
    duty=st.floats(0, 0.3),
)
def test_lives_of_kinds_cost_an_hour_the_same_in_both_views(
    life: int, network: int, storage: int, residual: float | None, duty: float
) -> None:
    """What lives longer is credited, what lives shorter is bought again: level payments and cash agree."""
    terms = {
        "life_years": life, "network_life_years": network, "storage_life_years": storage,
        "residual_value": residual, "import_duty_share": duty, "construction_cost_factor": 1.2,
    }  # fmt: skip
    cost, found = table(terms=terms)
    hour = cost.usd_per_accelerator_hour[0]
    assert found.levelised_usd_per_used_hour[0] == pytest.approx(hour, rel=1e-9)
    assert (found.purchase_total_usd[1:].sum() > 0) == (network < life or storage < life)
    for kind, share in found.worth_share.items():
        assert 0 <= share[0] <= 1, kind


@pytest.mark.slow
@given(
    tax=st.sampled_from([0.1, 0.3]),
    storage=st.sampled_from([2, 3, 5, 8]),
    method=st.sampled_from(("straight_line", "declining_balance", "macrs", "tax_life")),
)
@settings(max_examples=20)
def test_books_are_closed(tax: float, storage: int, method: str) -> None:
    """All that is bought is written off, sold or a loss at the end: profits of all years are the money made."""
    _, found = table(
        terms={"storage_life_years": storage, "life_years": 7}, tax_rate=tax, depreciation=method,
        price_usd_per_accelerator_hour=3.0,
    )  # fmt: skip
    made = found.flow_before_tax_usd.sum()
    assert found.tax_usd.sum() == pytest.approx(tax * made, rel=1e-9)


def test_a_broken_life_is_settled_at_the_end_of_its_last_year() -> None:
    cost, found = table(terms={"life_years": 4.5})
    assert found.years[-1] == 5
    assert found.year_share == pytest.approx([0, 1, 1, 1, 1, 0.5])
    assert found.used_hours.sum() == pytest.approx(4.5 * found.used_hours[1])
    # Half a year later than the build-up has it, where the facility's worth waits longest.
    hour, later = cost.usd_per_accelerator_hour[0], found.levelised_usd_per_used_hour[0]
    assert hour < later < 1.02 * hour


def test_without_a_rate_an_hour_is_cost_over_hours() -> None:
    cost, found = table(terms={"wacc": 0.0})
    paid = found.purchase_total_usd.sum() + found.operating_total_usd.sum() - found.sales_total_usd.sum()
    assert found.levelised_usd_per_used_hour[0] == pytest.approx(paid / found.used_hours.sum())
    assert found.levelised_usd_per_used_hour[0] == pytest.approx(cost.usd_per_accelerator_hour[0])
    assert found.npv_usd[0] == pytest.approx(found.flow_usd.sum())


def test_sold_at_its_cost_it_is_worth_nothing() -> None:
    cost, _ = table()
    _, found = table(price_usd_per_accelerator_hour=float(cost.usd_per_accelerator_hour[0]))
    assert found.npv_usd[0] == pytest.approx(0, abs=1e-6 * cost.capex_usd[0])
    assert found.irr[0] == pytest.approx(0.10)
    assert found.discounted_payback_years[0] == pytest.approx(5, abs=1e-6)


terms = st.fixed_dictionaries(
    {
        "life_years": st.floats(1, 9),
        "wacc": st.floats(0, 0.3),
        "utilisation": st.floats(0.1, 1),
        "residual_value": st.floats(0, 0.5),
        "network_life_years": st.floats(1, 9),
        "storage_life_years": st.floats(1, 9),
    }
)
financed = st.fixed_dictionaries(
    {
        "prices": st.sampled_from(("nominal", "real")),
        "depreciation": st.sampled_from(("straight_line", "declining_balance", "macrs", "tax_life")),
        "tax_rate": st.floats(0, 0.5),
        "bonus_depreciation": st.floats(0, 1),
        "inflation": st.floats(-0.02, 0.1),
        "debt_share": st.just(0.0) | st.floats(0.001, 1),
        "debt_rate": st.floats(0, 0.2),
        "debt_years": st.floats(0.5, 12),
    }
)


@pytest.mark.slow
@settings(max_examples=40)
@given(terms=terms, financed=financed)
def test_every_dollar_is_kept(terms: dict[str, float], financed: dict[str, float]) -> None:
    cost, found = table(terms=terms, **financed)
    size = cost.capex_usd[0]
    exact = {"rel": 1e-9, "abs": 1e-9 * size}
    assert found.cumulative_flow_usd[-1] == pytest.approx(found.flow_usd.sum(), **exact)
    assert found.cumulative_discounted_flow_usd[-1] == pytest.approx(found.npv_usd[0], **exact)
    assert found.purchase_total_usd[0] == pytest.approx(size, **exact)
    assert (found.purchase_total_usd[1:] >= 0).all()
    lenders = found.borrowed_usd - found.interest_usd - found.principal_usd
    saved = found.tax_usd - found.tax_with_debt_usd
    assert found.equity_flow_usd == pytest.approx(found.flow_usd + lenders + saved, **exact)
    assert found.flow_usd == pytest.approx(found.flow_before_tax_usd - found.tax_usd, **exact)
    assert found.flow_before_tax_usd == pytest.approx(
        found.ebitda_usd - found.purchase_total_usd + found.sales_total_usd, **exact
    )
    assert found.debt_usd[-1] == 0
    at_its_rate = found.flow_usd / (1 + found.irr[0]) ** found.years
    assert np.isnan(found.irr[0]) or at_its_rate.sum() == pytest.approx(
        0, abs=1e-7 * np.abs(at_its_rate).sum()
    )


@pytest.mark.slow
@settings(max_examples=30)
@given(terms=terms, financed=financed)
def test_real_and_nominal_money_agree(terms: dict[str, float], financed: dict[str, float]) -> None:
    """The same rates said both ways, tax and debt included: one present value, one rate of return by Fisher."""
    inflation = number(financed["inflation"])
    real = financed | {"prices": "real"}
    nominal = financed | {"prices": "nominal"}
    nominal["debt_rate"] = nominal_rate(real_rate=number(financed["debt_rate"]), inflation=inflation)
    nominal_wacc = nominal_rate(real_rate=number(terms["wacc"]), inflation=inflation)
    cost, in_real = table(terms=terms, **real)
    _, in_nominal = table(terms=terms | {"wacc": nominal_wacc}, **nominal)
    size = 1e-8 * cost.capex_usd[0]
    for name in ("npv_usd", "npv_before_tax_usd", "equity_npv_usd"):
        assert getattr(in_real, name)[0] == pytest.approx(getattr(in_nominal, name)[0], abs=size)
    assert in_real.levelised_usd_per_used_hour[0] == pytest.approx(in_nominal.levelised_usd_per_used_hour[0])
    if not np.isnan(in_real.irr[0]) and not np.isnan(in_nominal.irr[0]):
        by_fisher = real_rate(nominal_rate=in_nominal.irr, inflation=inflation)
        assert in_real.irr[0] == pytest.approx(by_fisher[0], abs=1e-7)


@pytest.mark.slow
@settings(max_examples=30)
@given(
    rate=st.floats(0, 0.3),
    share=st.floats(0, 1),
    years=st.floats(0.5, 12),
    inflation=st.floats(0, 0.1),
    prices=st.sampled_from(("nominal", "real")),
)
def test_debt_at_the_cost_of_capital_changes_nothing_before_tax(
    rate: float, share: float, years: float, inflation: float, prices: str
) -> None:
    cost, found = table(
        terms={"wacc": rate},
        prices=prices,
        inflation=inflation,
        debt_share=share,
        debt_rate=rate,
        debt_years=years,
    )
    assert found.equity_npv_usd[0] == pytest.approx(found.npv_usd[0], abs=1e-8 * cost.capex_usd[0])


def test_cheap_debt_lifts_the_return_of_the_owners() -> None:
    _, found = table(debt_share=0.6, debt_rate=0.06)
    assert found.irr[0] > 0.06
    assert found.equity_irr[0] > found.irr[0]
    assert found.least_debt_service_cover[0] == pytest.approx(found.debt_service_cover[1])
    _, alone = table()
    assert alone.equity_irr[0] == alone.irr[0]
    assert np.isnan(alone.least_debt_service_cover[0])


def test_cover_leaves_the_tax_on_the_sale_out() -> None:
    """MACRS has little left on the books at the end: the tax on what is got back beyond it is paid from the sale."""
    _, found = table(tax_rate=0.25, depreciation="macrs", debt_share=0.7, debt_years=5)
    gain, interest = found.gain_on_sale_usd[5], found.interest_usd[5]
    assert gain > 0
    tax = 0.25 * (found.ebitda_usd[5] - found.depreciation_total_usd[5] - interest)
    assert found.tax_with_debt_usd[5] == pytest.approx(tax + 0.25 * gain)
    served = interest + found.principal_usd[5]
    assert found.debt_service_cover[5] == pytest.approx((found.ebitda_usd[5] - tax) / served)


def test_tax_by_hand() -> None:
    """A fifth of the profit, equipment in five even parts; what is got back beyond the books is profit too."""
    cost, found = table(tax_rate=0.2)
    parts = cost.capex_breakdown_usd
    facility = parts["facility"][0]
    equipment = cost.capex_usd[0] - facility - parts["installation"][0] - parts.get("land", [0.0])[0]
    written = (0.9 * equipment + parts["installation"][0]) / 5 + facility / 39
    profit = found.ebitda_usd[1] - written
    assert found.tax_usd[1] == pytest.approx(0.2 * profit)
    plant = (1 - 1.1**-13) / (1 - 1.1**-18)
    shell = (1 - 1.1**-30) / (1 - 1.1**-35)
    gain = facility * (0.63 * plant + 0.37 * shell - 34 / 39)
    assert found.tax_usd[5] == pytest.approx(0.2 * (profit + gain))
    assert found.gain_on_sale_usd[5] == pytest.approx(gain)


def test_quicker_depreciation_is_worth_more() -> None:
    worth = [
        table(tax_rate=0.3, depreciation=method, bonus_depreciation=bonus)[1].npv_usd[0]
        for method, bonus in (("straight_line", 0), ("declining_balance", 0), ("straight_line", 1))
    ]
    assert worth == sorted(worth)
    taxes = [
        table(tax_rate=0.3, depreciation=method)[1].tax_usd.sum() for method in ("straight_line", "macrs")
    ]
    assert taxes[0] == pytest.approx(taxes[1])  # in the end all of the price has been set against profit


def test_an_unknown_price_leaves_the_cost_known() -> None:
    cost, found = table(
        terms={"rental_on_demand_usd_per_accelerator_hour": UNKNOWN}, tax_rate=0.2, debt_share=0.5
    )
    assert found.revenue_usd[0] == 0
    for unknown in (found.npv_usd, found.irr, found.payback_years, found.least_debt_service_cover):
        assert np.isnan(unknown[0])
    assert found.levelised_usd_per_used_hour[0] == pytest.approx(cost.usd_per_accelerator_hour[0])
    assert np.isfinite(found.operating_total_usd).all()
    assert np.isfinite(found.debt_usd).all()


def test_samples_are_rows_whatever_their_life() -> None:
    lives, prices = np.array([[3.0], [5.0], [4.5]]), np.array([[2.0], [3.2], [6.0]])
    changes = {"tax_rate": 0.21, "debt_share": 0.4, "inflation": 0.02, "depreciation": "declining_balance"}
    terms = {"life_years": lives, "rental_on_demand_usd_per_accelerator_hour": prices}
    _, together = table(terms=terms, **changes)
    assert together.flow_usd.shape == (3, 6)
    for row, (life, price) in enumerate(zip(lives[:, 0], prices[:, 0], strict=True)):
        _, alone = table(
            terms={"life_years": float(life), "rental_on_demand_usd_per_accelerator_hour": float(price)},
            **changes,
        )
        for name in _measures():
            measure = np.broadcast_to(getattr(together, name), (3, 1))[row, 0]
            assert measure == pytest.approx(getattr(alone, name)[0], nan_ok=True), name
        assert together.flow_usd[row, : alone.years.size] == pytest.approx(alone.flow_usd)
        assert together.flow_usd[row, alone.years.size :] == pytest.approx(0)


def _measures() -> tuple[str, ...]:
    names = tuple(CashFlow.__dataclass_fields__)
    return names[names.index("npv_usd") :]
