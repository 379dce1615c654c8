"""Routes of the search page: the page at once, what is found when it is found, and the ways on from there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from app.charts.figure import Figure, get_path
from app.charts.searching.domain_sizes import domain_sizes_figure
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.files.serving_search.files import FORMATS
from app.surfaces.pages.charts import chart_html
from app.surfaces.pages.designs import NEW, Designs, DesignsDep
from app.surfaces.pages.download import download
from app.surfaces.pages.explore.adopt import adopted
from app.surfaces.pages.explore.answer import SearchAnswer, search_answer
from app.surfaces.pages.explore.form import HOLD, OBJECTIVES, SPACES, SearchForm, narrowed, search_form
from app.surfaces.pages.explore.serving_adopt import adopted_option
from app.surfaces.pages.explore.serving_answer import ServingFound, serving_found
from app.surfaces.pages.explore.serving_form import MODES, ServingSearchForm, serving_search_form
from app.surfaces.pages.explore.serving_form import OBJECTIVES as SERVING_OBJECTIVES
from app.surfaces.pages.explore.supernode_sizes import sizes_html
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.studio.carried import Carried, carried
from app.surfaces.pages.studio.requests import own_json
from app.surfaces.pages.studio.state import value_at
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.views.fabric.supernode_sizes import SuperNodeSizesOptions
from app.views.searching.options import SearchOptions, ServingSearchOptions

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
            answer = made_from.supernode_sizes(
                build_scenario(body.get("scenario")), SuperNodeSizesOptions(systems=whole)
            )
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


class Asked(NamedTuple):
    """A scenario, and how to search it; a served model by `served`, any other by `options`."""

    scenario: ScenarioDocument
    options: SearchOptions | None
    served: ServingSearchOptions | None


class ExplorePage(NamedTuple):
    """A scenario, and the options of a search of it as they were typed; `serving` where it serves a model."""

    carried: Carried
    form: SearchForm
    serving: ServingSearchForm | None

    @property
    def generic(self) -> bool:
        """A generic job has no layouts to search; the sizes of the domain are compared all the same."""
        return bool(value_at(self.carried.values, "workload.kind") == "generic")

    @property
    def objectives(self) -> tuple[tuple[str, str], ...]:
        return OBJECTIVES

    @property
    def spaces(self) -> tuple[tuple[str, str], ...]:
        return SPACES

    @property
    def serving_objectives(self) -> tuple[tuple[str, str], ...]:
        return SERVING_OBJECTIVES

    @property
    def serving_modes(self) -> tuple[tuple[str, str], ...]:
        return MODES

    @property
    def asked(self) -> Asked | None:
        """What is to be searched, None where it cannot be."""
        scenario, options = self.carried.scenario, self.form.options
        served = None if self.serving is None else self.serving.options
        if scenario is None or (served if self.serving is not None else options) is None:
            return None
        return Asked(scenario, None if self.serving is not None else options, served)

    @property
    def errors(self) -> int:
        """Number of unusable options."""
        return len(self.form.errors if self.serving is None else self.serving.errors)

    @property
    def unheld(self) -> str:
        """The same search with every axis free."""
        free = [(name, text) for name, text in self._typed if not name.startswith(HOLD)]
        return self._address("", free)

    def address(self, part: str = "", **more: str) -> str:
        """The address of this search, or of a part of its page."""
        return self._address(part, [*self._typed, *more.items()])

    @property
    def _typed(self) -> list[tuple[str, str]]:
        return list(self.form.query.items()) if self.serving is None else self.serving.query

    def _address(self, part: str, fields: list[tuple[str, str]]) -> str:
        state = self.carried.state
        query = [*([("s", state)] if state else []), *fields]
        return f"/explore/{self.carried.key}{part}{f'?{urlencode(query)}' if query else ''}"


def explore_page(designs: Designs, key: str, query: Mapping[str, str]) -> ExplorePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    shown = carried(designs, key, query.get("s", ""))
    if value_at(shown.values, "workload.kind") == "serving":
        return ExplorePage(shown, search_form({}), serving_search_form(query))
    return ExplorePage(shown, search_form(query), None)


def served_found(designs: Designs, page: ExplorePage, asked: Asked) -> ServingFound:
    """The search of a served model, made.

    Raises
    ------
    ScenarioError : it is refused, such as for a system that is not in the catalog
    """
    assert asked.served is not None
    own = designs.of(page.carried.key)
    answer = own.searches.serving_search(own.scenario(asked.scenario), own.catalog(), asked.served)
    return serving_found(answer, lambda name: page.address("/file", format=name))


def found(designs: Designs, page: ExplorePage, asked: Asked) -> SearchAnswer:
    """The search of a page, made.

    Raises
    ------
    ScenarioError : it is refused, such as for a space that is too large
    """
    assert asked.options is not None
    own = designs.of(page.carried.key)
    scenario = own.scenario(asked.scenario)
    return search_answer(
        own.searches.search(scenario, asked.options),
        asked.options,
        key=page.carried.key,
        values=page.carried.values,
        own_supernodes=round(get_path(scenario.as_json, "inputs.pod.supernodes")),
    )


def domain_figure(designs: Designs, scenario: ScenarioDocument) -> Figure:
    """The chart of what larger and smaller scale-up domains would bring a scenario."""
    return domain_sizes_figure(designs.domain_study(scenario))
