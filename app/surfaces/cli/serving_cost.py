"""`podwright serving cost`: a million tokens in and out, by hardware and number format."""

from __future__ import annotations

from typing import Annotated

import typer

from app.surfaces.cli.common import AsJson, Ref, saved_work_here
from app.surfaces.cli.serving_views import AsCsv, print_view


def cost(
    ref: Ref,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="KEY", help="A system of the catalog; give it once for each."),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format", metavar="FORMAT", help="A number format, such as fp8; give it once for each."
        ),
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Cost of a million tokens in and out: the same demand on other systems and in other formats."""
    from app.catalog.ready import ready_catalog
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.scenarios.evaluation.service import evaluate_scenario
    from app.scenarios.load import build_document
    from app.surfaces.cli.reference import referred
    from app.views.serving.needs_text import token_cost_text
    from app.views.serving.token_cost import token_cost_view
    from app.views.serving.token_cost_options import TokenCostOptions

    options = build_document(TokenCostOptions, {"systems": systems or [], "formats": formats or []})
    scenario = referred(ref, saved_work_here()).evaluated
    catalog = ready_catalog().of(PERSONAL_WORKSPACE_ID)
    view = token_cost_view(scenario, catalog, options, lambda document: evaluate_scenario(document, catalog))
    print_view(view, token_cost_text, as_json, as_csv)
