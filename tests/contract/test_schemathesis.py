"""The API against its own description: requests made from it by all kinds of caller, and answers held to it.

Each run tries other requests: `tests/conftest.py` draws the seed, and what fails says how to try the same again.
CONTRACT_SECONDS is the time that all of it may take, about; `make soak` takes longer.
"""

from __future__ import annotations

import itertools
import logging
import os
import random
import shutil
import time
from contextlib import suppress
from pathlib import Path

import hypothesis
import pytest
import schemathesis
from fastapi import FastAPI
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.generation.meta import ParameterLocation
from schemathesis.python.asgi import get_client
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.catalog.ready import ready_catalog, ready_engine
from app.db.session import write_session
from app.db.tables import PERSONAL_WORKSPACE_ID, AccountRow, ApiTokenRow, MembershipRow, WorkspaceRow
from app.main import create_app
from app.saved.access import ACTIONS
from app.saved.store import SavedWork
from app.settings import Settings
from app.surfaces.rest.fleets import EXAMPLE_FLEET
from app.surfaces.rest.saved.comments import EXAMPLE_COMMENT
from app.surfaces.rest.saved.declared import EXAMPLE_ID
from app.surfaces.rest.saved.sharing import EXAMPLE_LINK
from app.teams.secrets import new_secret, secrets_of
from tests.contract.hooks import counted
from tests.databases import ON_POSTGRESQL
from tests.people import required
from tests.support import described_api, part_of
from tests.surfaces.rest.comment import keep_comment
from tests.surfaces.rest.job import keep_job
from tests.surfaces.rest.own_run import OWN_RUN_ID, keep_own_run
from tests.surfaces.rest.share import TEAM, keep_examples_saved, keep_shares

logger = logging.getLogger(__name__)
SEED = os.environ["CONTRACT_SEED"]
SECONDS = float(os.environ.get("CONTRACT_SECONDS", "60"))
REPEAT = f"CONTRACT_SEED={SEED} CONTRACT_SECONDS={SECONDS:g} python -m pytest {Path(__file__).name}"
LONGEST_S = 5.0  # of computing
MOST_S = 120  # on a busy machine
POSITIVE = GenerationMode.POSITIVE


def no_fault_of_the_server(context, answer, case):
    """503 is none: it says what this server cannot do now, such as print without Chromium, and is described."""
    return None if answer.status_code == 503 else not_a_server_error(context, answer, case)


CHECKS = [
    no_fault_of_the_server,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    positive_data_acceptance,
]


class EnoughError(Exception):
    """An operation has had its share of the time."""


def asks(operation):
    """Whether an operation takes a body or a query; otherwise there is little to try, and nothing that is wrong."""
    return "requestBody" in operation or any(one["in"] == "query" for one in operation.get("parameters", []))


OPERATIONS = [
    pytest.param(method, path, mode, id=f"{method.upper()} {path} {mode.value}")
    for path, item in described_api()["paths"].items()
    for method, operation in item.items()
    for mode in (GenerationMode if asks(operation) else [GenerationMode.POSITIVE])
]
EACH_S = SECONDS / len(OPERATIONS)
if ON_POSTGRESQL:  # what is refused and described does not depend on the database
    OPERATIONS = part_of(OPERATIONS)
STATES = ("present", "any", "deleted", "as generated")


