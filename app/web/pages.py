"""The pages: home with the worked examples, and the explanation of one figure of a design."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException
from fastapi.responses import HTMLResponse

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.web.cards import card
from app.web.designs import Designs, Evaluated, designs
from app.web.explain_page import MARKS, explain_page
from app.web.studio.state import decode_state
from app.web.templating import Templates, templates

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

DesignsDep = Annotated[Designs, Depends(designs)]
TemplatesDep = Annotated[Templates, Depends(templates)]


@router.get("/")
def home(source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    cards = [card(source.evaluated(key)) for key in source.listed()]
    return page.page("home.html", cards=cards)


@router.get("/designs/{key}/explain/{path}")
def explain(key: str, path: str, source: DesignsDep, page: TemplatesDep, s: str = "") -> HTMLResponse:
    """A figure of a design, or of the scenario that the address carries in `s`."""
    evaluated = _evaluated(source, key)
    values = decode_state(s)
    try:
        if values is None:
            tree = source.explained(key, path)
        else:
            document = build_scenario(values)
            evaluated, tree = source.evaluate(key, document), source.explain(document, path)
    except ScenarioError as error:
        raise HTTPException(422, str(error)) from error
    except KeyError as error:
        raise HTTPException(404, f"This design has no figure {path}.") from error
    suffix = f"?s={s}" if values is not None else ""
    return page.page("explain.html", explanation=explain_page(evaluated, tree), marks=MARKS, suffix=suffix)


def _evaluated(source: Designs, key: str) -> Evaluated:
    try:
        return source.evaluated(key)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
