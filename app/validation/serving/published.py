"""The shipped latencies of served models beside ours: what counts in which score, by which fit, in which groups."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.validated import LATENCIES_FILE
from app.paths import seed_data
from app.scenarios.resolve.hardware_words import context_of
from app.validation.judged import Basis, Grouping, band
from app.validation.serving import protocol
from app.validation.serving.case import COLUMNS, Case
from app.validation.serving.cases import MODEL, PAIR, SYSTEM, Cases, Without
from app.validation.serving.deployment import left_out_constants
from app.validation.serving.engine_words import day_of
from app.validation.serving.fit import FITTED
from app.validation.serving.report import Quantity, ServingReport
from app.validation.serving.study import MAIN, NOTES, latency_report, study_of
from app.validation.serving.words import Cut
from app.validation.study import Prediction, UnsupportedRowError, read_rows
from app.validation.training.job import usual_system

# One measured latency of a served model, beside what the engine says of it by every fit.


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedMeasurement:
    """Times in milliseconds.

    `predicted_ms` is with the shipped constants, `model_left_out_ms`, `system_left_out_ms` and `pair_left_out_ms` with
    constants fitted without the measurements of its family of models, of its accelerator, or of its family on its engine. `low_ms` and `high_ms` are the 80 %
    interval of the prediction without its family. `concurrency` and `accelerators` are of one instance, or of one group
    of prefill and decode instances. `assumed` is what stands for what its source leaves open.
    """

    id: str
    model_key: str
    accelerator_key: str
    engine: str
    era: str
    precision: str
    accelerators: int
    input_tokens: int
    output_tokens: int
    concurrency: float
    layout: str
    measured_ms: float
    predicted_ms: float
    model_left_out_ms: float
    system_left_out_ms: float
    pair_left_out_ms: float
    low_ms: float
    high_ms: float
    assumed: tuple[str, ...]

    @property
    def family(self) -> str:
        """What counts as one source: all measurements of a family of models."""
        return self.model_key

    @property
    def measured(self) -> float:
        return self.measured_ms

    @property
    def low(self) -> float:
        return self.low_ms

    @property
    def high(self) -> float:
        return self.high_ms

    @property
    def deployment(self) -> tuple[object, ...]:
        """What the same deployment has in common under every load."""
        return (
            self.model_key, self.accelerator_key, self.engine, self.era, self.precision, self.accelerators,
            self.layout, self.input_tokens, self.output_tokens,
        )  # fmt: skip


# The shipped latencies of served models beside ours: what counts in which score, and what is left out.

MILLISECONDS = 1e3
SCORES = MAIN
"""The quantities that are scored: aggregated and disaggregated time per token, time to the first token."""
BESIDE = tuple(NOTES)
"""Scores that are shown with them and are not targets."""

NUMBER = re.compile(r"\b\d+(\.\d+)?\b")


class Reason(NamedTuple):
    """Rows of the file that are left out for one reason, by their numbers."""

    reason: str
    rows: tuple[str, ...]


class PublishedServing(NamedTuple):
    """`refitted` names the families of models and the accelerators that constants were fitted without."""

    cases: Mapping[str, Case]  # the deployments of all rows that can be predicted, by their number
    measurements: Mapping[str, tuple[ServedMeasurement, ...]]  # by score
    report: ServingReport
    repeats: int
    cold_starts: tuple[str, ...]
    unsupported: tuple[Reason, ...]
    unscored: tuple[Reason, ...]
    refitted: Mapping[str, frozenset[str]]


def published_serving(catalog: Catalog) -> PublishedServing:
    """Every shipped latency; computed once a catalog revision, in about a second."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedServing:
    path = seed_data() / LATENCIES_FILE
    study = study_of(path, catalog)
    cases = study.cases
    report = latency_report(study, catalog)
    places = {key: place for place, key in enumerate(cases.id)}
    labels = {MODEL: frozenset(cases.family), SYSTEM: frozenset(cases.accelerator_key)}
    fitted_without = left_out_constants()
    return PublishedServing(
        cases={case.row.key: case for case in cases.cases},
        measurements={
            score: _measurements(report.quantities[score], cases, places) for score in report.quantities
        },
        report=report,
        repeats=int((~cases.counts).sum()),
        cold_starts=tuple(cases.id[at] for at in np.flatnonzero(cases.cold_start & cases.counts).tolist()),
        unsupported=_by_reason((one.id, one.reason) for one in report.unsupported),
        unscored=_by_reason(
            (row.key, row.text("unscored_reason")) for row in read_rows(path, COLUMNS) if not row.scored
        ),
        refitted={
            name: frozenset(
                member for member in members if Without(name, {name: member}).label in fitted_without
            )
            for name, members in labels.items()
        },
    )


