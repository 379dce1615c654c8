"""Cached keys and values in another tier of memory that bring nothing: too slow to come back, or without room."""

from __future__ import annotations

from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.problems import TIER_WORDS
from app.engine.performance.serving.latency import RETURN
from app.engine.performance.serving.region_problems import seconds
from app.engine.performance.serving.section import ServingPerformance
from app.engine.problems import Fix, Problem
from app.engine.specs import Requests
from app.engine.trace import median_of


def cache_problems(requests: Requests, performance: ServingPerformance) -> list[Problem]:
    """What is to be said of the tier that cached prompts wait in. By the median of the samples."""
    found = (_returns_slowly(requests, performance), _holds_none(requests, performance))
    return [problem for problem in found if problem]


def _returns_slowly(asked: Requests, performance: ServingPerformance) -> Problem | None:
    """The cached part of prompts is computed anew sooner than it comes back."""
    back, saved = performance.ttft_breakdown_s.get(RETURN), performance.saved_by_return_s
    if back is None or saved is None or not median_of(saved) < 0:
        return None
    return_s, anew_s = median_of(back), median_of(back) + median_of(saved)
    shared = median_of(asked.shared_prefix_tokens) / median_of(asked.input_tokens)
    return Problem(
        kind="warning",
        field="workload.requests.cache_tier",
        constraint="kv_return",
        message=f"Bringing the cached part of a prompt back from {_words(asked)} takes {seconds(return_s)}, and computing it "
        f"anew takes {seconds(anew_s)}. A tier with a faster link, or keys and values of 8 bit, would bring it sooner.",
        value=return_s,
        limit=anew_s,
        missed_by=return_s - anew_s,
        unit="s",
        fix=None
        if asked.sessions is not None
        else Fix(
            field="workload.requests.cached_share",
            value=shared,
            message=f"With cached_share {shared:.3g} it is recomputed: sooner, at more of the accelerators' time.",
        ),
    )


def _holds_none(asked: Requests, performance: ServingPerformance) -> Problem | None:
    """The tier that cached prompts wait in has no room for even one."""
    found = performance.offloaded_sequences
    if found is None or not median_of(found) < 1:
        return None
    return Problem(
        kind="warning",
        field="workload.requests.cache_tier",
        constraint="cache_tier",
        message=f"Of an instance, {_words(asked)} holds not one request of "
        f"{median_of(performance.kv_bytes_per_request) / 1e9:,.3g} GB: nothing cached can wait there. Shorter requests, "
        "keys and values of 8 bit or another tier would mend it.",
        value=median_of(found),
        limit=1.0,
        missed_by=1.0 - median_of(found),
        unit="1",
    )


def _words(asked: Requests) -> str:
    """The tier in a sentence."""
    return next(TIER_WORDS[code].memory for code, name in TIERS.items() if name == asked.cache_tier)
