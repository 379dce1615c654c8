"""One measured row as the deployment that the engine predicts, with what it takes for granted."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.catalog.lookup import Catalog
from app.validation.rows import Row, UnsupportedRowError
from app.validation.serving.engine_words import engine_of, precision_assumed, precision_of
from app.validation.serving.layout_names import Cut, aggregated_cut, pool_cut
from app.validation.serving.part_names import accelerator_key, model_key

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
