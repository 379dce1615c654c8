"""The pages of a design's failures, spares and checkpoints: a tab a view."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.download import download
from app.surfaces.pages.opened import OpenedDesign, first_section
from app.surfaces.pages.operations.opened import OpenedDep
from app.surfaces.pages.operations.tabs import TABS, Asked, Content, TabPage
from app.surfaces.pages.templating import TemplatesDep
from app.views.view import Resources

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
LONGEST = 40


def _show(tab: TabPage, request: Request, opened: OpenedDesign, page: TemplatesDep) -> HTMLResponse:
    """A tab with what was asked, and what was typed where that is refused."""
    common: dict[str, Any] = {"opened": opened, "tab": tab}
    if opened.scenario is None:
        return page.page("operations/tab.html", **common)
    typed = {one.name: request.query_params.get(one.name, "").strip()[:LONGEST] for one in tab.asked}
    faults: dict[str, str] = {}
    refusal, content = "", None
    if any(typed[name] for name in tab.required) or not tab.required:
        try:
            options = build_document(tab.view.options, _values(tab.asked, typed))
            content = _content(tab, opened, options)
        except ScenarioError as error:
            faults = {
                fault.path.rpartition(".")[2]: fault.words for fault in error.errors if fault.path in typed
            }
            refusal = "" if faults else error.errors[0].words
    status = UNPROCESSABLE if faults else 200
    return page.page(
        "operations/tab.html", status=status, **common, typed=typed, faults=faults, refusal=refusal, content=content
    )  # fmt: skip


def _content(tab: TabPage, opened: OpenedDesign, options: Any) -> Content:
    return tab.content(_answer(tab, opened, options), opened)


def _answer(tab: TabPage, opened: OpenedDesign, options: Any) -> Any:
    assert opened.scenario is not None, "looked at before"
    found = Resources(catalog=opened.catalog, evaluated=_none, searches=None)  # type: ignore[arg-type]
    return tab.view.answer(opened.scenario, found, options)


def _none(document: Any) -> Any:
    raise AssertionError("no view of operations evaluates by itself")


def _values(asked: tuple[Asked, ...], typed: dict[str, str]) -> dict[str, Any]:
    """What was typed as values; what is no number stays text, to be refused by its field."""
    found: dict[str, Any] = {}
    for one in asked:
        text = typed[one.name].replace(",", "")
        if text:
            found[one.name] = {"true": True, "false": False}.get(text, _number(text))
    return found


def _number(text: str) -> float | int | str:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _add(tab: TabPage) -> None:
    """Its page, and its files where its view has any."""

    def show(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
        return _show(tab, request, opened, page)

    def send(request: Request, opened: OpenedDep, format: str = "csv") -> Response:
        chosen = next((file for file in tab.view.files if file.name == format), None)
        if opened.scenario is None or chosen is None:
            raise HTTPException(
                404, opened.carried.refusal or f"There is no {format[:LONGEST]} of this page."
            )
        typed = {one.name: request.query_params.get(one.name, "").strip()[:LONGEST] for one in tab.asked}
        try:
            options = build_document(tab.view.options, _values(tab.asked, typed))
            answer = _answer(tab, opened, options)
        except ScenarioError as error:
            raise HTTPException(UNPROCESSABLE, error.errors[0].words) from error
        return download(chosen.format, answer, f"{opened.carried.title} {chosen.sent_as}")

    router.add_api_route(f"/operations/{{key}}/{tab.key}", show, name=f"operations_{tab.key}")
    if tab.view.files:
        router.add_api_route(
            f"/operations/{{key}}/{tab.key}/file",
            send,
            name=f"operations_{tab.key}_file",
            response_class=Response,
        )


for one in TABS:
    _add(one)

router.include_router(first_section("operations"))
