"""The sheet of the cash flow: every cell is a formula on the inputs and on cells before it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from app.engine.economics.cash_flow import debt, flows
from app.engine.economics.cash_flow.money import price_growth
from app.views.economics.cash_flow.asset_lines import depreciation_lines, purchase_lines
from app.views.economics.cash_flow.inputs_sheet import RESULT, RESULTS, measure
from app.views.economics.cash_flow.report import CashFlowAnswer, kind_label
from app.views.economics.cash_flow.year_table import NAME, TOTAL, Here, YearTable
from app.views.sheet import Book, Formula, Text


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
    purchase_lines(table)
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
    table.line("growth", "Price index, year 0 = 1",
               lambda here: f'IF(prices="real",1,(1+inflation)^{here.at("year")})',
               (flat if is_real else growth).tolist(), unit="1")  # fmt: skip
    table.line("fixed", "Worth of a nominal dollar",
               lambda here: f'IF(prices="real",1/(1+inflation)^{here.at("year")},1)',
               (1 / growth if is_real else flat).tolist(), unit="1")  # fmt: skip


def _operation(table: YearTable) -> None:
    answer = table.answer
    table.head("Operation")
    table.line(
        "hours", "Utilised accelerator-hours", lambda here: f"available_hours_per_year*utilisation*{here.at('share')}",
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


def debt_lines(table: YearTable) -> None:
    """Level payments; what is left at the end of the life is paid back then."""
    terms, years = table.answer.terms, table.years
    agreed = debt.agreed_debt_usd(
        borrowed_usd=np.array([terms.debt_share * table.answer.years[0].purchase_usd]),
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
        "agreed", "Scheduled debt, nominal",
        lambda here: "loan_usd*IF(ABS(nominal_debt_rate)<1E-12,"
        + f"{left}/debt_years,{compound})".format(year=here.at("year")),
        agreed.tolist(),
    )  # fmt: skip
    table.line("owed", "Remaining debt, nominal",
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


def worth_lines(table: YearTable) -> None:
    """Measures, each in a cell with a name."""
    table.head("Present value")
    factor = f"(1+discount_rate)^{table.across('year')}"
    formulas = {
        "npv_usd": _present_value(table, "flow"),
        "npv_before_tax_usd": _present_value(table, "before_tax"),
        "irr": _rate_of_return(table, "flow"),
        "equity_npv_usd": _present_value(table, "equity"),
        "equity_irr": _rate_of_return(table, "equity"),
        "payback_years": _years_of(table, "unpaid", "cumulative"),
        "discounted_payback_years": _years_of(table, "unpaid_worth", "worth_so_far"),
        "least_debt_service_cover": f'=IF(COUNT({table.across("cover")})>0,MIN({table.across("cover")}),"none")',
        "levelised_usd_per_used_hour": f"=SUMPRODUCT(({table.across('purchase')}+{table.across('running')}"
        f"-{table.across('sales')})/{factor})/SUMPRODUCT({table.across('hours')}*{table.across('growth')}/{factor})",
    }
    for name, label, unit in RESULTS:
        row = table.sheet.line(label, Formula(formulas[name], measure(table.answer, name), unit))
        table.sheet.book.name_cell(f"{RESULT}{name}", NAME, row, TOTAL)


def _present_value(table: YearTable, name: str) -> str:
    # NPV passes over words, so it would take what is unknown for nothing.
    years = table.across(name)
    value = f"{table.first(name)}+NPV(discount_rate,{table.across(name, 1)})"
    return f'=IF(COUNT({years})=COLUMNS({years}),{value},"unknown")'


def _rate_of_return(table: YearTable, name: str) -> str:
    years = table.across(name)
    return f'=IF(COUNT({years})=COLUMNS({years}),IFERROR(IRR({years}),"none"),"unknown")'


def _years_of(table: YearTable, parts: str, total: str) -> str:
    years, sums = table.across(parts), table.across(total)
    return f'=IF(COUNT({years})=COLUMNS({years}),IF(MAX({sums})>=0,SUM({years}),"never"),"unknown")'


def project_lines(table: YearTable) -> None:
    """From earnings to cash, then discounted."""
    table.head("Project, before financing")
    table.line(
        "tax", "Tax",
        lambda here: f"IF(tax_rate=0,0,tax_rate*({here.at('ebitda')}-{here.at('depreciation')}+{here.at('gain')}))",
        table.column("tax_usd"), summed=True,
    )  # fmt: skip
    table.line(
        "before_tax", "Cash flow before tax",
        lambda here: f"{here.at('ebitda')}-{here.at('purchase')}+{here.at('sales')}",
        table.column("flow_before_tax_usd"), summed=True,
    )  # fmt: skip
    table.line("flow", "Cash flow", lambda here: f"{here.at('before_tax')}-{here.at('tax')}",
               table.column("flow_usd"), summed=True, look="total")  # fmt: skip
    _running_sum(table, "cumulative", "Cumulative", "flow", "cumulative_flow_usd")
    table.line("discounted", "Discounted", lambda here: f"{here.at('flow')}/(1+discount_rate)^{here.at('year')}",
               table.column("discounted_flow_usd"), summed=True)  # fmt: skip
    _running_sum(
        table, "worth_so_far", "Discounted, cumulative", "discounted", "cumulative_discounted_flow_usd"
    )
    _payback(table, "unpaid", "Part of the year before payback", "flow", "cumulative")
    _payback(table, "unpaid_worth", "The same, discounted", "discounted", "worth_so_far")


def _running_sum(table: YearTable, name: str, label: str, of: str, column: str) -> None:
    values = table.column(column)
    later = [values[-1]] * (table.years.size - len(values))
    table.line(
        name, label, lambda here: f"{here.last(name)}+{here.at(of)}" if here.year else here.at(of), [*values, *later]
    )  # fmt: skip


def _payback(table: YearTable, name: str, label: str, flow: str, total: str) -> None:
    """One in years before it, part of the year in which it comes, nothing after it."""

    def formula(here: Here) -> str:
        if here.year == 0:
            return "0"
        within = f"IF({here.at(total)}>=0,-{here.last(total)}/{here.at(flow)},1)"
        part = f"IF(MAX({here.so_far(total, until=here.before)})>=0,0,{within})"
        return f'IF(ISNUMBER({here.at(total)}),{part},"unknown")'

    sums = {"flow": "cumulative_flow_usd", "discounted": "cumulative_discounted_flow_usd"}
    years = table.answer.years
    values = table.column(sums[flow])
    flows_of = table.column("flow_usd" if flow == "flow" else "discounted_flow_usd")
    parts = [0.0]
    for year in range(1, len(years)):
        if math.isnan(values[year]):
            parts.append(math.nan)
        elif max(values[:year]) >= 0:
            parts.append(0.0)
        else:
            parts.append(-values[year - 1] / flows_of[year] if values[year] >= 0 else 1.0)
    never = not any(value >= 0 for value in values)
    later = [math.nan if math.isnan(values[-1]) else float(never)] * (table.years.size - len(years))
    table.line(name, label, formula, [*parts, *later], unit="1")
