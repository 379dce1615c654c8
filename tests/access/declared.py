"""What each route needs, and a request to it that is whole: only whoever asks may be what is wrong with it.

A route that is missing here fails the matrix, so nobody adds one without saying who may use it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.scenarios.saved.records import Kind
from tests.access.actors import Need, Outcome, Scope, Somebody
from tests.access.world import DOCUMENTS, SCENARIO, SHELVES, Item

Request = dict[str, Any]
Build = Callable[[Item], Request]
ANY_STATE = {"if-match": "*"}


class Rule(NamedTuple):
    """`instead` says what becomes of somebody's request where it says anything; else it follows from `need`.

    `in_team` is for routes that take the workspace from the address. A `stream` does not end by itself, so it is only
    tried by those who are refused. `hidden` are answers to those who may not know that it is there; where `nothing` is
    there at all, whoever is allowed is told so.
    """

    need: Need
    scope: Scope = "workspace"
    send: Build = lambda item: {}
    instead: Callable[[Somebody], Outcome | None] = lambda somebody: None
    in_team: bool = False
    stream: bool = False
    kind: Kind = "scenario"
    hidden: tuple[int, ...] = (404,)
    nothing: bool = False
    place: Callable[[Item], Item] = lambda item: {}


def body(value: Any, **headers: str) -> Build:
    return lambda item: {"json": value, "headers": headers}


def form(**fields: str) -> Build:
    headers = {"content-type": "application/x-www-form-urlencoded"}  # also where there are no fields
    return lambda item: {"content": urlencode(fields), "headers": headers}


def to_own_workspace(somebody: Somebody) -> Outcome | None:
    """A copy is made where one's own work is: guests have no such place, and some tokens may not write."""
    if somebody.name.startswith("link ") or somebody.name == "token elsewhere":
        return "hidden"
    return "forbidden" if somebody.name == "token reading" else None


def not_its_author(somebody: Somebody) -> Outcome | None:
    """The comment is the owner's."""
    return "forbidden" if "comment" in somebody.item and somebody.name != "owner" else None


def in_person(somebody: Somebody) -> Outcome | None:
    """Pages about an account are for people who signed in: not for programs, and guests are asked to."""
    if somebody.name.startswith("token "):
        return "forbidden"
    return "sign in" if somebody.name.startswith("link ") else None


def with_an_account(somebody: Somebody) -> Outcome | None:
    """The same of the API, which asks nobody to sign in."""
    return None if somebody.has_account and not somebody.name.startswith("token ") else "forbidden"


def or_administrator(somebody: Somebody) -> Outcome | None:
    """Administrators look after teams, without being of them; the tokens are for another team."""
    if somebody.name.startswith("token "):
        return "hidden"
    return "allowed" if somebody.is_admin else None


def in_person_or_administrator(somebody: Somebody) -> Outcome | None:
    return in_person(somebody) or or_administrator(somebody)


def of_shelf(plural: str) -> dict[str, Rule]:
    """Routes that scenarios, designs and projections have in common."""
    kind = SHELVES[plural]
    here, one = f"/api/v1/{plural}", f"/api/v1/{plural}/{{id}}"
    document = DOCUMENTS[kind]
    merge = {
        "base_revision": 2,
        "document": {**document, "description": "Other"} if kind != "projection" else document,
    }
    rules: dict[str, tuple[Any, ...]] = {
        f"GET {one}": ("read",),
        f"PUT {one}": ("write", body(document, **ANY_STATE)),
        f"PATCH {one}": ("write", body({"tags": ["new"]}, **ANY_STATE)),
        f"DELETE {one}": ("delete", lambda item: {"headers": ANY_STATE}),
        f"POST {one}/restore": ("delete",),
        f"POST {one}/duplicate": ("read", lambda item: {}, to_own_workspace),
        f"POST {one}/merges": ("write", body(merge)),
        f"GET {one}/revisions": ("read",),
        f"GET {one}/revisions/{{number}}": ("read",),
        f"PUT {one}/revisions/{{number}}/name": ("write", body({"name": "As agreed"})),
        f"DELETE {one}/revisions/{{number}}/name": ("write",),
        f"GET {one}/diff": ("read",),
        f"GET {one}/comments": ("read",),
        f"POST {one}/comments": ("comment", body({"body": "Why?", "guest_name": "Guest"})),
        f"POST {one}/comments/{{comment_id}}/resolve": ("comment",),
        f"POST {one}/comments/{{comment_id}}/reopen": ("comment",),
        f"POST {one}/presence": ("read", body({"place": ""})),
        f"PATCH {one}/comments/{{comment_id}}": ("comment", body({"body": "Why?"}), not_its_author),
        f"DELETE {one}/comments/{{comment_id}}": ("comment", lambda item: {}, not_its_author),
        f"POST {one}/erase": ("manage", lambda item: {}),
        f"GET {one}/shares": ("share",),
        f"PUT {one}/shares/{{team}}": ("share", body({"role": "viewer"})),
        f"DELETE {one}/shares/{{team}}": ("share",),
        f"GET {one}/links": ("share",),
        f"POST {one}/links": ("share", body({"role": "viewer"})),
        f"PATCH {one}/links/{{link}}": ("share", body({"expires_at": None})),
        f"DELETE {one}/links/{{link}}": ("share",),
    }
    found = {route: Rule(rule[0], "item", *rule[1:], kind=kind) for route, rule in rules.items()}
    found[f"GET {one}/events"] = Rule("read", "item", stream=True, kind=kind)
    found[f"GET {here}"] = Rule("read", in_team=True)
    found[f"POST {here}"] = Rule("write", send=body(document), in_team=True)
    return found


