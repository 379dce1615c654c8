"""What a file's rows run on and what they run, as the records that the engine takes."""

from __future__ import annotations

import copy
import csv
import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.catalog.assumptions import AssumptionRow
from app.catalog.lookup import Catalog, Part
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.latency import Load
from app.engine.performance.serving.machine import ServingMachine
from app.engine.specs import Architecture
from app.engine.specs.serving import PartPrecision, ServingLayout, Speculation
from app.paths import seed_data
from app.scenarios.document.serving_parts import KvFormat, PartsDocument, format_words, formats_of
from app.scenarios.resolve.hardware_words import context_of
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.serving_parts import part_precision
from app.scenarios.resolve.workload import architecture_of
from app.validation.serving import protocol
from app.validation.serving.cases import Cases

# What a file's rows run on and what they run, as the records that the engine takes.

# Records of arrays over rows: stacked from the records of single parts, and cut to some of the rows.


def stacked(records: Sequence[Any], of_row: NDArray[np.intp]) -> Any:
    """One record whose arrays have an element a row: row i has the numbers of `records[of_row[i]]`.

    What is no number is taken from the first record.
    """
    first = records[0]
    if isinstance(first, np.ndarray):
        return np.concatenate([np.broadcast_to(record, (1,)) for record in records])[of_row]
    if _is_record(first):
        return type(first)(
            **{
                field.name: stacked([getattr(record, field.name) for record in records], of_row)
                for field in dataclasses.fields(first)
            }
        )
    return first


def selected_rows(record: Any, rows: NDArray[Any]) -> Any:
    """A record with these rows alone; arrays of one element, which hold for all rows, stay."""
    if isinstance(record, np.ndarray):
        return record[rows] if record.size > 1 else record
    if _is_record(record):
        return type(record)(
            **{
                field.name: selected_rows(getattr(record, field.name), rows)
                for field in dataclasses.fields(record)
            }
        )
    return record


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


# What a file's rows run on and what they run, as the records that the engine takes.

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
    """An accelerator in its largest scale-up domain; unpublished values are not a number."""
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


# The serving assumptions of many rows at once, the shipped ones or those fitted without a part of the rows.

ROOM = "serving"
LEFT_OUT_FILE = "validation/serving_left_out.csv"


class Constants:
    """The rows of the assumptions table that hold for each case, to be filled with shipped or other values."""

    def __init__(self, catalog: Catalog, cases: Cases) -> None:
        place: dict[tuple[tuple[str, str], ...], int] = {}
        self._of_row = np.array(
            [
                place.setdefault(tuple(sorted(context.items())), len(place))
                for context in contexts_of(catalog, cases)
            ],
            dtype=np.intp,
        )
        contexts = [dict(context) for context in place]
        self._rows = {
            field.name: [catalog.assumption(ROOM, field.name, context) for context in contexts]
            for field in dataclasses.fields(ServingAssumptions)
        }

    def of_rows(self, rows: NDArray[np.intp]) -> Constants:
        """Of these cases alone."""
        found = copy.copy(self)
        found._of_row = self._of_row[rows]
        return found

    def with_values(self, values: Mapping[str, float]) -> ServingAssumptions:
        """The assumptions of each case; `values` by `name[conditions]`, the shipped ones where it has none."""
        return ServingAssumptions(
            **{
                name: np.array([values.get(name_of(row), row.value) for row in rows])[self._of_row]
                for name, rows in self._rows.items()
            }
        )


def constants_of(
    catalog: Catalog,
    cases: Cases,
    left_out: str | None = None,
    fitted: Mapping[str, Mapping[str, float]] | None = None,
) -> ServingAssumptions:
    """The assumptions of each row by its engine, era, precision and accelerator.

    Parameters
    ----------
    left_out : family or system without which the constants were fitted; None is the shipped constants
    fitted : by what was left out, values by `name[conditions]`; those that are shipped when None
    """
    changed = {} if left_out is None else (left_out_constants() if fitted is None else fitted)[left_out]
    return Constants(catalog, cases).with_values(changed)


def contexts_of(catalog: Catalog, cases: Cases) -> list[dict[str, str]]:
    """The words of each row that its assumptions are chosen by, as a scenario has them."""
    hardware = {
        key: context_of(catalog.part("accelerators", key)) for key in dict.fromkeys(cases.accelerator_key)
    }
    mixtures = {key: "experts" in catalog.part("models", key).facts for key in dict.fromkeys(cases.model_key)}
    formats = {
        (accelerator, form, mixture): format_words(
            formats_of(precision=form, parts=PartsDocument(), has_experts=mixture),
            catalog.part("accelerators", accelerator),
            hardware[accelerator]["generation"],
        )
        for accelerator, form, mixture in dict.fromkeys(
            zip(cases.accelerator_key, cases.format, (mixtures[key] for key in cases.model_key), strict=True)
        )
    }
    rows = zip(
        cases.accelerator_key,
        cases.model_key,
        cases.engine,
        cases.era,
        cases.precision,
        cases.format,
        strict=True,
    )
    return [
        {
            **hardware[accelerator],
            **formats[accelerator, form, mixtures[model]],
            "engine": engine,
            "era": era,
            "precision": precision,
        }
        for accelerator, model, engine, era, precision, form in rows
    ]


def name_of(row: AssumptionRow) -> str:
    """A constant by its name and what it applies to, as files of fitted constants write it."""
    return f"{row.name}[{';'.join(f'{word}={value}' for word, value in row.applies_to.items())}]"


def left_out_constants(path: Path | None = None) -> dict[str, dict[str, float]]:
    """Constants fitted without a family or a system, by what was left out; none where none are shipped."""
    file = path or seed_data() / LEFT_OUT_FILE
    found: dict[str, dict[str, float]] = {}
    if not file.exists():
        return found
    with file.open(encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            found.setdefault(line["left_out"], {})[line["constant"]] = float(line["value"])
    return found


def fitted_values(catalog: Catalog, fitted: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The shipped values of every constant that was fitted, by name."""
    names = {name for constants in fitted.values() for name in constants}
    return {
        name_of(row): row.value
        for assumption in catalog.assumption_names(ROOM)
        for row in catalog.assumption_rows(ROOM, assumption)
        if name_of(row) in names
    }
