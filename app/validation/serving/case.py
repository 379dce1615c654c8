"""One measured row as the deployment that the engine predicts, with what it takes for granted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog, Part
from app.engine.trace import Array
from app.validation.serving.engine_words import engine_of, precision_assumed, precision_of
from app.validation.serving.words import Cut, accelerator_key, aggregated_cut, model_key, pool_cut
from app.validation.study import Row, UnsupportedRowError

# One measured row as the deployment that the engine predicts, with what it takes for granted.

COLUMNS = ("mode", "model", "system", "engine", "precision", "isl", "osl", "ttft_ms", "tpot_ms")
AGGREGATED = ("agg", "aggregated", "ifb")
DISAGGREGATED = ("disagg", "disaggregated", "disaggregate")
MILLISECOND = 1e-3

SPECULATING = {("tensorrt_llm", "1.2.0rc6.post3"): "", ("tensorrt_llm", "1.1.0rc2.post2"): "2026"}
"""Versions whose runs of latent attention and a module of multi-token prediction had it, and since when.

Nothing in the files says so: one sequence in flight is answered 1.5 to 1.9 times as fast as with the same
layout in neighbouring versions, and as with the second version a month before.
"""

USUAL_DECODE_INSTANCES, USUAL_PREFILL_INSTANCES = 4, 1
"""Of a group whose counts are not given: the median of the rows that give them, where decode is cut over one
node; one where decode is wider."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One measurement, ready to be predicted.

    `prefill` is None where one instance does both; `concurrency` is of one instance, or of one group of
    prefill and decode instances.
    """

    row: Row
    model_key: str
    accelerator_key: str
    engine: str
    era: str
    engine_year: float
    precision: str  # as scenarios name it
    decode: Cut
    decode_instances: int
    prefill: Cut | None
    prefill_instances: int
    complete: bool  # layout, instances and load are stated whole
    input_tokens: int
    output_tokens: int
    concurrency: float
    speculation: bool
    ttft_s: float
    tpot_s: float
    assumed: tuple[str, ...]

    @property
    def aggregated(self) -> bool:
        return self.prefill is None

    @property
    def prefill_accelerators(self) -> int:
        """Of the instance, or of all prefill instances."""
        return (
            self.decode.accelerators
            if self.prefill is None
            else self.prefill.accelerators * self.prefill_instances
        )

    @property
    def measurement(self) -> tuple[object, ...]:
        """What the same measurement has in common wherever, and under whatever layout, it is filed."""
        row = self.row
        return (
            self.aggregated, self.model_key, self.accelerator_key, self.engine, self.precision,
            self.input_tokens, self.output_tokens, row.number("concurrency") or self.concurrency,
            self.ttft_s, self.tpot_s,
        )  # fmt: skip


def case_of(row: Row, catalog: Catalog) -> Case:
    """A row as a deployment.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    mode = row.text("mode").lower()
    if mode not in (*AGGREGATED, *DISAGGREGATED):
        raise UnsupportedRowError(f"the mode is {mode!r}, neither agg nor disagg")
    model = model_key(row.text("model"), catalog)
    accelerator, accelerator_assumed = accelerator_key(row.text("system"), catalog)
    precision = precision_of(row, model, catalog.part("accelerators", accelerator).vendor)
    engine = engine_of(row)
    part = catalog.part("models", model)
    experts = "experts" in part.facts
    aggregated = mode in AGGREGATED
    prefill: Cut | None = None
    prefill_instances, complete = 1, True
    if aggregated:
        decode, replicas = aggregated_cut(row, experts=experts)
        decode_instances = 1
        concurrency = _aggregated_concurrency(row, decode) / replicas
    else:
        prefill, decode = pool_cut(row, "p_", experts=experts), pool_cut(row, "d_", experts=experts)
        counts = row.count("p_workers"), row.count("d_workers")
        # what is in flight belongs to it: the batch of an instance is the most that it was set up for
        complete = None not in (*counts, row.count("concurrency"))
        wide = decode.accelerators > prefill.accelerators and decode.accelerators > 8
        prefill_instances = counts[0] or USUAL_PREFILL_INSTANCES
        decode_instances = counts[1] or (1 if wide else USUAL_DECODE_INSTANCES)
        concurrency = _disaggregated_concurrency(row, decode, decode_instances)
    assumed = (
        *engine.assumed,
        *precision_assumed(row, model),
        *decode.assumed,
        *(prefill.assumed if prefill else ()),
        *((accelerator_assumed,) if accelerator_assumed else ()),
        *_guessed(row, prefill_instances, decode_instances, aggregated=aggregated),
    )
    ttft_s, tpot_s = _time_s(row, "ttft_ms"), _time_s(row, "tpot_ms")
    if row.needed("osl") <= 1:
        tpot_s = float("nan")  # the first token is the whole answer
    if math.isnan(ttft_s) and math.isnan(tpot_s):
        raise UnsupportedRowError(
            "neither ttft_ms nor tpot_ms is given, the latter of more than one output token"
        )
    since = SPECULATING.get((engine.name, engine.version))
    speculation = (
        aggregated
        and since is not None
        and row.text("measured") >= since
        and part.attributes.get("attention", "").lower() == "mla"
        and "prediction_modules" in part.facts
        and part.facts["prediction_modules"].value >= 1
    )
    if speculation:
        assumed += ("multi-token prediction, as other runs of this version had",)
    return Case(
        row=row,
        model_key=model,
        accelerator_key=accelerator,
        engine=engine.name,
        era=engine.era,
        engine_year=engine.year,
        precision=precision,
        decode=decode,
        decode_instances=decode_instances,
        prefill=prefill,
        prefill_instances=prefill_instances,
        complete=complete,
        input_tokens=row.needed("isl"),
        output_tokens=row.needed("osl"),
        concurrency=concurrency,
        speculation=speculation,
        ttft_s=ttft_s,
        tpot_s=tpot_s,
        assumed=assumed,
    )