def pages_of_items() -> dict[str, Rule]:
    """Pages and forms of one saved scenario."""
    design, saved = "/designs/{key}", "/saved/{kind}/{id}"
    rules: dict[str, tuple[Any, ...]] = {
        f"GET {design}": ("read",),
        f"GET {design}/comments": ("read",),
        f"GET {design}/explain/{{path}}": ("read",),
        f"GET {design}/export": ("read",),
        f"GET {design}/history": ("read",),
        f"GET {design}/newest": ("read",),
        f"GET {design}/detach/{{part}}": ("read",),
        f"GET {design}/save": ("read",),
        f"POST {design}/save": ("write", form(scenario=TEXT, version="2", revision="2")),
        f"GET {design}/revisions/{{number}}/name": ("read",),
        f"POST {design}/revisions/{{number}}/name": ("write", form(name="As agreed")),
        f"POST {design}/revisions/{{number}}/name/remove": ("write", form()),
        f"POST {design}/revisions/{{number}}/restore": ("write", form(revision="2")),
        f"POST {design}/revisions/{{number}}/undo": ("write", form(revision="2")),
        "GET /explore/{key}": ("read",),
        "GET /explore/{key}/answer": ("read",),
        "GET /explore/{key}/adopt": ("read",),
        "GET /calibrate/{key}": ("read",),
        "POST /calibrate/{key}": ("read", form(measured="1000", unit="tokens_per_s", source="log")),
        "GET /sweep/{key}": ("read",),
        "GET /facility/{key}": ("read",),
        "GET /facility/{key}/it": ("read",),
        "GET /facility/{key}/electrical": ("read",),
        "GET /facility/{key}/cooling": ("read",),
        "GET /facility/{key}/hours": ("read",),
        "GET /facility/{key}/hours/file": ("read",),
        "GET /facility/{key}/savings": ("read",),
        "GET /facility/{key}/racks": ("read",),
        "GET /facility/{key}/sites": ("read",),
        "GET /fabric/{key}": ("read",),
        "GET /fabric/{key}/topology": ("read",),
        "GET /fabric/{key}/sizes": ("read",),
        "GET /fabric/{key}/growth": ("read",),
        "GET /fabric/{key}/networks": ("read",),
        "GET /fabric/{key}/bandwidth": ("read",),
        "GET /fabric/{key}/bill": ("read",),
        "GET /fabric/{key}/bill/file": ("read",),
        "GET /fabric/{key}/floor": ("read",),
        "GET /fabric/{key}/cables": ("read",),
        "GET /fabric/{key}/faults": ("read",),
        "GET /fabric/{key}/sharing": ("read",),
        "GET /fabric/{key}/cables/file": ("read",),
        "POST /fabric/{key}/cables/diff": ("read", form()),
        f"GET {saved}/comments": ("read",),
        f"POST {saved}/comments": ("comment", form(body="Why?", guest_name="Guest")),
        f"POST {saved}/comments/{{comment_id}}/edit": ("comment", form(body="Why?"), not_its_author),
        f"POST {saved}/comments/{{comment_id}}/delete": ("comment", form(), not_its_author),
        f"POST {saved}/comments/{{comment_id}}/resolve": ("comment", form()),
        f"GET {saved}/rename": ("write",),
        f"POST {saved}/rename": ("write", form(name="Other", version="2")),
        f"GET {saved}/tags": ("write",),
        f"POST {saved}/tags": ("write", form(tags="new", version="2")),
        f"POST {saved}/duplicate": ("read", form(), to_own_workspace),
        f"POST {saved}/begin": ("read", form(), to_own_workspace),
        f"GET {saved}/fork": ("read", lambda item: {}, to_own_workspace),
        f"POST {saved}/fork": ("read", form(), to_own_workspace),
        f"POST {saved}/delete": ("delete", form()),
        f"POST {saved}/restore": ("delete", form()),
        f"GET {saved}/erase": ("manage",),
        f"POST {saved}/erase": ("manage", form()),
        f"POST {saved}/template": ("write", form()),
        f"POST {saved}/template/remove": ("write", form()),
        f"GET {saved}/share": ("share",),
        f"POST {saved}/share/teams": ("share", form(workspace="friends-viewer", role="viewer")),
        f"POST {saved}/share/teams/{{key}}/withdraw": ("share", form()),
        f"POST {saved}/share/links": ("share", form(role="viewer", end="7")),
        f"POST {saved}/share/links/{{link}}/extend": ("share", form(end="7")),
        f"POST {saved}/share/links/{{link}}/revoke": ("share", form()),
    }
    found = {route: Rule(rule[0], "item", *rule[1:], place=of_page) for route, rule in rules.items()}
    withdraw = f"POST {saved}/share/teams/{{key}}/withdraw"
    found[withdraw] = found[withdraw]._replace(place=lambda item: {"key": item["team"]})
    undo = f"POST {design}/revisions/{{number}}/undo"
    found[undo] = found[undo]._replace(place=lambda item: {"number": "2"})
    found[f"GET {design}/export/{{what}}/{{name}}"] = Rule("read", "item", place=of_page, hidden=(422,))
    for route in (f"GET {saved}/fork", f"POST {saved}/fork"):
        found[route] = found[route]._replace(hidden=(404, 422))
    found[f"GET {saved}/erase"] = found[f"GET {saved}/erase"]._replace(nothing=True)  # it is not in the trash
    found[f"POST {design}/save"] = found[f"POST {design}/save"]._replace(hidden=(422,))  # as what was deleted
    return found


