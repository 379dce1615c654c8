"""Spares and storage of a pod that workloads share: one stock for all of them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from app.engine.operations import storage
from app.engine.operations.section import Reliability, evaluate_reliability, kept_bytes
from app.engine.performance.generic_step import GenericPerformance
from app.engine.performance.section import Performance
from app.engine.quantities import quantity
from app.engine.shared.workload_run import Working
from app.engine.specs import Design, ServingWorkload
from app.engine.trace import Array

OF_THE_POOL = (
    "units_in_repair",
    "spare_units",
    "spare_units_recommended",
    "spare_supernodes",
    "spare_supernodes_installed",
    "spare_coverage",
    "availability",
)


@quantity(unit="B", source="definition")
def stored_of_all_bytes(*, stored_bytes: tuple[Array, ...]) -> Array:
    """What the shared storage holds for all workloads: checkpoints and data of runs, weights of served models."""
    return functools.reduce(operator.add, stored_bytes)


def with_stock_of_all(design: Design, each: Sequence[Working]) -> Reliability:
    """Reliability of the first workload, with the spares and the storage of the pod."""
    first = each[0]
    pool = evaluate_reliability(
        workload=design.workload,
        supernode=design.supernode,
        pod=design.pod,
        operations=design.operations,
        performance=first.performance,
        assumptions=design.assumptions.rooms["operations"],
    )
    return replace(
        first.reliability,
        **{name: getattr(pool, name) for name in OF_THE_POOL},
        storage_capacity_bytes=_capacity_bytes(design, each, pool.storage_write_bandwidth_bytes_per_s),
    )


def _capacity_bytes(design: Design, each: Sequence[Working], write_bytes_per_s: Array) -> Array:
    assumptions = design.assumptions.rooms["operations"]
    return storage.storage_capacity_bytes(
        stored_bytes=stored_of_all_bytes(stored_bytes=tuple(_stored_bytes(one) for one in each)),
        usable_share=assumptions.storage_usable_share,
        storage_write_bandwidth_bytes_per_s=write_bytes_per_s,
        write_per_capacity_per_s=assumptions.storage_write_per_capacity_per_s,
    )


def _stored_bytes(one: Working) -> Array:
    design = one.part.design
    if isinstance(design.workload, ServingWorkload):
        assert one.reliability.weights_bytes is not None, "a served model has weights"
        return one.reliability.weights_bytes
    run = cast("Performance | GenericPerformance", one.performance)
    return kept_bytes(design.workload, design.pod, run, design.assumptions.rooms["operations"])[1]
