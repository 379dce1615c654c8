"""From demand to SuperNodes: steps that follow from each other, what binds, what relaxes it, prefill to decode."""

from __future__ import annotations

import math

import pytest

from app.views.serving.latency import latency_view
from app.views.serving.sizing import SizingView, sizing_view
from tests.support import read_example
from tests.views.serving.cases import RACK, changed, example


def steps(view: SizingView) -> dict[str, float]:
    return {row.step: row.value for row in view.rows}


def test_steps_follow_from_each_other() -> None:
    """0.5 requests/s, half as many again in a year, and the busiest hour."""
    demand = {"requests_per_s": 40, "growth_per_year": 0.5, "years": 2, "peak_to_mean": 2}
    found = steps(sizing_view(changed(demand=demand)))
    assert found["demand"] == 40
    assert found["grown"] == pytest.approx(90)
    assert found["peak"] == pytest.approx(180)
    assert found["replicas"] == math.ceil(180 / found["replica_rate"])
    assert found["accelerators"] == 8 * found["replicas"]
    assert found["load_share"] == pytest.approx(180 / found["replica_rate"] / found["replicas"])
    assert found["supernodes"] == found["replicas"]  # a server each
    assert found["supernodes_with_headroom"] == found["replicas"] + found["spares"]


def test_hardware_is_spelled_out() -> None:
    view = sizing_view(changed(demand={"requests_per_s": 30}))
    count = int(steps(view)["replicas"])
    assert view.pod_words == "8 accelerators = 1 replica of TP 8"
    assert view.needed_words == f"{8 * count} accelerators = {count} replicas of TP 8"


def test_the_numbers_are_those_of_the_evaluation() -> None:
    view, performance = sizing_view(example()), example().evaluation.sections.performance
    assert view.supernodes_needed == float(performance.supernodes_needed[0])
    assert view.supernodes_needed_with_headroom == float(performance.supernodes_needed_with_headroom[0])


def test_without_a_demand_the_pod_is_described_and_nothing_needed() -> None:
    view = sizing_view(changed(demand=None))
    assert (view.supernodes_needed, view.needed_words) == (None, "")
    assert set(steps(view)) == {"replica", "replica_rate", "held"}
    assert all(row.supernodes is None for row in view.relaxed)


def test_what_binds_relaxes_it_and_nothing_makes_it_worse() -> None:
    view = sizing_view(changed(service_level={"ttft_s": 30, "tpot_s": 0.03}))
    assert view.binds == "tpot"
    gains = {row.change: row.gain for row in view.relaxed}
    assert gains["tpot_s"] == max(gains.values()) > 0
    assert gains["ttft_s"] == gains["memory"] == 0
    assert min(gains.values()) >= -1e-9
    assert sum(view.binding_shares.values()) == pytest.approx(1)
    assert list(view.binding_shares.values()) == sorted(view.binding_shares.values(), reverse=True)


def test_a_promise_that_no_load_keeps_is_sized_to_nothing_and_said() -> None:
    view = sizing_view(changed(service_level={"ttft_s": 1e-3, "tpot_s": 0.05}))
    assert view.binds == "none"
    assert view.problems
    assert view.binding_shares


@pytest.mark.parametrize(("promise", "part"), [({"ttft_s": 1e-3}, "prefill"), ({"tpot_s": 1e-4}, "experts")])
def test_one_promise_that_no_load_keeps_shows_the_parts_of_its_own_time(
    promise: dict[str, float], part: str
) -> None:
    """The other time is promised to no one, and cannot be what is in the way."""
    view = sizing_view(changed(service_level=promise))
    other = {"prefill": "experts", "experts": "prefill"}[part]
    assert view.binds == "none"
    assert part in view.binding_shares
    assert other not in view.binding_shares


def test_a_model_that_does_not_fit_keeps_nothing() -> None:
    scenario = changed(precision="bf16", concurrency=None, layout={"tp": 8})
    assert float(scenario.evaluation.sections.performance.batch_limit[0]) < 1
    sizing, latency = sizing_view(scenario), latency_view(scenario)
    assert (sizing.binds, sizing.binding_shares) == ("none", {})
    assert (latency.at_most, latency.memory_holds) == (None, 0)
    assert not any(point.keeps for point in latency.points)
    assert all(row.requests_per_s == 0 for row in sizing.relaxed if row.change != "memory")


def test_the_budget_of_a_place_is_a_promise_of_the_pod() -> None:
    """Half a second of network leaves 0.1 s of 0.6 s, less than the SLO to all."""
    regions = [{"name": "Far", "round_trip_s": 0.5, "latency_budget_s": 0.6}]
    asked = {"requests_per_s": 0.1, "regions": regions}
    strict = sizing_view(changed(service_level={"ttft_s": 5}, demand=asked))
    same = sizing_view(changed(service_level={"ttft_s": 0.1}, demand={"requests_per_s": 0.1}))
    assert strict.promised_ttft_s == pytest.approx(0.1)
    assert strict.requests_per_s_limit == pytest.approx(same.requests_per_s_limit)
    assert strict.binds == same.binds


