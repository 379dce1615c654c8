"""The IT power tab: components in every state, what a cap costs and saves, and how a synchronous job swings."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.facility.it_parts import it_parts_figure
from app.charts.facility.power_caps import power_caps_figure
from app.charts.facility.power_swing import power_swing_figure
from app.charts.format import Shown, number, percent, rounded, show
from app.engine.facility.it.breakdown import PartLine
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.it import ItAnswer, ItOptions, NodeLoad, Swing, it_answer, it_report

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422
STATES = ("idle_w", "mean_w", "peak_w", "design_w")
PROFILES = {
    "auto": "By the job's step",
    "large_batch": "Large-batch training, as measured",
    "strong_scaled": "Strong-scaled training, as measured",
    "serving": "Serving at full load, as measured",
}


class Line(NamedTuple):
    """A component as a line of the table."""

    label: str
    watts: tuple[Shown, ...]
    basis: str
    source: str
    told_apart: bool


class Fact(NamedTuple):
    label: str
    shown: Shown
    words: str = ""


@router.get("/facility/{key}/it")
def it(opened: OpenedDep, page: TemplatesDep, ramp: str = "") -> HTMLResponse:
    """IT power of a design; `ramp` is the ramp limit of its feed in kW/s."""
    if opened.scenario is None:
        return page.page("facility/it.html", opened=opened)
    typed, fault, options = ramp.strip()[:20], "", ItOptions()
    try:
        options = _options(typed)
    except ScenarioError as error:
        fault = error.errors[0].words
    try:
        answer = it_answer(opened.scenario, opened.catalog, options)
    except ScenarioError as error:  # workloads that share a pod load its SuperNodes each in its own way
        words = error.errors[0].words
        return page.page("facility/refused.html", opened=opened, tab="it", title="IT power", words=words)
    swing = it_report(answer).swing
    return page.page(
        "facility/it.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        problems=answer.problems,
        parts=it_parts_figure(answer.parts, answer.totals),
        caps=power_caps_figure(answer.caps, answer.node.power_cap),
        swing=power_swing_figure(answer.transients, answer.trace),
        node=_node(answer.node),
        lines=[_line(part) for part in answer.parts],
        together=tuple(_watts(getattr(answer.totals, state)) for state in STATES),
        swings=_swings(swing),
        checks=_checks(answer, swing),
        ramp=typed,
        fault=fault,
    )


def _options(typed: str) -> ItOptions:
    if not typed:
        return ItOptions()
    try:
        stated: float | str = float(typed) * 1e3
    except ValueError:
        stated = typed  # refused below, with the rule
    return build_document(ItOptions, {"ramp_limit_w_per_s": stated})


def _line(part: PartLine) -> Line:
    return Line(
        label=part.label,
        watts=tuple(_watts(getattr(part, state)) for state in STATES),
        basis=part.basis,
        source=part.source.split(" | ")[0],  # the first of several says where it is printed
        told_apart=not math.isnan(part.mean_w),
    )


def _node(node: NodeLoad) -> list[Fact]:
    facts = [Fact("Load profile", Shown(PROFILES[node.load_profile]))]
    if not math.isnan(node.busy_share):
        facts.append(
            Fact(
                "Share of the step in which accelerators compute",
                percent(node.busy_share),
                "the rest they wait",
            )
        )
    facts.append(Fact("Mean over rating", percent(node.power_utilisation), "without a power cap"))
    if not math.isnan(node.power_cap):
        facts.append(Fact("Power cap", percent(node.power_cap), "of the accelerators' TDP"))
    return [
        *facts,
        Fact("Idle", _watts(node.idle_w)),
        Fact("In a pause of the job", _watts(node.pause_w), "evaluation, checkpoint, restart"),
        Fact("At work, mean", _watts(node.mean_w)),
        Fact("At the coincident peak", _watts(node.peak_w), "over seconds"),
        Fact("Rated", _watts(node.rating_w), "what feeders are sized for, a cap kept"),
    ]


def _swings(swing: Swing) -> list[Fact]:
    return [
        Fact("Mean", _watts(swing.mean_w)),
        Fact("Coincident peak, 1 s", _watts(swing.peak_w)),
        Fact("Trough, in a pause", _watts(swing.trough_w)),
        Fact("Swing", _watts(swing.swing_w)),
        Fact(
            "Below 1 s",
            _watts(swing.sub_second_peak_w),
            "1.4 of the mean; a secondary source of low confidence",
        ),
        Fact("Ramp limit", _per_second(swing.ramp_limit_w_per_s)),
        Fact("Time to follow the swing", show(swing.ramp_time_s, "s")),
        Fact("Storage needed", _kwh(swing.smoothing_energy_j), "swing² / (2 × ramp limit)"),
        Fact(
            "Swing left by storage in power supplies",
            _watts(swing.swing_after_supplies_w),
            "30 % less, by a vendor (GB300)",
        ),
        Fact("Storage needed for the rest", _kwh(swing.smoothing_energy_after_supplies_j)),
    ]


def _checks(answer: ItAnswer, swing: Swing) -> list[tuple[str, bool]]:
    """Report of generators and of the grid, and whether it is a warning."""
    if math.isnan(swing.swing_w) or math.isnan(swing.generator_step_share):
        return []
    limit = percent(swing.generator_step_limit).text
    holds = swing.generator_step_share <= swing.generator_step_limit
    step = percent(swing.generator_step_share).text
    found = [
        (
            (
                f"A restart of all nodes is a block of {step} of the site's peak; "
                f"generators that just carry the peak take {limit} at once (50 to 60 % is usual), "
                f"so it {'holds' if holds else 'does not hold: start nodes in groups, or take larger generators'}."
            ),
            not holds,
        )
    ]
    if not math.isnan(swing.step_frequency_hz):
        inside = swing.flicker_least_hz <= swing.step_frequency_hz <= swing.flicker_greatest_hz
        band = f"{number(swing.flicker_least_hz)} to {number(swing.flicker_greatest_hz)} Hz"
        found.append(
            (
                (
                    f"Steps come round {number(rounded(swing.step_frequency_hz))} times per second, "
                    f"{'inside' if inside else 'outside'} the band of {band} in which swings disturb generators and make "
                    "lamps flicker (Choukse et al., arXiv 2508.14318)."
                ),
                inside,
            )
        )
    return found


def _per_second(watts: float) -> Shown:
    shown = _watts(watts)
    return Shown(shown.value, f"{shown.unit}/s") if shown.unit else shown


def _kwh(joules: float) -> Shown:
    return show(None) if math.isnan(joules) else Shown(number(rounded(joules / 3.6e6)), "kWh")


def _watts(value: float) -> Shown:
    return show(rounded(value, 4), "W")
