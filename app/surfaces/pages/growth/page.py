"""The growth page: charts, tables and sources of what was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.charts import Figure
from app.charts.format import THIN_SPACE
from app.charts.growth.gap import gap_figure
from app.charts.growth.indexed import MOORE, doubling_text, figure_text, indexed_figure, times
from app.charts.growth.projection import projection_figure
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.catalog.tabs import catalog
from app.surfaces.pages.templating import TemplatesDep
from app.views.growth.answer import UnknownTrendError, trend_answer, trends_answer
from app.views.growth.gap import FIRST, LAST, DeviceOrderError, UnknownDeviceError, claim_of, ends, gap_answer
from app.views.growth.series import SERIES

MOORE_RATE = "moore_1975"


CHIPS = {
    "within": ("good", "Inside theirs"),
    "overlap": ("accent", "Overlaps"),
    "apart": ("warn", "Apart"),
    "unknown": ("", "No own fit"),
}
BASES = {"published": "Published", "whole_data": "Whole data"}
CLAIMED = ("compute", "bus", "network")


class RateLine(NamedTuple):
    """A rate of someone else, and how ours stands to it."""

    basis: str
    rate: str
    doubling: str
    window: str
    source: Source
    chip: str
    agrees: str


class TrendLine(NamedTuple):
    """A trend with its own rate, and the rates of others."""

    key: str
    name: str
    rate: str
    between: str
    doubling: str
    doubling_between: str
    figures: str
    unknown: str
    rates: tuple[RateLine, ...]
    differs: str  # why, where ours is not inside theirs


class TrendGroup(NamedTuple):
    label: str
    lines: tuple[TrendLine, ...]


class LimitLine(NamedTuple):
    """A limit, and when the trend meets it."""

    name: str
    value: str
    says: str
    note: str
    recalled: bool
    source: Source


class CloseLine(NamedTuple):
    """Two devices that come close to the claim."""

    first: str
    last: str
    years: str
    precision: str
    network_basis: str
    factors: tuple[tuple[str, bool], ...]  # compute, bus and network, and whether each holds


def groups_of(items: list[dict[str, Any]], sources: Sources) -> tuple[TrendGroup, ...]:
    """Every trend by its group."""
    return tuple(
        TrendGroup(label, tuple(_line(one, sources) for one in items if one["group"] == group))
        for group, label in GROUPS.items()
    )


def limit_lines(trend: dict[str, Any], sources: Sources) -> tuple[LimitLine, ...]:
    """The limits of a trend, the lowest first."""
    return tuple(
        LimitLine(
            name=limit["name"].capitalize(),
            value=figure_text(limit["value"], limit["unit"]),
            says=limit["says"],
            note=limit["note"],
            recalled=limit["confidence"] == "memory",
            source=_cited(sources, limit["source"]),
        )
        for limit in trend["limits"]
    )


def close_lines(claim: dict[str, Any]) -> tuple[CloseLine, ...]:
    """Pairs near the claim, the nearest first."""
    return tuple(
        CloseLine(
            first=f"{one['from']['name']} ({one['from']['year']})",
            last=f"{one['to']['name']} ({one['to']['year']})",
            years=str(one["years"]),
            precision=one["precision_name"],
            network_basis=one["network_basis_name"],
            factors=tuple((times(one[name]), name in one["holds"]) for name in CLAIMED),
        )
        for one in claim["closest"]
    )


def _line(one: dict[str, Any], sources: Sources) -> TrendLine:
    fit = one["fit"]
    return TrendLine(
        key=one["key"],
        name=one["name"],
        rate=times(fit["annual_factor"]) if fit else "",
        between=_between(fit["low"], fit["high"]) if fit else "",
        doubling=doubling_text(fit["doubling_years"]) if fit else "",
        doubling_between=_doubling_between(fit) if fit else "",
        figures=str(one["n"]),
        unknown=one["unknown"],
        rates=tuple(_rate(rate, sources) for rate in one["rates"]),
        differs=one["differs"] if any(_is_outside(rate) for rate in one["rates"]) else "",
    )


def _rate(rate: dict[str, Any], sources: Sources) -> RateLine:
    between = _between(rate["low"], rate["high"])
    chip, agrees = CHIPS[rate["agreement"]]
    return RateLine(
        basis=BASES[rate["basis"]],
        rate=f"{times(rate['annual_factor'])} ({between})" if between else times(rate["annual_factor"]),
        doubling=doubling_text(rate["doubling_years"]),
        window=rate["window"],
        source=_cited(sources, rate["source"]),
        chip=chip,
        agrees=agrees,
    )


def _is_outside(rate: dict[str, Any]) -> bool:
    """Return whether our rate is not what the other says, as far as the other states its uncertainty."""
    return rate["agreement"] == "apart" or (rate["agreement"] == "overlap" and rate["low"] is not None)


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _doubling_between(fit: dict[str, Any]) -> str:
    low, high = fit["doubling_low_years"], fit["doubling_high_years"]
    if low is None:
        return ""
    return f"{doubling_text(low)} to {'never' if high is None else doubling_text(high)}"


def _cited(sources: Sources, text: str) -> Source:
    return sources.cite(text=text, url="", licence="")


TREND, FROM, TO = "trend", "from", "to"
TRENDS = "/api/v1/trends"
DEFAULTS = {TREND: "frontier_compute", FROM: FIRST, TO: LAST}
GROUPS = {"models": "Training runs", "clusters": "Clusters", "devices": "Devices"}
LONGEST = 80


class Option(NamedTuple):
    """A choice of a select."""

    value: str
    label: str
    chosen: bool


class Choices(NamedTuple):
    """Choices under a heading."""

    label: str
    options: tuple[Option, ...]


class Asked(NamedTuple):
    """A request read: `trend` and `gap` are None where what was asked cannot be used; `faults` say why."""

    raw: dict[str, str]
    trend: dict[str, Any] | None
    gap: dict[str, Any] | None
    faults: dict[str, str]

    def kept(self, *names: str) -> tuple[tuple[str, str], ...]:
        """Parameters that a form sends on unseen, where they are not as usual."""
        return tuple((name, self.raw[name]) for name in names if self.raw[name] != DEFAULTS[name])


def asked_of(catalog: Catalog, query: Mapping[str, str]) -> Asked:
    """The page of an address."""
    raw = {name: query.get(name, "").strip()[:LONGEST] or usual for name, usual in DEFAULTS.items()}
    faults: dict[str, str] = {}
    trend = gap = None
    try:
        trend = trend_answer(catalog, raw[TREND])
    except UnknownTrendError as error:
        faults[TREND] = str(error)
    try:
        gap = gap_answer(catalog, raw[FROM], raw[TO])
    except (UnknownDeviceError, DeviceOrderError) as error:
        faults[error.name] = f"{error.said} {error.hint}"
    return Asked(raw, trend, gap, faults)


def trend_choices(asked: Asked) -> tuple[Choices, ...]:
    """Every trend by its group, those with a limit first, and what was asked for even where it is unknown."""
    groups = []
    for group, label in GROUPS.items():
        series = sorted(
            (one for one in SERIES.values() if one.group == group), key=lambda one: not one.measure
        )
        options = [
            Option(
                one.key, f"{one.name}, with a limit" if one.measure else one.name, one.key == asked.raw[TREND]
            )
            for one in series
        ]
        groups.append(Choices(label, tuple(options)))
    if asked.raw[TREND] not in SERIES:
        groups.append(Choices("Unknown", (Option(asked.raw[TREND], asked.raw[TREND], True),)))
    return tuple(groups)


def end_choices(catalog: Catalog, asked: Asked, name: str) -> tuple[Option, ...]:
    """Every dated device, the oldest first."""
    chosen = asked.raw[name]
    found = [Option(one.key, f"{one.year} {one.name}", one.key == chosen) for one in ends(catalog)]
    if not any(option.chosen for option in found):
        found.append(Option(chosen, f"{chosen} (unknown)", True))
    return tuple(found)


class Call(NamedTuple):
    """What the API answers with figures of the page, and its address there."""

    label: str
    path: str


def calls_of(asked: Asked) -> tuple[Call, ...]:
    """Calls of all that the page shows: every rate, the projection, and the gap."""
    found = [Call("all trends", TRENDS)]
    if asked.trend is not None:
        found.append(Call("projection", f"{TRENDS}/{quote(asked.raw[TREND], safe='')}"))
    if asked.gap is not None:
        ends = urlencode({name: asked.raw[name] for name in (FROM, TO)})
        found.append(Call("gap", f"{TRENDS}/gap?{ends}"))
    return tuple(found)


class GrowthPage(NamedTuple):
    """Everything that the page shows."""

    asked: Asked
    calls: tuple[Call, ...]
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
        calls=calls_of(asked),
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
        return "Growth of training runs, clusters and devices, each with its doubling time and interval."
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
        f"Of {len(rates)} published rates, Podwright's lies inside {counted['within']}, overlaps {counted['overlap']} more and is "
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


router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422

CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("/trends")
def trends(request: Request, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    """What grows how fast, where it leads, and the gap between two devices."""
    shown = growth_page(found, dict(request.query_params))
    status = UNPROCESSABLE if shown.asked.faults else 200
    return page.page("growth/page.html", status=status, shown=shown)
