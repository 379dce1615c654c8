"""What each route needs.

A route that is missing here fails the matrix, so nobody adds one without saying who may use it.
"""

from __future__ import annotations

import json

from app.surfaces.pages.studio.state import encode_state
from tests.access.in_teams import IN_A_TEAM
from tests.access.of_items import OF_ITEMS
from tests.access.of_people import OF_PEOPLE
from tests.access.rule import TEXT, Build, Rule, body, form
from tests.access.world import DOCUMENTS, SCENARIO


def known(
    method: str, *paths: str, send: Build = lambda item: {}, nothing: bool = False, **place: str
) -> dict[str, Rule]:
    """Routes for anyone who is known."""
    rule = Rule("known", send=send, place=lambda item: place, nothing=nothing)
    return {f"{method} {path}": rule for path in paths}


EVALUATE = body(SCENARIO)
STUDY = DOCUMENTS["study"]
STUDIO = body({"key": "edge_node", "scenario": SCENARIO, "path": "performance.mfu"})

OPEN_TO_ALL = {
    f"GET {path}": Rule("open", place=lambda item: {"version": "0", "path": "css/none.css", "secret": "none", "token": "none", "name": "tco"})
    for path in (
        "/healthz", "/readyz", "/openapi.json", "/docs", "/docs/problems", "/sign-in", "/sign-in/oidc",
        "/sign-in/oidc/callback", "/static/{version}/{path:path}", "/invitations/{secret}", "/s/{token}", "/s/{token}/embed/{name}",
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
    **known("GET", "/templates", "/import", "/start"),
    **known("GET", "/studies/from", send=lambda item: {"params": {"a": "edge_node"}}),
    **known("GET", "/studies", "/studies/new", "/studies/import", "/studies/save"),
    **known("POST", "/studies/import", send=form(text=json.dumps(STUDY))),
    **known("POST", "/studies/change", send=form(s=encode_state(STUDY), do="question", question="Which?")),
    **known("POST", "/studies/answer", send=form(s=encode_state(STUDY))),
    **known(
        "POST",
        "/studies/adopt",
        send=form(s=encode_state(STUDY), candidate='{"system": "dgx_h100", "supernodes": 8}'),
    ),
    **known("GET", "/start/{key}", key="extend"),
    **known("GET", "/examples/{key}/card", key="edge_node"),
    **known(
        "POST",
        *(f"/api/v1/questions/{key}" for key in ("train", "serve", "compare", "size", "site", "extend")),
        send=body({}),
    ),
    **known("GET", "/help", "/help/methods", "/palette.json", "/units"),
    **known("GET", "/help/files/{name}", name="sbom.cdx.json"),
    **known("GET", "/help/{key}", key="fabric"),
    **known("GET", "/help/{key}/{part}", key="decisions", part="0006-one-collective-model"),
    **known("GET", "/library/new", send=lambda item: {"params": {"kind": "supernode"}}),
    **known(
        "GET", "/explore/{key}/narrow", "/saved/{kind}/{id}", key="edge_node", kind="scenario", id="0" * 32
    ),
    **known("GET", "/validation/fabric", "/api/v1/validation/fabric"),
    **known("GET", "/validation/power", "/api/v1/validation/power"),
    **known("GET", "/validation/cost", "/api/v1/validation/cost", "/validation/reliability"),
    **known("GET", "/validation/serving", "/api/v1/validation/serving"),
    **known("GET", "/validation/serving/throughput", "/api/v1/validation/serving/throughput"),
    **known("GET", "/validation/serving/{quantity}", "/validation/serving/{quantity}/table", quantity="tpot"),
    **known("GET", "/validation/serving/{quantity}/table/{key:path}", quantity="tpot", key="1"),
    **known("GET", "/validation/collectives", "/validation/collectives/table", "/claims", "/gallery"),
    **known("GET", "/claims/{key}", key="S0-01"),
    **known("GET", "/gallery/{key}", key="gb200_nvl72"),
    **known(
        "GET", "/catalog/{kind}", "/catalog/{kind}/{key:path}", kind="accelerators", key="nvidia_h100_sxm"
    ),
    **known("GET", "/validation/training/{key:path}", key="MC24-001"),
    **known("GET", "/validation/collectives/table/{key:path}", key="1"),
    **known(
        "POST",
        "/studio/evaluate",
        "/studio/explain",
        "/studio/yaml",
        "/explore/domains",
        "/explore/supernode-sizes",
        send=STUDIO,
    ),
    **known("POST", "/studio/timeline", send=STUDIO),
    **known("POST", "/studio/detach", send=body({"scenario": SCENARIO, "part": "supernode"})),
    **known("POST", "/studio/export/{what}/{name}", send=STUDIO, what="evaluation", name="figures.csv"),
    **known("POST", "/sign-out", send=form()),
    **known("POST", "/workspace", send=form(key="none"), nothing=True),
    **known("POST", "/import", send=form(text=TEXT)),
    **known("POST", "/units", send=form(bandwidth="bits")),
    **known("POST", "/api/v1/evaluations", send=EVALUATE),
    **known("POST", "/api/v1/evaluations:batch", send=body({"scenarios": [SCENARIO]})),
    **known("POST", "/api/v1/explanations", "/api/v1/searches", "/api/v1/domain-studies", send=EVALUATE),
    **known("POST", "/api/v1/step-timelines", send=EVALUATE),
    **known(
        "POST",
        "/api/v1/model-descriptions",
        send=body({"model": {"layers": 2, "hidden": 64, "heads": 4, "vocabulary": 100}}),
    ),
    **known("POST", "/api/v1/calibrations", "/api/v1/projections", send=EVALUATE),
    **known(
        "POST",
        "/api/v1/fabric/bandwidth",
        "/api/v1/fabric/picture",
        "/api/v1/fabric/topologies",
        "/api/v1/fabric/supernode",
        send=EVALUATE,
    ),
    **known("POST", "/api/v1/fabric/faults", "/api/v1/fabric/sharing", send=EVALUATE),
    **known("POST", "/api/v1/fabric/utilisation", send=EVALUATE),
    **known(
        "POST",
        "/api/v1/fabric/growth",
        "/api/v1/fabric/sizes",
        "/api/v1/fabric/supernode-sizes",
        "/api/v1/fabric/memory-pool",
        "/api/v1/fabric/supernode-difference",
        send=EVALUATE,
    ),
    **known("POST", "/api/v1/fabric/cables", "/api/v1/fabric/cables/diff", send=EVALUATE),
    **known("POST", "/api/v1/facility/it", send=EVALUATE),
    **known("POST", "/api/v1/facility/electrical", send=EVALUATE),
    **known("POST", "/api/v1/facility/cooling", send=EVALUATE),
    **known("POST", "/api/v1/facility/hours", send=EVALUATE),
    **known("POST", "/api/v1/facility/power_supply", send=EVALUATE),
    **known("POST", "/api/v1/facility/racks", send=EVALUATE),
    **known("POST", "/api/v1/facility/sites", send=EVALUATE),
    **known("POST", "/api/v1/facility/savings", send=EVALUATE),
    **known(
        "POST",
        "/api/v1/operations/size",
        "/api/v1/operations/checkpoints",
        "/api/v1/operations/goodput",
        "/api/v1/operations/run",
        "/api/v1/operations/spares",
        "/api/v1/operations/shared_parts",
        "/api/v1/operations/storage",
        "/api/v1/operations/calibrate",
        send=EVALUATE,
    ),
    **known("POST", "/api/v1/economics/cost", send=EVALUATE),
    **known("POST", "/api/v1/economics/decision", "/api/v1/economics/cost_against_time", send=EVALUATE),
    **known("POST", "/api/v1/economics/cash_flow", "/api/v1/economics/build_out", send=EVALUATE),
    **known("POST", "/api/v1/economics/own_or_rent", send=EVALUATE),
    **known("POST", "/api/v1/economics/runs", send=EVALUATE),
    **known("POST", "/api/v1/economics/carbon", "/api/v1/economics/difference", send=EVALUATE),
    **known("POST", "/api/v1/economics/uncertainty", send=EVALUATE),
    **known("POST", "/api/v1/study", "/api/v1/study/workbook", send=body(STUDY)),
    **known("POST", "/api/v1/study/reports/{format}", send=body(STUDY), format="html"),
    **known("POST", "/api/v1/serving/latency", "/api/v1/serving/roofline", send=EVALUATE),
    **known("POST", "/api/v1/serving/simulation", send=EVALUATE),
    **known("POST", "/api/v1/serving/memory", "/api/v1/serving/sizing", send=EVALUATE),
    **known("POST", "/api/v1/serving/cost", "/api/v1/serving/edge", send=EVALUATE),
    **known("POST", "/api/v1/fabric/networks", "/api/v1/fabric/floor", "/api/v1/fabric/bill", send=EVALUATE),
    **known(
        "POST", "/api/v1/figures/{name}", "/api/v1/exports/{format}", send=EVALUATE, name="tco", format="csv"
    ),
    **known("POST", "/api/v1/reports/{format}", send=EVALUATE, format="html"),
    **known("POST", "/api/v1/packs", send=EVALUATE),
    **known("POST", "/api/v1/pictures/{name}/{format}", send=EVALUATE, name="tco", format="svg"),
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
        "/api/v1/validation/reliability",
    ),
    **known("GET", "/api/v1/catalog/climate/{key}", key="berlin"),
    **known("GET", "/api/v1/catalog", "/api/v1/workspaces", "/api/v1/account"),
    **known(
        "GET",
        "/api/v1/catalog/{kind:catalog_kind}",
        "/api/v1/catalog/{kind}/{key:path}",
        kind="accelerators",
        key="nvidia_h100_sxm",
    ),
}

PINNED_MAY = (
    "/revisions/{number}",
    "/revisions/{number}/name",
    "/revisions/{number}/evaluation",
    "/revisions/{number}/projection",
    "/revisions/{number}/moved",
)
"""What a link to a revision opens, where the number is its own."""

RULES = OF_ITEMS | OPEN_TO_ALL | FOR_THE_KNOWN | IN_A_TEAM | OF_PEOPLE
