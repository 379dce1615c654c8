"""Workloads that share a pod: what they get, and that money, energy and power add up to the pod's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.design import evaluate
from app.engine.leaves import leaves
from app.engine.specs import Design
from tests.scenarios.shared_pod.cases import SERVING, TRAINING, evaluated, other

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

MONEY = ("usd_per_year", "share")


def number(array) -> float:
    return float(np.ravel(array)[0])


@pytest.fixture(scope="module", params=["pod", "day"])
def shared(request, seeded_data_dir):
    return evaluated(request.param)


@pytest.fixture(scope="module")
def alone(seeded_data_dir):
    return evaluated(None)


def adds_up(sections) -> None:
    parts = sections.workloads
    assert sum(number(one.cost.share) for one in parts) == pytest.approx(1)
    assert sum(number(one.energy_share) for one in parts) == pytest.approx(1)
    assert sum(number(one.share) for one in parts) == pytest.approx(1)
    paid = sum(number(one.cost.usd_per_year) for one in parts)
    assert paid == pytest.approx(number(sections.cost.annual_cost_usd_per_year))
    energy = sum(number(one.energy_kwh_per_year) for one in parts)
    assert energy == pytest.approx(number(sections.power.energy_utility_kwh_per_year))
    drawn = sum(number(one.it_power_mean_w) for one in parts)
    assert drawn == pytest.approx(number(sections.power.it_power_mean_w))
    breakdown = sum(number(part) for part in sections.power.it_breakdown_w.values())
    assert breakdown == pytest.approx(number(sections.power.it_power_mean_w))
    power = sections.power
    assert number(power.it_power_idle_w) <= number(power.it_power_mean_w) <= number(power.it_power_peak_w)


def with_shares(design: Design, by: str, shares: tuple[float, ...]) -> Design:
    assert design.sharing is not None
    others = tuple(
        replace(one, share=np.array([share]))
        for one, share in zip(design.sharing.others, shares, strict=True)
    )
    return replace(design, sharing=replace(design.sharing, by=by, others=others))


@pytest.fixture(scope="module")
def three(seeded_data_dir):
    second_run = other(0.25, "Small run", {**TRAINING, "tokens": 1e9})
    return evaluated("pod", other(0.25), second_run).resolved.design


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    by=st.sampled_from(["pod", "day"]),
    shares=st.tuples(st.floats(0.02, 0.4), st.floats(0.02, 0.4)),
)
def test_money_energy_and_power_add_up_whatever_the_shares(three, by: str, shares: tuple[float, ...]) -> None:
    adds_up(evaluate(with_shares(three, by, shares)).sections)


def test_main_figures_are_those_of_the_first_workload(shared) -> None:
    sections = shared.evaluation.sections
    first = sections.workloads[0]
    assert [one.name for one in sections.workloads] == ["Run", "Answers"]
    assert [one.kind for one in sections.workloads] == ["training", "serving"]
    assert first.performance is sections.performance
    assert first.cost.usd_per_run is not None
    assert number(first.cost.usd_per_run) == number(sections.cost.usd_per_run)
    assert number(first.energy_j_per_token) == number(sections.power.energy_j_per_token)
    second = sections.workloads[1]
    assert second.cost.usd_per_run is None
    assert number(second.cost.usd_per_million_tokens) > 0


def test_by_pod_each_runs_as_on_its_supernodes_alone(alone) -> None:
    sections = evaluated("pod", other(0.25)).evaluation.sections
    assert [number(one.supernodes) for one in sections.workloads] == [6, 2]
    answers = sections.workloads[1]
    solo = evaluated(None, workload=SERVING, pod={"supernodes": 2}).evaluation.sections
    np.testing.assert_allclose(answers.performance.tokens_per_s, solo.performance.tokens_per_s)
    np.testing.assert_allclose(answers.performance.ttft_s, solo.performance.ttft_s)
    run = sections.workloads[0].performance
    assert number(run.step_time_s) > number(alone.evaluation.sections.performance.step_time_s)


def test_by_day_each_runs_as_on_the_whole_pod_in_its_hours(alone) -> None:
    sections = evaluated("day", other(0.25)).evaluation.sections
    run, solo = sections.workloads[0], alone.evaluation.sections
    np.testing.assert_array_equal(run.performance.step_time_s, solo.performance.step_time_s)
    worked = 0.75 - number(run.switching_s_per_day) / 86_400
    assert number(run.working_hours_per_day) == pytest.approx(24 * worked)
    elapsed = number(solo.performance.elapsed_time_s) / worked
    assert number(run.performance.elapsed_time_s) == pytest.approx(elapsed)
    assert number(run.tokens_per_s_mean) == pytest.approx(worked * number(solo.performance.tokens_per_s))


def test_switching_reads_the_state_from_shared_storage() -> None:
    sections = evaluated("day").evaluation.sections
    run, answers = sections.workloads
    kept = run.reliability
    size, start_up_s = number(kept.checkpoint_bytes), 60
    read_s = size / number(kept.storage_read_bandwidth_bytes_per_s)
    write_s = size / number(kept.storage_write_bandwidth_bytes_per_s)
    assert number(run.switching_s_per_day) == pytest.approx(start_up_s + read_s + write_s)
    loaded = 8 * number(answers.reliability.weights_load_s)  # eight instances of TP 8
    assert number(answers.switching_s_per_day) == pytest.approx(start_up_s + loaded)


def test_slower_storage_leaves_less_time_to_work() -> None:
    slow = {"storage": {"write_bandwidth_bytes_per_s": 1e8, "read_bandwidth_bytes_per_s": 1e8}}
    usual, slower = (
        evaluated("day", **changes).evaluation.sections.workloads[0] for changes in ({}, {"operations": slow})
    )
    assert number(slower.working_hours_per_day) < number(usual.working_hours_per_day)
    assert number(slower.cost.usd_per_run) > number(usual.cost.usd_per_run)


def test_a_workload_of_next_to_no_share_changes_the_pod_little(alone) -> None:
    sections, solo = evaluated("day", other(0.002)).evaluation.sections, alone.evaluation.sections
    for path in ("power.it_power_mean_w", "cost.annual_cost_usd_per_year", "cooling.pue"):
        room, name = path.split(".")
        mine, theirs = (number(getattr(getattr(one, room), name)) for one in (sections, solo))
        assert mine == pytest.approx(theirs, rel=0.005), path
    assert number(sections.cost.usd_per_run) == pytest.approx(number(solo.cost.usd_per_run), rel=0.005)


def test_every_accelerator_hour_is_paid_once() -> None:
    sections = evaluated("pod", other(0.5)).evaluation.sections
    hours = [number(one.cost.usd_per_accelerator_hour) for one in sections.workloads]
    mean = sum(hour * number(one.share) for hour, one in zip(hours, sections.workloads, strict=True))
    assert mean == pytest.approx(number(sections.cost.usd_per_accelerator_hour))


def test_spares_and_storage_are_one_stock() -> None:
    sections = evaluated("pod", other(0.25)).evaluation.sections
    solo = evaluated(None).evaluation.sections
    assert number(sections.reliability.spare_supernodes) == number(solo.reliability.spare_supernodes)
    assert number(sections.reliability.storage_capacity_bytes) >= number(
        solo.reliability.storage_capacity_bytes
    )


def test_samples_give_what_single_designs_give(three) -> None:
    wacc = np.array([[0.05], [0.15]])
    both = evaluate(replace(three, economics=replace(three.economics, wacc=wacc))).sections
    for place, rate in enumerate(wacc):
        single = evaluate(replace(three, economics=replace(three.economics, wacc=rate))).sections
        for mine, theirs in zip(both.workloads, single.workloads, strict=True):
            found = mine.cost.usd_per_year[place, 0]
            assert found == pytest.approx(number(theirs.cost.usd_per_year))


def test_the_public_shape_says_every_workload(shared, alone) -> None:
    shown = shared.as_json
    assert alone.as_json["workloads"] == []
    assert "sharing" not in alone.as_json["inputs"]
    assert shown["inputs"]["sharing"]["others"][0]["share"] == 0.25
    run, answers = shown["workloads"]
    assert run["performance"]["mfu"] == shown["performance"]["mfu"]
    assert answers["performance"]["ttft_s"] > 0
    assert answers["cost"]["usd_per_run"] is None
    assert "workloads[1].cost.usd_per_run" in shown["not_applicable"]


def test_figures_of_a_workload_explain_themselves(shared) -> None:
    bare = dict(leaves(shared.evaluation.sections))
    assert bare.keys() == shared.figures.keys()
    tree = shared.explain("workloads[1].cost.usd_per_year")
    assert tree["label"] == "Annual cost of the workload"
    assert tree["value"] == pytest.approx(number(shared.evaluation.sections.workloads[1].cost.usd_per_year))
