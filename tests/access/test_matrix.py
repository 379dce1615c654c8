"""Every route, asked by everybody: each may do what their role, share, link or token says, and nothing else."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx
import pytest

from tests.access.actors import EVERYBODY, Outcome, Somebody
from tests.access.declared import PINNED_MAY, RULES
from tests.access.routes import routes_of
from tests.access.rule import Rule
from tests.access.world import TEAM, World
from tests.databases import ON_POSTGRESQL
from tests.people import people_over
from tests.support import part_of

pytestmark = pytest.mark.slow

FEW = [somebody for somebody in EVERYBODY if somebody.name in ("nobody", "link viewer", "viewer")]
"""Where all who are known may do the same."""


@pytest.fixture(scope="module")
def world(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with (
        people_over(seeded_data_dir, tmp_path_factory.mktemp("access")) as people,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("app.views.uncertainty.sensitivity.SOBOL_SAMPLES", 16)  # it matters only who may ask
        yield World(people)


def test_every_route_says_who_may_use_it(world: World) -> None:
    routes = set(routes_of(world.people.app))
    assert sorted(routes - set(RULES)) == []
    assert sorted(set(RULES) - routes) == []


@pytest.mark.parametrize("route", part_of(RULES) if ON_POSTGRESQL else RULES)
def test_everybody_gets_what_is_theirs(world: World, route: str) -> None:
    rule = RULES[route]
    wrong = [
        f"{somebody.name}: {answer.status_code} where {expected}: {answer.text[:200]}"
        for somebody in (FEW if rule.need in ("open", "known") else EVERYBODY)
        if (expected := expected_of(somebody, route, rule)) and not (rule.stream and expected == "allowed")
        if not fits(expected, rule, answer := ask(world, somebody, route, rule, expected))
    ]
    assert wrong == []


def expected_of(somebody: Somebody, route: str, rule: Rule) -> Outcome:
    if somebody.name == "link pinned" and rule.scope == "item" and rule.need == "read":
        return "allowed" if route.startswith("GET") and route.endswith(PINNED_MAY) else "hidden"
    instead = rule.instead(somebody) if somebody.is_known else None
    return instead or somebody.expected(rule.need, rule.scope)


def ask(world: World, somebody: Somebody, route: str, rule: Rule, expected: Outcome) -> httpx.Response:
    """Anyone who may change something gets an item of their own to change."""
    method, path = route.split(" ", 1)
    changes = method != "GET" and expected == "allowed" and rule.need not in ("open", "known", "account")
    item = world.fresh(rule.kind) if changes else world.item(rule.kind)
    address = filled(path, ChainMap(rule.place(item), item))
    request = rule.send(item)
    if rule.in_team:
        request = {**request, "params": {**request.get("params", {}), "workspace": TEAM}}
    return world.client(somebody, item, changes=method != "GET").request(method, address, **request)


def filled(path: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: values[found[1]], path)


def fits(expected: Outcome, rule: Rule, answer: httpx.Response) -> bool:
    """Whether an answer is what was expected. What is hidden is answered as if it were not there."""
    status = answer.status_code
    to_sign_in = status == 303 and answer.headers["location"].startswith("/sign-in?")
    if rule.need == "open":
        return status < 500 and status != 401 and not to_sign_in
    if expected == "allowed":
        refused = {401, 403} if rule.nothing else {401, 403, 404}
        return status < 500 and status not in refused and not to_sign_in
    if expected == "sign in":
        return status == 401 or to_sign_in
    return status in rule.hidden or (expected == "forbidden" and status == 403)
