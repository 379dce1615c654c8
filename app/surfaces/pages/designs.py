"""Where pages get their designs from."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from fastapi import Depends, Request

from app.catalog.lookup import Catalog
from app.engine.specs import Design
from app.engine.trace import Origin
from app.scenarios.document.estimates import EstimateDocument
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.choices import Choice
from app.surfaces.pages.studio.fields import all_fields
from app.validation.calibration.calibrate import Calibration
from app.validation.calibration.kept import KeptRuns
from app.validation.calibration.latency import ServingCalibration
from app.validation.calibration.measured import MeasuredRuns
from app.views.economics.cost_against_time import CostAgainstTime
from app.views.economics.cost_against_time_options import CostAgainstTimeOptions
from app.views.economics.difference.options import DifferenceOptions
from app.views.economics.difference.report import DifferenceReport
from app.views.projecting.options import ProjectionOptions
from app.views.searching.options import SearchOptions
from app.views.searching.serving_answer import ServingSearchAnswer
from app.views.searching.serving_options import ServingSearchOptions

NEW = "new"
NEW_DESIGN: dict[str, Any] = {
    "name": "New design",
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 100e9,
        "sequence_length": 8192,
        "global_batch_sequences": 512,
        "precision": "bf16",
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 1},
}


class Evaluated(NamedTuple):
    """An evaluated design as plain values, with published figures beside ours where there are any.

    `used` are values of the design by place, `origins` where each of them comes from, `suggested` estimates
    that could be accepted for what is missing.
    """

    key: str
    as_json: dict[str, Any]
    published: list[dict[str, Any]]
    illustrative: bool
    document: ScenarioDocument
    origins: Mapping[str, Origin]
    used: Mapping[str, float | str]
    suggested: Mapping[str, EstimateDocument] = {}


class Designs(Protocol):
    """What pages ask for. Raises KeyError where there is no such design or figure."""

    def of(self, key: str) -> Designs:
        """The same for scenarios made from the design `key`: with the catalog and designs of its workspace."""
        ...

    def listed(self) -> list[str]: ...

    def evaluated(self, key: str) -> Evaluated: ...

    def explained(self, key: str, path: str) -> dict[str, Any]: ...

    def evaluate(self, key: str, document: ScenarioDocument) -> Evaluated:
        """A scenario made from the design `key`. Raises ScenarioError where it cannot be evaluated."""
        ...

    def explain(self, document: ScenarioDocument, path: str) -> dict[str, Any]: ...

    def scenario(self, document: ScenarioDocument) -> EvaluatedScenario:
        """A scenario with its evaluation. Raises ScenarioError where it cannot be evaluated."""
        ...

    def catalog(self) -> Catalog:
        """The catalog that scenarios are evaluated with."""
        ...

    def search(self, document: ScenarioDocument, options: SearchOptions) -> dict[str, Any]:
        """Every layout of a scenario. Raises ScenarioError where it cannot be searched."""
        ...

    def serving_search(
        self, document: ScenarioDocument, options: ServingSearchOptions
    ) -> ServingSearchAnswer:
        """Layouts and loads of a served model. Raises ScenarioError where it cannot be searched."""
        ...

    def domain_study(self, document: ScenarioDocument) -> dict[str, Any]: ...

    def cost_against_time(
        self, document: ScenarioDocument, options: CostAgainstTimeOptions
    ) -> CostAgainstTime:
        """The job of a scenario on several systems. Raises ScenarioError where they cannot be compared."""
        ...

    def difference(
        self,
        first: EvaluatedScenario,
        second: EvaluatedScenario,
        catalog: Catalog,
        options: DifferenceOptions,
    ) -> DifferenceReport:
        """What explains a difference. Raises ScenarioError where an offer without a price is compared."""
        ...

    def calibrate(
        self, document: ScenarioDocument, measured: MeasuredRuns
    ) -> Calibration | ServingCalibration:
        """What own runs say of a scenario. Raises ScenarioError where they cannot be compared."""
        ...

    def own_runs(self) -> KeptRuns:
        """The measured runs that are kept."""
        ...

    def deployment(self, document: ScenarioDocument) -> dict[str, str]:
        """What runs must share with a scenario to correct it. Raises ScenarioError where it cannot be evaluated."""
        ...

    def project(self, document: ScenarioDocument | None, options: ProjectionOptions) -> dict[str, Any]:
        """A projection, on the design of a scenario where one is given. Raises ScenarioError where there is none."""
        ...

    def choices(self) -> Mapping[str, tuple[Choice, ...]]: ...


def designs(request: Request) -> Designs:
    """The designs of the application, as a dependency of its routes."""
    found: Designs = request.app.state.designs
    return found


DesignsDep = Annotated[Designs, Depends(designs)]


@functools.cache
def new_design() -> ScenarioDocument:
    """Where a new design starts: one server, and a model that fits it."""
    return build_scenario(NEW_DESIGN)


def evaluated(key: str, scenario: EvaluatedScenario) -> Evaluated:
    """An evaluated scenario as pages read it."""
    return Evaluated(
        key,
        scenario.as_json,
        scenario.published,
        scenario.document.illustrative,
        scenario.document,
        scenario.resolved.origins,
        used_values(scenario.resolved.design),
        scenario.suggested_estimates,
    )


def used_values(design: Design) -> dict[str, float | str]:
    """The value that the design uses for each field of the form, where it is known."""
    used: dict[str, float | str] = {}
    for path in {field.used for field in all_fields() if field.used}:
        part: Any = design
        for name in path.split("."):
            part = getattr(part, name, None)
        if isinstance(part, np.ndarray) and part.size == 1 and np.isfinite(part).all():
            used[path] = float(part[0])
        elif isinstance(part, str):
            used[path] = part
    return used
