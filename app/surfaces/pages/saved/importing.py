"""A scenario from elsewhere: text that is pasted, dropped or chosen as a file, opened unsaved in the studio."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.saved.access import ForbiddenError
from app.saved.imports import Imported, import_json, import_yaml
from app.saved.team_catalog.received import CONFLICTS, Conflicts
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.load import build_scenario
from app.surfaces.pages.catalog.own.page import team_in
from app.surfaces.pages.designs import NEW, DesignsDep
from app.surfaces.pages.saved.forms import FormDep, asked_again, by_script, done
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.page import studio
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.workspace import OVERVIEW
from app.teams.asking import asked

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LONGEST_STATE = 30_000  # letters that go into an address which only this server reads


@router.get("/import")
def import_form(page: TemplatesDep) -> HTMLResponse:
    return page.page("saved/import.html", **_form())


@router.post("/import")
def import_text(request: Request, form: FormDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """To the studio with it; a scenario too large for an address is the answer itself.

    Own rows that came with it are shown first, and added to the catalog where that is confirmed.
    """
    text, told = form.get("text", ""), ""
    try:
        document, rows = read_text(text)
        if rows is not None:
            team, values = team_in(request, asked().workspace), document.as_dict()
            if "add_rows" not in form and not form.get("seen"):
                messages = team.receive(rows, values, dry_run=True).sentences
                return asked_again(
                    request, page, "saved/import.html", status=200, **_form(text, messages=messages)
                )
            if "add_rows" in form:
                received = team.receive(rows, values, conflicts=way_of(form))
                document, told = build_scenario(received.document), " ".join(received.sentences)
    except ScenarioError as error:
        return asked_again(request, page, "saved/import.html", **_form(text, error.errors, way_of(form)))
    except ForbiddenError as error:
        fault = refuse(str(error), rule="forbidden", hint="Leave out the section own_rows.").errors
        return asked_again(request, page, "saved/import.html", **_form(text, fault))
    values = stated_values(document)
    state = encode_state(values)
    if len(state) <= LONGEST_STATE or by_script(request):
        return done(request, f"/designs/{NEW}?s={state}", scenario=values, size=len(state), said=told)
    return page.page("design.html", studio=studio(source, NEW, values), place=OVERVIEW, suffix="")


def way_of(form: dict[str, str]) -> Conflicts:
    """Treatment of own rows that differ from those of the workspace."""
    return next((way for way in CONFLICTS if way == form.get("conflicts")), "refuse")


def _form(
    text: str = "",
    faults: tuple[InputError, ...] = (),
    conflicts: Conflicts = "refuse",
    messages: tuple[str, ...] = (),
) -> dict[str, Any]:
    differs = any(fault.rule == "own_row_differs" for fault in faults)
    return {"text": text, "faults": faults, "conflicts": conflicts, "messages": messages, "differs": differs}


def read_text(text: str) -> Imported:
    """The scenario of a text that does not say whether it is YAML or JSON.

    YAML takes almost all JSON, so a text that looks like JSON is read as such first: its errors then
    name the right place.

    Raises
    ------
    ScenarioError : it is neither, or no scenario
    """
    if not text.lstrip("\ufeff \t\n").startswith("{"):
        return import_yaml(text)
    try:
        return import_json(text)
    except ScenarioError as error:
        if error.errors[0].rule != "json_syntax":
            raise
        try:
            return import_yaml(text)
        except ScenarioError:
            raise error from None
