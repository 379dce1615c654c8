"""How ranks are laid out on a grid, and which block of it a scale-up domain holds. Whole numbers, no arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple


class Sides(NamedTuple):
    """Ranks along x, y and z."""

    x: int
    y: int
    z: int


@functools.lru_cache(maxsize=512)
def even_grid(ranks: int, dimensions: int, points: tuple[float, float, float]) -> Sides:
    """The grid of so many ranks whose blocks have the least surface; long axes are cut first.

    >>> even_grid(64, 3, (1.0, 1.0, 1.0)), even_grid(6, 2, (1.0, 2.0, 1.0))
    (Sides(x=4, y=4, z=4), Sides(x=2, y=3, z=1))
    """
    return min(_splits(ranks, dimensions), key=lambda sides: (_surface(sides, points), sides))


@functools.lru_cache(maxsize=512)
def domain_block(grid: Sides, domain_accelerators: int, faces: tuple[float, float, float]) -> Sides:
    """The block of a process grid that a scale-up domain holds.

    Of those that tile the grid and fit, the one of which the busiest rank sends least to other domains, then the
    largest. `faces` are the sizes of a rank's face across each axis.

    >>> domain_block(Sides(8, 8, 8), 8, (1.0, 1.0, 1.0)), domain_block(Sides(8, 8, 8), 72, (1.0, 1.0, 1.0))
    (Sides(x=2, y=2, z=2), Sides(x=2, y=4, z=8))
    """
    fitting = (
        Sides(x, y, z)
        for x in _divisors(grid.x)
        for y in _divisors(grid.y)
        for z in _divisors(grid.z)
        if x * y * z <= domain_accelerators
    )
    return min(fitting, key=lambda block: (_sent_by_corner(block, grid, faces), *_shape(block, grid)))


def faces_outside(inside: int, whole: int) -> int:
    """Faces along one axis, of a rank at the edge of a block of `inside` ranks, behind which another domain lies.

    >>> faces_outside(4, 4), faces_outside(2, 4), faces_outside(1, 4)
    (0, 1, 2)
    """
    if inside == whole:
        return 0
    return 1 if inside > 1 else 2


def _sent_by_corner(block: Sides, grid: Sides, faces: tuple[float, float, float]) -> float:
    return sum(
        face * faces_outside(inside, whole) for face, inside, whole in zip(faces, block, grid, strict=True)
    )


def _shape(block: Sides, grid: Sides) -> tuple[float, float, Sides]:
    """Among equals the largest, then that of which the domain as a whole sends least."""
    return -math.prod(block), _surface_left(block, grid), block


def _splits(ranks: int, dimensions: int) -> Iterator[Sides]:
    if dimensions == 1:
        yield Sides(ranks, 1, 1)
        return
    for x in _divisors(ranks):
        if dimensions == 2:
            yield Sides(x, ranks // x, 1)
            continue
        for y in _divisors(ranks // x):
            yield Sides(x, y, ranks // x // y)


def _surface(sides: Sides, points: tuple[float, float, float]) -> float:
    """What one block passes on: its faces across the axes that are cut."""
    x, y, z = (length / cuts for length, cuts in zip(points, sides, strict=True))
    faces = (y * z, x * z, x * y)
    return sum(face * _neighbours(cuts) for face, cuts in zip(faces, sides, strict=True))


def _surface_left(block: Sides, grid: Sides) -> float:
    """Faces of the block behind which another domain lies."""
    x, y, z = block
    faces = (y * z, x * z, x * y)
    return sum(
        face * _neighbours(all_ // inside) for face, inside, all_ in zip(faces, block, grid, strict=True)
    )


def _neighbours(parts: int) -> int:
    """Of a part of an axis that is cut into so many."""
    return min(parts - 1, 2)


def _divisors(number: int) -> list[int]:
    small = [value for value in range(1, math.isqrt(number) + 1) if number % value == 0]
    return sorted({*small, *(number // value for value in small)})
