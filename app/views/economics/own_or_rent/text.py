"""Owning against renting as lines of text."""

from __future__ import annotations

import math

from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm


def own_or_rent_text(report: OwnOrRent) -> str:
    """The verdict, a line for each way to pay, the mix, regret by price path, and what to know."""
    pod = f"{report.accelerators:,.0f} {report.accelerator} at {report.utilisation:.0%} use"
    lines = [
        *report.verdict,
        "",
        f"Pod             {pod}, {report.horizon_months:.0f} months, price path {report.price_path}",
        "",
        f"{'':<16}{'USD/h today':>12}{'as of':>12}{'M USD':>11}{'USD/used h':>12}{'own from':>10}{'pays back':>11}",
        f"{'Own':<16}{'':>12}{'':>12}{_millions(report.own.total_usd):>11}{_price(report.own.usd_per_used_hour):>12}",
        *(_term(term) for term in report.terms),
    ]
    if report.mix:
        lines.append(
            f"{'Own and rent':<16}{'':>24}{_millions(report.mix.total_usd):>11}   "
            f"{_percent(report.mix.owned_share)} of the pod owned, the rest {_words(report.mix.term)}"
        )
    lines += ["", f"Reserve         above {_percent(report.reserving.above_utilisation)} use"]
    regret = report.regret
    if regret.least_regretted:
        lines += [
            "",
            f"{'Regret, M USD':<16}"
            + "".join(f"{_words(path):>12}" for path in regret.paths)
            + f"{'most':>12}",
        ]
        lines += [
            f"{_words(choice):<16}" + "".join(f"{_millions(value):>12}" for value in (*values, most))
            for choice, values, most in zip(
                regret.choices, regret.regret_usd, regret.most_regret_usd, strict=True
            )
        ]
    lines += ["", *(f"{path.title:<28}{path.said}" for path in report.paths)]
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


def _term(term: RentTerm) -> str:
    use = {"yes": _percent(term.break_even_utilisation), "never": "never", "unknown": "unknown"}
    month = "never" if term.pays_back == "never" else _month(term.break_even_month)
    day = "stated" if term.is_stated else term.as_of + ("!" if term.is_old else "")
    return (
        f"{term.title:<16}{_price(term.usd_per_hour):>12}{day:>12}{_millions(term.total_usd):>11}"
        f"{_price(term.usd_per_used_hour):>12}{use[term.owning_pays]:>10}{month:>11}"
    )


def _words(key: str) -> str:
    return key.replace("_", " ")


def _millions(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value / 1e6:,.1f}"


def _price(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.3f}"


def _percent(share: float) -> str:
    return "unknown" if math.isnan(share) else f"{share:.1%}"


def _month(value: float) -> str:
    return "unknown" if math.isnan(value) else f"month {value:.0f}"
