"""The search of a study against brute force, and the properties that its bounds must have."""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.design import evaluate_sections
from app.engine.explore.best_case import best_case
from app.engine.explore.least_time import least_speed_of
from app.jobs.studies import StudyProcesses
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document
from app.scenarios.study.blocks import with_fastest_layout
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.scenarios import candidate_scenario
from app.scenarios.study.space import GroupPods, space_of
from app.views.study.answer import forget_rankings, study_answer, study_steps
from app.views.study.report import StudyAnswer
from tests.support import part_of

DAY_S = 86_400.0
SYSTEMS = (
    "gb200_nvl72",
    "dgx_h100",
    "dgx_b200",
    "amd_mi355x_8way",
    "amd_mi300x_8way",
    "huawei_cloudmatrix384",
)
MODELS = ("llama_3_1_8b", "qwen3_14b", "mixtral_8x7b", "llama_3_1_70b")
SEEDS = part_of(range(20), parts=2)
MOST = 9
"""SuperNodes that brute force tries, from one on."""


def made(model: str, tokens: float, **parts: Any) -> StudyDocument:
    training = {
        "kind": "training", "model": model, "tokens": tokens, "sequence_length": 4096,
        "global_batch_sequences": 512,
    }  # fmt: skip
    return build_document(StudyDocument, {"name": "A study", "workload": {"training": training}} | parts)


def seeded(seed: int) -> StudyDocument:
    """A study of one system whose limits lie where some of 1 to 9 SuperNodes keep them, and some do not."""
    draw = random.Random(seed)
    system = draw.choice(SYSTEMS)
    size = {"gb200_nvl72": 72, "huawei_cloudmatrix384": 384}.get(system, 8)
    model = draw.choice(MODELS)
    active = {"llama_3_1_8b": 8e9, "qwen3_14b": 15e9, "mixtral_8x7b": 13e9, "llama_3_1_70b": 70e9}[model]
    days = draw.uniform(20, 90)
    # about what half of the largest pod does in these days at 400 TFLOP/s
    tokens = draw.uniform(0.2, 1.0) * MOST * size * 4e14 * days * DAY_S / (6 * active)
    limits: dict[str, Any] = {"finish_within_days": days, "finish_probability": draw.choice([0.5, 0.8, 0.9])}
    if draw.random() < 0.5:
        limits["capex_usd"] = draw.uniform(0.5, 1.2) * MOST * size * 45_000
    if draw.random() < 0.5:
        limits["meter_power_w"] = draw.uniform(0.5, 1.2) * MOST * size * 1_900
    return made(
        model,
        tokens,
        limits=limits,
        candidates={
            "systems": [system],
            "supernodes": {"from": 1, "to": MOST},
            "sites": [draw.choice(["oslo", "dallas", "ashburn", "singapore"])],
            "terms": [draw.choice(["own", "colocate", "rent_reserved"])],
            "networks": [
                {"name": "N", "fabric": {"topology": draw.choice(["auto", "fat_tree"])}}
            ],
        },
    )  # fmt: skip


def of(study: StudyDocument, count: int, catalog: Catalog) -> EvaluatedScenario:
    asked = study.candidates
    assert not isinstance(asked.systems, str)
    assert not isinstance(asked.sites, str)
    candidate = CandidateDocument(
        system=asked.systems[0], supernodes=count, network="N", site=asked.sites[0], terms=asked.terms[0]
    )
    return evaluate_scenario(candidate_scenario(study, candidate), catalog)


