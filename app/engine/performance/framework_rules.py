"""What one framework asks of layouts that are possible at all, by its row of the table of frameworks."""

from __future__ import annotations

from functools import cache

import numpy as np

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES
from app.engine.performance.memory_tiers import DRIVES, HOST, POOL, TIERS
from app.engine.performance.rule import Asked, Holds, Rule, formatted, listed, multiples, nearest, one_of
from app.engine.performance.schedules import MOE_OVERLAP, ONE_F_ONE_B, SCHEDULES
from app.engine.specs import Framework

ANY_RELEASE = "any"
"""Release of a framework that is not published."""
INTERLEAVED = "interleaved"
"""Virtual stages of 1F1B, as the table of frameworks names them."""


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


def first_release(framework: Framework, layout: Asked) -> str:
    """The first release that runs a layout: "Megatron-Core, 0.13.0 or later".

    The name alone where none does, and of a framework without releases.
    """
    if framework.first_release == ANY_RELEASE:
        return framework.name
    able = [release for release, rules in _releases(framework) if all(rule.holds(layout) for rule in rules)]
    return f"{framework.name}, {able[-1]} or later" if able else framework.name


@cache
def _releases(framework: Framework) -> tuple[tuple[str, tuple[Rule, ...]], ...]:
    """Releases of a framework, the newest first, with what each asks of layouts."""
    return tuple((one.first_release, framework_rules(one)) for one in (framework, *framework.earlier))


