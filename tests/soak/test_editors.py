"""Two hundred people at one scenario, over two server processes: every update is there, and none twice.

Each gives a figure of the scenario a value that nobody else gives it, again and again. The updates that
were acknowledged must form one chain, each made from the value of the one before: an update that wrote
over another unseen would fork it.
"""

from __future__ import annotations

import asyncio
import copy
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from app.scenarios.examples import example
from tests.running_server import running_server
from tests.soak import lasting
from tests.soak.test_saving import assert_whole

pytestmark = pytest.mark.soak

EDITORS = 200
MINUTE_S = lasting(60.0, short=15.0)
SCENARIOS = "/api/v1/scenarios"
FIGURES = (
    ("workload", "tokens"),
    ("supernode", "override", "max_power_w"),
    ("supernode", "override", "accelerator", "tdp_w"),
    ("supernode", "override", "accelerator", "idle_w"),
)
START = {"tokens": 1e9, "max_power_w": 4000.0, "tdp_w": 900.0, "idle_w": 100.0}
STEP = {"tokens": 1.0, "max_power_w": 2**-12, "tdp_w": 2**-16, "idle_w": 2**-16}  # sums of these are exact
MOST_EACH = 10_000


class Counted(NamedTuple):
    """What an editor saw: updates of a figure as (from, to), and requests refused or merged.

    Of `unsure` updates the server said that they took too long, and may be saved or not.
    """

    figure: str
    updates: list[tuple[float, float]]
    unsure: list[tuple[float, float]]
    notes: list[str]
    refused: int
    merged: int


def figure(document: dict[str, Any], path: tuple[str, ...]) -> float:
    for name in path:
        document = document[name]
    return float(document)  # type: ignore[arg-type]


def with_figure(document: dict[str, Any], path: tuple[str, ...], value: float) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    place = changed
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return changed


async def edit(
    number: int, servers: list[httpx.AsyncClient], id: str, deadline: float, counted: list[Counted]
) -> None:
    """One editor, now at one server and now at the other; every second one lets the server merge."""
    dice = random.Random(number)
    path, merges = FIGURES[number // 2 % len(FIGURES)], number % 2 == 0
    updates: list[tuple[float, float]] = []
    unsure: list[tuple[float, float]] = []
    notes: list[str] = []
    refused = merged = 0
    while time.monotonic() < deadline:
        seen = await dice.choice(servers).get(f"{SCENARIOS}/{id}")
        assert seen.status_code == 200, seen.text
        before = figure(seen.json()["document"], path)
        code = number * MOST_EACH + len(updates) + len(unsure) + 1
        after, note = START[path[-1]] + STEP[path[-1]] * code, f"editor {code}"
        document = with_figure(seen.json()["document"], path, after)
        server = dice.choice(servers)
        if merges:
            body = {"base_revision": seen.json()["revision"], "document": document, "note": note}
            answer = await server.post(f"{SCENARIOS}/{id}/merges", json=body)
        else:
            answer = await server.put(
                f"{SCENARIOS}/{id}?note={note}", json=document, headers={"if-match": seen.headers["etag"]}
            )
        if answer.status_code == 200:
            updates.append((before, after))
            notes.append(note)
            merged += merges and answer.json()["merged_with"] is not None
        else:
            # somebody was first: at this state of it, at this figure, or with the database itself
            assert answer.status_code in (409, 412, 503), answer.text
            refused += 1
            if answer.status_code == 503:
                unsure.append((before, after))
            await asyncio.sleep(dice.uniform(0, 0.5))
    counted.append(Counted(path[-1], updates, unsure, notes, refused, merged))


async def edit_together(addresses: list[str], id: str) -> list[Counted]:
    limits = httpx.Limits(max_connections=EDITORS, max_keepalive_connections=EDITORS)
    servers = [httpx.AsyncClient(base_url=address, timeout=120, limits=limits) for address in addresses]
    counted: list[Counted] = []
    deadline = time.monotonic() + MINUTE_S
    try:
        async with asyncio.TaskGroup() as together:
            for number in range(EDITORS):
                together.create_task(edit(number, servers, id, deadline, counted))
    finally:
        for server in servers:
            await server.aclose()
    return counted


def test_two_hundred_editors_lose_nothing(
    seeded_data_dir: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path / "data"))
    document = example("edge_node").read().as_dict()
    document["workload"]["tokens"] = START["tokens"]
    document["supernode"]["override"] = {
        "max_power_w": START["max_power_w"],
        "accelerator": {"tdp_w": START["tdp_w"], "idle_w": START["idle_w"]},
    }
    with running_server(data_dir) as first, running_server(data_dir) as second:
        addresses = [first.base_url, second.base_url]
        made = httpx.post(f"{first.base_url}{SCENARIOS}", json=document, timeout=60)
        assert made.status_code == 201, made.text
        id = made.json()["id"]
        counted = asyncio.run(edit_together(addresses, id))
        last = httpx.get(f"{second.base_url}{SCENARIOS}/{id}", timeout=60).json()
        revisions = revisions_of(first.base_url, id)
    assert len(counted) == EDITORS
    assert [revision["revision"] for revision in revisions] == list(range(1, last["revision"] + 1))
    for path in FIGURES:
        mine = [one for one in counted if one.figure == path[-1]]
        updates = [update for one in mine for update in one.updates]
        unsure = [update for one in mine for update in one.unsure]
        assert_one_chain(updates, unsure, START[path[-1]], figure(last["document"], path))
    acknowledged = [note for one in counted for note in one.notes]
    kept = [revision["note"] for revision in revisions]
    assert all(
        any(note in each for each in kept) for note in acknowledged[:: max(1, len(acknowledged) // 100)]
    )
    assert len(acknowledged) > MINUTE_S / 3, "hardly anything was saved"
    record_property("saved", len(acknowledged))
    record_property("merged", sum(one.merged for one in counted))
    record_property("refused", sum(one.refused for one in counted))
    assert_whole(data_dir)


def assert_one_chain(
    updates: list[tuple[float, float]], unsure: list[tuple[float, float]], first: float, last: float
) -> None:
    """Each update was made from what the one before it wrote."""
    assert len({before for before, _ in updates}) == len(updates), "two updates were made from the same value"
    before = {after: base for base, after in [*updates, *unsure]}
    chain = [last]
    while chain[-1] != first:
        chain.append(before[chain[-1]])  # nobody else could have written it
    assert {after for _, after in updates} <= set(chain), "an update was written over unseen"


def revisions_of(address: str, id: str) -> list[dict[str, Any]]:
    """All revisions, the oldest first."""
    found: list[dict[str, Any]] = []
    after = ""
    while True:
        page = httpx.get(f"{address}{SCENARIOS}/{id}/revisions?limit=500{after}", timeout=60).json()
        found += page["items"]
        if page["next"] is None:
            return found[::-1]
        after = f"&after={page['next']}"
