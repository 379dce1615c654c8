"""The API against its own description: requests made from it, and answers held to it."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.api.openapi import openapi_document
from app.api.router import create_api
from app.api.saved.declared import EXAMPLE_ID
from app.api.saved.designs import EXAMPLES
from app.api.saved.projections import EXAMPLES as PROJECTIONS
from app.catalog.ready import ready_catalog, ready_engine
from app.main import create_app
from app.scenarios.examples import example
from app.scenarios.saved.store import SavedWork
from app.settings import Settings
from tests.api.own_run import OWN_RUN_ID, keep_own_run

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


def asks(operation):
    """Whether an operation takes a body or a query; otherwise there is little to try, and nothing that is wrong."""
    return "requestBody" in operation or any(one["in"] == "query" for one in operation.get("parameters", []))


OPERATIONS = [
    pytest.param(method, path, mode, 15 if asks(operation) else 6, id=f"{method.upper()} {path} {mode.value}")
    for path, item in openapi_document(create_api(Settings()))["paths"].items()
    for method, operation in item.items()
    for mode in (GenerationMode if asks(operation) else [GenerationMode.POSITIVE])
]
STATES = ("present", "any", "deleted", "as generated")


@pytest.fixture(scope="module")
def settings(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Those of a copy of the seeded database."""
    data_dir = tmp_path_factory.mktemp("contract") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    return Settings(data_dir=data_dir)


@pytest.fixture(scope="module")
def saved(settings: Settings) -> SavedWork:
    """A scenario, a design and a projection under the same id, so that requests meet something that is there."""
    work = SavedWork(ready_engine(settings), lambda: ready_catalog(settings))
    work.create("scenario", example("edge_node").read().as_dict(), id=EXAMPLE_ID)
    work.create("supernode", EXAMPLES["supernode"], id=EXAMPLE_ID)
    work.create("projection", PROJECTIONS["deadline"], id=EXAMPLE_ID)
    return work


@pytest.fixture(scope="module")
def description(settings: Settings):
    """What the application says of itself, over a copy of the seeded database."""
    return schemathesis.openapi.from_asgi("/openapi.json", create_app(settings))


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "mode", "tries"), OPERATIONS)
def test_answers_are_as_described(description, saved, settings, method, path, mode, tries):
    """Without the pytest plugin of schemathesis, which does not know the newest pytest."""
    operation = description[path][method]
    statuses, states = set(), itertools.cycle(STATES)

    # derandomized: the same requests each time
    @hypothesis_settings(
        max_examples=tries, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def answers(case):
        state = next(states)
        if "{id}" in path and state != "as generated":
            if "/own-runs/" in path:
                keep_own_run(ready_engine(settings))
                case.path_parameters["id"] = OWN_RUN_ID
            else:
                meet(case, saved, state)
        answer = case.call_and_validate(checks=CHECKS)
        statuses.add(answer.status_code)

    answers()
    assert statuses
    if "{id}" in path and mode is GenerationMode.POSITIVE:
        assert statuses - {400, 404}, "no request met what is saved"


def meet(case, saved, state):
    """Let a request be about what is saved: in its present state, in any, or after it was deleted."""
    for kind in ("scenario", "supernode", "projection"):
        saved.restore(kind, EXAMPLE_ID)
    kinds = {"scenarios": "scenario", "saved-projections": "projection"}
    kind = next((kind for name, kind in kinds.items() if f"/{name}/" in case.path), "supernode")
    case.path_parameters["id"] = EXAMPLE_ID
    if "number" in case.path_parameters:
        case.path_parameters["number"] = 1
    if case.method in ("PUT", "PATCH", "DELETE"):
        now = saved.get(kind, EXAMPLE_ID).etag
        case.headers = {**(case.headers or {}), "If-Match": "*" if state == "any" else now}
    if case.method == "PUT" and state == "any":
        case.body, case.media_type = saved.get(kind, EXAMPLE_ID).document, "application/json"
    if state == "deleted":
        saved.delete(kind, EXAMPLE_ID, version=None)
