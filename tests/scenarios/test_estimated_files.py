"""Every example and every design of the gallery opens with cost and power; what is estimated is marked and wide."""

from __future__ import annotations

import re

import pytest

from app.catalog.gallery import reference_designs
from app.catalog.ready import ready_catalog
from app.engine.trace import Origin
from app.scenarios.evaluation.estimated_files import shipped_files, with_todays_estimates
from app.scenarios.evaluation.service import evaluate_example, evaluate_scenario
from app.scenarios.evaluation.suggestions import suggestion_for
from app.scenarios.examples import list_examples
from app.views.uncertainty.inputs import varying_inputs

KEYS = [one.key for one in list_examples()] + list(reference_designs())
COST = "usd_per_accelerator_hour"


@pytest.fixture(scope="module")
def catalog(seeded_data_dir):
    return ready_catalog()


@pytest.mark.parametrize("key", KEYS)
def test_a_shipped_scenario_opens_with_price_cost_and_power(catalog, key):
    scenario = evaluate_example(key, catalog)
    answer = scenario.as_json
    cost, power = answer["cost"], answer["power"]
    rent_only = any(one["constraint"] == "rent_only" for one in answer["problems"])
    assert power["it_power_design_w"] > 0
    assert power["utility_peak_w"] > 0
    # Nobody sells a TPU or a Trainium: their cost is the rent, which is known then.
    assert rent_only == (cost["capex_usd"] is None) == (cost[COST] is None)
    if rent_only:
        rented = scenario.resolved.origins["economics.rental_on_demand_usd_per_accelerator_hour"]
        assert rented.kind != "unknown"
        assert any(
            value is not None and value > 0 for name, value in cost.items() if "rented_on_demand" in name
        )
    left = [one["constraint"] for one in answer["problems"] if one["kind"] == "missing_input"]
    assert left == ["rent_only"] * rent_only


@pytest.mark.parametrize("key", KEYS)
def test_what_rests_on_an_estimate_says_so_and_has_its_range(catalog, key):
    scenario = evaluate_example(key, catalog)
    for one in scenario.estimates:
        origin = scenario.resolved.origins[one["place"]]
        assert origin.kind == "estimate"
        assert one["low"] < one["high"]
        assert one["low"] <= one["value"] <= one["high"]
        assert one["affects"], one["place"]


def _varying(key, catalog):
    scenario = evaluate_example(key, catalog)
    values = scenario.document.as_dict()
    return {one.place: one for one in varying_inputs(scenario, values, scenario.resolved, catalog)}


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("superpod_b300", "pod.fabric.switch.typical_power_w"),
        ("meta_24k", "pod.fabric.switch.typical_power_w"),
        ("vr_nvl72_8", "economics.rental_on_demand_usd_per_accelerator_hour"),
        ("helios_8", "supernode.price_usd"),
        ("helios_8", "supernode.max_power_w"),
        ("tpu_v5p_pod", "supernode.max_power_w"),
    ],
)
def test_the_range_of_an_estimate_varies_in_the_uncertainty_of_a_design(catalog, key, place):
    estimate = evaluate_example(key, catalog).document.estimates[place]
    varied = _varying(key, catalog)[place].distribution
    assert (varied.low, varied.high) == (estimate.low, estimate.high)
    # the same value without a range would be as certain as a published one
    assert varied.high > varied.low


@pytest.mark.parametrize("path", shipped_files(), ids=lambda path: path.stem)
def test_the_estimates_of_a_file_are_those_of_todays_catalog(catalog, path):
    text = path.read_text(encoding="utf-8")
    assert with_todays_estimates(text, catalog) == text, (
        "run python -m app.scenarios.evaluation.estimated_files after a change of the catalog"
    )


def test_without_its_estimates_a_design_stays_unknown_by_choice(catalog):
    document = evaluate_example("helios_8", catalog).document.model_copy(update={"estimates": {}})
    answer = evaluate_scenario(document, catalog).as_json
    assert answer["cost"]["capex_usd"] is None
    assert answer["power"]["utility_peak_w"] is None
    assert answer["estimates"] == []


def _offer(catalog, place, row):
    return suggestion_for(place, Origin(kind="unknown", label="x", catalog=row, field=place), {}, catalog)


def test_watts_of_a_switch_by_ports_and_rate_by_hand(catalog):
    """Q3400-RA: 144 ports of 100 GB/s; watts a port and byte/s of the switches within two years of it."""
    offer = _offer(catalog, "pod.fabric.switch.typical_power_w", "switches/q3400_ra")
    own = catalog.part("switches", "q3400_ra")
    size = own.facts["ports"].value * own.facts["port_bandwidth_bytes_per_s"].value
    assert size == 144 * 100e9
    ratios = sorted(
        one.facts["typical_power_w"].value
        / (one.facts["ports"].value * one.facts["port_bandwidth_bytes_per_s"].value)
        for one in catalog.parts("switches")
        if "typical_power_w" in one.facts
        and "ports" in one.facts
        and size / 10 <= one.facts["ports"].value * one.facts["port_bandwidth_bytes_per_s"].value <= size * 10
        and one.attributes["protocol"] != "optical circuit"
        and one.key != "qm8700"
    )
    assert min(ratios) * size == pytest.approx(offer.low, rel=0.01)
    assert max(ratios) * size == pytest.approx(offer.high, rel=0.01)
    assert offer.low <= offer.value <= offer.high


@pytest.mark.parametrize("key", ["q3400_ra", "sn5600", "sn6600"])
def test_the_latency_of_a_switch_is_by_those_of_its_own_protocol(catalog, key):
    offer = _offer(catalog, "pod.fabric.switch.latency_s", f"switches/{key}")
    word = catalog.part("switches", key).attributes["protocol"].partition(" ")[0]
    same = [
        one.facts["latency_s"].value
        for one in catalog.parts("switches")
        if "latency_s" in one.facts and one.attributes["protocol"].partition(" ")[0] == word
    ]
    assert same
    assert min(same) * 0.999 <= offer.value <= max(same) * 1.001
    assert offer.low > 0  # no mirror, which adds nothing, says what a packet switch adds


def test_the_price_of_a_rack_by_the_speed_of_comparable_racks_by_hand(catalog):
    offer = _offer(catalog, "supernode.price_usd", "systems/amd_helios_72")
    peak = 72 * catalog.part("accelerators", "amd_mi455x").facts["bf16_flop_per_s"].value
    ratio = float(re.search(r", x (\S+): median", offer.source)[1])
    assert offer.value == pytest.approx(peak * ratio, rel=0.01)
    racks = [
        one for one in catalog.parts("systems") if f"{one.name}" in offer.source and catalog.price(one.key)
    ]
    assert len(racks) >= 3
    each = [
        catalog.price(one.key).value
        / one.facts["accelerators"].value
        / catalog.part("accelerators", one.attributes["accelerator_key"]).facts["bf16_flop_per_s"].value
        for one in racks
        if one.key != "amd_helios_72"
    ]
    assert offer.low <= min(each) * peak * 1.01
    assert offer.high >= max(each) * peak * 0.99


def test_a_part_that_is_rent_only_has_no_estimate_of_a_price(catalog):
    assert _offer(catalog, "supernode.price_usd", "systems/tpu_v5p_pod") is None
    assert _offer(catalog, "supernode.max_power_w", "systems/tpu_v5p_pod").value > 0
