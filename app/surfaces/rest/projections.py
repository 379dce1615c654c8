"""Scaling laws, and what they say of a model and of the design that trains it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, json_answer, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked_of_any, examples_body, small_scenario
from app.surfaces.rest.services import Services, ServicesDep
from app.views.projecting.options import ProjectionOptions
from app.views.projecting.project import laws_answer, project

router = APIRouter(tags=["projections"])


def _examples() -> dict[str, Any]:
    return {
        "compute": {"summary": "The best model for some compute", "value": {"flops": 5.76e23}},
        "deadline": {
            "summary": "The best model that a design trains in 90 days",
            "value": {"scenario": small_scenario(), "deadline_days": 90},
        },
    }


@router.get(
    "/scaling-laws",
    summary="List the scaling laws",
    responses={
        200: json_answer("ScalingLaws", "Every law, the default first.", headers=ETAG),
        304: NOT_MODIFIED,
        **problem_answers(INVALID_PARAMETER),
    },
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_scaling_laws(request: Request) -> Response:
    """Every scaling law with its formula, constants, intervals, source, and where it was fitted."""
    content = laws_answer()
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.post(
    "/projections",
    summary="Project a model by a scaling law",
    responses={
        200: json_answer("Projection", "The model, the best one for its compute, and the design."),
        **PROBLEMS,
    },
    openapi_extra=examples_body(
        "ProjectionRequest",
        "Given values of the model, and a scenario with a deadline or a budget.",
        _examples(),
    ),
    dependencies=[only()],
)
async def project_model(body: BodyDep, found: ServicesDep) -> Response:
    """From one or two of `parameters`, `tokens`, `flops` and `loss` the others: from one, the compute-optimal
    model. With a `scenario`, the days and the cost on its design; `deadline_days` and `budget_usd` then
    stand for the compute that they leave. Where the law was not fitted, `beyond_fit` says so.
    """
    return await found.workers.run(_projection, body, found)


def _projection(body: Body, found: Services) -> Response:
    return json_response(project(*asked_of_any(ProjectionOptions, body, found)))


NUMBER: dict[str, Any] = {"type": ["number", "null"]}
TEXT: dict[str, Any] = {"type": "string"}
BOUNDS: dict[str, Any] = {
    "type": ["object", "null"],
    "properties": {"low": NUMBER, "high": NUMBER},
    "required": ["low", "high"],
}
CONFIDENCE = TEXT | {"description": "high, medium, or memory: recalled and not confirmed."}


def projection_schemas() -> dict[str, Any]:
    """JSON Schemas of laws and projections by name."""
    return {
        "ScalingLaws": _object({"default": TEXT, "items": _list(_law())}) | {"title": "ScalingLaws"},
        "ProjectionRequest": _request(),
        "Projection": _projection_schema_projection() | {"title": "Projection"},
    }


def _law() -> dict[str, Any]:
    constant = _object(
        {
            "name": TEXT,
            "value": {"type": "number"},
            "low": NUMBER,
            "high": NUMBER,
            "probability": NUMBER | {"description": "That low and high hold the constant."},
            "standard_error": NUMBER,
            "confidence": CONFIDENCE,
            "note": TEXT,
        }
    )
    span = _object({"low": NUMBER, "high": NUMBER})
    return _object(
        {
            "key": TEXT,
            "name": TEXT,
            "formula": TEXT,
            "confidence": CONFIDENCE,
            "source": TEXT,
            "note": TEXT,
            "base": {"type": ["string", "null"], "description": "The law whose constants it takes."},
            "needs": {"type": ["string", "null"], "description": "Required parameters."},
            "fitted": _object(dict.fromkeys(("parameters", "tokens", "flops"), span)),
            "constants": _list(constant),
        }
    )


def _request() -> dict[str, Any]:
    options = ProjectionOptions.model_json_schema()
    options["properties"] = {
        "scenario": {"$ref": "#/components/schemas/ScenarioDocument"},
        **options["properties"],
    }
    return options | {"title": "ProjectionRequest"}


def _projection_schema_projection() -> dict[str, Any]:
    figures = _object(
        dict.fromkeys(("parameters", "tokens", "flops", "loss", "tokens_per_parameter"), NUMBER)
    )
    speed = _object(dict.fromkeys(("flops", "parameters", "tokens", "loss"), BOUNDS))
    cheapest = _object(dict.fromkeys(("parameters", "tokens", "flops", "lifetime_flops"), NUMBER))
    return _object(
        {
            "law": TEXT,
            "law_name": TEXT,
            "source": TEXT,
            "confidence": CONFIDENCE,
            "given": {"type": "object", "description": "Query, without the law."},
            "binding": {
                "type": ["string", "null"],
                "description": "deadline_days or budget_usd where it set the compute.",
            },
            "model": figures,
            "optimal": _null(figures, "The best model for the same compute; null where the law has none."),
            "over_training": _object(
                {
                    "tokens_per_parameter_ratio": NUMBER
                    | {"description": "Against the best; above 1 over-trained."},
                    "loss_above_optimal": NUMBER | {"description": "[nats/token]"},
                    "extra_compute_share": NUMBER
                    | {"description": "Beyond the least that reaches the loss."},
                }
            ),
            "beyond_fit": _list(_object({"quantity": TEXT, "factor": {"type": "number"}, "message": TEXT})),
            "intervals": _object(
                {
                    "probability": {"type": "number"},
                    "law": _object(dict.fromkeys(("optimal_parameters", "optimal_tokens", "loss"), BOUNDS)),
                    "speed": _null(speed, "By the uncertainty of the speed, where that set the compute."),
                }
            ),
            "serving": _null(
                _object(
                    {
                        "inference_tokens": {"type": "number"},
                        "lifetime_flops": NUMBER,
                        "cheapest": cheapest,
                        "saved_share": NUMBER,
                    }
                ),
                "Compute over the life of the model, with inference_tokens.",
            ),
            "effective_dense_parameters": NUMBER | {"description": "For moe_routed."},
            "epochs": _null(
                _object(dict.fromkeys(("epochs", "effective_tokens", "worth_share"), NUMBER)),
                "For data_constrained.",
            ),
            "design": _null(_design(), "With a scenario."),
        }
    )


def _design() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 0}
    return _object(
        {
            "name": TEXT,
            "feasible": {"type": "boolean"},
            "supernodes": count,
            "accelerators": count,
            "sustained_flop_per_s": NUMBER
            | {"description": "6 N D of its own run over its elapsed time [FLOP/s]."},
            "days": NUMBER,
            "days_interval": BOUNDS,
            "usd": NUMBER | {"description": "When owned [USD]."},
            "usd_interval": BOUNDS,
            "supernodes_needed": {
                "type": ["integer", "null"],
                "description": "That meet deadline_days, each as fast as those of the design.",
            },
            "supernodes_needed_interval": BOUNDS,
            "accelerators_needed": {
                "type": ["integer", "null"],
                "description": "Of those SuperNodes, as many of each as the design uses.",
            },
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _null(shape: dict[str, Any], description: str) -> dict[str, Any]:
    return shape | {"type": ["object", "null"], "description": description}