def of_page(item: Item) -> Item:
    return {"path": "performance.mfu", "what": "evaluation", "name": "figures.csv", "part": "supernode"}


def known(
    method: str, *paths: str, send: Build = lambda item: {}, nothing: bool = False, **place: str
) -> dict[str, Rule]:
    """Routes for whoever is known."""
    rule = Rule("known", send=send, place=lambda item: place, nothing=nothing)
    return {f"{method} {path}": rule for path in paths}


def in_team(need: Need, routes: dict[str, Build | None]) -> dict[str, Rule]:
    """Routes that work in the workspace that the address names."""
    return {
        route: Rule(
            need, send=send or (lambda item: {}), in_team=True, place=of_team(route), nothing=need == "write"
        )
        for route, send in routes.items()
    }


def of_team(route: str) -> Callable[[Item], Item]:
    """What the addresses of a team's jobs, runs and catalog name."""
    path = route.split(" ")[1]
    id = "run" if path.startswith("/api/v1/own-runs") else "job"
    part = {"kind": "accelerators", "key": "nvidia_h100_sxm"} if "catalog" in path else {"key": "edge_node"}
    return lambda item: {"id": item[id], "index": "0", **part}


def about_people(
    need: Need,
    *routes: str,
    send: Build = lambda item: {},
    instead: Callable[[Somebody], Outcome | None] = lambda somebody: None,
) -> dict[str, Rule]:
    return {
        route: Rule(need, send=send, instead=instead, place=of_people, nothing=need in ("account", "admin"))
        for route in routes
    }


def of_people(item: Item) -> Item:
    return {
        "key": item["spare"],
        "account_id": item["another"],
        "id": item["invitation"],
        "invitation_id": item["invitation"],
        "token_id": "0" * 16,
        "what": "disable",
    }


