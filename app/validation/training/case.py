"""A row as the design that the engine evaluates, with what was measured and what it takes for granted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.fabric.section import Fabric, evaluate_fabric
from app.engine.performance.job import job_of
from app.engine.performance.memory import memory
from app.engine.performance.section import found_layout
from app.engine.performance.strategy import strategy_of
from app.engine.specs import Architecture, Design, Layout
from app.engine.workload.flops import attention_flop
from app.engine.workload.transformer import ParameterCounts, parameter_counts
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.validation.study import Row, UnsupportedRowError
from app.validation.training.architecture import model_of
from app.validation.training.job import cluster, layout, software

# What a row measured, in tokens per second and accelerator, whichever way its source prints it.

IN_BYTES = {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30}


def measured_tokens_per_s(row: Row, peak_flop_per_s: float | None, architecture: Architecture) -> float:
    """Measured tokens per second and accelerator: as printed, from the step time, from FLOP/s or from MFU.

    Raises
    ------
    UnsupportedRowError : nothing was measured, or in a FLOP convention that the row does not state
    """
    rate = row.number("measured_tokens_per_s_per_gpu")
    if rate:
        return rate
    step_s = row.number("measured_iteration_s")
    if step_s:
        return row.needed("global_batch_seqs") * row.needed("seq_len") / step_s / row.needed("n_accelerators")
    achieved = row.number("measured_tflops_per_gpu")
    share = row.number("measured_mfu_pct")
    if achieved:
        flop_per_s = achieved * 1e12
    elif share and peak_flop_per_s:
        flop_per_s = share / 100 * peak_flop_per_s
    else:
        raise UnsupportedRowError("no speed was measured")
    return flop_per_s / flop_per_token(row, architecture)


def measured_memory_bytes(row: Row) -> float | None:
    """Peak memory of an accelerator, in the unit that its column says: GB where it says none, as the name does.

    Raises
    ------
    UnsupportedRowError : the unit is not one of memory
    """
    peak = row.number("measured_peak_mem_gb")
    if peak is None:
        return None
    unit = (row.text("measured_peak_mem_unit") or "GB").split()[0]  # "GB as printed"
    if unit.lower() not in IN_BYTES:
        raise UnsupportedRowError(f"measured_peak_mem_unit is {unit!r}; it may be GB, GiB, MB or MiB")
    return peak * IN_BYTES[unit.lower()]


def flop_per_token(row: Row, architecture: Architecture) -> float:
    """FLOPs that the source of a row counts for a token, by its stated convention.

    Attention is as wide as its heads are together, queries and keys with values in the mean, which need not
    be the width of the model: n (qk + v) / 2. The formulas by the width alone are those of 2021, where it is.

    Raises
    ------
    UnsupportedRowError : the convention is not stated or not known
    """
    convention = row.text("flop_convention")
    a = architecture
    tokens, words = row.needed("seq_len"), row.count("vocab") or float(a.vocabulary[0])
    layers, width = float(a.layers[0]), float(a.hidden[0])
    if convention.startswith("hardware_full_recompute"):
        return 96 * layers * width**2 * (1 + tokens / (6 * width) + words / (16 * layers * width))
    if convention == "model_72Bslh2_full_attention":
        return 72 * layers * width**2 * (1 + tokens / (6 * width) + words / (12 * layers * width))
    billions = row.number("active_params_b") or row.number("params_b")
    parameters = float(parameter_counts(architecture=a).active[0]) if billions is None else billions * 1e9
    # A tied embedding multiplies each token as the output head, and is one table: nothing of it is left out.
    multiplied = parameters - (0 if a.tied_embedding[0] else words * width)
    over_all = attention_flop(a, attended=np.full(1, float(tokens)))
    attention = 3 * float((a.attention_layers * over_all)[0])  # forward, and twice that backward
    if convention.startswith("mosaic_model"):
        return 6 * parameters + attention
    if "causal_half" in convention:
        return 6 * multiplied + attention / 2
    if "full_attention" in convention:
        return 6 * multiplied + attention
    raise UnsupportedRowError(f"the FLOP convention {convention or 'is not stated'!r} cannot be converted")


# A row as the design that the engine evaluates, with what it takes for granted.

COLUMNS = (
    "accelerator_key", "n_accelerators", "layers", "hidden", "heads", "seq_len", "global_batch_seqs",
)  # fmt: skip
PRECISIONS = ("bf16", "fp16", "fp8", "mxfp8", "nvfp4", "int8")
TOKENS = 1e12  # of the whole run: step time does not depend on it
ROOM = 1.1
"""Memory needed over memory there is up to which a run is taken to fit: the memory model errs by as much."""


@dataclass(frozen=True)
class Case:
    """One measured run, ready to be predicted; evaluating its document gives the same prediction."""

    row: Row
    document: dict[str, Any]
    design: Design
    context: Mapping[str, str]
    fabric: Fabric
    measured_tokens_per_s: float
    measured_memory_bytes: float | None
    assumed: tuple[str, ...]

    @cached_property
    def memory_bytes(self) -> float:
        """Memory of an accelerator that the engine says it needs."""
        assert self.design.layout is not None  # a case has one, found where none is stated
        return _memory_bytes(self.design, self.design.layout)

    @property
    def states_layout(self) -> bool:
        """Return whether the row gives its layout, other than a search."""
        return isinstance(self.document["parallelism"], dict)

    @property
    def fits(self) -> bool:
        """Return whether an evaluation lets it run: within the memory of an accelerator, the margin of its model included."""
        margin = float(self.design.assumptions.rooms["performance"].memory_margin[0])
        return self.memory_bytes <= (1 + margin) * float(self.design.supernode.accelerator.memory_bytes[0])

    @property
    def kind_of_model(self) -> str:
        """Dense, or a mixture of experts."""
        return "moe" if self.design.training.architecture.experts[0] > 0 else "dense"

    @cached_property
    def parameters(self) -> float:
        """Parameters as printed, else as counted."""
        printed = self.row.number("params_b")
        return printed * 1e9 if printed else float(self._counts.total[0])

    @cached_property
    def active_parameters(self) -> float:
        """Parameters that a token meets, as printed, else as counted; all of a dense model."""
        if self.kind_of_model == "dense":
            return self.parameters
        printed = self.row.number("active_params_b")
        return printed * 1e9 if printed else float(self._counts.active[0])

    @cached_property
    def _counts(self) -> ParameterCounts:
        return parameter_counts(architecture=self.design.training.architecture)


def scenario_of(row: Row, catalog: Catalog) -> tuple[dict[str, Any], tuple[str, ...], tuple[str, ...]]:
    """The scenario of a row, what it takes for granted, and what its recomputation may be.

    Raises
    ------
    UnsupportedRowError : the row lacks what nothing else says
    """
    precision = row.text("precision_class").lower() or "bf16"
    if precision not in PRECISIONS:
        raise UnsupportedRowError(f"the precision {precision!r} is not built")
    hardware = cluster(row, catalog)
    used = software(row)
    model = model_of(row, catalog)
    plan = layout(model.row, used["framework"])
    document = {
        "name": row.key,
        "workload": {
            "kind": "training",
            "model": model.stated,
            "tokens": TOKENS,
            "sequence_length": row.needed("seq_len"),
            "global_batch_sequences": row.needed("global_batch_seqs"),
            "precision": precision,
            "routing": "balanced",  # tables of vendors force it
            "software": used,
        },
        "supernode": hardware.supernode,
        "pod": hardware.pod,
        "parallelism": plan.parallelism,
    }
    return document, model.assumed + plan.assumed, plan.recompute


def case_of(row: Row, catalog: Catalog) -> Case:
    """A row as a design.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    document, assumed, allowed = scenario_of(row, catalog)
    try:
        resolved = resolve(build_scenario(document), catalog)
    except ScenarioError as error:
        raise UnsupportedRowError(str(error)) from None
    design = resolved.design
    peak_flop_per_s = float(design.supernode.accelerator.peak_flop_per_s[0])
    measured = measured_tokens_per_s(row, peak_flop_per_s, design.training.architecture)
    with np.errstate(invalid="ignore", divide="ignore"):
        rooms = design.assumptions.rooms
        fabric = evaluate_fabric(supernode=design.supernode, pod=design.pod, assumptions=rooms["fabric"])
        chosen = design.layout or found_layout(
            design.training,
            design.supernode,
            design.pod,
            fabric,
            rooms["performance"],
            framework=design.framework,
        )
        if chosen is None:
            raise UnsupportedRowError("no layout of the search can run it")
        design = replace(design, layout=chosen)
        if len(allowed) > 1:
            design, taken = _fitting(design, chosen, allowed)
            document["parallelism"]["recompute"] = taken
            assumed = (*assumed, f"recompute {taken}")
    return Case(
        row, document, design, resolved.context, fabric, measured, measured_memory_bytes(row), assumed
    )


def _fitting(design: Design, chosen: Layout, allowed: tuple[str, ...]) -> tuple[Design, str]:
    """The least recomputation that the memory has room for."""
    for name in allowed:
        tried = replace(
            chosen,
            recompute=np.full(1, float(name == "full")),
            selective_recompute=np.full(1, float(name == "selective")),
        )
        fitting = replace(design, layout=tried)
        if _memory_bytes(fitting, tried) <= ROOM * float(design.supernode.accelerator.memory_bytes[0]):
            break
    return fitting, name


def _memory_bytes(design: Design, tried: Layout) -> float:
    held = memory(
        job=job_of(design.training),
        strategy=strategy_of(layout=tried, accelerators_used=design.pod.accelerators_used),
        assumptions=design.assumptions.rooms["performance"],
    )
    return float(held.memory_per_accelerator_bytes[0])
