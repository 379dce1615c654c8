"""Time of a dense matrix multiplication on one accelerator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.quantities import quantity
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)"
_TILES = "[1] NVIDIA, Matrix Multiplication Background User's Guide (tile and wave quantisation)"
_BLOCKS = _ROOFLINE + "; [2] Goto, van de Geijn 2008, ACM TOMS 34(3) 12 (blocks of a product)"


# Output tiles that libraries choose among, and the rate of each over that of the largest: a smaller one
# reads its operands more often for each product.
TILES = ((128, 256, 1.0), (128, 128, 0.93), (64, 64, 0.5))


@quantity(unit="1", source=_TILES)
def tile_use(
    *,
    rows: Array,
    columns: Array,
    groups: Array,
    multiprocessors: Array,
    tile_rows: float,
    tile_columns: float,
    tile_rate: float,
) -> Array:
    """Share of the matmul rate that is left with output tiles of one size.

    Tiles are whole, and every multiprocessor computes one at a time: the last wave of them is waited
    for. 0 multiprocessors stand for one large matrix unit, which has no waves.

    Parameters
    ----------
    rows, columns : M, N of one product [1]
    groups : equal products run together [1]
    multiprocessors : tiles computed at a time [1]
    tile_rows, tile_columns : of an output tile [1]
    tile_rate : rate of such a tile over that of the largest [1]
    """
    tiles = groups * np.ceil(rows / tile_rows) * np.ceil(columns / tile_columns)
    at_once = np.maximum(multiprocessors, 1)
    computed = np.where(multiprocessors > 0, np.ceil(tiles / at_once) * at_once, tiles)
    return groups * rows * columns * tile_rate / (computed * tile_rows * tile_columns)


@quantity(unit="1", source=_TILES)
def best_tile_use(*, large: Array, medium: Array, small: Array) -> Array:
    """Share of the matmul rate that is left with the best of the output tiles."""
    return np.maximum(np.maximum(large, medium), small)


@quantity(unit="1", source=_TILES)
def shape_penalty(*, depth: Array, used: Array, depth_overhead_elements: Array, waste: Array) -> Array:
    """Slow-down of a matmul by its shape.

    (1 + K0 / K) for filling the pipeline; what tiles and waves leave idle, as far as splitting the
    inner dimension does not fill it. 1 for a large matrix.

    Parameters
    ----------
    depth : K of the product [1]
    used : share of the rate that tiles and waves leave [1]
    depth_overhead_elements : K0 [1]
    waste : part of the idle time that stays idle [1]
    """
    return (1 + depth_overhead_elements / depth) * (1 + waste * (1 / used - 1))


@quantity(unit="B", source=_BLOCKS)
def operand_bytes(
    *, rows: Array, depth: Array, columns: Array, element_bytes: Array, block_elements: Array
) -> Array:
    """Bytes that a matmul moves through memory.

    M K for each block of columns, K N for each block of rows, M N. A cache that serves all blocks from one
    read stands as a single block.

    Parameters
    ----------
    rows, depth, columns : M, K, N of one product [1]
    element_bytes : of an operand [B]
    block_elements : rows and columns of the part of the result that is held on the chip; 0 for the whole
        result [1]
    """
    held = np.where(block_elements > 0, block_elements, np.inf)
    row_blocks, column_blocks = np.maximum(rows / held, 1), np.maximum(columns / held, 1)
    return element_bytes * (rows * depth * column_blocks + depth * columns * row_blocks + rows * columns)


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
    operand_bytes: Array,
) -> Array:
    """Time of a matmul, or of a group of equal ones.

    2 M K N / rate x shape penalty, and its operands through memory: root of the sum of squares, as loads run
    beside the products and hold them up the more the longer they take.

    Parameters
    ----------
    rows, depth, columns : M, K, N of one product [1]
    groups : equal products run together: experts of a grouped matmul [1]
    penalty : slow-down by shape [1]
    flop_per_s : rate of a large matrix [FLOP/s]
    memory_bandwidth_bytes_per_s : reached by streaming kernels [B/s]
    operand_bytes : of one product through memory [B]
    """
    compute = 2 * rows * depth * columns / flop_per_s * penalty
    loads = operand_bytes / memory_bandwidth_bytes_per_s
    return groups * np.sqrt(compute * compute + loads * loads)


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
    large, medium, small = (
        tile_use(
            rows=product.rows,
            columns=product.columns,
            groups=product.groups,
            multiprocessors=a.multiprocessors,
            tile_rows=rows,
            tile_columns=columns,
            tile_rate=rate,
        )
        for rows, columns, rate in TILES
    )
    penalty = shape_penalty(
        depth=product.depth,
        used=best_tile_use(large=large, medium=medium, small=small),
        depth_overhead_elements=a.matmul_depth_overhead_elements,
        waste=a.matmul_wave_waste,
    )
    return matmul_time_s(
        rows=product.rows,
        depth=product.depth,
        columns=product.columns,
        groups=product.groups,
        penalty=penalty,
        flop_per_s=flop_per_s,
        memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        operand_bytes=operand_bytes(
            rows=product.rows,
            depth=product.depth,
            columns=product.columns,
            element_bytes=element_bytes,
            block_elements=a.matmul_block_elements,
        ),
    )
