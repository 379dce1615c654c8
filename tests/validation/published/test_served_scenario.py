"""A measured latency as a scenario: what it states, and that the engine predicts the same of it as of its row."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.serving.case import case_of
from app.validation.serving.published import published_serving, scenario_of_latency, taken_for_granted
from tests.validation.serving.rows import group, row


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
    """But for rows whose memory is reckoned too small for what was in flight: nine in ten agree."""
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
