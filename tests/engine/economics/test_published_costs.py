"""Published accelerator-hours, a published site of a gigawatt and a published cost sheet, by the whole section."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.engine.economics.section import Cost
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.section import Fabric, evaluate_fabric
from app.engine.facility.electrical.supply import utility_peak_w
from app.engine.specs import SuperNode
from tests.engine.economics.pods import (
    economics,
    evaluate,
    facility,
    no_storage,
    pod,
    usual_shares,
    with_assumptions,
)
from tests.engine.fabric.pods import module, qm9700
from tests.engine.fabric.pods import pod as joined_pod
from tests.support import assumptions, dgx_h100, number

NOTHING_ELSE = {
    "installation_share": 0.0,
    "demand_charge_usd_per_kw_month": 0.0,
    "support_share_per_year": 0.0,
    "insurance_share_per_year": 0.0,
    "cluster_engineers_per_accelerator": 0.0,
    "software_usd_per_accelerator_hour": 0.0,
    "staff_usd_per_mw_year": 0.0,
}
"""Published figures that leave these out."""


def supernode(price_usd: float, accelerators: float) -> SuperNode:
    return dataclasses.replace(
        pod()["supernode"], price_usd=number(price_usd), price_is_listed=number(0), accelerators=number(accelerators)
    )  # fmt: skip


def colocated(price_usd: float, accelerators: float, kilowatts: float, years: float) -> Cost:
    """One SuperNode at 10 %, colocated at 130 USD/(kW month), 0.087 USD/kWh, PUE 1.25, at work 0.8 of the time."""
    watts = accelerators * kilowatts * 1e3
    return evaluate(
        supernode=supernode(price_usd, accelerators),
        pod=dataclasses.replace(pod()["pod"], supernodes=number(1)),
        economics=economics(
            life_years=years, wacc=0.10, utilisation=0.8, residual_value=0.0,
            owns_building=0.0, colocation_usd_per_kw_month=130.0,
        ),
        facility=facility(electricity=0.087),
        fabric=SimpleNamespace(network_price_usd=number(0)),
        reliability=SimpleNamespace(
            spare_supernodes=number(0), availability=number(1), ettr=number(1), **no_storage()
        ),
        power=SimpleNamespace(
            it_power_mean_w=number(watts), it_power_idle_w=number(0), it_power_design_w=number(watts),
            installed_shares=usual_shares(), facility_availability=number(1),
            utility_peak_w=number(watts * 1.25), energy_utility_kwh_per_year=number(watts / 1e3 * 1.25 * 8760),
        ),
        cooling=SimpleNamespace(
            liquid_heat_design_w=number(0), cdu_capacity_w=number(0), water_m3_per_year=number(0)
        ),
        assumptions=with_assumptions(**NOTHING_ELSE),
    )  # fmt: skip


def hour(cost: Cost) -> float:
    return float(cost.usd_per_installed_accelerator_hour[0])


def test_h100_hour() -> None:
    """250,000 USD all in for eight (SemiAnalysis, H100 vs GB200 NVL72, 2025-08), published 1.42 USD."""
    cost = colocated(250e3, 8, 1.4, 4)
    hours = 8 * 8760
    assert cost.capital_breakdown_usd_per_year["servers"][0] / hours == pytest.approx(1.125, abs=1e-3)
    assert cost.opex_breakdown_usd_per_year["colocation"][0] / hours == pytest.approx(0.249, abs=1e-3)
    assert cost.opex_breakdown_usd_per_year["electricity"][0] / hours == pytest.approx(0.122, abs=1e-3)
    assert hour(cost) == pytest.approx(1.497, abs=1e-3)
    assert hour(colocated(250e3, 8, 1.4, 5)) == pytest.approx(1.312, abs=1e-3)
    assert hour(cost) == pytest.approx(1.42, rel=0.10)


def test_gb200_hour() -> None:
    """3.9 million USD per rack of 72 (the same study), published 1.6 times the H100."""
    rack = hour(colocated(3.9e6, 72, 2.0, 4))
    assert rack == pytest.approx(2.481, abs=1e-3)
    assert hour(colocated(3.9e6, 72, 2.0, 5)) == pytest.approx(2.161, abs=1e-3)
    ratio = rack / hour(colocated(250e3, 8, 1.4, 4))
    assert ratio == pytest.approx(1.66, abs=0.005)
    assert ratio == pytest.approx(1.6, rel=0.10)


def test_a_gigawatt_of_racks() -> None:
    """Bernstein (2025-10): 35 billion USD a gigawatt, 5.9 million a rack: 5,932 racks of 168.6 kW at the meter."""
    racks = 5932
    cost = evaluate(
        supernode=supernode(5.9e6, 72),
        pod=dataclasses.replace(pod()["pod"], supernodes=number(racks)),
        economics=economics(owns_building=0.0),
        fabric=SimpleNamespace(network_price_usd=number(0)),
        reliability=SimpleNamespace(
            spare_supernodes=number(0), availability=number(1), ettr=number(1), **no_storage()
        ),
        assumptions=with_assumptions(**NOTHING_ELSE),
    )  # fmt: skip
    assert cost.capex_usd[0] == pytest.approx(35e9, rel=1e-4)
    site = utility_peak_w(it_power_peak_w=number(racks * 132e3), pue_hottest_hour=number(1.28))
    assert site[0] == pytest.approx(1e9, rel=0.003)
    assert 1e9 / racks == pytest.approx(168.6e3, abs=50)


def fabric_of(nodes: int, **plan: Any) -> Fabric:
    """The fabric of H100 nodes, without spare modules and cables."""
    known = dataclasses.replace(assumptions("fabric", FabricAssumptions), spare_share=number(0))
    with np.errstate(invalid="ignore", divide="ignore"):  # as during every evaluation
        return evaluate_fabric(pod=joined_pod(nodes, **plan), supernode=dgx_h100(), assumptions=known)


# The sheet's own prices: a node of 310,000 USD, a switch of 36,000, cables by the accelerator, and 50,000 USD
# a node for its place in a building. Its cables are 1,320 USD an accelerator for one tier and 2,560 for two.
SHEET = [(64, "rail_only", 1320 / 1, 24_003_840, 8), (128, "rail_fat_tree", 2560 / 2, 50_429_440, 48)]


@pytest.mark.parametrize(("nodes", "topology", "usd_per_link", "total", "switches"), SHEET)
def test_network_sheet(nodes: int, topology: str, usd_per_link: float, total: float, switches: int) -> None:
    """H100 cluster cost sheet (tech-talk-cto, 2024-08), to the dollar, over the fabric of the fabric room."""
    fabric = fabric_of(
        nodes, topology=topology, switch=qm9700(price_usd=36e3), trunk_price_usd=usd_per_link,
        switch_transceiver=module(price_usd=0), node_transceiver=module(price_usd=0),
    )  # fmt: skip
    assert fabric.switches_total[0] == switches
    cost = evaluate(
        supernode=supernode(310e3, 8),
        pod=dataclasses.replace(pod()["pod"], supernodes=number(nodes)),
        economics=economics(),
        fabric=fabric,
        reliability=SimpleNamespace(
            spare_supernodes=number(0), availability=number(1), ettr=number(1), **no_storage()
        ),
        power=SimpleNamespace(**vars(pod()["power"]) | {"it_power_design_w": number(nodes * 10e3)}),
        assumptions=with_assumptions(
            **NOTHING_ELSE, facility_price_usd_per_mw=5e6, land_acres_per_mw=0.0
        ),
    )  # fmt: skip
    assert cost.capex_usd[0] == pytest.approx(total, abs=1)


@pytest.mark.parametrize(("nodes", "tiers", "per_endpoint"), [(128, 2, 3), (256, 2, 3), (2048, 3, 5)])
def test_a_third_tier_beyond_2048_endpoints(nodes: int, tiers: int, per_endpoint: float) -> None:
    """Two tiers of radix 64 join 2,048 endpoints with 3N/64 switches; beyond that it is 5N/64.

    The sheet has 768 switches for 16,384 accelerators, as if two tiers could join them.
    """
    fabric = fabric_of(nodes)
    assert sum(tier.switches[0] > 0 for tier in fabric.tiers) == tiers
    assert fabric.switches_total[0] == per_endpoint * nodes * 8 / 64
    if nodes == 2048:
        assert fabric.switches_total[0] == 1280
