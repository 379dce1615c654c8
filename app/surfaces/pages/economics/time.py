"""The tab of cost against time: the job on several systems, drawn and in a table."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from app.charts.economics.cost_against_time import DrawnPod, DrawnSystem, cost_against_time_figure
from app.charts.figure import Figure
from app.charts.format import Shown, number, show
from app.charts.searching.layout_axes import degrees_text
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import typed_number
from app.surfaces.pages.economics.unknown_marked import unknown_marked
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.cost_against_time import (
    DAY_S,
    MONEY,
    CostAgainstTime,
    CostAgainstTimeOptions,
    Paid,
    Shared,
)
from app.views.economics.pod_points import PAID, PodPoint, SystemCurve
from app.views.economics.systems_compared import BUILDING_BLOCKS, on_system

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
LIMITS = ("deadline_days", "budget_usd")
PAID_WORDS = {"owned": "Owned", "on_demand": "Rented on demand", "reserved": "Rented, reserved"}
SHARED_WORDS = {
    "accelerators": "As many accelerators",
    "budget": "The budget: the fastest",
    "deadline": "The deadline: the cheapest",
}


class PodLine(NamedTuple):
    """A pod as a line of the table; `studio` is where it can be gone on with, "" where that is not offered."""

    pod: PodPoint
    time: Shown
    paid: tuple[Shown, ...]
    layout: str
    studio: str


class SystemLines(NamedTuple):
    curve: SystemCurve
    lines: tuple[PodLine, ...]


@router.get("/economics/{key}/time")
def time(request: Request, opened: OpenedDep, source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    """`system` (once for each), `paid`, `shared`, `deadline_days` and `budget_usd` say what is compared."""
    if opened.scenario is None:
        return page.page("economics/time.html", opened=opened)
    query = request.query_params
    systems = query.getlist("system")
    answer, faults = None, {}
    options = CostAgainstTimeOptions()
    try:
        options = build_document(CostAgainstTimeOptions, _asked(query))
        answer = source.searches.cost_against_time(opened.scenario, opened.catalog, options)
    except ScenarioError as error:
        faults = {_box_of(fault.path): fault.words for fault in error.errors}
    chosen = systems or [curve.key for curve in answer.curves if curve.key] if answer else systems
    return page.page(
        "economics/time.html",
        status=UNPROCESSABLE if faults and set(query) - {"s"} else 200,
        opened=opened,
        has_run=not opened.serves,
        answer=answer,
        figure=_figure(answer) if answer else None,
        systems=[_lines(opened, curve) for curve in answer.curves] if answer else [],
        choices=_choices(opened, chosen),
        own_choice=bool(systems),
        typed={name: query.get(name, "").strip()[:40] for name in LIMITS},
        paid=query.get("paid") or options.paid,
        shared=query.get("shared") or options.shared,
        paid_words={word: PAID_WORDS[word] for word in get_args(Paid)},
        shared_words={word: SHARED_WORDS[word] for word in get_args(Shared)},
        stated={name: _text(getattr(opened.scenario.document.uncertainty, name)) for name in LIMITS},
        faults=faults,
    )


def _asked(query: QueryParams) -> dict[str, Any]:
    """What the address asks for; a number that cannot be read stays text, and is refused as such."""
    found: dict[str, Any] = {name: query[name] for name in ("paid", "shared") if query.get(name)}
    for name in LIMITS:
        text = query.get(name, "").strip()
        if text:
            found[name] = typed_number(text)
    return found | {"systems": query.getlist("system")}


def _box_of(path: str) -> str:
    """The box of the form that a fault is about; "" for one of the scenario as a whole."""
    name = path.partition("[")[0]
    return name if name in ("systems", "paid", "shared", *LIMITS) else ""


def _text(value: float | None) -> str:
    return "" if value is None else number(value)


def _choices(opened: OpenedDesign, chosen: list[str]) -> list[tuple[str, str, bool]]:
    """Systems that can be compared, as key, name and whether they are; what cannot be found stays to be seen."""
    own = opened.scenario.document.supernode.system if opened.scenario else None
    parts = [opened.catalog.part("systems", key) for key in opened.catalog.keys("systems")]
    listed = [
        (part.key, part.name, part.key in chosen)
        for part in parts
        if part.attributes.get("accelerator_key")
        and (part.attributes.get("category") in BUILDING_BLOCKS or part.key in chosen)
        and part.key != own
    ]
    offered = {key for key, _, _ in listed} | {own}
    return listed + [(key, key, True) for key in dict.fromkeys(chosen) if key not in offered]


def _figure(answer: CostAgainstTime) -> Figure:
    drawn = [
        DrawnSystem(
            name=curve.name,
            pods=tuple(
                DrawnPod(
                    words=f"{point.accelerators:,} accelerators",
                    elapsed_time_s=point.elapsed_time_s,
                    usd=point.usd_per_run[answer.paid],
                    feasible=point.feasible,
                    on_front=point.on_front,
                    picked=point.picked,
                    reason=point.reason,
                )
                for point in curve.points
                if point.elapsed_time_s == point.elapsed_time_s
                and point.usd_per_run[answer.paid] == point.usd_per_run[answer.paid]
            ),
        )
        for curve in answer.curves
    ]
    return cost_against_time_figure(
        drawn,
        money=MONEY[answer.paid],
        left_out=[system.name for system in drawn if not system.pods],
        deadline_s=None if answer.deadline_days is None else answer.deadline_days * DAY_S,
        budget_usd=answer.budget_usd,
    )


def _lines(opened: OpenedDesign, curve: SystemCurve) -> SystemLines:
    return SystemLines(curve, tuple(_line(opened, curve, point) for point in curve.points))


def _line(opened: OpenedDesign, curve: SystemCurve, point: PodPoint) -> PodLine:
    return PodLine(
        pod=point,
        time=unknown_marked(show(point.elapsed_time_s, "s")),
        paid=tuple(unknown_marked(show(point.usd_per_run[name], "USD")) for name in PAID),
        layout=degrees_text(point.layout) if "tp" in point.layout else "",
        studio=_studio(opened, curve, point) if point.picked or point.on_front else "",
    )


def _studio(opened: OpenedDesign, curve: SystemCurve, point: PodPoint) -> str:
    """The studio with the design on that pod; what was is one click away."""
    if opened.scenario is None or not point.topology:
        return ""
    values = on_system(
        opened.scenario.document, curve.key, point.accelerators, curve.per_supernode, point.topology
    )
    return opened.carried.studio_with(values)
