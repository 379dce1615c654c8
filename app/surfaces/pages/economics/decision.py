"""The decision tab: five questions with computed answers, and a summing-up."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from app.charts.economics.break_even_use import TermPoint, break_even_use_figure
from app.charts.figure import Figure
from app.charts.format import number, rounded, show
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import typed_number
from app.surfaces.pages.economics.unknown_marked import unknown_marked
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.workspace import sections_of
from app.views.economics.decision import Decision, DecisionOptions, decision_answer

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
STAYS = {"": "Not specified", "yes": "Yes, on premises", "no": "No, cloud allowed"}
ANSWERS = {"yes": True, "no": False}


class Lead(NamedTuple):
    """Where an answer is shown in detail."""

    title: str
    address: str


class Turn(NamedTuple):
    """What would turn the decision, as a line of the table."""

    what: str
    now: str
    at: str
    said: str
    lead: Lead | None


@router.get("/economics/{key}/decision")
def decision(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """`data_must_stay` (yes or no) and `months_of_work` say what no computation can know."""
    if opened.scenario is None:
        return page.page("economics/decision.html", opened=opened)
    query = request.query_params
    faults: dict[str, str] = {}
    options = DecisionOptions()
    try:
        options = build_document(DecisionOptions, _asked(query))
    except ScenarioError as error:
        faults = {fault.path: fault.words for fault in error.errors}
    pages = {section.place.rpartition("/")[2]: section.title for section in sections_of(opened.room)}
    leads = {name: Lead(title, opened.address(name)) for name, title in pages.items()}
    answer = decision_answer(opened.scenario, opened.catalog, options)
    compute = answer.compute
    return page.page(
        "economics/decision.html",
        status=UNPROCESSABLE if faults else 200,
        opened=opened,
        answer=answer,
        mentions_rule=not math.isnan(compute.rule_of_thumb_accelerator_hours)
        and not math.isnan(compute.run_accelerator_hours),
        leads=leads,
        figure=use_figure(answer),
        turns=[
            Turn(*_turn(flip.by, flip.now, flip.at), flip.said, leads.get(flip.tab))
            for flip in answer.summing_up.flips
        ],
        totals=[(total, unknown_marked(show(total.usd, "USD"))) for total in answer.summing_up.totals],
        paid=[
            (
                one.months,
                unknown_marked(show(one.rented_usd, "USD")),
                unknown_marked(show(one.owned_usd, "USD")),
            )
            for one in answer.start.paid
        ],
        regrets=[
            (one.words, show(one.most_usd, "USD"), one.path.replace("_", " ")) for one in answer.start.regrets
        ],
        parts=[(part.name, f"{100 * part.share:.0f} %") for part in answer.ownership.parts],
        stays=STAYS,
        typed={
            "data_must_stay": query.get("data_must_stay", "")[:20],
            "months_of_work": query.get("months_of_work", "").strip()[:40],
        },
        used_months=number(answer.months_of_work),
        faults=faults,
    )


def _asked(query: QueryParams) -> dict[str, Any]:
    """Options in the address; those that cannot be read stay text, and are refused as such."""
    found: dict[str, Any] = {}
    stays, months = query.get("data_must_stay", ""), query.get("months_of_work", "").strip()
    if stays:
        found["data_must_stay"] = ANSWERS.get(stays, stays[:20])
    if months:
        found["months_of_work"] = typed_number(months)
    return found


def use_figure(answer: Decision) -> Figure:
    """Utilisation from which owning pays, by rental terms."""
    points = [
        TermPoint(title=term.title, usd_per_hour=term.usd_per_hour, utilisation=term.break_even_utilisation)
        for term in answer.use.terms
    ]
    return break_even_use_figure(points, utilisation=answer.utilisation, rule=answer.use.rule)


def _turn(by: str, now: float, at: float) -> tuple[str, str, str]:
    """What turns the decision, where it is now and where it turns."""
    if by == "utilisation":
        return "Utilisation", _percent(now), "no use" if math.isinf(at) else _percent(at)
    if by == "price":
        return "Rent per accelerator-hour", f"{now:.2f} USD", "no price" if at <= 0 else f"{at:.2f} USD"
    return (
        "Months of work",
        number(rounded(now, 4)),
        "never" if math.isinf(at) else number(rounded(at, 4)),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f}\u202f%"
