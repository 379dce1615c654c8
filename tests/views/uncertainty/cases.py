"""A small job with a stated layout, and how sure its figures are."""

from __future__ import annotations

from typing import Any

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.uncertainty.answer import answered, uncertainty_steps
from app.views.uncertainty.report import Answered, UncertainFigure, UncertaintyOptions, UncertaintyReport
from tests.scenarios.support import scenario

LAYOUT = {"tp": 8, "pp": 1, "zero_stage": 1}


def evaluated(
    catalog: Catalog, uncertainty: dict[str, Any] | None = None, **changes: Any
) -> EvaluatedScenario:
    """The job with what is said of its uncertainty."""
    values = scenario(**{"parallelism": LAYOUT, "pod__supernodes": 4, **changes})
    return evaluate_scenario(build_scenario(values | {"uncertainty": uncertainty or {}}), catalog)


def asked(found: EvaluatedScenario, catalog: Catalog, **options: Any) -> Answered:
    """The answer with its samples; 256 of them and no Sobol indices where nothing else is asked."""
    stated = {"samples": 256, "sobol": False, **options}
    return answered(uncertainty_steps(found, catalog, UncertaintyOptions(**stated)))


def figure(report: UncertaintyReport, path: str) -> UncertainFigure:
    return next(one for one in report.figures if one.path == path)
