"""Where the curve of one topology crosses that of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """From `accelerators` on, `then` has less than `before`, which had less up to there.

    `lowest` where no other curve lies below the two.
    """

    before: str
    then: str
    accelerators: float
    value: float
    lowest: bool


@quantity(unit="1", source="definition")
def crossing_accelerators(
    *, smaller: Array, larger: Array, difference_before: Array, difference_after: Array
) -> Array:
    """Accelerators at which two curves cross, between two sizes that were computed.

    On a straight line between the differences of the two, over the logarithm of the size.
    """
    share = difference_before / (difference_before - difference_after)
    return smaller * (larger / smaller) ** share


def crossings(*, names: tuple[str, ...], accelerators: Array, values: Array) -> tuple[Crossing, ...]:
    """Where curves (curves, sizes) change places, by size; unknown values cross nothing.

    Between sizes at which two curves are equal, the one that was lower stays so until the other is.
    """
    found = []
    for first in range(len(names)):
        for second in range(first + 1, len(names)):
            found += _of_pair(names, accelerators, values, first, second)
    return tuple(sorted(found, key=lambda crossing: crossing.accelerators))


def _of_pair(
    names: tuple[str, ...], accelerators: Array, values: Array, first: int, second: int
) -> list[Crossing]:
    apart = values[second] - values[first]
    told = np.flatnonzero(np.isfinite(apart) & (apart != 0))
    changes = np.flatnonzero(np.sign(apart[told[1:]]) != np.sign(apart[told[:-1]]))
    found = []
    for change in changes:
        left, right = told[change], told[change + 1]
        at = float(
            crossing_accelerators(
                smaller=accelerators[left],
                larger=accelerators[right],
                difference_before=apart[left],
                difference_after=apart[right],
            )
        )
        here = np.array([np.interp(np.log(at), np.log(accelerators), curve) for curve in values])
        before, then = (first, second) if apart[left] > 0 else (second, first)
        pair = here[[first, second]]
        others = np.delete(here, [first, second])
        found.append(
            Crossing(
                before=names[before],
                then=names[then],
                accelerators=at,
                value=float(pair.mean()),
                lowest=not bool(np.any(others < pair.min())),
            )
        )
    return found
