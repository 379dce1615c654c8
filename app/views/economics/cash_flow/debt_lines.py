"""Lines of a loan, and what it leaves to the owners."""

from __future__ import annotations

import math

import numpy as np

from app.engine.economics.cash_flow import debt
from app.engine.economics.cash_flow.money import price_growth
from app.views.economics.cash_flow.year_table import YearTable


def debt_lines(table: YearTable) -> None:
    """Level payments; what is left at the end of the life is paid back then."""
    terms, years = table.answer.terms, table.years
    agreed = debt.agreed_debt_usd(
        borrowed_usd=np.array([terms.debt_share * table.answer.totals.purchase_usd]),
        debt_rate=np.array([terms.nominal_debt_rate]),
        debt_years=np.array([terms.debt_years]),
        years=years,
    )
    owed = debt.debt_usd(agreed_debt_usd=agreed, years=years, last_year=np.array([np.ceil(terms.life_years)]))
    before = debt.year_before(owed)
    interest = np.array([*table.column("interest_usd"), *([0.0] * (years.size - len(table.answer.years)))])
    growth = price_growth(inflation=np.array([terms.inflation]), years=years)
    fixed = 1 / growth if terms.prices == "real" else np.ones_like(years)
    service = np.where(before > 0, (before - agreed) * fixed + interest, 0.0)
    left = "MAX(0,debt_years-{year})"
    compound = f"(1-(1+nominal_debt_rate)^(-{left}))/(1-(1+nominal_debt_rate)^(-debt_years))"
    table.head("Debt")
    table.line("borrowed", "Borrowed", lambda here: f"IF({here.at('year')}=0,loan_usd,0)",
               table.column("borrowed_usd"), summed=True)  # fmt: skip
    table.line(
        "agreed", "Debt left as agreed, nominal",
        lambda here: "loan_usd*IF(ABS(nominal_debt_rate)<1E-12,"
        + f"{left}/debt_years,{compound})".format(year=here.at("year")),
        agreed.tolist(),
    )  # fmt: skip
    table.line("owed", "Debt left, nominal",
               lambda here: f"IF({here.at('year')}<ROUNDUP(life_years,0),{here.at('agreed')},0)", owed.tolist())  # fmt: skip
    table.line(
        "interest", "Interest",
        lambda here: f"{here.last('owed')}*nominal_debt_rate*{here.at('fixed')}" if here.year else "0",
        interest.tolist(), summed=True,
    )  # fmt: skip
    table.line(
        "principal", "Paid back",
        lambda here: f"({here.last('owed')}-{here.at('owed')})*{here.at('fixed')}" if here.year else "0",
        table.column("principal_usd"), summed=True,
    )  # fmt: skip
    table.line(
        "service", "Debt service as agreed",
        lambda here: f"IF({here.last('owed')}>0,({here.last('owed')}-{here.at('agreed')})*{here.at('fixed')}"
        f"+{here.at('interest')},0)" if here.year else "0",
        service.tolist(), summed=True,
    )  # fmt: skip


def owner_lines(table: YearTable) -> None:
    """Cash that is left after lenders and tax."""
    table.head("The owners")
    table.line(
        "tax_with_debt", "Tax, interest deducted",
        lambda here: f"IF(tax_rate=0,0,tax_rate*({here.at('ebitda')}-{here.at('depreciation')}"
        f"-{here.at('interest')}+{here.at('gain')}))",
        table.column("tax_with_debt_usd"), summed=True,
    )  # fmt: skip
    table.line(
        "equity", "Cash flow of the owners",
        lambda here: f"{here.at('before_tax')}-{here.at('tax_with_debt')}+{here.at('borrowed')}"
        f"-{here.at('interest')}-{here.at('principal')}",
        table.column("equity_flow_usd"), summed=True, look="total",
    )  # fmt: skip
    covers = table.column("debt_service_cover")
    has_price = not math.isnan(table.answer.measures.npv_usd)
    later = [math.nan] * (table.years.size - len(covers))
    table.line(
        "cover", "Debt service cover",
        lambda here: f"IF({here.at('service')}>0,({here.at('ebitda')}-IF(tax_rate=0,0,tax_rate*"
        f"({here.at('ebitda')}-{here.at('depreciation')}-{here.at('interest')})))"  # without the sale
        f'/{here.at("service")},"none")',
        [*covers, *later], unit="1", none="none" if has_price or table.answer.terms.debt_share == 0 else "",
    )  # fmt: skip
