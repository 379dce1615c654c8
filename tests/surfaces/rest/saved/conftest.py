"""What tests of saved work share: one sample of each thing that can be saved, and one that was."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from app.surfaces.rest.saved.fleets import EXAMPLES as FLEET_EXAMPLES
from app.surfaces.rest.saved.studies import EXAMPLES as STUDY_EXAMPLES
from tests.asgi import AsgiClient
from tests.support import read_example

SCENARIOS = "/api/v1/scenarios"
DESIGNS = "/api/v1/designs"
PROJECTIONS = "/api/v1/saved-projections"
STUDIES = "/api/v1/saved-studies"
FLEETS = "/api/v1/saved-fleets"
NOBODY = "0" * 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Something that can be saved, another state of it, and what is wrong with a third."""

    address: str
    document: dict[str, Any]
    other: dict[str, Any]
    wrong: dict[str, Any]
    fault: str  # where it stands
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Something that was saved, with its tag of then."""

    sample: Sample
    path: str
    etag: str
    content: dict[str, Any]


def edge_node() -> dict[str, Any]:
    """A small scenario as plain values, to be changed at will."""
    return copy.deepcopy(read_example("edge_node").as_dict())


def changed(document: dict[str, Any], room: str, **values: Any) -> dict[str, Any]:
    """A document with other values in one of its parts."""
    return {**document, room: {**document[room], **values}}


def samples() -> dict[str, Sample]:
    scenario = edge_node()
    supernode: dict[str, Any] = {
        "name": "A SuperNode",
        "supernode": {"system": "dgx_h100", "override": {"max_power_w": 9000}},
    }
    pod: dict[str, Any] = {"name": "A SuperPOD", "pod": {"supernodes": 64, "fabric": {"oversubscription": 2}}}
    study = STUDY_EXAMPLES["two"]
    fleet = FLEET_EXAMPLES["one"]
    return {
        "scenario": Sample(
            address=SCENARIOS,
            document=scenario,
            other=changed(scenario, "economics", wacc=0.2),
            wrong=changed(scenario, "economics", wac=0.2),
            fault="#/economics/wac",
            problem="invalid-scenario",
        ),
        "supernode": Sample(
            address=DESIGNS,
            document=supernode,
            other=changed(supernode, "supernode", override={"max_power_w": 9500}),
            wrong=changed(supernode, "supernode", system="dgx_h10"),
            fault="#/supernode/system",
            problem="invalid-design",
        ),
        "pod": Sample(
            address=DESIGNS,
            document=pod,
            other=changed(pod, "pod", supernodes=128),
            wrong=changed(pod, "pod", supernodes=0),
            fault="#/pod/supernodes",
            problem="invalid-design",
        ),
        "projection": Sample(
            address=PROJECTIONS,
            document={"name": "A projection", "scenario": "edge_node", "deadline_days": 90},
            other={"name": "A projection", "scenario": "edge_node", "deadline_days": 45},
            wrong={"name": "A projection", "tokens": 0},
            fault="#/tokens",
            problem="invalid-projection",
        ),
        "study": Sample(
            address=STUDIES,
            document=study,
            other={**study, "objective": "power"},
            wrong={**study, "objective": "beauty"},
            fault="#/objective",
            problem="invalid-study",
        ),
        "fleet": Sample(
            address=FLEETS,
            document=fleet,
            other={**fleet, "days": 5},
            wrong={**fleet, "days": 0},
            fault="#/days",
            problem="invalid-fleet",
        ),
    }


@pytest.fixture(params=["scenario", "supernode", "pod", "projection", "study", "fleet"])
def sample(request: pytest.FixtureRequest) -> Sample:
    """Each thing that can be saved."""
    return samples()[request.param]


@pytest.fixture
def save(asgi_client: AsgiClient) -> Callable[..., Kept]:
    """Saves a sample as something new."""

    def saved(sample: Sample, query: str = "", **members: Any) -> Kept:
        answer = asgi_client.post(f"{sample.address}{query}", json={**sample.document, **members})
        assert answer.status_code == 201, answer.text
        return Kept(
            sample=sample,
            path=answer.headers["location"],
            etag=answer.headers["etag"],
            content=answer.json(),
        )

    return saved


@pytest.fixture
def kept(save: Callable[..., Kept], sample: Sample) -> Kept:
    """Each thing that can be saved, saved."""
    return save(sample)


@pytest.fixture
def scenario(save: Callable[..., Kept]) -> Kept:
    """A saved scenario."""
    return save(samples()["scenario"])


def said(answer: httpx.Response, status: int = 200) -> Any:
    """The content of an answer of this status."""
    assert answer.status_code == status, answer.text
    return answer.json()
