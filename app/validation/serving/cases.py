"""All measured rows of a file as arrays over the rows, and the parts of them that constants are fitted without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.catalog.number_formats import number_formats
from app.scenarios.evaluation.serving_measured import attention_kind
from app.scenarios.resolve.hardware_words import context_of
from app.validation.serving.case import (
    COLUMNS,
    Case,
    case_of,
    completed,
    is_cold_start,
    measured_facts,
    measurements,
)
from app.validation.study import Mask, Numbers, Row, Unsupported, UnsupportedRowError, read_rows

# What constants are fitted without: a model, a system, a model on an engine, or all that is of one kind.

Words = Mapping[str, NDArray[np.str_]]
"""Subject of each row, by MODEL, SYSTEM, ENGINE, GENERATION, FORMAT and ATTENTION."""

MODEL, SYSTEM, ENGINE, GENERATION, FORMAT, ATTENTION = (
    "model", "system", "engine", "generation", "format", "attention",
)  # fmt: skip
PAIR, BOTH = "model_engine", "model_and_engine"
"""Rows of a model on an engine; and all rows of the model, and all of the engine."""

OF = {
    **{group: (group,) for group in (MODEL, SYSTEM, ENGINE, GENERATION, FORMAT, ATTENTION)},
    PAIR: (MODEL, ENGINE),
    BOTH: (MODEL, ENGINE),
}


class Without(NamedTuple):
    """Rows that have all of these words, or of BOTH any."""

    group: str
    words: Mapping[str, str]

    @property
    def label(self) -> str:
        """As files of fitted constants write it."""
        return f"{self.group}={'+'.join(self.words.values())}"

    def members(self, rows: Words) -> Mask:
        """The rows that the fit does not see."""
        same = [rows[name] == word for name, word in self.words.items()]
        found: Mask = np.logical_or.reduce(same) if self.group == BOTH else np.logical_and.reduce(same)
        return found

    def own(self, rows: Words) -> Mask:
        """The rows that are predicted with that fit: those of all its words."""
        found: Mask = np.logical_and.reduce([rows[name] == word for name, word in self.words.items()])
        return found


def parts_of(rows: Words, *groups: str) -> list[Without]:
    """Every part of these groups that there is in some rows."""
    found: list[Without] = []
    for group in groups:
        columns = [rows[name].tolist() for name in OF[group]]
        combinations: Iterable[tuple[str, ...]] = sorted(set(zip(*columns, strict=True)))
        found += [Without(group, dict(zip(OF[group], words, strict=True))) for words in combinations]
    return found


# All measured rows of a file as arrays over the rows, ready for one pass of the engine.


@dataclass(frozen=True, kw_only=True)
class Cases:
    """Rows that can be predicted; every array has one element a row.

    `decode_*` is the layout of the instances that decode, of the only ones where aggregated; `prefill_*` is
    not a number there. `concurrency` is of one instance, or of one group of prefill and decode instances.
    `measurement` numbers what was measured: repeats share a number, and `counts` is true for one.
    """

    cases: tuple[Case, ...]
    rows: int  # of the file
    unsupported: tuple[Unsupported, ...]

    id: list[str]
    model_key: list[str]
    family: list[str]
    accelerator_key: list[str]
    system: list[str]  # as the file has it
    engine: list[str]
    era: list[str]
    format: list[str]  # as scenarios name it
    precision: list[str]  # by which constants are chosen
    generation: list[str]  # of the accelerator, as assumptions are chosen by
    chip: list[str]
    attention: list[str]  # of the model: latent | sparse | linear | windowed | plain
    assumed: list[tuple[str, ...]]

    aggregated: Mask
    complete_layout: Mask  # layout, instances and load are stated, or known from a repeat
    speculation: Mask
    cold_start: Mask
    dated: Mask  # rows without a date are of another protocol of measurement
    measurement: NDArray[np.intp]
    counts: Mask

    decode_tensor_parallel: Numbers
    decode_data_parallel: Numbers
    decode_pipeline_parallel: Numbers
    decode_expert_parallel: Numbers
    decode_redundant_experts: Numbers
    decode_instances: Numbers
    prefill_tensor_parallel: Numbers
    prefill_data_parallel: Numbers
    prefill_pipeline_parallel: Numbers
    prefill_expert_parallel: Numbers
    prefill_redundant_experts: Numbers
    prefill_instances: Numbers
    accelerators: Numbers  # of the instance or group
    engine_year: Numbers
    input_tokens: Numbers
    output_tokens: Numbers
    concurrency: Numbers
    ttft_s: Numbers
    tpot_s: Numbers

    def __len__(self) -> int:
        return len(self.cases)


def cases_of(path: Path, catalog: Catalog) -> Cases:
    """Every scored row of a file that can be predicted.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    return gathered([row for row in rows if row.scored], catalog, len(rows))