def _job_rules(by: Framework) -> tuple[Rule, ...]:
    return (
        Rule(
            name="precision",
            field="workload.precision",
            holds=lambda one: np.bool_(one.precision in by.precisions),
            says=lambda one: f"{by.name} trains in {listed(by.precisions)}, not in {one.precision}.",
        ),
        Rule(
            name="whole batch",
            field="workload.global_batch_sequences",
            holds=lambda one: (
                np.bool_(not by.whole_batch) | (one.batch % (one.data_parallel * one.micro_batch) == 0)
            ),
            says=lambda one: (
                f"{by.name} pads no batch: {formatted(one.batch)} sequences per step do not divide among "
                f"{formatted(one.data_parallel)} replicas x micro-batch {formatted(one.micro_batch)}. "
                f"{multiples(one.batch, one.data_parallel * one.micro_batch)}"
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
            says=lambda one: (
                f"{by.name} has no pipeline and pp is {formatted(one.pipeline_parallel)}. Set pp 1."
            ),
        ),
        Rule(
            name="virtual stages",
            field="parallelism.vpp",
            holds=lambda one: ~_interleaved(one) | interleaves,
            says=lambda one: (
                f"{by.name} has no virtual stages and vpp is {formatted(one.virtual_stages)}. Set vpp 1."
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
                f"{by.name} fills a pipeline with a multiple of its stages: {formatted(one.micro_batches)} micro-batches "
                f"are none of pp {formatted(one.pipeline_parallel)}. "
                f"{nearest(one.pipeline_parallel, one.micro_batches)}"
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
    return (one.virtual_stages > 1) & one_of(one.schedule, (ONE_F_ONE_B, MOE_OVERLAP))


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
        f"{by.name} splits layers evenly: {formatted(one.layers)} layers{with_ends} do not divide into pp "
        f"{formatted(one.pipeline_parallel)} x vpp {formatted(one.virtual_stages)} = {formatted(chunks)} stages. "
        f"{nearest(chunks, one.layers)}"
    )


def _micro_batches_said(one: Asked, by: Framework) -> str:
    count, stages = one.micro_batches, one.pipeline_parallel
    wants = {
        "at_least": f"at least as many micro-batches as stages, pp {formatted(stages)}",
        "multiple": f"micro-batches that are a multiple of pp {formatted(stages)}",
        "rounds": f"micro-batches in rounds of one length, at least pp {formatted(stages)}",
    }[by.interleaved_micro_batches]
    return (
        f"With vpp {formatted(one.virtual_stages)} {by.name} wants {wants}, and a replica has {formatted(count)}. "
        "Set vpp 1, a smaller pp or micro_batch, or a larger workload.global_batch_sequences."
    )


def _split_rules(by: Framework) -> tuple[Rule, ...]:
    return (
        Rule(
            name="context parallelism",
            field="parallelism.cp",
            holds=lambda one: (one.context_parallel == 1) | bool(by.context_parallel),
            says=lambda one: (
                f"{by.name} has no context parallelism and cp is {formatted(one.context_parallel)}. Set cp 1."
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
                f"{formatted(by.context_chunks * one.context_parallel)} pieces, which do not divide "
                f"{formatted(one.sequence)} tokens. "
                f"{nearest(one.context_parallel, np.floor(one.sequence / by.context_chunks))}"
            ),
        ),
        Rule(
            name="expert parallelism",
            field="parallelism.ep",
            holds=lambda one: (one.expert_parallel == 1) | by.expert_parallel,
            says=lambda one: (
                f"{by.name} has no expert parallelism and ep is {formatted(one.expert_parallel)}. Set ep 1."
            ),
        ),
        Rule(
            name="expert tensor parallelism",
            field="parallelism.etp",
            holds=lambda one: (one.expert_tensor_ranks <= 1) | by.expert_tensor_parallel,
            says=lambda one: (
                f"{by.name} splits no expert and etp is {formatted(one.expert_tensor_ranks)}. Set etp auto."
            ),
        ),
        Rule(
            name="shard groups",
            field="parallelism.shard_group",
            holds=lambda one: (one.shard_ranks == 0) | (one.shard_ranks >= one.replicas) | by.shard_groups,
            says=lambda one: (
                f"{by.name} shards over all replicas and shard_group is {formatted(one.shard_ranks)}. "
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
            holds=lambda one: (one.replicas == 1) | one_of(one.zero_stage, by.zero_stages),
            says=lambda one: (
                f"{by.name} runs ZeRO {listed(by.zero_stages)}, and zero_stage is {formatted(one.zero_stage)}. "
                f"{_nearest_stage(one.zero_stage, by.zero_stages)}"
            ),
            by_degrees=False,
        ),
        Rule(
            name="ZeRO stage of a pipeline",
            field="parallelism.zero_stage",
            holds=lambda one: (
                (one.replicas == 1)
                | (one.pipeline_parallel == 1)
                | ~one_of(one.zero_stage, by.zero_stages)
                | one_of(one.zero_stage, by.pipeline_zero_stages)
                | (not by.pipeline_zero_stages)
            ),
            says=lambda one: (
                f"With a pipeline {by.name} runs ZeRO {listed(by.pipeline_zero_stages)}, and zero_stage is "
                f"{formatted(one.zero_stage)}. {_nearest_stage(one.zero_stage, by.pipeline_zero_stages)[:-1]}, or pp 1."
            ),
            by_degrees=False,
        ),
        Rule(
            name="context",
            field="parallelism.context",
            holds=lambda one: (
                (one.context_parallel == 1) | (not by.context_parallel) | one_of(one.context_exchange, ways)
            ),
            says=lambda one: (
                f"{by.name} shares a sequence by {listed(by.context_parallel)}, and not "
                f"{CONTEXT_EXCHANGES[one.context_exchange]}. Set context {by.context_parallel[0]}, or cp 1."
            ),
            by_degrees=False,
        ),
        Rule(
            name="schedule",
            field="parallelism.schedule",
            holds=lambda one: one_of(one.schedule, codes),
            says=lambda one: (
                f"{by.name} has the schedules {listed(by.schedules)}, and not {SCHEDULES[one.schedule].key}. "
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
                f"{by.name} splits the {formatted(one.sequence / one.context_parallel)} tokens of a rank by tp with "
                f"sequence parallelism, and tp {formatted(one.tensor_parallel)} does not divide them. "
                f"{nearest(one.tensor_parallel, one.sequence / one.context_parallel)}"
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
                f"{by.name} offloads {listed(by.offload) if by.offload else 'nothing'}. "
                f"Set offload {' or '.join((*by.offload, 'none'))}."
            ),
            by_degrees=False,
        ),
        # No framework is known to lend the memory of other accelerators: that tier is asked of none. A pool is memory that
        # the operating system maps, as the host's.
        Rule(
            name="offload tier",
            field="parallelism.offload_to",
            holds=lambda one: (
                ((one.optimizer_offload == 0) & (one.activation_offload == 0))
                | (((one.offload_tier != HOST) & (one.offload_tier != POOL)) | ("host" in by.offload_to))
                & ((one.offload_tier != DRIVES) | ("nvme" in by.offload_to))
            ),
            says=lambda one: (
                f"{by.name} offloads to {listed(by.offload_to) or 'no tier'}, not to {TIERS[one.offload_tier]}. "
                f"Set offload_to {' or '.join(by.offload_to) or 'host with another framework'}."
            ),
            by_degrees=False,
        ),
    )


def _nearest_stage(asked: float, stages: tuple[int, ...]) -> str:
    """The ZeRO stage next to the one asked, as advice."""
    return f"Set zero_stage {min(stages, key=lambda stage: (abs(stage - asked), stage))}."
