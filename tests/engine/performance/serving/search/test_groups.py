"""Groups of prefill and decode instances: whole ones within the pod, prefill never behind, as the whole model says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.performance.serving.replica_load import latency_of, replicas_with_room
from app.engine.performance.serving.search.groups import FILLING, groups_of
from app.engine.performance.serving.search.space import ServingSpace
from tests.engine.performance.serving.search.cases import mixture, setting


@pytest.mark.parametrize("accelerators", [2, 8, 30, 72])
def test_groups_fit_and_are_the_smallest_of_their_ratio_or_fill_more(accelerators: int) -> None:
    bare = mixture(accelerators)
    found = groups_of(bare, ServingSpace(), 12)
    assert found.replica is not None
    assert found.replica.prefill_instances is not None
    assert (found.replica.accelerators <= accelerators).all()
    p, d = (
        column.astype(int) for column in (found.replica.prefill_instances, found.replica.decode_instances)
    )
    shared = np.gcd(p, d)
    smallest = replace(found.replica, prefill_instances=p / shared, decode_instances=d / shared)
    held = replicas_with_room(bare, found.replica)
    assert (np.isin(shared, (1, *FILLING))).all()
    assert (held * shared > replicas_with_room(bare, smallest))[shared > 1].all()
    assert (p >= 1).all()
    assert (d >= 1).all()


def test_the_whole_model_finds_the_batch_that_a_group_was_picked_for() -> None:
    bare = mixture(32)
    found = groups_of(bare, ServingSpace(), 12)
    assert found.replica is not None
    latency = latency_of(bare, found.replica, found.concurrency, found.limit)
    # No queue before prefill: the time to first token is that of a prompt alone.
    waits = np.broadcast_to(latency.ttft_parts_s["prefill_wait"], latency.ttft_s.shape)
    assert (waits <= 0.02 * (latency.ttft_s + latency.tpot_s * 1024)).all()
    # By Little's law those in flight are being decoded, or on their way to the first token.
    decoding = latency.running
    first = latency.requests_per_s * latency.ttft_s
    assert found.concurrency == pytest.approx(decoding + first, rel=0.03, abs=1.0)


def test_one_accelerator_has_no_room_for_both() -> None:
    found = groups_of(setting(1), ServingSpace(), 12)
    assert found.replica is None
    assert found.layouts == found.without_prefill == 1


def test_of_each_prefill_no_group_beats_another() -> None:
    bare = mixture(32)
    found = groups_of(bare, ServingSpace(), 12)
    assert found.replica is not None
    assert found.replica.prefill is not None
    latency = latency_of(bare, found.replica, found.concurrency, found.limit)
    rate = latency.requests_per_s * np.floor(32 / found.replica.accelerators)
    prefill = found.replica.prefill
    assert found.replica.prefill_instances is not None
    counts = (found.replica.prefill_instances, found.replica.decode_instances)
    together = np.gcd(*(count.astype(int) for count in counts)) > 1
    of = np.stack(
        [
            prefill.tensor_parallel,
            prefill.data_parallel,
            prefill.expert_parallel,
            prefill.pipeline_parallel,
            together.astype(float),
        ]
    )
    _, kind = np.unique(of, axis=1, return_inverse=True)
    for one in range(int(kind.max()) + 1):
        rows = np.flatnonzero(kind.ravel() == one)
        tpot, answered = latency.tpot_s[rows], rate[rows]
        # Requests in flight are whole, which moves both a little.
        sooner, more = tpot[None] < 0.999 * tpot[:, None], answered[None] > 1.01 * answered[:, None]
        assert not (sooner & more).any()
