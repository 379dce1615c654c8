"""Prefill and decode on different kinds of SuperNode: each side by its own hardware, in every assignment."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.leaves import leaves
from app.engine.mixed import kind_prices_usd, prefill_weighted_share
from app.engine.performance.serving.section import ServingPerformance
from app.engine.trace import first_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.surfaces.pages.explore.serving_adopt import adopted_option, option_text
from app.views.searching.options import ServingSearchOptions
from app.views.searching.serving import search_serving_scenario
from app.views.serving.edge import EdgeOptions, edge_view
from app.views.serving.latency import latency_view
from app.views.serving.roofline import roofline_view
from app.views.serving.sizing import sizing_view
from app.views.serving.token_cost import TokenCostOptions, token_cost_view
from tests.support import number

H100, H200, B200 = "dgx_h100", "dgx_h200", "dgx_b200"
EIGHT: dict[str, Any] = {"tp": 8}
OF_KINDS = ("decode_on", "prefill_on", "_by_kind")


def document(
    first: str, further: str | dict[str, Any] | None, supernodes: int = 2, **workload: Any
) -> dict[str, Any]:
    """Llama 3.1 70B on as many SuperNodes of one kind as of the other."""
    usual = {
        "kind": "serving", "model": "llama_3_1_70b", "precision": "fp8", "engine": {"name": "vllm"}, "concurrency": 64,
    }  # fmt: skip
    also = {"system": further} if isinstance(further, str) else further
    pod: dict[str, Any] = {"supernodes": supernodes}
    if also is not None:
        pod["also"] = [{"supernode": also, "supernodes": supernodes}]
    return {"workload": usual | workload, "supernode": {"system": first}, "pod": pod}


def split(prefill: str = "auto", decode: str = "auto", **decoding: Any) -> dict[str, Any]:
    return {"prefill": EIGHT | {"on": prefill}, "decode": EIGHT | {"on": decode} | decoding}


def scenario(
    first: str, further: str | dict[str, Any] | None, supernodes: int = 2, **workload: Any
) -> EvaluatedScenario:
    return evaluate_scenario(
        build_scenario(document(first, further, supernodes, **workload)), ready_catalog()
    )


def performance(
    first: str, further: str | dict[str, Any] | None, supernodes: int = 2, **workload: Any
) -> ServingPerformance:
    found = scenario(first, further, supernodes, **workload).evaluation.sections.performance
    assert isinstance(found, ServingPerformance)
    return found


def refusal(first: str, further: str, **workload: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        resolve(build_scenario(document(first, further, **workload)), ready_catalog())
    return str(caught.value.errors[0])


@pytest.mark.parametrize(
    ("mixed", "plain"),
    [
        ({}, {}),
        ({"mode": "disaggregated"}, {"mode": "disaggregated"}),
        ({"layout": split()}, {"layout": split()}),
        ({"layout": split("main", "also_1")}, {"layout": split()}),
        ({"layout": split("also_1", "main")}, {"layout": split()}),
    ],
)
def test_a_pod_of_two_equal_kinds_is_a_plain_pod(mixed: dict[str, Any], plain: dict[str, Any]) -> None:
    """Also where it is stated what runs on which, as groups of sixteen lie in two domains of eight either way."""
    demand = {"demand": {"requests_per_s": 5}, "service_level": {"ttft_s": 2}}
    found = dict(leaves(performance(H100, H100, 2, **mixed, **demand)))
    wanted = dict(leaves(performance(H100, None, 4, **plain, **demand)))
    for path, value in wanted.items():
        np.testing.assert_allclose(found[path], value, rtol=1e-12, err_msg=path)
    assert all(any(word in path for word in OF_KINDS) for path in found.keys() - wanted.keys())


@pytest.mark.parametrize("pair", [(H100, H200), (H100, B200)])
def test_the_names_of_kinds_do_not_matter(pair: tuple[str, str]) -> None:
    one, other = pair
    first = dict(leaves(performance(one, other, layout=split("main", "also_1"))))
    second = dict(leaves(performance(other, one, layout=split("also_1", "main"))))
    for path, value in first.items():
        if not any(word in path for word in OF_KINDS):
            np.testing.assert_allclose(second[path], value, rtol=1e-12, err_msg=path)


def test_each_side_is_computed_by_its_own_hardware() -> None:
    """Prefill as on a pod of its kind, with the constants of its generation, and steps as on one of the other's."""
    mixed = performance(B200, H200, layout=split("main", "also_1"))
    b200, h200 = (performance(one, None, 4, layout=split()) for one in (B200, H200))
    assert first_of(mixed.prefill_s) == first_of(b200.prefill_s) < first_of(h200.prefill_s)
    assert first_of(mixed.memory_capacity_bytes) == first_of(h200.memory_capacity_bytes)
    assert first_of(mixed.batch_limit) == first_of(h200.batch_limit) < first_of(b200.batch_limit)
    between = sorted(first_of(one.tpot_s) for one in (b200, h200))
    swapped = performance(B200, H200, layout=split("also_1", "main"))
    assert first_of(swapped.tpot_s) == pytest.approx(between[0], rel=0.02)
    assert first_of(mixed.tpot_s) == pytest.approx(between[1], rel=0.02)


