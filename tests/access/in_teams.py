"""What routes need that work in the workspace that the address names."""

from __future__ import annotations

from collections.abc import Callable

from app.surfaces.pages.studio.state import encode_state
from tests.access.actors import Need
from tests.access.rule import TEXT, Build, Rule, body, form
from tests.access.world import DOCUMENTS, Item


def in_team(need: Need, routes: dict[str, Build | None]) -> dict[str, Rule]:
    """Routes that work in the workspace that the address names."""
    return {
        route: Rule(
            need, send=send or (lambda item: {}), in_team=True, place=of_team(route), nothing=need == "write"
        )
        for route, send in routes.items()
    }


def of_team(route: str) -> Callable[[Item], dict[str, str]]:
    """What the addresses of a team's jobs, runs and catalog name."""
    path = route.split(" ")[1]
    id = next((id for part, id in (("/own-runs", "run"), ("/fleet", "fleet")) if part in path), "job")
    part = {"kind": "accelerators", "key": "nvidia_h100_sxm"} if "catalog" in path else {"key": "edge_node"}
    return lambda item: {"id": item[id], "index": "0", **part}


IN_A_TEAM = {
    **in_team(
        "read",
        {
            "GET /deleted": None, "GET /fleet": None, "GET /fleet/new": None, "GET /fleet/compare": None, "GET /fleet/{id}": None, "GET /fleet/{id}/progress": None, "GET /sweeps": None, "GET /sweeps/progress": None,
            "GET /catalog/own": None, "GET /api/v1/catalog/review": None,
            "GET /api/v1/catalog/export": lambda item: {"params": {"kind": "accelerators", "own": "true"}},
            "GET /api/v1/jobs": None, "GET /api/v1/jobs/{id}": None, "GET /api/v1/jobs/{id}/results": None, "GET /api/v1/fleets/{id}": None, "GET /api/v1/fleets/{id}/comparison": None, "POST /api/v1/fleets/{id}/use": body({"design": "edge_node"}), "POST /fleet/{id}/use": form(design="edge_node"),
            "GET /sweeps/{id}": None, "GET /sweeps/{id}/progress": None, "GET /sweeps/{id}/results.csv": None,
            "GET /sweeps/{id}/designs/{index}": None, "GET /api/v1/own-runs": None,
        },
    ),
    **in_team("write", {"POST /sweeps/{id}/remove": form(), "POST /fleet/{id}/remove": form(), "POST /fleet/{id}/keep": form()}),
    **in_team(
        "write",
        {
            "POST /library/new": form(scenario=TEXT, name="Node", kind="supernode"),
            "POST /scaling/save": form(name="Saved"), "POST /studies/save": form(s=encode_state(DOCUMENTS["study"]), name="Which"), "POST /sweep/{key}": form(),
            "POST /sweeps/{id}/cancel": form(), "POST /fleet/new": form(), "POST /fleet/{id}/cancel": form(),
            "GET /catalog/own/edit": None, "POST /catalog/own/edit": form(kind="accelerators"),
            "GET /catalog/own/model": None, "POST /catalog/own/model": form(), "POST /catalog/own/model/size": form(),
            "GET /catalog/own/climate": None, "POST /catalog/own/climate": form(key="none"),
            "PUT /api/v1/catalog/climate/{key}": lambda item: {
                "content": "LOCATION\n", "headers": {"content-type": "text/plain"}, "params": {"source": "own"}
            },
            "POST /api/v1/imports": body({}), "GET /catalog/own/import": None, "POST /catalog/own/import": form(),
            "POST /catalog/own/import/apply": form(), "POST /catalog/own/remove": form(),
            "POST /api/v1/catalog/imports": lambda item: {
                "content": "key,name\n", "headers": {"content-type": "text/csv"}, "params": {"kind": "accelerators"}
            }, "PUT /api/v1/catalog/{kind}/{key:path}": body({}),
            "DELETE /api/v1/catalog/{kind}/{key:path}": None, "DELETE /api/v1/catalog/climate/{key}": None, "POST /api/v1/sweeps": body({}),
            "POST /api/v1/fleets": body({}),
            "DELETE /api/v1/jobs/{id}": None, "DELETE /api/v1/own-runs/{id}": None,
            "POST /calibrate/{key}/remove": lambda item: form(id=item["run"])(item),
        },
    ),
}  # fmt: skip
