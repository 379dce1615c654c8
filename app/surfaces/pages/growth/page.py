"""The growth page: charts, tables and sources of what was asked for."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.charts import Figure
from app.charts.format import THIN_SPACE
from app.charts.growth.gap import gap_figure
from app.charts.growth.indexed import MOORE, indexed_figure
from app.charts.growth.projection import projection_figure
from app.charts.growth.words import doubling_text, times
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.growth.asked import (
    FROM,
    TO,
    Asked,
    Choices,
    Option,
    asked_of,
    end_choices,
    trend_choices,
)
from app.surfaces.pages.growth.table import (
    CloseLine,
    LimitLine,
    TrendGroup,
    close_lines,
    groups_of,
    limit_lines,
)
from app.views.growth.answer import trends_answer
from app.views.growth.gap import claim_of

MOORE_RATE = "moore_1975"


class GrowthPage(NamedTuple):
    """Everything that the page shows."""

    asked: Asked
    lead: str
    indexed: Figure
    trend_choices: tuple[Choices, ...]
    projection: Figure | None
    limits: tuple[LimitLine, ...]
    from_choices: tuple[Option, ...]
    to_choices: tuple[Option, ...]
    gap: Figure | None
    claim_says: str
    close: tuple[CloseLine, ...]
    groups: tuple[TrendGroup, ...]
    rates_say: str
    mfu_says: str
    sources: tuple[Source, ...]


def growth_page(catalog: Catalog, query: dict[str, str]) -> GrowthPage:
    """The page of an address."""
    asked = asked_of(catalog, query)
    answer = trends_answer(catalog)
    sources = Sources()
    claim = asked.gap["claim"] if asked.gap else claim_of(catalog)
    groups = groups_of(answer["items"], sources)
    limits = limit_lines(asked.trend, sources) if asked.trend else ()
    for text in dict.fromkeys(one["source"] for one in answer["items"]):
        sources.cite(text=text, url="", licence="")
    return GrowthPage(
        asked=asked,
        lead=_lead(answer),
        indexed=indexed_figure(answer["items"], _references(answer)),
        trend_choices=trend_choices(asked),
        projection=projection_figure(asked.trend) if asked.trend else None,
        limits=limits,
        from_choices=end_choices(catalog, asked, FROM),
        to_choices=end_choices(catalog, asked, TO),
        gap=gap_figure(asked.gap) if asked.gap else None,
        claim_says=_claim_says(claim),
        close=close_lines(claim),
        groups=groups,
        rates_say=_rates_say(answer),
        mfu_says=_mfu_says(answer["mfu"]),
        sources=sources.listed(),
    )


def _references(answer: dict[str, Any]) -> dict[str, float]:
    rates = {rate["key"]: rate["annual_factor"] for one in answer["items"] for rate in one["rates"]}
    return {MOORE: rates[MOORE_RATE]}


def _lead(answer: dict[str, Any]) -> str:
    fits = {one["key"]: one["fit"] for one in answer["items"] if one["fit"]}
    demand, device, moore = (
        fits.get(key) for key in ("frontier_compute", "device_best_flops", "transistors")
    )
    if not (demand and device and moore):
        return "How fast training runs, clusters and devices grow, each with its doubling time and interval."
    return (
        f"The compute of frontier runs doubles in {doubling_text(demand['doubling_years'])}, the arithmetic of a device in "
        f"{doubling_text(device['doubling_years'])}, its transistors in {doubling_text(moore['doubling_years'])}. Each rate is "
        f"a fit of dated figures with its 90{THIN_SPACE}% interval, beside what others published."
    )


def _claim_says(claim: dict[str, Any]) -> str:
    """How often the claim of the article is right, in one sentence."""
    compute, bus, network = (times(claim["claimed"][name]) for name in ("compute", "bus", "network"))
    off = f"{100 * claim['tolerance']:.0f}{THIN_SPACE}%"
    best = claim["closest"][0] if claim["closest"] else None
    said = (
        f"“{compute} compute, {bus} bus, {network} RDMA in {claim['claimed_years']} years” holds in all three, within {off}, "
        f"for {claim['all_hold']} of {claim['combinations']} combinations of two devices, a precision and a way to count RDMA"
    )
    if best is None:
        return f"{said}."
    return (
        f"{said}. The closest is {best['from']['name']} to {best['to']['name']} in {best['precision_name']}: "
        f"{times(best['compute'])}, {times(best['bus'])} and {times(best['network'])} in {best['years']} years."
    )


def _rates_say(answer: dict[str, Any]) -> str:
    rates = [rate for one in answer["items"] if one["fit"] for rate in one["rates"]]
    counted = {
        name: sum(rate["agreement"] == name for rate in rates) for name in ("within", "overlap", "apart")
    }
    return (
        f"Of {len(rates)} rates of others, ours lies inside {counted['within']}, overlaps {counted['overlap']} more and is "
        f"apart from {counted['apart']}."
    )


def _mfu_says(mfu: dict[str, Any]) -> str:
    quartiles = [
        f"{100 * one['value']:.0f}{THIN_SPACE}% ({100 * one['low']:.0f} to {100 * one['high']:.0f})"
        for one in mfu["quartiles"]
    ]
    others = ", ".join(f"{100 * value:.0f}" for value in mfu["published"])
    return (
        f"Quartiles of the {mfu['n']} runs that report it, each with its 90{THIN_SPACE}% interval: {', '.join(quartiles)}. On the "
        f"whole data they are {others}{THIN_SPACE}%."
    )
