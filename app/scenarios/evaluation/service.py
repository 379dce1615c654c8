"""Scenario document -> resolved design -> evaluation, with what a reader needs around it."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import orjson

from app import __version__
from app.catalog.lookup import Catalog
from app.catalog.view import CatalogView
from app.engine.design import evaluate
from app.engine.evaluation import Evaluation
from app.engine.explain import explained_figures, explanation, missing_inputs, resting_on
from app.engine.leaves import leaves, not_applicable, plain_values
from app.engine.problems import Problem
from app.engine.quantities import quantity_at
from app.engine.trace import Origin, Traced
from app.engine.units import unit_of
from app.likeness import nearest_names
from app.scenarios.document.estimates import EstimateDocument
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument, TrainingDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.decisions import AutomaticChoice, decisions_of
from app.scenarios.evaluation.intervals import Intervals, interval_at, intervals_of, no_intervals
from app.scenarios.evaluation.serving_doubt import LatencyDoubt, latency_doubt
from app.scenarios.evaluation.serving_intervals import serving_intervals
from app.scenarios.evaluation.serving_problems import engine_problems
from app.scenarios.evaluation.suggestions import design_part_keys, suggestion_for
from app.scenarios.evaluation.summary import inputs_summary
from app.scenarios.examples import example
from app.scenarios.resolve import Resolved, resolve
from app.server.happenings import EVALUATED

RENT_ONLY = "rent_only"
"""Constraint of the problem that says it: its figures are no gap in what is known."""
MOST_ROUNDS = 8
"""Rounds in which accepted estimates may bring up further missing inputs."""

_examples: dict[str, EvaluatedScenario] = {}


@dataclass(frozen=True)
class EvaluatedScenario:
    """A scenario with its evaluation. Explanations are computed when first asked for."""

    document: ScenarioDocument
    resolved: Resolved
    evaluation: Evaluation
    doubt: LatencyDoubt | None = None
    """Of a scenario that serves."""
    catalog: CatalogView | None = field(default=None, repr=False, compare=False)
    """Read for suggestions only."""

    @cached_property
    def figures(self) -> dict[str, Traced]:
        """Every figure, able to explain itself."""
        return explained_figures(self.resolved.design, self.resolved.origins)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What stands in the way, unknown inputs included."""
        of_engine = engine_problems(self.document, self.resolved.design)
        return (*self.evaluation.problems, *of_engine, *self._missing_inputs())

    @cached_property
    def decisions(self) -> list[AutomaticChoice]:
        """What was chosen where the scenario leaves it to `auto`."""
        return decisions_of(self.document, self.resolved.design, self.evaluation.sections)

    @cached_property
    def intervals(self) -> Intervals:
        """How far its figures may be off, by the errors of measured runs."""
        workload = self.document.workload
        if self.doubt is not None:
            return serving_intervals(self.resolved.design, self.evaluation.sections, self.doubt)
        if not isinstance(workload, TrainingDocument):
            return no_intervals(workload.kind)
        return intervals_of(self.resolved, self.evaluation.sections, workload.calibration)

    @cached_property
    def as_json(self) -> dict[str, Any]:
        """The public shape of an evaluation: one section a room, names with units, unknown as None."""
        sections = plain_values(self.evaluation.sections)
        return {
            "name": self.document.name,
            **sections,
            "feasible": self.evaluation.feasible,
            "problems": [dataclasses.asdict(problem) for problem in self.problems],
            "estimates": self.estimates,
            "decisions": [dataclasses.asdict(decision) for decision in self.decisions],
            "intervals": dataclasses.asdict(self.intervals),
            "not_applicable": not_applicable(self.evaluation.sections),
            "inputs": inputs_summary(self.resolved.design),
            "provenance": {
                "engine_version": __version__,
                "catalog_revision": self.resolved.catalog_revision,
                "seed": None,  # nothing is sampled in a single evaluation
                "inputs_hash": inputs_hash(self.document, self.resolved.catalog_revision),
            },
        }

    @cached_property
    def estimates(self) -> list[dict[str, Any]]:
        """Accepted estimates that the design uses, each with the figures that rest on it."""
        used = {place: origin for place, origin in self.resolved.origins.items() if origin.kind == "estimate"}
        if not used:
            return []
        resting: dict[str, list[str]] = {place: [] for place in used}
        for path, place in resting_on(self.figures, used):
            resting[place].append(path)
        return [
            {
                "place": place,
                "label": origin.label,
                "value": float(np.ravel(self.resolved.values[place])[0]),
                "low": origin.low,
                "high": origin.high,
                "unit": unit_of(place),
                "rule": origin.source,
                "affects": resting[place],
            }
            for place, origin in used.items()
        ]

    @cached_property
    def suggested_estimates(self) -> dict[str, EstimateDocument]:
        """Estimates that could be accepted for the inputs that are missing, by place in the design.

        They are read from today's catalog and are no part of a stored evaluation.
        """
        if self.catalog is None:
            return {}
        parts = design_part_keys(self.resolved.origins)
        offers = {
            place: (origin, suggestion_for(place, origin, parts, self.catalog.today))
            for place, (origin, _) in self._missing.items()
        }
        return {
            place: EstimateDocument(
                of=origin.label,
                value=offer.value,
                low=offer.value if offer.low is None else offer.low,
                high=offer.value if offer.high is None else offer.high,
                rule=offer.source,
            )
            for place, (origin, offer) in offers.items()
            if offer is not None
        }

    @property
    def published(self) -> list[dict[str, Any]]:
        """What others published for this scenario, in the engine's units, with where it stands."""
        return [
            {
                "path": figure.quantity,
                "label": label_of(figure.quantity),
                "value": figure.base_value,
                "unit": figure.base_unit,
                "source": figure.source,
                "note": figure.note,
            }
            for figure in self.document.published
        ]

    def explain(self, path: str) -> dict[str, Any]:
        """The explanation tree of one figure.

        Raises
        ------
        ScenarioError : there is no such figure; the nearest names are in the message
        """
        if path not in self.figures:
            raise refuse(
                f"{path!r} is not a figure of the evaluation.",
                rule="unknown_quantity",
                path="quantity",
                value=path,
                hint=f"Nearest: {nearest_names(path, self.figures)}.",
            )
        tree = explanation(path, self.figures[path])
        interval = interval_at(self.intervals, path)
        return tree if interval is None else tree | {"interval": interval}

    @cached_property
    def _missing(self) -> dict[str, tuple[Origin, list[str]]]:
        """Unknown inputs with the figures they leave unknown."""
        known = all(np.isfinite(value).all() for _, value in leaves(self.evaluation.sections))
        return {} if known else missing_inputs(self.figures)

    def _missing_inputs(self) -> list[Problem]:
        problems: list[Problem] = []
        rented = [found for found in self._missing.values() if found[0].rent_only]
        if (
            rented
        ):  # once, whether a system, its accelerator or both are; it says why their prices are missing
            problems.append(_rent_only(*rented[0]))
        for name, (origin, affects) in self._missing.items():
            if rented and (origin.rent_only or name == "supernode.price_usd"):
                continue
            suggestion = origin.suggestion
            field = origin.field or name
            offer = f"; {suggestion.value:,.6g} {suggestion.unit} is suggested" if suggestion else ""
            problems.append(
                Problem(
                    kind="missing_input",
                    field=field,
                    constraint=name,
                    message=f"{_sentence(origin.label)} is not published, so {_figures(len(affects))} unknown{offer}.",
                    suggested_assumption=suggestion,
                    affects=tuple(affects),
                )
            )
        return problems