def _by_reason(rows: Iterable[tuple[str, str]]) -> tuple[Reason, ...]:
    """Rows by reason, the most frequent first; reasons that differ in a number alone are one."""
    found: dict[str, list[str]] = {}
    said: dict[str, set[str]] = {}
    for key, reason in rows:
        alike = NUMBER.sub("N", reason)
        found.setdefault(alike, []).append(key)
        said.setdefault(alike, set()).add(reason)
    return tuple(
        Reason(said[alike].pop() if len(said[alike]) == 1 else alike, tuple(found[alike]))
        for alike in sorted(found, key=lambda one: -len(found[one]))
    )


def _measurements(
    quantity: Quantity, cases: Cases, places: Mapping[str, int]
) -> tuple[ServedMeasurement, ...]:
    """A family or system that was never in the fit, or all where nothing was fitted again, has the shipped constants."""
    without = [quantity.left_out.get(group, quantity.predictions) for group in (MODEL, SYSTEM, PAIR)]
    return tuple(
        _measurement(one, of_model, of_system, of_pair, cases, places[one.key])
        for one, of_model, of_system, of_pair in zip(quantity.predictions, *without, strict=True)
    )


def _measurement(
    one: Prediction, of_model: Prediction, of_system: Prediction, of_pair: Prediction, cases: Cases, at: int
) -> ServedMeasurement:
    assert of_model.low is not None  # other families were measured
    assert of_model.high is not None
    case = cases.cases[at]
    return ServedMeasurement(
        id=one.key,
        model_key=case.model_key,
        accelerator_key=case.accelerator_key,
        engine=case.engine,
        era=case.era,
        precision=case.precision,
        accelerators=round(float(cases.accelerators[at])),
        input_tokens=case.input_tokens,
        output_tokens=case.output_tokens,
        concurrency=case.concurrency,
        layout=layout_text(case),
        measured_ms=MILLISECONDS * one.measured,
        predicted_ms=MILLISECONDS * one.predicted,
        model_left_out_ms=MILLISECONDS * of_model.predicted,
        system_left_out_ms=MILLISECONDS * of_system.predicted,
        pair_left_out_ms=MILLISECONDS * of_pair.predicted,
        low_ms=MILLISECONDS * of_model.low,
        high_ms=MILLISECONDS * of_model.high,
        assumed=one.assumed,
    )


def layout_text(case: Case) -> str:
    """The cuts of a deployment in a few words: those of one instance, or of both kinds of instances."""
    if case.prefill is None:
        return _cut_text(case.decode)
    return (
        f"prefill {_instances(case.prefill_instances, case.prefill)}, "
        f"decode {_instances(case.decode_instances, case.decode)}"
    )


def _instances(count: int, cut: Cut) -> str:
    return f"{count} x {_cut_text(cut)}" if count > 1 else _cut_text(cut)


def _cut_text(cut: Cut) -> str:
    sizes = (
        ("TP", cut.tensor_parallel),
        ("PP", cut.pipeline_parallel),
        ("DP", cut.data_parallel),
        ("EP", cut.expert_parallel),
    )
    return " ".join(f"{name} {size}" for name, size in sizes if size > 1) or "1 accelerator"


# The fitted constants of serving by what they belong to: hardware, engine and precision, never a model.

EVERY = "every deployment"
OWNERS = {
    "generation": "hardware",
    "engine": "engine",
    "dense_format": "precision",
    "expert_format": "precision",
}
"""What the word of a condition is about."""


