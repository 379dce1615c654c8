"""What a file's rows run on and what they run, as the records that the engine takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog, Part
from app.engine.performance.serving.latency import Load
from app.engine.performance.serving.machine import ServingMachine
from app.engine.specs import Architecture
from app.engine.specs.serving import PartPrecision, ServingLayout, Speculation
from app.scenarios.document.serving_parts import KvFormat, PartsDocument
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.serving_parts import part_precision
from app.scenarios.resolve.workload import architecture_of
from app.validation.serving import protocol
from app.validation.serving.cases import Cases
from app.validation.serving.stacking import stacked

ONE = np.ones(1)


@dataclass(frozen=True, kw_only=True)
class Setup:
    """A model, its formats, and the accelerator that it runs on."""

    architecture: Architecture
    parts: PartPrecision
    machine: ServingMachine


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """One element a row; `prefill` is not a number in aggregated rows."""

    attention: NDArray[np.str_]
    architecture: Architecture
    parts: PartPrecision
    machine: ServingMachine
    decode: ServingLayout
    decode_instances: NDArray[np.float64]
    prefill: ServingLayout
    prefill_instances: NDArray[np.float64]
    load: Load
    speculation: Speculation
    engine_year: NDArray[np.float64]
    polled_steps: NDArray[np.float64]  # that a request waits until the engine looks for it
    chunk_tokens: NDArray[np.float64]  # not a number: as assumed


def deployment_of(cases: Cases, catalog: Catalog) -> Deployment:
    """Every row of a file; the kind of attention is that of the first, so rows are asked about kind by kind."""
    known = _known(cases)
    length = np.where(known, protocol.MEAN_LENGTH, 1.0)
    combinations = list(
        zip(
            cases.model_key,
            cases.accelerator_key,
            cases.format,
            cases.engine,
            _kv_formats(cases, known),
            strict=True,
        )
    )
    unique = list(dict.fromkeys(combinations))
    place = {key: position for position, key in enumerate(unique)}
    of_row = np.array([place[key] for key in combinations], dtype=np.intp)
    setup: Setup = stacked([_single(catalog, *key) for key in unique], of_row)
    data_parallel = cases.decode_data_parallel > 1
    guessed = np.where(data_parallel, protocol.GUESSED_DATA_PARALLEL, protocol.GUESSED)
    words = {key: catalog.part("models", key).attributes["attention"].lower() for key in set(cases.model_key)}
    return Deployment(
        attention=np.array([words[key] for key in cases.model_key]),
        architecture=setup.architecture,
        parts=setup.parts,
        machine=setup.machine,
        decode=_layout(cases, "decode"),
        decode_instances=cases.decode_instances,
        prefill=_layout(cases, "prefill"),
        prefill_instances=cases.prefill_instances,
        load=Load(
            input_tokens=cases.input_tokens * length,
            output_tokens=cases.output_tokens * length,
            cached_share=np.zeros(1),
            concurrency=cases.concurrency,
            burst=np.where(cases.dated, protocol.TEN_WAVES, protocol.FEW_WAVES),
        ),
        speculation=Speculation(
            tokens=np.where(cases.speculation, guessed, 0.0),
            acceptance=np.where(cases.speculation, protocol.ACCEPTANCE, 0.0),
        ),
        engine_year=cases.engine_year,
        polled_steps=np.array(
            [
                protocol.polled_steps(
                    engine=engine, generation=generation, concurrency=concurrency, known=scripts
                )
                for engine, generation, concurrency, scripts in zip(
                    cases.engine, cases.generation, cases.concurrency.tolist(), known, strict=True
                )
            ]
        ),
        chunk_tokens=np.array(
            [
                protocol.chunk_tokens(engine=engine, form=form, known=scripts)
                for engine, form, scripts in zip(cases.engine, cases.format, known, strict=True)
            ]
        ),
    )


def _known(cases: Cases) -> list[bool]:
    rows = zip(cases.input_tokens.tolist(), cases.output_tokens.tolist(), cases.dated.tolist(), strict=True)
    return [
        protocol.is_known(input_tokens=entered, output_tokens=answered, dated=dated)
        for entered, answered, dated in rows
    ]


def _kv_formats(cases: Cases, known: list[bool]) -> list[KvFormat | None]:
    rows = zip(cases.model_key, cases.engine, cases.generation, cases.format, known, strict=True)
    return [
        protocol.kv_format(model=model, engine=engine, generation=generation, form=form, known=scripts)
        for model, engine, generation, form, scripts in rows
    ]


def _single(
    catalog: Catalog, model: str, accelerator: str, form: str, engine: str, kv_cache: KvFormat | None
) -> Setup:
    """One model in one format on one accelerator, as scenarios resolve them."""
    part = catalog.part("accelerators", accelerator)
    inputs = Inputs(catalog=catalog, context={"engine": engine, "precision": form})
    return Setup(
        architecture=architecture_of(inputs, model),
        parts=part_precision(
            inputs,
            precision=form,
            parts=PartsDocument(kv_cache=kv_cache),
            has_experts="experts" in catalog.part("models", model).facts,
            accelerator=part,
        ),
        machine=machine_of(part),
    )


def machine_of(accelerator: Part) -> ServingMachine:
    """An accelerator in its largest scale-up domain; what nobody published is not a number."""
    sixteen_bit = "bf16_flop_per_s" if "bf16_flop_per_s" in accelerator.facts else "fp16_flop_per_s"
    facts = {
        "memory_bytes": "memory_bytes",
        "memory_bandwidth_bytes_per_s": "memory_bandwidth_bytes_per_s",
        "peak_16_bit_flop_per_s": sixteen_bit,
        "scale_up_bandwidth_bytes_per_s": "scale_up_bandwidth_bytes_per_s",
        "scale_out_bandwidth_bytes_per_s": "scale_out_bandwidth_bytes_per_s",
        "domain_accelerators": "scale_up_domain_max_accelerators",
    }
    rates: dict[str, Any] = {name: ONE * _fact(accelerator, fact) for name, fact in facts.items()}
    return ServingMachine(**rates)


def _layout(cases: Cases, pool: str) -> ServingLayout:
    parts = (
        "tensor_parallel",
        "data_parallel",
        "pipeline_parallel",
        "expert_parallel",
        "redundant_experts",
    )
    return ServingLayout(**{name: getattr(cases, f"{pool}_{name}") for name in parts})


def _fact(part: Part, name: str, absent: float = float("nan")) -> float:
    return part.facts[name].value if name in part.facts else absent