def evaluate_scenario(document: ScenarioDocument, catalog: CatalogView) -> EvaluatedScenario:
    """Resolve a document against the catalog and evaluate it."""
    with EVALUATED.timed():
        resolved = resolve(document, catalog)
        evaluation = evaluate(resolved.design)
        workload = document.workload
        doubt = (
            latency_doubt(catalog, workload.calibration, resolved.design)
            if isinstance(workload, ServingDocument)
            else None
        )
    return EvaluatedScenario(
        document=document, resolved=resolved, evaluation=evaluation, doubt=doubt, catalog=catalog
    )


def accept_suggestions(scenario: EvaluatedScenario) -> EvaluatedScenario:
    """The scenario with every suggestion accepted, those too that accepted ones bring up.

    Raises
    ------
    ScenarioError : as `evaluate_scenario`
    """
    for _ in range(MOST_ROUNDS):
        offers = scenario.suggested_estimates
        if not offers or scenario.catalog is None:
            break
        estimates = {**scenario.document.estimates, **offers}
        accepted = scenario.document.model_copy(update={"estimates": estimates})
        scenario = evaluate_scenario(accepted, scenario.catalog)
    return scenario


def evaluate_example(key: str, catalog: Catalog) -> EvaluatedScenario:
    """A worked example, evaluated once for each revision of the catalog.

    Raises
    ------
    KeyError : there is no example of that name
    """
    kept = _examples.get(key)
    if kept is None or kept.resolved.catalog_revision != catalog.revision:
        kept = _examples[key] = evaluate_scenario(example(key).read(), catalog)
    return kept


def inputs_hash(document: ScenarioDocument, catalog_revision: str) -> str:
    """What an evaluation depends on, in one short string."""
    # What has one workload keeps the hash that it had before pods were shared.
    left_out = {name for name in ("sharing", "estimates") if not getattr(document, name)} or None
    values = document.model_dump(mode="json", exclude=left_out)
    content = orjson.dumps([values, catalog_revision], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(content).hexdigest()[:16]


def _rent_only(origin: Origin, affects: list[str]) -> Problem:
    """What says that figures of owning are left open: nobody can buy the part."""
    name = origin.label.partition(", price")[0]
    count = "1 figure" if len(affects) == 1 else f"{len(affects)} figures"
    return Problem(
        kind="missing_input",
        field=origin.field,
        constraint=RENT_ONLY,
        message=f"{name} is rent only: {origin.rent_only}. Its cost is by rent; {count} of owning stay "
        "open unless a price is stated.",
        affects=tuple(affects),
    )


def _sentence(label: str) -> str:
    return label[:1].upper() + label[1:]


def _figures(count: int) -> str:
    return "1 figure is" if count == 1 else f"{count} figures are"


def label_of(path: str) -> str:
    """What people call the figure at a place of the evaluation."""
    record = quantity_at(path)
    return record.label if record else path
