"""The API against its own description: requests made from it, and answers held to it."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
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
from app.main import create_app
from app.settings import Settings

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OPERATIONS = [
    (method, path)
    for path, item in openapi_document(create_api(Settings()))["paths"].items()
    for method in item
]


@pytest.fixture(scope="module")
def description(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory):
    """What the application says of itself, over a copy of the seeded database."""
    data_dir = tmp_path_factory.mktemp("contract") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    return schemathesis.openapi.from_asgi("/openapi.json", create_app(Settings(data_dir=data_dir)))


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_answers_are_as_described(description, method, path, mode):
    """Without the pytest plugin of schemathesis, which does not know the newest pytest."""
    operation = description[path][method]
    statuses = set()

    # derandomized: the same requests each time
    @settings(max_examples=20, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def answers(case):
        answer = case.call_and_validate(checks=CHECKS)
        statuses.add(answer.status_code)

    # an address without a body or a limited parameter has nothing that could be wrong
    optional = mode is GenerationMode.NEGATIVE and method == "get"
    with contextlib.suppress(*([Unsatisfiable] if optional else [])):
        answers()
    assert statuses or optional
