"""The rate of compute NICs sets links, steps and the bill, within what a host's slots carry."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.document.supernode import SuperNodeDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.resolve.accelerator import PEAK_FACT
from app.scenarios.resolve.hardware_words import context_of
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.nic_rate import with_nic_rate
from app.scenarios.resolve.supernode import chosen_supernode
from tests.scenarios.support import document

RATES = (25, 50, 100, 200, 400)


def of_rate(gbit_s: float | None, **changes: Any) -> EvaluatedScenario:
    changes = {"pod__supernodes": 128, "parallelism": {"tp": 8, "pp": 1}} | changes
    changes["pod__fabric"] = {"topology": "rail_fat_tree", "nic_gbit_s": gbit_s} | changes.get(
        "pod__fabric", {}
    )
    return evaluate_scenario(document(**changes), ready_catalog())


def test_links_run_at_the_rate_and_steps_and_the_bill_follow() -> None:
    found = [of_rate(rate).as_json for rate in RATES]
    for rate, one in zip(RATES, found, strict=True):
        fabric = one["fabric"]
        assert fabric["scale_out_bandwidth_bytes_per_s"] == pytest.approx(rate * 1e9 / 8)
        # 1,024 links, half of them across the middle
        assert fabric["bisection_bandwidth_bytes_per_s"] == pytest.approx(512 * rate * 1e9 / 8)
    steps = [one["performance"]["step_time_s"] for one in found]
    assert steps == sorted(steps, reverse=True)
    assert len(set(steps)) == len(steps)
    for name in ("network_price_usd", "network_power_w"):
        # at 200 Gbit/s the usual switch has 40 ports, so that 1,024 links take a third tier
        at_100, at_200, at_400 = (one["fabric"][name] for one in found[2:])
        assert at_100 < min(at_200, at_400)


def test_the_rate_of_the_nics_it_comes_with_changes_nothing() -> None:
    same, stated = of_rate(None).as_json, of_rate(400).as_json
    assert same["fabric"] == stated["fabric"]
    assert same["performance"] == stated["performance"]
    assert same["cost"] == stated["cost"]


def test_slower_nics_are_the_same_cards_and_faster_ones_are_bought_beside() -> None:
    def bought(gbit_s: float) -> float:
        lines = of_rate(gbit_s).as_json["fabric"]["bill"]
        return sum(line["count"] for line in lines if line["item"] == "Compute NICs")

    assert bought(100) == bought(400) == 0
    assert bought(500) == 1024
    slow = of_rate(100).resolved.design
    assert float(slow.pod.fabric.nic_power_w[0]) == 24.9  # of the ConnectX-7 that runs at 100 Gbit/s


def test_more_than_a_slot_carries_is_refused_with_a_way_out() -> None:
    with pytest.raises(ScenarioError) as caught:
        of_rate(800)
    (fault,) = caught.value.errors
    assert (fault.path, fault.value, fault.rule) == ("pod.fabric.nic_gbit_s", 800, "at_most")
    assert "504 Gbit/s" in fault.message
    assert "PCI Express" in fault.message
    assert "scale_out_nics" in fault.hint
    found = of_rate(800, assumptions={"scenario.nic_slot_bandwidth_bytes_per_s": 1.21e11}).as_json
    assert found["fabric"]["scale_out_bandwidth_bytes_per_s"] == 1e11


def test_every_system_keeps_the_nics_that_it_comes_with() -> None:
    catalog = ready_catalog()
    parts = [catalog.part("systems", key) for key in catalog.keys("systems")]
    rates = {
        part.key: fact.value * 8 / 1e9
        for part in parts
        if (fact := part.facts.get("scale_out_nic_bandwidth_bytes_per_s"))
        and part.attributes.get("accelerator_key")
    }
    assert len(rates) > 20
    for key, rate in rates.items():
        inputs = Inputs(catalog=catalog)
        peaks = catalog.part("accelerators", catalog.part("systems", key).attributes["accelerator_key"]).facts
        precision = next(one for one in ("fp16", "bf16", "fp8", "nvfp4") if PEAK_FACT[one] in peaks)
        chosen = chosen_supernode(inputs, SuperNodeDocument(system=key), precision, None)
        inputs.context |= context_of(catalog.part("accelerators", chosen.accelerator.key))
        kept = with_nic_rate(inputs, rate, chosen)
        assert kept.price_includes_nics, key
        assert kept.scale_out_nic_bandwidth_bytes_per_s == pytest.approx(
            chosen.scale_out_nic_bandwidth_bytes_per_s
        )
