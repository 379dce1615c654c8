"""The measurements that constants were fitted to as pages show them: addresses, words, columns, groups and fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.validated import ValidatedCollective, ValidatedRun, validated_collectives, validated_runs
from app.charts import predicted_measured
from app.charts.format import THIN_SPACE, Shown, number, show, signed_percent
from app.surfaces.pages.catalog.kinds import KindView
from app.surfaces.pages.catalog.table import Cell, Row, Table, TableColumn
from app.surfaces.pages.catalog.values import Scale
from app.surfaces.pages.studio.fields import FRAMEWORKS, PRECISIONS
from app.surfaces.pages.studio.serving_fields import ENGINES
from app.validation.judged import (
    BASES,
    COLLECTIVE_BASES,
    COLLECTIVE_GROUPINGS,
    GROUPINGS,
    Basis,
    Grouping,
    Judged,
    Published,
)
from app.validation.serving.published import (
    SERVING_BASES,
    SERVING_GROUPINGS,
    ServedMeasurement,
    published_serving,
)


class Words:
    """Names of groups by grouping; those of parts are the catalog's, without what stands in brackets."""

    def __init__(self, catalog: Catalog, names: Mapping[str, str | Mapping[str, str]]) -> None:
        self._names = {grouping: _names(catalog, of) for grouping, of in names.items()}

    def group(self, grouping: str, name: str) -> str:
        """Name of a group of a grouping; bands, years and systems are their own names."""
        return self._names.get(grouping, {}).get(name, name)


def _names(catalog: Catalog, of: str | Mapping[str, str]) -> Mapping[str, str]:
    if not isinstance(of, str):
        return of
    return {part.key: part.name.partition(" (")[0] for part in catalog.parts(of)}


class Column(NamedTuple):
    """A column of the table of a kind; `unit` None is one of words."""

    name: str
    label: str
    cell: Callable[[Any, Words], Cell]  # of a measurement
    scale: Scale | None = None  # of the unit that it is filtered in; None where it is not
    unit: str = ""
    numeric: bool = False


class Subject(NamedTuple):
    """A kind of measurement. `shared` says what measurements of a group have in common, by grouping."""

    kind: str  # of the tabs
    overview: str  # address
    rows: str  # address of the table; that of one measurement stands below it
    title: str  # of the table
    noun: str
    families: str  # what counts as one source
    measured: str  # of the lead: "The training speed of {} published runs"
    unit: str  # in words
    symbol: str  # of the unit, in a table
    groupings: Mapping[str, Grouping[Any]]
    bases: Mapping[str, Basis[Any]]  # the first is the one without being asked
    shared: Mapping[str, str]
    names: Mapping[str, str | Mapping[str, str]]  # of groups, or the kind of part that has them
    chart: predicted_measured.Subject
    published: Callable[[Catalog], Sequence[Published]]
    row: str  # header of the first column of the table
    columns: tuple[Column, ...]  # before measured, predicted, error, and whether the interval holds it
    named_row: Callable[[Any, Words], tuple[str, str]]  # name of a row, and what stands below it
    searched: Callable[[Any, Words], Sequence[str]]  # what the search looks through
    call: Callable[[Any, Words], str]  # a measurement in a few words
    series: Callable[[Any, Words], str]  # of the chart
    middle: Callable[[Any], float]  # of the interval
    interval_says: str  # of one measurement
    cell_text: Callable[[float], str]  # a value of a table
    text: Callable[[float], str]  # a value of a page
    shown: Callable[[float], Shown]
    each: str = ""  # what a value of a page is of
    page_symbol: str = ""  # of the unit, where it is not that of the table
    worth_naming: Callable[[Sequence[Judged[Any]]], set[str]] = lambda found: set()  # in the chart

    @property
    def usual_basis(self) -> Basis[Any]:
        return next(iter(self.bases.values()))


def table_of(subject: Subject, judged: Sequence[Judged[Any]], words: Words) -> Table:
    """Every measurement with what it is searched, sorted and filtered by, as a table like those of the catalog."""
    of_values = Scale(1.0, subject.symbol)
    columns = (
        *(TableColumn(one.name, one.label, one.unit, one.numeric, one.scale) for one in subject.columns),
        TableColumn("measured", "Measured", subject.symbol, True, of_values),
        TableColumn("predicted", "Predicted", subject.symbol, True, of_values),
        TableColumn("error", "Error", "", True, Scale(0.01, "%")),
        TableColumn("held", "In interval", "", False, None),
    )
    view = KindView(
        kind=subject.kind,
        tab=subject.title,
        noun=subject.noun,
        what=f"{subject.title}, each beside what the engine says of it.",
        columns=tuple(column.name for column in columns),
        facets=tuple(subject.groupings),
        row=subject.row,
    )
    return Table(view, columns, tuple(_row(subject, one, words) for one in judged))


