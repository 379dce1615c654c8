"""A row as the design that the engine evaluates, with what it takes for granted."""

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
from app.engine.specs import Design, Layout
from app.engine.workload.transformer import ParameterCounts, parameter_counts
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.validation.rows import Row, UnsupportedRowError
from app.validation.training.architecture import model_of
from app.validation.training.hardware import cluster
from app.validation.training.layout import layout
from app.validation.training.measured import measured_memory_bytes, measured_tokens_per_s
from app.validation.training.software import software

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
        """Whether the row gives its layout, other than a search."""
        return isinstance(self.document["parallelism"], dict)

    @property
    def fits(self) -> bool:
        """Whether an evaluation lets it run: within the memory of an accelerator, the margin of its model included."""
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
