"""An evaluated design as a page."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import estimated_words, get_path
from app.charts.format import TIMES, Shown, number, show, show_at, signed_percent
from app.charts.key_figures import RENTED
from app.charts.mixed import kinds_text
from app.charts.shared_pod import WorkloadTable, sharing_words, workload_table
from app.charts.workload_kind import kind_of, kind_words
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.quantities import label_at
from app.engine.trace import Origin
from app.surfaces.pages.design_name import outdated, size_words
from app.surfaces.pages.designs import Evaluated, is_new
from app.surfaces.pages.intervals import ShownInterval, shown_interval
from app.surfaces.pages.labels import headline
from app.surfaces.pages.notes import Notes, missing_for, notes
from app.surfaces.pages.saved.rights import saved_key
from app.surfaces.pages.sections import Section, sections
from app.surfaces.pages.verdict import Verdict, verdict

HEADLINES = {
    "training": (
        "performance.elapsed_time_s",
        "performance.mfu",
        "cost.usd_per_run",
        "power.utility_peak_w",
        "cooling.pue",
        "reliability.ettr",
    ),
    "generic": (
        "performance.elapsed_time_s",
        "performance.fraction_of_peak",
        "cost.usd_per_run",
        "power.utility_peak_w",
        "cooling.pue",
        "reliability.ettr",
    ),
    "serving": (
        "performance.tpot_s",
        "performance.ttft_s",
        "performance.output_tokens_per_s_per_accelerator",
        "cost.usd_per_million_tokens",
        "power.utility_peak_w",
        "power.energy_j_per_token",
    ),
}
"""The key figures at the top of a page, by the kind of workload."""


class KeyFigure(NamedTuple):
    label: str
    path: str
    shown: Shown
    known: bool
    beside: str  # what is published, or what is missing
    interval: ShownInterval | None
    estimated: str = ""  # the accepted estimates that it rests on
    quote: str = ""  # the quote of the team that it rests on, by its date


class InputGroup(NamedTuple):
    title: str
    lines: tuple[str, ...]


def input_groups(evaluation: dict[str, Any]) -> tuple[InputGroup, ...]:
    """Workload, SuperNode, pod and site."""
    inputs = evaluation.get("inputs", {})
    workload = inputs.get("workload", {})
    groups = (
        InputGroup("Workload", _lines(*_workload_lines(workload))),
        InputGroup("SuperNode", _lines(
            get_path(inputs, "supernode.name"),
            _accelerators(inputs),
            _rate(get_path(inputs, "accelerator.memory_bandwidth_bytes_per_s"), "HBM"),
            _rate(get_path(evaluation, "fabric.scale_up_bandwidth_bytes_per_s"), "scale-up, one way"),
        )),
        InputGroup("Pod", _lines(
            _plain(get_path(inputs, "pod.supernodes"), "SuperNodes"),
            _plain(get_path(inputs, "pod.accelerators_used"), "accelerators used"),
            _topology(get_path(evaluation, "fabric.topology")),
        )),
        InputGroup("Site", _lines(get_path(inputs, "site.name"))),
    )  # fmt: skip
    return tuple(group for group in groups if group.lines)


def _workload_lines(workload: dict[str, Any]) -> tuple[str | None, ...]:
    precision = str(workload.get("precision") or "").upper()
    if workload.get("kind") == "generic":
        patterns = ", ".join(str(name).replace("_", " ") for name in dict.fromkeys(workload["patterns"]))
        return (
            workload.get("name"),
            f"{workload.get('scaling')} scaling",
            _plain(workload.get("steps"), "steps"),
            f"{_count(workload.get('flop_per_step'), 'FLOP')} a step",
            f"{_count(workload.get('memory_traffic_per_step_bytes'), 'B')} memory traffic a step",
            patterns or "no communication",
            precision,
        )
    if workload.get("kind") == "serving":
        return (
            workload.get("model"),
            f"{_count(workload.get('input_tokens'), 'tokens')} in, {_count(workload.get('output_tokens'), 'tokens')} out",
            None
            if workload.get("concurrency") is None
            else f"{number(workload['concurrency'])} requests in flight",
            None
            if workload.get("requests_per_s") is None
            else f"{number(workload['requests_per_s'])} requests per second asked for",
            workload.get("engine"),
            precision,
        )
    return (
        workload.get("model"),
        _count(workload.get("tokens"), "tokens"),
        _plain(workload.get("sequence_length"), "tokens a sequence"),
        _plain(workload.get("global_batch_sequences"), "sequences a step"),
        precision,
    )


def _lines(*lines: str | None) -> tuple[str, ...]:
    return tuple(line for line in lines if line)


def _count(value: float | None, unit: str) -> str | None:
    return None if value is None else show(value, unit).text


def _plain(value: float | None, words: str) -> str | None:
    if value == 1:
        words = words.removesuffix("s") if words == "SuperNodes" else words
    return None if value is None else f"{number(value)} {words}"


def _rate(value: float | None, words: str) -> str:
    return f"{show(value, 'B/s').text} {words}"


def _accelerators(inputs: dict[str, Any]) -> str | None:
    count, name = get_path(inputs, "supernode.accelerators"), get_path(inputs, "accelerator.name")
    return f"{number(count)} {TIMES} {name}" if count and name else None


def _topology(key: str | None) -> str | None:
    if key is None:
        return None
    return TOPOLOGIES[key].title if key in TOPOLOGIES else "No scale-out fabric"


class Comparison(NamedTuple):
    label: str
    path: str
    published: Shown
    ours: Shown
    difference: str
    known: bool
    source: str
    note: str


def comparisons(evaluation: dict[str, Any], published: list[dict[str, Any]]) -> tuple[Comparison, ...]:
    """Each published figure with ours and the difference."""
    return tuple(_comparison(evaluation, figure) for figure in published)


def _comparison(evaluation: dict[str, Any], figure: dict[str, Any]) -> Comparison:
    path = figure["path"]
    theirs, ours = figure["value"], get_path(evaluation, path)
    return Comparison(
        label=figure.get("label") or label_at(path),
        path=path,
        published=show_at(path, theirs),
        ours=show_at(path, ours),
        difference=signed_percent(ours / theirs - 1) if ours is not None and theirs else "n/a",
        known=ours is not None,
        source=figure.get("source", ""),
        note=figure.get("note", ""),
    )


class DesignPage(NamedTuple):
    key: str
    title: str
    outdated: str  # the size of the design where its title has another
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
    pipelined: bool = False  # whether one kind of SuperNode trains one model through several stages


def design_page(evaluated: Evaluated) -> DesignPage:
    """Everything the page of a design shows, in words."""
    evaluation = evaluated.as_json
    found = notes(evaluation["problems"])
    published = comparisons(evaluation, evaluated.published)
    workloads = workload_table(evaluation)
    return DesignPage(
        key=evaluated.key,
        title=evaluation["name"],
        outdated=outdated(evaluation),
        feasible=evaluation["feasible"],
        meta=_meta(evaluated),
        key_figures=tuple(
            _key_figure(evaluated, label, path, found, published)
            for label, path in key_figure_paths(evaluation)
        ),
        verdict=verdict(evaluation),
        notes=found,
        inputs=input_groups(evaluation),
        sections=tuple(_with_price(section, evaluated) for section in sections(evaluation)),
        published=published,
        provenance=evaluation.get("provenance", {}),
        decisions=tuple(evaluation.get("decisions", ())),
        workloads=workloads,
        sharing=sharing_words(workloads) if workloads else "",
        pipelined=workloads is None and _pipelined(evaluation),
    )


def _pipelined(evaluation: dict[str, Any]) -> bool:
    """Return whether a step runs through several stages, all on one kind of SuperNode."""
    stages = get_path(evaluation, "performance.strategy.pp")
    one_kind = not get_path(evaluation, "performance.step_time_by_kind_s")
    return kind_of(evaluation) == "training" and one_kind and stages is not None and stages > 1


def key_figure_paths(evaluation: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """The figures that people ask for first, by the kind of workload; of what is rent only, the cost of renting."""
    return tuple(headline(evaluation, path) for path in HEADLINES[kind_of(evaluation)])


def _meta(evaluated: Evaluated) -> tuple[str, ...]:
    count = get_path(evaluated.as_json, "inputs.pod.accelerators_used")
    words = [kind_words(evaluated.as_json)]
    if size := size_words(evaluated.as_json):
        words.append(size)
    if count is not None:
        words.append(f"{number(count)} accelerators")
    if kinds := kinds_text(evaluated.as_json):
        words.append(kinds)
    if not is_new(evaluated.key) and not saved_key(evaluated.key):
        words.append("Illustrative example" if evaluated.illustrative else "Published example")
    return tuple(words)


def _price_origin(evaluated: Evaluated) -> Origin | None:
    """Where the purchase price comes from that the cost rests on: of the SuperNode, else of its accelerators."""
    places = ("supernode.price_usd", "supernode.accelerator.price_usd")
    found = [evaluated.origins[place] for place in places if place in evaluated.origins]
    return next((origin for origin in found if origin.kind != "unknown"), found[0] if found else None)


def _with_price(section: Section, evaluated: Evaluated) -> Section:
    """The section of cost says which price it rests on, and what that covers; explanations have its whole
    note."""
    origin = _price_origin(evaluated) if section.id == "cost" else None
    if origin is None or origin.kind == "scenario":
        return section
    return section._replace(basis=f"{section.basis}. {origin.label.partition('; note: ')[0]}")


def _key_figure(
    evaluated: Evaluated, label: str, path: str, found: Notes, published: tuple[Comparison, ...]
) -> KeyFigure:
    evaluation = evaluated.as_json
    value = get_path(evaluation, path)
    theirs = next((figure for figure in published if figure.path == path), None)
    if value is None:
        beside = missing_for(path, found)
    else:
        beside = f"published {theirs.published.text}" if theirs else ""
    interval = shown_interval(evaluation, path)
    if path.endswith(RENTED) and value is not None:
        beside = f"rent only, {path.partition('_rented_')[2].replace('_', ' ')}"
    estimated = estimated_words(evaluation, path) if value is not None else ""
    price = _price_origin(evaluated) if value is not None and path.startswith("cost.") else None
    is_quote = price is not None and bool(price.own) and price.printed == "quote"
    quote = f"quote, {price.date or 'undated'}" if price is not None and is_quote else ""
    return KeyFigure(label, path, show_at(path, value), value is not None, beside, interval, estimated, quote)
