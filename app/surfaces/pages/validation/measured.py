"""One measurement as a page: what its source says, what the engine says of it, and why."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.catalog.licences import LATENCIES_SOURCE
from app.catalog.lookup import Catalog
from app.catalog.validated import LATENCIES_FILE, ValidatedCollective, validated_runs
from app.charts import FIGURES, Figure
from app.charts.collective_sizes import Sized, collective_sizes_figure
from app.charts.figure import get_path
from app.charts.format import Shown, number, show, signed_percent
from app.charts.serving.first_token import first_token_figure
from app.paths import seed_data
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluated
from app.scenarios.load import build_scenario
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.designs import NEW
from app.surfaces.pages.explain_page import Step, step_of
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.validation.asked import Asked
from app.surfaces.pages.validation.overview import KeyFigure, Spread, spread_of
from app.surfaces.pages.validation.subjects import Latency, size_text
from app.validation.collectives.study import explained_time, printed_collectives
from app.validation.judged import Judged
from app.validation.serving.case import COLUMNS
from app.validation.serving.published import published_serving, scenario_of_latency, taken_for_granted
from app.validation.study import Row, UnsupportedRowError, read_rows
from app.validation.training.study import neighbours, printed_runs, scenario_of_run

SPEED = "tokens/s"
SPEED_PATH = "performance.tokens_per_s_per_accelerator"
NEIGHBOURS = 6


class FitLine(NamedTuple):
    name: str
    predicted: str
    error: str
    current: bool


class Given(NamedTuple):
    label: str
    text: str


@dataclass(frozen=True, kw_only=True)
class MeasuredPage:
    """Contents of the page of any measurement, in words."""

    faults: tuple[str, ...]
    id: str
    title: str
    meta: tuple[str, ...]
    held: bool
    back: str
    key_figures: tuple[KeyFigure, ...]
    interval: Spread
    interval_says: str
    fits: tuple[FitLine, ...]
    assumed: tuple[str, ...]
    source: Source


def judged_of(asked: Asked, key: str) -> Judged[Any]:
    """The measurement of an address.

    Raises
    ------
    KeyError : there is none
    """
    for one in asked.everything:
        if one.run.id == key:
            return one
    raise KeyError(key)


def _common(asked: Asked, one: Judged[Any]) -> dict[str, Any]:
    """What a page has whatever was measured."""
    subject, run = asked.subject, one.run
    low, middle, high = run.low, subject.middle(run), run.high
    interval = f"{subject.text(low)} to {subject.text(high)}"
    holds = "holds the measurement" if one.held else "misses the measurement"
    return {
        "faults": tuple(asked.query.faults.values()),
        "id": run.id,
        "title": subject.call(run, asked.words),
        "held": one.held,
        "back": asked.link(subject.rows),
        "key_figures": (
            KeyFigure("Measured", subject.shown(run.measured), subject.each),
            KeyFigure("Predicted", subject.shown(one.predicted), subject.each),
            KeyFigure("Error", Shown(signed_percent(one.error)), "predicted over measured, less one"),
            KeyFigure("80 % interval", Shown(interval, subject.page_symbol or subject.symbol), holds),
        ),
        "interval": spread_of(*(end / run.measured - 1 for end in (low, middle, high))),
        "interval_says": subject.interval_says.format(
            **{
                name: subject.text(value)
                for name, value in (
                    ("low", low),
                    ("middle", middle),
                    ("high", high),
                    ("measured", run.measured),
                )
            }
        ),
        "fits": tuple(
            FitLine(
                basis.name,
                subject.text(basis.predicted(run)),
                signed_percent(basis.predicted(run) / run.measured - 1),
                basis is asked.basis,
            )
            for basis in subject.bases.values()
        ),
    }


# A training run.


class NeighbourLine(NamedTuple):
    title: str
    link: str
    distance: str
    measured: str
    error: str


@dataclass(frozen=True, kw_only=True)
class RunPage(MeasuredPage):
    inputs: tuple[InputGroup, ...]
    note: str
    neighbours: tuple[NeighbourLine, ...]
    explained: Explained


def run_page(asked: Asked, key: str, catalog: Catalog) -> RunPage:
    """A published run, with the runs most like it.

    Raises
    ------
    KeyError : there is no such run
    """
    one = judged_of(asked, key)
    run, row = one.run, printed_runs()[key]
    common = _common(asked, one)
    names = [
        asked.words.group(name, getattr(run, name)) for name in ("architecture", "precision", "framework")
    ]
    place = row.text("url_or_repo_path")
    text = "; ".join(part for part in (row.text("source"), place) if part)
    return RunPage(
        **common,
        meta=tuple(word for word in (*names, run.software_date) if word),
        inputs=input_groups(row),
        assumed=tuple(assumed_text(line) for line in run.assumed),
        note=row.text("note"),
        source=Sources().cite(text=text, url=repository_address(place), licence="", ship="facts_only"),
        neighbours=tuple(
            NeighbourLine(
                title=asked.subject.call(near.run, asked.words),
                link=asked.link(f"{asked.subject.rows}/{near.run.id}"),
                distance=f"{near.distance:.2f}",
                measured=number(near.run.measured),
                error=signed_percent(asked.basis.predicted(near.run) / near.run.measured - 1),
            )
            for near in neighbours(run, validated_runs(), NEIGHBOURS)
        ),
        explained=explained(
            lambda: scenario_of_run(row, common["title"], catalog), SPEED_PATH, SPEED, catalog
        ),
    )


def repository_address(text: str) -> str:
    """The address of a source that is given as "owner/repository path @commit"; "" for any other.

    >>> repository_address("NVIDIA/NeMo docs/performance.md @8e3d65d")
    'https://github.com/NVIDIA/NeMo/blob/8e3d65d/docs/performance.md'
    """
    found = re.match(r"([\w-]+/[\w.-]+) (?:([^\s{}]+) @([\w.]+)$)?", text)
    if found is None:
        return ""
    repository, path, commit = found.groups()
    address = f"https://github.com/{repository}"
    return f"{address}/blob/{commit}/{path}" if commit else address


# A collective.

COLLECTIVE_INPUTS = (
    ("system", "System", ""), ("accelerator", "Accelerator", ""), ("num_accelerators", "Accelerators", ""),
    ("num_nodes", "Nodes", ""), ("domain", "Level", ""),
    ("nic_gbit_s_per_accelerator", "NIC of an accelerator", "Gbit/s"), ("collective", "Collective", ""),
    ("message_size_bytes", "Message", "B"), ("tokens_per_rank", "Tokens of a rank", ""),
    ("algorithm_or_library", "Library", ""), ("library_version", "Version", ""), ("time_us", "Time", "µs"),
    ("algbw_gb_s", "Algorithm bandwidth", "GB/s"), ("busbw_gb_s", "Bus bandwidth", "GB/s"),
    ("notes", "Notes", ""), ("confidence", "Read", ""),
)  # fmt: skip
"""Column, label and unit, in reading order."""


@dataclass(frozen=True, kw_only=True)
class CollectivePage(MeasuredPage):
    before: str  # address of a measurement up to its id, and what comes after it
    after: str
    sizes: Figure
    step: Step
    inputs: tuple[Given, ...]
    open: str  # what the source leaves out


def collective_page(asked: Asked, key: str, catalog: Catalog) -> CollectivePage:
    """A measured collective, with its curve and how its time was computed.

    Raises
    ------
    KeyError : there is no such measurement
    """
    one = judged_of(asked, key)
    run, row = one.run, printed_collectives()[key]
    return CollectivePage(
        **_common(asked, one),
        meta=tuple(word for word in (run.system, run.level, row.text("library_version")) if word),
        before=f"{asked.subject.rows}/",
        after=asked.link(""),
        sizes=_sizes(asked, run),
        step=step_of(explained_time(row, catalog)),
        inputs=input_cells(row, COLLECTIVE_INPUTS),
        open=", ".join(label.lower() for column, label, _ in COLLECTIVE_INPUTS if not row.text(column)),
        assumed=run.assumed,
        source=Sources().cite(text=row.text("source"), url="", licence="", ship="facts_only"),
    )


def _sizes(asked: Asked, run: ValidatedCollective) -> Figure:
    """The curve that the measurement is a point of."""
    alike = [one for one in asked.everything if _curve(one.run) == _curve(run)]
    alike.sort(key=lambda one: _size(one.run))
    points = [
        Sized(
            key=one.run.id,
            size=_size(one.run),
            text=size_text(one.run),
            measured_us=one.run.measured_us,
            predicted_us=one.predicted,
            current=one.run.id == run.id,
        )
        for one in alike
    ]
    size = "Message, bytes" if run.message_bytes is not None else "Tokens of a rank"
    caption = f"Same system, accelerators and library. Each is predicted {asked.basis.says}."
    return collective_sizes_figure(points, size=size, caption=caption)


@functools.cache
def _curve(run: ValidatedCollective) -> tuple[object, ...]:
    """Common properties of the points of a curve: all but the size; the notes say width and precision of
    tokens."""
    row = printed_collectives()[run.id]
    said = tuple(row.text(name) for name in ("library_version", "notes", "source"))
    return (run.system, run.collective, run.level, run.ranks, run.domains, run.library, *said)


def _size(run: ValidatedCollective) -> float:
    size = run.message_bytes if run.message_bytes is not None else run.tokens
    assert size is not None  # one of the two is always there
    return float(size)


# A latency of a served model.

LATENCY_INPUTS = (
    ("mode", "Mode", ""), ("model", "Model", ""), ("system", "System", ""), ("engine", "Engine", ""),
    ("engine_version", "Version", ""), ("precision", "Precision", ""), ("isl", "Tokens in", ""),
    ("osl", "Tokens out", ""), ("concurrency", "Requests in flight", ""), ("batch", "Batch", ""),
    ("tp", "Tensor parallelism", ""), ("pp", "Pipeline stages", ""), ("dp", "Data parallelism", ""),
    ("moe_tp", "Experts, tensor parallel", ""), ("moe_ep", "Experts, parallel", ""),
    ("p_workers", "Prefill instances", ""), ("p_tp", "Prefill, tensor parallel", ""),
    ("p_dp", "Prefill, data parallel", ""), ("p_ep", "Prefill, expert parallel", ""),
    ("d_workers", "Decode instances", ""), ("d_tp", "Decode, tensor parallel", ""),
    ("d_dp", "Decode, data parallel", ""), ("d_ep", "Decode, expert parallel", ""), ("d_batch", "Decode batch", ""),
    ("ttft_ms", "Time to first token", "ms"), ("tpot_ms", "Time per token", "ms"), ("measured", "Measured on", ""),
)  # fmt: skip
"""Column, label and unit, in reading order."""


class LoadLine(NamedTuple):
    """The same deployment with as many requests in flight."""

    load: str
    link: str
    measured: str
    predicted: str
    error: str
    current: bool


@dataclass(frozen=True, kw_only=True)
class LatencyPage(MeasuredPage):
    tab: str
    loads: tuple[LoadLine, ...]
    inputs: tuple[Given, ...]
    explained: Explained


@functools.cache
def printed_latencies() -> Mapping[str, Row]:
    """Every shipped measurement by its number; read once a process."""
    return {row.key: row for row in read_rows(seed_data() / LATENCIES_FILE, COLUMNS)}


def latency_page(asked: Asked, key: str, latency: Latency, catalog: Catalog) -> LatencyPage:
    """A measured latency, with the same deployment under other loads.

    Raises
    ------
    KeyError : there is no such measurement among those that the score counts
    """
    one = judged_of(asked, key)
    run, case = one.run, published_serving(catalog).cases[key]
    common, text = _common(asked, one), asked.subject.text
    alike = [other for other in asked.everything if other.run.deployment == run.deployment]
    return LatencyPage(
        **common,
        tab=asked.subject.title,
        meta=(
            asked.words.group("engine", run.engine),
            asked.words.group("precision", run.precision),
            f"{run.input_tokens:,} in, {run.output_tokens:,} out",
            run.layout,
        ),
        loads=tuple(
            LoadLine(
                load=number(other.run.concurrency),
                link=asked.link(f"{asked.subject.rows}/{other.run.id}"),
                measured=text(other.run.measured),
                predicted=text(other.predicted),
                error=signed_percent(other.error),
                current=other.run.id == key,
            )
            for other in sorted(alike, key=lambda other: other.run.concurrency)
        ),
        inputs=input_cells(printed_latencies()[key], LATENCY_INPUTS),
        assumed=(*run.assumed, *taken_for_granted(case, catalog)),
        source=Sources().cite(text=f"{LATENCIES_SOURCE}, Apache-2.0", url="", licence="", ship="facts_only"),
        explained=explained(
            lambda: scenario_of_latency(case, common["title"], catalog),
            f"performance.{latency.time}",
            "s",
            catalog,
        ),
    )


def input_cells(row: Row, inputs: tuple[tuple[str, str, str], ...]) -> tuple[Given, ...]:
    """The cells of a row as its source prints them, without the empty ones."""
    return tuple(
        Given(label, f"{row.text(column)} {unit}".strip())
        for column, label, unit in inputs
        if row.text(column)
    )


# The columns of a published run as people read them.

GROUPS = (
    ("Model", (
        ("model_name", "Name", ""), ("arch", "Architecture", ""), ("params_b", "Parameters", "billion"),
        ("active_params_b", "Active parameters", "billion"), ("layers", "Layers", ""),
        ("hidden", "Hidden size", ""), ("ffn_hidden", "Feed-forward size", ""), ("heads", "Heads", ""),
        ("kv_heads", "KV heads", ""), ("vocab", "Vocabulary", ""), ("experts", "Experts", ""),
        ("topk", "Experts per token", ""),
    )),
    ("Job", (
        ("hardware", "Hardware", ""), ("n_accelerators", "Accelerators", ""),
        ("gpus_per_node", "Accelerators per node", ""), ("scale_out", "Network", ""),
        ("seq_len", "Sequence length", "tokens"), ("global_batch_seqs", "Global batch", "sequences"),
        ("precision", "Precision", ""), ("framework", "Framework", ""), ("software_date", "Date", ""),
    )),
    ("Layout", (
        ("tp", "Tensor parallelism", ""), ("pp", "Pipeline stages", ""), ("vpp", "Virtual stages", ""),
        ("dp", "Data parallelism", ""), ("cp", "Context parallelism", ""), ("ep", "Expert parallelism", ""),
        ("micro_batch", "Micro-batch", ""), ("zero_stage", "ZeRO stage", ""),
        ("sequence_parallel", "Sequence parallel", ""), ("recompute", "Recompute", ""),
    )),
    ("Measured", (
        ("measured_tokens_per_s_per_gpu", "Speed", "tokens/s per accelerator"),
        ("measured_iteration_s", "Step", "s"), ("measured_tflops_per_gpu", "Arithmetic", "TFLOP/s"),
        ("measured_mfu_pct", "MFU", "%"), ("measured_peak_mem_gb", "Peak memory", "GB"),
        ("flop_convention", "FLOPs counted", ""), ("derived_fields", "Converted by us", ""),
    )),
)  # fmt: skip
"""Column, label and unit, in reading order."""

LABELS = {column: label for _, columns in GROUPS for column, label, _ in columns}
YES_OR_NO = {"True": "yes", "False": "no"}


class InputGroup(NamedTuple):
    """What a source says of one side of a run, and what it leaves open."""

    title: str
    given: tuple[Given, ...]
    open: str


def input_groups(row: Row) -> tuple[InputGroup, ...]:
    """The cells of a row as its source prints them."""
    return tuple(
        InputGroup(
            title,
            tuple(
                Given(label, _text(row, column, unit)) for column, label, unit in columns if row.text(column)
            ),
            ", ".join(
                label.lower() for column, label, _ in columns if title == "Layout" and not row.text(column)
            ),
        )
        for title, columns in GROUPS
    )


def assumed_text(line: str) -> str:
    """What was taken for a column, with the column as people write it.

    >>> assumed_text("sequence_parallel True"), assumed_text("layout: the best of the search")
    ('Sequence parallel: yes', 'Layout: the best of the search')
    """
    column, _, value = line.partition(" ")
    if column not in LABELS:
        return line[:1].upper() + line[1:]
    return f"{LABELS[column]}: {YES_OR_NO.get(value, value)}"


def _text(row: Row, column: str, unit: str) -> str:
    """A cell as it is printed; names of columns and conventions as words."""
    text = row.text(column)
    if column == "derived_fields":
        return ", ".join(LABELS.get(name, name.replace("_", " ")).lower() for name in text.split(";"))
    if column == "flop_convention":
        return text.replace("_", " ")
    if column == "measured_peak_mem_gb":
        unit = row.text("measured_peak_mem_unit") or unit
    return f"{text} {unit}".strip()


# A measurement as a scenario, evaluated by the engine as it is now: why its figure is what it is.

STEP = FIGURES["step_time"]
TIMES = {"performance.ttft_s": first_token_figure}
"""Of other times than a step's or a token's, what they are made of."""


class Explained(NamedTuple):
    """The evaluation of a measurement's scenario, or why there is none."""

    value: str
    figures: tuple[tuple[str, Figure], ...]  # width class and figure
    before: str  # and after the path of a figure: the address of its explanation
    after: str
    how: str  # the explanation of the value
    design: str
    refused: str


def explained(make: Callable[[], dict[str, Any]], path: str, unit: str, catalog: Catalog) -> Explained:
    """The figure at `path` of the scenario that `make` gives, how it comes about, and the scenario as a design."""
    try:
        document = build_scenario(make())
        found = evaluated(document, catalog)  # the built-in one, like the published errors
    except UnsupportedRowError as error:
        return _refused(f"{error}.")
    except ScenarioError as error:
        return _refused(error.errors[0].words)
    evaluation = found.as_json
    before, after = f"/designs/{NEW}/explain/", f"?s={encode_state(stated_values(document))}"
    return Explained(
        value=show(get_path(evaluation, path), unit).text,
        figures=(
            ("whole", TIMES.get(path, STEP)(evaluation)),
            ("half", FIGURES["memory"](evaluation)),
        ),
        before=before,
        after=after,
        how=f"{before}{path}{after}",
        design=f"/designs/{NEW}{after}",
        refused="",
    )


def _refused(why: str) -> Explained:
    return Explained("", (), "", "", "", "", f"The engine as it is now cannot evaluate this run: {why}")
