"""The tab of edge against cloud: latency budgets of places, and what light leaves of twenty milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.charts.figure import Figure
from app.charts.format import Shown, counted, number, rounded, show, show_computed
from app.charts.serving.latency_budget import BudgetBar, latency_budget_figure
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.surfaces.pages.boxes import boxes_of, typed_in
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.serving.opened import UNPROCESSABLE, OpenedDep, file_answer, files, refusal
from app.surfaces.pages.studio.numbers import Scale, in_percent, number_of, number_text
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.systems_compared import BUILDING_BLOCKS
from app.views.serving.edge import EdgeOptions, EdgeView, PlaceLatency, edge_view

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "edge"
BOXES = {
    "edge_supernodes": ("SuperNodes at the edge", Scale(1.0, "")),
    "edge_share": ("Share of the requests there", Scale(0.01, "%")),
    "edge_distance_km": ("Users to the edge", Scale(1.0, "km")),
    "edge_round_trip_s": ("Round trip to the edge", Scale(1.0, "s")),
    "cloud_distance_km": ("Users to the pod", Scale(1.0, "km")),
    "latency_budget_s": ("Budget to the first token", Scale(1.0, "s")),
}
NAMES = ("edge_system", *BOXES)


@router.get("/serving/{key}/edge")
def edge(request: Request, opened: OpenedDep, source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    """The edge site is in the address, so that a comparison can be passed on."""
    typed = typed_in(request, NAMES)
    view, faults, refused = None, {}, refusal(opened, "Edge vs cloud")
    if opened.scenario is not None and not refused:
        try:
            view = _make(opened, source, typed)(opened.scenario)
        except ScenarioError as error:
            faults = dict(_said_of(fault) for fault in error.errors)
    return page.page(
        "serving/edge.html",
        status=UNPROCESSABLE if faults else 200,
        opened=opened,
        refused=refused,
        faults=faults,
        view=view,
        boxes=boxes_of(BOXES, _empty, typed, faults),
        systems=_systems(opened, typed["edge_system"]),
        figure=_figure(view) if view else None,
        places=[(place, _cells(place)) for place in view.places] if view else (),
        sites=[
            (
                site,
                show_computed(site.ttft_s, "s"),
                show_computed(site.farthest_km)._replace(unit="km"),
                show_computed(site.usd_per_million_tokens, "USD"),
                Shown(counted(site.concurrency)),
                show_computed(site.accelerators),
            )
            for site in view.sites
        ]
        if view
        else (),
        distances=[
            (
                number(one.distance_km),
                show_computed(one.round_trip_s, "s"),
                show_computed(one.left_s, "s"),
                one.cloud_keeps,
                one.edge_keeps,
            )
            for one in view.distances
        ]
        if view
        else (),
        budget=show(view.budget_s, "s").text if view else "",
        farthest=number(rounded(view.farthest_without_computing_km)) if view else "",
        files=files(opened, TAB, {name: text for name, text in typed.items() if text}),
    )


def _said_of(fault: InputError) -> tuple[str, str]:
    """The box that a fault is about, and what is wrong in the unit of the box."""
    box = BOXES.get(fault.path)
    words = in_percent(fault.words) if box is not None and box[1].unit == "%" else fault.words
    return (fault.path if fault.path in NAMES else ""), words


@router.get("/serving/{key}/edge/file")
def edge_file(request: Request, opened: OpenedDep, source: DesignsDep, format: str = "csv") -> Response:
    """The places as a file."""
    typed = typed_in(request, NAMES)
    return file_answer(opened, TAB, format, _make(opened, source, typed))


def _make(
    opened: OpenedDesign, source: Designs, typed: Mapping[str, str]
) -> Callable[[EvaluatedScenario], EdgeView]:
    own = source.of(opened.carried.key)

    def make(scenario: EvaluatedScenario) -> EdgeView:
        options = build_document(EdgeOptions, _asked(typed))
        return edge_view(scenario, opened.catalog, options, own.scenario)

    return make


def _asked(typed: Mapping[str, str]) -> dict[str, Any]:
    """What is stated; a number that cannot be read stays text, and is refused as such."""
    found: dict[str, Any] = {name: _number(name, typed[name]) for name in BOXES if typed[name]}
    if typed["edge_system"]:
        found["edge_system"] = typed["edge_system"]
    return found


def _number(name: str, text: str) -> float | int | str:
    return number_of(text, BOXES[name][1], whole=name == "edge_supernodes")


def _empty(name: str, scale: Scale) -> str:
    usual = getattr(EdgeOptions(), name)
    return "light in fibre" if usual is None else number_text(usual, scale)


def _systems(opened: OpenedDesign, chosen: str) -> list[tuple[str, str, bool]]:
    parts = [opened.catalog.part("systems", key) for key in opened.catalog.keys("systems")]
    listed = [
        (part.key, part.name, part.key == chosen)
        for part in parts
        if part.attributes.get("accelerator_key")
        and (part.attributes.get("category") in BUILDING_BLOCKS or part.key == chosen)
    ]
    missing = chosen and all(key != chosen for key, _, _ in listed)
    return [*listed, (chosen, chosen, True)] if missing else listed


def _figure(view: EdgeView) -> Figure:
    bars = [
        BudgetBar(
            name=f"{place.place}, {place.site}",
            round_trip_s=place.round_trip_s,
            queue_s=place.queue_s,
            prefill_s=place.prefill_s,
            other_s=place.other_s,
            total_s=place.user_ttft_s,
            budget_s=place.budget_s,
        )
        for place in view.places
    ]
    return latency_budget_figure(bars, _takeaway(view))


def _takeaway(view: EdgeView) -> str:
    cloud, edge = 100 * view.share_within_cloud, 100 * view.share_within_edge
    gains = [place.edge_gain_s for place in view.places if place.edge_gain_s is not None]
    gained = ""
    if gains:
        best = max(gains)
        gained = (
            f" The edge saves at most {show(best, 's').text}." if best > 0 else " The edge saves no time."
        )
    return f"Within budget: {cloud:.0f} % of the requests from the cloud, {edge:.0f} % from the edge.{gained}"


def _cells(place: PlaceLatency) -> list[Shown]:
    return [
        show_computed(place.round_trip_s, "s"),
        show_computed(place.queue_s, "s"),
        show_computed(place.prefill_s, "s"),
        show_computed(place.other_s, "s"),
        show_computed(place.user_ttft_s, "s"),
        show_computed(place.user_ttft_within_s, "s"),
        show_computed(place.budget_s, "s"),
        show_computed(place.left_s, "s"),
    ]
