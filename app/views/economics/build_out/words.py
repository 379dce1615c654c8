"""Verdict and notes of a build-out in sentences."""

from __future__ import annotations

import math

from app.views.economics.build_out.report import WAYS, BuildOutReport

NOT_PHASED = (
    "No build-out is set: all is bought, connected and at work on the first day, as in the yearly cash flow. State "
    "economics.build_out to build in phases."
)
BASIS = (
    "Nominal money by month; prices are agreed at the order and step up once a year. Interest during construction is "
    "added to the loan. Net present value is at the cost of capital, from the day of the first order."
)
COVER = (
    "Cover is cash flow available for debt service (earnings less the tax that there would be without debt) over what "
    "is due; loans are on each phase by itself."
)
CARBON = "Emissions are those of operation; fuel is counted by its CO2 and by the methane that escapes."


def verdict_of(report: BuildOutReport, has_phases: bool) -> str:
    """When the site is whole, what it costs, and what it is worth."""
    paid = f"{money(report.capital_usd)} are paid in"
    worth = (
        "its present value is unknown"
        if math.isnan(report.npv_usd)
        else f"the owners' net present value is {money(report.npv_usd)} ({WAYS[report.funding].lower()})"
    )
    if not has_phases:
        return f"Bought at once: {paid} on the first day, and {worth}."
    if math.isnan(report.full_power_month):
        return f"The site never has full power: {paid}, and {worth}."
    when = f"month {report.full_power_month:.0f}"
    if report.full_power_date:
        when += f" ({report.full_power_date})"
    bridged = (
        f"; bridge power gives {100 * report.bridge_share:.0f} % of the energy"
        if report.bridge_share > 0
        else ""
    )
    count = len(report.phases)
    return (
        f"{count} phase{'s' if count > 1 else ''}, full power of {report.needed_w / 1e6:,.0f} MW from {when}{bridged}: "
        f"{paid}, and {worth}."
    )


def notes_of(report: BuildOutReport, has_phases: bool) -> tuple[str, ...]:
    """Caveats and limits."""
    found = []
    for phase in report.phases:
        waited = phase.delivery_month - phase.ready_month
        if waited > 0:
            found.append(
                f"{phase.name} is ready in month {phase.ready_month:.0f} and waits {waited:.0f} months for power; its "
                "equipment is delivered then. Bridge power or an earlier connection would shorten that."
            )
    short = [month for month in report.months if month.grid_w + month.bridge_w < month.needed_w * (1 - 1e-9)]
    if has_phases and short:
        found.append(
            f"Power is short of what ready phases need in {len(short)} months: machines without power earn nothing."
        )
    if math.isnan(report.full_power_month):
        found.append(
            f"Connections and bridge power never reach the {report.needed_w / 1e6:,.1f} MW of the site. State more "
            "grid_w or bridge_w."
        )
    low = [f"{way.title.lower()} {way.least_cover:.2f}" for way in report.ways if way.least_cover < 1]
    if low:
        found.append(f"Least cover below 1: {', '.join(low)}; in such months the owners pay in what is due.")
    if not has_phases:
        found.append(NOT_PHASED)
    return (*found, BASIS, COVER, CARBON)


def money(usd: float) -> str:
    """Dollars in words.

    >>> money(3.21e9), money(-4.5e6), money(float("nan"))
    ('3.21 billion USD', '\u22124.5 million USD', 'an unknown sum')
    """
    if math.isnan(usd):
        return "an unknown sum"
    sign = "\u2212" if usd < 0 else ""
    for size, word in ((1e9, "billion USD"), (1e6, "million USD")):
        if abs(usd) >= 0.9995 * size:
            return f"{sign}{abs(usd) / size:,.3g} {word}"
    return f"{sign}{abs(usd):,.0f} USD"
