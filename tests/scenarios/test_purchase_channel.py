"""What a system costs by the channel it is bought in, and published costs of an hour and a site that follow."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.views.economics.cost_tree import cost_tree
from app.views.uncertainty.inputs import varying_inputs
from tests.scenarios.support import document, scenario

CHANNELS = ("list", "oem", "hyperscaler")
NEOCLOUD = {"building": "colocation", "colocation_usd_per_kw_month": 105.0}
"""Wholesale colocation of a megawatt and more, the middle of 80 to 130 (prices catalog)."""


def evaluated(
    system: str, supernodes: int, economics: dict[str, Any] | None = None, **changes: Any
) -> EvaluatedScenario:
    values = scenario(pod__supernodes=supernodes, workload__global_batch_sequences=4608, **changes)
    values["supernode"] = {"system": system}
    values["economics"] = economics or {}
    return evaluate_scenario(build_scenario(values), ready_catalog())


def price(system: str, supernodes: int, **economics: Any) -> float:
    return first_of(evaluated(system, supernodes, economics).evaluation.sections.cost.supernode_price_usd)


def test_a_price_is_converted_to_what_the_buyer_pays() -> None:
    """A DGX H100 is quoted to buyers of single systems, a GB200 NVL72 to a hyperscaler."""
    assert [price("dgx_h100", 8, purchase_channel=channel) for channel in CHANNELS] == [
        330_000, pytest.approx(330_000 * 0.728), pytest.approx(330_000 * 0.576)]  # fmt: skip
    assert price("gb200_nvl72", 2, purchase_channel="hyperscaler") == 3.1e6
    assert price("gb200_nvl72", 2, purchase_channel="oem") == pytest.approx(3.1e6 * 0.728 / 0.576)


@pytest.mark.parametrize(("supernodes", "paid"), [(7, 330_000), (8, 330_000 * 0.728)])
def test_the_channel_follows_the_size(supernodes: int, paid: float) -> None:
    assert price("dgx_h100", supernodes) == pytest.approx(paid)


def test_what_is_stated_is_paid_as_it_stands() -> None:
    for channel in CHANNELS:
        assert price("dgx_h100", 8, purchase_channel=channel, supernode_price_usd=1e5) == 1e5


def test_a_discount_comes_off_what_the_channel_pays() -> None:
    assert price("dgx_h100", 8, price_discount=0.1) == pytest.approx(330_000 * 0.728 * 0.9)


def test_a_price_of_no_known_channel_is_used_as_it_stands() -> None:
    prices = {price("huawei_cloudmatrix384", 3, purchase_channel=channel) for channel in CHANNELS}
    assert len(prices) == 1
    origin = resolve(document(supernode={"system": "huawei_cloudmatrix384"}), ready_catalog()).origins
    assert "not known" in origin["supernode.channel_price_ratio"].label


def test_a_converted_price_has_the_range_and_sources_of_both_channels() -> None:
    origin = evaluated("gb200_nvl72", 2).resolved.origins["supernode.channel_price_ratio"]
    # by hand: ln(0.728 / 0.695) and ln(0.704 / 0.576) downwards, ln(0.864 / 0.728) and ln(0.576 / 0.413) upwards
    assert origin.low == pytest.approx(0.728 / 0.576 * math.exp(-math.hypot(0.0464, 0.2007)), rel=1e-3)
    assert origin.high == pytest.approx(0.728 / 0.576 * math.exp(math.hypot(0.1713, 0.3327)), rel=1e-3)
    assert "Epoch" in origin.source
    assert "SemiAnalysis" in origin.source


# SemiAnalysis' AI Cloud TCO of a neocloud as InferenceX shows it, 2026-05 (rentals catalog, own cost without margin).
NEOCLOUD_HOURS = (("dgx_h100", 512, 1.69, 0.15), ("dgx_h200", 512, 1.74, 0.15), ("dgx_b200", 512, 2.34, 0.15),
                  ("gb200_nvl72", 56, 2.75, 0.15))  # fmt: skip


@pytest.mark.parametrize(("system", "supernodes", "published", "within"), NEOCLOUD_HOURS)
def test_hours_are_those_of_a_neocloud(system: str, supernodes: int, published: float, within: float) -> None:
    fabric = {"topology": "rail_fat_tree", "switch": "qm9700", "nic_gbit_s": 400}
    cost = evaluated(system, supernodes, NEOCLOUD, pod__fabric=fabric).evaluation.sections.cost
    assert cost.usd_per_installed_accelerator_hour[0] == pytest.approx(published, rel=within)


@pytest.mark.parametrize("system", ["gb200_nvl72", "dgx_b300"])
def test_every_dollar_that_is_bought_is_in_the_total(system: str) -> None:
    """Fabric and storage, whatever the price of the SuperNode covers: the bill moves, and the total with it."""
    base = {"topology": "fat_tree", "switch": "qm9700", "nic_gbit_s": 400}
    tapers, capacities = (1.0, 2.0, 4.0), (1e15, 17e15, 100e15)
    seen: dict[tuple[float, float], tuple[float, float, float]] = {}
    for taper, capacity in itertools.product(tapers, capacities):
        found = evaluated(
            system, 16 if system == "gb200_nvl72" else 64, {"life_years": 5},
            pod__fabric={**base, "oversubscription": taper}, operations__storage={"capacity_bytes": capacity},
        )  # fmt: skip
        cost, bill = found.evaluation.sections.cost, found.evaluation.sections.cost.capex_breakdown_usd
        network, storage = first_of(bill["network"]), first_of(bill["storage"])
        assert network == pytest.approx(first_of(found.evaluation.sections.fabric.network_price_usd))
        assert network > 0
        assert sum(map(first_of, bill.values())) == pytest.approx(first_of(cost.capex_usd))
        assert sum(map(first_of, cost.tco_breakdown_usd.values())) == pytest.approx(first_of(cost.tco_usd))
        tree = cost_tree(found, ready_catalog())
        assert sum(part.usd_per_year for part in tree.parts) == pytest.approx(
            first_of(cost.annual_cost_usd_per_year)
        )
        seen[taper, capacity] = network, storage, first_of(cost.tco_usd)
    for taper, (less, more) in itertools.product(tapers, itertools.pairwise(capacities)):
        bought = seen[taper, more][1] - seen[taper, less][1]
        assert bought > 0
        assert seen[taper, more][2] - seen[taper, less][2] > bought * 0.8  # less what it sells for
    for capacity, (less, more) in itertools.product(capacities, itertools.pairwise(tapers)):
        saved = seen[less, capacity][0] - seen[more, capacity][0]
        assert saved > 0
        assert seen[less, capacity][2] - seen[more, capacity][2] > saved * 0.8


EPOCH_TERMS = {
    "economics.facility_life_years": 14.0,
    "economics.cluster_engineers_per_accelerator": 0.0,  # of the owner's business, not of the site
    "economics.property_tax_share_per_year": 0.0,
    # ITK data-centre cost study of a 100 MW site, a year: 0.15 M USD/MW of maintenance, 0.03 of insurance and tax
    "economics.maintenance_share_per_year": 0.15 / 12.7,
    "economics.insurance_share_per_year": 0.03 / 38,
}


def test_a_gigawatt_by_epoch_ai() -> None:
    """GB200 NVL72 owned by a hyperscaler: 38 M USD/MW bought, 0.9 a year, 0.6 of it energy (Epoch AI, 2026-05-14).

    By the MW of IT, on its own terms: facility of 14 years, site costs alone. All else is the catalog's.
    """
    fabric = {"topology": "rail_fat_tree", "switch": "qm9700", "nic_gbit_s": 400}
    sections = evaluated(
        "gb200_nvl72", 256, {"purchase_channel": "hyperscaler"}, pod__fabric=fabric, assumptions=EPOCH_TERMS
    ).evaluation.sections
    cost, megawatts = sections.cost, first_of(sections.power.it_power_design_w) / 1e6
    year = {kind: first_of(usd) / megawatts / 1e6 for kind, usd in cost.opex_breakdown_usd_per_year.items()}
    assert first_of(cost.capex_usd) / megawatts == pytest.approx(38e6, rel=0.15)
    assert sum(year.values()) == pytest.approx(0.9, rel=0.15)
    assert year["electricity"] + year["demand"] == pytest.approx(0.6, rel=0.15)


def test_the_largest_costs_vary_in_uncertainty() -> None:
    """Price and channel of a SuperNode, contract rent, support, and utilisation where the scenario leaves it out."""
    found = evaluated("gb200_nvl72", 16)
    inputs = varying_inputs(found, found.document.as_dict(), found.resolved, ready_catalog())
    assert {
        "supernode.price_usd",
        "supernode.channel_price_ratio",
        "economics.renting.contract_usd_per_accelerator_hour",
        "assumptions.economics.support_share_per_year",
        "economics.utilisation",
    } <= {one.place for one in inputs}
