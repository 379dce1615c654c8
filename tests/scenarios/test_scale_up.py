"""How the scale-up domain of a scenario is joined: as the catalog says, unless the scenario says otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.explain import explained_figures
from app.scenarios.evaluation.service import evaluate_scenario
from tests.scenarios.support import document

pytestmark = pytest.mark.slow


def domain(system: str, **override: Any) -> dict[str, Any] | None:
    supernode = {"system": system, "override": override} if override else {"system": system}
    found = evaluate_scenario(document(supernode=supernode), ready_catalog())
    section: dict[str, Any] | None = found.as_json["fabric"]["scale_up"]
    return section


@pytest.mark.parametrize(
    ("system", "switches", "links", "cables"),
    [
        ("gb200_nvl72", 18, 1296, 5184),
        ("huawei_cloudmatrix384", 448, 10752, 2688),
        ("amd_mi300x_8way", 0, 28, 0),
    ],
)
def test_systems_have_the_fabric_that_they_name(system: str, switches: int, links: int, cables: int) -> None:
    found = domain(system)
    assert found is not None
    assert (found["switches_total"], found["links_total"], found["cables_total"]) == (switches, links, cables)


def test_a_domain_that_the_scenario_changes_is_joined_in_some_other_way() -> None:
    assert domain("dgx_h100", scale_up_topology="mesh") is None
    assert domain("aws_trn3_ultraserver_gen1") is None  # nobody says


def test_links_are_as_fast_as_the_scenario_says_of_all_of_them() -> None:
    found = domain("dgx_h100", accelerator={"scale_up_bandwidth_bytes_per_s": 900e9})
    assert found is not None
    assert found["accelerator_bandwidth_bytes_per_s"] == 900e9


def test_every_figure_of_it_is_explained() -> None:
    found = evaluate_scenario(document(supernode={"system": "huawei_cloudmatrix384"}), ready_catalog())
    figures = explained_figures(found.resolved.design, found.resolved.origins)
    inside = {path: one for path, one in figures.items() if path.startswith("fabric.scale_up.")}
    assert len(inside) > 20
    assert all(one.node.kind == "quantity" and one.node.inputs for one in inside.values())
