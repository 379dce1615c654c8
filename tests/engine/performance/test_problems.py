"""Layout rules and memory problems: what binds, by how much, and a change that really fixes it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.engine.performance.section import layout_errors, performance_problems
from app.engine.problems import Problem
from app.engine.specs import Layout, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100, llama_405b_training


def faults(
    layout: Layout, accelerators: int = 16384, workload: TrainingWorkload | None = None
) -> dict[str, str]:
    node = dgx_h100()
    found: dict[str, str] = {}
    for field, message in layout_errors(
        workload=workload or llama_405b_training(),
        supernode=node,
        pod=cases.pod(accelerators, node),
        layout=layout,
    ):
        found[field] = f"{found.get(field, '')} {message}"
    return found


def problems(layout: Layout | None, accelerators: int) -> list[Problem]:
    workload, node = llama_405b_training(), dgx_h100()
    return performance_problems(
        workload=workload,
        supernode=node,
        pod=cases.pod(accelerators, node),
        layout=layout,
        performance=cases.evaluated(workload, layout, accelerators),
        assumptions=cases.assumed(workload, node),
    )


@pytest.mark.parametrize(
    ("layout", "field", "words"),
    [
        (cases.layout(tp=7, pp=16), "parallelism.tp", "128 heads. Nearest choices: 4 and 8."),
        (cases.layout(tp=8, pp=128), "parallelism.pp", "126 layers"),
        (cases.layout(tp=8, pp=16, vpp=9), "parallelism.vpp", "Choose vpp 8 or less."),
        (cases.layout(tp=8, vpp=2), "parallelism.vpp", "needs a pipeline"),
        (cases.layout(tp=8, pp=15), "parallelism.pp", "does not divide the 16,384 accelerators"),
        (cases.layout(tp=8, cp=3), "parallelism.cp", "8,192 tokens. Nearest choices: 2 and 4."),
        (cases.layout(tp=8, pp=16, ep=2), "parallelism.ep", "without experts"),
        (
            cases.layout(tp=1, pp=4),
            "workload.global_batch_sequences",
            "leave some of 4,096 data-parallel replicas without any. Nearest choice: 4,096.",
        ),
        (cases.layout(tp=8, pp=16, zero=4), "parallelism.zero_stage", "Choose 0, 1, 2 or 3."),
        (cases.layout(tp=0), "parallelism.tp", "whole number"),
        (cases.layout(tp=8, recompute=2), "parallelism.recompute", "0 to 1"),
    ],
)
def test_impossible_layout_says_where_and_what_else(layout: Layout, field: str, words: str) -> None:
    found = faults(layout)
    assert words in found[field]


def test_possible_layouts_have_no_errors() -> None:
    assert not faults(cases.layout(tp=8, pp=16, vpp=8, zero=2))
    assert not faults(cases.layout(pp=16, ep=64), 2048, cases.training(cases.deepseek_v3(), 4096, 15360))


def test_experts_must_divide() -> None:
    workload = cases.training(cases.deepseek_v3(), 4096, 15360)
    found = faults(cases.layout(pp=16, ep=48), 2048, workload)
    assert "256 experts. Nearest choices: 32 and 64." in found["parallelism.ep"]


def test_a_layout_that_fits_has_no_problem() -> None:
    assert problems(cases.layout(tp=8, pp=16, zero=2, selective=1), 16384) == []


def test_a_layout_near_the_limit_is_warned_of() -> None:
    """Memory of measured runs errs by up to 10 %: a stated layout may run up to that much over, and down to it."""
    (problem,) = problems(cases.layout(tp=8, pp=16, vpp=8, zero=2), 16384)
    assert (problem.kind, problem.constraint) == ("warning", "memory margin")
    assert problem.limit == pytest.approx(0.9 * 85.52e9, rel=1e-3)
    assert problem.fix is not None


@pytest.mark.parametrize(
    "layout",
    [
        cases.layout(tp=8, pp=16, zero=0),
        cases.layout(tp=8, pp=8, zero=1),
        cases.layout(tp=4, pp=32, zero=1),
        cases.layout(tp=8, pp=16, zero=1, micro_batch=4),
    ],
)
def test_the_proposed_change_fits(layout: Layout) -> None:
    (problem,) = problems(layout, 16384)
    over = (problem.value or 0) > 1.1 * 85.52e9
    assert problem.kind == ("infeasible" if over else "warning")
    assert problem.constraint == ("memory" if over else "memory margin")
    assert problem.missed_by == pytest.approx((problem.value or 0) - (problem.limit or 0))
    assert problem.fix is not None
    names = {
        "zero_stage": "zero_stage", "micro_batch": "micro_batch", "tp": "tensor_parallel",
        "pp": "pipeline_parallel", "recompute": "recompute", "sequence_parallel": "sequence_parallel",
        "selective": "selective_recompute",
    }  # fmt: skip
    name = problem.fix.field.removeprefix("parallelism.")
    if problem.fix.value == "selective":
        name = "selective"
    value = {"full": 1.0, "selective": 1.0, "true": 1.0}.get(str(problem.fix.value)) or float(
        problem.fix.value
    )
    changed = dataclasses.replace(layout, **{names[name]: np.full(1, value)})
    assert problems(changed, 16384) == []


def test_selective_recomputation_is_proposed_before_more_ranks() -> None:
    """Meta's layout without virtual stages misses 80 GB by 6.5: dropping norms and activations is enough."""
    (problem,) = problems(cases.layout(tp=8, pp=16, zero=2), 16384)
    assert problem.fix is not None
    assert (problem.fix.field, problem.fix.value) == ("parallelism.recompute", "selective")


def test_too_small_a_pod_asks_for_supernodes() -> None:
    (problem,) = problems(None, 8)
    assert problem.fix is not None
    assert problem.fix.field == "pod.supernodes"
    left = problems(None, int(problem.fix.value) * 8)
    assert {one.constraint for one in left} <= {"padding"}


def test_no_smaller_number_of_supernodes_than_the_one_offered_fits() -> None:
    """Between 8 SuperNodes and twice as many, every one by hand."""
    (problem,) = problems(None, 8 * 8)
    assert problem.fix is not None
    assert 8 < problem.fix.value < 16
    for count in range(9, int(problem.fix.value)):
        assert {one.constraint for one in problems(None, count * 8)} & {"memory", "memory margin"}


def test_no_layout_at_all() -> None:
    workload, node = cases.training(cases.gpt(2, 2048, 16), 2048, 7), dgx_h100()
    (problem,) = performance_problems(
        workload=workload,
        supernode=node,
        pod=dataclasses.replace(cases.pod(32, node), accelerators_used=np.full(1, 26.0)),
        layout=None,
        performance=cases.evaluated(workload, None, 26),
        assumptions=cases.assumed(workload, node),
    )
    assert problem.kind == "infeasible"
    assert problem.constraint == "layout"
    assert [fix.field for fix in problem.fixes] == [
        "workload.global_batch_sequences",
        "pod.accelerators_used",
    ]
