"""Studies of serving alone: bounds of cost and power, and the fewest SuperNodes that serve enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.design import evaluate_fabric_of, evaluate_sections
from app.engine.explore.best_case import served_case
from app.engine.trace import first_of
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.scenarios import candidate_scenario
from app.scenarios.study.space import GroupPods, space_of
from app.views.study.answer import study_answer

SERVED: dict[str, Any] = {
    "kind": "serving", "model": "llama_3_1_70b", "precision": "fp8",
    "requests": {"input_tokens": 2048, "output_tokens": 512}, "service_level": {"tpot_s": 0.05, "ttft_s": 2},
}  # fmt: skip


def study(**parts: Any) -> StudyDocument:
    candidates = {"systems": ["dgx_h100"], "sites": ["oslo"], "terms": ["own"]}
    return build_document(StudyDocument, {"workload": {"serving": SERVED}, "candidates": candidates} | parts)


def test_what_a_served_pod_costs_and_draws_is_known_without_its_layout(catalog: Catalog) -> None:
    asked = study()
    (group,) = space_of(asked, catalog, ()).groups
    pods = GroupPods(asked, catalog, group, "oslo", "own")
    with np.errstate(all="ignore"):
        known = evaluate_sections(pods.at(4)[0])
        for count in (2, 7, 20):
            design = pods.at(count)[0]
            found = evaluate_sections(design)
            case = served_case(design, known, evaluate_fabric_of(design))
            assert first_of(case["capex_usd"]) == pytest.approx(first_of(found.cost.capex_usd), rel=1e-12)
            assert first_of(case["tco_usd"]) == pytest.approx(first_of(found.cost.tco_usd), rel=1e-12)
            assert first_of(case["meter_power_w"]) == pytest.approx(
                first_of(found.power.utility_peak_w), rel=1e-12
            )


def test_the_fewest_that_serve_enough_are_those_of_brute_force(catalog: Catalog) -> None:
    asked = study(limits={"served_tokens_per_s": 60_000, "capex_usd": 30e6})
    answer = study_answer(asked, catalog)
    fewest = 0
    for count in range(1, 12):
        candidate = CandidateDocument(system="dgx_h100", supernodes=count, site="oslo")
        found = evaluate_scenario(candidate_scenario(asked, candidate), catalog).evaluation
        if found.feasible and first_of(found.sections.performance.tokens_per_s) >= 60_000:
            fewest = count
            break
    assert fewest > 1
    assert list(answer.searched.smallest.values()) == [fewest]
    assert answer.searched.exact
    assert answer.searched.evaluated < 40
    assert answer.rows[0].supernodes == fewest
