"""Requests as a scenario states them: a shared prefix, and the tier that the cached part of prompts waits in."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from app.catalog.ready import ready_catalog
from app.engine.explain import traced_design
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import ServingWorkload
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.scenarios.service import evaluate_scenario
from app.scenarios.serving.requests import CacheTier
from tests.scenarios.serving.cases import faults, resolved, served, values

ASKED = {"input_tokens": 2000, "output_tokens": 500}
SERVED = {"layout": {"tp": 8}, "concurrency": 32}


def of(**requests: Any) -> dict[str, Any]:
    return {"requests": ASKED | requests}


def performance(**requests: Any) -> ServingPerformance:
    found = evaluate_scenario(build_scenario(values(**SERVED, **of(**requests))), ready_catalog())
    assert isinstance(found.evaluation.sections.performance, ServingPerformance)
    return found.evaluation.sections.performance


@pytest.mark.parametrize(
    ("shared", "cached", "found"),
    [(0, 0, 0), (0, 0.3, 0.3), (500, 0.3, 0.3), (800, 0.3, 0.4), (1999, 0.3, 0.9995)],
)
def test_the_greater_of_what_is_cached_and_what_is_shared(shared: float, cached: float, found: float) -> None:
    asked = served(**of(cached_share=cached, shared_prefix_tokens=shared)).requests
    assert asked.cached_share[0] == found
    assert asked.shared_prefix_tokens[0] == shared


def test_a_share_that_follows_from_the_prefix_says_so() -> None:
    found = resolved(**of(cached_share=0.3, shared_prefix_tokens=800, cache_tier="host"))
    traced_design(found.design, found.origins)  # raises KeyError where a number has no origin
    origin = found.origins["workload.requests.cached_share"]
    assert origin.kind == "derived"
    assert "shared_prefix_tokens 800 over input_tokens 2,000" in (origin.source or "")
    stated = resolved(**of(cached_share=0.5, shared_prefix_tokens=800))
    assert stated.origins["workload.requests.cached_share"].kind == "scenario"


def test_more_shared_tokens_than_a_prompt_has_are_refused() -> None:
    (said,) = faults(**of(shared_prefix_tokens=2001))
    assert said.startswith("workload.requests.shared_prefix_tokens: 2,001 tokens")
    assert "leave nothing of the 2,000 of a prompt" in said
    assert "State at most 1,999" in said


def test_scenarios_name_the_tiers_of_training() -> None:
    assert set(get_args(CacheTier)) == {"accelerator", *TIERS.values()}


def test_a_tier_that_is_not_there_is_refused_with_those_that_are() -> None:
    (said,) = faults(**of(cache_tier="peer"))
    assert said.startswith("workload.requests.cache_tier: is peer, and ")
    assert (
        "State accelerator, host or nvme, or how much there is in assumptions.performance.peer_memory_bytes"
        in said
    )
    spared = values(**of(cache_tier="peer")) | {"assumptions": {"performance.peer_memory_bytes": 20e9}}
    found = resolve(build_scenario(spared), ready_catalog()).design.workload
    assert isinstance(found, ServingWorkload)
    assert found.requests.cache_tier == "peer"
    (unheard,) = faults(**of(cache_tier="tape"))
    assert "'accelerator', 'host', 'peer' or 'nvme'" in unheard


def test_nothing_shared_and_nothing_away_leave_every_figure_as_it_was() -> None:
    plain, stated = performance(), performance(shared_prefix_tokens=0, cache_tier="accelerator")
    for name in (
        "ttft_s",
        "tpot_s",
        "tokens_per_s",
        "batch_limit",
        "memory_per_accelerator_bytes",
        "ttft_within_s",
    ):
        assert getattr(plain, name)[0] == getattr(stated, name)[0]
    assert set(plain.ttft_breakdown_s) == set(stated.ttft_breakdown_s)


def test_a_cached_half_comes_back_from_the_host() -> None:
    """An 8 x H200 server: what comes back sums into the time to the first token."""
    kept, away = performance(cached_share=0.5), performance(cached_share=0.5, cache_tier="host")
    back = away.ttft_breakdown_s["kv_return"][0]
    assert back > 0
    assert away.ttft_s[0] >= kept.ttft_s[0]
    assert sum(float(part[0]) for part in away.ttft_breakdown_s.values()) == pytest.approx(away.ttft_s[0])
    assert away.offloaded_sequences is not None
    assert away.offloaded_sequences[0] > away.batch_limit[0]
