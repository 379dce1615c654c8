"""Time of a dense matrix multiplication on one accelerator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.quantities import quantity
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline); [2] NVIDIA, Matrix Multiplication Background User's Guide (tile and wave quantisation)"


@quantity(unit="1", source=_ROOFLINE)
def shape_penalty(
    *,
    rows: Array,
    depth: Array,
    columns: Array,
    depth_overhead_elements: Array,
    tile_elements: Array,
    wave_elements: Array,
    wave_waste: Array,
) -> Array:
    """Slow-down of a matmul by its shape.

    (1 + K0 / K) for filling the pipeline, (1 + t / 2M)(1 + t / 2N) for tiles half empty at the edge,
    (1 + w W / MN) for the last wave; 1 for a large matrix.

    Parameters
    ----------
    rows, depth, columns : M, K, N of the product [1]
    depth_overhead_elements : K0 [1]
    tile_elements : t, edge of an output tile [1]
    wave_elements : W, output elements computed at once [1]
    wave_waste : w, share of the last wave that is idle [1]
    """
    edges = (1 + tile_elements / (2 * rows)) * (1 + tile_elements / (2 * columns))
    return (1 + depth_overhead_elements / depth) * edges * (1 + wave_waste * wave_elements / (rows * columns))


@quantity(unit="s", source=_ROOFLINE)
def matmul_time_s(
    *,
    rows: Array,
    depth: Array,
    columns: Array,
    groups: Array,
    penalty: Array,
    flop_per_s: Array,
    memory_bandwidth_bytes_per_s: Array,
    element_bytes: Array,
) -> Array:
    """Time of a matmul, or of a group of equal ones.

    The longer of 2 M K N / rate x shape penalty and of its operands through memory.

    Parameters
    ----------
    rows, depth, columns : M, K, N of one product [1]
    groups : equal products run together: experts of a grouped matmul [1]
    penalty : slow-down by shape [1]
    flop_per_s : rate of a large matrix [FLOP/s]
    memory_bandwidth_bytes_per_s : reached by streaming kernels [B/s]
    element_bytes : of an operand [B]
    """
    compute = 2 * rows * depth * columns / flop_per_s * penalty
    moved = element_bytes * (rows * depth + depth * columns + rows * columns)
    return groups * np.maximum(compute, moved / memory_bandwidth_bytes_per_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matmul:
    """M x K times K x N, `groups` times."""

    rows: Array
    depth: Array
    columns: Array
    groups: Array


ONE = np.ones(1)


def timed(
    product: Matmul,
    *,
    flop_per_s: Array,
    element_bytes: Array,
    hardware: Hardware,
    assumptions: PerformanceAssumptions,
) -> Array:
    """Time of a matmul on this hardware."""
    a = assumptions
    # A wave spans the whole group: fewer, larger waves when many products run together.
    penalty = shape_penalty(
        rows=product.rows,
        depth=product.depth,
        columns=product.columns,
        depth_overhead_elements=a.matmul_depth_overhead_elements,
        tile_elements=a.matmul_tile_elements,
        wave_elements=a.matmul_wave_elements / np.maximum(product.groups, 1),
        wave_waste=a.matmul_wave_waste,
    )
    return matmul_time_s(
        rows=product.rows,
        depth=product.depth,
        columns=product.columns,
        groups=product.groups,
        penalty=penalty,
        flop_per_s=flop_per_s,
        memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        element_bytes=element_bytes,
    )
