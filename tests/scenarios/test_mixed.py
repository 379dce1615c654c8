"""One job on several kinds of SuperNode: what adds up is summed, what binds is the least, the slowest sets the step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.catalog.ready import ready_catalog
from app.engine.explore.layout_search import search_layouts
from app.engine.leaves import leaves
from app.engine.performance.kinds import at_position, position_of_largest
from app.engine.performance.space import USUAL
from app.engine.quantities import quantity_at
from app.engine.trace import Traced, plain
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.gallery.answer import headline_figures
from app.views.searching.domains import domain_study
from app.views.searching.layouts import search_scenario
from app.views.searching.options import SearchOptions

H100, H200, A100 = "dgx_h100", "dgx_h200", "dgx_a100_640"
LAYOUT = {"tp": 8, "pp": 8, "vpp": 2, "zero_stage": 2}
CHOSEN = {"performance.time_on_slowest_kind_s", "performance.bytes_on_fullest_kind"}


@pytest.fixture
def catalog(seeded_data_dir):
    return ready_catalog()


def document(first=H100, supernodes=48, also=((H200, 16),), **changes) -> ScenarioDocument:
    values = {
        "workload": {
            "kind": "training",
            "model": "llama_3_1_70b",
            "tokens": 1e12,
            "sequence_length": 8192,
            "global_batch_sequences": 768,
        },
        "supernode": first if isinstance(first, dict) else {"system": first},
        "pod": {
            "supernodes": supernodes,
            "also": [
                {"supernode": one if isinstance(one, dict) else {"system": one}, "supernodes": count}
                for one, count in also
            ],
        },
        "parallelism": LAYOUT,
        "operations": {"spares": 0},
    }
    return build_scenario(values | changes)


def scenario(catalog, *args, **changes) -> EvaluatedScenario:
    return evaluate_scenario(document(*args, **changes), catalog)


def alone(catalog, system, supernodes=64, **changes) -> EvaluatedScenario:
    return scenario(catalog, system, supernodes, (), **changes)


def test_a_mix_of_a_kind_with_itself_is_the_plain_pod(catalog):
    mixed = dict(leaves(scenario(catalog, H100, 48, ((H100, 16),)).evaluation.sections))
    plain_pod = dict(leaves(alone(catalog, H100).evaluation.sections))
    for path, value in plain_pod.items():
        np.testing.assert_allclose(mixed[path], value, rtol=1e-12, err_msg=path)
    further = mixed.keys() - plain_pod.keys()
    assert further == {
        f"performance.{name}[{place}]"
        for name in ("step_time_by_kind_s", "waiting_share_by_kind")
        for place in (0, 1)
    }


@pytest.mark.parametrize("pair", [(H100, H200), (A100, H100), (H100, A100)])
def test_the_slowest_kind_sets_the_step_and_the_others_wait(catalog, pair):
    mixed = scenario(catalog, pair[0], 48, ((pair[1], 16),)).as_json["performance"]
    own = [alone(catalog, system).as_json["performance"]["step_time_s"] for system in pair]
    # the fabric of a mixed pod goes at the slowest NIC, so a kind can only lose beside a slower one
    assert mixed["step_time_s"] == max(mixed["step_time_by_kind_s"])
    assert mixed["step_time_s"] == pytest.approx(max(own), rel=1e-12)
    assert sum(mixed["time_breakdown_s"].values()) == pytest.approx(mixed["step_time_s"])
    for time_s, wait in zip(mixed["step_time_by_kind_s"], mixed["waiting_share_by_kind"], strict=True):
        assert wait == pytest.approx(1 - time_s / mixed["step_time_s"])
    names = [
        kind["name"]
        for kind in scenario(catalog, pair[0], 48, ((pair[1], 16),)).as_json["inputs"]["pod"]["kinds"]
    ]
    assert mixed["slowest_kind"] == names[int(np.argmax(own))]


def test_what_adds_up_is_the_sum_over_kinds(catalog):
    mixed = scenario(catalog, A100, 48, ((H100, 16),)).as_json
    first, second = alone(catalog, A100, 48).as_json, alone(catalog, H100, 16).as_json
    for path in (
        ("cost", "capex_breakdown_usd", "servers"),
        ("power", "accelerator_tdp_power_w"),
        ("carbon", "embodied_pod_kg"),
        ("performance", "roofline_step_time_s"),
    ):
        parts = [_at(one, path) for one in (first, second)]
        if path[-1] == "roofline_step_time_s":  # of rates, which add up
            assert _at(mixed, path) == pytest.approx(1 / sum(1 / part for part in parts))
        else:
            assert _at(mixed, path) == pytest.approx(sum(parts), rel=1e-12), path

    def rated(one):
        return one["power"]["it_power_design_w"] - one["power"]["it_breakdown_w"]["network"]

    assert rated(mixed) == pytest.approx(rated(first) + rated(second), rel=1e-9)


def test_rent_is_that_of_each_kind(catalog):
    def rate(one):
        return one.as_json["inputs"]["economics"]["rental_on_demand_usd_per_accelerator_hour"]

    a, b = rate(alone(catalog, A100)), rate(alone(catalog, H100))
    assert rate(scenario(catalog, A100, 48, ((H100, 16),))) == pytest.approx((48 * a + 16 * b) / 64)


def test_memory_must_fit_the_kind_with_least_and_the_problem_names_it(catalog):
    layout = {"tp": 8, "pp": 1, "zero_stage": 0, "micro_batch": 2}
    mixed = scenario(catalog, H200, 48, ((H100, 16),), parallelism=layout)
    performance = mixed.as_json["performance"]
    assert performance["fullest_kind"] == "DGX H100"
    assert performance["memory_capacity_bytes"] == mixed.as_json["inputs"]["pod"]["kinds"][1]["memory_bytes"]
    (problem,) = [problem for problem in mixed.problems if problem.constraint == "memory"]
    assert "an accelerator of DGX H100 has" in problem.message
    assert problem.fix is None or not problem.fix.field.startswith(("supernode", "pod.supernodes"))


def test_a_search_computes_what_an_evaluation_does(catalog):
    design = scenario(catalog, A100, 24, ((H200, 8),), parallelism="auto").resolved.design
    found = search_layouts(design, USUAL)
    positions = found.best(4)
    for position, evaluation in zip(positions, found.evaluated(positions), strict=True):
        performance = evaluation.sections.performance
        np.testing.assert_allclose(found.computed.step_time_s[position], performance.step_time_s, rtol=1e-12)
        np.testing.assert_allclose(
            found.computed.memory_bytes[position], performance.memory_per_accelerator_bytes, rtol=1e-12
        )


def test_every_figure_of_a_mixed_pod_explains_itself(catalog):
    mixed = scenario(catalog, A100, 48, ((H100, 16),), parallelism="auto")
    bare = dict(leaves(mixed.evaluation.sections))
    assert bare.keys() == mixed.figures.keys()
    for path, figure in mixed.figures.items():
        assert isinstance(figure, Traced), path
        np.testing.assert_array_equal(plain(figure), bare[path], err_msg=path)
        record = quantity_at(path)
        assert record is not None, path
        shown = figure.node.quantity
        assert shown is record or shown.also_at == path or shown.path in CHOSEN, path
        if shown.path in CHOSEN and shown is not record:
            below = {node.quantity for node in figure.node.walk() if node.quantity}
            assert record in below, path
        for node in figure.node.walk():
            if not node.inputs:
                assert node.kind == "input", f"{path} ends in {node.kind} {node.name}"
                assert node.origin.label, node.name
    fields = {node.origin.field for node in mixed.figures["cost.capex_usd"].node.walk() if node.origin}
    assert "pod.also[0].supernodes" in fields


def test_unknown_of_one_kind_is_unknown_of_the_pod(catalog):
    custom = {
        "custom": {
            "name": "Ours",
            "accelerator": "nvidia_h100_sxm",
            "accelerators": 8,
            "scale_out_nics": 8,
            "nic_gbit_s": 400,
            "cooling": "air",
            "rack_units": 8,
        }
    }
    mixed = scenario(catalog, H100, 48, ((custom, 16),))
    assert mixed.as_json["power"]["it_power_mean_w"] is None
    missing = {problem.field for problem in mixed.problems if problem.kind == "missing_input"}
    assert "pod.also[0].supernode.custom.max_power_w" in missing


def test_the_densest_rack_is_what_must_be_cooled(catalog):
    dense = {"system": H200, "override": {"racks": 0.125}}
    mixed = scenario(catalog, H100, 48, ((dense, 16),)).as_json["power"]["power_per_rack_w"]
    assert mixed == alone(catalog, dense).as_json["power"]["power_per_rack_w"]


def test_headline_figures_are_sums_over_kinds(catalog):
    mixed = headline_figures(scenario(catalog, H100, 48, ((H200, 16),)), catalog)
    parts = [headline_figures(alone(catalog, one, count), catalog) for one, count in ((H100, 48), (H200, 16))]
    for name in ("accelerators", "peak_bf16_flop_per_s", "memory_bytes", "rated_power_w"):
        assert mixed[name] == pytest.approx(sum(part[name] for part in parts)), name


@pytest.mark.parametrize(
    ("also", "path", "words"),
    [
        (
            ("gb200_nvl72", 4),
            "pod.also[0].supernode.override.accelerators",
            "72 accelerators of one SuperNode",
        ),
        (("no_such", 4), "pod.also[0].supernode.system", "not in the catalog"),
        (({"design": "a" * 32}, 4), "pod.also[0].supernode.design", "described where it stands"),
        ((H200, 0), "pod.also[0].supernodes", "at least 1"),
        (
            ({"system": H200, "override": {"cooling": "liquid", "liquid_share": 0}}, 4),
            "pod.also[0].supernode.override.cooling",
            "liquid",
        ),
        (
            ({"system": H200, "override": {"scale_out_nics": 4}}, 4),
            "pod.also[0].supernode.override.scale_out_nics",
            "4 compute NICs",
        ),
    ],
)
def test_kinds_that_cannot_share_a_job_are_refused(catalog, also, path, words):
    with pytest.raises(ScenarioError) as refused:
        scenario(catalog, H100, 4, (also,))
    (error,) = refused.value.errors
    assert error.path == path
    assert words in error.message
    assert error.hint


def test_four_kinds_are_the_most():
    with pytest.raises(ScenarioError) as refused:
        document(H100, 4, ((H200, 4),) * 4)
    assert refused.value.errors[0].path == "pod.also"


def test_a_price_of_one_kind_is_refused(catalog):
    with pytest.raises(ScenarioError) as refused:
        scenario(catalog, economics={"supernode_price_usd": 3e5})
    assert refused.value.errors[0].path == "economics.supernode_price_usd"


def test_a_generic_job_takes_one_kind(catalog):
    workload = {
        "kind": "generic",
        "name": "Stencil",
        "precision": "bf16",
        "scaling": "weak",
        "flop_per_step": 1e12,
        "memory_traffic_per_step_bytes": 1e9,
        "memory_held_bytes": 1e9,
        "steps": 100,
    }
    with pytest.raises(ScenarioError) as refused:
        scenario(catalog, workload=workload, parallelism="auto")
    assert refused.value.errors[0].path == "pod.also"


def test_studies_of_other_pods_are_refused(catalog):
    mixed = scenario(catalog)
    for study in (
        lambda: domain_study(mixed, catalog),
        lambda: search_scenario(mixed, SearchOptions(objective="cost")),
    ):
        with pytest.raises(ScenarioError) as refused:
            study()
        assert refused.value.errors[0].path == "pod.also"


def test_a_pod_of_one_kind_says_nothing_of_others(catalog):
    assert "also" not in document(also=()).as_dict()["pod"]
    written = document().as_dict()
    assert build_scenario(written) == document()


@given(
    own=st.lists(st.floats(0.1, 1e3), min_size=2, max_size=4),
    place=st.integers(0, 3),
    share=st.floats(0.01, 1),
)
@settings(max_examples=50, deadline=None)
def test_a_faster_kind_in_the_place_of_another_never_slows(own, place, share):
    def step(times):
        values = tuple(np.full(1, time_s) for time_s in times)
        return float(at_position(values, position_of_largest(values=values))[0])

    faster = list(own)
    faster[place % len(own)] *= share
    assert step(faster) <= step(own) == max(own)


def test_the_kind_of_unknown_speed_makes_the_step_unknown():
    values = (np.array([2.0]), np.array([np.nan]))
    assert np.isnan(at_position(values, position_of_largest(values=values))).all()


def test_assumptions_outside_the_performance_room_do_not_go_by_the_accelerator(catalog):
    """Those that do are carried by each kind; another one would silently be the first kind's."""
    words = ("generation", "chip", "accelerator", "link", "framework", "attention_kernel", "captured_graphs")
    found = {
        f"{room}.{name}"
        for room in ("fabric", "operations", "facility", "economics", "scenario")
        for name in catalog.assumption_names(room)
        for row in catalog.assumption_rows(room, name)
        if any(word in str(row.applies_to) for word in words)
    }
    # the price path and the resale of a mixed pod are those of no generation: several_kinds of the terms
    assert found - {"scenario.price_change_per_year", "scenario.value_decline_per_year"} == {
        "economics.accelerator_embodied_kg",
        "facility.coolant_supply_limit_c",
        "scenario.nic_slot_bandwidth_bytes_per_s",
    }


def _at(tree, path):
    for name in path:
        tree = tree[name]
    return tree
