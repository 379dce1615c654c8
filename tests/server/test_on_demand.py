"""Groups of routes that are imported when they are asked for: which addresses they have, and when they come."""

from __future__ import annotations

import json
import subprocess
import sys

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount

from app.main import create_app
from app.server.on_demand import Group, LoadRoutes, OnDemand, routers_of
from app.settings import Settings
from app.surfaces.pages.groups import GROUPS as PAGES
from app.surfaces.rest.router import GROUPS as REST


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize("group", [*PAGES, *REST], ids=lambda group: group.modules[0])
def test_all_routes_of_a_group_begin_with_one_of_its_prefixes_and_no_prefix_is_idle(group):
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    for router in routers_of(group):
        app.include_router(router)
    paths = [context.path for context in iter_route_contexts(app.routes)]
    assert paths
    assert [path for path in paths if not path.startswith(group.prefixes)] == []
    assert [prefix for prefix in group.prefixes if not any(path.startswith(prefix) for path in paths)] == []


@pytest.fixture
def parts(monkeypatch):
    """Two modules whose addresses begin alike; the first is tried first."""
    first, second = APIRouter(), APIRouter()
    first.get("/parts/own")(lambda: "own")
    second.get("/parts/{key}")(lambda key: key)
    second.post("/other")(lambda: "posted")
    monkeypatch.setitem(sys.modules, "parts_first", type(sys)("parts_first"))
    monkeypatch.setitem(sys.modules, "parts_second", type(sys)("parts_second"))
    sys.modules["parts_first"].router = first
    sys.modules["parts_second"].ROUTERS = (second,)
    return Group(("/parts",), "parts_first"), Group(("/parts/", "/other"), "parts_second")


@pytest.mark.anyio
async def test_a_group_comes_with_the_first_request_for_one_of_its_addresses(parts):
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.get("/")(lambda: "home")
    on_demand = OnDemand(parts, prefix="/v1")
    app.add_middleware(LoadRoutes, on_demand=on_demand)
    on_demand.include_in(app)

    def waiting():
        scopes = ({"path": "/v1/parts"}, {"path": "/v1/other"})
        return [group.modules for scope in scopes for group in on_demand.missing(scope)]

    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1"
    ) as client:
        answers = [await client.get(path) for path in ("/", "/parts/own", "/v1/nowhere")]
        assert [answer.status_code for answer in answers] == [200, 404, 404]
        assert waiting() == [("parts_first",), ("parts_second",)]
        assert (await client.get("/v1/other")).status_code == 405
        assert waiting() == [("parts_first",)]
        assert (await client.get("/v1/parts/own")).json() == "own"  # of the first, though it was loaded later
        assert waiting() == []
        assert (await client.get("/v1/parts/else")).json() == "else"
        assert (await client.post("/v1/other")).json() == "posted"


def test_loading_twice_gives_each_route_once(parts):
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    on_demand = OnDemand(parts)
    on_demand.include_in(app)
    on_demand.load(parts[:1])
    on_demand.load(parts)
    on_demand.load()
    paths = [context.path for context in iter_route_contexts(app.routes)]
    assert paths == ["/parts/own", "/parts/{key}", "/other"]


def test_what_computes_for_long_is_not_imported_before_it_is_asked_for():
    printed = subprocess.run(
        [sys.executable, "-c", "import json, sys, app.main; print(json.dumps(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    loaded = set(json.loads(printed))
    assert {"app.main", "app.service", "app.surfaces.rest.router"} <= loaded
    left_out = {name for group in (*PAGES, *REST) for name in group.modules}
    left_out |= {"app.surfaces.rest.openapi", "app.views.searching.recent", "scipy.sparse", "xlsxwriter"}
    assert loaded & left_out == set()


def test_what_is_refused_or_answered_by_workers_loads_nothing(tmp_path):
    app = create_app(Settings(data_dir=tmp_path))
    api = next(route.app for route in app.routes if isinstance(route, Mount))
    assert [one.user_middleware[-1].cls for one in (app, api)] == [LoadRoutes, LoadRoutes]  # the innermost
