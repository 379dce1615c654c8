"""Candidates of a study over samples of their uncertain inputs: figures, their spread and the chance of
keeping limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array
from app.engine.uncertainty.sampling import unit_samples
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.limits import Term
from app.scenarios.study.scenarios import RENTED
from app.views.study.evaluating import Candidates
from app.views.study.judging import Bound, Spread
from app.views.uncertainty.fixed_layout import held_values
from app.views.uncertainty.inputs import SPEED, VaryingInput, varying_inputs
from app.views.uncertainty.sensitivity import SampledDesign

SAMPLED = ("capex_usd", "tco_usd", "run_usd", "meter_power_w", "carbon_kg")
"""Figures whose probability of keeping a limit is a share of samples; that of the time follows from measured
runs."""
DRAWN = 512
OUTPUTS = (
    "performance.elapsed_time_s",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_run",
    "cost.usd_per_run_rented_reserved",
    "cost.usd_per_run_rented_on_demand",
    "power.utility_peak_w",
    "carbon.total_kg",
)


@dataclass(frozen=True)
class Sampled:
    """A candidate with what varies in it; `names` are those under which inputs are drawn."""

    candidate: CandidateDocument
    design: SampledDesign
    names: tuple[str, ...]

    def figures(self, rows: Array) -> dict[str, Array]:
        """Figures of a study by key, of designs by their inputs."""
        found = dict(zip(OUTPUTS, self.design.block(rows).figures, strict=True))
        owned, tco = found["cost.usd_per_run"], found["cost.tco_usd"]
        capex, run = found["cost.capex_usd"], owned
        terms: Term = self.candidate.terms
        if terms in RENTED:
            run = found[f"cost.usd_per_run_rented_{RENTED[terms]}"]
            with np.errstate(invalid="ignore", divide="ignore"):
                tco, capex = tco * run / owned, np.zeros_like(run)
        return {
            "time_s": found["performance.elapsed_time_s"],
            "tco_usd": tco,
            "run_usd": run,
            "capex_usd": capex,
            "meter_power_w": found["power.utility_peak_w"],
            "carbon_kg": found["carbon.total_kg"],
        }


def asks_samples(bounds: Sequence[Bound]) -> bool:
    """Return whether a limit has a required probability that needs samples."""
    return any(bound.column.key in SAMPLED and bound.asked != 0.5 for bound in bounds)


def drawn(candidates: Candidates, candidate: CandidateDocument) -> tuple[dict[str, Array], dict[str, float]]:
    """Figures of a candidate over samples of its inputs, and as they are typically.

    Raises
    ------
    ScenarioError : no scenario can have these choices, or a range of the study cannot be used
    """
    one = sampled(candidates, candidate)
    shares = unit_samples(
        sampler="latin_hypercube", count=DRAWN, inputs=max(len(one.names), 1),
        seed=candidates.study.common.uncertainty.seed,
    )  # fmt: skip
    with np.errstate(all="ignore"):
        figures = one.figures(values_of(one.design.inputs, shares[:, : len(one.names)]))
        here = one.figures(one.design.points[None, :])
    return figures, {key: float(np.ravel(values)[0]) for key, values in here.items()}


def spreads_of(candidates: Candidates, candidate: CandidateDocument) -> dict[str, Spread]:
    """P10 and P90 over the typical figure, by key; of other sizes and places of the same hardware they are
    much the same.

    Raises
    ------
    ScenarioError : as of `drawn`
    """
    figures, here = drawn(candidates, candidate)
    found = {}
    for key in SAMPLED:
        values, typical = figures[key], here[key]
        values = values[np.isfinite(values)]
        if values.size and np.isfinite(typical) and typical > 0:
            low, high = np.quantile(values, (0.1, 0.9)) / typical
            found[key] = (float(low), float(high))
    return found


def sampled(candidates: Candidates, candidate: CandidateDocument) -> Sampled:
    scenario = candidates.evaluated(candidate)
    values = held_values(scenario)
    resolved = resolve(build_scenario(values), candidates.catalog)
    inputs = tuple(
        one for one in varying_inputs(scenario, values, resolved, candidates.catalog) if not one.levels
    )
    design = SampledDesign(resolved.design, values, candidates.catalog, inputs, OUTPUTS)
    chip = resolved.design.supernode.accelerator.key
    return Sampled(
        candidate=candidate, design=design, names=tuple(_name(one, chip, candidate.site) for one in inputs)
    )


OF_SITE = (
    "economics.import_duty_share",
    "economics.sales_tax_share",
    "economics.construction_cost_factor",
    "economics.labour_cost_factor",
)


def _name(one: VaryingInput, chip: str, site: str) -> str:
    """The name that an input is drawn by: candidates that share it have one value at a time."""
    if one.place.startswith("supernode.") or one.place == SPEED:
        return f"{one.place} of {chip}"
    if one.place.startswith("facility.site.") or one.place in OF_SITE:
        return f"{one.place} of {site}"
    if one.place.startswith("pod."):
        return f"{one.place} of {one.label}"
    return one.place


def values_of(inputs: Sequence[VaryingInput], shares: Array) -> Array:
    columns = [one.values(shares[:, place]) for place, one in enumerate(inputs)]
    return np.column_stack(columns) if columns else np.empty((len(shares), 0))
