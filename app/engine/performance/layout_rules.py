"""Which layouts are possible: the rules of any framework and those of one, each declared once.

A rule holds or not for arrays of layouts, so that a search leaves out what breaks it, and says for one layout what is
wrong in the scenario's field names. A layout that breaks one is bad input; whether a possible layout fits the memory
is another question.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES, ULYSSES
from app.engine.performance.memory_tiers import DRIVES, HOST, TIERS
from app.engine.performance.schedules import MOE_OVERLAP, ONE_F_ONE_B, SCHEDULES, possible_schedules
from app.engine.specs import Framework, Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array, plain

_COUNTS = {
    "tensor_parallel": "tp",
    "pipeline_parallel": "pp",
    "context_parallel": "cp",
    "expert_parallel": "ep",
    "virtual_stages": "vpp",
    "micro_batch": "micro_batch",
}
ANY_RELEASE = "any"
"""Release of a framework that is not published."""
INTERLEAVED = "interleaved"
"""Virtual stages of 1F1B, as the table of frameworks names them."""

Holds = Any  # bools, of the shape that the layouts make together


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Layouts, and the job that they are of. Arrays that broadcast together; numbers where there is one layout."""

    tensor_parallel: Any
    pipeline_parallel: Any
    context_parallel: Any
    expert_parallel: Any
    expert_tensor_ranks: Any
    virtual_stages: Any
    micro_batch: Any
    zero_stage: Any
    sequence_parallel: Any
    recompute: Any
    selective_recompute: Any
    shard_ranks: Any
    optimizer_offload: Any
    activation_offload: Any
    offload_tier: Any
    schedule: Any
    context_exchange: Any
    layers: float
    heads: float
    kv_heads: float
    experts: float
    expert_hidden: float
    sequence: float
    batch: float
    used: float
    precision: str

    @property
    def group(self) -> Any:
        """Accelerators that share one copy of the model."""
        return self.tensor_parallel * self.pipeline_parallel * self.context_parallel

    @property
    def data_parallel(self) -> Any:
        return self.used / self.group

    @property
    def replicas(self) -> Any:
        """Ranks that have the same weights."""
        return self.data_parallel * self.context_parallel

    @property
    def micro_batches(self) -> Any:
        """Of a replica and step, the last one padded where it is not full."""
        return np.ceil(np.ceil(self.batch / self.data_parallel) / self.micro_batch)


LAYOUT_FIELDS = tuple(one.name for one in fields(Asked) if one.name in {own.name for own in fields(Layout)})
"""What of a layout the rules look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`by_degrees` holds or not for all choices of a way to split the job alike."""

    name: str
    field: str  # of the scenario
    holds: Callable[[Asked], Holds]
    says: Callable[[Asked], str]  # what is wrong, the limit and a way out
    by_degrees: bool = True


def job_numbers(workload: TrainingWorkload, accelerators_used: Array) -> dict[str, Any]:
    """What the rules look at of a job, as bare numbers of the median sample: the further fields of `Asked`."""
    m = workload.architecture
    heads = _whole(m.heads)
    return {
        "layers": _whole(m.layers),
        "heads": heads,
        "kv_heads": _whole(m.kv_heads) if m.attention != "mla" else heads,
        "experts": _whole(m.experts),
        "expert_hidden": _whole(m.expert_hidden),
        "sequence": _whole(workload.sequence_length),
        "batch": _whole(workload.global_batch_sequences),
        "used": _whole(accelerators_used),
        "precision": workload.precision,
    }


def asked_of(workload: TrainingWorkload, pod: Pod, layout: Layout) -> Asked:
    """One layout, every number of it bare."""
    numbers: dict[str, Any] = {name: _whole(getattr(layout, name)) for name in LAYOUT_FIELDS}
    return Asked(**numbers, **job_numbers(workload, pod.accelerators_used))


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
        if broken := [(rule.field, rule.says(one)) for rule in rules if not np.all(rule.holds(one))]:
            return broken
    return []


def runs(layouts: Asked, rules: tuple[Rule, ...]) -> NDArray[np.bool_]:
    """Which layouts break none of some rules."""
    found: NDArray[np.bool_] = np.ones(1, dtype=bool)
    for rule in rules:
        found = found & rule.holds(layouts)
    return found


