"""Routes of the search page: the page at once, what is found when it is found, and the ways on from there."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.files.serving_search.files import FORMATS
from app.surfaces.pages.charts import chart_html
from app.surfaces.pages.designs import NEW, Designs, DesignsDep
from app.surfaces.pages.download import download
from app.surfaces.pages.explore.adopt import adopted
from app.surfaces.pages.explore.narrow import narrowed
from app.surfaces.pages.explore.page import (
    Asked,
    ExplorePage,
    domain_figure,
    explore_page,
    found,
    served_found,
)
from app.surfaces.pages.explore.serving_adopt import adopted_option
from app.surfaces.pages.explore.supernode_sizes import sizes_html
from app.surfaces.pages.saved.ready import ReadDep
from app.surfaces.pages.studio.carried import carried
from app.surfaces.pages.studio.requests import own_json
from app.surfaces.pages.studio.values import value_at
from app.surfaces.pages.templating import Templates, TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

BodyDep = Annotated[dict[str, Any], Depends(own_json)]
NOW = "now"
"""Asks for the page with what is found in it, for browsers without scripts."""


@router.get("/explore/{key}")
def explore(
    key: str, request: Request, source: DesignsDep, work: ReadDep, page: TemplatesDep
) -> HTMLResponse:
    """The options of a search; the search itself is asked for by the page, or with `now` made here."""
    shown = _page(source, key, request)
    asked, answer, domains = shown.asked, None, None
    if asked and request.query_params.get(NOW):
        answer = _answer(source, shown, asked, page)
        try:
            domains = _domains(source.of(key), asked.scenario, page)
        except ScenarioError as error:  # of several kinds of SuperNode, or several workloads, there is none
            said = {"takeaway": error.errors[0].words, "caption": ""}
            domains = page.text("explore/no_domains.html", figure=said)
    status = 200 if asked else 422
    catalog = source.of(key).catalog() if shown.serving else None
    return page.page(
        "explore/page.html", status=status, explore=shown, answer=answer, domains=domains, catalog=catalog
    )


@router.get("/explore/{key}/answer")
def answer(key: str, request: Request, source: DesignsDep, work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """What a search finds, as a part of its page."""
    shown = _page(source, key, request)
    if shown.asked is None:
        raise HTTPException(422, shown.carried.refusal or "The options of the search cannot be used.")
    return HTMLResponse(_answer(source, shown, shown.asked, page))


@router.get("/explore/{key}/file")
def file(key: str, request: Request, source: DesignsDep, work: ReadDep, format: str = "csv") -> Response:
    """What a search of a served model finds, as a file; the search is as in the address of its page."""
    shown = _page(source, key, request)
    chosen = FORMATS.get(format)
    if chosen is None:
        raise HTTPException(404, f"There is no such file. Formats: {', '.join(FORMATS)}.")
    asked = shown.asked
    if shown.serving is None:
        raise HTTPException(
            422, "Files are of searches of served models; POST /api/v1/searches has any search."
        )
    if asked is None or asked.served is None:
        raise HTTPException(422, shown.carried.refusal or "The options of the search cannot be used.")
    try:
        own = source.of(key)
        answer = own.searches.serving_search(own.scenario(asked.scenario), own.catalog(), asked.served)
    except ScenarioError as error:
        raise HTTPException(422, str(error.errors[0])) from None
    return download(chosen, answer, shown.carried.title)


@router.get("/explore/{key}/adopt")
def adopt(key: str, source: DesignsDep, work: ReadDep, layout: str = "", s: str = "") -> RedirectResponse:
    """The studio with a layout of the search stated, nothing else of the scenario changed."""
    try:
        shown = carried(source, key, s)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
    try:
        if value_at(shown.values, "workload.kind") == "serving":
            values = adopted_option(shown.values, layout, source.of(key).catalog())
        else:
            values = adopted(shown.values, layout)
    except ScenarioError as error:
        raise HTTPException(422, f"The layout cannot be adopted: {error.errors[0]}") from None
    except ValueError as error:
        raise HTTPException(
            422, f"The layout cannot be adopted: {error} Search again and choose one."
        ) from None
    return RedirectResponse(shown.studio_with(values), 303)


@router.get("/explore/{key}/narrow")
def narrow(key: str, request: Request) -> RedirectResponse:
    """The search of a part of the space: axes that were narrowed are held."""
    query = narrowed(request.query_params)
    address = f"/explore/{quote(key, safe='@')}"
    return RedirectResponse(f"{address}?{urlencode(query)}" if query else address, 303)


@router.post("/explore/domains")
async def domains(body: BodyDep, source: DesignsDep, work: ReadDep, page: TemplatesDep) -> JSONResponse:
    """The chart of a scenario over sizes of its scale-up domain, or why there is none."""

    def drawn() -> dict[str, str]:
        try:
            made_from = source.of(str(body.get("key", NEW)))
            return {"chart": _domains(made_from, build_scenario(body.get("scenario")), page)}
        except ScenarioError as error:
            return {"error": str(error.errors[0])}
        except KeyError:
            return {"error": "There is no such design any more."}

    return JSONResponse(await run_in_threadpool(drawn))


@router.post("/explore/supernode-sizes")
async def supernode_sizes(
    body: BodyDep, source: DesignsDep, work: ReadDep, page: TemplatesDep, whole: bool = False
) -> JSONResponse:
    """The charts of a scenario over sizes of its SuperNode, or why there are none."""

    def drawn() -> dict[str, str]:
        try:
            made_from = source.of(str(body.get("key", NEW)))
            answer = made_from.supernode_sizes(build_scenario(body.get("scenario")))
            return {"chart": sizes_html(answer, page, whole=whole)}
        except ScenarioError as error:
            return {"error": str(error.errors[0])}
        except KeyError:
            return {"error": "There is no such design any more."}

    return JSONResponse(await run_in_threadpool(drawn))


def _page(source: Designs, key: str, request: Request) -> ExplorePage:
    try:
        return explore_page(source, key, request.query_params)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error


def _answer(source: Designs, shown: ExplorePage, asked: Asked, page: Templates) -> str:
    try:
        if asked.served is not None:
            served = served_found(source, shown, asked)
            return page.text("explore/serving_answer.html", explore=shown, answer=served)
        answer = found(source, shown, asked)
    except ScenarioError as error:
        return page.text("explore/refused.html", explore=shown, fault=error.errors[0])
    return page.text("explore/answer.html", explore=shown, answer=answer)


def _domains(source: Designs, scenario: ScenarioDocument, page: Templates) -> str:
    """The chart of the domains; where it has nothing to draw, what it says instead."""
    figure = domain_figure(source, scenario)
    if figure.plot is None:
        return page.text("explore/no_domains.html", figure=figure)
    return chart_html(page, figure, before="")
