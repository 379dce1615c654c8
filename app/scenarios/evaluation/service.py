"""Scenario document -> resolved design -> evaluation, with what a reader needs around it."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, overload

import numpy as np
import orjson

from app import __version__
from app.catalog.lookup import Catalog
from app.catalog.pinned import RecordingCatalog
from app.catalog.snapshot import Snapshot
from app.catalog.view import CatalogView
from app.engine.design import evaluate
from app.engine.evaluation import Evaluation
from app.engine.explain import explained_figures, explanation, missing_in, resting_on
from app.engine.leaves import not_applicable, plain_values
from app.engine.problems import Problem
from app.engine.quantities import label_at
from app.engine.trace import Origin, Traced
from app.engine.units import unit_of
from app.likeness import nearest_names
from app.scenarios.answers import Answers
from app.scenarios.document.estimates import EstimateDocument
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument, TrainingDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.decisions import AutomaticChoice, decisions_of
from app.scenarios.evaluation.intervals import (
    Intervals,
    engine_problems,
    interval_at,
    intervals_of,
    no_intervals,
    with_failures,
)
from app.scenarios.evaluation.serving_intervals import LatencyDoubt, latency_doubt, serving_intervals
from app.scenarios.evaluation.suggestions import design_part_keys, suggestion_for
from app.scenarios.evaluation.summary import inputs_summary
from app.scenarios.examples import example
from app.scenarios.resolve import Resolved, resolve
from app.scenarios.resolve.speeds import known_speed
from app.server.events import EVALUATED

RENT_ONLY = "rent_only"
"""Constraint of the problem that says it: its figures are no gap in what is known."""
MOST_ROUNDS = 8
"""Rounds in which accepted estimates may bring up further missing inputs."""

MOST_KEPT_BYTES = 32_000_000
"""Of evaluations at hand in a process: some 100."""
TRACED_KEPT = 3
"""Evaluations asked for last that keep their explanations, which take twenty times as much memory as all else."""
BYTES_A_VALUE, BYTES_A_TRACED_VALUE = 600, 11_000
"""Memory of an evaluation for each number of its design, without and with explanations, as measured."""

Result = TypeVar("Result")


@dataclass(slots=True)
class _Known:
    """What has been worked out of an evaluation, for everybody who has it."""

    results: dict[str, Any] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def once(self, name: str, work: Callable[[], Any]) -> Any:
        """A result by its name, worked out by the first who asks."""
        found = self.results.get(name, self)  # itself stands for nothing
        if found is self:
            with self.lock:
                found = self.results.get(name, self)
                if found is self:
                    found = self.results[name] = work()
        return found


class known_once(Generic[Result]):  # noqa: N801 - used like functools.cached_property
    """A property that is worked out when first asked for, once the caller at the same time."""

    def __init__(self, work: Callable[[Any], Result]) -> None:
        self._work, self._name, self.__doc__ = work, work.__name__, work.__doc__

    @overload
    def __get__(self, scenario: None, kind: type) -> known_once[Result]: ...
    @overload
    def __get__(self, scenario: EvaluatedScenario, kind: type) -> Result: ...
    def __get__(self, scenario: EvaluatedScenario | None, kind: type) -> Any:
        if scenario is None:
            return self
        return scenario.known.once(self._name, lambda: self._work(scenario))


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
    snapshot: Snapshot | None = field(default=None, repr=False, compare=False)
    """What the catalog was asked, with its answers, where that was noted."""
    known: _Known = field(default_factory=_Known, init=False, repr=False, compare=False)

    def of_document(self, document: ScenarioDocument) -> EvaluatedScenario:
        """The same for a document with equal values, which may state other defaults."""
        if document is self.document:
            return self
        same = dataclasses.replace(self, document=document)
        object.__setattr__(same, "known", self.known)
        return same

    def kept_bytes(self) -> int:
        """About how much memory it takes, without what the catalog and others share."""
        each = BYTES_A_TRACED_VALUE if "figures" in self.known.results else BYTES_A_VALUE
        return self._array_bytes + each * len(self.resolved.values)

    def forget_explanations(self) -> None:
        """They are computed again when someone asks."""
        self.known.results.pop("figures", None)

    def kept_answer(self, name: str, make: Callable[[], Result]) -> Result:
        """What follows from it alone and does not change, such as its text in a format: made once."""
        found: Result = self.known.once(name, make)
        return found

    @known_once
    def snapshot_hash(self) -> str:
        """Of the catalog's answers that it rests on."""
        assert self.snapshot is not None, "its catalog took notes"
        return self.snapshot.packed()[0]

    @known_once
    def _array_bytes(self) -> int:
        return sum(value.nbytes for value in self.resolved.values.values())

    @known_once
    def figures(self) -> dict[str, Traced]:
        """Every figure, able to explain itself."""
        return explained_figures(self.resolved.design, self.resolved.origins)

    def _traced(self) -> Mapping[str, Traced]:
        """Every figure traced, for a look at it: kept only where someone asks for explanations."""
        return self.known.results.get("figures") or explained_figures(
            self.resolved.design, self.resolved.origins
        )

    @known_once
    def problems(self) -> tuple[Problem, ...]:
        """Problems, unknown inputs included."""
        of_engine = engine_problems(self.document, self.resolved.design)
        return (*self.evaluation.problems, *of_engine, *self._missing_inputs())

    @known_once
    def decisions(self) -> list[AutomaticChoice]:
        """What was chosen where the scenario leaves it to `auto`."""
        return decisions_of(self.document, self.resolved.design, self.evaluation.sections)

    @known_once
    def intervals(self) -> Intervals:
        """How far its figures may be off, by the errors of measured runs and the failures of published fleets."""
        return with_failures(self._intervals_of_speed(), self.resolved, self.evaluation.sections)

    def _intervals_of_speed(self) -> Intervals:
        workload = self.document.workload
        if self.doubt is not None:
            return serving_intervals(self.resolved.design, self.evaluation.sections, self.doubt)
        if not isinstance(workload, TrainingDocument):
            return no_intervals(workload.kind)
        return intervals_of(self.resolved, self.evaluation.sections, workload.calibration)

    @known_once
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

    @known_once
    def estimates(self) -> list[dict[str, Any]]:
        """Accepted estimates that the design uses, each with the figures that rest on it."""
        used = {place: origin for place, origin in self.resolved.origins.items() if origin.kind == "estimate"}
        if not used:
            return []
        resting: dict[str, list[str]] = {place: [] for place in used}
        for path, place in resting_on(self._traced(), used):
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

    @known_once
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
                "label": label_at(figure.quantity),
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

    @known_once
    def _missing(self) -> dict[str, tuple[Origin, list[str]]]:
        """Unknown inputs with the figures they leave unknown."""
        return missing_in(self.resolved.design, self.resolved.origins, self.evaluation.sections)

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
    """Resolve a document against the catalog and evaluate it; one that takes notes is taken for today's afterwards."""
    with EVALUATED.timed():
        resolved = resolve(document, catalog)
        is_shared = resolved.design.sharing is not None  # by workloads that each have a speed of their own
        speed = None if is_shared else resolved.speed or known_speed(resolved.design)
        evaluation = evaluate(resolved.design, speed)
        workload = document.workload
        doubt = (
            latency_doubt(catalog, workload.calibration, resolved.design)
            if isinstance(workload, ServingDocument)
            else None
        )
    notes = catalog if isinstance(catalog, RecordingCatalog) else None
    return EvaluatedScenario(
        document=document,
        resolved=resolved,
        evaluation=evaluation,
        doubt=doubt,
        catalog=notes.today if notes else catalog,
        snapshot=notes.snapshot if notes else None,
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


class Evaluations:
    """Evaluations made last, by catalog and document, within a bound on their memory; safe to share by threads.

    A catalog is an object of its own for each database, revision and workspace with own rows, so an evaluation is
    never given to anyone who has another catalog.
    """

    def __init__(self, most_bytes: int = MOST_KEPT_BYTES) -> None:
        self._most_bytes = most_bytes
        self._answers: Answers[EvaluatedScenario] = Answers(self._shrink)

    def __len__(self) -> int:
        return len(self._answers)

    def of(self, document: ScenarioDocument, catalog: Catalog) -> EvaluatedScenario:
        """The evaluation of a document, computed unless it is at hand or under way.

        Raises
        ------
        ScenarioError : the scenario cannot be evaluated
        """
        key = (catalog, inputs_hash(document, catalog.revision))
        # with notes of what the catalog was asked, which a save of the scenario keeps
        found = self._answers.of(key, lambda: evaluate_scenario(document, RecordingCatalog(catalog)))
        return found.of_document(document)

    def at_hand(self, document: ScenarioDocument, catalog: Catalog) -> EvaluatedScenario | None:
        """The evaluation where it is kept; None where it would have to be computed."""
        found = self._answers.at_hand((catalog, inputs_hash(document, catalog.revision)))
        return None if found is None else found.of_document(document)

    def _shrink(self, kept: tuple[EvaluatedScenario, ...]) -> int:
        """Forget old explanations, and say how many of the oldest evaluations are too many."""
        for older in kept[:-TRACED_KEPT]:
            older.forget_explanations()
        total = sum(one.kept_bytes() for one in kept)
        too_many = 0
        while total > self._most_bytes and too_many < len(kept) - 1:
            total -= kept[too_many].kept_bytes()
            too_many += 1
        return too_many


EVALUATIONS = Evaluations()
"""Those of this process: pages, REST, the command line and jobs share them."""


def evaluated(document: ScenarioDocument, catalog: CatalogView) -> EvaluatedScenario:
    """The evaluation of a document as `EVALUATIONS` has it; with kept values of a catalog, computed.

    Raises
    ------
    ScenarioError : the scenario cannot be evaluated
    """
    if not isinstance(catalog, Catalog):
        return evaluate_scenario(document, catalog)
    return EVALUATIONS.of(document, catalog)


def evaluate_example(key: str, catalog: Catalog) -> EvaluatedScenario:
    """A worked example, or a reference design of the gallery, evaluated.

    Raises
    ------
    KeyError : there is no example of that name
    """
    return evaluated(example(key).read(), catalog)


def inputs_hash(document: ScenarioDocument, catalog_revision: str) -> str:
    """What an evaluation depends on, in one short string."""
    # What has one workload keeps the hash that it had before pods were shared.
    left_out = {name for name in ("sharing", "estimates") if not getattr(document, name)} or None
    values = document.model_dump(mode="json", exclude=left_out)
    content = orjson.dumps([values, catalog_revision], option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(content).hexdigest()[:16]


def _rent_only(origin: Origin, affects: list[str]) -> Problem:
    """Problem of a part that cannot be bought: figures of owning stay unknown."""
    name = origin.priced_part
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