def _row(subject: Subject, one: Judged[Any], words: Words) -> Row:
    run = one.run
    facets = {name: grouping.group(run) for name, grouping in subject.groupings.items()}
    name, beside = subject.named_row(run, words)
    return Row(
        key=run.id,
        name=name,
        beside=beside,
        words="\n".join([run.id, *subject.searched(run, words)]).lower(),
        cells={
            **{column.name: column.cell(run, words) for column in subject.columns},
            "measured": Cell(subject.cell_text(run.measured), run.measured, run.measured),
            "predicted": Cell(subject.cell_text(one.predicted), one.predicted, one.predicted),
            "error": Cell(signed_percent(one.error), one.error, one.error),
            "held": _word("yes" if one.held else "no"),
        },
        facets=facets,
        year=None,
        marks={},
        recalled=0,
        date="",
        price_date=None,
    )


def _word(text: str) -> Cell:
    return Cell(text, text.lower() or None)


def _words_column(name: str, label: str, of: Callable[[Any, Words], str], **more: Any) -> Column:
    return Column(name, label, lambda run, words: _word(of(run, words)), **more)


def _number_column(
    name: str, label: str, of: Callable[[Any], float], text: Callable[[float], str] = number, unit: str = ""
) -> Column:
    return Column(
        name, label, lambda run, words: Cell(text(of(run)), of(run), of(run)), Scale(1.0, unit), unit, True
    )


def _groups(subject_groupings: Mapping[str, Grouping[Any]], run: Any, words: Words) -> list[str]:
    return [words.group(name, grouping.group(run)) for name, grouping in subject_groupings.items()]


def three_digits(value: float) -> str:
    """A time of a table, three digits of it.

    >>> three_digits(7.654), three_digits(12345.6)
    ('7.65', '12,300')
    """
    return number(float(f"{value:.3g}"))


def _rounded(value: float) -> str:
    return three_digits(value) if value < 1e4 else number(round(value))


# Training runs.

LARGE_JOB = 1000
"""Accelerators from which a run is worth naming."""
GENERATIONS = {
    "volta": "Volta",
    "ampere": "Ampere",
    "hopper": "Hopper",
    "blackwell": "Blackwell",
    "tpu": "TPU",
    "cdna": "CDNA",
}


def _generation(run: ValidatedRun, words: Words) -> str:
    return GENERATIONS.get(run.generation, run.generation)


def _largest_jobs(found: Sequence[Judged[ValidatedRun]]) -> set[str]:
    """The largest job of each generation, where it is large."""
    largest: dict[str, ValidatedRun] = {}
    for run in sorted((one.run for one in found), key=lambda run: run.accelerators):
        if run.accelerators >= LARGE_JOB:
            largest[run.generation] = run
    return {run.id for run in largest.values()}


TRAINING = Subject(
    kind="training",
    overview="/validation",
    rows="/validation/training",
    title="Training runs",
    noun="runs",
    families="sources",
    measured="The training speed of {} published runs",
    unit="tokens per second per accelerator",
    symbol="tokens/s each",
    groupings=GROUPINGS,
    bases=BASES,
    shared={
        "accelerator": "ran on {}",
        "architecture": "trained a {} model",
        "precision": "computed in {}",
        "framework": "used {}",
        "size": "trained {} parameters",
        "scale": "ran on {} accelerators",
        "year": "used software of {}",
    },
    names={
        "accelerator": "accelerators",
        "architecture": {"dense": "Dense", "moe": "Mixture of experts"},
        "precision": PRECISIONS,
        "framework": FRAMEWORKS,
    },
    chart=predicted_measured.TRAINING,
    published=lambda catalog: validated_runs(),
    row="Run",
    columns=(
        _words_column(
            "accelerator_name",
            "Accelerator",
            lambda run, words: words.group("accelerator", run.accelerator_key),
        ),
        _number_column("accelerators", "Number", lambda run: run.accelerators),
        _number_column("parameters", "Parameters", lambda run: run.parameters, _rounded, "billion"),
        _words_column(
            "precision_name", "Precision", lambda run, words: words.group("precision", run.precision)
        ),
        _words_column(
            "framework_name", "Framework", lambda run, words: words.group("framework", run.framework)
        ),
        _words_column("software_date", "Date", lambda run, words: run.software_date, numeric=True),
    ),
    named_row=lambda run, words: (run.model, run.id),
    searched=lambda run, words: (
        run.model,
        run.source,
        run.accelerator_key,
        _generation(run, words),
        *_groups(GROUPINGS, run, words),
    ),
    call=lambda run, words: (
        f"{run.model}, {number(run.accelerators)} {words.group('accelerator', run.accelerator_key)}"
    ),
    series=_generation,
    middle=lambda run: run.left_out_tokens_per_s,
    interval_says=(
        "Predicted without its source and its accelerator: {middle} tokens/s, 80 % of comparable runs from {low} to "
        "{high}; measured: {measured}."
    ),
    cell_text=_rounded,
    text=number,
    shown=lambda value: show(value, "tokens/s"),
    each="per accelerator",
    page_symbol="tokens/s",
    worth_naming=_largest_jobs,
)


