"""Figures of the views of power and cooling over HTTP."""

from __future__ import annotations

import math

import pytest

from app.engine.facility.cooling.plants import PLANTS
from app.views.facility import room as facility
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import Ask


def test_components_caps_and_swing(ask: Ask) -> None:
    found = ask(facility.IT, {"scenario": scenario(), "ramp_limit_w_per_s": 5e4})
    for state in ("idle_w", "mean_w", "peak_w", "design_w"):
        known = sum(part[state] or 0 for part in found["parts"])
        assert known == pytest.approx(found["totals"][state], rel=1e-9)
    assert found["swing"]["ramp_limit_w_per_s"] == 5e4
    assert found["caps"][0]["power_cap"] == 1
    assert found["problems"] == []


def test_chain_of_a_scenario(ask: Ask) -> None:
    asked = {"scenario": scenario(pod__supernodes=64), "sized_on": "peak", "standard": "iec"}
    found = ask(facility.ELECTRICAL, asked)
    assert (found["sized_on"], found["standard"], found["redundancy"]) == ("peak", "iec", "2N")
    assert [line["kind"] for line in found["blocks"]] == [line["kind"] for line in found["lost"]]
    feed = next(line for line in found["blocks"] if line["kind"] == "rack_feed")
    assert (feed["breaker_a"], feed["places"]) == (63, 17)
    assert found["site_power_w"] > found["it_power_w"] > 0


def test_what_cannot_be_built_is_told_with_a_way_out(ask: Ask) -> None:
    asked = scenario(pod__supernodes=4, facility__redundancy="4N/3")
    problem = ask(facility.ELECTRICAL, {"scenario": asked})["problems"][0]
    assert (problem["field"], problem["kind"]) == ("facility.redundancy", "infeasible")
    assert problem["fix"]["value"] == "2N"


def test_cooling_of_a_scenario(ask: Ask) -> None:
    given = scenario(
        supernode={"system": "gb200_nvl72"}, facility={"site": "dublin", "heat_reuse": {"share": 0.3}}
    )
    found = ask(facility.COOLING, {"scenario": given, "tank_m3": 20})
    assert found["plant"] == "direct_liquid_dry"
    assert len(found["plants"]) == len(PLANTS)
    assert found["sides"][0]["loops"][0]["cold_c"] == 40
    assert 0 < found["reuse"]["erf"] < 1


def test_racks_of_a_scenario(ask: Ask) -> None:
    found = ask(facility.RACKS, {"scenario": scenario(pod__supernodes=64)})
    first = found["racks"][0]
    assert (found["fits"], found["chosen"], found["plant"]) == (True, first["rack"], "air")
    assert (first["racks"], first["servers"], first["first_limit"]) == (16, 4, "power")
    check = next(check for check in first["checks"] if check["check"] == "air_heat")
    assert (check["status"], check["value"], check["usual"], check["limit"]) == (
        "unusual",
        40.8e3,
        20e3,
        50e3,
    )
    assert "facility.air_handling" in check["way_out"]


def test_a_rack_by_name_and_feeds_by_iec(ask: Ask) -> None:
    asked = {"scenario": scenario(pod__supernodes=64), "rack": "R01-05", "standard": "iec"}
    found = ask(facility.RACKS, asked)
    chosen = next(kind for kind in found["racks"] if kind["rack"] == found["chosen"])
    assert chosen["kind"] == "network"
    assert (found["standard"], chosen["feeds"]["current_limit_a"]) == ("iec", 63)


def test_a_rack_past_its_limits_does_not_fit(ask: Ask) -> None:
    asked = scenario(pod__supernodes=5, pod__floor={"nodes_per_rack": 5, "rack_power_w": 60e3})
    found = ask(facility.RACKS, {"scenario": asked})
    assert not found["fits"]
    assert "over" in [check["status"] for check in found["racks"][0]["checks"]]


@pytest.mark.slow
def test_sites_of_a_scenario(ask: Ask) -> None:
    found = ask(facility.SITES, {"scenario": scenario(), "sort": "pue"})
    assert len(found["sites"]) == 61
    pues = [site["pue"] for site in found["sites"] if site["rankable"]]
    assert pues == sorted(pues)
    unpriced = [site for site in found["sites"] if "cost" in site["unknown"]]
    assert unpriced
    assert {site["usd_per_accelerator_hour"] for site in unpriced} == {None}
    assert found["clean_energy_share"] is None
    assert found["sites"][0]["operational_market_kg"] is None


@pytest.mark.slow
def test_contracts_show_beside_the_grid(ask: Ask) -> None:
    body = {"scenario": scenario(facility__clean_energy_share=0.5), "plant": "cheapest"}
    found = ask(facility.SITES, body)
    first = found["sites"][0]
    assert first["operational_market_kg"] * 2 == first["operational_kg"]


def test_steps_sum_to_the_whole(ask: Ask) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1})
    asked = {"scenario": laid_out, "steps": ["liquid_cooling", "renewables"], "battery_h": 8}
    found = ask(facility.SAVINGS, asked)
    assert [step["step"] for step in found["steps"]] == ["liquid_cooling", "renewables"]
    saved = math.fsum(step["grid_kwh"] for step in found["steps"])
    assert saved == pytest.approx(found["baseline"]["grid_kwh"] - found["final"]["grid_kwh"])
    assert found["steps"][1]["utilities_usd"] is None  # clean energy has no price
    assert len(found["matching"]["matched_by_month_and_hour"]) == 12
    assert found["verdict"]["reached_by"] in ("grid", "neither")