def keeps(study: StudyDocument, found: EvaluatedScenario) -> bool:
    """The limits by the evaluation of the whole scenario, and by a quantile of its own interval."""
    limits, sections = study.limits, found.evaluation.sections
    if not found.evaluation.feasible:
        return False
    bounds, time_s = found.intervals.speed.elapsed_time_s, sections.performance.elapsed_time_s
    assert time_s is not None
    assert limits.finish_within_days is not None
    late = float(time_s[0])
    if bounds.high is not None and limits.finish_probability > 0.5:
        # z(0.8) = 0.8416, z(0.9) = 1.2816
        share = {0.8: 0.8416212335729143 / 1.2815515655446004, 0.9: 1.0}[limits.finish_probability]
        late *= (bounds.high / late) ** share
    kept = late <= limits.finish_within_days * DAY_S * (1 + 1e-9)
    rented = study.candidates.terms[0].startswith("rent")
    if limits.capex_usd is not None and not rented:
        kept &= float(sections.cost.capex_usd[0]) <= limits.capex_usd
    if limits.meter_power_w is not None and not rented:
        kept &= float(sections.power.utility_peak_w[0]) <= limits.meter_power_w
    return bool(kept)


@functools.cache
def answer_of(seed: int, catalog: Catalog) -> StudyAnswer:
    return study_answer(seeded(seed), catalog)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_smallest_pod_is_that_of_brute_force(seed: int, catalog: Catalog) -> None:
    study, answer = seeded(seed), answer_of(seed, catalog)
    found = next((count for count in range(1, MOST + 1) if keeps(study, of(study, count, catalog))), 0)
    assert list(answer.searched.smallest.values()) == [found]
    assert answer.searched.exact
    assert answer.answered == bool(found)


def test_brute_force_finds_some_of_each(catalog: Catalog) -> None:
    """The seeded cases are no foregone conclusion: the smallest pods differ, and some have none."""
    found = [next(iter(answer_of(seed, catalog).searched.smallest.values())) for seed in SEEDS]
    assert 0 in found
    assert len(set(found)) >= 4


def test_every_design_is_accounted_for(catalog: Catalog) -> None:
    study = made(
        "llama_3_1_8b",
        2e12,
        limits={"finish_within_days": 30, "capex_usd": 20e6},
        candidates={"systems": ["dgx_h100", "gb200_nvl72"], "sites": ["oslo", "dallas"], "terms": ["own", "rent_reserved"]},
    )  # fmt: skip
    searched = study_answer(study, catalog).searched
    assert searched.designs == 2 * 2 * 2 * 131_072
    assert searched.designs == searched.evaluated + searched.refused + sum(
        one.designs for one in searched.pruned
    )
    assert all(one.words for one in searched.pruned)


@pytest.mark.parametrize("seed", part_of(range(12)))
def test_the_best_case_is_a_bound(seed: int, catalog: Catalog) -> None:
    """No pod with its fastest layout beats the best case of its size in time, money, power or carbon."""
    study = seeded(100 + seed)
    (group,) = space_of(study, catalog, ()).groups
    assert not isinstance(study.candidates.sites, str)
    pods = GroupPods(study, catalog, group, study.candidates.sites[0], "own")
    counts = [2, 5, 9]
    with np.errstate(all="ignore"):
        known = evaluate_sections(with_fastest_layout(pods.at(4))[0])
        for count in counts:
            designs = pods.at(count)
            actual = evaluate_sections(with_fastest_layout(designs)[0])
            case = best_case(designs[0], known, least_speed_of(designs))
            assert actual.performance.elapsed_time_s is not None
            for bound, figure in (
                (case.time_s, actual.performance.elapsed_time_s),
                (case.capex_usd, actual.cost.capex_usd),
                (case.meter_power_w, actual.power.utility_peak_w),
                (case.tco_usd, actual.cost.tco_usd),
                (case.run_usd, actual.cost.usd_per_run),
                (case.carbon_kg, actual.carbon.total_kg),
            ):
                assert figure is not None
                if not np.isnan(figure).any():
                    assert float(bound[0]) <= float(np.ravel(figure)[0]) * (1 + 1e-9)