def _guessed(row: Row, prefill: int, decode: int, *, aggregated: bool) -> tuple[str, ...]:
    """What a row leaves open of its load and its instances."""
    said: tuple[str, ...] = ()
    if not row.text("concurrency"):
        said = ("as many requests in flight as all batches have places",)
    if not aggregated and not (row.text("p_workers") and row.text("d_workers")):
        said += (f"{prefill} prefill and {decode} decode instances",)
    return said


def _aggregated_concurrency(row: Row, cut: Cut) -> float:
    stated = row.number("concurrency")
    if stated and stated > 0:
        return stated
    batch = row.number("batch")
    if not batch or batch <= 0:
        raise UnsupportedRowError("neither concurrency nor batch is given")
    return batch * cut.data_parallel


def _disaggregated_concurrency(row: Row, decode: Cut, instances: int) -> float:
    stated = row.number("concurrency")
    if stated and stated > 0:
        return stated
    batch = row.number("d_batch")
    if not batch or batch <= 0:
        raise UnsupportedRowError("neither concurrency nor d_batch is given")
    return batch * decode.data_parallel * instances


def _time_s(row: Row, column: str) -> float:
    """A measured time; not a number where the row has none."""
    value = row.number(column)
    return value * MILLISECOND if value and value > 0 else float("nan")


# Measurements that a file holds more than once, and layouts that only one of the repeats states whole.


def completed(cases: Sequence[Case]) -> list[Case]:
    """Cases with the instances and layouts that the same measurement is filed with elsewhere."""
    whole: dict[tuple[object, ...], Case] = {}
    for case in cases:
        if case.complete and not case.aggregated:
            whole.setdefault(case.measurement, case)
    return [_with_layout_of(whole[case.measurement], case) if _lacks(case, whole) else case for case in cases]


