"""Which term of a latency binds where a promise is not met, and by how much it would have to shrink."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """The least latency that can be had, by term, against the SLO."""

    floor_s: Array
    shares: dict[str, Array]  # of the floor; they sum to 1
    largest: str
    missing_s: Array  # 0 where the promise can be met
    largest_must_shrink_to: Array  # of its time, if nothing else changes; 0: it alone cannot do it


@quantity(unit="s", source="definition")
def floor_s(*, parts_s: tuple[Array, ...]) -> Array:
    """Latency floor: one request alone."""
    return sum(parts_s[1:], start=parts_s[0])


@quantity(unit="1", source="definition")
def share_of_floor(*, part_s: Array, floor_s: Array) -> Array:
    """Share of the least latency that one term takes."""
    return part_s / floor_s


@quantity(unit="s", source="definition")
def missing_s(*, floor_s: Array, promised_s: Array) -> Array:
    """Excess of the latency floor over the SLO."""
    return np.maximum(floor_s - promised_s, 0.0)


@quantity(unit="1", source="definition")
def must_shrink_to(*, part_s: Array, missing_s: Array) -> Array:
    """Share of its time to which a term must shrink to meet the SLO."""
    return np.maximum(1 - missing_s / part_s, 0.0)


def binding(*, parts_s: dict[str, Array], promised_s: Array) -> Binding:
    """Shares of the floor, its largest term, and what is missing to a promise.

    Parameters
    ----------
    parts_s : of the least latency, by term, as in the breakdown of one request alone [s]
    promised_s : the service level; not a number where nothing is
    """
    floor = floor_s(parts_s=tuple(parts_s.values()))
    largest = max(parts_s, key=lambda name: _typical(parts_s[name]))
    missing = missing_s(floor_s=floor, promised_s=promised_s)
    return Binding(
        floor_s=floor,
        shares={name: share_of_floor(part_s=part, floor_s=floor) for name, part in parts_s.items()},
        largest=largest,
        missing_s=missing,
        largest_must_shrink_to=must_shrink_to(part_s=parts_s[largest], missing_s=missing),
    )


def _typical(part: Array) -> float:
    """For the choice of a name only: the mean over samples, minus infinity where unknown."""
    mean = float(np.mean(plain(part)))
    return mean if np.isfinite(mean) else -np.inf
