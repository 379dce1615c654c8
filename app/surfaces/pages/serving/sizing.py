"""The sizing tab: from the demand to SuperNodes step by step, prefill to decode, and what would relax it."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.charts.figure import Figure
from app.charts.format import THIN_SPACE, Shown, number, percent, rounded, show_computed, signed_percent
from app.charts.serving.demand_hours import HourDrawn, HoursDrawn, demand_hours_figure
from app.engine.performance.serving.words import part_words
from app.surfaces.pages.economics.terms_form import terms_form
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.serving.opened import UNPROCESSABLE, OpenedDep, file_answer, files, view_of
from app.surfaces.pages.studio.field import Field
from app.surfaces.pages.studio.field import number as number_field
from app.surfaces.pages.studio.state import MISSING, value_at
from app.surfaces.pages.templating import TemplatesDep
from app.views.serving.demand_hours import DemandHours
from app.views.serving.scaling import headroom_words
from app.views.serving.sizing import SizingView, sizing_view
from app.views.serving.sizing_row import Relaxed, SizingRow

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "sizing"
TOKENS = number_field("workload.demand.tokens_per_day", unit="tokens/day")
REQUESTS = number_field("workload.demand.requests_per_s", unit="1/s")
TERMS = (
    number_field("workload.demand.peak_to_mean"),
    number_field("workload.demand.growth_per_year"),
    number_field("workload.demand.years"),
    number_field("workload.service_level.ttft_s", unit="seconds"),
    number_field("workload.service_level.tpot_s", unit="seconds"),
    number_field("workload.service_level.percentile"),
    number_field("workload.service_level.availability"),
    number_field("workload.service_level.n_plus"),
)
BINDS = {
    "ttft": "The time to the first token ends the load that a replica meets the SLO at",
    "tpot": "The time per token ends the load that a replica meets the SLO at",
    "memory": "Memory ends the load of a replica: no more requests fit at once",
    "prefill": "Prefill ends the load: prompts then come as fast as they can be prefilled, and no SLO changes that",
    "none": "Not even one request meets the SLO",
}
FEW = 3


@router.get("/serving/{key}/sizing", response_model=None)
def sizing(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """Demand and SLOs are those of the scenario: a form that was sent changes the address."""
    view, refused = view_of(opened, sizing_view)
    if opened.scenario is None or refused:
        return page.page("serving/sizing.html", opened=opened, refused=refused)
    form = terms_form(opened, TAB, (_amount(opened), *TERMS), request.query_params)
    if form.address:
        return RedirectResponse(form.address, 303)
    assert view is not None
    return page.page(
        "serving/sizing.html",
        status=UNPROCESSABLE if form.is_refused else 200,
        opened=opened,
        refused="",
        form=form,
        view=view,
        lead=_lead(view),
        lines=[line_of(row) for row in view.rows],
        binds=_binds(view),
        relaxed=[_relaxed(row) for row in view.relaxed],
        split=_split(view),
        hours=None if view.demand_hours is None else hours_shown(view, view.demand_hours),
        files=files(opened, TAB),
    )


@router.get("/serving/{key}/sizing/file")
def sizing_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The steps as a file."""
    return file_answer(opened, TAB, format, sizing_view)


def _amount(opened: OpenedDesign) -> Field:
    """The demand is stated one way or the other."""
    stated = value_at(opened.carried.values, TOKENS.path)
    return REQUESTS if stated in (MISSING, None) else TOKENS


def _lead(view: SizingView) -> str:
    pod = f"The pod's {view.pod_words} answer {number(rounded(view.requests_per_s_limit))} requests/s within the SLO"
    if view.requests_per_s_limit != view.requests_per_s_limit or view.binds == "none":
        pod = f"The pod's {view.pod_words} meet the SLO at no load"
    if view.supernodes_needed is None:
        return f"{pod}. No demand is stated: state one below to size for it."
    if not view.needed_words:
        return f"{pod}, so that no number of SuperNodes bears the demand."
    there = f"the pod has {number(view.supernodes_there)}"
    headroom = view.supernodes_needed_with_headroom
    spare = (
        f", {number(headroom)} with headroom for failures"
        if headroom is not None and headroom < float("inf")
        else ""
    )
    return (
        f"{pod}. The demand needs {view.needed_words} at its peak: {number(view.supernodes_needed)} "
        f"{'SuperNode' if view.supernodes_needed == 1 else 'SuperNodes'}{spare}; {there}."
    )


