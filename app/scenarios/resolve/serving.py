"""A served model: architecture, formats, requests, layout, demand and SLOs."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from app.catalog.engine_versions import Era
from app.catalog.serving_engines import era_of_engine, has_feature, serving_engines
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.specs import Accelerator, Architecture, Pod, SuperNode
from app.engine.specs.serving import Adapters, Arrivals, PartPrecision, ServingWorkload, Speculation
from app.engine.trace import Array
from app.scenarios.document.serving import (
    ENGINES,
    SETTINGS,
    AdaptersDocument,
    EngineDocument,
    ServingCalibrationDocument,
    ServingDocument,
    runs_on,
    usual_engine,
)
from app.scenarios.document.serving_layout import InstanceDocument, SplitDocument
from app.scenarios.document.serving_parts import fitted_precision, format_words, formats_of
from app.scenarios.document.serving_requests import AnyRequestsDocument, SpeculationDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.serving_demand import demand, service_level
from app.scenarios.resolve.serving_host import host_way, host_weights
from app.scenarios.resolve.serving_layout import serving_plan
from app.scenarios.resolve.serving_media import encoder_of, media_of
from app.scenarios.resolve.serving_parts import PEAK, check_formats, has_experts, part_precision
from app.scenarios.resolve.serving_pooled import check_pooled, is_bidirectional, is_pooled
from app.scenarios.resolve.serving_requests import longest_requests, mean_request_tokens, requests
from app.scenarios.resolve.workload import architecture_of

CUT = "context_parallel"
"""Feature of engines that cut a prompt over several ranks."""


def serving_workload(
    inputs: Inputs, document: ServingDocument, supernode: SuperNode, pod: Pod, kinds: int = 0
) -> ServingWorkload:
    """The workload of a serving scenario; the words of its engine go to the context of `inputs`.

    `kinds` are how many further kinds of SuperNode the pod has.

    Raises
    ------
    ScenarioError : unknown model, requests longer than it takes, or a layout that cannot be
    """
    check_pooled(document)
    _check_engine(document, supernode.accelerator)
    architecture = architecture_of(inputs, document.model)
    context_tokens = _context_tokens(inputs, document)
    media = media_of(document.requests, document.model)
    more = 0.0 if media is None else media.tokens
    _check_length(document.requests, architecture.name, context_tokens, more)
    parts, dequantised = _formats(
        inputs, document, architecture, supernode, supernode.accelerator.vendor, "workload.parts"
    )
    era = engine_era(document.engine, inputs.context["engine"])
    host: dict[str, Any] = {
        "engine": inputs.context["engine"],
        "version": document.engine.version,
        "accelerator": supernode.accelerator,
        "mixture": has_experts(architecture.experts),
    }
    return ServingWorkload(
        architecture=architecture,
        context_tokens=context_tokens,
        engine=inputs.context["engine"],
        engine_year=inputs.derived(
            "workload.engine_year",
            era.year,
            "date of the engine, as a year",
            "; ".join(text for text in ("seed_data/serving/engine_versions.csv", era.assumed) if text),
        ),
        most_sequences=None
        if document.engine.max_num_seqs is None
        else inputs.scenario(
            "workload.most_sequences", document.engine.max_num_seqs, "workload.engine.max_num_seqs"
        ),
        cuts_prompts=has_feature(inputs.context["engine"], CUT, document.engine.version),
        adapters=_adapters(inputs, document.adapters),
        bidirectional=is_bidirectional(document),
        host_weights=host_weights(inputs, document.host_weights, **host),
        host_way=host_way(inputs, **host),
        precision=document.precision,
        parts=parts,
        dequantised=dequantised,
        requests=requests(inputs, document.requests, more),
        encoder=encoder_of(inputs, media),
        speculation=_speculation(inputs, document.speculation),
        arrivals=_arrivals(inputs, document),
        mode=document.mode if has_feature(inputs.context["engine"], "disaggregated") else "aggregated",
        concurrency=None
        if isinstance(document.concurrency, str)
        else inputs.scenario("workload.concurrency", document.concurrency),
        plan=serving_plan(inputs, document.layout, architecture, pod, kinds),
        level=service_level(inputs, document.service_level),
        demand=demand(inputs, document.demand, mean_request_tokens(document.requests) + more),
        measured_over_predicted_tpot=_measured(inputs, document.calibration, "tpot"),
        measured_over_predicted_ttft=_measured(inputs, document.calibration, "ttft"),
    )


def _formats(
    inputs: Inputs,
    document: ServingDocument,
    architecture: Architecture,
    supernode: SuperNode,
    vendor: str,
    path: str,
) -> tuple[PartPrecision, str]:
    """Formats of the model on a SuperNode, and parts dequantised there; words that constants are chosen by go to `inputs`.

    `vendor` is that of the accelerators by which an engine that is auto is chosen.
    """
    inputs.context |= engine_context(document.engine, vendor)
    accelerator = inputs.catalog.part("accelerators", supernode.accelerator.key)
    stored: dict[str, Any] = {
        "precision": document.precision,
        "parts": document.parts,
        "has_experts": has_experts(architecture.experts),
    }
    dequantised = check_formats(
        **stored,
        accelerator=accelerator,
        engine=inputs.context["engine"],
        version=document.engine.version,
        peak_is_stated=inputs.origins[PEAK].kind == "scenario",
    )
    parts = part_precision(inputs, **stored, accelerator=accelerator, path=path)
    inputs.context["precision"] = fitted_precision(**stored)
    inputs.context |= format_words(formats_of(**stored), accelerator, inputs.context["generation"])
    return parts, dequantised


def served_on(
    own: Inputs, document: ServingDocument, first: SuperNode, supernode: SuperNode, field: str
) -> dict[str, Any]:
    """What a further kind of SuperNode has of its own for a served model, by the names of a `Kind`.

    Prefill and decode instances are of one engine, that of the first kind: no other reads its keys and values. Its
    numbers go to `own`, with the words that constants of this kind are chosen by.

    Raises
    ------
    ScenarioError : the engine does not run on this kind, or does not run a format there
    """
    maker = first.accelerator.vendor
    engine = engine_context(document.engine, maker)["engine"]
    if not runs_on(engine, supernode.accelerator.vendor):
        both = [
            one
            for one in ENGINES
            if one != "auto" and runs_on(one, maker) and runs_on(one, supernode.accelerator.vendor)
        ]
        raise refuse(
            f"has {supernode.accelerator.name}, which {engine} does not run on, and instances that send each other keys and "
            "values are of one engine.",
            rule="engine",
            path=field,
            value=supernode.key,
            hint=f"State {' or '.join(both)} as workload.engine.name, or choose another kind."
            if both
            else f"Choose a kind that {engine} runs on: no engine runs on both.",
        )
    architecture = architecture_of(Inputs(catalog=own.catalog), document.model)
    parts, dequantised = _formats(own, document, architecture, supernode, maker, "parts")
    serving = ServingAssumptions(
        **{
            name.name: own.assumption(f"serving.{name.name}", f"serving.{name.name}")
            for name in dataclasses.fields(ServingAssumptions)
        }
    )
    return {
        "serving": dataclasses.replace(serving, **engine_settings(own, document.engine, "serving")),
        "parts": parts,
        "dequantised": dequantised,
    }


def engine_settings(inputs: Inputs, engine: EngineDocument, room: str) -> dict[str, Array]:
    """What the scenario states of its engine, by the names of the assumptions that it stands for."""
    return {
        name: inputs.scenario(f"{room}.{name}", value, f"workload.engine.{field}")
        for field, name in SETTINGS.items()
        if (value := getattr(engine, field)) is not None
    }


def _adapters(inputs: Inputs, document: AdaptersDocument) -> Adapters | None:
    """LoRA adapters as stated; None without any."""
    if document.count == 0:
        return None
    path = "workload.adapters"
    return Adapters(
        count=inputs.scenario(f"{path}.count", document.count),
        rank=inputs.scenario(f"{path}.rank", document.rank),
        slots=inputs.derived(
            f"{path}.slots", document.count, "adapters in memory at once", "all, as max_loras is left out"
        )
        if document.max_loras is None
        else inputs.scenario(f"{path}.slots", document.max_loras, f"{path}.max_loras"),
        share=inputs.scenario(f"{path}.share", document.share),
        popularity=inputs.assumption(
            f"{path}.popularity", "scenario.adapter_popularity", given=document.popularity
        ),
        everywhere=document.matrices == "all",
    )


def _speculation(inputs: Inputs, document: SpeculationDocument) -> Speculation:
    path, auto = "workload.speculation", isinstance(document.tokens, str)
    return Speculation(
        tokens=inputs.derived(
            f"{path}.tokens", 1, "tokens guessed a step, to begin a search with", "speculation.tokens is auto"
        )
        if isinstance(document.tokens, str)
        else inputs.scenario(f"{path}.tokens", document.tokens),
        acceptance=inputs.assumption(
            f"{path}.acceptance",
            "scenario.speculation_acceptance",
            given=document.acceptance,
            also={"task": document.task},
        ),
        draft=None
        if document.draft_model is None
        else architecture_of(inputs, document.draft_model, path=f"{path}.draft", field=f"{path}.draft_model"),
        auto=auto,
    )


def _arrivals(inputs: Inputs, document: ServingDocument) -> Arrivals:
    usual = "steady" if document.demand is None else "random"
    return Arrivals(
        kind=usual if document.arrivals == "auto" else document.arrivals,
        waves=inputs.scenario("workload.arrivals.waves", document.burst_waves, "workload.burst_waves"),
    )


def _check_engine(document: ServingDocument, accelerator: Accelerator) -> None:
    name = document.engine.name
    engine = serving_engines()[usual_engine(accelerator.vendor) if name == "auto" else name]
    if not engine.runs_on(accelerator.vendor):
        there = [one for one in ENGINES if one != "auto" and runs_on(one, accelerator.vendor)]
        where = (
            f"runs on {', '.join(engine.makers)} accelerators alone"
            if engine.makers
            else f"does not run on {accelerator.vendor} accelerators"
        )
        raise refuse(
            f"is {name}, which {where}, and this is {accelerator.name}.",
            rule="engine",
            path="workload.engine.name",
            value=name,
            hint=f"State auto, {', '.join(there[:-1])} or {there[-1]}.",
        )
    for feature, field, words in _features_asked(document):
        if has_feature(engine.key, feature, document.engine.version):
            continue
        able = [one for one in ENGINES if runs_on(one, accelerator.vendor) and has_feature(one, feature)]
        raise refuse(
            f"{engine.key}{' ' + document.engine.version if document.engine.version else ''} has no {words}.",
            rule="engine",
            path=field,
            value=engine.key,
            hint=f"Leave it out, or state {' or '.join(able)} as workload.engine.name."
            if able
            else "Leave it out: no engine that runs there has it.",
        )


def _features_asked(document: ServingDocument) -> Iterator[tuple[str, str, str]]:
    """Features of an engine that the scenario needs, with the field that asks for each and what it is called."""
    if document.mode == "disaggregated" or isinstance(document.layout, SplitDocument):
        field = "workload.mode" if document.mode == "disaggregated" else "workload.layout"
        yield "disaggregated", field, "prefill instances of their own"
    instances = {
        f"workload.layout{place}.cp": one
        for place, one in (
            ("", document.layout if isinstance(document.layout, InstanceDocument) else None),
            (".prefill", document.layout.prefill if isinstance(document.layout, SplitDocument) else None),
        )
    }
    for field, one in instances.items():
        if one is not None and one.cp > 1:
            yield CUT, field, "context parallelism of prompts"
    if is_pooled(document.requests):
        yield "pooled", "workload.requests.output_tokens", "prompts that are read and not answered"
    if document.adapters.count:
        yield "adapters", "workload.adapters.count", "LoRA adapters that change between requests"
    if document.speculation.tokens == 0:
        return
    if document.speculation.draft_model is None:
        yield "module", "workload.speculation.tokens", "module that guesses tokens ahead"
    else:
        yield "draft", "workload.speculation.draft_model", "draft model"


def engine_context(document: EngineDocument, vendor: str) -> dict[str, str]:
    """Engine and era, the words that assumptions are chosen by.

    >>> engine_context(EngineDocument(version="1.0.0rc3"), "NVIDIA")
    {'engine': 'tensorrt_llm', 'era': '2025'}
    """
    engine: str = document.name
    if engine == "auto":
        engine = usual_engine(vendor)
    return {"engine": engine, "era": engine_era(document, engine).word}


def engine_era(document: EngineDocument, engine: str) -> Era:
    """The era of the stated version, and what of it is assumed."""
    return era_of_engine(engine, document.version)


def _context_tokens(inputs: Inputs, document: ServingDocument) -> Array:
    path = "workload.context_tokens"
    if isinstance(document.model, str):
        return inputs.fact(path, part_or_error(inputs.catalog, "models", document.model, "workload.model"))
    if document.model.context_tokens is None:
        return inputs.unknown(
            path, f"{document.model.name}, longest sequence", scenario_field="workload.model.context_tokens"
        )
    return inputs.scenario(path, document.model.context_tokens, "workload.model.context_tokens")


def _check_length(
    document: AnyRequestsDocument, name: str, context_tokens: Array, media_tokens: float
) -> None:
    requests = longest_requests(document)
    asked, limit = requests.input_tokens + media_tokens + requests.output_tokens, float(context_tokens[0])
    if np.isnan(limit) or asked <= limit:
        return
    longer = requests.input_tokens >= requests.output_tokens
    raise refuse(
        f"{requests.input_tokens + media_tokens:,.12g} tokens in and {requests.output_tokens:,.12g} out are {asked:,.12g}, and {name} "
        f"takes at most {limit:,.12g}.",
        rule="context",
        path=requests.input_field if longer else requests.output_field,
        value=requests.input_tokens if longer else requests.output_tokens,
        hint="Shorten the requests, or choose a model with a longer context.",
    )


def _measured(inputs: Inputs, document: ServingCalibrationDocument | None, name: str) -> Array:
    path, field = f"workload.measured_over_predicted_{name}", f"measured_{name}_over_predicted"
    ratio = getattr(document, field) if document is not None else None
    if ratio is None:
        return inputs.derived(
            path, 1, f"measured over predicted {name}", "the scenario states no own measurement"
        )
    return inputs.scenario(path, ratio, f"workload.calibration.{field}")
