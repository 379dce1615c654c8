"""A served workload with what was found for it stated: it keeps its layout and load when something else changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.serving.loaded import Replica
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import ServingLayout, ServingPlan, ServingWorkload
from app.engine.trace import Array, median_of


def held(workload: ServingWorkload, performance: ServingPerformance) -> ServingWorkload:
    """The workload with the layout and the requests in flight of its evaluation."""
    found = replica_of(performance)
    plan = ServingPlan(
        decode=found.decode,
        decode_instances=_median(performance.replicas) if found.prefill is None else found.decode_instances,
        prefill=found.prefill,
        prefill_instances=found.prefill_instances,
    )
    workload = with_found_choices(workload, performance)
    return replace(workload, plan=plan, concurrency=_median(performance.concurrency))


def with_found_choices(workload: ServingWorkload, performance: ServingPerformance) -> ServingWorkload:
    """The workload with what its evaluation found where that was left open.

    That is the tokens guessed a step, and the share of the weights in the memory of the host.
    """
    guesses, weights = workload.speculation, workload.host_weights
    if guesses.auto:
        tokens = _median(performance.strategy["guessed_tokens"])
        guesses = replace(guesses, tokens=tokens, auto=False)
    if weights is not None and weights.auto:
        weights = replace(weights, share=_median(performance.strategy["host_share"]), auto=False)
    return replace(workload, speculation=guesses, host_weights=weights)


def replica_of(performance: ServingPerformance) -> Replica:
    """The layout of an evaluation as bare numbers."""
    return _replica({name: _median(value) for name, value in performance.strategy.items()})


def stated_replica(performance: ServingPerformance) -> Replica:
    """The layout of an evaluation as it is."""
    return _replica(performance.strategy)


def _replica(shown: dict[str, Array]) -> Replica:
    def layout(prefix: str) -> ServingLayout:
        return ServingLayout(
            tensor_parallel=shown[f"{prefix}tp"],
            data_parallel=shown[f"{prefix}dp"],
            pipeline_parallel=shown[f"{prefix}pp"],
            expert_parallel=shown[f"{prefix}ep"],
            redundant_experts=shown[f"{prefix}redundant_experts"],
        )

    if "prefill_tp" not in shown:
        return Replica(decode=layout(""), decode_instances=np.ones(1))
    return Replica(
        decode=layout(""),
        decode_instances=shown["decode_instances"],
        prefill=layout("prefill_"),
        prefill_instances=shown["prefill_instances"],
    )


def _median(value: Array) -> Array:
    return np.full(1, median_of(value))
