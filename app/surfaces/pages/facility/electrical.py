"""The electrical tab: sizing of the chain, its single-line diagram, and its N-1 analysis."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.facility.single_line import Feeds, single_line_figure
from app.charts.format import Shown, percent, show
from app.engine.facility.electrical.problems import STAGE_NAMES
from app.engine.facility.electrical.redundancy import SchemeLoads
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.electrical import ElectricalAnswer, ElectricalOptions, electrical_answer
from app.views.facility.electrical_report import BlockLine, LostLine, block_lines, lost_lines

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

SIZED_ON = {"rating": "every node at its rating", "peak": "peak of the job"}
STANDARDS = {"nec": "NEC", "iec": "IEC"}
CARRIED_BY = {
    "rest": "the rest",
    "catcher": "the reserve",
    "generators": "generators",
    "nobody": "none",
    "unknown": "unknown",
}


class Block(NamedTuple):
    """A kind of block as a line of the table."""

    title: str
    units: str
    rating: Shown
    derated: Shown
    load: Shown
    each: Shown
    breaker: Shown


class Lost(NamedTuple):
    """A kind of block, one of it lost, as a line of the table."""

    kind: str
    title: str
    moved: Shown
    carried_by: str
    after: str
    overloaded: bool
    served: Shown
    ride: Shown


class Loss(NamedTuple):
    """A stage that loses energy."""

    title: str
    path: str
    load: Shown
    loss: Shown
    of_it: Shown


@router.get("/facility/{key}/electrical")
def electrical(
    opened: OpenedDep,
    page: TemplatesDep,
    sized_on: str = "rating",
    standard: str = "nec",
    lost: str = "",
) -> HTMLResponse:
    """The chain of a design; `lost` is the kind of block whose loss is drawn."""
    if opened.scenario is None:
        return page.page("facility/electrical.html", opened=opened)
    fault, typed = "", {"sized_on": sized_on[:30], "standard": standard[:30], "lost": lost[:30]}
    options = ElectricalOptions()
    try:
        options = build_document(ElectricalOptions, typed)
        answer = electrical_answer(opened.scenario, options)
    except ScenarioError as error:
        first = error.errors[0]
        fault = f"{first.path}: {first.message} {first.hint}".strip()
        options = ElectricalOptions()
        answer = electrical_answer(opened.scenario, options)
    feeds = Feeds(answer.racks, first_of(answer.loads.it_w), first_of(answer.loads.cooling_and_house_w))
    return page.page(
        "facility/electrical.html",
        status=422 if fault else 200,
        opened=opened,
        answer=answer,
        outages=_outages(answer),
        fault=fault,
        typed=typed,
        sized_on=SIZED_ON,
        standards=STANDARDS,
        kinds={kind: answer.chain.title(kind) for kind in answer.chain.kinds},
        figure=single_line_figure(answer.chain, answer.sizing, answer.lost, feeds, options.lost),
        blocks=[_block(line) for line in block_lines(answer)],
        lost_blocks=[_lost(line) for line in lost_lines(answer)],
        facts=_facts(answer),
        schemes=[_scheme(one) for one in answer.schemes],
        losses=_losses(answer),
        chosen=options,
    )


def _block(line: BlockLine) -> Block:
    units = _count(line.units)
    if line.idle_units:
        units += f", {line.idle_units:g} idle"
    if line.places != 1:
        units += " per rack"
    return Block(
        title=line.title,
        units=units,
        rating=_three(line.rating_w),
        derated=_three(line.derated_w),
        load=_three(line.load_w),
        each=_percent(line.normal_load),
        breaker=_breaker(line),
    )


def _lost(line: LostLine) -> Lost:
    after = "none left" if line.carried_by == "nobody" else _percent(line.load_after).text
    return Lost(
        kind=line.kind,
        title=line.title,
        moved=_three(line.load_moved_w),
        carried_by=CARRIED_BY[line.carried_by],
        after=after,
        overloaded=line.overloaded,
        served=_three(line.it_served_w),
        ride=show(line.ride_through_s, "s") if line.ride_through_s is not None else Shown("n/a"),
    )


def _breaker(line: BlockLine) -> Shown:
    if line.current_a is None:
        return Shown("n/a")
    return Shown("none this large") if line.breaker_a is None else Shown(f"{line.breaker_a:,.0f}", "A")


def _scheme(one: SchemeLoads) -> tuple[str, str, str, str, str, str]:
    after = "none left" if math.isinf(one.load_one_lost) else _percent(one.load_one_lost).text
    side = "n/a" if math.isnan(one.load_side_lost) else _percent(one.load_side_lost).text
    return (
        "Block redundant" if one.redundancy == "block_redundant" else one.redundancy,
        _count(one.units),
        _percent(one.installed_share).text,
        _percent(one.normal_load).text,
        after,
        side,
    )


def _facts(answer: ElectricalAnswer) -> list[tuple[str, Shown]]:
    standby, loads = answer.standby, answer.loads
    return [
        ("IT power that the chain is sized for", show(first_of(loads.it_w), "W")),
        ("At the meter in the hottest hour", show(first_of(loads.site_w), "W")),
        ("IT power that all blocks hold with one lost", show(_nan_to_none(answer.allowed_it_w), "W")),
        ("Dry bulb of the hottest hour", show(standby.hottest_dry_bulb_c, "degC")),
        ("Derated over nominal generator rating", percent(standby.generator_derating)),
        ("Load steps of generators", show(standby.load_steps)),
        ("Largest step that running generators take", show(standby.load_step_w, "W")),
        ("Swing of the job, pause to peak", show(standby.job_swing_w, "W")),
        ("Batteries, new", show(standby.battery_energy_j / 3.6e6, "kWh")),
        ("Autonomy at end of life", show(standby.battery_time_s, "s")),
        ("Fuel on site", show(standby.fuel_l / 1e3, "m3")),
    ]


def _outages(answer: ElectricalAnswer) -> list[tuple[str, Shown, Shown]]:
    return [
        (one.block, show(one.hours, "h"), show(_nan_to_none(one.installed_share or math.nan)))
        for one in answer.availability.blocks
    ]


def _losses(answer: ElectricalAnswer) -> list[Loss]:
    names = STAGE_NAMES | {"distribution": "Switchgear, busway and cable", "ups": answer.chain.title("ups")}
    if answer.chain.ups == "rack_batteries" and answer.chain.distribution != "dc_800":
        names["ups"] = "Batteries in the racks"
    return [
        Loss(
            title=names[one.stage],
            path=f"power.losses_breakdown_w.{one.stage}",
            load=_percent(one.load),
            loss=show(one.loss_w, "W"),
            of_it=percent(one.share_of_it),
        )
        for one in answer.losses
    ]


def _count(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


def _three(watts: float | None) -> Shown:
    return Shown("unknown") if watts is None else show(float(f"{watts:.3g}"), "W")


def _percent(share: float | None) -> Shown:
    if share is None or not math.isfinite(share):
        return Shown("unknown")
    return percent(float(f"{share:.3g}"))


def _nan_to_none(value: float) -> float | None:
    return None if math.isnan(value) else value
