"""Routes of the studio: the page, and what it asks for while inputs change."""

from __future__ import annotations

import gzip
from collections.abc import Collection
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from app.charts.step_timeline import MOST_DRAWN, step_timeline_figure
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_scenario, parse_scenario
from app.surfaces.pages.charts import chart_html
from app.surfaces.pages.designs import NEW, Designs, DesignsDep
from app.surfaces.pages.explain_page import MARKS, explain_page
from app.surfaces.pages.saved.head import head_of
from app.surfaces.pages.saved.history import revision_page
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.studio.estimates import all_accepted, restated
from app.surfaces.pages.studio.form import Values, filled_in, stated_values
from app.surfaces.pages.studio.offers import refusal
from app.surfaces.pages.studio.page import Studio, studio
from app.surfaces.pages.studio.panel import chosen_layout
from app.surfaces.pages.studio.requests import own_json
from app.surfaces.pages.studio.row_texts import RowTexts
from app.surfaces.pages.studio.serving_fields import LAYOUT, with_layout
from app.surfaces.pages.studio.state import decode_state
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.workspace import OVERVIEW, Section, sections, sections_of
from app.views.plain import report_json
from app.views.timeline import timeline_view

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

BodyDep = Annotated[dict[str, Any], Depends(own_json)]


def _add(section: Section) -> None:
    """The page of a section that the studio draws: without scripts its form comes back here as a query."""

    def show(
        key: str, request: Request, source: DesignsDep, work: ReadDep, page: TemplatesDep, revision: int = 0
    ) -> HTMLResponse:
        query = dict(request.query_params)
        if revision:
            return revision_page(work, source, page, key, revision)
        try:
            values = _typed(source, key, query)
            shown = studio(source, key, values, saved=head_of(work, key))
        except KeyError as error:
            raise HTTPException(404, f"There is no design {key}.") from error
        suffix = f"?s={shown.state}" if shown.state else ""
        return page.page("design.html", studio=shown, place=section.place, suffix=suffix)

    router.add_api_route(section.address("{key}"), show, name=f"design_{section.place}")


for one in sections_of(""):
    _add(one)


@router.post("/studio/evaluate")
async def evaluate(
    request: Request, body: BodyDep, source: DesignsDep, work: ReadDep, page: TemplatesDep
) -> Response:
    """Fragments of the page for a changed scenario, or its faults by field.

    `revision` is the one of a saved scenario that the page counts changes from. With `accept` every suggested
    estimate is accepted first, and the answer has the scenario that came of it.

    `place` is the section that is open: its charts and tables come along. `rows` are names of rows of the
    panel that the page shows as they were sent: these are left out.

    A scenario that is refused is a good answer to this question: browsers log any other status as an error.
    """
    values: Any = body.get("scenario")
    key, before = str(body.get("key", NEW)), body.get("before")
    place = str(body.get("place", OVERVIEW))
    if place not in (section.place for section in sections()):
        raise HTTPException(404, f"There is no section {place}.")

    def answer() -> dict[str, Any]:
        try:
            build_scenario(values)
            earlier = before if isinstance(before, dict) else None
            taken = all_accepted(source, key, values) if body.get("accept") is True else None
            shown = studio(
                source,
                key,
                taken or values,
                earlier,
                keep=False,
                saved=head_of(work, key, body.get("revision")),
            )
        except ScenarioError as error:
            return {"errors": [_fault(fault) for fault in error.errors]}
        except KeyError as error:
            raise HTTPException(404, f"There is no design {key}.") from error
        return _answer(shown, place, page, _names(body.get("rows"))) | (
            {} if taken is None else {"values": taken}
        )

    return _json(request, await run_in_threadpool(answer))


