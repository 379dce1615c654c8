"""Financial measures of the cash flow, by Excel's own functions, in cells that the sheet of inputs shows."""

from __future__ import annotations

from app.views.economics.cash_flow.inputs_sheet import RESULT, RESULTS, measure
from app.views.economics.cash_flow.year_table import NAME, TOTAL, YearTable
from app.views.sheet import Formula


def worth_lines(table: YearTable) -> None:
    """Measures, each in a cell with a name."""
    table.head("What it is worth")
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
