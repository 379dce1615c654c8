"""Routes of the calibration page: the empty form, and the form with what its runs say."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from app.web.calibrate.form import CalibrationForm, calibration_form
from app.web.calibrate.page import calibrate_page
from app.web.designs import Designs, DesignsDep
from app.web.saved.forms import FormDep
from app.web.saved.ready import ReadDep
from app.web.templating import Templates, TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/calibrate/{key}")
def empty(key: str, source: DesignsDep, work: ReadDep, page: TemplatesDep, s: str = "") -> HTMLResponse:
    """The form, nothing typed yet."""
    return _page(source, page, key, s, CalibrationForm())


@router.post("/calibrate/{key}")
def calibrate(
    key: str, fields: FormDep, source: DesignsDep, work: ReadDep, page: TemplatesDep, s: str = ""
) -> HTMLResponse:
    """What the runs of a form say; nothing is kept, so that it may be sent again."""
    return _page(source, page, key, s, calibration_form(fields))


def _page(source: Designs, page: Templates, key: str, state: str, form: CalibrationForm) -> HTMLResponse:
    try:
        shown = calibrate_page(source, key, state, form)
    except KeyError as error:
        raise HTTPException(404, f"There is no design {key}.") from error
    status = 422 if shown.carried.refusal or shown.form.errors else 200
    return page.page("calibrate/page.html", status=status, calibrate=shown)
