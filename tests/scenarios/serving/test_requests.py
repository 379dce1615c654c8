"""Requests as a scenario states them: a shared prefix, and the tier that the cached part of prompts waits in."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from app.catalog.ready import ready_catalog
from app.engine.explain import traced_design
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import ServingWorkload
from app.scenarios.document.serving_requests import CacheTier
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
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
    assert "'accelerator', 'host', 'peer', 'nvme' or 'pool'" in unheard


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


MIX = {
    "classes": [
        {"name": "Chat", "share": 0.75, "input_tokens": 800, "output_tokens": 300},
        {"name": "Retrieval", "share": 0.25, "input_tokens": 8000, "output_tokens": 100, "shared_prefix_tokens": 800},
    ]
}  # fmt: skip


def test_classes_are_resolved_to_their_mixture_which_says_where_it_is_from() -> None:
    found = resolved(requests=MIX)
    assert isinstance(found.design.workload, ServingWorkload)
    asked = found.design.workload.requests
    assert asked.input_tokens[0] == pytest.approx(2600)
    assert asked.output_tokens[0] == pytest.approx(250)
    assert asked.cached_share[0] == pytest.approx(200 / 2600)
    assert [one.name for one in asked.classes] == ["Chat", "Retrieval"]
    assert asked.classes[1].cached_share[0] == pytest.approx(0.1)
    traced_design(found.design, found.origins)  # raises KeyError where a number has no origin
    origin = found.origins["workload.requests.input_variation"]
    assert origin.kind == "derived"
    assert "law of total variance" in (origin.source or "")
    assert found.origins["workload.requests.classes[1].share"].kind == "scenario"


def test_the_canonical_form_has_the_plain_fields_or_the_classes() -> None:
    plain, mixed = build_scenario(values()), build_scenario(values(requests=MIX | {"cache_tier": "host"}))
    assert "classes" not in plain.as_dict()["workload"].get("requests", {})
    stated = mixed.as_dict()["workload"]["requests"]
    assert set(stated) == {"classes", "cache_tier"}
    assert build_scenario(mixed.as_dict()) == mixed


@pytest.mark.parametrize(
    ("requests", "place", "said"),
    [
        (MIX | {"input_tokens": 8}, "workload.requests.input_tokens", "is not a known key"),
        ({"classes": MIX["classes"][:1]}, "workload.requests.classes", "must have 2 or more entries"),
        (
            {"classes": [MIX["classes"][0], MIX["classes"][0] | {"share": 0.25}]},
            "workload.requests.classes",
            "has two classes called Chat",
        ),
        (
            {"classes": [MIX["classes"][0], MIX["classes"][1] | {"share": 0.5}]},
            "workload.requests.classes",
            "has shares that sum to 1.25",
        ),
        (
            {"classes": [MIX["classes"][0], MIX["classes"][1] | {"shared_prefix_tokens": 8000}]},
            "workload.requests.classes[1].shared_prefix_tokens",
            "leave nothing of the 8,000",
        ),
        (
            {"classes": [MIX["classes"][0], MIX["classes"][1] | {"input_tokens": 1e6}]},
            "workload.requests.classes[1].input_tokens",
            "takes at most",
        ),
    ],
)
def test_wrong_classes_are_named_with_a_way_out(requests: dict[str, Any], place: str, said: str) -> None:
    told = next(one for one in faults(requests=requests) if one.startswith(f"{place}: "))
    assert said in told


def test_tokens_a_day_are_those_of_the_mix() -> None:
    found = served(requests=MIX, demand={"tokens_per_day": 2850 * 86_400})
    assert found.demand is not None
    assert found.demand.requests_per_s[0] == pytest.approx(1)


def test_a_mix_that_is_alike_evaluates_as_one_kind() -> None:
    half = {"share": 0.5, "input_tokens": 2000, "output_tokens": 500, "input_variation": 0.5}
    both = {"classes": [{"name": name, **half} for name in ("A", "B")]}
    mixed = evaluate_scenario(build_scenario(values(**SERVED, requests=both)), ready_catalog())
    kind = performance(input_variation=0.5)
    found = mixed.evaluation.sections.performance
    for name in ("ttft_s", "tpot_s", "tokens_per_s", "batch_limit", "ttft_within_s", "tpot_within_s"):
        assert getattr(found, name)[0] == pytest.approx(getattr(kind, name)[0]), name


SESSIONS = {
    "sessions": {
        "turns": 8, "system_tokens": 2000, "added_tokens": 300, "answer_tokens": 400, "gap_s": 60,
    }
}  # fmt: skip


def of_sessions(**more: Any) -> ServingPerformance:
    changes = {name: more.pop(name) for name in list(more) if name in SESSIONS["sessions"]}
    requests = {"sessions": SESSIONS["sessions"] | changes, **more}
    found = evaluate_scenario(build_scenario(values(**SERVED, requests=requests)), ready_catalog())
    assert isinstance(found.evaluation.sections.performance, ServingPerformance)
    return found.evaluation.sections.performance


def test_sessions_find_what_the_memory_holds_of_their_contexts() -> None:
    found = of_sessions()
    assert found.prefix_hit_share is not None
    assert found.context_hit_share is not None
    assert found.sessions_alive is not None
    # three and a half former turns on average: 4,750 tokens of which 300 are new where all is found
    most = 1 - 300 / 4750
    assert 2000 / 4750 < found.prefix_hit_share[0] <= most
    share = (2000 + found.context_hit_share[0] * 2450) / 4750
    assert found.prefix_hit_share[0] == pytest.approx(share)
    alive = found.requests_per_s[0] / 8 * (8 * found.end_to_end_s[0] + 7 * 60)
    assert found.sessions_alive[0] == pytest.approx(alive)
    assert performance().prefix_hit_share is None


def test_one_turn_finds_the_system_prompt_and_long_gaps_find_less() -> None:
    alone = of_sessions(turns=1)
    assert alone.prefix_hit_share is not None
    assert alone.prefix_hit_share[0] == pytest.approx(2000 / 2300)
    shares = [of_sessions(gap_s=gap).context_hit_share[0] for gap in (0, 600, 86_400)]  # type: ignore[index]
    assert shares[0] == 1
    assert shares[0] >= shares[1] > shares[2]
    deep = of_sessions(gap_s=86_400, cache_tier="nvme")
    assert deep.context_hit_share is not None
    assert deep.context_hit_share[0] > shares[2]
    assert deep.ttft_breakdown_s["kv_return"][0] > 0


def test_sessions_state_themselves_and_every_number_has_its_origin() -> None:
    document = build_scenario(values(requests=SESSIONS))
    assert set(document.as_dict()["workload"]["requests"]) >= {"sessions"}
    assert "input_tokens" not in document.as_dict()["workload"]["requests"]
    assert build_scenario(document.as_dict()) == document
    found = resolved(requests=SESSIONS)
    traced_design(found.design, found.origins)  # raises KeyError where a number has no origin
    assert found.origins["workload.requests.sessions.gap_s"].kind == "scenario"
    assert found.origins["workload.requests.input_tokens"].kind == "derived"


@pytest.mark.parametrize(
    ("changes", "place", "said"),
    [
        ({"turns": 0}, "workload.requests.sessions.turns", "must be at least 1"),
        ({"turns": 1000}, "workload.requests.sessions.turns", "takes at most"),
        ({"gaps": 3}, "workload.requests.sessions.gaps", "Did you mean gap_s?"),
    ],
)
def test_wrong_sessions_are_named_with_a_way_out(changes: dict[str, Any], place: str, said: str) -> None:
    told = next(
        one
        for one in faults(requests={"sessions": SESSIONS["sessions"] | changes})
        if one.startswith(f"{place}: ")
    )
    assert said in told
