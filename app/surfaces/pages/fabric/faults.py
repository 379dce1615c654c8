"""The faults tab: what fails, what is left, and the loss of each part by itself."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.fabric.left import Place, left_figure
from app.charts.fabric.words import part_name, share_text, slower_text, tier_name
from app.charts.format import show
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.fabric.faults_form import faults_form, refused
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.faults import fabric_faults
from app.views.fabric.faults_answer import Bandwidth, FaultsAnswer
from app.views.fabric.faults_document import FaultsDocument

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/fabric/{key}/faults")
def faults(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """What fails is in the address, so that it can be passed on."""
    form = faults_form(request.query_params)
    if opened.scenario is None:
        return page.page("fabric/faults.html", opened=opened)
    answer, no_fabric = None, ""
    try:
        answer = fabric_faults(opened.scenario, form.document or FaultsDocument())
    except ScenarioError as error:
        if error.errors[0].rule == "one_workload":
            return page.page(
                "fabric/refused.html",
                opened=opened,
                tab="faults",
                title="Faults",
                words=error.errors[0].words,
            )
        if error.errors[0].rule == "no_fabric":
            no_fabric = str(error.errors[0].hint)
        else:
            form = refused(form, error.errors)
            answer = fabric_faults(opened.scenario, FaultsDocument())
    return page.page(
        "fabric/faults.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        form=form,
        answer=answer,
        no_fabric=no_fabric,
        figure=_figure(answer) if answer else None,
        facts=_facts(answer) if answer else (),
        share=share_text,
        slower=slower_text,
        tier=tier_name,
        part=part_name,
    )


def _figure(answer: FaultsAnswer) -> object:
    places = [
        Place(place.kind, place.first, place.devices, place.failed + place.cut_off, place.share)
        for place in answer.places
    ]
    return left_figure(places, hosts=answer.reach.hosts, cut_off=answer.reach.cut_off)


def _facts(answer: FaultsAnswer) -> tuple[tuple[str, str, str], ...]:
    """Label, value and what stands beside it."""
    job, reach = answer.job, answer.reach
    step = show(job.step_time_s, "s").text if job.runs else "stops"
    before = show(job.step_time_whole_s, "s").text
    beside = f"{slower_text(job.slowdown)}, {before} without faults" if job.runs else job.reason
    rows = [
        ("Step time", step, beside),
        ("Worst host bandwidth", share_text(job.access_share), "of its links"),
        (
            "Worst switch or unit keeps",
            share_text(job.beyond_share),
            ", ".join(filter(None, ("of its way out", job.looked_at))),
        ),
        ("Hosts cut off", f"{reach.cut_off:,}", f"of {reach.hosts:,}"),
        ("Pairs of hosts that reach each other", share_text(reach.joined_share), ""),
        ("Links lost", f"{answer.failed.links_lost:,}", _failed(answer)),
    ]
    for label, pair in (
        ("Bisection left", answer.bisection),
        ("Worst pair of hosts has left", answer.worst_pair),
        ("Between the two named", answer.between),
    ):
        if pair:
            rows.append((label, show(pair.left_bytes_per_s, "B/s").text, _beside(pair)))
    return tuple(rows)


def _failed(answer: FaultsAnswer) -> str:
    failed = answer.failed
    if not failed.names:
        return "nothing has failed"
    more = failed.switches + failed.links - len(failed.names)
    return f"{', '.join(failed.names)}{f' and {more:,} more' if more > 0 else ''} failed"


def _beside(pair: Bandwidth) -> str:
    whole = show(pair.whole_bytes_per_s, "B/s").text
    return f"{share_text(pair.share)} of {whole}, {pair.one} and {pair.other}"
