"""The tab of simulated requests: what each saw, beside what the formulas say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from app.charts.figure import Figure
from app.charts.format import Shown, percent, show, show_computed
from app.charts.serving.simulated import Minutes, SharesWithin, minutes_figure, shares_figure
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.surfaces.pages.boxes import boxes_of, typed_in
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.serving.opened import (
    UNPROCESSABLE,
    OpenedDep,
    file_answer,
    files,
    of_sessions,
    refusal,
)
from app.surfaces.pages.studio.numbers import Scale, number_of, number_text
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import Upload, read_upload
from app.views.serving.needs_text import FORMATS
from app.views.serving.simulated import (
    LATENCIES,
    SimulatedClass,
    SimulatedCurve,
    SimulatedTime,
    SimulatedView,
    SimulationOptions,
    simulated_view,
)

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "simulation"
BOXES = {
    "minutes": ("Minutes", Scale(1.0, "")),
    "requests_per_s": ("Requests of the pod", Scale(1.0, "/s")),
    "arrival_variation": ("Spread of arrivals", Scale(1.0, "")),
    "seed": ("Seed", Scale(1.0, "")),
}
NAMES = tuple(BOXES)
FIELDS = (*NAMES, "trace")
MOST_FILE_BYTES = 6_000_000
"""Of a trace: what a body may have, with the form around it. The command line reads longer ones."""
MOST_PASTED_BYTES = 1_000_000
HELP = {"arrival_variation": "1, at random", "requests_per_s": "the design's load"}
CUT = 0.005
FAR = 2.0
"""Times the slowest request shown, beyond which a promise is named and not drawn."""


class Sent(NamedTuple):
    """A trace that was sent: what was pasted, and the name of its file, "" for none."""

    pasted: str
    name: str


@router.get("/serving/{key}/simulation")
def simulation(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The options of the simulation are in the address, so that it can be shared."""
    typed = typed_in(request, NAMES)
    return _page(opened, page, typed, _make(typed))


