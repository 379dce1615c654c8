"""The layout of a replica as its evaluation shows it, and as what a search has chosen."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.performance import layout_figures
from app.engine.performance.serving.layout_selection import Choice
from app.engine.performance.serving.replica_load import Replica
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.space import DEGREES
from app.engine.quantities import alias
from app.engine.specs import ServingLayout, ServingWorkload
from app.engine.trace import Array, Traced, plain, traced_search

_DISAGGREGATED = "[1] Zhong et al. 2024, arXiv 2401.09670 (DistServe)"
_ATTENTION = (
    "[1] SGLang documentation, data-parallel attention; [2] DeepSeek-AI 2024, arXiv 2412.19437, section 3.4"
)


attention_replicas = alias(
    "attention_replicas",
    "Replicas of attention that share their experts",
    of="data_parallel",
    at="performance.attention_replicas",
    source=_ATTENTION,
    also_at="performance.strategy.dp",
)
redundant_experts = alias(
    "redundant_experts",
    "Redundant experts",
    of="copies",
    at="performance.strategy.redundant_experts",
    source=_ATTENTION,
)
decode_instances = alias(
    "decode_instances",
    "Decode instances",
    of="instances",
    at="performance.strategy.decode_instances",
    source=_DISAGGREGATED,
)
prefill_instances = alias(
    "prefill_instances",
    "Prefill instances",
    of="instances",
    at="performance.strategy.prefill_instances",
    source=_DISAGGREGATED,
)
prefill_tensor_parallel = alias(
    "prefill_tensor_parallel",
    "Tensor parallelism, prefill",
    of="tensor_parallel",
    at="performance.strategy.prefill_tp",
    source="[1] Shoeybi et al. 2019, arXiv 1909.08053",
)
prefill_attention_replicas = alias(
    "prefill_attention_replicas",
    "Attention replicas, prefill",
    of="data_parallel",
    at="performance.strategy.prefill_dp",
    source=_ATTENTION,
)
prefill_pipeline_parallel = alias(
    "prefill_pipeline_parallel",
    "Pipeline stages, prefill",
    of="pipeline_parallel",
    at="performance.strategy.prefill_pp",
    source="[1] Narayanan et al. 2021, arXiv 2104.04473",
)
prefill_expert_parallel = alias(
    "prefill_expert_parallel",
    "Expert parallelism, prefill",
    of="expert_parallel",
    at="performance.strategy.prefill_ep",
    source="[1] Lepikhin et al. 2020, arXiv 2006.16668",
)
prefill_redundant_experts = alias(
    "prefill_redundant_experts",
    "Redundant experts, prefill",
    of="copies",
    at="performance.strategy.prefill_redundant_experts",
    source=_ATTENTION,
)
guessed_tokens = alias(
    "guessed_tokens",
    "Draft tokens per step",
    of="guessed",
    at="performance.strategy.guessed_tokens",
    source="[1] Leviathan, Kalman, Matias 2022, arXiv 2211.17192",
)
prefill_context_parallel = alias(
    "prefill_context_parallel",
    "Context parallelism, prefill",
    of="context_parallel",
    at="performance.strategy.prefill_cp",
    source="[1] Liu et al. 2023, arXiv 2310.01889",
)
host_share = alias(
    "host_share",
    "Share of weights in host memory",
    percent=True,
    of="share",
    at="performance.strategy.host_share",
    source="[1] Sheng et al. 2023, arXiv 2303.06865 (FlexGen)",
)


def strategy_of(replica: Replica, workload: ServingWorkload) -> dict[str, Array]:
    """By the names of `performance.strategy`; of a group those of its decode instances, then of prefill."""
    shown = _layout_of(replica)
    if workload.host_weights is not None:
        shown["host_share"] = host_share(share=workload.host_weights.share)
    if workload.speculation.auto:
        shown["guessed_tokens"] = guessed_tokens(guessed=workload.speculation.tokens)
    return shown


decode_on = alias(
    "decode_on",
    "SuperNode type for decode",
    of="place",
    at="performance.strategy.decode_on",
    note="main: the first kind of a mixed pod; also_n: the n-th further kind.",
)
prefill_on = alias(
    "prefill_on",
    "SuperNode type for prefill",
    of="place",
    at="performance.strategy.prefill_on",
    note="main: the first kind of a mixed pod; also_n: the n-th further kind.",
)


def kinds_of_strategy(setting: Setting, *, grouped: bool) -> dict[str, Array]:
    """The kinds of SuperNode that a replica is on, by the names of `performance.strategy`; none of a pod of one kind."""
    if setting.on is None:
        return {}
    found = {"decode_on": decode_on(place=_searched_kind(setting, "decode_on", setting.on))}
    if not grouped:
        return found
    place = setting.prefilling.on
    assert place is not None
    return found | {"prefill_on": prefill_on(place=_searched_kind(setting, "prefill_on", place))}


def _searched_kind(setting: Setting, name: str, place: int) -> Array:
    note = "kind of SuperNode with most output tokens of the pod within the SLO"
    return chosen_by_search(name, np.full(1, float(place)), looked_at(setting), note)


def _layout_of(replica: Replica) -> dict[str, Array]:
    own = replica.decode
    shown = {
        "tp": layout_figures.tensor_parallel(tensor_parallel=own.tensor_parallel),
        "pp": layout_figures.pipeline_parallel(pipeline_parallel=own.pipeline_parallel),
        "dp": attention_replicas(data_parallel=own.data_parallel),
        "ep": layout_figures.expert_parallel(expert_parallel=own.expert_parallel),
        "redundant_experts": redundant_experts(copies=own.redundant_experts),
    }
    if np.any(plain(own.context_parallel) > 1):
        shown["cp"] = layout_figures.context_parallel(context_parallel=own.context_parallel)
    if replica.prefill is None or replica.prefill_instances is None:
        return shown
    if np.any(plain(replica.prefill.context_parallel) > 1):
        shown["prefill_cp"] = prefill_context_parallel(context_parallel=replica.prefill.context_parallel)
    return shown | {
        "decode_instances": decode_instances(instances=replica.decode_instances),
        "prefill_instances": prefill_instances(instances=replica.prefill_instances),
        "prefill_tp": prefill_tensor_parallel(tensor_parallel=replica.prefill.tensor_parallel),
        "prefill_pp": prefill_pipeline_parallel(pipeline_parallel=replica.prefill.pipeline_parallel),
        "prefill_dp": prefill_attention_replicas(data_parallel=replica.prefill.data_parallel),
        "prefill_ep": prefill_expert_parallel(expert_parallel=replica.prefill.expert_parallel),
        "prefill_redundant_experts": prefill_redundant_experts(copies=replica.prefill.redundant_experts),
    }


def explained(setting: Setting, choice: Choice) -> Replica:
    """The chosen replica: what the scenario states as it states it, what was searched for as a search found it."""
    plan, found = setting.workload.plan, choice.replica
    note = f"most output tokens of {choice.layouts:,} layouts that meet the SLO, else the nearest to it"
    inputs = looked_at(setting)

    def searched(name: str, value: Array) -> Array:
        return chosen_by_search(name, value, inputs, note)

    def layout(stated: ServingLayout | None, each: ServingLayout, kind: str) -> ServingLayout:
        if stated is not None:
            return stated
        return ServingLayout(**{name: searched(f"{kind}_{name}", getattr(each, name)) for name in DEGREES})

    if found.prefill is None:
        return Replica(
            decode=layout(None if plan is None else plan.decode, found.decode, "instance"),
            decode_instances=found.decode_instances,
        )
    counts: list[Any] = [None, None] if plan is None else [plan.decode_instances, plan.prefill_instances]
    return Replica(
        decode=layout(None if plan is None else plan.decode, found.decode, "decode"),
        decode_instances=searched("decode_instances", found.decode_instances)
        if counts[0] is None
        else counts[0],
        prefill=layout(None if plan is None else plan.prefill, found.prefill, "prefill"),
        prefill_instances=searched("prefill_instances", _given(found.prefill_instances))
        if counts[1] is None
        else counts[1],
    )


def chosen_by_search(name: str, value: Array, inputs: dict[str, Any], note: str) -> Array:
    """A value that a search chose; where the inputs are traced it says so."""
    traced = {role: part for role, part in inputs.items() if isinstance(part, Traced)}
    found: Any = traced_search(name, value, "1", traced, note) if traced else value
    return found  # type: ignore[no-any-return]


def guessed_by_search(setting: Setting, value: Array) -> Array:
    """Tokens guessed a step that were searched for."""
    note = "shortest time per token of 0 to 8 guessed tokens at the load"
    inputs = looked_at(setting) | {"chance that a guess stands": setting.workload.speculation.acceptance}
    return chosen_by_search("guessed_tokens", value, inputs, note)


def load_by_search(setting: Setting, name: str, value: Array) -> Array:
    """Requests in flight that were searched for."""
    return chosen_by_search(
        name, value, looked_at(setting), "requests in flight, by evaluating from one to what memory holds"
    )


def looked_at(setting: Setting) -> dict[str, Any]:
    """What a search looks at, by name."""
    machine, asked, level = setting.machine, setting.workload.requests, setting.workload.level
    looked = {
        "accelerators used": setting.accelerators_used,
        "scale-up domain": machine.domain_accelerators,
        "memory": machine.memory_bytes,
        "memory bandwidth": machine.memory_bandwidth_bytes_per_s,
        "scale-up bandwidth": machine.scale_up_bandwidth_bytes_per_s,
        "scale-out bandwidth": machine.scale_out_bandwidth_bytes_per_s,
        "input tokens": asked.input_tokens,
        "output tokens": asked.output_tokens,
        "time-to-first-token SLO": level.ttft_s,
        "time-per-output-token SLO": level.tpot_s,
    }
    demand = setting.workload.demand
    return looked if demand is None else looked | {"requests per second": demand.requests_per_s}


def _given(value: Array | None) -> Array:
    assert value is not None
    return value
