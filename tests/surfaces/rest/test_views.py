"""Every view over REST: its example, the faults of its body, and what it says of options that cannot be."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from app.surfaces.rest.views import example_of
from app.views.economics import room as economics
from app.views.fabric import room as fabric
from app.views.facility import room as facility
from app.views.serving import room as serving
from tests.asgi import AsgiClient
from tests.every_view import NOWHERE, OF_EACH_VIEW, AnyView, address_of, named
from tests.scenarios.support import scenario
from tests.support import described_api
from tests.surfaces.rest.conftest import assert_problem

TWO_NODES = {"pod__supernodes": 2}
REFUSED: tuple[tuple[AnyView, dict[str, Any], str, str], ...] = (
    (economics.COST, {"scenario": scenario(economics__utilisation=1.2)}, "scenario/economics/utilisation", ""),
    (economics.CASH_FLOW, {"scenario": scenario(economics={"finance": {"tax_rate": 2}})}, "scenario/economics/finance/tax_rate", ""),
    (economics.OWN_OR_RENT, {"against": "free"}, "against", ""),
    (economics.DECISION, {"data_must_stay": "maybe"}, "data_must_stay", ""),
    (economics.DECISION, {"months_of_work": 0}, "months_of_work", ""),
    (economics.RUNS, {"tokens_per_s": 0}, "tokens_per_s", ""),
    (economics.RUNS, {"scenario": scenario(economics={"research_multiplier": 0.5})}, "scenario/economics/research_multiplier", ""),
    (economics.COST_AGAINST_TIME, {"paid": "stolen"}, "paid", ""),
    (economics.COST_AGAINST_TIME, {"shared": "deadline"}, "deadline_days", ""),
    (economics.COST_AGAINST_TIME, {"deadline_days": -1}, "deadline_days", ""),
    (economics.COST_AGAINST_TIME, {"systems": ["dgx_h101"]}, "systems/0", "dgx_h100"),
    (economics.CARBON, {"intensity_by_hour": [0.1, 0.2]}, "intensity_by_hour", "24 hours of a day"),
    (economics.CARBON, {"network_embodied_kg": -1}, "network_embodied_kg", ""),
    (economics.DIFFERENCE, {"figure": "speed"}, "figure", ""),
    (economics.DIFFERENCE, {"second": scenario(economics={"wacc": 2})}, "second/economics/wacc", ""),
    (facility.IT, {"ramp_limit_w_per_s": 0}, "ramp_limit_w_per_s", ""),
    (facility.ELECTRICAL, {"standard": "bs"}, "standard", ""),
    (facility.ELECTRICAL, {"sized_on": "mean"}, "sized_on", ""),
    (facility.ELECTRICAL, {"lost": "batery"}, "lost", ""),
    (facility.COOLING, {"tank_m3": -5}, "tank_m3", ""),
    (facility.COOLING, {"scenario": scenario(facility={"cooling": "seawater"})}, "scenario/facility/cooling", ""),
    (facility.HOURS, {"ramp_months": 99}, "ramp_months", ""),
    (facility.HOURS, {"format": "xlsx"}, "format", ""),
    (facility.RACKS, {"rack": "R09-09"}, "rack", "R01-01"),
    (facility.RACKS, {"standard": "ul"}, "standard", ""),
    (facility.SITES, {"plant": "ice"}, "plant", ""),
    (facility.SITES, {"weights": {"cost": -1}}, "weights/cost", ""),
    (facility.SAVINGS, {"steps": ["solar"]}, "steps/0", "renewables"),
    (facility.SAVINGS, {"flexible_share": 2}, "flexible_share", ""),
    (facility.SAVINGS, {"battery_h": -1}, "battery_h", ""),
    (fabric.TOPOLOGIES, {"scenario": scenario(**TWO_NODES, pod__fabric={"topology": "moebius"})}, "scenario/pod/fabric/topology", ""),
    (
        fabric.TOPOLOGIES,
        {"scenario": scenario(**TWO_NODES, pod__fabric={"topology": "torus_2d", "shape": "4 by 8"})},
        "scenario/pod/fabric/shape",
        "",
    ),
    (fabric.BANDWIDTH, {"systems": ["dgx_h1000"]}, "systems/0", ""),
    (fabric.BANDWIDTH, {"systems": ["dgx_h100"] * 5}, "systems", ""),
    (fabric.BANDWIDTH, {"systems": "dgx_h100"}, "systems", ""),
    *(
        (fabric.NETWORKS, {"scenario": scenario(**TWO_NODES, pod__networks=networks)}, f"scenario/pod/networks/{place}", "")
        for networks, place in (
            ({"storage": {"carried_by": "air"}}, "storage/carried_by"),
            ({"in_band": {"switch": "sn9999"}}, "in_band/switch"),
            ({"parameter": {"carried_by": "own"}}, "parameter"),
        )
    ),
    (fabric.GROWTH, {"stages": [64, 32]}, "stages", ""),
    (fabric.GROWTH, {"stages": [32, 0]}, "stages/1", ""),
    (fabric.SIZES, {"topologies": ["clos"]}, "topologies/0", ""),
    (fabric.SIZES, {"supernodes": ["many", 2]}, "supernodes/0", ""),
    (fabric.SIZES, {"scenario": scenario()}, "scenario/pod/fabric/topology", "SuperNodes"),
    (fabric.FLOOR, {"rack": "R09-09"}, "rack", "R01-01"),
    (fabric.FLOOR, {"scenario": scenario(pod__floor={"row_racks": 0})}, "scenario/pod/floor/row_racks", ""),
    (fabric.FAULTS, {"switches": ["leaf-99"]}, "switches/0", ""),
    (fabric.FAULTS, {"rails": [0]}, "rails/0", ""),
    (fabric.SHARING, {"jobs": [{"hosts": 65}]}, "jobs/0/hosts", ""),
    (serving.COST, {"systems": ["dgx_b200", "dgx_b200"]}, "systems", ""),
    (serving.COST, {"formats": ["fp2"]}, "formats/0", ""),
    (serving.SIMULATION, {"minutes": 1000}, "minutes", ""),
    (serving.EDGE, {"edge_share": 0}, "edge_share", ""),
    (serving.EDGE, {"edge_system": "no_such_system"}, "edge_system", "no_such_system"),
)  # fmt: skip
"""What a body states otherwise than the example, the place that is named for it, and what is said of it."""


COMPONENTS = described_api()["components"]


@OF_EACH_VIEW
def test_its_example_is_answered_as_declared(view: AnyView, reading_client: AsgiClient) -> None:
    answer = reading_client.post(address_of(view), json=example_of(view))
    assert answer.status_code == 200, answer.text
    declared = {"$ref": f"#/components/schemas/{view.schema}", "components": COMPONENTS}
    jsonschema_rs.validator_for(declared).validate(answer.json())
    assert set(answer.json()) == set(COMPONENTS["schemas"][view.schema]["properties"])


@OF_EACH_VIEW
def test_faults_of_a_body_are_named(view: AnyView, reading_client: AsgiClient) -> None:
    def faults(body: Any) -> set[str]:
        problem = assert_problem(reading_client.post(address_of(view), json=body), 422)
        return {error["pointer"] for error in problem["errors"]}

    example = example_of(view)
    required = [name for name, field in view.options.model_fields.items() if field.is_required()]
    for name in (*view.scenarios, *required):
        assert faults({key: value for key, value in example.items() if key != name}) == {f"#/{name}"}
    for name in view.scenarios:
        assert faults(example | {name: example[name] | {NOWHERE: 1}}) == {f"#/{name}/{NOWHERE}"}
    assert faults(example | {NOWHERE: 1}) == {f"#/{NOWHERE}"}
    assert faults([]) == {"#"}
    problem = assert_problem(reading_client.post(f"{address_of(view)}?{NOWHERE}=1", json=example), 400)
    assert problem["errors"][0]["parameter"] == NOWHERE


@pytest.mark.parametrize(
    ("view", "stated", "place", "said"),
    [pytest.param(*row, id=f"{named(row[0])} {row[2]} {at}") for at, row in enumerate(REFUSED)],
)
def test_what_cannot_be_is_named(
    view: AnyView, stated: dict[str, Any], place: str, said: str, reading_client: AsgiClient
) -> None:
    problem = assert_problem(reading_client.post(address_of(view), json=example_of(view) | stated), 422)
    assert {error["pointer"] for error in problem["errors"]} == {f"#/{place}"}
    assert all(said in f"{error['message']} {error.get('hint', '')}" for error in problem["errors"])


def test_nothing_is_saved(reading_client: AsgiClient) -> None:
    before = reading_client.get("/api/v1/scenarios").json()
    for view in (economics.CASH_FLOW, facility.RACKS, fabric.FLOOR, serving.MEMORY):
        assert reading_client.post(address_of(view), json=example_of(view)).status_code == 200
    assert reading_client.get("/api/v1/scenarios").json() == before
