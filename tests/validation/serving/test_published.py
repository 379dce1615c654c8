"""The shipped latencies and throughputs: scores, reports and scenarios."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.catalog.validated import LATENCIES_FILE
from app.paths import seed_data
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.judged import judged
from app.validation.serving.case import COLUMNS, case_of
from app.validation.serving.cases import MODEL, PAIR, SYSTEM
from app.validation.serving.fit import FITTED
from app.validation.serving.published import (
    EVERY,
    OWNERS,
    SCORES,
    SERVING_BASES,
    SERVING_GROUPINGS,
    PublishedServing,
    constants_by_owner,
    layout_text,
    published_serving,
    scenario_of_latency,
    taken_for_granted,
)
from app.validation.serving.report import (
    FEWEST,
    Quantity,
    Score,
    ServingReport,
    bounds,
    coverage_of,
    score_of,
    scores_by,
)
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import Prediction, Report, read_rows
from tests.validation.runs import served
from tests.validation.serving.rows import group, row

# Shipped latencies and throughputs of served models beside ours: what counts, what is left out, by which fit.


@pytest.fixture(scope="module")
def found(catalog: Catalog) -> PublishedServing:
    return published_serving(catalog)


def test_it_is_made_once_a_catalog_revision(catalog: Catalog, found: PublishedServing) -> None:
    assert published_serving(catalog) is found


@pytest.mark.parametrize("score", SCORES)
def test_measurements_are_those_of_the_score(found: PublishedServing, score: str) -> None:
    quantity, measurements = found.report.quantities[score], found.measurements[score]
    assert [one.id for one in measurements] == [one.key for one in quantity.predictions]
    assert len({one.id for one in measurements}) == len(measurements)
    for ours, printed in zip(measurements[:20], quantity.predictions, strict=False):
        assert ours.measured_ms == pytest.approx(1e3 * printed.measured)
        assert ours.predicted_ms == pytest.approx(1e3 * printed.predicted)
        assert 0 < ours.low_ms < ours.high_ms


def test_a_left_out_model_is_the_prediction_that_has_not_seen_it(found: PublishedServing) -> None:
    for score in SCORES:
        without = found.report.quantities[score].left_out
        fields = {MODEL: "model_left_out_ms", SYSTEM: "system_left_out_ms", PAIR: "pair_left_out_ms"}
        for without_what, field in fields.items():
            ours = [getattr(one, field) for one in found.measurements[score]]
            assert ours == pytest.approx([1e3 * one.predicted for one in without[without_what]])


def test_every_model_and_system_that_is_scored_was_left_out_of_a_fit(found: PublishedServing) -> None:
    scored = [one for measurements in found.measurements.values() for one in measurements]
    assert found.refitted[MODEL] == {one.model_key for one in scored}
    assert found.refitted[SYSTEM] == {one.accelerator_key for one in scored}


def test_every_row_is_counted_or_left_out_with_a_reason(found: PublishedServing) -> None:
    rows = read_rows(seed_data() / LATENCIES_FILE, COLUMNS)
    unscored = sum(len(one.rows) for one in found.unscored)
    unsupported = sum(len(one.rows) for one in found.unsupported)
    assert found.report.rows == len(rows)
    assert unscored == sum(not row.scored for row in rows)
    assert found.report.scored == len(rows) - unscored
    assert len(found.report.predictions) == found.report.scored - unsupported
    assert unsupported / found.report.scored < 0.05
    assert all(one.reason for one in (*found.unscored, *found.unsupported))
    in_ttft = {one.id for one in found.measurements["ttft"]}
    assert not in_ttft & set(found.cold_starts)
    assert max(one.concurrency for one in found.measurements["ttft"]) <= 128


def test_reasons_that_differ_in_a_number_are_one(found: PublishedServing) -> None:
    reasons = [one.reason for one in found.unsupported]
    assert len(reasons) == len({"".join(filter(str.isalpha, reason)) for reason in reasons})


def test_no_constant_belongs_to_a_model() -> None:
    owners = constants_by_owner()
    assert sum(owners.values()) == len(FITTED)
    words = {word for owner in owners for word in owner.split(" and ")}
    assert words <= {*OWNERS.values(), EVERY}


def test_bases_predict_by_their_own_constants() -> None:
    one = served(
        "1", predicted_ms=11.0, model_left_out_ms=12.0, system_left_out_ms=13.0, pair_left_out_ms=10.5
    )
    assert [basis.predicted(one) for basis in SERVING_BASES.values()] == [12.0, 13.0, 10.5, 11.0]


@pytest.mark.parametrize(("concurrency", "band"), [(1.0, "1 to 3 in flight"), (4.0, "4 to 16 in flight"), (128.0, "65 to 256 in flight"), (4096.0, "over 256 in flight")])  # fmt: skip
def test_bands_of_load(concurrency: float, band: str) -> None:
    assert SERVING_GROUPINGS["load"].group(served("1", concurrency=concurrency)) == band


def test_one_deployment_differs_in_its_load_alone() -> None:
    one = served("1")
    assert one.deployment == served("2", concurrency=64.0, measured_ms=30.0).deployment
    for name in ("engine", "era", "precision", "layout", "model_key", "accelerator_key"):
        assert one.deployment != dataclasses.replace(one, **{name: "another"}).deployment


def test_layouts_in_words(catalog: Catalog) -> None:
    rows = {row.key: row for row in read_rows(seed_data() / LATENCIES_FILE, COLUMNS)}
    plain, group = rows["1"], next(row for row in rows.values() if row.text("p_workers") == "2")
    assert layout_text(case_of(plain, catalog)) == "DP 4 EP 4"
    assert layout_text(case_of(group, catalog)).startswith("prefill 2 x ")


def test_throughputs_are_scored_or_labelled_or_left_out(catalog: Catalog) -> None:
    found, report = THROUGHPUT.shipped(catalog)
    scored = [one for one in found.figures if not one.label]
    idealised = [one for one in found.figures if one.label]
    assert len(scored) == len(report.predictions)
    assert len(idealised) == len(report.extra["idealised"]) == 2
    assert all("perfect balance" in one.label and not one.row.scored for one in idealised)
    assert len(scored) + len(found.unsupported) == report.scored
    assert len(found.figures) + len(found.unsupported) + len(found.unscored) == report.rows
    assert all(one.reason for one in (*found.unsupported, *found.unscored))
    assert THROUGHPUT.shipped(catalog).compared is found


def test_every_family_counts_the_same_in_a_score() -> None:
    many = [served(str(at), model_key="many") for at in range(30)]
    everything = judged([*many, served("x", model_key="few", predicted_ms=40.0)], SERVING_BASES["fitted"])
    assert score_of([one.prediction for one in everything]).within_33_pct == pytest.approx(0.5)


# A measured latency as a scenario: what it states, and that the engine predicts the same of it as of its row.


def test_a_row_states_its_deployment() -> None:
    case = case_of(row(), ready_catalog())
    stated = scenario_of_latency(case, "A run", ready_catalog())
    workload = stated["workload"]
    assert workload["layout"] == {"tp": 8, "dp": 1, "pp": 1, "instances": 1, "ep": 1}
    assert (workload["mode"], workload["concurrency"]) == ("aggregated", 32)
    assert workload["requests"] == {
        "input_tokens": pytest.approx(921.6),
        "output_tokens": pytest.approx(921.6),
    }
    assert workload["engine"] == {"name": "tensorrt_llm", "version": "1.2.0rc6.post2 of 2026-01-29"}
    assert stated["supernode"]["system"] == "dgx_b200"
    assert stated["pod"] == {"supernodes": 1}


def test_a_group_has_both_kinds_of_instances_on_as_many_servers_as_it_takes() -> None:
    stated = scenario_of_latency(case_of(group(), ready_catalog()), "A run", ready_catalog())
    layout = stated["workload"]["layout"]
    assert (layout["prefill"]["instances"], layout["decode"]["instances"]) == (1, 5)
    assert stated["pod"] == {"supernodes": 6, "accelerators_used": 44}


def test_experts_in_a_format_without_units_for_it_are_multiplied_in_16_bit() -> None:
    case = case_of(row(model="gpt-oss-120b", system="h100_sxm", precision="fp4"), ready_catalog())
    workload = scenario_of_latency(case, "A run", ready_catalog())["workload"]
    assert (workload["precision"], workload["parts"]["experts"]) == ("bf16", "mxfp4")


def test_what_the_benchmark_is_known_to_do_is_said() -> None:
    catalog = ready_catalog()
    dated = " · ".join(taken_for_granted(case_of(row(), catalog), catalog))
    assert "0.9 of the printed length" in dated
    assert "all requests start at once" in dated
    assert "looked for" not in dated
    polled = taken_for_granted(case_of(row(engine="sglang", engine_version="0.5.9"), catalog), catalog)
    assert "where its scripts have SGLang wait 15 on average" in polled[-1]
    undated = taken_for_granted(case_of(row(measured="", input_tokens="777"), catalog), catalog)
    assert undated == ("all requests start at once, 5.3 for each of those in flight",)


POLLED = ("nvidia_b200_sxm", "nvidia_gb200")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("score", "time"), [("tpot", "tpot_s"), ("tpot_disaggregated", "tpot_s"), ("ttft", "ttft_s")]
)
def test_the_scenario_is_predicted_as_the_row_is(score: str, time: str) -> None:
    """But for rows whose memory is reckoned too small for what was in flight: 90 % of agree."""
    catalog = ready_catalog()
    found = published_serving(catalog)
    ratios = []
    for one in found.measurements[score][::97]:
        if score == "ttft" and one.engine == "sglang" and one.accelerator_key in POLLED:
            continue  # launched to look for new requests seldom, which no scenario states
        document = build_scenario(scenario_of_latency(found.cases[one.id], one.id, catalog))
        performance = evaluate_scenario(document, catalog).evaluation.sections.performance
        ratios.append(1e3 * float(getattr(performance, time)[0]) / one.predicted_ms)
    alike = [ratio for ratio in ratios if ratio == pytest.approx(1, abs=0.05)]
    assert len(alike) >= 0.9 * len(ratios)


# Errors with one vote for each family, and intervals of other families.


def predicted(ratio: float, family: str = "a") -> Prediction:
    return Prediction(key="1", family=family, groups={"model": family}, measured=2.0, predicted=2.0 * ratio)


def test_a_family_of_many_rows_has_one_vote() -> None:
    found = score_of([predicted(1.1)] * 9 + [predicted(1.5, "b"), predicted(1.5, "b")])
    assert found.rows == 11
    assert found.within_33_pct == pytest.approx(0.5)
    assert found.within_2x == 1
    assert found.bias is not None
    assert 0.1 < found.bias < 0.5


@pytest.mark.parametrize(("ratio", "inside"), [(2.0, 1), (0.5, 1), (2.01, 0), (0.49, 0)])
def test_double_is_either_way(ratio: float, inside: int) -> None:
    assert score_of([predicted(ratio)]).within_2x == inside


def test_a_third() -> None:
    found = score_of([predicted(0.6), predicted(0.7), predicted(1.3), predicted(1.4)])
    assert found.within_33_pct == 0.5


def test_nothing_is_scored_as_nothing() -> None:
    assert score_of([]) == Score(0, None, None, None, None)
    assert scores_by([], lambda one: one.family) == {}


@given(st.lists(st.tuples(st.floats(0.1, 10), st.sampled_from("abc")), min_size=1))
def test_shares_are_shares(rows: list[tuple[float, str]]) -> None:
    found = score_of([predicted(ratio, family) for ratio, family in rows])
    assert found.within_33_pct is not None
    assert found.within_2x is not None
    assert 0 <= found.within_33_pct <= found.within_2x <= 1 + 1e-12


def test_intervals_are_those_of_other_families() -> None:
    ratio = np.concatenate([np.full(FEWEST, 2.0), np.full(FEWEST, 0.5)])
    low, high = bounds(ratio, ["a"] * FEWEST + ["b"] * FEWEST)
    assert low.tolist() == high.tolist()
    assert low[0] == pytest.approx(0.5)
    assert low[-1] == pytest.approx(2.0)


def test_few_others_give_no_interval() -> None:
    low, high = bounds(np.ones(5), list("aabbb"))
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_coverage_has_one_vote_for_each_family() -> None:
    """90 % of of one family and the one of another within: 95 %; rows without an interval do not count."""
    inside = dataclasses.replace(predicted(1.0), low=1.9, high=2.1)
    outside = dataclasses.replace(predicted(1.0), low=2.1, high=2.2)
    other = dataclasses.replace(predicted(1.0, "b"), low=1.0, high=3.0)
    assert coverage_of([inside] * 9 + [outside, other, predicted(1.0, "c")]) == pytest.approx(0.95)
    assert coverage_of([predicted(1.0)]) is None


# What people read of the validation of serving, by each of its groups.


def one(key: str, model: str, predicted: float) -> Prediction:
    groups = {"model": model, "system": "b200_sxm", "engine": "vllm", "precision": "fp8"}
    return Prediction(key, model, groups, 10.0, predicted)


def throughputs(**extra: object) -> Report:
    beside = {"idealised": [], "deployments": [], **extra}
    return Report("serving", 2, BY_ALL, (), {}, extra=beside, counts=(), more=THROUGHPUT.more)


BY_ALL = (one("1", "deepseek_v3", 11.0), one("2", "qwen3_32b", 9.0))
WITHOUT = (one("1", "deepseek_v3", 13.0), one("2", "qwen3_32b", 5.0))


def report(**left_out: tuple[Prediction, ...]) -> ServingReport:
    return ServingReport(
        kind="serving",
        rows=3,
        predictions=BY_ALL,
        unsupported=(),
        constants={},
        quantities={"tpot": Quantity("tpot", BY_ALL, left_out)},
    )


def test_every_group_has_a_heading_that_says_whether_it_was_left_out() -> None:
    lines = report(model=WITHOUT).as_text().splitlines()
    headings = [line for line in lines if line.startswith(("model", "system", "engine", "precision"))]
    assert headings == ["model, each left out", "system", "engine", "precision"]
    assert any(line.split()[:3] == ["deepseek_v3", "1", "30.0%"] for line in lines)
    assert any(line.split()[:3] == ["b200_sxm", "2", "10.0%"] for line in lines)
    assert "model" in report().as_text().splitlines()


def test_idealised_throughputs_are_a_sentence_each_and_not_among_the_figures() -> None:
    idealised = [
        {"id": "i1", "measured": 6688.0, "predicted": 4681.6, "balanced": 6019.2, "label": "idealised"}
    ]
    text = throughputs(idealised=idealised).as_text()
    assert text.endswith("  i1: 6,688 published, 4,682 as served, 6,019 with perfect balance, -10.0 %")
    assert "{" not in text
    plain = throughputs()
    assert "idealised" not in plain.as_text()
    assert plain.as_json()["idealised"] == []


def test_published_deployments_stand_beside_what_is_predicted() -> None:
    found = [
        {"id": "d1", "what": "us: 96 H100, decode tok/s per GPU", "measured": 2000.0, "predicted": 1900.0}
    ]
    text = throughputs(deployments=found).as_text()
    assert text.endswith("  d1: 2,000 published, 1,900 predicted, -5.0 %; us: 96 H100, decode tok/s per GPU")


def test_the_share_within_intervals_is_said() -> None:
    found = ServingReport(
        kind="serving",
        rows=3,
        predictions=BY_ALL,
        unsupported=(),
        constants={},
        quantities={"tpot": Quantity("tpot", BY_ALL, {}, coverage=0.79)},
    )
    assert "within the interval of 80 %" in found.as_text()
    assert found.as_json()["tpot"]["coverage"] == 0.79
