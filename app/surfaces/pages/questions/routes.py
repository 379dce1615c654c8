"""The pages of the questions: one each, with its inputs in the address."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.questions.page import question_page
from app.surfaces.pages.templating import TemplatesDep
from app.views.questions.declared import BY_KEY, QUESTIONS

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/start")
def start() -> RedirectResponse:
    """The questions are on the home page."""
    return RedirectResponse("/", 303)


@router.get("/start/{key}")
def question(key: str, request: Request, source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    """A question with the inputs of the address.

    An answer that is not at hand is asked for by the page that is open: with `live` it is answered alone,
    with `now`, which the button of the form sends, in the page.
    """
    found = BY_KEY.get(key)
    if found is None:
        names = ", ".join(one.key for one in QUESTIONS)
        raise HTTPException(404, f"There is no question {key[:40]!r}. There are {names}.")
    query = request.query_params
    shown = question_page(found, query, source, wait="live" in query or "now" in query)
    template = "questions/live.html" if "live" in query else "questions/page.html"
    return page.page(template, page=shown, questions=QUESTIONS)
