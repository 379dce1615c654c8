"""The sheet of the cash flow: every cell is a formula on the inputs and on cells before it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.economics.cash_flow import flows
from app.engine.economics.cash_flow.money import price_growth
from app.views.economics.cash_flow.debt_lines import debt_lines, owner_lines
from app.views.economics.cash_flow.depreciation_lines import depreciation_lines
from app.views.economics.cash_flow.lines import kind_label
from app.views.economics.cash_flow.project_lines import project_lines
from app.views.economics.cash_flow.report import CashFlowAnswer
from app.views.economics.cash_flow.worth_lines import worth_lines
from app.views.economics.cash_flow.year_table import Here, YearTable
from app.views.sheet import Book, Text


def flow_sheet(book: Book, answer: CashFlowAnswer, last_year: int) -> None:
    """The years, then what they are worth."""
    table = YearTable(book, answer, last_year)
    table.sheet.heading("Cash flow, USD", "title")
    table.sheet.line(
        Text(
            "Every cell computes from the sheet Inputs. Year 0 is the day of purchase; flows stand at the ends of years.",
            "note",
        )
    )
    table.sheet.gap()
    table.sheet.header("", "Total", *("Year" for _ in table.years), numbers=range(1, table.years.size + 2))
    _calendar(table)
    _operation(table)
    _purchase(table)
    depreciation_lines(table)
    project_lines(table)
    debt_lines(table)
    owner_lines(table)
    worth_lines(table)


def _calendar(table: YearTable) -> None:
    terms, years = table.answer.terms, table.years
    life = np.array([terms.life_years])
    growth = price_growth(inflation=np.array([terms.inflation]), years=years)
    is_real = terms.prices == "real"
    flat = np.ones_like(years)
    table.line(
        "year", "Year", lambda here: f"{here.last('year')}+1" if here.year else "0", years.tolist(), unit="1"
    )
    table.line(
        "share", "Share of the year in the life",
        lambda here: f"IF({here.at('year')}>0,MAX(0,MIN(1,life_years-({here.at('year')}-1))),0)",
        flows.year_share(life_years=life, years=years).tolist(), unit="1",
    )  # fmt: skip
    table.line("is_last", "Last year of the life", lambda here: f"IF({here.at('year')}=ROUNDUP(life_years,0),1,0)",
               (years == np.ceil(life)).astype(float).tolist(), unit="1")  # fmt: skip
    table.line("growth", "Prices over those of year 0",
               lambda here: f'IF(prices="real",1,(1+inflation)^{here.at("year")})',
               (flat if is_real else growth).tolist(), unit="1")  # fmt: skip
    table.line("fixed", "Worth of a nominal dollar",
               lambda here: f'IF(prices="real",1/(1+inflation)^{here.at("year")},1)',
               (1 / growth if is_real else flat).tolist(), unit="1")  # fmt: skip


def _operation(table: YearTable) -> None:
    answer = table.answer
    table.head("Operation")
    table.line(
        "hours", "Used accelerator-hours", lambda here: f"available_hours_per_year*utilisation*{here.at('share')}",
        table.column("used_hours"), unit="h", summed=True,
    )  # fmt: skip
    table.line(
        "revenue", "Revenue",
        lambda here: f"IF({here.at('hours')}>0,{here.at('hours')}*price_usd_per_accelerator_hour*{here.at('growth')},0)",
        table.column("revenue_usd"), summed=True,
    )  # fmt: skip
    kinds = list(answer.totals.operating_usd)
    for kind in kinds:
        table.line(
            f"running_{kind}", kind_label(kind), _running(kind),
            [year.operating_usd[kind] for year in answer.years], summed=True,
        )  # fmt: skip
    table.line(
        "running", "Running cost", lambda here: "+".join(here.at(f"running_{kind}") for kind in kinds),
        table.column("operating_total_usd"), summed=True,
    )  # fmt: skip
    table.line(
        "ebitda", "Earnings before interest, tax and depreciation",
        lambda here: f"{here.at('revenue')}-{here.at('running')}", table.column("ebitda_usd"),
        summed=True, look="total",
    )  # fmt: skip


def _running(kind: str) -> Callable[[Here], str]:
    return lambda here: (
        f"IF({here.at('share')}>0,running_{kind}_usd*{here.at('share')}*{here.at('growth')},0)"
    )


def _purchase(table: YearTable) -> None:
    table.head("Purchase and worth at the end")
    table.line("purchase", "Purchase", lambda here: f"IF({here.at('year')}=0,capex_usd,0)",
               table.column("purchase_usd"), summed=True)  # fmt: skip
    sold = "(equipment_usd*residual_value+facility_usd*facility_worth_share+land_usd)"
    table.line("sales", "Worth at the end", lambda here: f"IF({here.at('is_last')}=1,{sold}*{here.at('growth')},0)",
               table.column("sales_usd"), summed=True)  # fmt: skip