def measurements(cases: Sequence[Case]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Which measurement each case is of, by number, and which case of it counts: the first whose layout is whole."""
    numbers: dict[tuple[object, ...], int] = {}
    member = np.array([numbers.setdefault(case.measurement, len(numbers)) for case in cases], dtype=np.intp)
    chosen: dict[int, int] = {}
    for position in sorted(range(len(cases)), key=lambda at: (not cases[at].complete, at)):
        chosen.setdefault(int(member[position]), position)
    counts = np.zeros(len(cases), dtype=bool)
    counts[list(chosen.values())] = True
    return member, counts


def _lacks(case: Case, whole: dict[tuple[object, ...], Case]) -> bool:
    return not case.complete and case.measurement in whole


def _with_layout_of(other: Case, case: Case) -> Case:
    said = f"layout of the same measurement in row {other.row.key}"
    return replace(
        case,
        decode=other.decode,
        decode_instances=other.decode_instances,
        prefill=other.prefill,
        prefill_instances=other.prefill_instances,
        complete=True,
        assumed=(*(text for text in case.assumed if "instances" not in text), said),
    )


# What all requests in flight ask of a deployment at once, roughly: only to tell cold starts from waits.

WEIGHT_BYTES = {"bf16": 2.0, "nvfp4": 0.6, "mxfp4": 0.6}
EIGHT_BIT = 1.0
USABLE = 0.9  # of the memory, as engines take it by default


class Burst(NamedTuple):
    """Not a number where the catalog does not say."""

    prompts_flop: float
    peak_flop_per_s: float
    cache_bytes: float
    cache_room_bytes: float


def measured_facts(case: Case, catalog: Catalog) -> Burst:
    """The prefill of all prompts in flight, and the cache of all their sequences, against what there is."""
    model = catalog.part("models", case.model_key)
    accelerator = catalog.part("accelerators", case.accelerator_key)
    ranks = case.decode.accelerators * case.decode_instances
    replicas = case.decode_instances
    active = _first(
        model, "published_active_parameters", "computed_active_parameters", "published_parameters"
    )
    parameters = _first(model, "published_parameters", "computed_parameters")
    # each tensor-parallel rank holds a latent cache whole, and a head of keys and values at least
    heads = 1.0 if model.attributes.get("attention", "").lower() == "mla" else _first(model, "kv_heads")
    copies = max(case.decode.tensor_parallel / heads, 1.0)
    tokens = case.concurrency * (case.input_tokens + case.output_tokens / 2)
    return Burst(
        prompts_flop=2.0 * active * case.input_tokens * case.concurrency,
        peak_flop_per_s=_first(accelerator, "bf16_flop_per_s", "fp16_flop_per_s") * case.prefill_accelerators,
        cache_bytes=tokens * copies * _first(model, "kv_cache_bytes"),
        cache_room_bytes=USABLE * _first(accelerator, "memory_bytes") * ranks
        - replicas * parameters * WEIGHT_BYTES.get(case.precision, EIGHT_BIT),
    )


def _first(part: Part, *names: str) -> float:
    """The first fact that there is; not a number without any."""
    return next((part.facts[name].value for name in names if name in part.facts), float("nan"))


# Runs whose first tokens waited for something that is no part of serving: compilation, loading, capture.
#
# Such a run has a time to first token of seconds although all requests in flight together could be prefilled,
# even at a poor share of the peak, in a fraction of that. It is left out of the score of TTFT, and nothing is
# ever predicted from it.

SHORTEST_S = 3.0
"""Starts that are slow for other reasons end sooner; compilation and loading take seconds."""
POOR_SHARE = 0.15
"""Of the 16-bit peak: less than any engine's prefill reaches."""
TIMES_OVER = 2.0


def is_cold_start(
    *,
    ttft_s: Array,
    tpot_s: Array,
    output_tokens: Array,
    prompts_flop: Array,
    peak_flop_per_s: Array,
    cache_bytes: Array,
    cache_room_bytes: Array,
) -> Array:
    """1 where all prompts in flight, prefilled one after another at a poor rate, explain less than half of the wait.

    A wait for a free place is no cold start: one of the length of whole answers, or where the memory cannot
    hold all sequences in flight (`cache_room_bytes` is what the weights leave free).
    """
    burst_s = prompts_flop / (POOR_SHARE * peak_flop_per_s)
    answer_s = tpot_s * output_tokens
    waited = (ttft_s > SHORTEST_S) & (ttft_s > TIMES_OVER * burst_s) & (ttft_s < answer_s)
    return (waited & (cache_bytes <= cache_room_bytes)).astype(float)
