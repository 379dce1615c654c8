"""The media of the catalog that fit a scenario, and what it asks of them."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.engine.fabric.media.medium import ASKED_ONLY, FAMILIES, Medium
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.fabric.media import family_of, media_of, rules_of
from tests.scenarios.support import document, fault


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return ready_catalog()


def evaluated(catalog: Catalog, **changes: Any) -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=4, **changes), catalog)


def by_key(catalog: Catalog, **changes: Any) -> dict[str, Medium]:
    return {medium.key: medium for medium in media_of(evaluated(catalog, **changes), catalog)}


@pytest.mark.slow
def test_media_of_400g_links_have_its_lanes_and_cages(catalog: Catalog) -> None:
    found = by_key(catalog)
    assert {"dac_800g", "lacc_800g", "aec_800g", "sr4_2x400g", "dr4_2x400g_100m", "fr4_2x400g"} <= set(found)
    assert {medium.links for medium in found.values()} == {2}
    # single-port modules, other lanes, other cages and bare fibres do not plug in
    assert {"sr4_400g", "dr4_2x800g_xdr", "sr4_200g_hdr", "mpo_trunk", "cpo_port_800g"}.isdisjoint(found)
    assert found["dac_800g"].reach_m == 2
    assert found["sr4_2x400g"].reach_m == 50
    assert [found[key].captive for key in ("dac_800g", "aec_800g", "sr4_2x400g")] == [True, True, False]


def test_passive_copper_is_not_made_for_200g_lanes(catalog: Catalog) -> None:
    found = by_key(catalog, supernode__system="dgx_b300", parallelism={"tp": 1})
    assert {medium.family for medium in found.values()} == {"active_copper", "single_mode"}


def test_the_planned_module_costs_and_draws_what_the_evaluation_takes(catalog: Catalog) -> None:
    scenario = evaluated(catalog)
    planned = scenario.resolved.design.pod.fabric.switch_transceiver
    module = {medium.key: medium for medium in media_of(scenario, catalog)}[planned.key]
    assert module.switch_end.price.typical == float(planned.price_usd[0])
    assert module.switch_end.price.low < module.switch_end.price.typical < module.switch_end.price.high
    assert module.switch_end.power_w == float(planned.power_w[0])


def test_a_module_nobody_priced_is_priced_by_its_rate_and_a_cable_is_not(catalog: Catalog) -> None:
    found = by_key(catalog, supernode__system="dgx_b300", parallelism={"tp": 1})
    assert found["dr4_2x800g_xdr"].switch_end.price.typical == 1600 * 2
    assert found["dr4_2x800g_xdr"].switch_end.note.startswith("by its rate")
    assert found["lacc_xdr"].cable.price.typical != found["lacc_xdr"].cable.price.typical


@pytest.mark.slow
def test_a_switch_with_its_optics_inside_takes_fibres_alone(catalog: Catalog) -> None:
    scenario = evaluated(catalog, supernode__system="dgx_b300", pod__fabric={"switch": "q3450_ld"})
    (only,) = media_of(scenario, catalog)
    assert only.family == rules_of(scenario, catalog).family == "cpo"
    assert only.switch_end.price.typical == 0
    assert only.switch_end.power_w == 4.5  # the one port of a module at the node
    assert only.node_end.key == "dr4_800g_xdr"


@pytest.mark.parametrize(
    ("asked", "least", "family", "families"),
    [
        ("auto", "price", "", {}),
        ("least_power", "power", "", {}),
        ("lpo", "price", "lpo", {}),
        ({"leaf": "copper"}, "price", "", {"leaf": "copper"}),
    ],
)
def test_what_a_scenario_asks(
    catalog: Catalog, asked: Any, least: str, family: str, families: dict[str, str]
) -> None:
    rules = rules_of(evaluated(catalog, pod__fabric={"media": asked}), catalog)
    assert (rules.least, rules.family, rules.families) == (least, family, families)


def test_what_is_no_medium_is_refused_by_name() -> None:
    assert fault(pod__fabric={"media": "wood"}).path == "pod.fabric.media"
    assert fault(pod__fabric={"media": {"leaf": "wood"}}).path == "pod.fabric.media.leaf"


def test_every_family_stands_in_the_catalog(catalog: Catalog) -> None:
    families = {family_of(catalog.part("optics", key)) for key in catalog.keys("optics")}
    assert families - {None} == set(FAMILIES)
    assert set(ASKED_ONLY) <= set(FAMILIES)
