"""A server of its own: what is saved here is seen by no other test."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest

from app.scenarios.examples import example
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import with_value
from tests.running_server import Server, running_server

MAIN = "llama_3_1_405b_on_2048_dgx_h100"


@pytest.fixture(scope="session")
def data_dir(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("saved") / "data"
    shutil.copytree(seeded_data_dir, copied)
    return copied


@pytest.fixture(scope="session")
def server(data_dir: Path) -> Iterator[Server]:
    with running_server(data_dir) as running:
        yield running


class Save(Protocol):
    """Save a scenario as the studio would, the worked example with `changes` by path; its address."""

    def __call__(self, name: str, *, at: str = "", note: str = "", tags: str = "", **changes: Any) -> str: ...


@pytest.fixture
def save(server: Server) -> Save:
    def post(name: str, *, at: str = "", note: str = "", tags: str = "", **changes: Any) -> str:
        values = stated_values(example(MAIN).read()) | {"name": name}
        for path, value in changes.items():
            values = with_value(values, path.replace("__", "."), value)
        form = {"scenario": json.dumps(values), "name": name, "note": note, "tags": tags}
        if at:
            newest = httpx.get(f"{server.base_url}/api/v1/scenarios/{at.rsplit('/', 1)[-1]}").json()
            form |= {"version": str(newest["version"]), "revision": str(newest["revision"])}
        else:
            form |= {"new": "yes"}
        address = at or f"/designs/{MAIN}"
        answer = httpx.post(
            f"{server.base_url}{address}/save", data=form, headers={"accept": "application/json"}, timeout=30
        )
        told = answer.json()
        assert "saved" in told, told
        return str(told["address"])

    return post
