"""A served workload with what was found for it stated: it keeps its layout and load when something else changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.engine.performance.serving.replica_load import Replica
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.sessions import session_requests
from app.engine.performance.serving.setting import AGGREGATED, Setting, settings_of
from app.engine.specs import Design, Kind, ServingLayout, ServingPlan, ServingWorkload
from app.engine.trace import Array, median_of

if TYPE_CHECKING:
    from app.engine.fabric.section import Fabric


def with_evaluated_layout(workload: ServingWorkload, performance: ServingPerformance) -> ServingWorkload:
    """The workload with the layout and the requests in flight of its evaluation."""
    found = replica_of(performance)
    plan = ServingPlan(
        decode=found.decode,
        decode_instances=_median(performance.replicas) if found.prefill is None else found.decode_instances,
        prefill=found.prefill,
        prefill_instances=found.prefill_instances,
        decode_on=_place(performance, "decode_on"),
        prefill_on=_place(performance, "prefill_on"),
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


def with_found_share(workload: ServingWorkload, performance: ServingPerformance) -> ServingWorkload:
    """The workload with the share of its prompts that its evaluation found in the cache, where it follows from the load."""
    if performance.prefix_hit_share is None:
        return workload
    asked, share = workload.requests, performance.context_hit_share
    assert asked.sessions is not None
    assert share is not None
    found = session_requests(
        asked.sessions, asked.cache_tier, _median(share), answers_found=performance.mode == AGGREGATED
    )
    return replace(workload, requests=found)


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
            context_parallel=shown.get(f"{prefix}cp", np.ones(1)),
        )

    if "prefill_tp" not in shown:
        return Replica(decode=layout(""), decode_instances=np.ones(1))
    return Replica(
        decode=layout(""),
        decode_instances=shown["decode_instances"],
        prefill=layout("prefill_"),
        prefill_instances=shown["prefill_instances"],
    )


def places_of(performance: ServingPerformance) -> tuple[int, ...]:
    """Kinds of SuperNode that a replica is on, by their places: one, or that of decode and that of prefill instances."""
    decode, prefill = (_place(performance, name) for name in ("decode_on", "prefill_on"))
    return (decode or 0,) if prefill is None or prefill == decode else (decode or 0, prefill)


def setting_found(
    design: Design, kinds: tuple[Kind, ...], fabric: Fabric, performance: ServingPerformance
) -> Setting:
    """What the layout of an evaluation is computed with: of a mixed pod the kinds of SuperNode that it chose."""
    workload, rooms = design.workload, design.assumptions.rooms
    assert isinstance(workload, ServingWorkload)
    settings = settings_of(
        workload=with_found_share(with_found_choices(workload, performance), performance),
        supernode=design.supernode,
        pod=design.pod,
        fabric=fabric,
        assumptions=rooms["serving"],
        of_chips=rooms["performance"],
        kinds=kinds,
    )
    decode = _place(performance, "decode_on")
    prefill = _place(performance, "prefill_on")
    wanted = (decode, decode if prefill is None else prefill)
    return next(each for each in settings if (each.on, each.prefilling.on) == wanted)


def _place(performance: ServingPerformance, name: str) -> int | None:
    found = performance.strategy.get(name)
    return None if found is None else round(median_of(found))


def _median(value: Array) -> Array:
    return np.full(1, median_of(value))
