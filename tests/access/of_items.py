"""What routes of saved scenarios, designs and projections need."""

from __future__ import annotations

from typing import Any

from tests.access.actors import Outcome, Somebody
from tests.access.rule import TEXT, Rule, body, form
from tests.access.world import DOCUMENTS, SHELVES, Item

ANY_STATE = {"if-match": "*"}


def to_own_workspace(somebody: Somebody) -> Outcome | None:
    """A copy is made where one's own work is: guests have no such place, and some tokens may not write."""
    if somebody.name.startswith("link ") or somebody.name == "token elsewhere":
        return "hidden"
    return "forbidden" if somebody.name == "token reading" else None


def not_its_author(somebody: Somebody) -> Outcome | None:
    """The comment is the owner's."""
    return "forbidden" if "comment" in somebody.item and somebody.name != "owner" else None


def of_shelf(plural: str) -> dict[str, Rule]:
    """Routes that scenarios, designs and projections have in common."""
    kind = SHELVES[plural]
    here, one = f"/api/v1/{plural}", f"/api/v1/{plural}/{{id}}"
    document = DOCUMENTS[kind]
    merge = {
        "base_revision": 2,
        "document": {**document, "description": "Other"} if kind not in ("projection", "study") else document,
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
        **dict.fromkeys(
            (
                f"GET {design}/{section}"
                for section in (
                    "all",
                    "performance",
                    "supernode",
                    "fabric",
                    "power",
                    "cost",
                    "reliability",
                    "published",
                )
            ),
            ("read",),
        ),
        f"GET {design}/comments": ("read",),
        f"GET {design}/explain/{{path}}": ("read",),
        f"GET {design}/export": ("read",),
        f"GET {design}/report": ("read",),
        f"GET {design}/pack": ("read",),
        f"GET {design}/pack/steps": ("read",),
        f"GET {design}/embed/{{name}}": ("read",),
        f"GET {design}/report/document": ("read",),
        f"POST {design}/report/document": ("read", form(version="board")),
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
        "GET /explore/{key}/file": ("read",),
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
        "GET /facility/{key}/power_supply": ("read",),
        "GET /facility/{key}/power_supply/file": ("read",),
        "GET /facility/{key}/racks": ("read",),
        "GET /facility/{key}/sites": ("read",),
        "GET /operations/{key}": ("read",),
        "GET /operations/{key}/goodput": ("read",),
        "GET /operations/{key}/goodput/file": ("read",),
        "GET /operations/{key}/size": ("read",),
        "GET /operations/{key}/size/file": ("read",),
        "GET /operations/{key}/checkpoints": ("read",),
        "GET /operations/{key}/checkpoints/file": ("read",),
        "GET /operations/{key}/run": ("read",),
        "GET /operations/{key}/run/file": ("read",),
        "GET /operations/{key}/spares": ("read",),
        "GET /operations/{key}/spares/file": ("read",),
        "GET /operations/{key}/shared_parts": ("read",),
        "GET /operations/{key}/shared_parts/file": ("read",),
        "GET /operations/{key}/storage": ("read",),
        "GET /operations/{key}/storage/file": ("read",),
        "GET /operations/{key}/calibrate": ("read",),
        "GET /economics/{key}": ("read",),
        "GET /economics/{key}/cost": ("read",),
        "GET /economics/{key}/rent": ("read",),
        "GET /economics/{key}/cost/file": ("read",),
        "GET /economics/{key}/decision": ("read",),
        "GET /economics/{key}/time": ("read",),
        "GET /economics/{key}/carbon": ("read",),
        "GET /economics/{key}/difference": ("read",),
        "GET /economics/{key}/runs": ("read",),
        "GET /economics/{key}/cash": ("read",),
        "GET /economics/{key}/cash/file": ("read",),
        "GET /economics/{key}/build_out": ("read",),
        "GET /economics/{key}/build_out/file": ("read",),
        "GET /economics/{key}/uncertainty": ("read",),
        "GET /economics/{key}/uncertainty/sobol": ("read",),
        "GET /economics/{key}/uncertainty/samples.csv": ("read",),
        "GET /economics/{key}/uncertainty/report.json": ("read",),
        "GET /serving/{key}": ("read",),
        "GET /serving/{key}/latency": ("read",),
        "GET /serving/{key}/latency/file": ("read",),
        "GET /serving/{key}/simulation": ("read",),
        "GET /serving/{key}/simulation/file": ("read",),
        "POST /serving/{key}/simulation/trace": ("read", form()),
        "GET /serving/{key}/roofline": ("read",),
        "GET /serving/{key}/roofline/file": ("read",),
        "GET /serving/{key}/memory": ("read",),
        "GET /serving/{key}/memory/file": ("read",),
        "GET /serving/{key}/sizing": ("read",),
        "GET /serving/{key}/sizing/file": ("read",),
        "GET /serving/{key}/cost": ("read",),
        "GET /serving/{key}/cost/file": ("read",),
        "GET /serving/{key}/edge": ("read",),
        "GET /serving/{key}/edge/file": ("read",),
        "GET /fabric/{key}": ("read",),
        "GET /fabric/{key}/topology": ("read",),
        "GET /fabric/{key}/topology/file": ("read",),
        "GET /fabric/{key}/supernode": ("read",),
        "GET /fabric/{key}/supernode/file": ("read",),
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
    chart = f"GET {design}/embed/{{name}}"
    found[chart] = found[chart]._replace(place=lambda item: {"name": "tco"})
    found[f"GET {design}/export/{{what}}/{{name}}"] = Rule("read", "item", place=of_page, hidden=(422,))
    for route in (f"GET {saved}/fork", f"POST {saved}/fork"):
        found[route] = found[route]._replace(hidden=(404, 422))
    found[f"GET {saved}/erase"] = found[f"GET {saved}/erase"]._replace(nothing=True)  # it is not in the trash
    found[f"POST {design}/save"] = found[f"POST {design}/save"]._replace(hidden=(422,))  # as what was deleted
    return found


def without_a_workspace(somebody: Somebody) -> Outcome | None:
    """Who came by a link has no workspace to run anything in."""
    return "hidden" if "write" in somebody.item and not somebody.has_account else None


def of_page(item: Item) -> dict[str, str]:
    return {"path": "performance.mfu", "what": "evaluation", "name": "figures.csv", "part": "supernode"}


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
    "GET /api/v1/saved-studies/{id}/review": Rule("read", "item", kind="study"),
    "POST /api/v1/saved-studies/{id}/review": Rule(
        "write", "item", body({"move": "send"}, **ANY_STATE), kind="study"
    ),
    "GET /api/v1/saved-fleets/{id}/answer": Rule("read", "item", kind="fleet", nothing=True),
    "GET /fleet/saved/{id}": Rule("read", "item", kind="fleet"),
    "GET /fleet/saved/{id}/export": Rule("read", "item", kind="fleet"),
    "POST /fleet/saved/{id}/run": Rule("write", "item", form(), kind="fleet", instead=without_a_workspace),
    "GET /studies/{id}": Rule("read", "item", kind="study"),
    "GET /studies/{id}/export": Rule("read", "item", kind="study"),
    "GET /studies/{id}/report": Rule("read", "item", kind="study"),
    "GET /studies/{id}/report/document": Rule("read", "item", kind="study"),
    "POST /studies/{id}/report/document": Rule("read", "item", form(version="board"), kind="study"),
    "GET /studies/{id}/workbook": Rule("read", "item", kind="study"),
    "POST /studies/{id}/workbook": Rule("read", "item", form(without="names"), kind="study"),
    "POST /studies/{id}/change": Rule(
        "write", "item", form(do="decide", text="Eight", revision="2"), kind="study"
    ),
    "POST /studies/{id}/review": Rule("write", "item", form(move="send", version="2"), kind="study"),
    **pages_of_items(),
}
