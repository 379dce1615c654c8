"""What was found for a workload, stated."""

from __future__ import annotations

from dataclasses import replace

from app.engine.performance.serving.replica_memory import with_evaluated_layout
from tests.engine.performance.serving.pods import evaluate, instance, plan, workload
from tests.support import number


def test_copies_of_experts_are_kept_on_both_sides() -> None:
    own, others = (replace(instance(1), redundant_experts=number(copies)) for copies in (2, 3))
    split = plan(own, others, decode_instances=number(1), prefill_instances=number(1))
    stated = with_evaluated_layout(workload(), evaluate(plan=split, concurrency=number(8))).plan
    assert stated is not None
    assert stated.prefill is not None
    assert (stated.decode.redundant_experts[0], stated.prefill.redundant_experts[0]) == (2, 3)
