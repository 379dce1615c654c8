"""Links between prefill and decode that are as good as always busy are named, with what they carry."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.engine.fabric.collectives.shared_links import nothing_shared
from app.engine.performance.serving.evaluate import evaluate_serving
from app.engine.performance.serving.problems import serving_problems
from app.engine.performance.serving.setting import setting_of
from app.engine.problems import Problem
from app.engine.specs import Pod, Requests
from tests.engine.performance.serving.pods import instance, plan, pod, workload
from tests.support import build, number

TOKEN = 32 * 2 * 8 * 128 * 2  # bytes of a token of Llama 3.1 8B in 16 bit


def found(link_bytes_per_s: float) -> list[Problem]:
    """One instance of eight that prefills 8,192 tokens for another that answers with 8, 256 in flight."""
    given: dict[str, Any] = pod(
        workload=workload(
            requests=build(
                Requests, input_tokens=8192, output_tokens=8, input_variation=0, output_variation=0, cached_share=0
            ),
            plan=plan(instance(8), instance(8), prefill_instances=number(1), decode_instances=number(1)),
            concurrency=number(256),
        ),
        pod=build(Pod, supernodes=2, accelerators_used=16, fabric=None),
        fabric=SimpleNamespace(
            scale_out_bandwidth_bytes_per_s=number(link_bytes_per_s), shared_links=nothing_shared(),
        ),
    )  # fmt: skip
    with np.errstate(all="ignore"):
        performance = evaluate_serving(**given)
        problems = serving_problems(setting=setting_of(**given), pod=given["pod"], performance=performance)
    return [problem for problem in problems if problem.constraint == "kv_transfer"]


def test_slow_links_are_named_with_what_they_carry() -> None:
    (problem,) = found(1e9)
    share = pod()["assumptions"].kv_transfer_bandwidth_share[0]
    assert (problem.kind, problem.field, problem.unit) == ("warning", "workload.layout", "1/s")
    assert problem.limit == pytest.approx(8 * 1e9 * share / (8192 * TOKEN))
    assert problem.value is not None
    assert problem.limit is not None
    assert 0.8 * problem.limit < problem.value <= problem.limit * 1.001
    assert "% busy" in problem.message


def test_fast_links_are_not() -> None:
    assert found(50e9) == []
