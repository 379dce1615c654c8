"""Norms of queries and keys in each head take time and memory of a training step."""

from __future__ import annotations

import pytest

from app.engine.performance.layer import elementwise_bytes
from app.engine.performance.layer_activations import attention_activation_bytes
from app.engine.performance.layer_widths import head_norm_width
from tests.support import number

QUERY, KEY = 4096, 1024


def width(norm: float) -> float:
    found = head_norm_width(
        query_key_norm=number(norm),
        attention_layers=number(24),
        layers=number(32),
        query=number(QUERY),
        key=number(KEY),
    )
    return float(found[0])


def test_width_is_of_queries_and_keys_in_layers_with_attention() -> None:
    assert width(0) == 0
    assert width(1) == width(2) == 24 / 32 * (4096 + 1024)


def test_a_norm_is_read_and_written_once() -> None:
    """By hand: 5,120 elements of 16 bit for 8,192 tokens, read and written, over 8 ranks: 20.97 MB."""
    moved = [
        elementwise_bytes(
            tokens=number(8192),
            hidden=number(4096),
            projection_width=number(6144),
            head_norm_width=number(normed),
            feed_forward_width=number(14336),
            routed_width=number(0),
            tensor_parallel=number(8),
            sequence_parallel=number(1),
            residual_passes=number(10),
            norm_passes=number(4),
            projection_passes=number(4),
            activation_passes=number(4),
            permute_passes=number(4),
            quantise_element_bytes=number(0),
        )[0]
        for normed in (0, QUERY + KEY)
    ]
    assert moved[1] - moved[0] == pytest.approx(8192 * 2 * 2 * 5120 / 8)


@pytest.mark.parametrize(("again", "expected"), [(0.0, 8192 * 2 * 5120 / 8), (1.0, 0.0)])
def test_what_is_normed_is_kept_unless_computed_again(again: float, expected: float) -> None:
    kept = [
        attention_activation_bytes(
            tokens=number(8192),
            layers=number(32),
            attention_layers=number(32),
            query_key_value_width=number(6144),
            head_norm_width=number(normed),
            output_width=number(4096),
            latent_width=number(0),
            tensor_parallel=number(8),
            fused_attention=number(1),
            matmul_element_bytes=number(2),
            selective_recompute=number(again),
        )[0]
        for normed in (0, QUERY + KEY)
    ]
    assert kept[1] - kept[0] == pytest.approx(expected)
