"""The smallest and the largest number of SuperNodes that does, with few evaluations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from app.scenarios.evaluation.service import EvaluatedScenario

MOST_TRIED = 8
MOST_SUPERNODES = 131_072
STEPS = sorted(
    {step for power in range(18) for step in (2**power, 2**power + 2**power // 2) if step <= MOST_SUPERNODES}
)
"""1, 2, 3, 4, 6, 8, 12 and on: layouts divide such numbers evenly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A number of SuperNodes. `value` falls with it, and is NaN of an infeasible design."""

    count: int
    value: float
    is_too_small: bool  # of an infeasible one: more SuperNodes could do it
    scenario: EvaluatedScenario


def smallest(
    tries: Callable[[int], Tried], *, limit: float, start: float
) -> tuple[Tried | None, list[Tried]]:
    """A number whose value is within a limit where that of one less is not; None where none is, and all that were tried.

    First of `STEPS`, then between the last that is too small and the first that does. The value is taken to fall as
    one over the number, which the tries correct. Layouts make it rise here and there, so that a still smaller number
    may do; where the tries end before the numbers are neighbours, the smallest that was found is answered.
    """
    low, high = -1, len(STEPS)  # too small, and enough or too many
    place = _step(start)
    tried: dict[int, Tried] = {}
    for _ in range(MOST_TRIED):
        found = tried[STEPS[place]] = tries(STEPS[place])
        if found.value <= limit:
            high = place
        elif found.is_too_small or not math.isnan(found.value):
            low = place
        else:
            high = place
        if high - low <= 1:
            break
        if math.isnan(found.value):
            place += 2 if found.is_too_small else -2
        else:
            place = _step(found.count * found.value / limit)
        place = min(max(place, low + 1), high - 1)
    best = tried.get(STEPS[high]) if high < len(STEPS) else None
    if best is None or not best.value <= limit:
        return None, _in_order(tried)
    best = _between(tries, tried, STEPS[low] if low >= 0 else 0, best, limit)
    return best, _in_order(tried)


def _between(
    tries: Callable[[int], Tried], tried: dict[int, Tried], low: int, best: Tried, limit: float
) -> Tried:
    """The smallest found above `low`, which is too small, by halving after a first guess."""
    guess = math.ceil(best.count * best.value / limit)
    for _ in range(MOST_TRIED):
        if best.count - low <= 1:
            break
        count = min(max(guess, low + 1), best.count - 1)
        found = tried[count] = tries(count)
        if found.value <= limit:
            best = found
        else:
            low = count
        guess = (low + best.count) // 2
    return best


def _in_order(tried: dict[int, Tried]) -> list[Tried]:
    return [tried[count] for count in sorted(tried)]


def largest(tries: Callable[[int], Tried], *, limit: float, start: float) -> Tried | None:
    """The largest number whose value, which grows with it, is within a limit; None where not even one is, or it is
    unknown."""
    tried: dict[int, Tried] = {}
    low, high = 0, MOST_SUPERNODES + 1
    count = min(max(int(start), 1), MOST_SUPERNODES)
    for _ in range(MOST_TRIED):
        found = tried[count] = tries(count)
        if math.isnan(found.value):
            return None
        if found.value <= limit:
            low = count
        else:
            high = count
        if high - low <= 1:
            break
        guess = math.floor(count * limit / found.value) if found.value > 0 else (low + high) // 2
        count = min(max(guess, low + 1), high - 1)
    return tried.get(low)


def _step(count: float) -> int:
    """Place of the first step that is no smaller."""
    return next((place for place, step in enumerate(STEPS) if step >= count - 1e-9), len(STEPS) - 1)
