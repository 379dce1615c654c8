"""A DPU is a choice of NIC: its price, power, freed host cores and encryption at line rate."""

from __future__ import annotations

from typing import Any

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario
from tests.views.searching.test_recent import ready_catalog


def evaluated(**in_band: Any) -> Any:
    values = scenario(pod__supernodes=16, pod__networks={"in_band": {"carried_by": "own", **in_band}})
    return evaluate_scenario(build_scenario(values), ready_catalog()).evaluation.sections


def test_a_chosen_dpu_is_bought_draws_and_frees_cores() -> None:
    usual, with_dpu = evaluated(), evaluated(nic="bf3_b3220")
    (before,), (after,) = usual.fabric.networks, with_dpu.fabric.networks
    part = ready_catalog().part("nics", "bf3_b3220")
    cards = float(after.hosts[0])  # two ports on each
    assert before.host_cores_freed is None
    assert after.host_cores_freed[0] == 16 * cards
    price = part.facts["price_usd"]
    assert price.low * cards <= after.price_usd[0] - before.price_usd[0] <= price.high * cards
    assert after.power_w[0] - before.power_w[0] == pytest.approx(cards * 150)
    assert with_dpu.power.it_power_mean_w[0] > usual.power.it_power_mean_w[0]
    assert with_dpu.cost.capex_breakdown_usd["network"][0] > usual.cost.capex_breakdown_usd["network"][0]
    assert after.encrypted_bytes_per_s[0] == min(float(after.node_bandwidth_bytes_per_s[0]), 50e9)


def test_a_plain_nic_frees_nothing() -> None:
    (network,) = evaluated(nic="cx7_ndr").fabric.networks
    assert network.host_cores_freed[0] == 0


def test_what_is_not_published_stays_unknown() -> None:
    (network,) = evaluated(nic="pollara400").fabric.networks
    assert network.encrypted_bytes_per_s[0] != network.encrypted_bytes_per_s[0]


def test_a_card_that_no_catalog_holds_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"pod\.networks\.in_band\.nic"):
        evaluated(nic="bf9")