def first_release(framework: Framework, layout: Asked) -> str:
    """The first release that runs a layout: "Megatron-Core, 0.13.0 or later".

    The name alone where none does, and of a framework without releases.
    """
    if framework.first_release == ANY_RELEASE:
        return framework.name
    able = [one for one in (framework, *framework.earlier) if np.all(runs(layout, framework_rules(one)))]
    return f"{framework.name}, {able[-1].first_release} or later" if able else framework.name


# -- any framework --------------------------------------------------------------------------------------------------


def _counted(name: str, short: str) -> Rule:
    return Rule(
        name=f"whole {short}",
        field=f"parallelism.{short}",
        holds=lambda one: (getattr(one, name) >= 1) & (getattr(one, name) == np.floor(getattr(one, name))),
        says=lambda one: f"{short} is {_said(getattr(one, name))}. Give a whole number from 1 up.",
    )


NUMBERS = (
    *(_counted(name, short) for name, short in _COUNTS.items()),
    Rule(
        name="zero_stage",
        field="parallelism.zero_stage",
        holds=lambda one: np.isin(one.zero_stage, (0, 1, 2, 3)),
        says=lambda one: f"zero_stage is {_said(one.zero_stage)}. Choose 0, 1, 2 or 3.",
    ),
    Rule(
        name="recompute",
        field="parallelism.recompute",
        holds=lambda one: (
            (one.recompute >= 0) & (one.recompute <= 1) & np.isin(one.selective_recompute, (0, 1))
        ),
        says=lambda one: (
            f"recompute is {_said(one.recompute)}. Choose none, selective, full, or a share from 0 to 1."
        ),
    ),
    Rule(
        name="context",
        field="parallelism.context",
        holds=lambda one: np.isin(one.context_exchange, tuple(CONTEXT_EXCHANGES)),
        says=lambda one: (
            f"context is {_said(one.context_exchange)}. Choose {', '.join(CONTEXT_EXCHANGES.values())}."
        ),
    ),
    Rule(
        name="schedule",
        field="parallelism.schedule",
        holds=lambda one: np.isin(one.schedule, tuple(SCHEDULES)),
        says=lambda one: (
            f"schedule is {_said(one.schedule)}. "
            f"Choose {', '.join(schedule.key for schedule in SCHEDULES.values())}."
        ),
    ),
    Rule(
        name="offload_to",
        field="parallelism.offload_to",
        holds=lambda one: np.isin(one.offload_tier, tuple(TIERS)),
        says=lambda one: f"offload_to is {_said(one.offload_tier)}. Choose host, peer or nvme.",
    ),
    Rule(
        name="sequence_parallel",
        field="parallelism.sequence_parallel",
        holds=lambda one: np.isin(one.sequence_parallel, (0, 1)),
        says=lambda one: f"sequence_parallel is {_said(one.sequence_parallel)}. Choose true or false.",
    ),
)
DEGREES = (
    Rule(
        name="heads by tp",
        field="parallelism.tp",
        holds=lambda one: one.heads % one.tensor_parallel == 0,
        says=lambda one: (
            f"tp {_said(one.tensor_parallel)} does not divide the {_said(one.heads)} heads. "
            f"{_nearest(one.tensor_parallel, one.heads)}"
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
            f"tp {_said(one.tensor_parallel)} neither divides the {_said(one.kv_heads)} key-value heads nor is a "
            f"multiple of them. {_nearest(one.tensor_parallel, one.kv_heads)}"
        ),
    ),
    Rule(
        name="stages of layers",
        field="parallelism.pp",
        holds=lambda one: one.pipeline_parallel <= one.layers,
        says=lambda one: (
            f"pp {_said(one.pipeline_parallel)} is more than the {_said(one.layers)} layers. "
            f"Choose pp {_said(one.layers)} or less."
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
            f"vpp {_said(one.virtual_stages)} x pp {_said(one.pipeline_parallel)} is more than the "
            f"{_said(one.layers)} layers with embedding and head. "
            f"Choose vpp {_said(np.floor((one.layers + 2) / one.pipeline_parallel))} or less."
        ),
    ),
    Rule(
        name="virtual stages of a pipeline",
        field="parallelism.vpp",
        holds=lambda one: (one.virtual_stages == 1) | (one.pipeline_parallel > 1),
        says=lambda one: (
            f"vpp {_said(one.virtual_stages)} needs a pipeline and pp is 1. Set vpp 1, or pp above 1."
        ),
    ),
    Rule(
        name="sequence by cp",
        field="parallelism.cp",
        holds=lambda one: one.sequence % one.context_parallel == 0,
        says=lambda one: (
            f"cp {_said(one.context_parallel)} does not divide the sequence of {_said(one.sequence)} tokens. "
            f"{_nearest(one.context_parallel, one.sequence)}"
        ),
    ),
    Rule(
        name="heads by tp x cp",
        field="parallelism.context",
        holds=lambda one: (
            (one.context_exchange != ULYSSES) | (one.heads / one.tensor_parallel % one.context_parallel == 0)
        ),
        says=lambda one: (
            f"context ulysses moves whole heads, and cp {_said(one.context_parallel)} does not divide the "
            f"{_said(one.heads / one.tensor_parallel)} heads of a tensor-parallel rank. "
            f"{_nearest(one.context_parallel, one.heads / one.tensor_parallel)} Or set context ring."
        ),
    ),
    Rule(
        name="whole shard_group",
        field="parallelism.shard_group",
        holds=lambda one: (one.shard_ranks >= 0) & (one.shard_ranks == np.floor(one.shard_ranks)),
        says=lambda one: f"shard_group is {_said(one.shard_ranks)}. Give all, or a whole number from 1 up.",
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
            f"shard_group {_said(one.shard_ranks)} does not divide the {_said(one.replicas)} replicas. "
            f"{_nearest(one.shard_ranks, one.replicas)}"
        ),
    ),
    Rule(
        name="ep of experts",
        field="parallelism.ep",
        holds=lambda one: (one.expert_parallel == 1) | (one.experts > 0),
        says=lambda one: f"ep {_said(one.expert_parallel)} is for a model without experts. Set ep 1.",
    ),
    Rule(
        name="experts by ep",
        field="parallelism.ep",
        holds=lambda one: one.experts % one.expert_parallel == 0,
        says=lambda one: (
            f"ep {_said(one.expert_parallel)} does not divide the {_said(one.experts)} experts. "
            f"{_nearest(one.expert_parallel, one.experts)}"
        ),
    ),
    Rule(
        name="whole etp",
        field="parallelism.etp",
        holds=lambda one: (
            (one.expert_tensor_ranks >= 0) & (one.expert_tensor_ranks == np.floor(one.expert_tensor_ranks))
        ),
        says=lambda one: f"etp is {_said(one.expert_tensor_ranks)}. Give auto, or a whole number from 1 up.",
    ),
    Rule(
        name="etp of experts",
        field="parallelism.etp",
        holds=lambda one: (one.expert_tensor_ranks <= 1) | (one.experts > 0),
        says=lambda one: (
            f"etp {_said(one.expert_tensor_ranks)} is for a model without experts. Set etp auto."
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
            f"etp {_said(one.expert_tensor_ranks)} does not divide the {_said(one.expert_hidden)} columns of an "
            f"expert. {_nearest(one.expert_tensor_ranks, one.expert_hidden)}"
        ),
    ),
)
ACCELERATORS = (
    Rule(
        name="accelerators by tp x pp x cp",
        field="parallelism.pp",
        holds=lambda one: one.used % one.group == 0,
        says=lambda one: (
            f"tp {_said(one.tensor_parallel)} x pp {_said(one.pipeline_parallel)} x cp "
            f"{_said(one.context_parallel)} = {_said(one.group)} does not divide the {_said(one.used)} accelerators "
            f"used. {_nearest(one.group, one.used)}"
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
            f"{_said(one.batch)} sequences a step leave some of {_said(one.data_parallel)} data-parallel replicas "
            f"without any. {_choices([one.data_parallel])}"
        ),
    ),
    Rule(
        name="ranks by ep x etp",
        field="parallelism.ep",
        holds=lambda one: (one.replicas * one.tensor_parallel) % _expert_ranks(one) == 0,
        says=lambda one: (
            f"ep x etp {_said(_expert_ranks(one))} does not divide the {_said(one.replicas * one.tensor_parallel)} "
            f"ranks of a pipeline stage. {_nearest(_expert_ranks(one), one.replicas * one.tensor_parallel)}"
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


# -- one framework --------------------------------------------------------------------------------------------------


@cache
def framework_rules(by: Framework) -> tuple[Rule, ...]:
    """What a framework asks of layouts that are possible at all."""
    return (*_job_rules(by), *_stage_rules(by), *_split_rules(by), *_choice_rules(by))


def seen_of_degrees(layouts: Asked, by: Framework) -> tuple[Holds, ...]:
    """All that rules of choices see of the degrees: they hold alike for layouts that are alike in this."""
    return (
        layouts.pipeline_parallel > 1,
        layouts.virtual_stages > 1,
        layouts.context_parallel > 1,
        layouts.replicas > 1,
        layouts.tensor_parallel > 1,
        layouts.sequence / layouts.context_parallel % layouts.tensor_parallel == 0,
        _interleaves(layouts, by.interleaved_micro_batches),
    )


def _job_rules(by: Framework) -> tuple[Rule, ...]:
    return (
        Rule(
            name="precision",
            field="workload.precision",
            holds=lambda one: np.bool_(one.precision in by.precisions),
            says=lambda one: f"{by.name} trains in {_listed(by.precisions)}, not in {one.precision}.",
        ),
        Rule(
            name="whole batch",
            field="workload.global_batch_sequences",
            holds=lambda one: (
                np.bool_(not by.whole_batch) | (one.batch % (one.data_parallel * one.micro_batch) == 0)
            ),
            says=lambda one: (
                f"{by.name} pads no batch: {_said(one.batch)} sequences a step do not divide among "
                f"{_said(one.data_parallel)} replicas x micro-batch {_said(one.micro_batch)}. "
                f"{_multiples(one.batch, one.data_parallel * one.micro_batch)}"
            ),
        ),
    )


def _stage_rules(by: Framework) -> tuple[Rule, ...]:
    interleaves = INTERLEAVED in by.schedules
    return (
        Rule(
            name="pipeline",
            field="parallelism.pp",
            holds=lambda one: (one.pipeline_parallel == 1) | bool(by.pipeline_zero_stages),
            says=lambda one: f"{by.name} has no pipeline and pp is {_said(one.pipeline_parallel)}. Set pp 1.",
        ),
        Rule(
            name="virtual stages",
            field="parallelism.vpp",
            holds=lambda one: ~_interleaved(one) | interleaves,
            says=lambda one: (
                f"{by.name} has no virtual stages and vpp is {_said(one.virtual_stages)}. Set vpp 1."
            ),
            by_degrees=False,
        ),
        Rule(
            name="even stages",
            field="parallelism.pp",
            holds=lambda one: _even_stages(one, by.uneven_stages),
            says=lambda one: _uneven_said(one, by),
        ),
        Rule(
            name="micro-batches of a pipeline",
            field="parallelism.pp",
            holds=lambda one: (
                np.bool_(by.pipeline_micro_batches == "any")
                | (one.pipeline_parallel == 1)
                | (one.micro_batches % one.pipeline_parallel == 0)
            ),
            says=lambda one: (
                f"{by.name} fills a pipeline with a multiple of its stages: {_said(one.micro_batches)} micro-batches "
                f"are none of pp {_said(one.pipeline_parallel)}. "
                f"{_nearest(one.pipeline_parallel, one.micro_batches)}"
            ),
        ),
        Rule(
            name="micro-batches of virtual stages",
            field="parallelism.vpp",
            holds=lambda one: ~_interleaved(one) | _interleaves(one, by.interleaved_micro_batches),
            says=lambda one: _micro_batches_said(one, by),
            by_degrees=False,
        ),
    )


def _interleaved(one: Asked) -> Holds:
    """Virtual stages of 1F1B; ZB-V has its two chunks of its own."""
    return (one.virtual_stages > 1) & np.isin(one.schedule, (ONE_F_ONE_B, MOE_OVERLAP))


def _even_stages(one: Asked, uneven: str) -> Holds:
    chunks = one.pipeline_parallel * one.virtual_stages
    if uneven == "any":
        return np.bool_(True)
    extra = (0, 1, 2) if uneven == "ends" else (0,)
    found: Holds = np.bool_(False)
    for layers in extra:
        found = found | ((one.layers + layers) % chunks == 0)
    return found | (one.pipeline_parallel == 1)


def _interleaves(one: Asked, asks: str) -> Holds:
    count, stages = one.micro_batches, one.pipeline_parallel
    if asks == "at_least":
        return count >= stages
    if asks == "multiple":
        return count % stages == 0
    if asks == "rounds":  # of at least so many micro-batches as there are stages, all of one length
        return count % np.maximum(np.floor(count / stages), 1) == 0
    return np.bool_(True)


def _uneven_said(one: Asked, by: Framework) -> str:
    chunks = one.pipeline_parallel * one.virtual_stages
    with_ends = ", with embedding and head or without," if by.uneven_stages == "ends" else ""
    return (
        f"{by.name} splits layers evenly: {_said(one.layers)} layers{with_ends} do not divide into pp "
        f"{_said(one.pipeline_parallel)} x vpp {_said(one.virtual_stages)} = {_said(chunks)} stages. "
        f"{_nearest(chunks, one.layers)}"
    )


def _micro_batches_said(one: Asked, by: Framework) -> str:
    count, stages = one.micro_batches, one.pipeline_parallel
    wants = {
        "at_least": f"at least as many micro-batches as stages, pp {_said(stages)}",
        "multiple": f"micro-batches that are a multiple of pp {_said(stages)}",
        "rounds": f"micro-batches in rounds of one length, at least pp {_said(stages)}",
    }[by.interleaved_micro_batches]
    return (
        f"With vpp {_said(one.virtual_stages)} {by.name} wants {wants}, and a replica has {_said(count)}. "
        "Set vpp 1, a smaller pp or micro_batch, or a larger workload.global_batch_sequences."
    )


def _split_rules(by: Framework) -> tuple[Rule, ...]:
    return (
        Rule(
            name="context parallelism",
            field="parallelism.cp",
            holds=lambda one: (one.context_parallel == 1) | bool(by.context_parallel),
            says=lambda one: (
                f"{by.name} has no context parallelism and cp is {_said(one.context_parallel)}. Set cp 1."
            ),
        ),
        Rule(
            name="pieces of a sequence by cp",
            field="parallelism.cp",
            holds=lambda one: (
                (one.context_parallel == 1) | (one.sequence % (by.context_chunks * one.context_parallel) == 0)
            ),
            says=lambda one: (
                f"{by.name} cuts a sequence into {by.context_chunks} x cp = "
                f"{_said(by.context_chunks * one.context_parallel)} pieces, which do not divide "
                f"{_said(one.sequence)} tokens. "
                f"{_nearest(one.context_parallel, np.floor(one.sequence / by.context_chunks))}"
            ),
        ),
        Rule(
            name="expert parallelism",
            field="parallelism.ep",
            holds=lambda one: (one.expert_parallel == 1) | by.expert_parallel,
            says=lambda one: (
                f"{by.name} has no expert parallelism and ep is {_said(one.expert_parallel)}. Set ep 1."
            ),
        ),
        Rule(
            name="expert tensor parallelism",
            field="parallelism.etp",
            holds=lambda one: (one.expert_tensor_ranks <= 1) | by.expert_tensor_parallel,
            says=lambda one: (
                f"{by.name} splits no expert and etp is {_said(one.expert_tensor_ranks)}. Set etp auto."
            ),
        ),
        Rule(
            name="shard groups",
            field="parallelism.shard_group",
            holds=lambda one: (one.shard_ranks == 0) | (one.shard_ranks >= one.replicas) | by.shard_groups,
            says=lambda one: (
                f"{by.name} shards over all replicas and shard_group is {_said(one.shard_ranks)}. "
                "Set shard_group all."
            ),
        ),
    )


def _choice_rules(by: Framework) -> tuple[Rule, ...]:
    ways = tuple(code for code, word in CONTEXT_EXCHANGES.items() if word in by.context_parallel)
    codes = tuple(code for code, schedule in SCHEDULES.items() if schedule.key in by.schedules)
    return (
        Rule(
            name="ZeRO stage",
            field="parallelism.zero_stage",
            holds=lambda one: (one.replicas == 1) | np.isin(one.zero_stage, by.zero_stages),
            says=lambda one: (
                f"{by.name} runs ZeRO {_listed(by.zero_stages)}, and zero_stage is {_said(one.zero_stage)}. "
                f"{_of(one.zero_stage, by.zero_stages)}"
            ),
            by_degrees=False,
        ),
        Rule(
            name="ZeRO stage of a pipeline",
            field="parallelism.zero_stage",
            holds=lambda one: (
                (one.replicas == 1)
                | (one.pipeline_parallel == 1)
                | ~np.isin(one.zero_stage, by.zero_stages)
                | np.isin(one.zero_stage, by.pipeline_zero_stages)
                | (not by.pipeline_zero_stages)
            ),
            says=lambda one: (
                f"With a pipeline {by.name} runs ZeRO {_listed(by.pipeline_zero_stages)}, and zero_stage is "
                f"{_said(one.zero_stage)}. {_of(one.zero_stage, by.pipeline_zero_stages)[:-1]}, or pp 1."
            ),
            by_degrees=False,
        ),
        Rule(
            name="context",
            field="parallelism.context",
            holds=lambda one: (
                (one.context_parallel == 1) | (not by.context_parallel) | np.isin(one.context_exchange, ways)
            ),
            says=lambda one: (
                f"{by.name} shares a sequence by {_listed(by.context_parallel)}, and not "
                f"{CONTEXT_EXCHANGES[one.context_exchange]}. Set context {by.context_parallel[0]}, or cp 1."
            ),
            by_degrees=False,
        ),
        Rule(
            name="schedule",
            field="parallelism.schedule",
            holds=lambda one: np.isin(one.schedule, codes),
            says=lambda one: (
                f"{by.name} has the schedules {_listed(by.schedules)}, and not {SCHEDULES[one.schedule].key}. "
                "Set schedule 1f1b."
            ),
            by_degrees=False,
        ),
        Rule(
            name="sequence parallelism",
            field="parallelism.sequence_parallel",
            holds=lambda one: (
                (one.tensor_parallel == 1) | (one.sequence_parallel == 0) | by.sequence_parallel
            ),
            says=lambda one: f"{by.name} has no sequence parallelism. Set sequence_parallel false.",
            by_degrees=False,
        ),
        Rule(
            name="sequence by tp",
            field="parallelism.tp",
            holds=lambda one: (
                np.bool_(not by.sequence_by_tensor)
                | (one.tensor_parallel == 1)
                | (one.sequence_parallel == 0)
                | (one.sequence / one.context_parallel % one.tensor_parallel == 0)
            ),
            says=lambda one: (
                f"{by.name} splits the {_said(one.sequence / one.context_parallel)} tokens of a rank by tp with "
                f"sequence parallelism, and tp {_said(one.tensor_parallel)} does not divide them. "
                f"{_nearest(one.tensor_parallel, one.sequence / one.context_parallel)}"
            ),
            by_degrees=False,
        ),
        Rule(
            name="offload",
            field="parallelism.offload",
            holds=lambda one: (
                ((one.optimizer_offload == 0) | ("optimizer" in by.offload))
                & ((one.activation_offload == 0) | ("activations" in by.offload))
            ),
            says=lambda one: (
                f"{by.name} offloads {_listed(by.offload) if by.offload else 'nothing'}. "
                f"Set offload {' or '.join((*by.offload, 'none'))}."
            ),
            by_degrees=False,
        ),
        # No framework is known to lend the memory of other accelerators: that tier is asked of none.
        Rule(
            name="offload tier",
            field="parallelism.offload_to",
            holds=lambda one: (
                ((one.optimizer_offload == 0) & (one.activation_offload == 0))
                | ((one.offload_tier != HOST) | ("host" in by.offload_to))
                & ((one.offload_tier != DRIVES) | ("nvme" in by.offload_to))
            ),
            says=lambda one: (
                f"{by.name} offloads to {_listed(by.offload_to) or 'no tier'}, not to {TIERS[one.offload_tier]}. "
                f"Set offload_to {' or '.join(by.offload_to) or 'host with another framework'}."
            ),
            by_degrees=False,
        ),
    )


# -- words ----------------------------------------------------------------------------------------------------------


def _whole(value: object) -> float:
    return float(np.median(np.asarray(plain(value), dtype=float)))


def _said(value: float) -> str:
    return f"{value:,.0f}" if value == np.floor(value) else f"{value:g}"


def _nearest(value: float, whole: float) -> str:
    """The divisors of `whole` next to `value`, as advice."""
    numbers = np.arange(1, min(int(whole), 100_000) + 1)
    divisors = numbers[int(whole) % numbers == 0]
    below, above = divisors[divisors < value], divisors[divisors > value]
    return _choices([*below[-1:], *above[:1]])


def _multiples(value: float, unit: float) -> str:
    """The multiples of `unit` next to `value`, as advice."""
    below = np.floor(value / unit) * unit
    return _choices([count for count in (below, below + unit) if count > 0])


def _of(value: float, choices: tuple[int, ...]) -> str:
    """The choice next to a number, as advice."""
    nearest = min(choices, key=lambda choice: (abs(choice - value), choice))
    return f"Set zero_stage {nearest}."


def _listed(words: tuple[object, ...]) -> str:
    """As a list in a sentence: 0, 1 and 3."""
    said = [str(word) for word in words]
    return " and ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


def _choices(near: list[float]) -> str:
    said = [_said(float(choice)) for choice in near]
    return f"Nearest choice{'s' if len(said) > 1 else ''}: {' and '.join(said)}."
