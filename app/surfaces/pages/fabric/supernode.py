"""The SuperNode tab: what is inside one, what it costs and draws, and how that compares with what is published."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Response
from fastapi.responses import HTMLResponse

from app.charts.fabric.supernode_inside import supernode_inside_figure, supernode_tray_figure
from app.charts.fabric.supernode_parts import PartShare, supernode_parts_figure
from app.charts.fabric.supernode_racks import supernode_racks_figure
from app.charts.fabric.supernode_words import loss_words, spare_words
from app.charts.figure import Figure
from app.charts.format import UNKNOWN, Shown, show, signed_percent
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.download import download
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.supernode import (
    SLIDES,
    SuperNodeFigure,
    SuperNodeInside,
    SuperNodePart,
    supernode_inside,
)
from app.views.plain import report_json

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class PartRow(NamedTuple):
    """A part as a line of the table."""

    title: str
    units: Shown
    each_power: Shown
    power: Shown
    each_price: Shown
    price: Shown
    low: Shown
    high: Shown


@router.get("/fabric/{key}/supernode")
def supernode(opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """What is inside a SuperNode of a design."""
    answer, fault = None, ""
    if opened.scenario is not None:
        try:
            answer = supernode_inside(opened.scenario, opened.catalog)
        except ScenarioError as error:
            fault = error.errors[0].words
    return page.page(
        "fabric/supernode.html",
        opened=opened,
        answer=answer,
        fault=fault,
        figures=inside_figures(answer) if answer else [],
        rows=[_row(part) for part in answer.parts] if answer else [],
        facts=_facts(answer) if answer else [],
        tables=_tables(answer) if answer else {},
        compared=[(one.title, _shown(one.built, one.unit), _shown(one.published, one.unit), _off(one), one.source)
                  for one in answer.compared] if answer else [],
    )  # fmt: skip


@router.get("/fabric/{key}/supernode/file", response_class=Response)
def slide(opened: OpenedDep, format: str = "slide") -> Response:
    """The picture of the inside as a slide."""
    chosen = next((file for file in SLIDES if file.name == format), None)
    if opened.scenario is None or chosen is None:
        raise HTTPException(404, opened.carried.refusal or f"There is no {format[:40]} of this page.")
    try:
        answer = supernode_inside(opened.scenario, opened.catalog)
    except ScenarioError as error:
        raise HTTPException(422, error.errors[0].words) from error
    return download(chosen.format, answer, f"{opened.carried.title} {chosen.sent_as}")


def inside_figures(answer: SuperNodeInside) -> list[Figure]:
    """Inside, racks, and the shares of parts in price and power."""
    inside = report_json(answer)
    drawn = sum(part.power_w for part in answer.parts)
    power = [
        *(
            PartShare(part.name, part.title, part.count, part.power_w)
            for part in answer.parts
            if part.power_w
        ),
        PartShare("losses", "Fans and supplies", 1, answer.rated_power_w - drawn),
    ]
    price = [PartShare(part.name, part.title, part.count, part.price_usd.typical) for part in answer.parts]
    return [
        supernode_inside_figure(inside),
        *([supernode_tray_figure(inside)] if answer.network.structure == "torus" else []),
        supernode_racks_figure(inside),
        supernode_parts_figure("price", price, answer.price_usd.typical),
        supernode_parts_figure("power", power, answer.rated_power_w),
    ]


STATUS = {"fits": "Fits", "over": "Exceeded", "unknown": "Unknown"}


def _tables(answer: SuperNodeInside) -> dict[str, list[tuple[Any, ...]]]:
    """Lines of the tables of losses, of links and of limits."""
    inside = report_json(answer)
    return {
        "losses": [
            (one.title, _shown(one.count, "1"), loss_words(said), spare_words(said), _shown(one.failures_per_day, "1/day"))
            for one, said in zip(answer.losses, inside["losses"], strict=True)
        ],
        "links": [
            (one.title, _shown(one.links, "1"), _shown(one.bytes_per_s, "B/s"), one.medium, _shown(one.cables, "1"), _shown(one.modules, "1"))
            for one in answer.links
        ],
        "limits": [
            (one.title, _shown(one.value, one.unit), _shown(one.limit, one.unit), one.status, STATUS[one.status], one.note)
            for one in answer.limits
        ],
    }  # fmt: skip


def _row(part: SuperNodePart) -> PartRow:
    return PartRow(
        title=part.title,
        units=_shown(part.count, "1"),
        each_power=_shown(part.each_power_w, "W"),
        power=_shown(part.power_w, "W"),
        each_price=_shown(part.each_price_usd, "USD"),
        price=_shown(part.price_usd.typical, "USD"),
        low=_shown(part.price_usd.low, "USD"),
        high=_shown(part.price_usd.high, "USD"),
    )


def _facts(answer: SuperNodeInside) -> list[tuple[str, str]]:
    price = answer.price_usd
    found = [
        ("Accelerators", _shown(answer.accelerators, "1").text),
        ("Price", f"{_shown(price.typical, 'USD').text} ({_shown(price.low, 'USD').text} to {_shown(price.high, 'USD').text})"),
        ("Rated power", _shown(answer.rated_power_w, "W").text),
        ("Racks", _shown(answer.racks, "1").text if answer.racks else "a server that shares a rack"),
        ("Highest rack power", f"{_shown(answer.rack_power_w, 'W').text}; limit: {answer.bound}") if answer.racks else None,
        ("Cooling of this rack", f"{answer.cooling or 'unknown'}: liquid {_shown(answer.rack_liquid_power_w, 'W').text}, air {_shown(answer.rack_air_power_w, 'W').text}"),
        ("Mean rack weight", _shown(answer.rack_weight_kg, "kg").text) if answer.racks >= 1 else None,
        ("Weight", _shown(answer.weight_kg, "kg").text),
        ("Joined by", answer.scale_up) if answer.scale_up else None,
        ("Tiers of switches", str(answer.tiers)) if answer.tiers else None,
        ("Links within a rack", answer.near_medium) if answer.near_medium else None,
        ("Links between racks", answer.far_medium) if answer.far_medium else None,
        ("Cables", _shown(answer.scale_up_cables, "1").text) if answer.scale_up else None,
        ("Modules", _shown(answer.scale_up_modules, "1").text) if answer.scale_up else None,
        ("Bandwidth per accelerator, one way", _shown(answer.scale_up_bandwidth_bytes_per_s, "B/s").text),
        ("Scale-up bisection bandwidth, one way", _shown(answer.bisection_bandwidth_bytes_per_s, "B/s").text) if answer.scale_up else None,
        ("Longest latency", _shown(answer.scale_up_latency_s, "s").text) if answer.scale_up else None,
    ]  # fmt: skip
    return [one for one in found if one is not None]


def _shown(value: float, unit: str) -> Shown:
    return UNKNOWN if value != value else show(value, unit)


def _off(one: SuperNodeFigure) -> str:
    return (
        signed_percent(one.built / one.published - 1) if one.published > 0 and one.built == one.built else ""
    )
