"""A server that people sign in to, with a team that has something to share."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.people import SIGNING_IN, people_of
from tests.running_server import Server, running_server
from tests.support import read_example


class Team(NamedTuple):
    """Someone of it who is signed in, and a scenario of theirs."""

    cookie: str
    scenario: str


@pytest.fixture(scope="session")
def data_dir(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("sharing") / "data"
    shutil.copytree(seeded_data_dir, copied)
    return copied


@pytest.fixture(scope="session")
def team(data_dir: Path) -> Team:
    with people_of(data_dir) as people:
        people.account("Root", admin=True)  # without one the server would not start
        people.team("alpha", {"Ada": "owner"})
        document = read_example("edge_node").as_dict() | {"name": "Edge pod"}
        made = people.client("Ada").post("/api/v1/scenarios?workspace=alpha", json=document)
        assert made.status_code == 201, made.text
        return Team(people.account("Ada").headers["cookie"], made.json()["id"])


@pytest.fixture(scope="session")
def server(data_dir: Path, team: Team) -> Iterator[Server]:
    with running_server(data_dir, settings=SIGNING_IN) as running:
        yield running
