"""The questions: each answer is the evaluation of its scenario, and does what is asked with no fewer SuperNodes."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.charts.figure import get_path
from app.charts.question import question_figure
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.load import build_document, build_scenario
from app.views.fabric.supernode_sizes import SuperNodeSizesOptions, supernode_sizes
from app.views.questions.counts import STEPS
from app.views.questions.declared import BY_KEY, QUESTIONS
from app.views.questions.question import ANSWERS, Question, QuestionAnswer
from app.views.searching.recent import RecentSearches
from app.views.view import Resources
from tests.charts.support import assert_whole
from tests.support import part_of

pytestmark = pytest.mark.slow
OF_EACH = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
NONSENSE = re.compile(r"\b(nan|None|inf)\b")
DAY_S = 86_400.0


def asked(key: str, **values: Any) -> QuestionAnswer:
    question = BY_KEY[key]
    catalog = ready_catalog()
    resources = Resources(
        catalog=catalog,
        evaluated=lambda document: evaluated(document, catalog),
        searches=RecentSearches(),
    )
    return ANSWERS.of(question, build_document(question.options, values), resources)


def evaluation_of(scenario: Any) -> EvaluatedScenario:
    return evaluated(build_scenario(scenario), ready_catalog())


def with_supernodes(answer: QuestionAnswer, count: int) -> EvaluatedScenario:
    """The design that answers, with another number of SuperNodes."""
    assert answer.scenario is not None
    return evaluation_of(answer.scenario | {"pod": answer.scenario["pod"] | {"supernodes": count}})


def supernodes(answer: QuestionAnswer) -> int:
    assert answer.scenario is not None
    return int(answer.scenario["pod"]["supernodes"])


def assert_is_its_evaluation(answer: QuestionAnswer) -> None:
    """Every figure that has a place is that of the evaluation of the scenario, with its interval."""
    found = evaluation_of(answer.scenario).as_json
    placed = [figure for figure in answer.figures if figure.path]
    assert placed
    for figure in placed:
        value, ends = get_path(found, figure.path), get_path(found, f"intervals.{figure.path}") or {}
        assert math.isnan(figure.value) if value is None else figure.value == pytest.approx(value)
        assert figure.low == pytest.approx(ends.get("low") or math.nan, nan_ok=True)


def assert_makes_sense(answer: QuestionAnswer) -> None:
    """No value that is none is in any text, what is answered has a design, and the chart can be drawn."""
    words = [answer.verdict, *answer.assumptions, *(figure.text for figure in answer.figures)]
    if answer.chart is not None:
        figure = question_figure(answer.chart)
        assert_whole(figure)
        words += [figure.takeaway, figure.caption, *(cell for row in figure.rows for cell in row.cells)]
    assert [text for text in words if not text or NONSENSE.search(text)] == [] or all(
        text == "" for text in words if not text
    )
    assert not any(NONSENSE.search(text) for text in words)
    assert (answer.scenario is not None) == answer.answered
    assert 3 <= len(answer.figures) <= 6 if answer.answered else answer.verdict


@OF_EACH
def test_it_has_four_inputs_at_most_each_with_a_title_and_a_default(question: Question[Any]) -> None:
    fields = question.options.model_fields
    assert 1 <= len(fields) <= 4
    assert all(field.title and field.description for field in fields.values())
    assert question.options() == question.options(**{name: field.default for name, field in fields.items()})


@OF_EACH
def test_the_answer_is_the_evaluation_of_its_scenario(question: Question[Any]) -> None:
    for values in ({}, dict(question.example)):
        answer = asked(question.key, **values)
        assert answer.answered
        assert_is_its_evaluation(answer)
        assert_makes_sense(answer)


def test_one_step_fewer_misses_the_deadline() -> None:
    answer = asked("train", model="llama_3_1_8b", tokens=1e12, system="dgx_h100", deadline_days=30)
    count = supernodes(answer)
    assert count == 6
    elapsed = get_path(evaluation_of(answer.scenario).as_json, "performance.elapsed_time_s")
    assert elapsed <= 30 * DAY_S
    before = STEPS[STEPS.index(count) - 1]
    fewer = get_path(with_supernodes(answer, before).as_json, "performance.elapsed_time_s")
    assert fewer > 30 * DAY_S
    # by hand: 6 N D over 48 accelerators at the MFU and the dense BF16 peak, and the time that failures take
    found = evaluation_of(answer.scenario).as_json
    flop = found["performance"]["model_flop_per_token"] * 1e12
    busy = flop / (48 * 989.4e12 * found["performance"]["mfu"])
    assert elapsed == pytest.approx(busy / found["reliability"]["ettr"], rel=0.02)


def test_a_shorter_deadline_takes_no_fewer() -> None:
    counts = [
        supernodes(asked("train", model="llama_3_1_8b", tokens=1e12, system="dgx_h100", deadline_days=days))
        for days in (60, 30, 10)
    ]
    assert counts == sorted(counts)


def test_a_deadline_that_nothing_meets_is_refused_with_the_fastest() -> None:
    answer = asked("train", model="llama_3_1_405b", tokens=15e12, system="dgx_a100_640", deadline_days=0.5)
    assert not answer.answered
    assert "fastest found" in answer.verdict
    assert answer.chart is not None


def test_one_supernode_fewer_does_not_serve_the_load() -> None:
    answer = asked("serve", model="llama_3_1_70b", requests_per_s=20, tpot_s=0.05, system="hgx_h200")
    count = supernodes(answer)
    best = evaluation_of(answer.scenario)
    assert best.evaluation.feasible
    assert best.as_json["performance"]["tpot_s"] <= 0.05
    assert not with_supernodes(answer, count - 1).evaluation.feasible


def test_a_latency_that_nothing_keeps_is_refused() -> None:
    answer = asked("serve", model="llama_3_1_405b", requests_per_s=5, tpot_s=0.0002, system="dgx_h100")
    assert not answer.answered
    assert "does not serve" in answer.verdict


def test_the_cheapest_system_is_chosen() -> None:
    answer = asked("compare", systems=["dgx_h100", "gb200_nvl72", "dgx_b200"])
    costs = {one.name: one.figures[0].value for one in answer.candidates}
    chosen = next(one for one in answer.candidates if one.chosen)
    assert costs[chosen.name] == min(costs.values())
    assert chosen.scenario == answer.scenario
    for one in answer.candidates:
        found = evaluation_of(one.scenario).as_json
        assert one.figures[0].value == pytest.approx(found["cost"]["usd_per_run"])


def test_a_system_without_the_format_serves_in_another() -> None:
    answer = asked("compare", work="serving", systems=["dgx_h100", "dgx_a100_640"], accelerators=64)
    formats = [one.scenario["workload"]["precision"] for one in answer.candidates if one.scenario]
    assert formats == ["fp8", "int8"]
    assert any("DGX A100 640GB in INT8" in words for words in answer.assumptions)


def test_sizes_are_those_of_the_study_of_supernodes() -> None:
    answer = asked("size", accelerator="nvidia_gb200", model="deepseek_v3", sizes=[8, 72, 144])
    scenario = evaluation_of(answer.scenario)
    study = supernode_sizes(scenario, ready_catalog(), SuperNodeSizesOptions(sizes=(8, 72, 144)))
    assert study.best is not None
    best = next(one for one in study.sizes if one.accelerators == int(answer.figures[0].value))
    assert best.usd_per_unit == min(one.usd_per_unit for one in study.sizes)
    assert scenario.as_json["cost"]["usd_per_run"] == pytest.approx(best.usd_per_unit)
    assert answer.chart is not None
    assert [point.y for point in answer.chart.points] == pytest.approx(
        [one.usd_per_unit for one in study.sizes]
    )


def test_one_supernode_more_is_beyond_the_power_of_the_site() -> None:
    answer = asked("site", power_w=2e6, system="dgx_h100", site="lulea")
    peak = evaluation_of(answer.scenario).as_json["power"]["utility_peak_w"]
    assert peak <= 2e6 < with_supernodes(answer, supernodes(answer) + 1).as_json["power"]["utility_peak_w"]
    assert answer.chart is not None
    it, rest, whole = (point.y for point in answer.chart.points)
    assert it + rest == pytest.approx(whole)


def test_rented_space_needs_less_capital() -> None:
    owned, rented = (
        next(figure.value for figure in asked("site", power_w=2e6, building=building).figures if figure.path == "cost.capex_usd")
        for building in ("owned", "colocation")
    )  # fmt: skip
    assert rented < owned


def test_power_that_carries_nothing_is_refused() -> None:
    answer = asked("site", power_w=5e4, system="gb200_nvl72")
    assert not answer.answered
    assert "carries none" in answer.verdict


def test_an_extension_is_the_difference_of_two_evaluations() -> None:
    answer = asked("extend", system="dgx_h100", supernodes=16, added=16, month=6)
    after, before = evaluation_of(answer.scenario), with_supernodes(answer, 32)
    assert after.as_json["performance"] == before.as_json["performance"]
    values = {figure.label: figure.value for figure in answer.figures}
    assert values["Capital cost added"] > 0
    assert 1 < values["Throughput, times today's"] <= 2 * (1 + 1e-9)
    later = asked("extend", system="dgx_h100", supernodes=16, added=16, month=18)
    months = {figure.label: figure.value for figure in later.figures}["Full load, months"]
    assert months == values["Full load, months"] + 12


@pytest.mark.parametrize(
    ("key", "values", "field", "says"),
    [
        ("train", {"model": "llama_9"}, "model", "Nearest"),
        ("train", {"deadline_days": 0}, "deadline_days", "at least 0.1"),
        ("serve", {"system": "dgx_h101"}, "system", "dgx_h100"),
        ("compare", {"systems": []}, "systems", ""),
        ("compare", {"systems": ["dgx_h100", "dgx_h100"]}, "systems", "twice"),
        ("compare", {"systems": ["dgx_h101"]}, "systems", "dgx_h100"),
        ("size", {"sizes": [16, 8]}, "sizes", "smallest first"),
        ("size", {"sizes": [0, 8]}, "sizes", "1 to 4,096"),
        ("size", {"sizes": [8, 5000]}, "sizes", "1 to 4,096"),
        ("size", {"accelerator": "h100"}, "accelerator", "Nearest"),
        ("site", {"site": "atlantis"}, "site", "Nearest"),
        ("extend", {"added": 0}, "added", "at least 1"),
    ],
)
def test_a_fault_names_the_input(key: str, values: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(ScenarioError) as refusal:
        asked(key, **values)
    fault = refusal.value.errors[0]
    assert fault.path.startswith(field)
    assert says in fault.words


MODELS = ("llama_3_1_8b", "llama_3_1_70b", "llama_3_1_405b", "deepseek_v3", "mixtral_8x7b", "gpt_oss_120b")
SYSTEMS = (
    "dgx_h100", "dgx_a100_640", "gb200_nvl72", "amd_mi300x_8way", "huawei_cloudmatrix384", "aws_trn2_ultraserver", "tpu_v5p_pod",
    "edge_node_1pf", "l40s_workstation",
)  # fmt: skip


def drawn(key: str, seed: int) -> dict[str, Any]:
    """Inputs of a question at random, far beyond the usual."""
    draw = random.Random(f"{key} {seed}")
    work = draw.choice(("training", "serving"))
    model, system = draw.choice(MODELS), draw.choice(SYSTEMS)
    return {
        "train": {"model": model, "system": system, "tokens": 10 ** draw.uniform(9, 14), "deadline_days": 10 ** draw.uniform(-1, 3)},
        "serve": {"model": model, "system": system, "requests_per_s": 10 ** draw.uniform(-2, 3), "tpot_s": 10 ** draw.uniform(-3, 0)},
        "compare": {"work": work, "model": model, "systems": draw.sample(SYSTEMS, 3), "accelerators": draw.choice((1, 7, 64, 1000, 20_000))},
        "size": {"work": work, "model": model, "accelerator": draw.choice(("nvidia_h100_sxm", "nvidia_gb200", "amd_mi300x", "google_tpu_v5p")),
                 "sizes": sorted(draw.sample((1, 2, 8, 16, 72, 100, 512, 3000), 3))},
        "site": {"system": system, "power_w": 10 ** draw.uniform(4, 8.5), "site": draw.choice(("lulea", "singapore", "phoenix")), "building": draw.choice(("owned", "colocation"))},
        "extend": {"system": system, "supernodes": draw.choice((1, 3, 60, 1000)), "added": draw.choice((1, 5, 64)), "month": draw.randint(1, 120)},
    }[key]  # fmt: skip


@OF_EACH
@pytest.mark.parametrize("seed", part_of(range(6)))
def test_any_inputs_are_answered_or_refused_in_words(question: Question[Any], seed: int) -> None:
    try:
        answer = asked(question.key, **drawn(question.key, seed))
    except ScenarioError as error:
        found = error
    else:
        found = None
    if found is not None:
        assert found.errors[0].words
        return
    assert_makes_sense(answer)
    if answer.answered:
        assert_is_its_evaluation(answer)
        if question.key in ("train", "serve", "compare", "size"):
            assert evaluation_of(answer.scenario).evaluation.feasible
