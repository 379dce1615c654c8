"""Keys and values in the host: time to come back, room, when it pays."""

from __future__ import annotations

import pytest

from app.engine.performance.serving.offload import (
    kv_return_time_s,
    offloaded_sequences,
    returns_per_s,
    saved_by_return_s,
    sequences_with_offload,
)
from tests.support import number

LLAMA_SEQUENCE = 10_000 * 327_680  # 10,000 tokens of Llama 3.1 70B in 16 bit


def test_the_slower_of_link_and_memory() -> None:
    """An eighth of 3.28 GB over 50 GB/s takes 8.2 ms; a host that reads 25 GB/s doubles that."""
    each = {"sequence_bytes": number(LLAMA_SEQUENCE / 8), "link_bytes_per_s": number(50e9)}
    assert kv_return_time_s(**each, medium_bytes_per_s=number(60e9))[0] == pytest.approx(8.192e-3)
    assert kv_return_time_s(**each, medium_bytes_per_s=number(25e9))[0] == pytest.approx(16.384e-3)
    assert returns_per_s(**each, medium_bytes_per_s=number(60e9))[0] == pytest.approx(1 / 8.192e-3)
    nothing = {"sequence_bytes": number(0), "link_bytes_per_s": number(50e9)}
    assert kv_return_time_s(**nothing, medium_bytes_per_s=number(60e9))[0] == 0


def test_room_in_the_host() -> None:
    """2 TB for eight accelerators hold 610 sequences of 3.28 GB."""
    beside = offloaded_sequences(
        host_bytes=number(250e9), accelerators=number(8), request_bytes=number(LLAMA_SEQUENCE)
    )
    assert beside[0] == 610
    assert sequences_with_offload(batch_limit=number(100), offloaded_sequences=beside)[0] == 710


def test_when_it_pays() -> None:
    assert saved_by_return_s(prefill_s=number(0.5), return_s=number(0.01))[0] == pytest.approx(0.49)
    assert saved_by_return_s(prefill_s=number(0.5), return_s=number(0.6))[0] < 0
