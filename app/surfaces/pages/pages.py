"""The explanation of one figure of a design, as a page."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import Designs, DesignsDep, Evaluated
from app.surfaces.pages.explain_page import MARKS, explain_page
from app.surfaces.pages.saved.history import reopened
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.studio.state import decode_state
from app.surfaces.pages.templating import Templates, TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/designs/{key}/explain/{path}")
def explain(
    key: str, path: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, s: str = "", revision: int = 0
) -> HTMLResponse:
    """A figure of a design, of the scenario that the address carries in `s`, or of a revision as it was."""
    if revision:
        return _explained_then(work, page, key, path, revision)
    evaluated = _evaluated(source, key)
    values = decode_state(s)
    try:
        if values is None:
            tree = source.explained(key, path)
        else:
            document = build_scenario(values)
            evaluated, tree = source.evaluate(key, document), source.of(key).explain(document, path)
    except ScenarioError as error:
        raise HTTPException(422, str(error)) from error
    except KeyError as error:
        raise HTTPException(404, f"This design has no figure {path}.") from error
    suffix = f"?s={s}" if values is not None else ""
    return page.page("explain.html", explanation=explain_page(evaluated, tree), marks=MARKS, suffix=suffix)


def _explained_then(work: SavedWork, page: Templates, key: str, path: str, revision: int) -> HTMLResponse:
    record, then = reopened(work, key, revision)
    try:
        tree = record.reopened.evaluated.explain(path)
    except ScenarioError as error:
        raise HTTPException(404, f"This design has no figure {path}.") from error
    suffix = f"?revision={revision}"
    note = record.computed_otherwise(path)
    return page.page(
        "explain.html", explanation=explain_page(then, tree), marks=MARKS, suffix=suffix, note=note
    )


def _evaluated(source: Designs, key: str) -> Evaluated:
    try:
        return source.evaluated(key)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
