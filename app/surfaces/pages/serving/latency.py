"""The latency tab: times against load, the knee, the load that meets the SLO, and a token's time by part."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from app.charts.figure import Figure
from app.charts.format import THIN_SPACE, Shown, counted, number, percent, rounded, show, show_computed
from app.charts.serving.latency_curve import LatencyCurve, NamedLoad, latency_curve_figure
from app.charts.serving.token_time import BatchTime, token_time_figure
from app.surfaces.pages.serving.opened import (
    UNPROCESSABLE,
    OpenedDep,
    file_answer,
    files,
    of_sessions,
    view_of,
)
from app.surfaces.pages.templating import TemplatesDep
from app.views.serving.latency import LatencyView, LoadPoint, latency_view

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "latency"
AGAINST = {"concurrency": "Requests in flight", "requests_per_s": "Requests per second"}
BREAKS = {
    "ttft": "then the time to the first token violates the SLO",
    "tpot": "then the time per token violates the SLO",
    "prefill": "then prompts come as fast as they can be prefilled",
    "memory": "as many as memory holds at once",
}
ARRIVALS = {
    "random": "requests come at random times; in flight are those that wait in no queue",
    "steady": "closed loop: a request starts when another ends",
    "burst": "all in flight start at once, then a request starts when another ends",
}
LOADS_FROM = {
    "stated": "as the scenario states it",
    "demand": "the demand at its peak, after its growth",
    "promise": "the most that meets the SLO: the scenario states no load",
}


@router.get("/serving/{key}/latency")
def latency(opened: OpenedDep, page: TemplatesDep, against: str = "concurrency") -> HTMLResponse:
    """`against` says what the load is counted in: requests in flight (concurrency), or requests_per_s."""
    view, refused = view_of(opened, latency_view)
    fault = (
        "" if against in AGAINST else f"A load is counted in {' or '.join(AGAINST)}, not in {against[:40]}."
    )
    unit = "concurrency" if fault else against
    return page.page(
        "serving/latency.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        refused=refused,
        fault=fault,
        view=view,
        against=unit,
        choices=AGAINST,
        lead=_lead(view) if view else "",
        figures=[_ttft(view, unit), _tpot(view, unit)] if view else (),
        parts=_parts(view) if view else None,
        rows=_rows(view) if view else (),
        comes=ARRIVALS[view.arrivals] if view else "",
        holds=counted(view.memory_holds) if view else "",
        files=files(opened, TAB),
        guesses=_guesses(view) if view else (),
        classes=_classes(view) if view else (),
        of_sessions=of_sessions(opened),
        stands=f"{100 * view.acceptance:.3g}" if view else "",
    )


@router.get("/serving/{key}/latency/file")
def latency_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The loads as a file."""
    return file_answer(opened, TAB, format, latency_view)


def _lead(view: LatencyView) -> str:
    said_first = (
        f"{counted(view.replicas)} {'replica' if view.replicas == 1 else 'replicas'} of {view.layout}, "
        f"{counted(view.accelerators_per_replica)} accelerators per replica."
    )
    promise = view.promised_ttft_s or view.promised_tpot_s
    if view.at_most is None:
        return f"{said_first} Not even one request meets the SLO."
    most = f"{counted(view.at_most.concurrency)} in flight, {_rate(view.at_most)}"
    if not promise:
        return f"{said_first} No SLO is set; the highest throughput is {most}."
    return f"{said_first} It meets the SLO up to {most}: {BREAKS[view.breaks]}."


def _rate(point: LoadPoint) -> str:
    return f"{number(rounded(point.requests_per_s))} requests/s"


def _named(view: LatencyView, against: str) -> list[NamedLoad]:
    marks = [("This load", view.here, "text"), ("Knee", view.knee, "c3")]
    if view.at_most is not None and (view.promised_ttft_s or view.promised_tpot_s):
        marks.append(("Max load within", view.at_most, "good"))
    return [
        NamedLoad(label=f"{label} {_load_said(point, against)}", at=_load(point, against), slot=slot)
        for label, point, slot in marks
    ]


def _load(point: LoadPoint, against: str) -> float:
    found: float = getattr(point, against)
    return found


def _load_said(point: LoadPoint, against: str) -> str:
    load = _load(point, against)
    return counted(load) if against == "concurrency" else number(rounded(load))


