"""The bill tab: what is bought for the networks of a pod, and how that stands to the evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

from app.charts.fabric.materials import power_figure, price_figure, role_sums
from app.engine.fabric.materials.lines import ROLES
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.download import download
from app.surfaces.pages.fabric.bill_tables import (
    difference_rows,
    key_figures,
    network_tables,
    rack_rows,
    tier_rows,
)
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.bill_files import FORMATS
from app.views.fabric.materials import BillOptions, fabric_bill

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LENGTHS = (("floor", "Floor plan"), ("assumed", "Assumptions of the evaluation"))


class BillForm(NamedTuple):
    """What was asked of the bill, as typed. `options` is None where it cannot be used."""

    lengths: str
    patched_from_m: str
    error: str
    options: BillOptions | None

    @property
    def query(self) -> dict[str, str]:
        """What differs from a bill that nobody asked anything of."""
        typed = {"lengths": self.lengths, "patched_from_m": self.patched_from_m}
        return {name: value for name, value in typed.items() if value and value != "floor"}


def bill_form(request: Request) -> BillForm:
    """The options in the address."""
    asked: Mapping[str, str] = request.query_params
    lengths = asked.get("lengths", "") or "floor"
    patched = asked.get("patched_from_m", "").strip()[:40]
    stated: dict[str, Any] = {"lengths": lengths}
    if patched:
        stated["patched_from_m"] = _number(patched)
    try:
        return BillForm(lengths, patched, "", build_document(BillOptions, stated))
    except ScenarioError as error:
        return BillForm(lengths, patched, str(error.errors[0]), None)


FormDep = Annotated[BillForm, Depends(bill_form)]


@router.get("/fabric/{key}/bill")
def bill(opened: OpenedDep, form: FormDep, page: TemplatesDep) -> HTMLResponse:
    """Every piece, network by network and role by role."""
    shown: dict[str, Any] = {"form": form, "lengths": LENGTHS, "formats": ()}
    if opened.scenario:
        found = fabric_bill(opened.scenario, opened.catalog, form.options or BillOptions())
        answer = bill_answer(found)
        sums = role_sums(answer, ROLES)
        shown |= {
            "bill": answer,
            "tables": network_tables(answer),
            "key_figures": key_figures(answer),
            "differences": difference_rows(answer),
            "tiers": tier_rows(answer),
            "racks": rack_rows(answer),
            "figures": (price_figure(sums), power_figure(sums)),
            "formats": [
                (one.title, opened.file_address("bill", {"format": name} | form.query))
                for name, one in FORMATS.items()
            ],
            "measured": _with_measured(opened, found.measured_assumptions),
        }
    return page.page("fabric/bill.html", status=422 if form.error else 200, opened=opened, **shown)


@router.get("/fabric/{key}/bill/file")
def bill_file(opened: OpenedDep, form: FormDep, format: str = "csv") -> Response:
    """The bill as a file."""
    if format not in FORMATS:
        raise HTTPException(404, f"There is no bill of the kind {format[:40]}.")
    if opened.scenario is None or form.options is None:
        raise HTTPException(422, opened.carried.refusal or form.error)
    found = fabric_bill(opened.scenario, opened.catalog, form.options)
    return download(FORMATS[format], found, found.name)


def _with_measured(opened: OpenedDesign, measured: dict[str, float]) -> str:
    """This tab with the lengths of the floor plan as assumptions of the scenario; "" where they are so already."""
    if not measured:
        return ""
    values = opened.carried.values
    stated = values.get("assumptions", {})
    changed = {**values, "assumptions": {**stated, **measured}}
    return f"/fabric/{opened.carried.key}/bill?s={encode_state(changed)}"


def _number(text: str) -> float | str:
    """What is no number stays text, for the options to refuse by name."""
    try:
        return float(text)
    except ValueError:
        return text
