"""The design that trains the projected model: its compute a second, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.scaling.coefficients import layers_of_size, width_of_size
from app.engine.scaling.on_design import (
    flop_in_days,
    projected_days,
    projected_supernodes,
    sustained_flop_per_s,
    usd_per_training_flop,
)
from app.engine.trace import Array
from app.engine.workload.transformer import parameter_counts
from app.scenarios.errors import refuse
from app.scenarios.evaluation.bounds import Bounds
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run, training_run
from app.scenarios.resolve.workload import shape_of
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


HEAD_DIM = 128
VOCABULARY = 50_257
ASPECT_RATIO = 128.0
SHAPE_SOURCE = (
    "Width over depth 128, heads of 128, an MLP four times as wide and 50,257 tokens of vocabulary are those of "
    "GPT-3 175B (Brown et al. 2020, arXiv 2005.14165, table 2.1); heads come in eights, which a server can share. The loss hardly depends on the shape "
    "(Kaplan et al. 2020, arXiv 2001.08361, section 3.1)."
)
LEAST_RATIO, MOST_RATIO = 8.0, 1024.0
LARGEST = 1e15
"""Parameters beyond which no layers and widths are made up."""


class NamedModel(NamedTuple):
    """A model of the catalog, and the parameters that one token of it uses."""

    key: str
    name: str
    active_parameters: float


def nearest_model(catalog: Catalog, parameters: float) -> NamedModel:
    """The model of the catalog whose active parameters are nearest, by their ratio."""
    return min(counted_models(catalog), key=lambda model: abs(math.log(model.active_parameters / parameters)))


def scaled_architecture(parameters: float, aspect_ratio: float = ASPECT_RATIO) -> dict[str, Any]:
    """A dense transformer of nearly so many parameters, as a scenario writes it out.

    Raises
    ------
    ScenarioError : the aspect ratio or the size is out of range
    """
    if not LEAST_RATIO <= aspect_ratio <= MOST_RATIO:
        raise refuse(
            f"{aspect_ratio:g} must be between {LEAST_RATIO:g} and {MOST_RATIO:g}.",
            rule="range",
            path="aspect_ratio",
            value=aspect_ratio,
            hint="128 is that of GPT-3.",
        )
    if parameters > LARGEST:
        raise refuse(
            f"{parameters:.3g} parameters are more than {LARGEST:g}.",
            rule="at_most",
            path="parameters",
            value=parameters,
            hint="Choose a smaller model.",
        )
    size, vocabulary = np.array([parameters]), np.array([float(VOCABULARY)])
    width = width_of_size(
        parameters=size,
        aspect_ratio=np.array([aspect_ratio]),
        vocabulary=vocabulary,
        head_dim=np.array([float(HEAD_DIM)]),
    )
    layers = layers_of_size(parameters=size, hidden=width, vocabulary=vocabulary)
    hidden = int(width[0])
    return {
        "name": f"Dense {parameters:.3g}, scaled",
        "layers": int(layers[0]),
        "hidden": hidden,
        "heads": hidden // HEAD_DIM,
        "vocabulary": VOCABULARY,
        "tied_embedding": True,
        "feed_forward_hidden": 4 * hidden,
        "mlp_matrices": 2,
    }


@lru_cache(maxsize=4)
def counted_models(catalog: Catalog) -> tuple[NamedModel, ...]:
    """Models of the catalog whose parameters the engine can count."""
    found = []
    for part in catalog.parts("models"):
        active = float(
            parameter_counts(architecture=shape_of(part).architecture(part.key, part.name)).active[0]
        )
        if math.isfinite(active) and active > 0:
            found.append(NamedModel(part.key, part.name, active))
    return tuple(found)
