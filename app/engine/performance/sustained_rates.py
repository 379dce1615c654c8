"""What an accelerator sustains of its data sheet: matmuls, attention, memory."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_MATMUL = "[1] Bekman, Machine Learning Engineering, maximum achievable matmul FLOPS"


@quantity(unit="1", source="[1] Patel et al. 2024, arXiv 2308.12908 (matmul clocks under a power cap)")
def power_capped_share(
    *,
    tdp_w: Array,
    peak_16_bit_flop_per_s: Array,
    reference_power_per_flop_j: Array,
    power_exponent: Array,
) -> Array:
    """Rate of a part with less power to each FLOP than the measured part of its generation.

    (P / peak over that of the reference)^e, at most 1: clocks fall with the power that is allowed.
    1 where there is no reference or the power is not known.
    """
    share = tdp_w / peak_16_bit_flop_per_s / reference_power_per_flop_j
    known = (reference_power_per_flop_j > 0) & (share < 1)
    return np.where(known, np.where(known, share, 1.0) ** power_exponent, 1.0)


@quantity(unit="1", source=_MATMUL)
def achievable_matmul_fraction(
    *,
    achievable_16_bit_flop_per_s: Array,
    peak_16_bit_flop_per_s: Array,
    matmul_fraction: Array,
    power_capped_share: Array,
) -> Array:
    """Best matmul rate over the peak.

    Measured at 16 bit where someone did, else that of its generation, less where power is capped.
    """
    measured = achievable_16_bit_flop_per_s / peak_16_bit_flop_per_s
    return np.where(np.isnan(measured), matmul_fraction * power_capped_share, measured)


@quantity(unit="FLOP/s", source=_MATMUL)
def sustained_matmul_flop_per_s(
    *, peak_flop_per_s: Array, achievable_fraction: Array, ratio: Array, software_efficiency: Array
) -> Array:
    """Matmul rate of large shapes in training.

    Peak x best measured fraction x what training reaches of it at this precision x what the software
    reaches of that.
    """
    return peak_flop_per_s * achievable_fraction * ratio * software_efficiency


@quantity(unit="FLOP/s", source="[1] Dao 2023, arXiv 2307.08691")
def sustained_attention_flop_per_s(
    *,
    peak_16_bit_flop_per_s: Array,
    attention_fraction: Array,
    sequence_length: Array,
    saturation_tokens: Array,
    achievable_16_bit_flop_per_s: Array,
    power_capped_share: Array,
) -> Array:
    """Fused attention rate.

    16-bit peak x fraction x s / (s + s_half): attention stays at 16 bit whatever the precision, short
    sequences do not fill the kernel, and an unmeasured part with capped power is slower.
    """
    filled = sequence_length / (sequence_length + saturation_tokens)
    capped = np.where(np.isnan(achievable_16_bit_flop_per_s), power_capped_share, 1.0)
    return peak_16_bit_flop_per_s * attention_fraction * capped * filled


@quantity(unit="B/s", source="[1] McCalpin, STREAM benchmark (reached over peak bandwidth)")
def sustained_memory_bandwidth_bytes_per_s(
    *, memory_bandwidth_bytes_per_s: Array, memory_bandwidth_fraction: Array
) -> Array:
    """Memory bandwidth reached by streaming kernels."""
    return memory_bandwidth_bytes_per_s * memory_bandwidth_fraction


_RING = "[1] NVIDIA nccl-tests, doc/PERFORMANCE.md (bus bandwidth)"


@quantity(unit="B/s", source=_RING)
def sustained_scale_up_bandwidth_bytes_per_s(
    *, scale_up_bandwidth_bytes_per_s: Array, scale_up_efficiency: Array
) -> Array:
    """Scale-up bandwidth of large messages, per accelerator."""
    return scale_up_bandwidth_bytes_per_s * scale_up_efficiency


@quantity(unit="B/s", source=_RING)
def sustained_pair_bandwidth_bytes_per_s(
    *, scale_up_pair_bandwidth_bytes_per_s: Array, scale_up_efficiency: Array
) -> Array:
    """Scale-up bandwidth between two accelerators."""
    return scale_up_pair_bandwidth_bytes_per_s * scale_up_efficiency


@quantity(unit="B/s", source="definition")
def neighbour_bandwidth_bytes_per_s(
    *, pair_bandwidth_bytes_per_s: Array, full_bandwidth_bytes_per_s: Array
) -> Array:
    """Scale-up bandwidth from one rank to another.

    That of all links where the bandwidth of a pair is not published.
    """
    unknown = np.isnan(pair_bandwidth_bytes_per_s)
    return np.where(unknown, full_bandwidth_bytes_per_s, pair_bandwidth_bytes_per_s)


@quantity(unit="B/s", source=_RING)
def sustained_scale_out_bandwidth_bytes_per_s(
    *, scale_out_bandwidth_bytes_per_s: Array, scale_out_efficiency: Array
) -> Array:
    """Scale-out bandwidth of large messages, per accelerator."""
    return scale_out_bandwidth_bytes_per_s * scale_out_efficiency


@quantity(unit="B/s", source="[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901")
def shared_scale_out_bandwidth_bytes_per_s(
    *, scale_out_bandwidth_bytes_per_s: Array, exchange_slowdown: Array
) -> Array:
    """Scale-out bandwidth of an exchange whose members share links of the fabric."""
    return scale_out_bandwidth_bytes_per_s / exchange_slowdown


@quantity(unit="B/s", source=_RING)
def mesh_bandwidth_bytes_per_s(
    *, ranks: Array, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of a group in a full mesh.

    The links to the other members of the group: (n - 1) pairs, at most all links.
    """
    reached = np.minimum(np.maximum(ranks - 1, 1) * pair_bandwidth_bytes_per_s, full_bandwidth_bytes_per_s)
    # Where the bandwidth of a pair is not published, the group is taken to reach all links.
    return np.where(np.isnan(reached), full_bandwidth_bytes_per_s, reached)


@quantity(unit="B/s", source="[1] Jouppi et al. 2023, arXiv 2304.01433 (torus of chips)")
def torus_bandwidth_bytes_per_s(
    *, ranks: Array, full_bandwidth_bytes_per_s: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of a group in a torus.

    A compact group of n = 4^d chips closes rings over d dimensions with 2 links each, 2 d = log2(n)
    links; at most all links.
    """
    links = np.log2(np.maximum(ranks, 2))
    reached = np.minimum(links * pair_bandwidth_bytes_per_s, full_bandwidth_bytes_per_s)
    return np.where(np.isnan(reached), full_bandwidth_bytes_per_s, reached)
