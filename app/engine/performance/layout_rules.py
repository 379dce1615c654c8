"""Which layouts are possible in any framework, each rule declared once, and what is wrong with one layout.

A rule holds or not for arrays of layouts, so that a search leaves out what breaks it, and says for one layout what is
wrong in the scenario's field names. A layout that breaks one is bad input; whether a possible layout fits the memory
is another question.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES, ULYSSES
from app.engine.performance.framework_rules import framework_rules
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.rule import Asked, Holds, Rule, asked_of, choices, formatted, nearest, one_of
from app.engine.performance.schedules import SCHEDULES, possible_schedules
from app.engine.specs import Framework, Layout, Pod, SuperNode, TrainingWorkload

_COUNTS = {
    "tensor_parallel": "tp",
    "pipeline_parallel": "pp",
    "context_parallel": "cp",
    "expert_parallel": "ep",
    "virtual_stages": "vpp",
    "micro_batch": "micro_batch",
}


def layout_errors(
    *,
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    layout: Layout,
    framework: Framework | None = None,
) -> list[tuple[str, str]]:
    """What is impossible about a layout: (scenario field, message) pairs, empty when it can run.

    A message says what is wrong and ends in a way out. The rules of a framework are looked at where no other is broken.
    """
    one = asked_of(workload, pod, layout)
    groups = (*UNIVERSAL, framework_rules(framework)) if framework else UNIVERSAL
    for rules in groups:
        # What follows from a wrong degree is no fault of its own.
        if broken := [(rule.field, rule.says(one)) for rule in rules if not rule.holds(one)]:
            return broken
    return []


def _counted(name: str, short: str) -> Rule:
    return Rule(
        name=f"whole {short}",
        field=f"parallelism.{short}",
        holds=lambda one: (getattr(one, name) >= 1) & (getattr(one, name) == np.floor(getattr(one, name))),
        says=lambda one: f"{short} is {formatted(getattr(one, name))}. Give a whole number from 1 up.",
    )


NUMBERS = (
    *(_counted(name, short) for name, short in _COUNTS.items()),
    Rule(
        name="zero_stage",
        field="parallelism.zero_stage",
        holds=lambda one: one_of(one.zero_stage, (0, 1, 2, 3)),
        says=lambda one: f"zero_stage is {formatted(one.zero_stage)}. Choose 0, 1, 2 or 3.",
    ),
    Rule(
        name="recompute",
        field="parallelism.recompute",
        holds=lambda one: (
            (one.recompute >= 0) & (one.recompute <= 1) & one_of(one.selective_recompute, (0, 1))
        ),
        says=lambda one: (
            f"recompute is {formatted(one.recompute)}. Choose none, selective, full, or a share from 0 to 1."
        ),
    ),
    Rule(
        name="context",
        field="parallelism.context",
        holds=lambda one: one_of(one.context_exchange, tuple(CONTEXT_EXCHANGES)),
        says=lambda one: (
            f"context is {formatted(one.context_exchange)}. Choose {', '.join(CONTEXT_EXCHANGES.values())}."
        ),
    ),
    Rule(
        name="schedule",
        field="parallelism.schedule",
        holds=lambda one: one_of(one.schedule, tuple(SCHEDULES)),
        says=lambda one: (
            f"schedule is {formatted(one.schedule)}. "
            f"Choose {', '.join(schedule.key for schedule in SCHEDULES.values())}."
        ),
    ),
    Rule(
        name="offload_to",
        field="parallelism.offload_to",
        holds=lambda one: one_of(one.offload_tier, tuple(TIERS)),
        says=lambda one: f"offload_to is {formatted(one.offload_tier)}. Choose host, peer, nvme or pool.",
    ),
    Rule(
        name="sequence_parallel",
        field="parallelism.sequence_parallel",
        holds=lambda one: one_of(one.sequence_parallel, (0, 1)),
        says=lambda one: f"sequence_parallel is {formatted(one.sequence_parallel)}. Choose true or false.",
    ),
)
DEGREES = (
    Rule(
        name="heads by tp",
        field="parallelism.tp",
        holds=lambda one: one.heads % one.tensor_parallel == 0,
        says=lambda one: (
            f"tp {formatted(one.tensor_parallel)} does not divide the {formatted(one.heads)} heads. "
            f"{nearest(one.tensor_parallel, one.heads)}"
        ),
    ),
    Rule(
        name="key-value heads by tp",
        field="parallelism.tp",
        holds=lambda one: (
            (one.heads % one.tensor_parallel != 0)
            | (one.kv_heads == 0)
            | (one.kv_heads % one.tensor_parallel == 0)
            | (one.tensor_parallel % max(one.kv_heads, 1) == 0)
        ),
        says=lambda one: (
            f"tp {formatted(one.tensor_parallel)} neither divides the {formatted(one.kv_heads)} key-value heads nor is a "
            f"multiple of them. {nearest(one.tensor_parallel, one.kv_heads)}"
        ),
    ),
    Rule(
        name="stages of layers",
        field="parallelism.pp",
        holds=lambda one: one.pipeline_parallel <= one.layers,
        says=lambda one: (
            f"pp {formatted(one.pipeline_parallel)} is more than the {formatted(one.layers)} layers. "
            f"Choose pp {formatted(one.layers)} or less."
        ),
    ),
    # The embedding and the head may stand as chunks of their own: Meta ran 126 layers on 16 x 8 chunks.
    Rule(
        name="virtual stages of layers",
        field="parallelism.vpp",
        holds=lambda one: (
            (one.pipeline_parallel > one.layers)
            | (one.virtual_stages * one.pipeline_parallel <= one.layers + 2)
        ),
        says=lambda one: (
            f"vpp {formatted(one.virtual_stages)} x pp {formatted(one.pipeline_parallel)} is more than the "
            f"{formatted(one.layers)} layers with embedding and head. "
            f"Choose vpp {formatted(np.floor((one.layers + 2) / one.pipeline_parallel))} or less."
        ),
    ),
    Rule(
        name="virtual stages of a pipeline",
        field="parallelism.vpp",
        holds=lambda one: (one.virtual_stages == 1) | (one.pipeline_parallel > 1),
        says=lambda one: (
            f"vpp {formatted(one.virtual_stages)} needs a pipeline and pp is 1. Set vpp 1, or pp above 1."
        ),
    ),
    Rule(
        name="sequence by cp",
        field="parallelism.cp",
        holds=lambda one: one.sequence % one.context_parallel == 0,
        says=lambda one: (
            f"cp {formatted(one.context_parallel)} does not divide the sequence of {formatted(one.sequence)} tokens. "
            f"{nearest(one.context_parallel, one.sequence)}"
        ),
    ),
    Rule(
        name="heads by tp x cp",
        field="parallelism.context",
        holds=lambda one: (
            (one.context_exchange != ULYSSES) | (one.heads / one.tensor_parallel % one.context_parallel == 0)
        ),
        says=lambda one: (
            f"context ulysses moves whole heads, and cp {formatted(one.context_parallel)} does not divide the "
            f"{formatted(one.heads / one.tensor_parallel)} heads of a tensor-parallel rank. "
            f"{nearest(one.context_parallel, one.heads / one.tensor_parallel)} Or set context ring."
        ),
    ),
    Rule(
        name="whole shard_group",
        field="parallelism.shard_group",
        holds=lambda one: (one.shard_ranks >= 0) & (one.shard_ranks == np.floor(one.shard_ranks)),
        says=lambda one: (
            f"shard_group is {formatted(one.shard_ranks)}. Give all, or a whole number from 1 up."
        ),
    ),
    Rule(
        name="replicas by shard_group",
        field="parallelism.shard_group",
        holds=lambda one: (
            (one.shard_ranks <= 0)
            | (one.shard_ranks != np.floor(one.shard_ranks))
            | (one.replicas != np.floor(one.replicas))
            | (one.replicas % np.maximum(one.shard_ranks, 1) == 0)
        ),
        says=lambda one: (
            f"shard_group {formatted(one.shard_ranks)} does not divide the {formatted(one.replicas)} replicas. "
            f"{nearest(one.shard_ranks, one.replicas)}"
        ),
    ),
    Rule(
        name="ep of experts",
        field="parallelism.ep",
        holds=lambda one: (one.expert_parallel == 1) | (one.experts > 0),
        says=lambda one: f"ep {formatted(one.expert_parallel)} is for a model without experts. Set ep 1.",
    ),
    Rule(
        name="experts by ep",
        field="parallelism.ep",
        holds=lambda one: one.experts % one.expert_parallel == 0,
        says=lambda one: (
            f"ep {formatted(one.expert_parallel)} does not divide the {formatted(one.experts)} experts. "
            f"{nearest(one.expert_parallel, one.experts)}"
        ),
    ),
    Rule(
        name="whole etp",
        field="parallelism.etp",
        holds=lambda one: (
            (one.expert_tensor_ranks >= 0) & (one.expert_tensor_ranks == np.floor(one.expert_tensor_ranks))
        ),
        says=lambda one: (
            f"etp is {formatted(one.expert_tensor_ranks)}. Give auto, or a whole number from 1 up."
        ),
    ),
    Rule(
        name="etp of experts",
        field="parallelism.etp",
        holds=lambda one: (one.expert_tensor_ranks <= 1) | (one.experts > 0),
        says=lambda one: (
            f"etp {formatted(one.expert_tensor_ranks)} is for a model without experts. Set etp auto."
        ),
    ),
    Rule(
        name="columns of an expert by etp",
        field="parallelism.etp",
        holds=lambda one: (
            (one.expert_tensor_ranks <= 1)
            | (one.experts == 0)
            | (one.expert_tensor_ranks != np.floor(one.expert_tensor_ranks))
            | (one.expert_hidden % np.maximum(one.expert_tensor_ranks, 1) == 0)
        ),
        says=lambda one: (
            f"etp {formatted(one.expert_tensor_ranks)} does not divide the {formatted(one.expert_hidden)} columns of an "
            f"expert. {nearest(one.expert_tensor_ranks, one.expert_hidden)}"
        ),
    ),
)
ACCELERATORS = (
    Rule(
        name="accelerators by tp x pp x cp",
        field="parallelism.pp",
        holds=lambda one: one.used % one.group == 0,
        says=lambda one: (
            f"tp {formatted(one.tensor_parallel)} x pp {formatted(one.pipeline_parallel)} x cp "
            f"{formatted(one.context_parallel)} = {formatted(one.group)} does not divide the {formatted(one.used)} accelerators "
            f"used. {nearest(one.group, one.used)}"
        ),
    ),
)


def _expert_ranks(one: Asked) -> Any:
    """Ranks over which the experts of a layer spread; any number where they do not."""
    spread = one.expert_parallel * np.maximum(one.expert_tensor_ranks, 1)
    return np.where(one.expert_parallel > 1, spread, 1)


BATCH = (
    Rule(
        name="a sequence for each replica",
        field="workload.global_batch_sequences",
        holds=lambda one: one.batch >= one.data_parallel,
        says=lambda one: (
            f"{formatted(one.batch)} sequences per step leave some of {formatted(one.data_parallel)} data-parallel replicas "
            f"without any. {choices([one.data_parallel])}"
        ),
    ),
    Rule(
        name="ranks by ep x etp",
        field="parallelism.ep",
        holds=lambda one: (one.replicas * one.tensor_parallel) % _expert_ranks(one) == 0,
        says=lambda one: (
            f"ep x etp {formatted(_expert_ranks(one))} does not divide the {formatted(one.replicas * one.tensor_parallel)} "
            f"ranks of a pipeline stage. {nearest(_expert_ranks(one), one.replicas * one.tensor_parallel)}"
        ),
    ),
)


def _schedule_holds(one: Asked) -> Holds:
    names = ("pipeline_parallel", "virtual_stages", "expert_parallel", "micro_batches", "schedule")
    *layout, schedule = np.broadcast_arrays(*(np.atleast_1d(getattr(one, name)) for name in names))
    can = possible_schedules(**dict(zip(names, layout, strict=False)))
    place = np.searchsorted(np.array(tuple(SCHEDULES)), schedule)
    return np.take_along_axis(can, place[None], axis=0)[0]


SCHEDULE = (
    Rule(
        name="what a schedule needs",
        field="parallelism.schedule",
        holds=_schedule_holds,
        says=lambda one: (
            f"schedule {SCHEDULES[one.schedule].key} needs {SCHEDULES[one.schedule].needs}. "
            "Change that, or set schedule 1f1b."
        ),
    ),
)
UNIVERSAL = (NUMBERS, DEGREES, ACCELERATORS, BATCH, SCHEDULE)
"""Each group is looked at where none before it is broken."""
