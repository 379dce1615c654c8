"""Sessions: turns by hand, the hit rate beside a least-recently-used cache of drawn sessions, and its limits."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.engine.performance.memory_tiers import MemoryTier
from app.engine.performance.serving.latency import RETURN
from app.engine.performance.serving.replica_load import Replica, latency_of, limit_of, reused
from app.engine.performance.serving.sessions import (
    characteristic_time_s,
    former_turns,
    former_turns_square,
    hits_by_tier,
    session_requests,
    waited_s,
)
from app.engine.performance.serving.setting import Setting, setting_of
from app.engine.specs import Arrivals, Requests, Sessions
from tests.engine.performance.serving.pods import instance, pod, workload
from tests.support import build

ONE = np.ones(1)


def of(turns: float = 4, **more: float) -> Sessions:
    values: dict[str, Any] = {
        "turns_variation": 0, "system_tokens": 1000, "added_tokens": 200, "answer_tokens": 300, "variation": 0,
        "gap_s": 60, "gap_variation": 1, "kept_share": 1,
    } | more  # fmt: skip
    return build(Sessions, turns=turns, **values)


def found_by(sessions: Sessions, hit: float, **more: Any) -> Requests:
    return session_requests(sessions, "accelerator", np.full(1, hit), **more)


def test_four_turns_by_hand() -> None:
    """Prompts of 1,200, 1,700, 2,200 and 2,700 tokens, of which 200 are new where the cache holds the rest."""
    nothing, everything = found_by(of(), 0.0), found_by(of(), 1.0)
    assert nothing.input_tokens[0] == everything.input_tokens[0] == pytest.approx(1950)
    assert nothing.output_tokens[0] == 300
    assert nothing.cached_share[0] == pytest.approx(1000 / 1950)
    assert everything.cached_share[0] == pytest.approx(1750 / 1950)
    new = np.array([200.0, 700, 1200, 1700])
    assert nothing.input_variation[0] == pytest.approx(new.std() / new.mean())
    assert everything.input_variation[0] == pytest.approx(0, abs=1e-9)
    assert nothing.shared_prefix_tokens[0] == 1000


def test_instances_that_only_prefill_never_had_the_last_answer() -> None:
    apart = found_by(of(), 1.0, answers_found=False)
    assert apart.input_tokens[0] * (1 - apart.cached_share[0]) == pytest.approx((200 + 3 * 500) / 4)


def test_one_turn_finds_the_system_prompt_alone() -> None:
    for hit in (0.0, 0.5, 1.0):
        assert found_by(of(1), hit).cached_share[0] == pytest.approx(1000 / 1200)


@pytest.mark.slow
def test_turns_before_a_request_are_those_of_a_hundred_drawn_sessions() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        mean, variation = rng.uniform(5, 60), rng.uniform(0, 1)
        turns = rng.gamma(variation**-2, mean * variation**2, 200_000) if variation > 0.05 else None
        whole = np.full(2, round(mean)) if turns is None else np.maximum(np.round(turns), 1)
        asked = {"turns": np.full(1, whole.mean()), "turns_variation": np.full(1, whole.std() / whole.mean())}
        # of a session with n turns, sum of 0 ... n - 1 and of their squares
        first = (whole * (whole - 1) / 2).sum() / whole.sum()
        second = ((whole - 1) * whole * (2 * whole - 1) / 6).sum() / whole.sum()
        assert former_turns(**asked)[0] == pytest.approx(first, rel=1e-6)
        assert former_turns_square(**asked)[0] == pytest.approx(second, rel=0.1)


def time_of(held: float, rate: float, sessions: Sessions) -> float:
    s = sessions
    return float(
        characteristic_time_s(
            held_tokens=np.full(1, held),
            requests_per_s=np.full(1, rate),
            turn_tokens=s.added_tokens + s.answer_tokens,
            former_turns=former_turns(turns=s.turns, turns_variation=s.turns_variation),
            gap_s=s.gap_s,
            gap_variation=s.gap_variation,
            kept_share=s.kept_share,
        )[0]
    )


def hit_of(held: float, rate: float, sessions: Sessions) -> float:
    time = np.full(1, time_of(held, rate, sessions))
    return float(hits_by_tier((time,), sessions, pooled=False)[0][0])


def test_the_characteristic_time_fills_the_cache_in_a_hundred_cases() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        sessions = of(
            rng.uniform(1, 30),
            turns_variation=rng.uniform(0, 1),
            gap_s=rng.uniform(0, 300),
            gap_variation=rng.choice([0, 0.3, 1, 2]),
        )
        held, rate = 10 ** rng.uniform(3, 8), 10 ** rng.uniform(-2, 2)
        time = np.full(1, time_of(held, rate, sessions))
        before = former_turns(turns=sessions.turns, turns_variation=sessions.turns_variation)
        waits = before * waited_s(time, sessions.gap_s, sessions.gap_variation) + time
        assert rate * 500 * waits[0] == pytest.approx(held, rel=1e-6)


def test_limits_of_the_hit_rate() -> None:
    assert hit_of(0, 1, of()) == 0
    assert hit_of(np.inf, 1, of()) == 1
    assert hit_of(1e12, 1, of()) == pytest.approx(1)
    assert hit_of(10, 1, of(gap_s=0)) == 1
    assert hit_of(10, 0, of()) == 1


@pytest.mark.slow
def test_more_memory_never_lowers_the_hit_rate() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        sessions = of(rng.uniform(1, 30), gap_s=rng.uniform(1, 300), gap_variation=rng.uniform(0.1, 3))
        rate = 10 ** rng.uniform(-2, 2)
        hits = [hit_of(held, rate, sessions) for held in np.geomspace(1e2, 1e9, 30)]
        assert np.all(np.diff(hits) >= -1e-12)


def cached(sessions: Sessions, rate: float, held: float, seed: int, requests: int) -> float:
    """Share of later turns that find their context in a cache whose least recently used contexts leave."""
    rng = np.random.default_rng(seed)
    s = {name: float(getattr(sessions, name)[0]) for name in Sessions.__dataclass_fields__}

    def gamma(mean: float, variation: float, count: int) -> np.ndarray:
        return rng.gamma(variation**-2, mean * variation**2, count) if variation else np.full(count, mean)

    begins = np.cumsum(rng.exponential(s["turns"] / rate, int(requests / s["turns"]) + 1))
    turns = np.maximum(np.round(gamma(s["turns"], s["turns_variation"], begins.size)), 1)
    pending = [(time, row, 0) for row, time in enumerate(begins.tolist())]
    heapq.heapify(pending)
    context = np.zeros(begins.size)
    moved = np.zeros(
        begins.size, int
    )  # turns that went to another replica, each of which leaves a context behind
    kept: OrderedDict[tuple[int, int], float] = OrderedDict()
    total, hits, looked = 0.0, 0, 0
    while pending and pending[0][0] < begins[-1]:
        time, row, turn = heapq.heappop(pending)
        moved[row] += turn > 0 and rng.random() >= s["kept_share"]
        if turn and time > 0.4 * begins[-1]:
            looked += 1
            hits += (row, moved[row]) in kept
        added = gamma(s["added_tokens"], s["variation"], 1) + gamma(s["answer_tokens"], s["variation"], 1)
        context[row] += added[0]
        total += context[row] - kept.pop((row, moved[row]), 0.0)
        kept[row, moved[row]] = context[row]
        while total > held:
            total -= kept.popitem(last=False)[1]
        if turn + 1 < turns[row]:
            gap = gamma(s["gap_s"], s["gap_variation"], 1)
            heapq.heappush(pending, (time + gap[0], row, turn + 1))
    return hits / looked


@pytest.mark.slow
def test_the_hit_rate_is_that_of_a_least_recently_used_cache_in_24_cases() -> None:
    rng = np.random.default_rng(11)
    off = []
    for seed in range(24):
        turns, gap = float(rng.integers(2, 10)), rng.uniform(5, 300)
        sessions = of(
            turns,
            turns_variation=rng.choice([0, 0.3, 0.5]),
            variation=rng.choice([0, 0.5, 1]),
            gap_s=gap,
            gap_variation=rng.choice([0.5, 1, 1.5, 2]),
        )
        waiting = rng.uniform(250, 350)
        rate = waiting / gap
        before = former_turns(turns=sessions.turns, turns_variation=sessions.turns_variation)[0]
        held = rng.uniform(0.05, 2) * waiting * 500 * (before + 1)
        seen = cached(sessions, rate, held, seed, int(12 * turns * waiting))
        off.append(hit_of(held, rate, sessions) - seen)
    assert np.abs(off).max() < 0.05
    assert np.median(np.abs(off)) < 0.015


@pytest.mark.slow
def test_turns_that_go_to_another_replica_find_what_a_cache_of_moved_sessions_finds_in_12_cases() -> None:
    """Replicas are alike: as many come from others as go to them, and what goes leaves its context behind."""
    rng = np.random.default_rng(12)
    off = []
    for seed in range(12):
        turns, gap = float(rng.integers(3, 10)), rng.uniform(20, 300)
        sessions = of(turns, gap_s=gap, kept_share=rng.uniform(0.2, 0.9))
        waiting = rng.uniform(250, 350)
        held = rng.uniform(0.2, 3) * waiting * 500 * turns
        seen = cached(sessions, waiting / gap, held, seed, int(12 * turns * waiting))
        off.append(hit_of(held, waiting / gap, sessions) - seen)
    assert np.abs(off).max() < 0.05
    assert np.median(np.abs(off)) < 0.015


def test_a_pool_finds_the_turns_that_moved_and_no_other_tier_does() -> None:
    """In 100 drawn cases: shares are shares, fewer kept turns never find more, and a pool finds all that its time allows."""
    rng = np.random.default_rng(4)
    for _ in range(100):
        times = tuple(np.sort(10 ** rng.uniform(0, 4, (3, 1)), axis=0))
        found = {}
        for kept in (0.0, 0.4, 1.0):
            asked = of(5, gap_s=200, gap_variation=rng.choice([0.3, 1, 2]), kept_share=kept)
            for pooled in (False, True):
                shares = np.stack(hits_by_tier(times, asked, pooled=pooled))
                assert np.all((shares >= 0) & (shares <= 1))
                found[kept, pooled] = shares.sum()
            one = hits_by_tier(times, replace(asked, kept_share=np.ones(1)), pooled=False)
            assert found[kept, True] == pytest.approx(sum(one)[0])
            assert found[kept, False] == pytest.approx(kept * sum(one)[0])


def setting(sessions: Sessions, *tiers: MemoryTier, arrivals: str = "random") -> Setting:
    asked = replace(session_requests(sessions, "accelerator", np.zeros(1)), classes=())
    base = replace(workload(requests=asked), arrivals=Arrivals(kind=arrivals))
    found = setting_of(**pod(workload=base))
    return replace(found, tiers=tiers, tier=tiers[-1] if tiers else None)


def tier(capacity: float, link: float = 50e9) -> MemoryTier:
    return build(MemoryTier, capacity_bytes=capacity, link_bytes_per_s=link, medium_bytes_per_s=400e9)


SINGLE = Replica(decode=instance(1), decode_instances=ONE)
APART = Replica(decode=instance(1), decode_instances=ONE, prefill=instance(2), prefill_instances=ONE)
LONG = {"turns": 10, "added_tokens": 3000, "gap_s": 300}


@pytest.mark.slow
@pytest.mark.parametrize("arrivals", ["random", "steady"])
@pytest.mark.parametrize("replica", [SINGLE, APART], ids=["together", "apart"])
def test_rate_and_reuse_agree(arrivals: str, replica: Replica) -> None:
    """The hit rate is that at the rate of requests which so much reuse brings, down two tiers."""
    sessions = of(**LONG)
    found = setting(sessions, tier(200e9), tier(2e12, 5e9), arrivals=arrivals)
    limit = limit_of(found, replica)
    load = np.array([2.0, 20.0, 60.0])
    latency = latency_of(found, replica, load, limit)
    assert latency.reuse is not None
    for held, time in zip(latency.reuse.held_tokens, latency.reuse.times_s, strict=True):
        rooms = np.broadcast_to(held, load.shape)
        for row in range(load.size):
            again = time_of(float(rooms[row]), float(latency.requests_per_s[row]), sessions)
            assert time[row] == pytest.approx(again, rel=0.03)
    whole = sum(latency.reuse.hit_shares)
    assert np.all((whole >= 0) & (whole <= 1))
    assert np.all(np.diff(whole) <= 1e-9)  # more requests push contexts out sooner
    assert latency.ttft_parts_s[RETURN][0] >= 0


@pytest.mark.slow
def test_another_tier_is_found_in_and_brings_contexts_back() -> None:
    sessions, load = of(**LONG), np.array([40.0])
    alone, host = setting(sessions), setting(sessions, tier(500e9))
    limit = limit_of(alone, SINGLE)
    here, there = (latency_of(one, SINGLE, load, limit) for one in (alone, host))
    assert here.reuse is not None
    assert there.reuse is not None
    assert sum(there.reuse.hit_shares)[0] > sum(here.reuse.hit_shares)[0] + 0.1
    assert there.reuse.requests.cached_share[0] > here.reuse.requests.cached_share[0]
    assert RETURN not in here.ttft_parts_s
    assert there.ttft_parts_s[RETURN][0] > 0
    assert there.prefill_s[0] < here.prefill_s[0]


@pytest.mark.slow
def test_a_tier_without_room_holds_nothing() -> None:
    sessions, load = of(**LONG), np.array([40.0])
    alone, empty = setting(sessions), setting(sessions, tier(0.0))
    limit = limit_of(alone, SINGLE)
    here, there = (latency_of(one, SINGLE, load, limit) for one in (alone, empty))
    assert there.ttft_s[0] == pytest.approx(here.ttft_s[0])
    assert there.reuse is not None
    assert there.reuse.hit_shares[1][0] == 0


@pytest.mark.slow
def test_memory_never_lowers_what_a_replica_finds() -> None:
    sessions, load = of(**LONG), np.array([30.0])
    shares = []
    for capacity in (0.0, 1e11, 3e11, 1e12, 1e13):
        found = setting(sessions, tier(capacity))
        _, reuse = reused(found, SINGLE, load, limit_of(found, SINGLE))
        shares.append(reuse.requests.cached_share[0])
    assert np.all(np.diff(shares) >= -1e-6)
    assert shares[-1] > shares[0]


@pytest.mark.slow
def test_the_rate_of_the_characteristic_time_is_the_one_answered_in_40_drawn_cases() -> None:
    """With gaps alike to widely spread, short and long contexts, and loads from one request to a full memory."""
    rng = np.random.default_rng(0)
    for case in range(40):
        sessions = of(
            rng.uniform(1, 40),
            turns_variation=rng.uniform(0, 1),
            added_tokens=10 ** rng.uniform(1.5, 3.7),
            answer_tokens=10 ** rng.uniform(1, 3),
            gap_s=10 ** rng.uniform(0, 3.5),
            gap_variation=rng.choice([0, 0.3, 1, 2]),
        )
        tiers = [tier(10 ** rng.uniform(9, 12))] if case % 2 else []
        found = setting(sessions, *tiers, arrivals="steady" if case % 3 else "random")
        replica = SINGLE if case % 5 < 3 else APART
        limit = limit_of(found, replica)
        load = np.geomspace(1, max(float(limit[0]), 2), 4)
        latency = latency_of(found, replica, load, limit)
        assert latency.reuse is not None
        before = former_turns(turns=sessions.turns, turns_variation=sessions.turns_variation)
        for held, time in zip(latency.reuse.held_tokens, latency.reuse.times_s, strict=True):
            waits = before * waited_s(time, sessions.gap_s, sessions.gap_variation) + time
            tried = held / ((sessions.added_tokens + sessions.answer_tokens) * np.maximum(waits, 1e-300))
            answered = np.where(held > 0, latency.requests_per_s / np.where(held > 0, tried, 1.0), 1.0)
            assert answered == pytest.approx(np.ones(load.size), rel=0.01)


def pool_setting(sessions: Sessions, capacity: float, latency: float = 1e-6) -> Setting:
    found = setting(sessions, replace(tier(capacity), latency_s=np.full(1, latency)))
    requests = replace(found.workload.requests, cache_tier="pool")
    return replace(found, workload=replace(found.workload, requests=requests))


@pytest.mark.slow
def test_a_larger_pool_never_finds_less_and_a_slower_one_is_never_sooner() -> None:
    sessions, load = of(**LONG, kept_share=0.1), np.array([30.0])
    shares, waits = [], []
    for capacity in (0.0, 1e11, 3e11, 1e12, 1e13):
        found = pool_setting(sessions, capacity)
        _, reuse = reused(found, SINGLE, load, limit_of(found, SINGLE))
        shares.append(float(sum(reuse.hit_shares)[0]))
    assert np.all(np.diff(shares) >= -1e-9)
    assert shares[-1] > shares[0] + 0.5
    for latency in (0.0, 1e-6, 1e-3, 1e-1):
        found = pool_setting(sessions, 1e12, latency)
        waits.append(latency_of(found, SINGLE, load, limit_of(found, SINGLE)).ttft_parts_s[RETURN][0])
    assert np.all(np.diff(waits) > 0)
    beside = setting(sessions, tier(1e12))
    _, alone = reused(beside, SINGLE, load, limit_of(beside, SINGLE))
    assert sum(alone.hit_shares)[0] <= 0.1
