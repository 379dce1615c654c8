"""The sharing tab: jobs side by side on one fabric, and how busy its links are under its own workload."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.fabric.tier_load import Load, tier_load_figure
from app.charts.fabric.words import TRAFFIC, share_text, slower_text, tier_name
from app.charts.figure import Figure
from app.charts.format import show
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.fabric.sharing_form import SharingForm, refused, sharing_form
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.compute import compute_fabric
from app.views.fabric.sharing import SharingAnswer, fabric_sharing
from app.views.fabric.utilisation import UtilisationAnswer, fabric_utilisation

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

PLACEMENTS = (("packed", "Side by side"), ("spread", "Over all units"), ("random", "By chance"))
PATTERNS = (("ring", "Ring"), ("all_to_all", "All-to-all"))
ROUTINGS = (("adaptive", "Adaptive, over all paths"), ("ecmp", "ECMP, a path by hash"))


@router.get("/fabric/{key}/sharing")
def sharing(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The jobs are in the address, so that they can be passed on."""
    if opened.scenario is None:
        return page.page("fabric/sharing.html", opened=opened)
    form, answer, no_fabric = _shared(opened.scenario, request)
    use = _use(opened.scenario)
    return page.page(
        "fabric/sharing.html",
        status=422 if form and form.is_refused and form.is_typed else 200,
        opened=opened,
        form=form,
        answer=answer,
        no_fabric=no_fabric,
        figure=_load_figure(answer) if answer else None,
        use=use,
        use_figure=_use_figure(use) if use else None,
        placements=PLACEMENTS,
        patterns=PATTERNS,
        routings=ROUTINGS,
        placement_names=dict(PLACEMENTS) | {"named": "As named"},
        pattern_names=dict(PATTERNS),
        traffic=TRAFFIC,
        share=share_text,
        slower=slower_text,
        tier=tier_name,
        show=show,
    )


def _use(scenario: EvaluatedScenario) -> UtilisationAnswer | None:
    """The traffic of a step; None for a pod that serves, whose replicas do not step together."""
    try:
        return fabric_utilisation(scenario)
    except ScenarioError:
        return None


def _shared(
    scenario: EvaluatedScenario, request: Request
) -> tuple[SharingForm | None, SharingAnswer | None, str]:
    """The form, what comes of it, and why there is neither where nothing can be shared."""
    try:
        hosts = int(compute_fabric(scenario).hosts.size)
    except ScenarioError as error:
        return None, None, error.errors[0].hint
    form = sharing_form(request.query_params, hosts)
    if form.document is None:
        return form, None, ""
    try:
        return form, fabric_sharing(scenario, form.document), ""
    except ScenarioError as error:
        return refused(form, error.errors), None, ""


def _load_figure(answer: SharingAnswer) -> Figure:
    worst = max(answer.jobs, key=lambda job: job.communication_slowdown)
    says = "No job slows another down."
    if worst.communication_slowdown > 1:
        says = f"{worst.name} is slowed down most: its step by {slower_text(worst.step_slowdown)}."
    if worst.communication_slowdown > 1 and worst.step_slowdown < 1.00005:
        says = f"{worst.name} talks {slower_text(worst.communication_slowdown)} longer, and its step does not feel it."
    return tier_load_figure(
        [Load(tier.tier, tier.mean, tier.peak) for tier in answer.tiers],
        name="fabric_shared_load",
        eyebrow="Load of links while all jobs communicate",
        caption="Of the bandwidth of a link, each way by itself. Jobs are taken to communicate at the same time, at "
        "the full rate of their NICs as far as shared links let them.",
        takeaway=says,
    )


def _use_figure(use: UtilisationAnswer) -> Figure:
    known = [tier for tier in use.tiers if tier.mean is not None]
    busiest = max(known, key=lambda tier: tier.mean or 0.0, default=None)
    says = (
        f"{tier_name(busiest.tier)} links are busiest, {share_text(busiest.mean)} of a step."
        if busiest
        else ""
    )
    return tier_load_figure(
        [Load(tier.tier, tier.mean, tier.peak) for tier in use.tiers],
        name="fabric_utilisation",
        eyebrow="Utilisation of links by tier",
        caption="Bytes of a step over what a link could carry in its time, at line rate. Ranks stand on hosts in order, "
        "and traffic is spread over all shortest paths.",
        takeaway=says,
    )
