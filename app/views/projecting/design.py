"""The design that trains the projected model: its compute a second, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.scaling.on_design import (
    flop_in_days,
    projected_days,
    projected_supernodes,
    sustained_flop_per_s,
    usd_per_training_flop,
)
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.evaluation.bounds import Bounds
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run, training_run
from app.views.projecting.options import ProjectionOptions


@dataclass(frozen=True)
class DesignSpeed:
    """A design as a source of compute. `low` and `high` are the 80 % interval of its speed, as factors."""

    scenario: EvaluatedScenario
    flop_per_s: Array
    usd_per_flop: Array
    low: float
    high: float

    def limits(self, options: ProjectionOptions) -> dict[str, Array]:
        """Compute that the deadline and the budget leave, of those that are given."""
        found: dict[str, Array] = {}
        if options.deadline_days is not None:
            days = np.array([options.deadline_days])
            found["deadline_days"] = flop_in_days(days=days, sustained_flop_per_s=self.flop_per_s)
        if options.budget_usd is not None:
            if not np.isfinite(self.usd_per_flop).all():
                raise _unknown("cost.usd_per_run", "budget_usd")
            found["budget_usd"] = options.budget_usd / self.usd_per_flop
        return found

    def answer(self, flops: Array, options: ProjectionOptions) -> dict[str, Any]:
        """Days and cost of a run on the design, and how many SuperNodes the deadline would take."""
        design = self.scenario.resolved.design
        days = float(projected_days(flops=flops, sustained_flop_per_s=self.flop_per_s)[0])
        cost = float((flops * self.usd_per_flop)[0])
        return {
            "name": self.scenario.document.name,
            "feasible": self.scenario.evaluation.feasible,
            "supernodes": int(design.pod.supernodes[0]),
            "accelerators": int(design.pod.accelerators_used[0]),
            "sustained_flop_per_s": float(self.flop_per_s[0]),
            "days": days,
            "days_interval": {"low": days / self.high, "high": days / self.low},
            "usd": cost if np.isfinite(cost) else None,
            "usd_interval": {"low": cost / self.high, "high": cost / self.low} if np.isfinite(cost) else None,
            **self._needed(flops, options.deadline_days),
        }

    def _needed(self, flops: Array, deadline_days: float | None) -> dict[str, Any]:
        """The SuperPOD that meets a deadline, its SuperNodes used as the design uses its own."""
        if deadline_days is None:
            names = ("supernodes_needed", "supernodes_needed_interval", "accelerators_needed")
            return dict.fromkeys(names)
        pod = self.scenario.resolved.design.pod
        needed = self.supernodes_in(flops, deadline_days)
        share = float(pod.accelerators_used[0] / pod.supernodes[0])
        return {
            "supernodes_needed": needed,
            "supernodes_needed_interval": {
                "low": self.supernodes_in(flops, deadline_days, self.high),
                "high": self.supernodes_in(flops, deadline_days, self.low),
            },
            "accelerators_needed": round(needed * share),
        }

    def supernodes_in(self, flops: Array, days: float, speed: float = 1.0) -> int:
        """SuperNodes that do so much compute in so many days, were they faster by a factor."""
        needed = projected_supernodes(
            flops=flops * (1 - 1e-9),  # the deadline that gave the compute asks for no more than there is
            days=np.array([days]),
            sustained_flop_per_s=self.flop_per_s * speed,
            supernodes=self.scenario.resolved.design.pod.supernodes,
        )
        return int(needed[0])


def speed_of(scenario: EvaluatedScenario) -> DesignSpeed:
    """The compute a second of an evaluated scenario, for its own model.

    Raises
    ------
    ScenarioError : its elapsed time is unknown
    """
    run = training_run(scenario.resolved.design, scenario.evaluation.sections, "A projection on a design")
    performance, tokens = run.performance, run.workload.tokens
    rate = sustained_flop_per_s(
        active_parameters=performance.active_parameters,
        tokens=tokens,
        elapsed_time_s=performance.elapsed_time_s,
    )
    if not np.isfinite(rate).all():
        raise _unknown("performance.elapsed_time_s", "scenario")
    low, high = _speed_factors(scenario.intervals.speed.elapsed_time_s, performance.elapsed_time_s)
    return DesignSpeed(
        scenario=scenario,
        flop_per_s=rate,
        usd_per_flop=usd_per_training_flop(
            usd_per_run=of_a_run(scenario.evaluation.sections.cost.usd_per_run, "A projection on a design"),
            active_parameters=performance.active_parameters,
            tokens=tokens,
        ),
        low=low,
        high=high,
    )


def _speed_factors(bounds: Bounds, elapsed_time_s: Array) -> tuple[float, float]:
    if bounds.low is None or bounds.high is None:
        return 1.0, 1.0
    middle = float(elapsed_time_s[0])
    return middle / bounds.high, middle / bounds.low


def _unknown(figure: str, path: str) -> Exception:
    return refuse(
        f"{figure} of the scenario is unknown, so what it can train is too.",
        rule="unknown",
        path=path,
        hint="Its problems say which inputs are missing: podwright evaluate prints them.",
    )
