"""Memory vs batch: parts that sum up, and the batch that fits."""

from __future__ import annotations

import pytest

from app.views.serving.memory import memory_view
from tests.views.serving.cases import RACK, changed, example


@pytest.mark.parametrize("key", ["deepseek_r1_on_8_h200", RACK])
def test_the_point_of_the_scenario_and_its_limit_are_those_of_the_evaluation(key: str) -> None:
    view, performance = memory_view(example(key)), example(key).evaluation.sections.performance
    assert view.here.memory_bytes == pytest.approx(float(performance.memory_per_accelerator_bytes[0]))
    assert view.batch_limit == float(performance.batch_limit[0])


def test_parts_sum_and_the_limit_divides_what_fits_from_what_does_not() -> None:
    view = memory_view(example())
    for point in view.points:
        assert sum(point.parts_bytes.values()) == pytest.approx(point.memory_bytes)
        assert point.fits == (point.batch <= view.batch_limit)
    assert not view.points[-1].fits


def test_one_more_sequence_takes_what_the_line_rises_by() -> None:
    view = memory_view(example())
    first, last = view.points[0], view.points[-1]
    assert first.parts_bytes["kv_cache"] == 0
    assert last.memory_bytes == pytest.approx(first.memory_bytes + last.batch * view.bytes_per_sequence)


def test_a_model_that_does_not_fit_is_shown_as_such() -> None:
    view = memory_view(changed(precision="bf16"))
    assert view.batch_limit < 1
    assert not any(point.fits for point in view.points)
    assert view.binds == "weights"


def test_a_shared_prefix_is_there_before_the_first_sequence() -> None:
    asked = {"input_tokens": 2000, "output_tokens": 500}
    alone = memory_view(changed(requests=asked))
    shared = memory_view(changed(requests=asked | {"shared_prefix_tokens": 1024}))
    assert alone.shared_prefix_bytes == 0
    assert shared.points[0].parts_bytes["kv_cache"] == shared.shared_prefix_bytes > 0
    assert shared.bytes_per_sequence == pytest.approx(alone.bytes_per_sequence - shared.shared_prefix_bytes)
    assert shared.batch_limit > alone.batch_limit
    assert shared.kv_bytes_per_request == alone.kv_bytes_per_request
    for point in shared.points:
        assert sum(point.parts_bytes.values()) == pytest.approx(point.memory_bytes)
        assert point.fits == (point.batch <= shared.batch_limit)


def test_what_waits_in_another_tier() -> None:
    """Of an 8 x H200 server all of the host's memory over what a finished request keeps."""
    asked = {"input_tokens": 2000, "output_tokens": 500, "cached_share": 0.5}
    own = memory_view(changed(requests=asked))
    assert (own.cache_tier, own.tier_bytes, own.offloaded_sequences, own.return_s) == (
        "accelerator",
        None,
        None,
        None,
    )
    away = memory_view(changed(requests=asked | {"cache_tier": "host"}))
    assert away.tier_bytes is not None
    room = away.tier_bytes * away.accelerators_per_instance
    assert away.offloaded_sequences == room // away.kv_bytes_per_request
    assert away.return_s is not None
    assert away.saved_by_return_s is not None
    assert away.return_s > 0
    assert away.points == own.points


def test_tiers_of_sessions_hold_contexts_for_longer_and_longer() -> None:
    session = {"turns": 8, "system_tokens": 2000, "added_tokens": 300, "answer_tokens": 400, "gap_s": 3600}
    view = memory_view(changed(requests={"sessions": session, "cache_tier": "nvme"}))
    assert view.sessions is not None
    assert [one.tier for one in view.sessions.tiers] == ["accelerator", "host", "nvme"]
    times = [one.time_s for one in view.sessions.tiers]
    assert times == sorted(times)
    assert all(one.held_tokens > 0 for one in view.sessions.tiers)
    assert sum(one.hit_share for one in view.sessions.tiers) == pytest.approx(view.sessions.context_hit_share)
    assert memory_view(example()).sessions is None
