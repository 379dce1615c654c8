"""A server of its own that people sign in to."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.people import SIGNING_IN
from tests.running_server import Server, running_server


@pytest.fixture(scope="session")
def data_dir(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("people-e2e") / "data"
    shutil.copytree(seeded_data_dir, copied)
    return copied


@pytest.fixture(scope="session")
def server(data_dir: Path) -> Iterator[Server]:
    """Its address is the only loopback one; it asks for a sign-in all the same."""
    add_administrator(data_dir)
    with running_server(data_dir, settings=SIGNING_IN) as running:
        yield running


def add_administrator(data_dir: Path) -> None:
    """As someone does who sets the server up."""
    import subprocess

    from tests.running_server import PROGRAM, environment_of

    command = [PROGRAM, "user", "add", "ada@example.org", "--name", "Ada", "--admin", "--password-stdin"]
    done = subprocess.run(
        command,
        input="quite unlikely words\n",
        text=True,
        capture_output=True,
        env={**environment_of(data_dir), **SIGNING_IN},
        check=True,
    )
    assert "can sign in and look after this server" in done.stdout