def test_each_side_has_its_own_scale_up_domain() -> None:
    """Eight ranks over two domains of four decode slower; the prompts, on domains of eight, take as long."""
    small = {"system": H200, "override": {"scale_up_domain_accelerators": 4}}
    one, two = (performance(H100, further, layout=split("main", "also_1")) for further in (H200, small))
    assert first_of(two.prefill_s) == first_of(one.prefill_s)
    assert first_of(two.time_breakdown_s["all_reduce"]) > 2 * first_of(one.time_breakdown_s["all_reduce"])


def test_every_assignment_is_tried_and_the_best_taken() -> None:
    asked: dict[str, Any] = {"concurrency": "auto", "service_level": {"tpot_s": 0.02, "ttft_s": 1}}
    either = [
        performance(H100, H200, layout=split(*on), **asked)
        for on in (("main", "also_1"), ("also_1", "main"), ("main", "main"), ("also_1", "also_1"))
    ]
    found = performance(H100, H200, layout=split(), **asked)
    rates = [first_of(one.requests_per_s_limit) for one in either]
    assert first_of(found.requests_per_s_limit) == max(rates)
    assert len(set(rates)) == 4
    open_layout = performance(H100, H200, **asked)
    assert first_of(open_layout.requests_per_s_limit) >= max(rates)


def test_counts_are_of_each_kind() -> None:
    """One prefill and two decode instances a replica, of a SuperNode each: twice as many SuperNodes decode."""
    asked: dict[str, Any] = {
        "demand": {"requests_per_s": 200},
        "service_level": {"tpot_s": 0.05, "ttft_s": 2},
    }
    found = performance(
        H100, H200, 4, concurrency="auto", layout=split("also_1", "main", instances=2), **asked
    )
    assert first_of(found.replicas) == 2
    parts = found.accelerators_per_replica_by_kind
    counts = found.supernodes_needed_by_kind
    spare = found.supernodes_needed_with_headroom_by_kind
    assert parts is not None
    assert counts is not None
    assert spare is not None
    assert [first_of(part) for part in parts] == [16, 8]
    decode, prefill = (first_of(count) for count in counts)
    assert found.supernodes_needed is not None
    assert decode == 2 * prefill == 2 * first_of(found.supernodes_needed) / 3
    assert sum(first_of(count) for count in spare) == first_of(found.supernodes_needed_with_headroom)


def test_a_demand_beyond_one_kind_is_said_of_it() -> None:
    asked: dict[str, Any] = {
        "demand": {"requests_per_s": 500},
        "service_level": {"tpot_s": 0.05, "ttft_s": 2},
    }
    found = scenario(H100, H200, 1, concurrency="auto", layout=split("main", "also_1"), **asked)
    told = [problem.message for problem in found.problems if problem.constraint == "demand"]
    assert any("SuperNodes of DGX H200" in message for message in told)


