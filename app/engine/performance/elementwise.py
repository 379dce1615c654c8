"""Time of everything between the matmuls: norms, residuals, activations, permutation, quantisation."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_MEGATRON = "[1] Shoeybi et al. 2019, arXiv 1909.08053; [2] Korthikanti et al. 2022, arXiv 2205.05198"


@quantity(unit="B", source=_MEGATRON)
def elementwise_bytes(
    *,
    tokens: Array,
    hidden: Array,
    projection_width: Array,
    feed_forward_width: Array,
    routed_width: Array,
    tensor_parallel: Array,
    sequence_parallel: Array,
    residual_passes: Array,
    projection_passes: Array,
    activation_passes: Array,
    permute_passes: Array,
    quantise_element_bytes: Array,
) -> Array:
    """Bytes moved by everything between the matmuls of the mean layer, forward.

    16-bit elements of norms and residuals (over tp only with sequence parallelism), of query, key and
    value, of the activation, of routed tokens; in 8 and 4 bit also the quantisation of matmul inputs, those of
    experts among them.

    Parameters
    ----------
    tokens : T [tokens]
    hidden, projection_width, feed_forward_width : h, (a + 2 k) d, inner width used by a token [1]
    routed_width : experts per token x h in layers with experts, mean over layers [1]
    tensor_parallel, sequence_parallel : tp, 0 or 1 [1]
    residual_passes, projection_passes, activation_passes, permute_passes : times moved [1]
    quantise_element_bytes : per matmul input element [B]
    """
    residual_share = np.where(sequence_parallel > 0, tensor_parallel, 1.0)
    residual = residual_passes * hidden / residual_share
    inner = projection_passes * projection_width + activation_passes * feed_forward_width
    routed = permute_passes * routed_width
    cast = 2 * hidden + projection_width + feed_forward_width + routed_width
    quantised = cast * quantise_element_bytes
    return tokens * (2 * residual + (2 * inner + 2 * routed + quantised) / tensor_parallel)


@quantity(unit="s", source="[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)")
def elementwise_time_s(*, moved_bytes: Array, memory_bandwidth_bytes_per_s: Array) -> Array:
    """Memory-bound time of the mean layer, forward."""
    return moved_bytes / memory_bandwidth_bytes_per_s


@quantity(unit="s", source=_MEGATRON)
def layer_elementwise_time_s(*, forward_s: Array, elementwise_ratio: Array) -> Array:
    """Memory-bound time of the mean layer, forward and backward."""
    return forward_s * elementwise_ratio
