"""How right the engine is: its errors on published measurements."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response

from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import ValidatedCollective, validated_collectives
from app.catalog.validated_runs import ValidatedRun, validated_runs
from app.scenarios.errors import shorten
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.cost_validation import CostErrorsAnswer, cost_errors
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.surfaces.rest.parameters import only, parameter_problem
from app.surfaces.rest.power_validation import power_errors
from app.surfaces.rest.power_validation_models import PowerErrorsAnswer
from app.surfaces.rest.problem_types import INVALID_PARAMETER
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.serving_validation import (
    ServingErrorsAnswer,
    ThroughputErrorsAnswer,
    serving_errors,
    throughput_errors,
)
from app.surfaces.rest.validation_models import (
    CollectiveErrorsAnswer,
    FabricErrorsAnswer,
    ScalingErrorsAnswer,
    TrainingErrorsAnswer,
    ValidatedCollectiveAnswer,
    ValidatedRunAnswer,
)
from app.validation.cost.study import published_costs
from app.validation.fabric.study import Checked, published_fabrics
from app.validation.judged import (
    BASES,
    COLLECTIVE_BASES,
    COLLECTIVE_GROUPINGS,
    GROUPINGS,
    Basis,
    Grouping,
    Judged,
    One,
    groups,
    judged,
    summary_of,
)
from app.validation.power.study import published_power
from app.validation.scaling.study import scaling_figures
from app.validation.serving.published import SCORES, SERVING_BASES, ServedMeasurement, published_serving
from app.validation.serving.throughput import published_throughputs

router = APIRouter(prefix="/validation", tags=["validation"])

GivenBasis = Annotated[dict[str, str], only("basis")]
GivenLatency = Annotated[dict[str, str], only("quantity", "basis")]


def basis_parameter(bases: Mapping[str, Basis[Any]]) -> dict[str, Any]:
    """The fit to predict by; the first is the one without being asked."""
    said = "; ".join(f"`{basis.key}`, {basis.says}" for basis in bases.values())
    return query_parameter(
        "basis",
        f"By which fit measurements are predicted: {said}.",
        {"type": "string", "enum": list(bases), "default": next(iter(bases))},
    )


@router.get(
    "/training",
    summary="Read how right training speeds are",
    response_model=TrainingErrorsAnswer,
    response_description="Errors of all published runs, by group and run by run.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [basis_parameter(BASES), IF_NONE_MATCH]},
)
def read_training_errors(request: Request, given: GivenBasis) -> Response:
    """Every published training run that the engine is held against, measured and predicted, and the errors in a
    few numbers. Left alone, each run is predicted with constants that were fitted without its source and
    without its accelerator.
    """
    content = _training_errors(_basis(given, BASES))
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/collectives",
    summary="Read how right times of collectives are",
    response_model=CollectiveErrorsAnswer,
    response_description="Errors of all measured collectives, by group and one by one.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [basis_parameter(COLLECTIVE_BASES), IF_NONE_MATCH]},
)
def read_collective_errors(request: Request, given: GivenBasis) -> Response:
    """Every measured collective that the engine is held against, measured and predicted, and the errors in a
    few numbers. Left alone, each is predicted with constants that were fitted without its system.
    """
    content = _collective_errors(_basis(given, COLLECTIVE_BASES))
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/scaling-laws",
    summary="Read how right scaling laws are",
    response_model=ScalingErrorsAnswer,
    response_description="Published figures beside ours.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_scaling_errors(request: Request) -> Response:
    """Every figure that papers print of their scaling laws and that can be computed anew, beside ours, and why
    the two differ where they do.
    """
    content = _scaling_errors()
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/fabric",
    summary="Read how right counts of fabrics are",
    response_model=FabricErrorsAnswer,
    response_description="Published fabrics beside ours, count by count.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_fabric_errors(request: Request, found: ServicesDep) -> Response:
    """Every published fabric that prints counts of switches and cables, beside the counts that its inputs give by
    the functions that size every design: which come out in every count, and which cannot be right as printed.
    """
    content = _fabric_errors(found)
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/power",
    summary="Read how right power and cooling are",
    response_model=PowerErrorsAnswer,
    response_description="Published figures and regions beside ours, with errors and ranks.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_power_errors(request: Request, found: ServicesDep) -> Response:
    """Every published figure of node power, PUE, water, flow and sizing that the engine is held against, beside
    ours, and published PUE and WUE of cloud regions beside the usual data centre in the climate of each. Nothing is
    fitted; ranks say whether places come in the right order.
    """
    content = power_errors(published_power(found.catalog()))
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/cost",
    summary="Read how right costs of runs are",
    response_model=CostErrorsAnswer,
    response_description="Published costs, hours, energy and carbon of runs beside ours.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_cost_errors(request: Request, found: ServicesDep) -> Response:
    """Every published figure of what runs cost, take and emit, beside ours by the method that its source used, with the
    arithmetic in words; and models by each method that was published of them. Nothing is fitted.
    """
    content = cost_errors(published_costs(found.catalog()))
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/serving",
    summary="Read how right latencies of served models are",
    response_model=ServingErrorsAnswer,
    response_description="Errors of one latency by every fit, by group and one by one.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={
        "parameters": [
            query_parameter(
                "quantity",
                "`tpot`, time per token of aggregated instances; `tpot_disaggregated`, of disaggregated ones whose layout "
                "and load are known; `ttft`, time to the first token of aggregated instances with up to 128 requests in "
                "flight.",
                {"type": "string", "enum": list(SCORES), "default": SCORES[0]},
            ),
            basis_parameter(SERVING_BASES),
            IF_NONE_MATCH,
        ]
    },
)
def read_serving_errors(request: Request, given: GivenLatency, found: ServicesDep) -> Response:
    """Every distinct measured latency of served models that the engine is held against, measured and predicted, and the
    errors in a few numbers by every fit. Left alone, each is predicted with constants that were fitted without its
    family of models. Times to the first token above 128 requests in flight are not to be trusted, and not scored.
    """
    quantity = given.get("quantity", SCORES[0])
    if quantity not in SCORES:
        message = f"{shorten(quantity)} is no latency that is scored."
        raise parameter_problem("quantity", "one_of", message, f"Latencies: {', '.join(SCORES)}.")
    content = _serving_errors(found.catalog().builtin, quantity, _basis(given, SERVING_BASES))
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/serving/throughput",
    summary="Read how right throughputs of served models are",
    response_model=ThroughputErrorsAnswer,
    response_description="Published throughputs beside ours.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_throughput_errors(request: Request, found: ServicesDep) -> Response:
    """Every published throughput of served models that the engine is held against, beside ours in the unit of its
    source. Results of perfect balance over the experts are `idealised`: they are there, and not scored.
    """
    content = throughput_errors(published_throughputs(found.catalog()))
    return conditional(request, content_etag(content), lambda: (content, {}))


def _basis(given: Mapping[str, str], bases: Mapping[str, Basis[One]]) -> Basis[One]:
    name = given.get("basis", next(iter(bases)))
    if name not in bases:
        message = f"{shorten(name)} is not a fit to predict by."
        raise parameter_problem("basis", "one_of", message, f"Fits: {', '.join(bases)}.")
    return bases[name]


def _training_errors(basis: Basis[ValidatedRun]) -> dict[str, Any]:
    everything = judged(validated_runs(), basis)
    return {
        "basis": basis.key,
        "errors": _errors(everything),
        "errors_by_source": _errors(everything, sources_equal=True),
        "groupings": _groupings(everything, GROUPINGS),
        "runs": [_run(one) for one in everything],
    }


@functools.cache
def _collective_errors(basis: Basis[ValidatedCollective]) -> dict[str, Any]:
    """Made once a process: what is shipped does not change."""
    everything = judged(validated_collectives(), basis)
    return {
        "basis": basis.key,
        "errors": _errors(everything),
        "errors_by_system": _errors(everything, sources_equal=True),
        "groupings": _groupings(everything, COLLECTIVE_GROUPINGS),
        "measurements": [_measurement(one) for one in everything],
    }


@functools.lru_cache(maxsize=len(SCORES) * len(SERVING_BASES))
def _serving_errors(catalog: Catalog, quantity: str, basis: Basis[ServedMeasurement]) -> dict[str, Any]:
    """Made once a catalog revision."""
    return serving_errors(published_serving(catalog), quantity, basis)


def _scaling_errors() -> dict[str, Any]:
    figures = scaling_figures()
    agreeing = sum(one.agrees for one in figures)
    explained = sum(not one.agrees and bool(one.reason) for one in figures)
    return {
        "figures": len(figures),
        "within_1_pct": agreeing,
        "explained": explained,
        "unexplained": len(figures) - agreeing - explained,
        "items": [
            {
                "id": one.row.key,
                **{name: one.row.text(name) for name in ("law", "case", "quantity", "input", "source")},
                "published": one.published,
                "computed": one.predicted,
                "error": one.error,
                "agrees": one.agrees,
                "explained": one.reason,
            }
            for one in figures
        ],
    }


def _fabric_errors(services: Services) -> dict[str, Any]:
    found = published_fabrics(services.catalog())
    return {
        "rows": len(found.checked) + len(found.left_out),
        "computed": len(found.checked),
        "exact": found.exact,
        "flagged": found.flagged,
        "items": [_published_fabric(one) for one in found.checked],
        "unsupported": [{"id": one.row.key, "reason": one.reason} for one in found.left_out],
    }


def _published_fabric(one: Checked) -> dict[str, Any]:
    words = ("system", "fabric", "topology", "confidence", "source")
    return {
        "id": one.row.key,
        **{name: one.row.text(name) for name in words},
        "exact": one.exact,
        "counts": [
            {"column": column, "printed": printed, "computed": one.computed.counts.get(column)}
            for column, printed in one.printed.items()
        ],
        "flagged": one.doubts,
        "assumed": list(one.computed.assumed),
    }


def _groupings(
    everything: Sequence[Judged[One]], groupings: Mapping[str, Grouping[One]]
) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "groups": [
                {"name": group.name, "errors": _errors(group.members)}
                for group in groups(everything, grouping)
            ],
        }
        for name, grouping in groupings.items()
    ]


def _errors(members: Sequence[Judged[One]], *, sources_equal: bool = False) -> dict[str, Any] | None:
    summary = summary_of(members, sources_equal=sources_equal)
    return dataclasses.asdict(summary) if summary else None


def _run(one: Judged[ValidatedRun]) -> dict[str, Any]:
    values = dataclasses.asdict(one.run) | {
        "predicted_tokens_per_s": one.predicted,
        "error": one.error,
        "held": one.held,
        "href": f"/validation/training/{one.run.id}",
    }
    return {name: values[name] for name in ValidatedRunAnswer.model_fields}


def _measurement(one: Judged[ValidatedCollective]) -> dict[str, Any]:
    values = dataclasses.asdict(one.run) | {
        "predicted_us": one.predicted,
        "error": one.error,
        "held": one.held,
        "href": f"/validation/collectives/table/{one.run.id}",
    }
    return {name: values[name] for name in ValidatedCollectiveAnswer.model_fields}