@router.post("/serving/{key}/simulation/trace")
async def trace(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """A measured trace in place of drawn requests, from a file or as pasted; nothing is kept of it."""
    sent = await read_upload(
        request, most_bytes=MOST_FILE_BYTES, most_fields=4, most_text_bytes=MOST_PASTED_BYTES
    )
    return await run_in_threadpool(_traced, opened, page, sent)


def _traced(opened: OpenedDesign, page: Templates, sent: Upload) -> Response:
    pasted, answer = sent.fields.get("trace", ""), sent.fields.get("answer", "")

    def make(scenario: EvaluatedScenario) -> SimulatedView:
        return simulated_view(scenario, build_document(SimulationOptions, {"trace": _trace_text(sent)}))

    if answer in FORMATS:
        try:
            return file_answer(opened, TAB, answer, make)
        except HTTPException:
            pass  # the page says what is wrong, with what was typed
    return _page(opened, page, dict.fromkeys(NAMES, ""), make, Sent(pasted=pasted, name=sent.name))


def _trace_text(sent: Upload) -> str:
    """The text of a trace that was sent.

    Raises
    ------
    ScenarioError : there is none, or it is no text
    """
    if not sent.content and not sent.fields.get("trace", "").strip():
        raise refuse(
            "No trace was chosen.", rule="required", path="trace", hint="Choose a file, or paste its lines."
        )
    if not sent.content:
        return sent.fields["trace"]
    if len(sent.content) > MOST_FILE_BYTES:
        raise refuse(
            f"{sent.name} has more than {MOST_FILE_BYTES:,} bytes.", rule="too_long", path="trace",
            hint="Cut the trace to some hours, or use podwright serving simulate --trace.",
        )  # fmt: skip
    try:
        return sent.content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refuse(
            f"{sent.name} is not a text file in UTF-8.", rule="text", path="trace",
            hint="Choose a CSV file, or one with lines of JSON.",
        ) from error  # fmt: skip


def _page(
    opened: OpenedDesign,
    page: Templates,
    typed: Mapping[str, str],
    make: Callable[[EvaluatedScenario], SimulatedView],
    sent: Sent | None = None,
) -> HTMLResponse:
    view, faults, refused = None, {}, refusal(opened, "A simulation of requests")
    if opened.scenario is not None and not refused:
        try:
            view = make(opened.scenario)
        except ScenarioError as error:
            faults = {fault.path if fault.path in FIELDS else "": _words(fault) for fault in error.errors}
    return page.page(
        "serving/simulation.html",
        status=UNPROCESSABLE if faults else 200,
        opened=opened,
        refused=refused,
        faults=faults,
        view=view,
        sent=sent,
        most_megabytes=MOST_FILE_BYTES // 1_000_000,
        boxes=boxes_of(BOXES, _empty, typed, faults),
        figures=_figures(view) if view else (),
        rows=[(LATENCIES[row.of], row.measure, _cells(row)) for row in view.rows] if view else (),
        facts=_facts(view) if view else (),
        classes=[_class(one) for one in view.classes] if view else (),
        of_sessions=of_sessions(opened),
        files=files(opened, TAB, {name: text for name, text in typed.items() if text})
        if sent is None
        else (),
    )


def _words(fault: InputError) -> str:
    return fault.words if fault.line is None else f"Line {fault.line:,} {fault.words}"


@router.get("/serving/{key}/simulation/file")
def simulation_file(request: Request, opened: OpenedDep, format: str = "csv") -> Response:
    """The latencies as a file."""
    return file_answer(opened, TAB, format, _make(typed_in(request, NAMES)))


def _make(typed: Mapping[str, str]) -> Callable[[EvaluatedScenario], SimulatedView]:
    def make(scenario: EvaluatedScenario) -> SimulatedView:
        stated: dict[str, Any] = {
            name: number_of(text, BOXES[name][1], whole=name == "seed")
            for name, text in typed.items()
            if text
        }
        return simulated_view(scenario, build_document(SimulationOptions, stated))

    return make


def _empty(name: str, scale: Scale) -> str:
    return HELP.get(name) or number_text(getattr(SimulationOptions(), name), scale)


def _figures(view: SimulatedView) -> list[Figure]:
    curves = [_curve(view, curve) for curve in view.curves]
    worst = max(
        (one for one in view.by_minute if one.ttft_p95_s is not None), key=lambda one: one.ttft_p95_s or 0
    )
    return [
        *curves,
        minutes_figure(
            Minutes(
                minutes=[one.minute for one in view.by_minute],
                first_s=[one.ttft_p95_s for one in view.by_minute],
                running=[one.running for one in view.by_minute],
                takeaway=f"Slowest in minute {worst.minute}: "
                f"p95 of the first token {show(worst.ttft_p95_s, 's').text}, {worst.running:,.0f} running.",
            )
        ),
    ]


def _curve(view: SimulatedView, curve: SimulatedCurve) -> Figure:
    at = {row.measure: row for row in view.rows if row.of == curve.of}
    formula = [
        (int(measure[1:]) / 100, row.formula_s)
        for measure, row in at.items()
        if measure != "mean" and row.formula_s is not None
    ]
    p95 = at["p95"]
    beside = (
        f", by the formulas {show(p95.formula_s, 's').text}"
        if p95.formula_s is not None
        else ", no steady state"
    )
    far = curve.promised_s is not None and curve.promised_s > FAR * max(curve.simulated_s)
    promised = f"; SLO {show(curve.promised_s, 's').text}" if far else ""
    return shares_figure(
        SharesWithin(
            name=f"simulated_{curve.of}",
            title=LATENCIES[curve.of],
            shares=curve.shares,
            simulated_s=curve.simulated_s,
            formula=formula,
            promised_s=None if far else curve.promised_s,
            takeaway=f"95 % within {show(p95.simulated_s, 's').text}{beside}{promised}.",
        )
    )


def _cells(row: SimulatedTime) -> list[Shown]:
    return [
        show_computed(row.simulated_s, "s"),
        Shown("no steady state") if row.formula_s is None else show_computed(row.formula_s, "s"),
        Shown("") if row.difference is None else Shown(_signed(row.difference)),
    ]


def _class(one: SimulatedClass) -> tuple[str, str, list[Shown]]:
    """Name, how many came, and what they saw: mean and p95 of each latency, and the share within the promise."""
    seen = {(row.of, row.measure): row.simulated_s for row in one.rows}
    measures = [(of, measure) for of in LATENCIES for measure in ("mean", "p95")]
    cells = [show_computed(seen[one], "s") if one in seen else Shown("") for one in measures]
    kept = Shown("") if one.within_promise is None else percent(one.within_promise)
    return one.name, f"{one.requests:,} requests", [*cells, kept]


def _signed(difference: float) -> str:
    sign = "" if abs(difference) < CUT else ("+" if difference > 0 else "\u2212")
    return f"{sign}{abs(100 * difference):.0f} %"


def _facts(view: SimulatedView) -> list[tuple[str, Shown]]:
    facts = [
        ("Requests of the pod", show_computed(view.requests_per_s)._replace(unit="/s")),
        ("Simulated, of one replica", Shown(f"{view.requests:,}")),
        ("Running at most", Shown(f"{view.most_running:,} of {view.places:,}")),
    ]
    if view.prefill_share is not None:
        facts.append(("Time in prefill", percent(view.prefill_share)))
    if view.found_share:
        facts.append(("Prompts found in the prefix cache", percent(view.found_share)))
    if view.sessions is not None:
        words = f"{100 * view.sessions.context_hit_share:.1f}\u202f%"
        if view.sessions.formula_hit_share is not None and view.sessions.simulated:
            words += f", by the formulas {100 * view.sessions.formula_hit_share:.1f}\u202f%"
        facts.append(("Prefix cache hits of later turns", Shown(words)))
    if view.within_promise is not None:
        facts.insert(0, ("Within the SLO", percent(view.within_promise)))
    return facts