# Measured collectives.

MICROSECONDS = "µs"
STEP = 1024
BYTES = ("B", "KiB", "MiB", "GiB", "TiB")


def size_text(one: ValidatedCollective) -> str:
    """The size of a message, or the tokens that a rank sends to experts."""
    if one.message_bytes is None:
        return f"{one.tokens:,} tokens"
    return bytes_text(one.message_bytes)


def bytes_text(size: float) -> str:
    """Bytes as collective benchmarks count them, in powers of 1,024.

    >>> bytes_text(4 * 1024**2).replace(THIN_SPACE, " ")
    '4 MiB'
    """
    place = 0
    while size >= STEP and place < len(BYTES) - 1:
        size, place = size / STEP, place + 1
    return f"{float(f'{size:.3g}'):g}{THIN_SPACE}{BYTES[place]}"


def _size(run: ValidatedCollective, words: Words) -> Cell:
    """Bytes are ranked with bytes, tokens with tokens."""
    if run.message_bytes is not None:
        return Cell(size_text(run), ("bytes", run.message_bytes), run.message_bytes)
    assert run.tokens is not None  # one of the two is always there
    return Cell(size_text(run), ("tokens", float(run.tokens)))


def _collective(run: ValidatedCollective, words: Words) -> str:
    return words.group("collective", run.collective)


def _of_collective(run: ValidatedCollective, words: Words) -> str:
    return words.group("accelerator", run.accelerator_key)


COLLECTIVES = Subject(
    kind="collectives",
    overview="/validation/collectives",
    rows="/validation/collectives/table",
    title="Collectives",
    noun="measurements",
    families="systems",
    measured="The time of {} measured collectives",
    unit="microseconds",
    symbol=MICROSECONDS,
    groupings=COLLECTIVE_GROUPINGS,
    bases=COLLECTIVE_BASES,
    shared={
        "system": "ran on {}",
        "collective": "are {}",
        "message": "moved {}",
        "level": "ran over {}",
    },
    names={
        "accelerator": "accelerators",
        "collective": {
            "all_reduce": "All-reduce",
            "all_gather": "All-gather",
            "reduce_scatter": "Reduce-scatter",
            "all_to_all": "All-to-all",
            "broadcast": "Broadcast",
            "send_receive": "Send and receive",
            "moe_dispatch": "Expert dispatch",
            "moe_combine": "Expert combine",
        },
    },
    chart=predicted_measured.COLLECTIVES,
    published=lambda catalog: validated_collectives(),
    row="Collective",
    columns=(
        _words_column("system", "System", lambda run, words: run.system),
        _number_column("ranks", "Accelerators", lambda run: run.ranks),
        Column("size", "Size", _size, Scale(1e6, "MB"), "", True),
        _words_column("level_name", "Level", lambda run, words: run.level),
    ),
    named_row=lambda run, words: (_collective(run, words), _of_collective(run, words)),
    searched=lambda run, words: (
        run.accelerator_key,
        _of_collective(run, words),
        run.library,
        run.generation,
        _collective(run, words),
        *(grouping.group(run) for grouping in COLLECTIVE_GROUPINGS.values()),
    ),
    call=lambda run, words: (
        f"{_collective(run, words)}, {number(run.ranks)} {_of_collective(run, words)}, {size_text(run)}"
    ),
    series=_collective,
    middle=lambda run: run.predicted_us,
    interval_says=(
        "With the constants of every design: {middle} µs; by the errors of other systems left out, 80 % from "
        "{low} to {high}; measured: {measured}."
    ),
    cell_text=three_digits,
    text=three_digits,
    shown=lambda value: Shown(three_digits(value), MICROSECONDS),
)


