"""The sharing tab: jobs side by side on one fabric, and how busy its links are under its own workload."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.fabric.tier_load import Load, tier_load_figure
from app.charts.fabric.words import TRAFFIC, share_text, slower_text, tier_name
from app.charts.figure import Figure
from app.charts.format import show
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.compute import compute_fabric
from app.views.fabric.sharing import SharingAnswer, fabric_sharing
from app.views.fabric.sharing_document import MOST_JOBS, SharingDocument
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
        placement_names=dict(PLACEMENTS) | {"named": "Named hosts"},
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


LONGEST = 2_000
BOXES = ("name", "hosts", "on", "placement", "pattern", "exposed_share")
SHOWN_AT_FIRST = 2
MOST_AT_FIRST = 128  # hosts of each


class JobForm(NamedTuple):
    """One job as it was typed."""

    number: int
    texts: dict[str, str]
    errors: dict[str, str]


class SharingForm(NamedTuple):
    """`document` is None where something cannot be used; `faults` belong to no box."""

    jobs: tuple[JobForm, ...]
    routing: str
    seed: str
    errors: dict[str, str]  # of routing and seed
    faults: tuple[str, ...]
    document: SharingDocument | None
    is_typed: bool = False  # whether someone asked for these jobs

    @property
    def is_refused(self) -> bool:
        return bool(self.faults or self.errors or any(job.errors for job in self.jobs))


def sharing_form(typed: Mapping[str, str], hosts: int) -> SharingForm:
    """The form as the address has it; two jobs placed by chance on half of the hosts each where it has none.

    Of a large fabric they have fewer hosts, so that the page is there at once; a request for more takes
    longer.
    """
    given = {name: text.strip()[:LONGEST] for name, text in typed.items()}
    rows = [{box: given.get(f"{box}{number}", "") for box in BOXES} for number in range(1, MOST_JOBS + 1)]
    typed_jobs = any(row["hosts"] or row["on"] or row["name"] for row in rows)
    if not typed_jobs:
        for row in rows[:SHOWN_AT_FIRST]:
            row |= {"hosts": str(min(max(hosts // SHOWN_AT_FIRST, 1), MOST_AT_FIRST)), "placement": "random"}
    filled = [at for at, row in enumerate(rows) if row["hosts"] or row["on"] or row["name"]]
    shown = min(max(filled[-1] + 2, SHOWN_AT_FIRST + 1), MOST_JOBS)
    form = SharingForm(
        jobs=tuple(JobForm(at + 1, rows[at], {}) for at in range(shown)),
        routing=given.get("routing", ""),
        seed=given.get("seed", ""),
        errors={},
        faults=(),
        document=None,
        is_typed=typed_jobs or any(given.get(name) for name in ("routing", "seed")),
    )
    stated: dict[str, Any] = {"jobs": [_job(rows[at], at + 1) for at in filled]}
    stated |= {name: _number(given[name]) for name in ("routing", "seed") if given.get(name)}
    try:
        return form._replace(document=build_document(SharingDocument, stated))
    except ScenarioError as error:
        return refused(form, error.errors)


def refused(form: SharingForm, faults: tuple[InputError, ...]) -> SharingForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    filled = [job.number for job in form.jobs if job.texts["hosts"] or job.texts["on"] or job.texts["name"]]
    beside: dict[int, dict[str, str]] = {}
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        message = in_field_words(f"{fault.message} {fault.hint}".strip())
        found = re.match(r"jobs\[(\d+)\](?:\.(\w+))?", fault.path)
        if found is not None and int(found[1]) < len(filled):
            box = found[2] if found[2] in BOXES else "hosts"
            beside.setdefault(filled[int(found[1])], {}).setdefault(box, message)
        elif fault.path in ("routing", "seed"):
            errors[fault.path] = message
        else:
            above.append(message)
    jobs = tuple(job._replace(errors=beside.get(job.number, {})) for job in form.jobs)
    return form._replace(jobs=jobs, errors=errors, faults=tuple(above), document=None)


def _job(texts: dict[str, str], number: int) -> dict[str, Any]:
    """A job as the document has it; what is no number stays text, for the document to refuse by name."""
    job: dict[str, Any] = {"name": texts["name"] or f"Job {number}"}
    job |= {name: texts[name] for name in ("placement", "pattern") if texts[name]}
    if texts["hosts"]:
        job["hosts"] = _number(texts["hosts"])
    if texts["on"]:
        job["on"] = [part for part in re.split(r"[,;\s]+", texts["on"]) if part]
    if texts["exposed_share"]:
        job["exposed_share"] = _share(texts["exposed_share"])
    return job


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else text


def _share(text: str) -> Any:
    """Percent, as people type it."""
    plain = text.removesuffix("%").strip()
    return float(plain) / 100 if re.fullmatch(r"\d{1,6}(\.\d{0,9})?", plain) else text