def _curve(view: LatencyView, against: str, name: str, title: str, log: bool, takeaway: str) -> Figure:
    promised: float | None = getattr(view, f"promised_{name}_s")
    return latency_curve_figure(
        LatencyCurve(
            name=f"serving_{name}",
            title=title,
            load_title=AGAINST[against],
            loads=[_load(point, against) for point in view.points],
            mean_s=[getattr(point, f"{name}_s") for point in view.points],
            within_s=[getattr(point, f"{name}_within_s") for point in view.points],
            share=view.percentile,
            promised_s=promised,
            named=_named(view, against),
            takeaway=takeaway,
            log=log,
            whole=against == "concurrency",
        )
    )


def _ttft(view: LatencyView, against: str) -> Figure:
    first, here = view.points[0], view.here
    return _curve(
        view, against, "ttft", "Time to the first token", True,
        f"{show(first.ttft_s, 's').text} alone, {show(here.ttft_s, 's').text} at this load; "
        f"{100 * view.percentile:.4g}{THIN_SPACE}% within {show(here.ttft_within_s, 's').text}.",
    )  # fmt: skip


def _tpot(view: LatencyView, against: str) -> Figure:
    first, here = view.points[0], view.here
    return _curve(
        view, against, "tpot", "Time per output token", False,
        f"{show(first.tpot_s, 's').text} alone, {show(here.tpot_s, 's').text} at this load: "
        f"{number(rounded(here.tokens_per_s_per_user))} tokens/s for each user.",
    )  # fmt: skip


def _parts(view: LatencyView) -> Figure:
    return token_time_figure(
        [BatchTime(batch=one.batch, tpot_s=one.tpot_s, parts_s=one.parts_s) for one in view.token_times]
    )


def _rows(view: LatencyView) -> list[tuple[str, str, list[Shown]]]:
    """Operating points: their names, notes and figures."""
    named = [
        ("One request", "nothing else in flight", view.points[0]),
        (
            "This load",
            LOADS_FROM[view.load_from],
            view.here,
        ),
        ("Knee", "throughput over response time is greatest", view.knee),
    ]
    if view.at_most is not None:
        named.append(("Max load within SLO", BREAKS[view.breaks], view.at_most))
    return [
        (
            title,
            words,
            [
                Shown(counted(point.concurrency)),
                show_computed(point.requests_per_s),
                show_computed(point.ttft_s, "s"),
                show_computed(point.ttft_within_s, "s"),
                show_computed(point.tpot_s, "s"),
                show_computed(point.tpot_within_s, "s"),
                show_computed(point.tokens_per_s_per_user),
                show_computed(point.output_tokens_per_s_per_accelerator),
                Shown(counted(point.batch)),
            ],
        )
        for title, words, point in named
    ]


def _classes(view: LatencyView) -> list[tuple[str, str, list[Shown]]]:
    """Classes of requests: what each is, and what its requests see at the load of the scenario."""
    return [
        (
            one.name,
            (f"{100 * one.share:.3g}{THIN_SPACE}% of the requests, {counted(one.input_tokens)} tokens in and "
            f"{counted(one.output_tokens)} out"),
            [
                *(
                    show_computed(time, "s")
                    for time in (
                        one.ttft_s, one.ttft_p95_s, one.tpot_s, one.tpot_p95_s, one.end_to_end_s, one.end_to_end_p95_s,
                    )
                ),
                Shown("") if one.within_promise is None else percent(one.within_promise),
            ],
        )
        for one in view.classes
    ]  # fmt: skip


def _guesses(view: LatencyView) -> list[tuple[str, str, list[Shown]]]:
    """What each number of guessed tokens gains at the load of the scenario."""
    best = min(view.guess_lengths, key=lambda one: one.tpot_s)
    return [
        (
            counted(one.tokens),
            ", ".join(
                words
                for words, holds in (("now", one.tokens == view.guessed_tokens), ("shortest", one is best))
                if holds
            ),
            [
                show_computed(one.standing),
                show_computed(one.step_s, "s"),
                show_computed(one.tpot_s, "s"),
                Shown(f"{one.gain:.2f}{THIN_SPACE}x"),
            ],
        )
        for one in view.guess_lengths
    ]
