"""Candidates and columns of the board one by one, each by the evaluation of its scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.explore.limits import broken_limits
from app.engine.leaves import leaves
from app.engine.trace import first_of
from app.scenarios.document.layout import layout_document
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.study.blocks import OUTPUTS, StudyBlock, first_broken
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.limits import Term
from app.scenarios.study.scenarios import candidate_key, candidate_scenario
from app.views.study.columns import FIGURES
from app.views.study.judging import Bound, bounds_of, figures_of, keeps, probabilities
from app.views.study.report import StudyRow
from app.views.study.rows import RowContext, row_of
from app.views.study.search import Pods

Evaluate = Callable[[ScenarioDocument], EvaluatedScenario]


@dataclass
class Candidates:
    """Candidates of a study by their evaluation, each made once."""

    study: StudyDocument
    catalog: Catalog
    evaluate: Evaluate | None = None
    _known: dict[str, EvaluatedScenario] = field(default_factory=dict)
    _serving: dict[str, EvaluatedScenario] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The limits that are numbers."""
        return bounds_of(self.study.limits, self.study.timing.order_date)

    def evaluated(self, candidate: CandidateDocument) -> EvaluatedScenario:
        """The evaluation of a candidate.

        Raises
        ------
        ScenarioError : no scenario can have these choices
        """
        key = candidate_key(candidate)
        if key not in self._known:
            document = candidate_scenario(self.study, candidate)
            self._known[key] = (
                self.evaluate(document) if self.evaluate else evaluate_scenario(document, self.catalog)
            )
        return self._known[key]

    def serving(self, candidate: CandidateDocument) -> EvaluatedScenario:
        """The evaluation of what a candidate serves after training. Its speed is the same at every place and
        on all terms.

        Raises
        ------
        ScenarioError : no scenario can have these choices
        """
        key = candidate_key(candidate.model_copy(update={"site": "any", "terms": "own"}))
        if key not in self._serving:
            document = candidate_scenario(self.study, candidate, serving=True)
            self._serving[key] = evaluate_scenario(document, self.catalog)
        return self._serving[key]

    def accelerators(self, candidate: CandidateDocument) -> int:
        """Accelerators of a candidate.

        Raises
        ------
        ScenarioError : no scenario can have these choices
        """
        design = self.evaluated(candidate).resolved.design
        return round(first_of(design.pod.supernodes * design.supernode.accelerators))

    def figures(self, candidate: CandidateDocument) -> dict[str, float]:
        """Figures by key of their columns; unknown is NaN, and so are all of a design that cannot be.

        Raises
        ------
        ScenarioError : no scenario can have these choices
        """
        pods = self._pods(self.evaluated(candidate), candidate.terms)
        return {
            column.key: float(pods.values[column.key][0, 0, 0])
            for column in FIGURES
            if column.key in pods.values
        }

    def row(self, candidate: CandidateDocument) -> StudyRow:
        """The row of a candidate, whatever its rank.

        Raises
        ------
        ScenarioError : no scenario can have these choices
        """
        found, bounds = self.evaluated(candidate), self.bounds
        design = found.resolved.design
        network = candidate.network or self.study.candidates.networks[0].name
        context = RowContext(
            candidate=candidate.model_copy(update={"network": network}),
            system_name=self.catalog.part("systems", candidate.system).name,
            site_name=self.catalog.part("sites", candidate.site).name,
            domain_size=round(first_of(design.supernode.scale_up_domain_accelerators)),
            per_supernode=first_of(design.supernode.accelerators),
        )
        return row_of(context, self._pods(found, candidate.terms), bounds, (0, 0, 0))

    def of_scenario(self, name: str, found: EvaluatedScenario, terms: Term = "own") -> StudyRow:
        """The row of a scenario of its own, named as its column."""
        design, document, bounds = found.resolved.design, found.document, self.bounds
        site = document.facility.site
        key = site if isinstance(site, str) else "ashburn"
        system = document.supernode.system or "custom"
        context = RowContext(
            candidate=CandidateDocument(
                system=system,
                supernodes=round(first_of(design.pod.supernodes)),
                network=design.pod.fabric.topology.replace("_", " "),
                site=key,
                terms=terms,
            ),
            system_name=design.supernode.name,
            site_name=design.facility.site.name,
            domain_size=round(first_of(design.supernode.scale_up_domain_accelerators)),
            per_supernode=first_of(design.supernode.accelerators),
        )
        row = row_of(context, self._pods(found, terms), bounds, (0, 0, 0))
        return replace(row, key=name)

    def _pods(self, found: EvaluatedScenario, terms: Term) -> Pods:
        return pods_of(found, terms, self.bounds, serves=self.study.workload.training is None)


def pods_of(
    found: EvaluatedScenario, terms: Term, bounds: tuple[Bound, ...], *, serves: bool = False
) -> Pods:
    """An evaluated scenario as the only pod of a search."""
    sections, design = found.evaluation.sections, found.resolved.design
    known = dict(leaves(sections))
    values = [np.nan if known.get(path) is None else first_of(known[path]) for path in OUTPUTS]
    with np.errstate(all="ignore"):
        broken = first_broken(broken_limits(design, sections), 1)
    if not found.evaluation.feasible and not broken[0]:
        broken[0] = 1
    ends = np.full((2, 1), np.nan)
    bounds_of_time, time_s = found.intervals.speed.elapsed_time_s, known.get("performance.elapsed_time_s")
    if bounds_of_time.low is not None and bounds_of_time.high is not None and time_s is not None:
        ends[:, 0] = bounds_of_time.low / first_of(time_s), bounds_of_time.high / first_of(time_s)
    strategy = getattr(sections.performance, "strategy", None)
    chosen = {} if strategy is None else {name: first_of(one) for name, one in strategy.items()}
    layout = layout_document({name: None if np.isnan(one) else one for name, one in chosen.items()})
    block = StudyBlock(
        group=0,
        counts=(round(first_of(design.pod.supernodes)),),
        values=np.array(values)[None, :, None],
        broken=broken[None, :],
        time_ends=ends,
        layouts=(layout,),
        searched=1,
    )
    figures = figures_of(block, 1, (terms,), (terms,), serves=serves)
    chances = probabilities(figures, bounds, (terms,))
    return Pods(
        counts=np.array(block.counts, dtype=np.intp),
        values=figures.values,
        time_ends=ends,
        feasible=figures.feasible,
        broken=block.broken[None],
        chances=chances,
        kept=keeps(chances, bounds, figures.feasible),
        layouts=block.layouts,
    )
