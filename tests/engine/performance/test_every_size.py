"""Pods and batches of any size: a layout, or changes of one field that have one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from app.engine.performance.degrees import degree_table, replica_counts
from app.engine.performance.hardware import hardware_of
from app.engine.performance.job import job_of
from app.engine.performance.layouts import Layouts
from app.engine.performance.memory import memory
from app.engine.performance.search import computed, layout_of
from app.engine.performance.section import Performance, evaluate_training, layouts_of, performance_problems
from app.engine.performance.space import USUAL, Space
from app.engine.performance.ways_out import no_layout
from app.engine.problems import Fix, Problem
from app.engine.specs import Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import Array
from tests.engine.performance import cases
from tests.support import dgx_h100, number, part_of

SEEDS = part_of(range(300))
DOMAINS = (1, 2, 4, 8, 16, 24, 32, 36, 64, 72, 144, 256, 384)


class Case(NamedTuple):
    workload: TrainingWorkload
    supernode: SuperNode
    pod: Pod


def any_case(seed: int) -> Case:
    """A job on a pod of any size, half too small a batch or too odd a size for most layouts."""
    random = np.random.default_rng(seed)
    each = float(random.choice(DOMAINS))
    supernode = dataclasses.replace(
        dgx_h100(),
        accelerators=number(each),
        scale_up_domain_accelerators=number(each),
        nodes=number(max(each // 8, 1)),
    )
    heads = int(random.choice([8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 96, 128]))
    architecture = cases.gpt(int(random.integers(1, 130)), heads * 128, heads)
    batch = int(random.choice([*range(1, 20), 100, 512, 1000, 1024, 2048, 4096]))
    pod = cases.pod(int(each) * int(random.integers(1, 130)), supernode)
    if random.random() < 0.3:
        used = number(float(random.integers(1, int(pod.accelerators_used[0]) + 1)))
        pod = dataclasses.replace(pod, accelerators_used=used)
    return Case(cases.training(architecture, 4096, batch), supernode, pod)


def has_layout(case: Case) -> bool:
    return (
        degree_table(case.workload, case.supernode, case.pod.accelerators_used, USUAL)["micro_batch"].size > 0
    )


def offered(case: Case) -> Problem:
    return no_layout(*case, cases.assumed(case.workload, case.supernode))


def fits(case: Case) -> bool:
    """Whether a layout of the usual space leaves the memory margin free, by computing every one."""
    assumed = cases.assumed(case.workload, case.supernode)
    limit = case.supernode.accelerator.memory_bytes * (1 - assumed.memory_margin)
    job = job_of(case.workload)
    return any(
        (memory(job=job, strategy=block, assumptions=assumed).memory_per_accelerator_bytes <= limit).any()
        for block in layouts_of(*case, USUAL).blocks()
    )


def batches(case: Case) -> Iterator[Fix]:
    """A sequence for each replica of every way to split the job."""
    for count in replica_counts(case.workload, case.supernode, case.pod.accelerators_used, USUAL):
        yield Fix(field="workload.global_batch_sequences", value=float(count), message="")


def changed(case: Case, fix: Fix) -> Case:
    value = number(float(fix.value))
    if fix.field == "workload.global_batch_sequences":
        return case._replace(workload=dataclasses.replace(case.workload, global_batch_sequences=value))
    if fix.field == "pod.accelerators_used":
        assert value <= case.pod.supernodes * case.supernode.accelerators
        return case._replace(pod=dataclasses.replace(case.pod, accelerators_used=value))
    assert fix.field == "pod.supernodes"
    used = value * case.supernode.accelerators
    return case._replace(pod=dataclasses.replace(case.pod, supernodes=value, accelerators_used=used))


def smaller(case: Case) -> Iterator[Case]:
    """The case on every smaller number of SuperNodes, or of accelerators where it leaves some out."""
    each, used = float(case.supernode.accelerators[0]), float(case.pod.accelerators_used[0])
    whole = used == float(case.pod.supernodes[0]) * each
    own, name = (used / each, "supernodes") if whole else (used, "accelerators_used")
    for count in range(1, min(int(own), 64)):
        yield changed(case, Fix(field=f"pod.{name}", value=float(count), message=""))


@pytest.mark.slow
def test_without_a_layout_each_offered_change_has_one() -> None:
    without = [case for case in map(any_case, SEEDS) if not has_layout(case)]
    assert len(without) > len(SEEDS) / 60
    for case in without:
        problem = offered(case)
        assert problem.fix is not None
        fields = [fix.field for fix in problem.fixes]
        if "workload.global_batch_sequences" not in fields:
            assert not any(fits(changed(case, batch)) for batch in batches(case)), case
        if len(fields) < 2:
            assert not any(map(fits, smaller(case)))
        for fix in problem.fixes:
            assert fits(changed(case, fix)), (problem.message, fix)


@pytest.mark.slow
@pytest.mark.parametrize(("domain", "supernodes", "batch"), [(72, 4, 8), (8, 9, 2), (8, 13, 12)])
def test_no_nearer_batch_has_a_layout(domain: int, supernodes: int, batch: int) -> None:
    """By trying every batch: none between the one that is stated and the one that is offered."""
    node = dataclasses.replace(
        dgx_h100(), accelerators=number(domain), scale_up_domain_accelerators=number(domain)
    )
    stated = cases.training(cases.gpt(2, 4096, 32), 4096, batch)
    case = Case(stated, node, cases.pod(domain * supernodes, node))
    (nearest, *_) = offered(case).fixes
    assert has_layout(changed(case, nearest))
    for other in range(1, int(nearest.value)):
        assert not has_layout(changed(case, dataclasses.replace(nearest, value=float(other))))


def searched_steps(case: Case, space: Space = USUAL) -> tuple[Layouts, Array]:
    """Every layout of a space for a case, and its step time."""
    workload, node, pod = case
    layouts = layouts_of(workload, node, pod, space)
    assumed = cases.assumed(workload, node)
    hardware = hardware_of(
        workload=workload, supernode=node, pod=pod, fabric=cases.fabric(node), assumptions=assumed
    )
    found = computed(job=job_of(workload), hardware=hardware, layouts=layouts, assumptions=assumed)
    return layouts, found.step_time_s


@pytest.mark.slow
def test_no_layout_uses_more_than_there_is_or_outruns_the_peak() -> None:
    for case in map(any_case, SEEDS):
        layouts, step_time_s = searched_steps(case)
        if not layouts.size:
            continue
        every = layouts.at(np.arange(layouts.size))
        ranks = every.tensor_parallel * every.pipeline_parallel * every.context_parallel * every.data_parallel
        used = float(case.pod.accelerators_used[0])
        assert (ranks == used).all()
        assert (every.data_parallel <= case.workload.global_batch_sequences).all()
        tokens = case.workload.global_batch_sequences * case.workload.sequence_length
        flop = tokens * job_of(case.workload).flops.model
        assert (step_time_s >= flop / (used * case.supernode.accelerator.peak_flop_per_s)).all()


@pytest.mark.slow
def test_padding_takes_the_time_of_sequences_and_counts_for_nothing() -> None:
    padded = 0
    for seed in SEEDS:
        case = any_case(seed)
        layouts, _ = searched_steps(case)
        if not layouts.size:
            continue
        place = np.random.default_rng(seed).integers(layouts.size)
        layout = layout_of(layouts.at(np.array([place])))
        runs = [evaluated(case, layout, case.workload.global_batch_sequences)]
        padding = runs[0].strategy["padding_sequences"]
        runs.append(evaluated(case, layout, case.workload.global_batch_sequences + padding))
        full = runs[1].strategy
        assert full["padding_sequences"] == 0
        assert full["micro_batches"] == runs[0].strategy["micro_batches"]
        np.testing.assert_allclose(runs[0].step_time_s, runs[1].step_time_s, rtol=1e-12)
        real = case.workload.global_batch_sequences / (case.workload.global_batch_sequences + padding)
        np.testing.assert_allclose(runs[0].tokens_per_s, real * runs[1].tokens_per_s, rtol=1e-12)
        warned = [
            problem for problem in problems_of(case, layout, runs[0]) if problem.constraint == "padding"
        ]
        assert bool(warned) == bool(padding > 0)
        for fix in (fix for problem in warned for fix in problem.fixes):
            again = evaluated(case, layout, number(float(fix.value)))
            assert again.strategy["padding_sequences"] == 0
        padded += bool(padding > 0)
    assert padded > len(SEEDS) / 10


@pytest.mark.slow
def test_a_larger_space_is_never_slower() -> None:
    powers = tuple(2.0**power for power in range(7))
    degrees = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
    fewer = dataclasses.replace(USUAL, only={**USUAL.only, **dict.fromkeys(degrees, powers)})
    faster = 0
    for case in map(any_case, SEEDS):
        (_, all_steps), (_, some) = searched_steps(case), searched_steps(case, fewer)
        if some.size:
            assert all_steps.min() <= some.min()
            faster += all_steps.min() < some.min()
    assert faster > len(SEEDS) / 60


def evaluated(case: Case, layout: Layout, batch: Array) -> Performance:
    workload = dataclasses.replace(case.workload, global_batch_sequences=batch)
    return evaluate_training(
        workload=workload,
        supernode=case.supernode,
        pod=case.pod,
        fabric=cases.fabric(case.supernode),
        layout=layout,
        assumptions=cases.assumed(workload, case.supernode),
    )


def problems_of(case: Case, layout: Layout, performance: Performance) -> list[Problem]:
    return performance_problems(
        workload=case.workload,
        supernode=case.supernode,
        pod=case.pod,
        layout=layout,
        performance=performance,
        assumptions=cases.assumed(case.workload, case.supernode),
    )


@pytest.mark.slow
def test_idle_accelerators_make_no_layout_faster() -> None:
    """The same layout on domains of the accelerators that work, and on larger ones that leave the others out."""
    tried = 0
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        part, idle, supernodes = (int(random.integers(1, high)) for high in (65, 33, 9))
        small, large = (sized_node(count) for count in (part, part + idle))
        workload = any_case(seed).workload
        case = Case(workload, small, cases.pod(part * supernodes, small))
        layouts, _ = searched_steps(case)
        if not layouts.size:
            continue
        chosen = layout_of(layouts.at(np.array([random.integers(layouts.size)])))
        pod = dataclasses.replace(
            cases.pod((part + idle) * supernodes, large),
            accelerators_used=number(part * supernodes),
            domain_accelerators_used=number(part),
        )
        left_out = Case(workload, large, pod)
        batch = workload.global_batch_sequences
        times = [float(evaluated(one, chosen, batch).step_time_s[0]) for one in (case, left_out)]
        assert times[1] >= times[0] * (1 - 1e-12)
        (again, _) = searched_steps(left_out)
        assert again.size == layouts.size
        tried += 1
    assert tried > len(SEEDS) / 2


def sized_node(accelerators: int) -> SuperNode:
    """A SuperNode of one domain with a host and a NIC for each accelerator."""
    count = number(accelerators)
    sizes = ("accelerators", "scale_up_domain_accelerators", "nodes", "scale_out_nics")
    return dataclasses.replace(dgx_h100(), **dict.fromkeys(sizes, count))
