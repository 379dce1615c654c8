"""The compute fabric of a scenario by its size: over the stages of its growth, and over sizes of several topologies."""

from __future__ import annotations

import dataclasses
from typing import Any

from fastapi import APIRouter, Response

from app.scenarios.fields import Part
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import example_scenarios, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, examples_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes
from app.views.fabric.growth import FabricGrowth, GrowthOptions, fabric_growth
from app.views.fabric.sizes import FabricSizes, SizesOptions, fabric_sizes

router = APIRouter()

EXAMPLE = "fft_3d_on_512_dgx_a100"
"""A worked example that has a compute fabric."""
ANSWERS = {"FabricGrowth": FabricGrowth, "FabricSizes": FabricSizes}
OPTIONS: dict[str, type[Part]] = {"FabricGrowthRequest": GrowthOptions, "FabricSizesRequest": SizesOptions}


def _body(schema: str, description: str, **options: Any) -> dict[str, Any]:
    example = {"scenario": example_scenarios()[EXAMPLE]["value"], **options}
    return examples_body(
        schema, description, {EXAMPLE: {"summary": "A pod of 512 servers", "value": example}}
    )


@router.post(
    "/growth",
    summary="Let a fabric grow",
    responses={200: json_answer("FabricGrowth", "Both ways to grow, stage by stage."), **PROBLEMS},
    openapi_extra=_body(
        "FabricGrowthRequest", "A scenario and the stages of its pod.", stages=[20, 80, 240, 512]
    ),
    dependencies=[only()],
)
async def let_grow(body: BodyDep, found: ServicesDep) -> Response:
    """A pod that grows to its final size in stages: what each stage buys for the compute fabric, what lies idle and
    which ports wait, which links are laid anew, and what it costs, low, typical and high. Twice: laid out for each
    stage as small as does, and laid out for the final size from the start.
    """
    return await found.workers.run(_growth, body, found)


def _growth(body: Body, found: Services) -> Response:
    options, scenario = asked(GrowthOptions, body, found)
    return json_response(dataclasses.asdict(fabric_growth(scenario, options)))


@router.post(
    "/sizes",
    summary="Compare topologies by size",
    responses={200: json_answer("FabricSizes", "Every topology at every size, and crossings."), **PROBLEMS},
    openapi_extra=_body(
        "FabricSizesRequest",
        "A scenario, topologies and sizes.",
        topologies=["fat_tree", "dragonfly"],
        supernodes=[16, 64, 256],
    ),
    dependencies=[only()],
)
async def compare_sizes(body: BodyDep, found: ServicesDep) -> Response:
    """Price, power, switches, cables, bisection and mean distance of the compute fabric over sizes, for several
    topologies of the scenario's SuperNodes and switches; where curves of price and of power cross; and where a
    topology ends.
    """
    return await found.workers.run(_sizes, body, found)


def _sizes(body: Body, found: Services) -> Response:
    options, scenario = asked(SizesOptions, body, found)
    return json_response(dataclasses.asdict(fabric_sizes(scenario, options)))


def by_size_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    found: dict[str, Any] = {}
    for name, answer in ANSWERS.items():
        found |= answer_shapes(name, answer)
    for name, options in OPTIONS.items():
        found |= request_shapes(name, options)
    return found
