"""Matmuls against published measurements, and their limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.performance.matmul import matmul_time_s, operand_bytes, shape_penalty

PEAK, BANDWIDTH = 2307e12 / 2, 7.37e12 * 0.85 / 2  # of one of the two cores of a TPU7x
DEPTH_OVERHEAD, BLOCK = 91.0, 1024.0


def seconds(size: float, *, block: float = BLOCK, bandwidth: float = BANDWIDTH) -> float:
    """A square 16-bit product of a systolic array that only loading its operands slows down."""
    edge = np.full(1, float(size))
    moved = operand_bytes(
        rows=edge, depth=edge, columns=edge, element_bytes=np.full(1, 2.0), block_elements=np.full(1, block)
    )
    penalty = shape_penalty(
        depth=edge,
        used=np.ones(1),
        depth_overhead_elements=np.full(1, DEPTH_OVERHEAD),
        waste=np.ones(1),
    )
    return float(
        matmul_time_s(
            rows=edge,
            depth=edge,
            columns=edge,
            groups=np.ones(1),
            penalty=penalty,
            flop_per_s=np.full(1, PEAK),
            memory_bandwidth_bytes_per_s=np.full(1, bandwidth),
            operand_bytes=moved,
        )[0]
    )


@pytest.mark.parametrize(("size", "tflop_per_s"), [(4096, 892.9), (16384, 950.1), (32768, 956.4)])
def test_matmul_of_a_tpu7x_core_is_near_what_was_published(size: int, tflop_per_s: float) -> None:
    """AI-Hypercomputer/accelerator-microbenchmarks, Ironwood, bf16; nothing here was fitted to it."""
    assert 2 * size**3 / seconds(size) == pytest.approx(tflop_per_s * 1e12, rel=0.05)


def test_operands_are_read_once_where_the_result_is_held_whole() -> None:
    sizes = {"rows": np.full(1, 300.0), "depth": np.full(1, 500.0), "columns": np.full(1, 700.0)}
    once = 2 * (300 * 500 + 500 * 700 + 300 * 700)
    for block in (0.0, 700.0, 4096.0):
        moved = operand_bytes(**sizes, element_bytes=np.full(1, 2.0), block_elements=np.full(1, block))
        assert moved[0] == pytest.approx(once)
    halved = operand_bytes(**sizes, element_bytes=np.full(1, 2.0), block_elements=np.full(1, 350.0))
    assert halved[0] == pytest.approx(once + 2 * 300 * 500)


@pytest.mark.slow
@settings(deadline=None)
@given(size=st.floats(64, 65536), block=st.floats(128, 8192), more=st.floats(1, 100))
def test_more_bandwidth_or_larger_blocks_never_make_a_matmul_slower(
    size: float, block: float, more: float
) -> None:
    plain = seconds(size, block=block)
    assert seconds(size, block=block, bandwidth=BANDWIDTH * more) <= plain
    assert seconds(size, block=block * more) <= plain * (1 + 1e-12)
    assert plain >= 2 * size**3 / PEAK * (1 - 1e-12)
