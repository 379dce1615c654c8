"""A measured latency as the scenario of the deployment that it was measured on."""

from __future__ import annotations

import math
from typing import Any

from app.catalog.lookup import Catalog
from app.scenarios.resolve.hardware_words import context_of
from app.validation.rows import UnsupportedRowError
from app.validation.serving import protocol
from app.validation.serving.case import Case
from app.validation.serving.engine_words import day_of
from app.validation.serving.layout_names import Cut
from app.validation.training.hardware import usual_system

TEN = 10.0
"""Waves of the start of all at once, that the weights of the protocol count from."""


def scenario_of_latency(case: Case, name: str, catalog: Catalog) -> dict[str, Any]:
    """The scenario of one instance, or one group, with what was taken for granted written out.

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
        return _instances(case.decode, case.decode_instances, experts=experts)
    return {
        "prefill": _instances(case.prefill, case.prefill_instances, experts=experts),
        "decode": _instances(case.decode, case.decode_instances, experts=experts),
    }


def _instances(cut: Cut, instances: int, *, experts: bool) -> dict[str, int]:
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