@pytest.fixture(scope="module")
def settings(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Those of a copy of the seeded database."""
    data_dir = tmp_path_factory.mktemp("contract") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    # the application is started for each request, and a browser for each PDF would take its time
    return required(data_dir, run_jobs=False, chromium="none")


@pytest.fixture(scope="module")
def roles(settings: Settings) -> dict[str, dict[str, str]]:
    """What each kind of caller sends; they are in the workspace of what is saved, but for the outsider and no one."""
    secrets, engine = secrets_of(settings), ready_engine(settings)
    found: dict[str, dict[str, str]] = {"nobody": {}}
    for who in ("owner", "editor", "commenter", "viewer", "outsider", "reading token", "administrator"):
        name = who.replace(" ", "-")
        email = f"{name}@example.org"
        account = AccountRow(
            email=email, email_key=email, name=name, is_admin=who in ("owner", "administrator")
        )
        home = WorkspaceRow(key=f"p-{account.id[:8]}", name="Personal", kind="personal")
        secret = new_secret()
        token = ApiTokenRow(
            id=account.id[:16],
            account_id=account.id,
            name=name,
            scopes=["read"] if who == "reading token" else list(ACTIONS),
            secret_hash=secrets.hash("token", secret),
        )
        with write_session(engine) as session:
            session.add_all([account, home])
            session.flush()
            session.add_all(
                [token, MembershipRow(workspace_id=home.id or 0, account_id=account.id, role="owner")]
            )
            if who not in ("outsider", "administrator"):
                role = "owner" if who == "reading token" else who
                session.add(
                    MembershipRow(workspace_id=PERSONAL_WORKSPACE_ID, account_id=account.id, role=role)
                )
        found[who] = {"authorization": f"Bearer pwt_{token.id}.{secret}"}
    return found


@pytest.fixture(scope="module")
def saved(settings: Settings) -> SavedWork:
    """A scenario, a design and a projection under the same id, so that requests meet something that is there."""
    return SavedWork(ready_engine(settings), lambda: ready_catalog(settings))


@pytest.fixture(scope="module")
def app(settings: Settings) -> FastAPI:
    """The application over a copy of the seeded database."""
    return create_app(settings)


@pytest.fixture(scope="module")
def description(app: FastAPI):
    """What the application says of itself."""
    return schemathesis.openapi.from_asgi("/openapi.json", app)


@pytest.fixture(scope="module")
def client(app: FastAPI):
    """The application, started once."""
    with get_client(app) as opened:
        yield opened
    logger.info("refused beyond what a schema can say: %s", dict(counted))


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path", "mode"), OPERATIONS)
def test_answers_are_as_described(
    description, client, saved, settings, roles, record_property, method, path, mode
):
    """Without the pytest plugin of schemathesis, which does not know the newest pytest."""
    operation = description[path][method]
    drawn = random.Random(f"{SEED} {method} {path} {mode}")
    statuses, states, until = set(), itertools.cycle(STATES), time.monotonic() + EACH_S
    # Described as text, which is what generated clients can read; schemathesis holds each event to the description.
    is_stream = path.endswith("/events")
    checks = [check for check in CHECKS if not (is_stream and check is response_schema_conformance)]

    @hypothesis.seed(drawn.randrange(2**32))
    @hypothesis.settings(
        max_examples=1_000,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def answers(case):
        if statuses and time.monotonic() > until:
            raise EnoughError
        state = next(states) if only_the_body_is_wrong(case) else "as generated"
        who = drawn.choice(sorted(roles)) if "owner" in met and drawn.random() < 0.4 else "owner"
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
            elif "/jobs/" in path or "/fleets/" in path:
                keep_job(ready_engine(settings), ready_catalog(settings))
                case.path_parameters["id"] = EXAMPLE_FLEET if "/fleets/" in path else EXAMPLE_ID
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
        met.add(who)
        start = time.process_time()
        answer = case.call_and_validate(checks=checks, headers=roles[who], session=client, timeout=MOST_S)
        assert time.process_time() - start < LONGEST_S, f"it computed for more than {LONGEST_S} s"
        statuses.add(answer.status_code)
        calls.append(answer.status_code)

    met: set[str] = set()
    calls: list[int] = []
    try:
        with suppress(EnoughError):
            answers()
    except BaseException as error:
        error.add_note(f"To try the same again: {REPEAT}")
        raise
    record_property("calls", len(calls))
    assert statuses
    if "{id}" in path and mode is POSITIVE:
        assert statuses - {400, 401, 404}, "no request met what is saved"


def only_the_body_is_wrong(case):
    """Whether the rest of a request can be made to meet what is there without mending what is wrong with it."""
    parts = case.meta.components.items()
    return all(part.mode is POSITIVE for where, part in parts if where is not ParameterLocation.BODY)


def meet(case, saved, state):
    """Let a request be about what is saved: in its present state, in any, or after it was deleted."""
    keep_examples_saved(saved, "/answer" if case.path.endswith("/answer") else "")
    kinds = {
        "scenarios": "scenario",
        "saved-projections": "projection",
        "saved-studies": "study",
        "saved-fleets": "fleet",
    }
    kind = next((kind for name, kind in kinds.items() if f"/{name}/" in case.path), "supernode")
    case.path_parameters["id"] = EXAMPLE_ID
    if "number" in case.path_parameters:
        case.path_parameters["number"] = 1
    if case.method in ("PUT", "PATCH", "DELETE"):
        now = saved.get(kind, EXAMPLE_ID).etag
        case.headers = {**(case.headers or {}), "If-Match": "*" if state == "any" else now}
    if case.method == "PUT" and state == "any" and case.meta.generation.mode is POSITIVE:
        case.body, case.media_type = saved.get(kind, EXAMPLE_ID).document, "application/json"
    if state == "deleted":
        saved.delete(kind, EXAMPLE_ID, version=None)