@router.post("/studio/explain")
async def explain(body: BodyDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """The explanation of one figure of a changed scenario, as the inside of the side panel."""
    path = str(body.get("path", ""))

    def answer() -> Response:
        try:
            document = build_scenario(body.get("scenario"))
            key = str(body.get("key", NEW))
            evaluated, tree = source.evaluate(key, document), source.of(key).explain(document, path)
        except ScenarioError as error:
            raise HTTPException(422, str(error)) from None
        except KeyError as error:
            raise HTTPException(404, f"This design has no figure {path}.") from error
        return page.page("studio/explain.html", explanation=explain_page(evaluated, tree), marks=MARKS)

    return await run_in_threadpool(answer)


@router.post("/studio/timeline")
async def timeline(request: Request, body: BodyDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """The chart of a simulated step of a changed scenario, or why there is none."""

    def answer() -> dict[str, str]:
        try:
            scenario = source.of(str(body.get("key", NEW))).scenario(build_scenario(body.get("scenario")))
            view = timeline_view(scenario, MOST_DRAWN)
        except ScenarioError as error:
            return {"error": str(error.errors[0])}
        except KeyError:
            return {"error": "There is no such design any more."}
        return {"chart": chart_html(page, step_timeline_figure(report_json(view)), before="")}

    return _json(request, await run_in_threadpool(answer))


@router.post("/studio/yaml")
async def yaml(request: Request, body: BodyDep) -> Response:
    """A scenario as YAML, or the scenario of a YAML text."""

    def answer() -> dict[str, Any]:
        try:
            text = body.get("text")
            document = build_scenario(body.get("scenario")) if text is None else parse_scenario(str(text))
        except ScenarioError as error:
            return {"errors": [_fault(fault) for fault in error.errors]}
        return {"text": document.as_yaml(), "scenario": stated_values(document)}

    return _json(request, await run_in_threadpool(answer))


def _typed(source: Designs, key: str, query: dict[str, str]) -> Values | None:
    """The scenario of an address: its state, and on top of it the fields of a form sent without scripts."""
    state, accept = query.pop("s", None), query.pop("accept", "")
    place, number = query.pop("estimate", ""), query.pop("to", "")
    values = decode_state(state) if state else None
    if accept or place:
        values = values or stated_values(source.evaluated(key).document)
        values = restated(values, place, number) if place else _with_all_accepted(source, key, values)
    fields = {path: text for path, text in query.items() if "." in path or path in ("parallelism", "name")}
    if not fields:
        return values
    base = stated_values(source.evaluated(key).document)
    current = values if values is not None else base
    if fields.get("parallelism") == "stated" and not isinstance(current.get("parallelism"), dict):
        found = chosen_layout(source.evaluate(key, build_scenario(current)))
        current = {**current, "parallelism": found}
    shown = studio(source, key, current)
    if LAYOUT in fields:
        current = with_layout(current, fields[LAYOUT], shown.panel.serving_layouts)
    return filled_in(current, fields, shown.shown(), base)


def _with_all_accepted(source: Designs, key: str, values: Values) -> Values:
    try:
        return all_accepted(source, key, values)
    except ScenarioError:
        return values  # the page says what is wrong with them


def _names(stated: Any) -> tuple[str, ...]:
    return tuple(name for name in stated if isinstance(name, str)) if isinstance(stated, list) else ()


def _answer(shown: Studio, place: str, page: Templates, rows: Collection[str] = ()) -> dict[str, Any]:
    return {
        "place": place,
        "title": shown.design.title,
        "results": page.text("studio/results.html", studio=shown, place=place, suffix=""),
        "panel": page.text(
            "studio/panel.html", studio=shown, suffix="", live=True, rows=RowTexts(page.environment, rows)
        ),
        "said": f"{shown.design.verdict.answer} {shown.last_change}".strip(),
        "result": shown.result_name,
    }


def _fault(error: InputError) -> dict[str, Any]:
    found = refusal(error)
    return {
        "path": found.path,
        "message": found.message,
        "label": found.label,
        "offers": [offer._asdict() for offer in found.offers],
    }


def _json(request: Request, content: dict[str, Any]) -> Response:
    """JSON, compressed lightly: the answer is awaited by someone who is moving a slider."""
    body = orjson.dumps(content)
    headers = {"vary": "accept-encoding", "cache-control": "no-store"}
    if len(body) > 1000 and "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, 4, mtime=0)
        headers["content-encoding"] = "gzip"
    return Response(body, 200, headers, media_type="application/json")