def test_a_kind_that_nothing_runs_on_is_a_warning() -> None:
    found = scenario(H100, H200, layout={"tp": 8, "on": "also_1"})
    (idle,) = (problem for problem in found.problems if problem.constraint == "idle_kind")
    assert "DGX H100" in idle.message
    alone = performance(H200, None, layout={"tp": 8})
    run = found.evaluation.sections.performance
    assert first_of(run.tpot_s) == first_of(alone.tpot_s)
    assert first_of(run.tokens_per_s_per_accelerator) == pytest.approx(  # type: ignore[union-attr]
        first_of(alone.tokens_per_s_per_accelerator) / 2
    )


def test_instances_larger_than_their_kind_are_refused() -> None:
    decode: dict[str, Any] = {"tp": 4, "instances": 3, "on": "also_1"}
    found = scenario(H100, H200, 1, layout={"prefill": {"tp": 4, "on": "main"}, "decode": decode})
    assert any("has 8 of them" in problem.message for problem in found.problems)


def test_input_tokens_pay_for_the_price_of_what_prefills() -> None:
    """One prefill accelerator of 1 USD and three that decode of 3 USD: a tenth of the price."""
    share = prefill_weighted_share(
        prefill_accelerators=number(1),
        decode_accelerators=number(3),
        prefill_each=number(1),
        decode_each=number(3),
    )
    assert first_of(share) == pytest.approx(0.1)
    cheap = {"system": H100, "override": {"price_usd": 1e5}}
    made = document(H200, cheap, layout=split("also_1", "main"))
    made["supernode"] |= {"override": {"price_usd": 3e5}}
    found = evaluate_scenario(build_scenario(made), ready_catalog())
    cost, run = found.evaluation.sections.cost, found.evaluation.sections.performance
    assert isinstance(run, ServingPerformance)
    million_in, million_out = cost.usd_per_million_input_tokens, cost.usd_per_million_output_tokens
    assert million_in is not None
    assert million_out is not None
    assert first_of(million_in / million_out) == pytest.approx(1 / 3)  # as many tokens in as out
    assert first_of(run.prefill_share) == 0.5
    kinds = found.resolved.design.kinds
    rooms, economics = found.resolved.design.assumptions.rooms, found.resolved.design.economics
    assert [
        first_of(price) for price in kind_prices_usd(kinds, rooms["economics"].server_price_ratio, economics)
    ] == [pytest.approx(1e5)]


def test_views_are_of_the_kinds_that_were_chosen() -> None:
    found = scenario(
        H100, H200, layout=split("main", "also_1"), demand={"requests_per_s": 3}, concurrency="auto"
    )
    view = latency_view(found)
    assert view.layout == "1 prefill (TP 8 on DGX H100) and 1 decode (TP 8 on DGX H200)"
    run = found.evaluation.sections.performance
    assert isinstance(run, ServingPerformance)
    sized = sizing_view(found)
    assert sized.supernodes_needed == first_of(run.supernodes_needed)  # type: ignore[arg-type]
    assert sized.split is not None
    assert sized.split.accelerators <= 32


@pytest.mark.parametrize(
    ("first", "further", "workload", "said"),
    [
        (H100, H200, {"layout": split("also_2", "main")}, "on is also_2, and pod.also has 1 further kind"),
        (
            B200,
            H200,
            {"parts": {"kv_cache": "nvfp4"}, "engine": {"name": "sglang"}, "layout": split()},
            "nvfp4",
        ),
        (H100, "amd_mi300x_8way", {"engine": {"name": "tensorrt_llm"}}, "which tensorrt_llm does not run on"),
    ],
)
def test_what_does_not_go_together_is_refused(
    first: str, further: str, workload: dict[str, Any], said: str
) -> None:
    assert said in refusal(first, further, **workload)


def test_a_kind_is_stated_where_there_is_one() -> None:
    with pytest.raises(ScenarioError, match="has no further kinds"):
        resolve(build_scenario(document(H100, None, layout={"tp": 8, "on": "also_1"})), ready_catalog())
    assert performance(H100, None, layout={"tp": 8, "on": "main"}).strategy.keys().isdisjoint(OF_KINDS)


