"""The topology tab: the fabric as a picture, its tiers, how far apart its ends are, and what else would do."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.charts import Figure
from app.charts.format import TIMES, UNKNOWN, Shown, show
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.download import download
from app.surfaces.pages.fabric.faults import FaultsForm, faults_form, refused
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.labels import Fact, fact
from app.surfaces.pages.notes import Note, notes
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.state import MISSING, with_value
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.alternatives import OF_FEW, TopologyAlternative, alternatives
from app.views.fabric.picture import PICTURES, Picture, PictureDocument, pod_picture

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

REACH = (
    "fabric.bisection_bandwidth_bytes_per_s",
    "fabric.oversubscription",
    "fabric.diameter_links",
    "fabric.mean_distance_links",
    "fabric.latency_s",
    "fabric.fibres_total",
    "fabric.rails",
    "fabric.planes",
)
EVENNESS = ("fabric.evenness_switches", "fabric.evenness_price_usd")


class AlternativeLine(NamedTuple):
    """A topology in the table of all."""

    title: str
    shape: str
    address: str  # of the studio with it; "" for the one that is chosen
    is_chosen: bool
    refusal: str
    figures: tuple[Shown, ...]


class TopologyPage(NamedTuple):
    """Everything that the tab shows."""

    figure: Figure
    inside: Figure | None
    has_overlays: bool
    picture_address: str  # of the same picture as a file, without its format
    reach: tuple[Fact, ...]
    unevenly: str  # address of the studio with fewer spines; "" where evenness costs none
    infeasible: tuple[Note, ...]
    warnings: tuple[Note, ...]
    alternatives: tuple[AlternativeLine, ...]


@router.get("/fabric/{key}/topology")
def topology(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The fabric of a design from pod to node; failures and the route are in the address."""
    form = faults_form(request.query_params)
    if opened.scenario is None:
        return page.page("fabric/topology.html", opened=opened, shown=None, form=form)
    try:
        picture = pod_picture(opened.scenario, opened.catalog, _asked(form))
    except ScenarioError as error:
        form = refused(form, error.errors)
        picture = pod_picture(opened.scenario, opened.catalog, PictureDocument())
    return page.page(
        "fabric/topology.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        shown=_page(opened, opened.scenario, picture, form),
        form=form,
    )


@router.get("/fabric/{key}/topology/file", response_class=Response)
def picture_file(request: Request, opened: OpenedDep, format: str = "svg") -> Response:
    """The picture as an SVG, with the failures and the route of the address."""
    chosen = next((file for file in PICTURES if file.name == format), None)
    if opened.scenario is None or chosen is None:
        raise HTTPException(404, opened.carried.refusal or f"There is no {format[:40]} of this page.")
    form = faults_form(request.query_params)
    try:
        if form.is_refused:
            raise HTTPException(422, "The failed parts or the route cannot be read: open the topology tab.")
        answer = pod_picture(opened.scenario, opened.catalog, _asked(form))
    except ScenarioError as error:
        raise HTTPException(422, error.errors[0].words) from error
    return download(chosen.format, answer, f"{opened.carried.title} {chosen.sent_as}")


def _asked(form: FaultsForm) -> PictureDocument:
    if form.document is None:
        return PictureDocument()
    return PictureDocument(**form.document.model_dump(exclude_unset=True))


def _page(
    opened: OpenedDesign, scenario: EvaluatedScenario, picture: Picture, form: FaultsForm
) -> TopologyPage:
    evaluation = scenario.as_json
    about = [problem for problem in evaluation["problems"] if "fabric" in problem["affects"]]
    found = notes(about)
    costs = evaluation["fabric"]["evenness_switches"]
    paths = (*REACH, *EVENNESS) if costs else REACH
    return TopologyPage(
        figure=picture.figure,
        inside=picture.inside,
        has_overlays=picture.has_overlays,
        picture_address=_address(opened, form),
        reach=tuple(fact(evaluation, path) for path in paths) if evaluation["fabric"]["tiers"] else (),
        unevenly=opened.carried.studio_with(
            with_value(opened.carried.values, "pod.fabric.spine_spread", "within_one")
        )
        if costs
        else "",
        infeasible=found.infeasible,
        warnings=found.warnings,
        alternatives=tuple(_line(opened, found) for found in alternatives(scenario, opened.catalog)),
    )


def _address(opened: OpenedDesign, form: FaultsForm) -> str:
    asked = {} if form.is_refused else {name: text for name, text in form.texts.items() if text}
    state = {"s": opened.carried.state} if opened.carried.state else {}
    return f"/fabric/{opened.carried.key}/topology/file?{urlencode({**state, **asked})}"


def _line(opened: OpenedDesign, found: TopologyAlternative) -> AlternativeLine:
    values = with_value(opened.carried.values, "pod.fabric.topology", found.name)
    for name in OF_FEW:
        values = with_value(values, f"pod.fabric.{name}", MISSING)
    return AlternativeLine(
        title=found.title,
        shape=f" {TIMES} ".join(str(length) for length in found.lengths),
        address="" if found.is_chosen else opened.carried.studio_with(values),
        is_chosen=found.is_chosen,
        refusal=found.refusal,
        figures=(
            _shown(found.switches, "1"),
            _shown(found.links, "1"),
            _shown(found.bisection_bandwidth_bytes_per_s, "B/s"),
            _shown(found.oversubscription, "1"),
            _shown(found.diameter_links, "1"),
            _shown(found.mean_distance_links, "1"),
            _shown(found.latency_s, "s"),
        ),
    )


def _shown(value: float | None, unit: str) -> Shown:
    return UNKNOWN if value is None else show(value, unit)