def _binds(view: SizingView) -> str:
    parts = [
        f"{part_words(name)} {100 * share:.0f}{THIN_SPACE}%"
        for name, share in list(view.binding_shares.items())[:FEW]
    ]
    made = f". Just beyond, that time is made of {', '.join(parts)}" if parts else ""
    return f"{BINDS[view.binds]}{made}."


def _relaxed(row: Relaxed) -> tuple[str, Shown, str, Shown]:
    needs = Shown("–") if row.supernodes is None else show_computed(row.supernodes)
    return row.title, show_computed(row.requests_per_s), signed_percent(row.gain), needs


def _split(view: SizingView) -> list[Line]:
    split = view.split
    if split is None:
        return []
    known = split.prefill_instances == split.prefill_instances
    best = (
        f"{split.prefill_instances:,.0f} : {split.decode_instances:,.0f}"
        if known
        else "no group fits the pod"
    )
    lines = [
        Line(
            "A prefill instance starts",
            show_computed(split.prefill_requests_per_s)._replace(unit="requests/s"),
            split.prefill_layout,
        ),
        Line(
            "A decode instance ends",
            show_computed(split.decode_requests_per_s)._replace(unit="requests/s"),
            f"{split.decode_layout}; within the time-per-output-token SLO",
        ),
        Line(
            "Prefill per decode instance",
            show_computed(split.prefill_per_decode),
            "As many as keep both busy, not rounded",
        ),
        Line("Best whole number of instances", Shown(best), "Within the accelerators of the pod"),
    ]
    if known:
        lines.append(
            Line(
                "Idle in that group",
                percent(split.idle_share),
                f"{split.accelerators:,.0f} accelerators, {number(rounded(split.requests_per_s))} requests/s",
            )
        )
    if split.stated_prefill_instances is not None and split.stated_idle_share is not None:
        stated = f"{split.stated_prefill_instances:,.0f} : {split.stated_decode_instances:,.0f}"
        lines.append(
            Line(
                "As in the scenario",
                Shown(stated),
                "unknown share of its accelerators idle"
                if math.isnan(split.stated_idle_share)
                else f"{100 * split.stated_idle_share:.1f}{THIN_SPACE}% of its accelerators idle on average",
            )
        )
    return lines


class Line(NamedTuple):
    title: str
    shown: Shown
    said: str


class HoursShown(NamedTuple):
    """`short` says that the headroom is too small, "" where it is not."""

    figure: Figure
    lines: list[Line]
    basis: str
    short: str


def line_of(row: SizingRow) -> Line:
    """A step of the sizing as a line of a table."""
    return Line(row.title, _shown(row), f"{row.said[:1].upper()}{row.said[1:]}")


def hours_shown(view: SizingView, hours: DemandHours) -> HoursShown:
    """The hours of a sizing as its tab has them."""
    scaling = hours.scaling
    drawn = [
        HourDrawn(
            title=hour.title,
            requests_per_s=hour.requests_per_s,
            needed=hour.needed,
            running=hour.running,
            paid=hour.paid,
            utilisation=hour.utilisation,
            ttft_within_s=hour.ttft_within_s,
            tpot_within_s=hour.tpot_within_s,
            keeps=hour.keeps,
        )
        for hour in hours.hours
    ]
    figure = demand_hours_figure(
        HoursDrawn(
            hours=drawn,
            rate=hours.requests_per_s_per_replica,
            always_on=hours.replicas,
            follows=scaling is not None,
            share=view.percentile,
            takeaway=_takeaway(hours),
        )
    )
    short = ""
    if scaling is not None and not scaling.headroom_is_enough:
        words = headroom_words(scaling)
        relief = f" {100 * scaling.headroom_needed:.3g}{THIN_SPACE}% would be enough."
        short = f"{words[:1].upper()}{words[1:]}.{relief if scaling.headroom_needed < 1 else ''}"
    return HoursShown(
        figure=figure,
        lines=[line_of(row) for row in hours.rows],
        basis="replicas follow the demand" if scaling is not None else "all replicas run in all hours",
        short=short,
    )


def _takeaway(hours: DemandHours) -> str:
    least, most = (round(end(hour.needed for hour in hours.hours)) for end in (min, max))
    need = f"The busiest hour needs {most:,} {'replica' if most == 1 else 'replicas'}, the quietest {least:,}"
    if hours.scaling is None:
        return f"{need}."
    freed = 100 * hours.scaling.freed_share
    return f"{need}; following the demand frees {freed:.3g}{THIN_SPACE}% of the accelerator-hours."


def _shown(row: SizingRow) -> Shown:
    if row.unit == "share":
        return Shown("unknown") if row.value != row.value else percent(row.value)
    shown = show_computed(row.value)
    return shown if row.unit == "1" else shown._replace(unit=row.unit)