def test_rows_appear_before_the_answer_and_closing_ends_the_work(catalog: Catalog) -> None:
    study = made(
        "llama_3_1_8b", 2e12, limits={"finish_within_days": 30},
        candidates={"systems": ["dgx_h100"], "supernodes": {"from": 4, "to": 40}},
    )  # fmt: skip
    steps = study_steps(study, catalog)
    first = next(steps)
    assert not isinstance(first, StudyAnswer)
    assert first.rows
    steps.close()  # type: ignore[attr-defined]
    with pytest.raises(StopIteration):
        next(steps)


def test_capacity_that_is_rented_is_searched_to_an_end(catalog: Catalog) -> None:
    """Nothing limits how much is rented, yet a larger pod costs more over its life: the answer is exact up to the window."""
    study = made(
        "llama_3_1_8b", 1e12, limits={"finish_within_days": 30},
        candidates={"systems": ["dgx_h100"], "supernodes": {"from": 1, "to": 20}, "sites": ["oslo"], "terms": ["rent_reserved"]},
    )  # fmt: skip
    searched = study_answer(study, catalog).searched
    assert searched.exact
    assert searched.evaluated < 20


def test_what_cannot_be_ranked_leaves_the_answer_exact(catalog: Catalog) -> None:
    """No switch of this network for the GB300 has a published price: its cost is unknown, however many there are."""
    study = made(
        "llama_3_1_8b", 1e12, limits={"finish_within_days": 60},
        candidates={
            "systems": ["gb300_nvl72", "dgx_b200"], "supernodes": {"from": 1, "to": 4096}, "sites": ["oslo"],
            "networks": [{"name": "InfiniBand", "fabric": {"switch": "q3400_ra"}}],
        },
    )  # fmt: skip
    answer = study_answer(study, catalog)
    searched = answer.searched
    assert searched.exact
    assert searched.settled
    assert {row.system for row in answer.rows if row.is_answer} >= {"dgx_b200"}
    assert sum(one.designs for one in searched.pruned if one.bound == "unknown") > 3_000
    assert searched.designs == searched.evaluated + searched.refused + sum(
        one.designs for one in searched.pruned
    )


@pytest.mark.slow
def test_the_answer_is_the_same_whatever_computes_it(catalog: Catalog) -> None:
    """Here, and by two processes: the same ranked answers, fewest SuperNodes and exactness."""
    study = made(
        "llama_3_1_8b", 2e12, limits={"finish_within_days": 30, "capex_usd": 30e6},
        candidates={"systems": ["dgx_h100", "dgx_b200"], "sites": ["oslo", "dallas"], "terms": ["own", "rent_reserved"]},
    )  # fmt: skip
    here = study_answer(study, catalog)
    forget_rankings()
    processes = StudyProcesses(2)
    try:
        there = study_answer(study, catalog, workers=processes)
    finally:
        processes.close()
        forget_rankings()
    assert [row for row in there.rows if row.is_answer] == [row for row in here.rows if row.is_answer]
    assert there.searched.smallest == here.searched.smallest
    assert there.searched.exact
    assert here.searched.exact


def test_a_search_that_has_to_end_says_how_far_it_may_be_beaten(catalog: Catalog) -> None:
    study = made(
        "llama_3_1_8b", 2e12, limits={"finish_within_days": 30},
        candidates={"systems": ["dgx_h100", "gb200_nvl72"], "sites": ["oslo"]}, name="No time",
    )  # fmt: skip
    steps = list(study_steps(study, catalog, longest_s=0.0))
    forget_rankings()
    answer = steps[-1]
    assert isinstance(answer, StudyAnswer)
    assert not answer.searched.exact
    assert not answer.searched.settled
    assert not answer.answered
    whole = study_answer(study, catalog)
    assert whole.searched.exact
    assert whole.searched.gap == 0
    # every design is accounted for, however soon it ends
    for one in (answer, whole):
        looked_at = one.searched
        ruled_out = sum(part.designs for part in looked_at.pruned)
        assert looked_at.designs == looked_at.evaluated + looked_at.refused + ruled_out
