"""Plain timing: the median of several runs, with the quickest and the slowest beside it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One row of the table; `aim` is what the project wants it to stay below, or `at_least` to reach."""

    name: str
    value: float
    unit: str
    aim: float
    quickest: float
    slowest: float
    runs: int
    at_least: bool = False

    @property
    def within_aim(self) -> bool:
        return self.value >= self.aim if self.at_least else self.value <= self.aim


def measured(name: str, values: list[float], *, unit: str, aim: float, at_least: bool = False) -> Measurement:
    return Measurement(
        name=name,
        value=statistics.median(values),
        unit=unit,
        aim=aim,
        quickest=max(values) if at_least else min(values),
        slowest=min(values) if at_least else max(values),
        runs=len(values),
        at_least=at_least,
    )


def timed(name: str, call: Callable[[], object], *, runs: int, unit: str, aim: float) -> Measurement:
    """Run `call` once to warm up, then `runs` times against the clock."""
    factor = {"s": 1.0, "ms": 1e3}[unit]
    call()
    values = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        values.append((time.perf_counter() - start) * factor)
    return measured(name, values, unit=unit, aim=aim)