@functools.cache
def constants_by_owner() -> Mapping[str, int]:
    """Number of constants by group, largest first.

    Raises
    ------
    KeyError : a constant depends on something that is none of OWNERS, such as a model
    """
    owners = (" and ".join(sorted({OWNERS[word] for word in one.conditions})) or EVERY for one in FITTED)
    return dict(Counter(owners).most_common())


# Measured latencies of served models: by which fit they are predicted, and what they have in common.

BY_MODEL = Basis[ServedMeasurement](
    "model",
    "Each model left out",
    "with constants that were fitted without any measurement of its family of models",
    lambda one: one.model_left_out_ms,
)
BY_SYSTEM = Basis[ServedMeasurement](
    "system",
    "Each system left out",
    "with constants that were fitted without any measurement on its accelerator",
    lambda one: one.system_left_out_ms,
)
BY_PAIR = Basis[ServedMeasurement](
    "pair",
    "Each model on an engine left out",
    "with constants that were fitted without any measurement of its family of models on its engine",
    lambda one: one.pair_left_out_ms,
)
BY_FIT = Basis[ServedMeasurement](
    "fitted",
    "With all in the fit",
    "with the constants that every design uses, which were fitted to these measurements",
    lambda one: one.predicted_ms,
)
SERVING_BASES = {basis.key: basis for basis in (BY_MODEL, BY_SYSTEM, BY_PAIR, BY_FIT)}
"""The first is the honest one: what to expect of a model no one has measured yet."""

LOADS = (
    (4.0, "1 to 3 in flight"), (17.0, "4 to 16 in flight"), (65.0, "17 to 64 in flight"),
    (257.0, "65 to 256 in flight"), (float("inf"), "over 256 in flight"),
)  # fmt: skip
"""Bands of requests in flight, each up to its first number."""


def lengths(one: ServedMeasurement) -> str:
    """Tokens in and out of a request."""
    return f"{one.input_tokens:,} in, {one.output_tokens:,} out"


_SERVING: tuple[Grouping[ServedMeasurement], ...] = (
    Grouping("model", "Model", lambda one: one.model_key),
    Grouping("system", "System", lambda one: one.accelerator_key),
    Grouping("engine", "Engine", lambda one: one.engine),
    Grouping("precision", "Precision", lambda one: one.precision),
    Grouping("load", "Load", lambda one: band(one.concurrency, LOADS), tuple(name for _, name in LOADS)),
    Grouping("lengths", "Lengths", lengths),
)
SERVING_GROUPINGS = {grouping.name: grouping for grouping in _SERVING}


# A measured latency as the scenario of the deployment that it was measured on.

TEN = 10.0
"""Waves of the start of all at once, that the weights of the protocol count from."""


def scenario_of_latency(case: Case, name: str, catalog: Catalog) -> dict[str, Any]:
    """The scenario of one instance, or one group, with what was assumed written out.

    Raises
    ------
    UnsupportedRowError : the catalog has no system with its accelerators
    """
    known = _is_known(case)
    length = protocol.MEAN_LENGTH if known else 1.0
    workload: dict[str, Any] = {
        "kind": "serving",
        "model": case.model_key,
        **_formats(case, catalog, known=known),
        "engine": _engine(case),
        "mode": "aggregated" if case.prefill is None else "disaggregated",
        "requests": {
            "input_tokens": case.input_tokens * length,
            "output_tokens": case.output_tokens * length,
        },
        "concurrency": case.concurrency,
        "arrivals": "burst",
        "burst_waves": _waves(case),
        "layout": _layout(case, experts="experts" in catalog.part("models", case.model_key).facts),
    }
    if case.speculation:
        parallel = case.decode.data_parallel > 1
        tokens = protocol.GUESSED_DATA_PARALLEL if parallel else protocol.GUESSED
        workload["speculation"] = {"tokens": int(tokens), "acceptance": protocol.ACCEPTANCE}
    return {"name": name, "workload": workload, **_hardware(case, catalog)}