TEXT = json.dumps(SCENARIO)
EVALUATE = body(SCENARIO)
STUDIO = body({"key": "edge_node", "scenario": SCENARIO, "path": "performance.mfu"})

OF_ITEMS = {
    **{route: rule for plural in SHELVES for route, rule in of_shelf(plural).items()},
    **{
        f"GET /api/v1/scenarios/{{id}}/{name}": Rule("read", "item")
        for name in ("evaluation", "revisions/{number}/evaluation", "revisions/{number}/moved", "export")
    },
    "GET /api/v1/fabric/cables": Rule("read", "item", lambda item: {"params": {"scenario": item["id"]}}),
    "GET /api/v1/facility/hours": Rule("read", "item", lambda item: {"params": {"scenario": item["id"]}}),
    "GET /api/v1/designs/{id}/uses": Rule("read", "item", kind="supernode"),
    "GET /api/v1/saved-projections/{id}/projection": Rule("read", "item", kind="projection"),
    "GET /api/v1/saved-projections/{id}/revisions/{number}/projection": Rule(
        "read", "item", kind="projection"
    ),
    "GET /scaling/{id}": Rule("read", "item", kind="projection"),
    "POST /scaling/{id}/revisions/{number}/restore": Rule(
        "write", "item", form(version="2"), kind="projection"
    ),
    **pages_of_items(),
}
OPEN_TO_ALL = {
    f"GET {path}": Rule("open", place=lambda item: {"version": "0", "path": "css/none.css", "secret": "none", "token": "none"})
    for path in (
        "/healthz", "/readyz", "/openapi.json", "/docs", "/docs/problems", "/sign-in", "/sign-in/oidc",
        "/sign-in/oidc/callback", "/static/{version}/{path:path}", "/invitations/{secret}", "/s/{token}",
    )
} | {
    f"POST {path}": Rule("open", send=form(), place=lambda item: {"secret": "none"})
    for path in ("/sign-in", "/invitations/{secret}/accept", "/invitations/{secret}/join")
}  # fmt: skip
FOR_THE_KNOWN = {
    **known(
        "GET", "/", "/library", "/compare", "/scaling", "/scaling/use", "/scaling/compare", "/scaling/save"
    ),
    **known(
        "GET", "/catalog", "/terms", "/trends", "/validation", "/validation/training", "/validation/scaling"
    ),
    **known("GET", "/templates", "/import"),
    **known("GET", "/library/new", send=lambda item: {"params": {"kind": "supernode"}}),
    **known(
        "GET", "/explore/{key}/narrow", "/saved/{kind}/{id}", key="edge_node", kind="scenario", id="0" * 32
    ),
    **known("GET", "/validation/fabric", "/api/v1/validation/fabric"),
    **known("GET", "/validation/power", "/api/v1/validation/power"),
    **known("GET", "/validation/collectives", "/validation/collectives/table", "/claims", "/gallery"),
    **known("GET", "/claims/{key}", key="S0-01"),
    **known("GET", "/gallery/{key}", key="gb200_nvl72"),
    **known(
        "GET", "/catalog/{kind}", "/catalog/{kind}/{key:path}", kind="accelerators", key="nvidia_h100_sxm"
    ),
    **known("GET", "/validation/training/{key:path}", key="MC24-001"),
    **known("GET", "/validation/collectives/table/{key:path}", key="1"),
    **known("POST", "/studio/evaluate", "/studio/explain", "/studio/yaml", "/explore/domains", send=STUDIO),
    **known("POST", "/studio/detach", send=body({"scenario": SCENARIO, "part": "supernode"})),
    **known("POST", "/studio/export/{what}/{name}", send=STUDIO, what="evaluation", name="figures.csv"),
    **known("POST", "/sign-out", send=form()),
    **known("POST", "/workspace", send=form(key="none"), nothing=True),
    **known("POST", "/import", send=form(text=TEXT)),
    **known("POST", "/api/v1/evaluations", send=EVALUATE),
    **known("POST", "/api/v1/explanations", "/api/v1/searches", "/api/v1/domain-studies", send=EVALUATE),
    **known("POST", "/api/v1/calibrations", "/api/v1/projections", send=EVALUATE),
    **known("POST", "/api/v1/fabric/bandwidth", "/api/v1/fabric/topologies", send=EVALUATE),
    **known("POST", "/api/v1/fabric/faults", "/api/v1/fabric/sharing", send=EVALUATE),
    **known("POST", "/api/v1/fabric/utilisation", send=EVALUATE),
    **known("POST", "/api/v1/fabric/growth", "/api/v1/fabric/sizes", send=EVALUATE),
    **known("POST", "/api/v1/fabric/cables", "/api/v1/fabric/cables/diff", send=EVALUATE),
    **known("POST", "/api/v1/facility/it", send=EVALUATE),
    **known("POST", "/api/v1/facility/electrical", send=EVALUATE),
    **known("POST", "/api/v1/facility/cooling", send=EVALUATE),
    **known("POST", "/api/v1/facility/hours", send=EVALUATE),
    **known("POST", "/api/v1/facility/racks", send=EVALUATE),
    **known("POST", "/api/v1/facility/sites", send=EVALUATE),
    **known("POST", "/api/v1/facility/savings", send=EVALUATE),
    **known("POST", "/api/v1/fabric/networks", "/api/v1/fabric/floor", "/api/v1/fabric/bill", send=EVALUATE),
    **known(
        "POST", "/api/v1/figures/{name}", "/api/v1/exports/{format}", send=EVALUATE, name="tco", format="csv"
    ),
    **known("GET", "/api/v1/scaling-laws", "/api/v1/terms", "/api/v1/schemas/scenario", "/api/v1/examples"),
    **known("GET", "/api/v1/examples/{key}", key="edge_node"),
    **known("GET", "/api/v1/claims", "/api/v1/gallery", "/api/v1/trends", "/api/v1/trends/gap"),
    **known("GET", "/api/v1/claims/{key}", key="S0-01"),
    **known("GET", "/api/v1/gallery/{key}", key="gb200_nvl72"),
    **known("GET", "/api/v1/trends/{key}", key="training_compute"),
    **known(
        "GET",
        "/api/v1/validation/training",
        "/api/v1/validation/collectives",
        "/api/v1/validation/scaling-laws",
    ),
    **known("GET", "/api/v1/catalog", "/api/v1/workspaces", "/api/v1/account"),
    **known(
        "GET",
        "/api/v1/catalog/{kind}",
        "/api/v1/catalog/{kind}/{key:path}",
        kind="accelerators",
        key="nvidia_h100_sxm",
    ),
}
IN_A_TEAM = {
    **in_team(
        "read",
        {
            "GET /deleted": None, "GET /sweeps": None, "GET /sweeps/progress": None,
            "GET /catalog/own": None, "GET /api/v1/catalog/review": None,
            "GET /api/v1/catalog/export": lambda item: {"params": {"kind": "accelerators", "own": "true"}},
            "GET /api/v1/jobs": None, "GET /api/v1/jobs/{id}": None, "GET /api/v1/jobs/{id}/results": None,
            "GET /sweeps/{id}": None, "GET /sweeps/{id}/progress": None, "GET /sweeps/{id}/results.csv": None,
            "GET /sweeps/{id}/designs/{index}": None, "GET /api/v1/own-runs": None,
        },
    ),
    **in_team("write", {"POST /sweeps/{id}/remove": form()}),
    **in_team(
        "write",
        {
            "POST /library/new": form(scenario=TEXT, name="Node", kind="supernode"),
            "POST /scaling/save": form(name="Saved"), "POST /sweep/{key}": form(),
            "POST /sweeps/{id}/cancel": form(),
            "GET /catalog/own/edit": None, "POST /catalog/own/edit": form(kind="accelerators"),
            "GET /catalog/own/climate": None, "POST /catalog/own/climate": form(key="none"),
            "PUT /api/v1/catalog/climate/{key}": lambda item: {
                "content": "LOCATION\n", "headers": {"content-type": "text/plain"}, "params": {"source": "own"}
            },
            "GET /catalog/own/import": None, "POST /catalog/own/import": form(),
            "POST /catalog/own/import/apply": form(), "POST /catalog/own/remove": form(),
            "POST /api/v1/catalog/imports": lambda item: {
                "content": "key,name\n", "headers": {"content-type": "text/csv"}, "params": {"kind": "accelerators"}
            }, "PUT /api/v1/catalog/{kind}/{key:path}": body({}),
            "DELETE /api/v1/catalog/{kind}/{key:path}": None, "POST /api/v1/sweeps": body({}),
            "DELETE /api/v1/jobs/{id}": None, "DELETE /api/v1/own-runs/{id}": None,
            "POST /calibrate/{key}/remove": lambda item: form(id=item["run"])(item),
        },
    ),
}  # fmt: skip
PERSON: dict[str, Any] = {"instead": in_person}
LOOKED_AFTER: dict[str, Any] = {"instead": in_person_or_administrator}
OF_PEOPLE = {
    **about_people(
        "account", "GET /account", "GET /account/delete", "GET /account/export", "GET /teams", **PERSON
    ),
    **about_people("known", "GET /mentions", "GET /api/v1/teams", "GET /api/v1/tokens"),
    **about_people("account", "GET /api/v1/audit", instead=with_an_account),
    **about_people("known", "POST /mentions/read", send=form()),
    **about_people(
        "account", "POST /account/delete", "POST /account/password", "POST /account/profile",
        "POST /account/sign-ins/end", "POST /account/tokens", "POST /account/tokens/{id}/revoke", "POST /teams",
        send=form(), **PERSON,
    ),
    **about_people(
        "account", "POST /api/v1/tokens", send=body({"name": "New", "scopes": ["read"]}), instead=with_an_account
    ),
    **about_people("account", "DELETE /api/v1/tokens/{token_id}"),
    **about_people("account", "POST /api/v1/teams", send=body({"key": "a b", "name": "New"}), instead=with_an_account),
    **about_people("admin", "GET /admin", "GET /admin/log", "GET /admin/teams", **PERSON),
    **about_people(
        "admin", "POST /admin/accounts", "POST /admin/accounts/{id}/{what}", "POST /admin/teams/{key}/restore",
        send=form(), **PERSON,
    ),
    **about_people("read", "GET /teams/{key}", **LOOKED_AFTER),
    **about_people("read", "GET /api/v1/teams/{key}", "GET /api/v1/teams/{key}/members", instead=or_administrator),
    **about_people("manage", "GET /teams/{key}/log", **LOOKED_AFTER),
    **about_people("manage", "GET /api/v1/teams/{key}/invitations", instead=or_administrator),
    **about_people("manage", "POST /teams/{key}/rename", send=form(name="Team"), **LOOKED_AFTER),
    **about_people("manage", "PATCH /api/v1/teams/{key}", send=body({"name": "Team"}), instead=or_administrator),
    **about_people("manage", "POST /teams/{key}/invitations", send=form(role="viewer"), **LOOKED_AFTER),
    **about_people(
        "manage", "POST /api/v1/teams/{key}/invitations", send=body({"role": "viewer"}), instead=or_administrator
    ),
    **about_people(
        "manage", "POST /teams/{key}/invitations/{id}/revoke", send=form(), **LOOKED_AFTER
    ),
    **about_people(
        "manage", "DELETE /api/v1/teams/{key}/invitations/{invitation_id}", instead=or_administrator
    ),
    **about_people("manage", "POST /teams/{key}/members/{account_id}/role", send=form(role="viewer"), **LOOKED_AFTER),
    **about_people(
        "manage", "PATCH /api/v1/teams/{key}/members/{account_id}", send=body({"role": "viewer"}), instead=or_administrator
    ),
    **about_people("manage", "POST /teams/{key}/members/{account_id}/remove", send=form(), **LOOKED_AFTER),
    **about_people("manage", "DELETE /api/v1/teams/{key}/members/{account_id}", instead=or_administrator),
    **about_people("manage", "POST /teams/{key}/delete", send=lambda item: form(confirm=item["spare"])(item), **LOOKED_AFTER),
    **about_people("manage", "DELETE /api/v1/teams/{key}", instead=or_administrator),
}  # fmt: skip

PINNED_MAY = (
    "/revisions/{number}",
    "/revisions/{number}/name",
    "/revisions/{number}/evaluation",
    "/revisions/{number}/projection",
    "/revisions/{number}/moved",
)
"""What a link to a revision opens, where the number is its own."""

RULES = OF_ITEMS | OPEN_TO_ALL | FOR_THE_KNOWN | IN_A_TEAM | OF_PEOPLE
