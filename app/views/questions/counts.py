"""Search for the smallest or the largest number of SuperNodes within a limit, with few evaluations."""

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
    """An evaluated number of SuperNodes. `value` is NaN where the design is infeasible."""

    count: int
    value: float
    is_too_small: bool  # of an infeasible design: more SuperNodes could make it feasible
    scenario: EvaluatedScenario


def smallest(
    tries: Callable[[int], Tried], *, limit: float, start: float
) -> tuple[Tried | None, list[Tried]]:
    """The smallest number whose value is within a limit, None where none is found, and all numbers that were
    tried.

    Numbers of `STEPS` are tried first, then numbers between the last that is too small and the first that is
    enough. The value is assumed to fall as one over the number, and the tries correct that. As layouts make
    it rise here and there, a smaller number may exist; where the tries run out, the smallest number found so
    far is returned.
    """
    low, high = -1, len(STEPS)  # places of a number that is too small, and of one that is enough
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
    """The largest number whose value is within a limit; the value grows with the number.

    None where not even 1 is within it, or the value is unknown.
    """
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