def gathered(rows: Sequence[Row], catalog: Catalog, count: int) -> Cases:
    """These rows as arrays; `count` is the number of rows of their file."""
    found: list[Case] = []
    unsupported: list[Unsupported] = []
    for row in rows:
        try:
            found.append(case_of(row, catalog))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(row.key, str(error)))
    return arrays_of(completed(found), catalog, rows=count, unsupported=tuple(unsupported))


def arrays_of(
    cases: Sequence[Case], catalog: Catalog, *, rows: int, unsupported: tuple[Unsupported, ...] = ()
) -> Cases:
    """Cases as arrays; `rows` is the number of rows of their file."""
    words = {
        key: context_of(catalog.part("accelerators", key)) for key in {case.accelerator_key for case in cases}
    }
    member, counts = measurements(cases)
    return Cases(
        cases=tuple(cases),
        rows=rows,
        unsupported=unsupported,
        id=[case.row.key for case in cases],
        model_key=[case.model_key for case in cases],
        family=[case.model_key for case in cases],
        accelerator_key=[case.accelerator_key for case in cases],
        system=[case.row.text("system") for case in cases],
        engine=[case.engine for case in cases],
        era=[case.era for case in cases],
        format=[case.precision for case in cases],
        precision=[number_formats()[case.precision].fitted_as for case in cases],
        generation=[words[case.accelerator_key]["generation"] for case in cases],
        chip=[words[case.accelerator_key]["chip"] for case in cases],
        attention=[attention_kind(catalog.part("models", case.model_key)) for case in cases],
        assumed=[case.assumed for case in cases],
        aggregated=_mask(cases, lambda case: case.aggregated),
        complete_layout=_mask(cases, lambda case: case.complete),
        speculation=_mask(cases, lambda case: case.speculation),
        cold_start=_cold_starts(cases, catalog),
        dated=_mask(cases, lambda case: bool(case.row.text("measured"))),
        measurement=member,
        counts=counts,
        **_layouts(cases),
        engine_year=_numbers(cases, lambda case: case.engine_year),
        input_tokens=_numbers(cases, lambda case: case.input_tokens),
        output_tokens=_numbers(cases, lambda case: case.output_tokens),
        concurrency=_numbers(cases, lambda case: case.concurrency),
        ttft_s=_numbers(cases, lambda case: case.ttft_s),
        tpot_s=_numbers(cases, lambda case: case.tpot_s),
    )


def words_of(cases: Cases) -> dict[str, NDArray[np.str_]]:
    """Subject of each row, by the groups that constants are fitted without."""
    return {
        MODEL: np.array(cases.family),
        SYSTEM: np.array(cases.accelerator_key),
        ENGINE: np.array(cases.engine),
        GENERATION: np.array(cases.generation),
        FORMAT: np.array(cases.precision),
        ATTENTION: np.array(cases.attention),
    }


def _layouts(cases: Sequence[Case]) -> dict[str, Numbers]:
    parts = (
        "tensor_parallel",
        "data_parallel",
        "pipeline_parallel",
        "expert_parallel",
        "redundant_experts",
    )
    decode = {f"decode_{name}": _numbers(cases, partial(_cut, name, "decode")) for name in parts}
    prefill = {f"prefill_{name}": _numbers(cases, partial(_cut, name, "prefill")) for name in parts}
    instances = _numbers(cases, lambda case: np.nan if case.aggregated else case.prefill_instances)
    accelerators = _numbers(
        cases,
        lambda case: (
            case.decode.accelerators * case.decode_instances
            + (0 if case.aggregated else case.prefill_accelerators)
        ),
    )
    return {
        **decode,
        **prefill,
        "decode_instances": _numbers(cases, lambda case: case.decode_instances),
        "prefill_instances": instances,
        "accelerators": accelerators,
    }


def _cut(name: str, pool: str, case: Case) -> float:
    cut = case.decode if pool == "decode" else case.prefill
    return float(getattr(cut, name)) if cut else float("nan")


def _cold_starts(cases: Sequence[Case], catalog: Catalog) -> Mask:
    facts = [measured_facts(case, catalog) for case in cases]
    flags = is_cold_start(
        ttft_s=_numbers(cases, lambda case: case.ttft_s),
        tpot_s=_numbers(cases, lambda case: case.tpot_s),
        output_tokens=_numbers(cases, lambda case: case.output_tokens),
        prompts_flop=np.array([one.prompts_flop for one in facts]),
        peak_flop_per_s=np.array([one.peak_flop_per_s for one in facts]),
        cache_bytes=np.array([one.cache_bytes for one in facts]),
        cache_room_bytes=np.array([one.cache_room_bytes for one in facts]),
    )
    flagged: Mask = flags > 0
    return flagged


def _numbers(cases: Sequence[Case], value: Callable[[Case], float]) -> Numbers:
    return np.array([value(case) for case in cases], dtype=float)


def _mask(cases: Sequence[Case], value: Callable[[Case], bool]) -> Mask:
    return np.array([value(case) for case in cases], dtype=bool)
