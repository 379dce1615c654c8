"""`podwright serving edge`: latency budgets of users, from the pod and from a site near them."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, saved_work_here
from app.surfaces.cli.serving_views import AsCsv, print_view


def edge(
    ref: Ref,
    edge_system: Annotated[
        str | None,
        typer.Option("--edge-system", metavar="KEY", help="System at the edge; the design's own without it."),
    ] = None,
    edge_supernodes: Annotated[
        int | None, typer.Option("--edge-supernodes", metavar="N", help="SuperNodes at the edge.")
    ] = None,
    edge_share: Annotated[
        float | None,
        typer.Option("--edge-share", metavar="SHARE", help="Share of the requests answered there."),
    ] = None,
    edge_distance_km: Annotated[
        float | None, typer.Option("--edge-distance", metavar="KM", help="Fibre between users and edge.")
    ] = None,
    edge_round_trip_s: Annotated[
        float | None,
        typer.Option(
            "--edge-round-trip", metavar="SECONDS", help="Round trip to the edge; light without it."
        ),
    ] = None,
    cloud_distance_km: Annotated[
        float | None,
        typer.Option("--cloud-distance", metavar="KM", help="Fibre to the pod, where no regions are stated."),
    ] = None,
    latency_budget_s: Annotated[
        float | None,
        typer.Option("--budget", metavar="SECONDS", help="To the first token, where a place states none."),
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Edge against cloud: network, queue and prefill of every place against its latency budget."""
    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.evaluation.service import evaluate_scenario
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.serving.edge import edge_view
    from app.views.serving.edge_options import EdgeOptions
    from app.views.serving.needs_text import edge_text

    stated = {
        "edge_system": edge_system, "edge_supernodes": edge_supernodes, "edge_share": edge_share,
        "edge_distance_km": edge_distance_km, "edge_round_trip_s": edge_round_trip_s,
        "cloud_distance_km": cloud_distance_km, "latency_budget_s": latency_budget_s,
    }  # fmt: skip
    options = build_document(
        EdgeOptions, {name: value for name, value in stated.items() if value is not None}
    )
    scenario = referred(ref, saved_work_here()).evaluated
    catalog = ready_catalog().of(PERSONAL_WORKSPACE_ID)
    view = edge_view(scenario, catalog, options, lambda document: evaluate_scenario(document, catalog))
    print_view(view, edge_text, as_json, as_csv)