def test_a_larger_budget_of_the_strictest_place_relaxes_it() -> None:
    """0.5 s of network leaves 0.74 s of 1.24 s, and more than the 1 s that the other place has left of 1.55 s."""
    far = {"name": "Far", "share": 0.5, "round_trip_s": 0.5, "latency_budget_s": 1.24}
    near = {"name": "Near", "share": 0.5, "round_trip_s": 0.25, "latency_budget_s": 1.25}
    asked = {"requests_per_s": 0.1, "regions": [far, near]}
    view = sizing_view(changed(service_level={"ttft_s": 5}, demand=asked))
    rows = {row.change: row for row in view.relaxed}
    assert "latency budget of Far, 1,550 ms in place of 1,240 ms" in rows["latency_budget_s"].title
    assert rows["ttft_s"].gain == pytest.approx(0)
    wide = sizing_view(changed(service_level={"ttft_s": 1}, demand={"requests_per_s": 0.1}))
    assert rows["latency_budget_s"].requests_per_s == pytest.approx(wide.requests_per_s_limit, rel=1e-2)
    assert rows["latency_budget_s"].gain > 0


def test_a_budget_that_asks_no_more_than_the_promise_to_all_is_not_offered() -> None:
    near = {"name": "Near", "round_trip_s": 0.1, "latency_budget_s": 9}
    view = sizing_view(
        changed(service_level={"ttft_s": 0.5}, demand={"requests_per_s": 0.1, "regions": [near]})
    )
    assert "latency_budget_s" not in {row.change for row in view.relaxed}


@pytest.mark.parametrize(("key", "prefills"), [("deepseek_r1_on_cloudmatrix384", 6), (RACK, 4)])
def test_prefill_that_takes_no_more_prompts_binds_and_one_more_instance_relaxes_it(
    key: str, prefills: int
) -> None:
    layout = read_example(key).as_dict()["workload"]["layout"]
    few = {**layout, "prefill": {**layout["prefill"], "instances": prefills}}
    view = sizing_view(changed(key, layout=few))
    assert (view.binds, view.binding_shares) == ("prefill", {})
    rows = {row.change: row for row in view.relaxed}
    assert rows["ttft_s"].gain == pytest.approx(0, abs=1e-3)
    # one more of them, as long as decode keeps up
    assert rows["prefill_instances"].gain == pytest.approx(1 / prefills, abs=0.03)  # loads are 5 % apart
    assert f"{prefills + 1} in place of {prefills}" in rows["prefill_instances"].title


def test_where_decode_limits_prefill_does_not_bind() -> None:
    view = sizing_view(changed(RACK, service_level={"ttft_s": 30, "tpot_s": 0.012}))
    gains = {row.change: row.gain for row in view.relaxed}
    assert view.binds == "tpot"
    assert gains["tpot_s"] > gains["prefill_instances"]


def test_an_aggregated_replica_has_no_prefill_instances_to_add() -> None:
    assert "prefill_instances" not in {row.change for row in sizing_view(example()).relaxed}


def test_prefill_and_decode_keep_each_other_busy() -> None:
    split = sizing_view(example(RACK)).split
    assert split is not None
    assert split.prefill_per_decode == pytest.approx(
        split.decode_requests_per_s / split.prefill_requests_per_s
    )
    assert (split.stated_prefill_instances, split.stated_decode_instances) == (6, 1)
    most = min(
        split.prefill_instances * split.prefill_requests_per_s,
        split.decode_instances * split.decode_requests_per_s,
    )
    assert split.requests_per_s == pytest.approx(most)
    assert 0 <= split.idle_share < 1


def test_one_replica_cannot_be_split_over_its_own_accelerators() -> None:
    split = sizing_view(example()).split
    assert split is not None
    assert math.isnan(split.prefill_instances)
    assert split.stated_prefill_instances is None


def test_availability_and_n_plus_are_both_shown_and_the_stricter_rules() -> None:
    asked = {"requests_per_s": 30}
    usual = sizing_view(changed(demand=asked))
    assert "spares_by_redundancy" not in steps(usual)
    assert usual.spares_by_redundancy == 0
    level = {"n_plus": 5, "failure_domain": "supernode"}
    scenario = changed(demand=asked, service_level=level)
    view = sizing_view(scenario)
    found = steps(view)
    assert (found["spares_by_redundancy"], found["spares"]) == (5, 5)  # a replica fills its SuperNode
    assert found["spares_by_availability"] == usual.spares_by_availability
    assert found["supernodes_with_headroom"] == found["replicas"] + 5
    assert next(row.said for row in view.rows if row.step == "spares") == "N+5 rules"
    needed = scenario.evaluation.sections.performance.supernodes_needed_with_headroom
    assert float(needed[0]) == view.supernodes_needed_with_headroom
    few = sizing_view(changed(demand=asked, service_level={"n_plus": 1}))
    assert next(row.said for row in few.rows if row.step == "spares") == "the availability target rules"


def test_without_availability_and_redundancy_the_need_is_bare() -> None:
    view = sizing_view(changed(demand={"requests_per_s": 30}, service_level={"availability": 0}))
    assert view.availability is None
    assert view.supernodes_needed == view.supernodes_needed_with_headroom


def test_redundancy_can_be_explained() -> None:
    level = {"n_plus": 2, "failure_domain": "node"}
    scenario = changed(demand={"requests_per_s": 30}, service_level=level)
    told = scenario.explain("performance.supernodes_needed_with_headroom")
    assert told["value"] == sizing_view(scenario).supernodes_needed_with_headroom


def test_a_pod_that_bears_the_demand_but_no_failure_is_warned_of() -> None:
    asked = {"requests_per_s": 0.5}
    told = changed(demand=asked, service_level={"n_plus": 1}).evaluation.problems
    (warned,) = [one for one in told if one.constraint == "redundancy"]
    assert (warned.kind, warned.field, warned.value, warned.limit) == (
        "warning", "workload.service_level.n_plus", 2, 1,
    )  # fmt: skip
    usual = changed(demand=asked, service_level={"availability": 0.9}).evaluation.problems
    assert "redundancy" not in {one.constraint for one in usual}
