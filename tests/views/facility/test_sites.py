"""The same design at every site: what is recomputed, who may be ranked, and what is said of it."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_document, build_scenario
from app.views.facility.electrical_report import SiteLine
from app.views.facility.sites import SitesAnswer, SitesOptions, sites_answer
from app.views.plain import report_json
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow


@functools.cache
def evaluated(system: str = "dgx_h100", **facility: object) -> EvaluatedScenario:
    values = scenario(supernode={"system": system}, facility=dict(facility))
    return evaluate_scenario(build_scenario(values), ready_catalog())


@functools.cache
def answer() -> SitesAnswer:
    return sites_answer(evaluated(), ready_catalog(), SitesOptions())


def line(found: SitesAnswer, key: str) -> SiteLine:
    (one,) = (site for site in found.sites if site.key == key)
    return one


def test_every_site_of_the_catalog_is_there() -> None:
    assert {site.key for site in answer().sites} == set(ready_catalog().keys("sites"))
    assert len(answer().sites) == 61
    assert [site.key for site in answer().sites if site.here] == ["ashburn"]


@pytest.mark.parametrize("key", ["ashburn", "phoenix", "stockholm", "riyadh", "lulea"])
def test_a_site_is_what_a_whole_evaluation_there_gives(key: str) -> None:
    whole = evaluated(site=key).evaluation.sections
    found = line(answer(), key)
    assert found.pue == whole.cooling.pue[0]
    assert found.pue_hottest_hour == whole.cooling.pue_hottest_hour[0]
    assert found.water_m3_per_year == whole.cooling.water_m3_per_year[0]
    assert found.operational_kg == whole.carbon.operational_kg[0]
    assert found.usd_per_accelerator_hour == whole.cost.usd_per_accelerator_hour[0]
    assert found.tco_usd == whole.cost.tco_usd[0]


def test_sites_in_the_weather_of_another_climate_have_no_place() -> None:
    for key, distance_km in (("quincy", 187), ("abu_dhabi", 767), ("shenzhen", 4287)):
        found = line(answer(), key)
        assert (found.place, found.rankable, found.on_front) == (None, False, False)
        assert set(found.place_by.values()) == {None}
        assert f"{distance_km:,} km away, in another climate" in found.left_out
    assert any("Not ranked" in note and "Shenzhen" in note for note in answer().notes)


def test_proxies_are_ranked_with_their_distance() -> None:
    found = line(answer(), "lulea")
    assert (found.climate, found.climate_distance_m) == ("kiruna", 262_000)
    assert found.place is not None


def test_what_is_not_known_has_no_place_where_it_counts() -> None:
    dear = [site for site in answer().sites if np.isnan(site.electricity_price_usd_per_kwh)]
    assert len(dear) == 15
    for site in dear:
        assert site.place is None
        assert site.place_by["cost"] is None
        assert "cost" in site.unknown
    on_pue = sites_answer(
        evaluated(),
        ready_catalog(),
        build_document(SitesOptions, {"weights": {"cost": 0, "carbon": 0, "water": 0, "pue": 1}}),
    )
    places = [site.place for site in on_pue.sites if site.rankable]
    assert None not in places
    assert places == sorted(places)


def test_places_follow_their_figures() -> None:
    ranked = [site for site in answer().sites if site.rankable]
    for name, figure in (("cost", "usd_per_accelerator_hour"), ("carbon", "operational_kg"), ("pue", "pue")):
        known = [site for site in ranked if site.place_by[name] is not None]
        by_place = sorted(known, key=lambda site: site.place_by[name] or 0)
        values = [getattr(site, figure) for site in by_place]
        assert values == sorted(values)
        assert by_place[0].place_by[name] == 1


def test_the_front_is_cheap_or_clean() -> None:
    front = [site for site in answer().sites if site.on_front]
    assert front
    costs = [site.usd_per_accelerator_hour for site in answer().sites if site.rankable]
    assert min(site.usd_per_accelerator_hour for site in front) == np.nanmin(costs)
    by_cost = sorted(front, key=lambda site: site.usd_per_accelerator_hour)
    carbon = [site.operational_kg for site in by_cost]
    assert carbon == sorted(carbon, reverse=True)


@pytest.mark.parametrize(("sort", "figure"), [("water", "water_m3_per_year"), ("pue", "pue")])
def test_the_order_that_is_asked_for(sort: str, figure: str) -> None:
    found = sites_answer(evaluated(), ready_catalog(), build_document(SitesOptions, {"sort": sort}))
    values = [getattr(site, figure) for site in found.sites if site.rankable]
    assert values == sorted(values)
    assert [site.rankable for site in found.sites[-3:]] == [False] * 3


def test_one_plant_everywhere_is_that_of_a_whole_evaluation() -> None:
    options = build_document(SitesOptions, {"plant": "air_tower"})
    found = line(sites_answer(evaluated(), ready_catalog(), options), "phoenix")
    whole = evaluated(site="phoenix", cooling="air_tower").evaluation.sections
    assert (found.plant, found.pue) == ("air_tower", whole.cooling.pue[0])
    assert found.water_m3_per_year == whole.cooling.water_m3_per_year[0] > 0


def test_the_cheapest_plant_is_never_dearer() -> None:
    options = build_document(SitesOptions, {"plant": "cheapest"})
    values = example("llama_3_1_405b_on_gb200_nvl72").read().as_dict()
    values["facility"] = {"cooling": "direct_liquid_tower"}
    base = evaluate_scenario(build_scenario(values), ready_catalog())
    cheapest = sites_answer(base, ready_catalog(), options)
    fixed = sites_answer(base, ready_catalog(), SitesOptions())
    for site in fixed.sites:
        other = line(cheapest, site.key)
        if not np.isnan(site.usd_per_accelerator_hour):
            assert other.usd_per_accelerator_hour <= site.usd_per_accelerator_hour
    assert len({site.plant for site in cheapest.sites}) > 1


def test_a_stated_price_holds_where_the_design_stands() -> None:
    values = scenario(economics__electricity_price_usd_per_kwh=0.5)
    found = sites_answer(
        evaluate_scenario(build_scenario(values), ready_catalog()), ready_catalog(), SitesOptions()
    )
    assert line(found, "ashburn").electricity_price_usd_per_kwh == 0.5
    assert line(found, "ashburn").electricity_price_kind == "scenario"
    assert line(found, "dallas").electricity_price_usd_per_kwh == 0.06
    assert any("count where it stands" in note for note in found.notes)


def test_a_site_written_out_stands_beside_the_others() -> None:
    site = {"name": "Our hall", "climate": "dublin", "electricity_price_usd_per_kwh": 0.01,
            "carbon_intensity_kg_per_kwh": 0.001}  # fmt: skip
    values = scenario(
        facility={"site": site}, economics={"jurisdiction": "us"}
    )  # places add the same everywhere
    found = sites_answer(
        evaluate_scenario(build_scenario(values), ready_catalog()), ready_catalog(), SitesOptions()
    )
    assert len(found.sites) == 62
    assert found.here is not None
    assert (found.here.name, found.here.place, found.here.on_front) == ("Our hall", 1, True)
    assert np.isnan(found.here.climate_distance_m)


def test_contracts_and_warming_hold_everywhere() -> None:
    found = sites_answer(evaluated(clean_energy_share=0.75, warming_k=2), ready_catalog(), SitesOptions())
    for site in found.sites:
        if not np.isnan(site.operational_kg):
            assert site.operational_market_kg == pytest.approx(0.25 * site.operational_kg)
        assert site.pue >= line(answer(), site.key).pue
    assert (found.clean_energy_share, found.warming_k) == (0.75, 2)


def test_a_generic_job_is_compared_too() -> None:
    base = evaluate_scenario(example("fft_3d_on_512_dgx_a100").read(), ready_catalog())
    found = sites_answer(base, ready_catalog(), SitesOptions())
    assert found.ranked
    assert "NaN" not in str(report_json(found))


@pytest.mark.parametrize(
    ("options", "field"),
    [({"plant": "ice"}, "plant"), ({"sort": "name"}, "sort"), ({"weights": {"cost": -1}}, "weights.cost")],
)
def test_what_cannot_be_asked_is_named(options: dict[str, object], field: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        build_document(SitesOptions, options)
    assert caught.value.errors[0].path == field


@pytest.mark.parametrize("sort", ["score", "cost", "carbon", "water", "pue"])
def test_the_verdict_names_the_first_and_how_it_compares(sort: str) -> None:
    found = sites_answer(evaluated(), ready_catalog(), build_document(SitesOptions, {"sort": sort}))
    first, here = found.sites[0], found.here
    assert here is not None
    assert found.verdict.split(": ")[1].startswith(first.name)
    if first is not here:
        less = 1 - first.operational_kg / here.operational_kg
        assert f"{abs(100 * less):.0f}\u202f% {'less' if less > 0 else 'more'} carbon" in found.verdict
    if sort == "carbon":
        known = [site.operational_kg for site in found.sites if site.place_by["carbon"]]
        assert first.operational_kg == min(known)
