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
from app.api.saved.comments import EXAMPLE_COMMENT
from app.api.saved.declared import EXAMPLE_ID
from app.api.saved.sharing import EXAMPLE_LINK
from app.catalog.ready import ready_catalog, ready_engine
from app.db.session import write_session
from app.db.tables import PERSONAL_WORKSPACE_ID, AccountRow, ApiTokenRow, MembershipRow
from app.main import create_app
from app.scenarios.access import ACTIONS
from app.scenarios.saved.store import SavedWork
from app.settings import Settings
from app.teams.secrets import new_secret, secrets_of
from tests.api.comment import keep_comment
from tests.api.job import keep_job
from tests.api.own_run import OWN_RUN_ID, keep_own_run
from tests.api.share import TEAM, keep_examples_saved, keep_shares
from tests.databases import ON_POSTGRESQL
from tests.people import required
from tests.support import part_of

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
    pytest.param(method, path, mode, 8 if asks(operation) else 4, id=f"{method.upper()} {path} {mode.value}")
    for path, item in openapi_document(create_api(Settings()))["paths"].items()
    for method, operation in item.items()
    for mode in (GenerationMode if asks(operation) else [GenerationMode.POSITIVE])
]
if ON_POSTGRESQL:  # what is refused and described does not depend on the database
    OPERATIONS = part_of(OPERATIONS)
STATES = ("present", "any", "deleted", "as generated")


@pytest.fixture(scope="module")
def settings(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Those of a copy of the seeded database."""
    data_dir = tmp_path_factory.mktemp("contract") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    return required(data_dir, run_jobs=False)  # the application is started for each request


@pytest.fixture(scope="module")
def tokens(settings: Settings) -> dict[str, str]:
    """A token of each role in the workspace of what is saved."""
    secrets, engine = secrets_of(settings), ready_engine(settings)
    found = {}
    for role in ("owner", "viewer"):
        account = AccountRow(email=f"{role}@example.org", email_key=f"{role}@example.org", name=role)
        account.is_admin = role == "owner"
        secret = new_secret()
        token = ApiTokenRow(
            id=account.id[:16], account_id=account.id, name=role, scopes=list(ACTIONS),
            secret_hash=secrets.hash("token", secret),
        )  # fmt: skip
        member = MembershipRow(workspace_id=PERSONAL_WORKSPACE_ID, account_id=account.id, role=role)
        with write_session(engine) as session:
            session.add(account)
            session.flush()
            session.add_all([token, member])
        found[role] = f"pwt_{token.id}.{secret}"
    return found


@pytest.fixture(scope="module")
def saved(settings: Settings) -> SavedWork:
    """A scenario, a design and a projection under the same id, so that requests meet something that is there."""
    return SavedWork(ready_engine(settings), lambda: ready_catalog(settings))


@pytest.fixture(scope="module")
def description(settings: Settings):
    """What the application says of itself, over a copy of the seeded database."""
    return schemathesis.openapi.from_asgi("/openapi.json", create_app(settings))


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "mode", "tries"), OPERATIONS)
@pytest.mark.parametrize("role", ["owner", "viewer"])
def test_answers_are_as_described(description, saved, settings, tokens, role, method, path, mode, tries):
    """Without the pytest plugin of schemathesis, which does not know the newest pytest."""
    if role == "viewer":
        if mode is not GenerationMode.POSITIVE:
            return  # what is malformed is so whoever sends it
        tries = 4
    headers = {"authorization": f"Bearer {tokens[role]}"}
    operation = description[path][method]
    statuses, states = set(), itertools.cycle(STATES)
    # Described as text, which is what generated clients can read; schemathesis holds each event to the description.
    is_stream = path.endswith("/events")
    checks = [check for check in CHECKS if not (is_stream and check is response_schema_conformance)]

    # derandomized: the same requests each time
    @hypothesis_settings(
        max_examples=tries, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def answers(case):
        state = next(states)
        if state != "as generated":
            case.query.pop(
                "workspace", None
            )  # most that are made up are not there, and the rest is untried then
        if is_stream:
            case.query["seconds"] = 0  # else it never ends
        if "{id}" in path and state != "as generated":
            if "/own-runs/" in path:
                keep_own_run(ready_engine(settings))
                case.path_parameters["id"] = OWN_RUN_ID
            elif "/jobs/" in path:
                keep_job(ready_engine(settings), ready_catalog(settings))
                case.path_parameters["id"] = EXAMPLE_ID
            else:
                meet(case, saved, state)
                keep_comment(ready_engine(settings), path)
                if "comment_id" in case.path_parameters:
                    case.path_parameters["comment_id"] = EXAMPLE_COMMENT
                keep_shares(ready_engine(settings), path)
                named = {"link": EXAMPLE_LINK, "team": TEAM}
                case.path_parameters |= {
                    name: value for name, value in named.items() if name in case.path_parameters
                }
        answer = case.call_and_validate(checks=checks, headers=headers)
        statuses.add(answer.status_code)

    answers()
    assert statuses
    if role == "owner" and "{id}" in path and mode is GenerationMode.POSITIVE:
        assert statuses - {400, 404}, "no request met what is saved"


def meet(case, saved, state):
    """Let a request be about what is saved: in its present state, in any, or after it was deleted."""
    keep_examples_saved(saved)
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
