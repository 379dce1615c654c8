"""The racks tab: a kind of rack against what its hall can power, cool and carry, and its heat by height unit."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.facility.rack_heat import STATES, TITLES, headline, measured, more_servers, rack_heat_figure
from app.charts.format import Shown, percent
from app.engine.facility.racks.checks import Check
from app.engine.facility.racks.kind import RackKind
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.racks import RacksAnswer, RacksOptions, facts, racks_answer

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
STANDARDS = {"nec": "NEC, 80 % of a breaker", "iec": "IEC, 100 % of a breaker"}
CHIPS = {"fits": "good", "unusual": "warn", "over": "bad", "unknown": ""}
BAR_WIDTH = 96  # pixels, of which the limit stands at LIMIT_AT
LIMIT_AT = 72


class Line(NamedTuple):
    """A check as a line of the table; `bar` and `usual_at` are pixels, -1 for none."""

    title: str
    asked: Shown
    usual: Shown
    limit: Shown
    used: Shown
    bar: float
    usual_at: float
    more: str
    state: str
    chip: str
    status: str
    way_out: str


class KindLine(NamedTuple):
    """A kind of rack as a line of the table of all."""

    name: str
    rack: str
    racks: str
    power: Shown
    first: str
    used: Shown
    state: str
    chip: str
    chosen: bool


@router.get("/facility/{key}/racks")
def racks(opened: OpenedDep, page: TemplatesDep, rack: str = "", standard: str = "nec") -> HTMLResponse:
    """The racks of a design; `rack` names one whose kind is shown, `standard` the rules for its feeds."""
    if opened.scenario is None:
        return page.page("facility/racks.html", opened=opened)
    fault = ""
    try:
        options = build_document(RacksOptions, {"rack": rack[:20], "standard": standard[:20]})
        answer = racks_answer(opened.scenario, options)
    except ScenarioError as error:
        fault = error.errors[0].words
        answer = racks_answer(opened.scenario, RacksOptions())
    chosen = answer.chosen
    return page.page(
        "facility/racks.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        answer=answer,
        chosen=chosen,
        says=headline(chosen) if chosen else "",
        way_out=answer.ways_out[chosen.first.key] if chosen and chosen.first else "",
        lines=[_line(check, answer) for check in chosen.checks] if chosen else [],
        facts=facts(chosen) if chosen else (),
        figure=rack_heat_figure(chosen) if chosen else None,
        kinds=[_kind(kind, chosen) for kind in answer.kinds],
        over=[kind for kind in answer.kinds if kind.over],
        standards=STANDARDS,
        bar={"width": BAR_WIDTH, "limit": LIMIT_AT},
        fault=fault,
    )


def _line(check: Check, answer: RacksAnswer) -> Line:
    return Line(
        title=TITLES[check.key],
        asked=measured(check.value, check.unit),
        usual=measured(check.usual, check.unit),
        limit=measured(check.limit, check.unit),
        used=percent(check.utilisation),
        bar=round(min(check.utilisation * LIMIT_AT, BAR_WIDTH), 1) if isfinite(check.utilisation) else -1,
        usual_at=round(check.usual / check.limit * LIMIT_AT, 1) if isfinite(check.limit) else LIMIT_AT,
        more=more_servers(check),
        state=STATES[check.status],
        chip=CHIPS[check.status],
        status=check.status,
        way_out=answer.ways_out[check.key],
    )


def _kind(kind: RackKind, chosen: RackKind | None) -> KindLine:
    first = kind.first
    statuses = [check.status for check in kind.checks]
    status = next((one for one in ("over", "unusual", "unknown") if one in statuses), "fits")
    return KindLine(
        name=kind.name,
        rack=kind.example.name,
        racks=f"{kind.racks:,}",
        power=measured(kind.heat.power_w, "W"),
        first=TITLES[first.key] if first else "n/a",
        used=percent(first.utilisation if first else None),
        state=STATES[status] if status != "unknown" else "Partly checked",
        chip=CHIPS[status],
        chosen=kind is chosen,
    )