# Measured latencies of served models.

SERVING = "/validation/serving"
MILLISECONDS = "ms"
SERVING_NAMES: Mapping[str, str | Mapping[str, str]] = {
    "model": "models",
    "system": "accelerators",
    "engine": ENGINES,
    "precision": PRECISIONS,
}


class Latency(NamedTuple):
    """A scored latency: how it is called, and by which share of its errors it is judged."""

    score: str  # name in the report
    address: str
    tab: str
    title: str
    measured: str  # of the lead
    near: str  # "within_33_pct" or "within_2x"
    near_name: str
    time: str  # of the performance of a scenario
    chart: predicted_measured.Subject


A_THIRD, DOUBLE = ("within_33_pct", "Within 33 %"), ("within_2x", "Within a factor 2")
LATENCIES: Mapping[str, Latency] = {
    one.score: one
    for one in (
        Latency(
            "tpot",
            f"{SERVING}/tpot",
            "Time per token",
            "Times per token, aggregated",
            "The time per output token (TPOT) of {} distinct measurements of instances that prefill and decode",
            *A_THIRD,
            "tpot_s",
            predicted_measured.TPOT,
        ),
        Latency(
            "tpot_disaggregated",
            f"{SERVING}/tpot-disaggregated",
            "Time per token, disaggregated",
            "Times per token, disaggregated",
            "The time per output token (TPOT) of {} distinct measurements of separate prefill and decode instances, "
            "whose layout and load are published whole",
            *A_THIRD,
            "tpot_s",
            predicted_measured.TPOT,
        ),
        Latency(
            "ttft",
            f"{SERVING}/ttft",
            "Time to first token",
            "Times to the first token, aggregated",
            "The time to the first token (TTFT) of {} distinct measurements of instances that prefill and decode, with "
            "at most 128 requests in flight and no cold start",
            *DOUBLE,
            "ttft_s",
            predicted_measured.TTFT,
        ),
    )
}


def _grouped(name: str) -> Callable[[ServedMeasurement, Words], str]:
    return lambda run, words: words.group(name, SERVING_GROUPINGS[name].group(run))


def _whole(value: float) -> str:
    return f"{value:,}"


def serving_subject(latency: Latency) -> Subject:
    """A latency as its pages show it."""
    return Subject(
        kind="serving",
        overview=latency.address,
        rows=f"{latency.address}/table",
        title=latency.title,
        noun="measurements",
        families="models",
        measured=latency.measured,
        unit="milliseconds",
        symbol=MILLISECONDS,
        groupings=SERVING_GROUPINGS,
        bases=SERVING_BASES,
        shared={
            "model": "served {}",
            "system": "ran on {}",
            "engine": "used {}",
            "precision": "computed in {}",
            "load": "had {}",
            "lengths": "had {} tokens",
        },
        names=SERVING_NAMES,
        chart=latency.chart,
        published=lambda catalog: published_serving(catalog).measurements[latency.score],
        row="Model",
        columns=(
            _words_column("system_name", "System", _grouped("system")),
            _number_column("accelerators", "Accelerators", lambda run: run.accelerators, _whole),
            _words_column("engine_name", "Engine", _grouped("engine")),
            _words_column("precision_name", "Precision", _grouped("precision")),
            _number_column("input_tokens", "Tokens in", lambda run: run.input_tokens, _whole),
            _number_column("output_tokens", "Tokens out", lambda run: run.output_tokens, _whole),
            _number_column("concurrency", "In flight", lambda run: run.concurrency),
        ),
        named_row=lambda run, words: (words.group("model", run.model_key), run.layout),
        searched=lambda run, words: (
            run.model_key,
            run.accelerator_key,
            run.layout,
            run.era,
            *(grouping.group(run) for grouping in SERVING_GROUPINGS.values()),
            *_groups(SERVING_GROUPINGS, run, words),
        ),
        call=lambda run, words: (
            f"{words.group('model', run.model_key)}, {run.accelerators} {words.group('system', run.accelerator_key)}, "
            f"{number(run.concurrency)} in flight"
        ),
        series=_grouped("system"),
        middle=lambda run: run.model_left_out_ms,
        interval_says=(
            "Predicted without its model: {middle} ms; by the errors of other models left out, 80 % from {low} to "
            "{high}; measured: {measured}."
        ),
        cell_text=three_digits,
        text=three_digits,
        shown=lambda value: Shown(three_digits(value), MILLISECONDS),
    )
