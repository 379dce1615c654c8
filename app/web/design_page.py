"""An evaluated design as a page."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.figures.figure import at, estimated_words
from app.figures.format import Shown, number
from app.figures.mixed import kinds_text
from app.figures.shared_pod import WorkloadTable, sharing_words, workload_table
from app.figures.workload_kind import kind_of, kind_words
from app.web.designs import NEW, Evaluated
from app.web.inputs_summary import InputGroup, input_groups
from app.web.intervals import ShownInterval, shown_interval
from app.web.labels import RENTED, rented_instead, shown
from app.web.notes import Notes, missing_for, notes
from app.web.published import Comparison, comparisons
from app.web.saved.keys import saved_key
from app.web.sections import Section, sections
from app.web.verdict import Verdict, verdict

KEY_FIGURES = (
    ("Elapsed time", "performance.elapsed_time_s"),
    ("MFU", "performance.mfu"),
    ("Cost per run", "cost.usd_per_run"),
    ("Utility peak", "power.utility_peak_w"),
    ("PUE", "cooling.pue"),
    ("ETTR", "reliability.ettr"),
)


GENERIC_FIGURES = tuple(
    ("Share of the peak", "performance.fraction_of_peak") if path == "performance.mfu" else (label, path)
    for label, path in KEY_FIGURES
)
"""Of a generic job, which has no model FLOPs."""
SERVING_FIGURES = (
    ("Time per output token", "performance.tpot_s"),
    ("Time to first token", "performance.ttft_s"),
    ("Per accelerator", "performance.output_tokens_per_s_per_accelerator"),
    ("A million tokens", "cost.usd_per_million_tokens"),
    ("Utility peak", "power.utility_peak_w"),
    ("Energy per token", "power.energy_j_per_token"),
)
"""Of a served model, which has no run."""
FIGURES_OF = {"training": KEY_FIGURES, "generic": GENERIC_FIGURES, "serving": SERVING_FIGURES}


class KeyFigure(NamedTuple):
    label: str
    path: str
    shown: Shown
    known: bool
    beside: str  # what is published, or what is missing
    interval: ShownInterval | None
    estimated: str = ""  # the accepted estimates that it rests on


class DesignPage(NamedTuple):
    key: str
    title: str
    feasible: bool
    meta: tuple[str, ...]
    key_figures: tuple[KeyFigure, ...]
    verdict: Verdict
    notes: Notes
    inputs: tuple[InputGroup, ...]
    sections: tuple[Section, ...]
    published: tuple[Comparison, ...]
    provenance: dict[str, Any]
    decisions: tuple[dict[str, Any], ...] = ()  # what auto chose, in the order in which it is told
    workloads: WorkloadTable | None = None  # None: one workload has the pod to itself
    sharing: str = ""


def design_page(evaluated: Evaluated) -> DesignPage:
    """Everything the page of a design shows, in words."""
    evaluation = evaluated.as_json
    found = notes(evaluation["problems"])
    published = comparisons(evaluation, evaluated.published)
    workloads = workload_table(evaluation)
    return DesignPage(
        key=evaluated.key,
        title=evaluation["name"],
        feasible=evaluation["feasible"],
        meta=_meta(evaluated),
        key_figures=tuple(
            _key_figure(evaluation, label, path, found, published)
            for label, path in key_figure_paths(evaluation)
        ),
        verdict=verdict(evaluation),
        notes=found,
        inputs=input_groups(evaluation),
        sections=sections(evaluation),
        published=published,
        provenance=evaluation.get("provenance", {}),
        decisions=tuple(evaluation.get("decisions", ())),
        workloads=workloads,
        sharing=sharing_words(workloads) if workloads else "",
    )


def key_figure_paths(evaluation: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """The figures that people ask for first, by the kind of workload; of what is rent only, the cost of renting."""
    return tuple(
        rented_instead(evaluation, label, path) if path.startswith("cost.") else (label, path)
        for label, path in FIGURES_OF[kind_of(evaluation)]
    )


def _meta(evaluated: Evaluated) -> tuple[str, ...]:
    count = at(evaluated.as_json, "inputs.pod.accelerators_used")
    words = [kind_words(evaluated.as_json)]
    if count is not None:
        words.append(f"{number(count)} accelerators")
    if kinds := kinds_text(evaluated.as_json):
        words.append(kinds)
    if evaluated.key != NEW and not saved_key(evaluated.key):
        words.append("Illustrative example" if evaluated.illustrative else "Published example")
    return tuple(words)


def _key_figure(
    evaluation: dict[str, Any], label: str, path: str, found: Notes, published: tuple[Comparison, ...]
) -> KeyFigure:
    value = at(evaluation, path)
    theirs = next((figure for figure in published if figure.path == path), None)
    if value is None:
        beside = missing_for(path, found)
    else:
        beside = f"published {theirs.published.text}" if theirs else ""
    interval = shown_interval(evaluation, path)
    if path.endswith(RENTED) and value is not None:
        beside = f"rent only, {path.partition('_rented_')[2].replace('_', ' ')}"
    estimated = estimated_words(evaluation, path) if value is not None else ""
    return KeyFigure(label, path, shown(path, value), value is not None, beside, interval, estimated)
