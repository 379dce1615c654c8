"""Owning against renting as lines of text."""

from __future__ import annotations

import math
from functools import partial
from operator import itemgetter

from app.views.economics.own_or_rent.report import OwnOrRent, RegretTable, RentTerm
from app.views.table import UNKNOWN, Column, number, percent, text_line, text_rows, text_table, usd

millions = partial(number, digits=1, per=1e6)


def words(key: str) -> str:
    return key.replace("_", " ")


def _as_of(term: RentTerm) -> str:
    return "stated" if term.is_stated else term.as_of + ("!" if term.is_old else "")


def _own_from(term: RentTerm) -> str:
    return percent(term.break_even_utilisation) if term.owning_pays == "yes" else term.owning_pays


def _pays_back(term: RentTerm) -> str:
    if term.pays_back == "never":
        return "never"
    return UNKNOWN if math.isnan(term.break_even_month) else f"month {term.break_even_month:.0f}"


TERMS = (
    Column("", "title", width=-16),
    Column("USD/h today", "usd_per_hour", usd, 12),
    Column("as of", _as_of, width=12),
    Column("M USD", "total_usd", millions, 11),
    Column("USD/used h", "usd_per_used_hour", usd, 12),
    Column("own from", _own_from, width=10),
    Column("pays back", _pays_back, width=11),
)


def own_or_rent_text(report: OwnOrRent) -> str:
    """The verdict, a line for each way to pay, the mix, regret by price path, and what to know."""
    pod = f"{report.accelerators:,.0f} {report.accelerator} at {report.utilisation:.0%} use"
    own = ["Own", "", "", millions(report.own.total_usd), usd(report.own.usd_per_used_hour)]
    lines = [
        *report.verdict,
        "",
        f"Pod             {pod}, {report.horizon_months:.0f} months, price path {report.price_path}",
        "",
        *text_table(TERMS, ()),
        text_line(own, TERMS),
        *text_rows(TERMS, report.terms),
    ]
    if report.mix:
        lines.append(
            f"{text_line(['Own and rent', '', '', millions(report.mix.total_usd)], TERMS)}   "
            f"{percent(report.mix.owned_share)} of the pod owned, the rest {words(report.mix.term)}"
        )
    lines += [
        "",
        f"Reserve         above {percent(report.reserving.above_utilisation)} use",
        *_regret(report.regret),
    ]
    lines += ["", *(f"{path.title:<28}{path.said}" for path in report.paths)]
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


def _regret(table: RegretTable) -> list[str]:
    """A line a choice, a column a price path; nothing where nothing can be said."""
    if not table.least_regretted:
        return []
    heads = (*map(words, table.paths), "most")
    columns = (
        Column("Regret, M USD", itemgetter(0), words, -16),
        *(Column(head, itemgetter(place), millions, 12) for place, head in enumerate(heads, start=1)),
    )
    rows = (
        (choice, *values, most)
        for choice, values, most in zip(table.choices, table.regret_usd, table.most_regret_usd, strict=True)
    )
    return ["", *text_table(columns, rows)]