def test_a_search_tries_every_assignment_and_its_layouts_run() -> None:
    """What comes first answers as much where it is stated, and all ways of using the kinds are among what was tried."""
    asked: dict[str, Any] = {"concurrency": "auto", "service_level": {"tpot_s": 0.03, "ttft_s": 2}}
    found = scenario(H100, H200, **asked)
    answer = search_serving_scenario(found, ready_catalog(), ServingSearchOptions())
    best = answer.best[0]
    assert answer.best_over_stated is not None
    assert answer.best_over_stated > 0.97
    assert {best.layout["prefill"]["on"], best.layout["decode"]["on"]} == {"main", "also_1"}
    again = performance(H100, H200, **asked | {"layout": best.layout, "concurrency": round(best.concurrency)})
    assert first_of(again.tokens_per_s) == pytest.approx(best.tokens_per_s, rel=0.02)
    chosen = adopted_option(
        found.document.as_dict(), option_text(vars_of(best), vars_of(answer.pods[0])), ready_catalog()
    )
    assert chosen["workload"]["layout"] == best.layout


def vars_of(record: Any) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}


def test_each_side_has_a_roof_of_its_own() -> None:
    """Points of prefill are as on a pod of its kind, those of decode as on one of the other."""
    mixed = roofline_view(scenario(B200, H200, layout=split("main", "also_1")))
    b200, h200 = (roofline_view(scenario(one, None, 4, layout=split())) for one in (B200, H200))
    assert mixed.prefill is not None
    assert (
        mixed.peak_flop_per_s == h200.peak_flop_per_s < mixed.prefill.peak_flop_per_s == b200.peak_flop_per_s
    )
    first = [[point for point in view.points if point.phase == "prefill"] for view in (mixed, b200)]
    assert first[0] == first[1]
    steps = [[point.time_s for point in view.points if point.phase == "decode"] for view in (mixed, h200)]
    assert steps[0] == pytest.approx(steps[1], rel=0.02)
    assert b200.prefill is None


@pytest.mark.parametrize("pp", [1, 2, 4])
def test_no_point_is_above_its_roof(pp: int) -> None:
    found = scenario(H200, None, 4, layout={"tp": 8, "pp": pp}, requests={"input_tokens": 60_000})
    assert all(point.roof_share <= 1 for point in roofline_view(found).points)


def test_costs_stand_beside_those_of_pods_of_one_kind() -> None:
    found = scenario(H100, H200, layout=split("main", "also_1"))
    view = token_cost_view(found, ready_catalog(), TokenCostOptions(systems=(H100, H200)), evaluated)
    stands, *others = view.systems
    assert stands.name == "2 DGX H100 and 2 DGX H200"
    assert stands.layout.endswith("decode (TP 8 on DGX H200)")
    assert [row.name for row in others] == ["DGX H100", "DGX H200"]
    assert all(row.accelerators == stands.accelerators == 32 for row in others)


def test_an_edge_site_of_a_mixed_pod_is_stated() -> None:
    found = scenario(H100, H200, layout=split("main", "also_1"))
    with pytest.raises(ScenarioError, match="State edge_system"):
        edge_view(found, ready_catalog(), EdgeOptions(), evaluated)
    view = edge_view(found, ready_catalog(), EdgeOptions(edge_system=H100), evaluated)
    assert [site.system for site in view.sites] == ["2 DGX H100 and 2 DGX H200", "1 × DGX H100"]


def evaluated(document: ScenarioDocument) -> EvaluatedScenario:
    return evaluate_scenario(document, ready_catalog())


def test_hours_of_a_demand_are_shown_and_that_none_is_scaled_is_said() -> None:
    asked = {"requests_per_s": 20, "shape": "campus_day", "autoscaling": {"enabled": True, "stopped": "off"}}
    level = {"ttft_s": 2, "tpot_s": 0.05, "n_plus": 1}
    view = sizing_view(
        scenario(H100, H200, layout=split("main", "also_1"), demand=asked, service_level=level)
    )
    hours = view.demand_hours
    assert hours is not None
    assert (len(hours.hours), hours.scaling) == (24, None)
    assert all(hour.running == hours.replicas and hour.keeps for hour in hours.hours)
    (freed,) = (row for row in hours.rows if row.step == "freed")
    assert np.isnan(freed.value)
    assert "not computed" in freed.said
