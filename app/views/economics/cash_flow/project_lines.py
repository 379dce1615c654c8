"""Lines of the project, whoever pays for it: tax, flows, their sums, and when they pay back."""

from __future__ import annotations

import math

from app.views.economics.cash_flow.year_table import Here, YearTable


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
