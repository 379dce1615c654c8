"""A scenario from elsewhere: text that is pasted, dropped or chosen as a file, opened unsaved in the studio."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.scenarios.document import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.load import parse_scenario
from app.web.designs import NEW, DesignsDep
from app.web.saved.forms import FormDep, asked_again, by_script, done
from app.web.studio.form import stated_values
from app.web.studio.page import studio
from app.web.studio.state import encode_state
from app.web.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LONGEST_STATE = 30_000  # letters that go into an address which only this server reads


@router.get("/import")
def import_form(page: TemplatesDep) -> HTMLResponse:
    return page.page("saved/import.html", text="", faults=())


@router.post("/import")
def import_text(request: Request, form: FormDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """To the studio with it; a scenario too large for an address is the answer itself."""
    text = form.get("text", "")
    try:
        document = read_text(text)
    except ScenarioError as error:
        return asked_again(request, page, "saved/import.html", text=text, faults=error.errors)
    values = stated_values(document)
    state = encode_state(values)
    if len(state) <= LONGEST_STATE or by_script(request):
        return done(request, f"/designs/{NEW}?s={state}", scenario=values, size=len(state))
    return page.page("design.html", studio=studio(source, NEW, values), suffix="")


def read_text(text: str) -> ScenarioDocument:
    """The scenario of a text that does not say whether it is YAML or JSON.

    YAML takes almost all JSON, so a text that looks like JSON is read as such first: its errors then
    name the right place.

    Raises
    ------
    ScenarioError : it is neither, or no scenario
    """
    if not text.lstrip("\ufeff \t\n").startswith("{"):
        return parse_scenario(text)
    try:
        return parse_scenario(text, format="json")
    except ScenarioError as error:
        if error.errors[0].rule != "json_syntax":
            raise
        try:
            return parse_scenario(text)
        except ScenarioError:
            raise error from None
