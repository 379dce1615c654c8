"""A stream of progress computes no further than its reader reads, and a plain answer no longer than it may."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from app.scenarios.errors import refuse
from app.surfaces.rest import uncertainty
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG
from app.surfaces.rest.problems import ProblemError
from app.views.uncertainty.report import Progress


class Workers:
    """Runs what it is given at once, and refuses all after `most` of it."""

    def __init__(self, most: int = 100) -> None:
        self.left = most

    async def run(self, work: Any, *arguments: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise ProblemError(TOO_BUSY, "Too many evaluations are under way.")
        return work(*arguments)


def services(workers: Workers, **limits: Any) -> Any:
    return SimpleNamespace(workers=workers, limits=Limits(**limits))


def request(leaves_after: int) -> Any:
    """A reader who is gone after taking so many lines."""
    asked = iter(range(1_000))

    async def is_disconnected() -> bool:
        return next(asked) + 1 >= leaves_after

    return SimpleNamespace(
        is_disconnected=is_disconnected, url=SimpleNamespace(path="/"), state=SimpleNamespace(request_id="1")
    )


def counted(computed: list[int]) -> Iterator[Progress]:
    for done in range(1, 1_000):
        computed.append(done)
        yield Progress(done=done, total=1_000)


def lines_of(reader: Any, workers: Workers, computed: list[int]) -> list[dict[str, Any]]:
    async def read() -> list[dict[str, Any]]:
        steps = counted(computed)
        lines = uncertainty._lines(reader, services(workers), steps, next(steps))
        return [json.loads(line) async for line in lines]

    return asyncio.run(read())


def test_who_leaves_ends_the_work() -> None:
    computed: list[int] = []
    told = lines_of(request(leaves_after=3), Workers(), computed)
    assert told == [{"done": done, "total": 1_000} for done in (1, 2, 3)]
    assert computed == [1, 2, 3]


def test_a_busy_server_says_so_in_the_last_line() -> None:
    computed: list[int] = []
    *told, last = lines_of(request(leaves_after=100), Workers(most=2), computed)
    assert [one["done"] for one in told] == [1, 2, 3]
    assert last["problem"]["status"] == TOO_BUSY.status
    assert computed == [1, 2, 3]


def test_a_refusal_after_the_first_line_is_the_last() -> None:
    def steps() -> Iterator[Progress]:
        yield Progress(done=1, total=2)
        raise refuse("No sample is a design that can be.", rule="no_design", path="uncertainty.inputs")

    async def read() -> list[dict[str, Any]]:
        work = steps()
        lines = uncertainty._lines(request(leaves_after=100), services(Workers()), work, next(work))
        return [json.loads(line) async for line in lines]

    *told, last = asyncio.run(read())
    assert told == [{"done": 1, "total": 2}]
    assert last["problem"]["status"] == INVALID_SCENARIO.status
    assert last["problem"]["errors"][0]["path"] == "uncertainty.inputs"


def test_a_plain_answer_is_given_up_at_the_time_limit() -> None:
    computed: list[int] = []
    answer = uncertainty._answered(
        request(leaves_after=100), services(Workers(), time_limit_s=0.0), counted(computed)
    )
    with pytest.raises(
        ProblemError, match=r"1 of 1,000 designs were evaluated in 0 s\. .*x-ndjson"
    ) as caught:
        asyncio.run(answer)
    assert caught.value.kind is TOOK_TOO_LONG
    assert computed == [1]
