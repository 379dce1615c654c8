"""The smallest and the largest number of SuperNodes that does."""

from __future__ import annotations

import math
import random
from typing import Any, cast

import pytest

from app.views.questions.counts import MOST_TRIED, STEPS, Tried, largest, smallest
from tests.support import part_of

NOTHING: Any = cast(Any, None)  # the search reads no scenario


def falling(at_one: float, *, least: int = 1, most: int = 10**9, spoilt: float = 1.0) -> Any:
    """A time that falls with the number, on pods from `least`, which memory sets, to `most`."""

    def tries(count: int) -> Tried:
        works = least <= count <= most
        value = at_one / count * spoilt ** math.log2(count) if works else math.nan
        return Tried(count=count, value=value, is_too_small=count < least, scenario=NOTHING)

    return tries


def test_the_number_that_is_just_enough_is_found() -> None:
    best, tried = smallest(falling(100.0), limit=9.5, start=1)
    assert best is not None
    assert best.count == 11  # 100 / 11 is within 9.5, 100 / 10 is not
    assert {one.count for one in tried} >= {8, 10, 11, 12}


def test_memory_may_ask_for_more_than_the_limit_does() -> None:
    best, _ = smallest(falling(100.0, least=44), limit=10.0, start=1)
    assert best is not None
    assert best.count == 44


def test_what_no_number_does_is_not_answered() -> None:
    best, tried = smallest(falling(100.0, most=6), limit=10.0, start=1)
    assert best is None
    assert [one.count for one in tried if not math.isnan(one.value)]


@pytest.mark.parametrize("seed", part_of(range(200)))
def test_one_less_would_not_do(seed: int) -> None:
    draw = random.Random(seed)
    tries = falling(10 ** draw.uniform(0, 6), least=draw.choice((1, 1, 4, 24)), spoilt=draw.uniform(1, 1.3))
    limit, calls = 10 ** draw.uniform(0, 3), []

    def counted(count: int) -> Tried:
        calls.append(count)
        return tries(count)

    best, _ = smallest(counted, limit=limit, start=draw.choice((1, 14, 128, 4096)))
    assert len(calls) == len(set(calls)) <= 2 * MOST_TRIED
    does = [step for step in STEPS if tries(step).value <= limit]
    if best is not None:
        assert best.value <= limit
        assert best.count <= does[0]
        one_less = best.count - 1
        exact = does[0] <= 2**MOST_TRIED  # steps are at most half of a number apart
        assert not exact or one_less == 0 or not tries(one_less).value <= limit
    else:
        assert not does or len(calls) == MOST_TRIED


@pytest.mark.parametrize("seed", part_of(range(200)))
def test_one_more_would_be_too_many(seed: int) -> None:
    draw = random.Random(seed)
    fixed, each, limit = draw.uniform(0, 50), draw.uniform(1, 20), 10 ** draw.uniform(0.5, 5)

    def tries(count: int) -> Tried:
        return Tried(count=count, value=fixed + each * count, is_too_small=False, scenario=NOTHING)

    best = largest(tries, limit=limit, start=limit / each)
    if best is None:
        assert tries(1).value > limit
    else:
        assert best.value <= limit < tries(best.count + 1).value


def test_what_is_unknown_has_no_largest_number() -> None:
    def tries(count: int) -> Tried:
        return Tried(count=count, value=math.nan, is_too_small=False, scenario=NOTHING)

    assert largest(tries, limit=10.0, start=4) is None
