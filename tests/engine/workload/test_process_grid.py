"""Process grids of least surface, and the block of one that a scale-up domain holds."""

import math

import hypothesis.strategies as st
import pytest
from hypothesis import given

from app.engine.workload.process_grid import Sides, domain_block, even_grid

EVEN = (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("ranks", "dimensions", "points", "grid"),
    [
        (1, 3, EVEN, (1, 1, 1)),
        (8, 3, EVEN, (2, 2, 2)),
        (12, 1, EVEN, (12, 1, 1)),
        (16, 2, (1.0, 4.0, 1.0), (2, 8, 1)),  # blocks are square
        (7, 3, (1.0, 1.0, 2.0), (1, 1, 7)),  # a prime number is cut along the longest axis
    ],
)
def test_grid_of_least_surface(ranks, dimensions, points, grid):
    assert even_grid(ranks, dimensions, points) == grid


@pytest.mark.parametrize(
    ("domain", "block"),
    [(1, (1, 1, 1)), (8, (2, 2, 2)), (72, (3, 4, 6)), (576, (12, 8, 6)), (10_000, (12, 8, 6))],
)
def test_block_of_a_domain(domain, block):
    assert domain_block(Sides(12, 8, 6), domain, EVEN) == block


@given(ranks=st.integers(1, 5_000), domain=st.integers(1, 600))
def test_blocks_tile_the_grid_and_fit(ranks, domain):
    grid = even_grid(ranks, 3, EVEN)
    block = domain_block(grid, domain, EVEN)
    assert math.prod(grid) == ranks
    assert math.prod(block) <= domain
    assert all(whole % part == 0 for whole, part in zip(grid, block, strict=True))
