"""Routes of the calibration page: the form, what its runs say, and kept runs that are removed."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse, RedirectResponse

from app.surfaces.pages.calibrate.page import CalibrationForm, calibrate_page, calibration_form
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.saved.rights import ReadDep, WriteDep
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.validation.calibration.kept import NoKeptRunError

MOST_DIGITS = 19  # of an id

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/calibrate/{key}")
def empty(key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, s: str = "") -> HTMLResponse:
    """The form, nothing typed yet."""
    return _page(source, page, key, s, CalibrationForm())


@router.post("/calibrate/{key}")
def calibrate(
    key: str, fields: FormDep, source: DesignsDep, work: ReadDep, page: TemplatesDep, s: str = ""
) -> HTMLResponse:
    """What the runs of a form say. What is kept is kept once, so that it may be sent again."""
    return _page(source, page, key, s, calibration_form(fields))


@router.post("/calibrate/{key}/remove")
def remove(key: str, fields: FormDep, source: DesignsDep, work: WriteDep, s: str = "") -> RedirectResponse:
    """A kept run is forgotten; one that is gone already is no fault."""
    id = fields.get("id", "")
    if id.isascii() and id.isdigit() and len(id) < MOST_DIGITS:
        with suppress(NoKeptRunError):
            source.own_runs().remove(int(id))
    return RedirectResponse(
        f"/calibrate/{quote(key, safe='@')}{'?' + urlencode({'s': s}) if s else ''}#kept", 303
    )


def _page(source: Designs, page: Templates, key: str, state: str, form: CalibrationForm) -> HTMLResponse:
    try:
        shown = calibrate_page(source, key, state, form)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
    status = 422 if shown.carried.refusal or shown.form.errors else 200
    return page.page("calibrate/page.html", status=status, calibrate=shown)
