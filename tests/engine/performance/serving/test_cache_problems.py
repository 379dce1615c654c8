"""What is said of a tier that cached prompts wait in without gain."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.performance.serving.layout_problems import cache_problems
from tests.engine.performance.serving.pods import evaluate, instance, plan, problems
from tests.engine.performance.serving.test_offload import TOGETHER, asked
from tests.support import number

ALONE = {"plan": TOGETHER, "concurrency": number(1)}


def test_nothing_is_said_where_it_pays() -> None:
    for tier in ("accelerator", "host"):
        assert problems(**ALONE, requests=asked(cache_tier=tier)) == []


def test_a_return_that_takes_longer_than_computing_anew_names_both_times() -> None:
    """134 MB from a drive of 5 GB/s are 26.8 ms."""
    (found,) = problems(**ALONE, requests=asked(cache_tier="nvme"))
    assert (found.kind, found.field, found.unit) == ("warning", "workload.requests.cache_tier", "s")
    assert found.value == pytest.approx(26.8e-3, rel=1e-2)
    assert found.limit is not None
    assert found.missed_by == pytest.approx(found.value - found.limit)
    assert "from NVMe drives takes 26.8 ms" in found.message
    assert f"again takes {1e3 * found.limit:,.3g} ms" in found.message


@pytest.mark.slow
def test_its_fix_is_sooner() -> None:
    for shared in (0, 1024):
        slow = asked(cache_tier="nvme", shared_prefix_tokens=shared)
        (found,) = problems(**ALONE, requests=slow)
        assert found.fix is not None
        assert found.fix.value == shared / 4096
        mended = replace(slow, cached_share=number(float(found.fix.value)))
        assert problems(**ALONE, requests=mended) == []
        before, after = (evaluate(**ALONE, requests=one).ttft_s[0] for one in (slow, mended))
        assert before - after == pytest.approx(found.missed_by, rel=1e-6)


def test_a_tier_without_room_for_one_request_is_named() -> None:
    long = asked(cache_tier="host")
    found = evaluate(plan=plan(instance(2)), concurrency=number(1), requests=long)
    assert cache_problems(long, found) == []
    (none,) = cache_problems(long, replace(found, offloaded_sequences=number(0)))
    assert (none.kind, none.constraint, none.limit) == ("warning", "cache_tier", 1)
    assert "host memory holds not one request of 0.671 GB" in none.message
