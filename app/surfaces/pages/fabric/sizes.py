"""The sizes tab: price and power by size, for several topologies, and where their curves cross."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from app.charts.fabric.by_size import POWER, PRICE, Curve, Measure, Ring, by_size_figure
from app.charts.figure import Figure
from app.charts.format import Shown, number, show
from app.engine.fabric.topologies import TOPOLOGIES
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.sizes import (
    MOST_TOPOLOGIES,
    CrossingPoint,
    FabricSizes,
    SizesOptions,
    fabric_sizes,
)

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

MEASURES = {"price_usd": PRICE, "power_w": POWER}


class CrossingLine(NamedTuple):
    """A crossing as a line of the table."""

    measure: str
    accelerators: str
    before: str
    then: str
    value: Shown
    lowest: bool


@router.get("/fabric/{key}/sizes")
def sizes(
    opened: OpenedDep, page: TemplatesDep, topology: Annotated[list[str] | None, Query()] = None
) -> HTMLResponse:
    """Curves of a design; `topology` names those that are compared."""
    asked = list(dict.fromkeys(topology or ()))
    answer, fault = _answer(opened, asked)
    shown = [one.topology for one in answer.topologies] if answer else asked
    return page.page(
        "fabric/sizes.html",
        status=422 if fault and asked else 200,
        opened=opened,
        options=[(one.name, one.title, one.name in (asked or shown)) for one in TOPOLOGIES.values()],
        most=MOST_TOPOLOGIES,
        answer=answer,
        fault=fault,
        asked=asked,
        figures=[_figure(answer, metric, measure) for metric, measure in MEASURES.items()] if answer else [],
        crossings=[_crossing(answer, one) for one in answer.crossings] if answer else [],
    )


def _answer(opened: OpenedDesign, asked: list[str]) -> tuple[FabricSizes | None, str]:
    if opened.scenario is None:
        return None, ""
    try:
        options = build_document(SizesOptions, {"topologies": asked} if asked else {})
        return fabric_sizes(opened.scenario, options), ""
    except ScenarioError as error:
        return None, error.errors[0].words


def _figure(answer: FabricSizes, metric: str, measure: Measure) -> Figure:
    priced = metric == "price_usd"
    curves = [
        Curve(
            title=one.title,
            here=one.here,
            values=tuple(point.price_usd.typical if priced else point.power_w for point in one.points),
            low=tuple(point.price_usd.low for point in one.points) if priced else (),
            high=tuple(point.price_usd.high for point in one.points) if priced else (),
        )
        for one in answer.topologies
    ]
    rings = [
        Ring(accelerators=one.accelerators, value=one.value, words=_words(answer, one))
        for one in answer.crossings
        if one.metric == metric and one.lowest
    ]
    return by_size_figure(measure, answer.accelerators, curves, rings, here=answer.here)


def _words(answer: FabricSizes, one: CrossingPoint) -> str:
    line = _crossing(answer, one)
    return f"From {line.accelerators} accelerators {line.then}, before {line.before}"


def _crossing(answer: FabricSizes, one: CrossingPoint) -> CrossingLine:
    titles = {known.topology: known.title for known in answer.topologies}
    return CrossingLine(
        measure="Price" if one.metric == "price_usd" else "Power",
        accelerators=number(float(f"{one.accelerators:.3g}")),
        before=titles[one.before],
        then=titles[one.then],
        value=show(one.value, MEASURES[one.metric].unit),
        lowest=one.lowest,
    )