def taken_for_granted(case: Case, catalog: Catalog) -> tuple[str, ...]:
    """What that scenario has of the benchmark, which a row does not print."""
    said = [f"all requests start at once, {_waves(case):.2g} for each of those in flight"]
    if _is_known(case):
        said.append(
            f"prompts and answers of {protocol.MEAN_LENGTH:g} of the printed length, as its scripts spread them"
        )
    if form := _formats(case, catalog, known=_is_known(case))["parts"].get("kv_cache"):
        said.append(f"keys and values in {form}, as its scripts launch the engine")
    if polled := protocol.polled_steps(
        engine=case.engine,
        generation=_generation(case, catalog),
        concurrency=case.concurrency,
        known=_is_known(case),
    ):
        said.append(
            f"new requests looked for at every decode step, where its scripts have SGLang wait {polled:g} on average"
        )
    return tuple(said)


def _generation(case: Case, catalog: Catalog) -> str:
    return context_of(catalog.part("accelerators", case.accelerator_key))["generation"]


def _is_known(case: Case) -> bool:
    dated = bool(case.row.text("measured"))
    return protocol.is_known(input_tokens=case.input_tokens, output_tokens=case.output_tokens, dated=dated)


def _waves(case: Case) -> float:
    return TEN / (protocol.TEN_WAVES if case.row.text("measured") else protocol.FEW_WAVES)


def _formats(case: Case, catalog: Catalog, *, known: bool) -> dict[str, Any]:
    """Precision, and the parts that it does not say. Experts in a format without units for it are multiplied in 16 bit."""
    accelerator = catalog.part("accelerators", case.accelerator_key)
    generation = context_of(accelerator)["generation"]
    form = protocol.kv_format(
        model=case.model_key, engine=case.engine, generation=generation, form=case.precision, known=known
    )
    parts = {"kv_cache": form} if form else {}
    if case.precision == "mxfp4" and "mxfp4_flop_per_s" not in accelerator.facts:
        return {"precision": "bf16", "parts": {"experts": "mxfp4", **parts}}
    return {"precision": case.precision, "parts": parts}


def _engine(case: Case) -> dict[str, Any]:
    """With the day of the measurement, which dates a version better than its numbers do, and the chunk of its scripts."""
    version, day = case.row.text("engine_version"), case.row.text("measured")
    if case.engine == "tensorrt_llm" and version.startswith("0."):
        # the number of a container of Dynamo, which says nothing of what is in it
        version, day = "", day or day_of(case.engine, version)
    stated = [text for text in (version, day) if text]
    chunk = protocol.chunk_tokens(engine=case.engine, form=case.precision, known=_is_known(case))
    return (
        {"name": case.engine}
        | ({"version": " of ".join(stated)} if stated else {})
        | ({} if math.isnan(chunk) else {"chunk_tokens": round(chunk)})
    )


def _layout(case: Case, *, experts: bool) -> dict[str, Any]:
    if case.prefill is None:
        return _instances_stated(case.decode, case.decode_instances, experts=experts)
    return {
        "prefill": _instances_stated(case.prefill, case.prefill_instances, experts=experts),
        "decode": _instances_stated(case.decode, case.decode_instances, experts=experts),
    }


def _instances_stated(cut: Cut, instances: int, *, experts: bool) -> dict[str, int]:
    layout = {
        "tp": cut.tensor_parallel, "dp": cut.data_parallel, "pp": cut.pipeline_parallel, "instances": instances,
    }  # fmt: skip
    return layout | ({"ep": cut.expert_parallel} if experts else {})


def _hardware(case: Case, catalog: Catalog) -> dict[str, Any]:
    """As many of the usual system of the accelerator as the deployment takes."""
    system = usual_system(catalog, case.accelerator_key)
    if system is None or "accelerators" not in system.facts:
        raise UnsupportedRowError(f"the catalog has no system with {case.accelerator_key}")
    each = int(system.facts["accelerators"].value)
    used = case.decode.accelerators * case.decode_instances
    used += case.prefill_accelerators if case.prefill is not None else 0
    supernodes = math.ceil(used / each)
    pod: dict[str, Any] = {"supernodes": supernodes}
    if supernodes * each != used:
        pod["accelerators_used"] = used
    return {"supernode": {"system": system.key}, "pod": pod}
