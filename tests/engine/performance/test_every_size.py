"""Pods and batches of any size: a layout, or changes of one field that have one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from app.engine.performance.degrees import degree_table
from app.engine.performance.problems import no_layout
from app.engine.performance.space import USUAL
from app.engine.problems import Fix
from app.engine.specs import Pod, SuperNode, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100, number

SEEDS = range(300)
DOMAINS = (1, 2, 4, 8, 16, 24, 32, 36, 64, 72, 144, 256, 384)


class Case(NamedTuple):
    workload: TrainingWorkload
    supernode: SuperNode
    pod: Pod


def any_case(seed: int) -> Case:
    """A job on a pod of any size, half of them too small a batch or too odd a size for most layouts."""
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
    """The case on every smaller number of SuperNodes, or of accelerators where it leaves some of them out."""
    each, used = float(case.supernode.accelerators[0]), float(case.pod.accelerators_used[0])
    whole = used == float(case.pod.supernodes[0]) * each
    own, name = (used / each, "supernodes") if whole else (used, "accelerators_used")
    for count in range(1, min(int(own), 64)):
        yield changed(case, Fix(field=f"pod.{name}", value=float(count), message=""))


def test_without_a_layout_each_offered_change_has_one() -> None:
    without = [case for case in map(any_case, SEEDS) if not has_layout(case)]
    assert len(without) > 20
    for case in without:
        problem = no_layout(*case)
        assert problem.fix is not None
        fields = [fix.field for fix in problem.fixes]
        assert fields[0] == "workload.global_batch_sequences"
        assert len(fields) == 2 or not any(map(has_layout, smaller(case)))
        for fix in problem.fixes:
            assert has_layout(changed(case, fix)), (problem.message, fix)


@pytest.mark.parametrize(("domain", "supernodes", "batch"), [(72, 4, 2304), (8, 9, 2016), (8, 15, 1920)])
def test_no_nearer_batch_has_a_layout(domain: int, supernodes: int, batch: int) -> None:
    """By trying every batch: none between the one that is stated and the one that is offered."""
    node = dataclasses.replace(
        dgx_h100(), accelerators=number(domain), scale_up_domain_accelerators=number(domain)
    )
    stated = cases.training(cases.gpt(2, 4096, 32), 4096, 2048)
    case = Case(stated, node, cases.pod(domain * supernodes, node))
    (offered, *_) = no_layout(*case).fixes
    assert has_layout(changed(case, offered))
    nearer = range(
        int(2048 - abs(2048 - float(offered.value))) + 1, int(2048 + abs(2048 - float(offered.value)))
    )
    for other in nearer:
        assert not has_layout(changed(case, dataclasses.replace(offered, value=float(other))))
