"""`podwright facility sites`: the same design at every site of the catalog."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.common import AsJson, Ref, print_json, saved_work_here


def sites(
    ref: Ref,
    plant: Annotated[
        str,
        typer.Option("--plant", help="as_designed, cheapest (at each site), or a plant of facility.cooling."),
    ] = "as_designed",
    sort: Annotated[str, typer.Option("--sort", help="score, cost, carbon, water or pue.")] = "score",
    weights: Annotated[
        str,
        typer.Option("--weights", metavar="A,B,C,D", help="What cost, carbon, water and PUE count."),
    ] = "1,1,1,0",
    as_json: AsJson = False,
) -> None:
    """Compare sites for the same design by cost, carbon, water and PUE."""
    from app.catalog.ready import ready_catalog
    from app.cli.reference import referred
    from app.db.tables import PERSONAL_WORKSPACE_ID
    from app.exports.sites_text import sites_text
    from app.scenarios.errors import refuse
    from app.scenarios.facility.sites import RANKED_BY, SitesOptions, report_json, sites_answer
    from app.scenarios.load import build_document

    numbers = weights.split(",")
    try:
        weighed = dict(zip(RANKED_BY, (float(number) for number in numbers), strict=True))
    except ValueError:
        raise refuse(
            f"{weights[:60]!r} are not four numbers.",
            rule="weights",
            path="--weights",
            hint=f"Write one each for {', '.join(RANKED_BY)}, such as 1,1,0,0.",
        ) from None
    options = build_document(SitesOptions, {"plant": plant, "sort": sort, "weights": weighed})
    evaluated = referred(ref, saved_work_here()).evaluated
    answer = sites_answer(evaluated, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)
    if as_json:
        print_json(report_json(answer))
    else:
        typer.echo(sites_text(answer))
