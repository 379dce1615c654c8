"""Validation: errors of the engine on published measurements."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response

from app.catalog.lookup import Catalog
from app.catalog.validated import validated_collectives, validated_runs
from app.scenarios.errors import shorten
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.surfaces.rest.parameters import only, parameter_problem
from app.surfaces.rest.problem_types import INVALID_PARAMETER
from app.surfaces.rest.services import ServicesDep
from app.surfaces.rest.validation_models import (
    CollectiveErrorsAnswer,
    CostErrorsAnswer,
    CostFigureAnswer,
    FabricErrorsAnswer,
    PowerErrorsAnswer,
    PowerFigureAnswer,
    PublishedFabricAnswer,
    RegionFiguresAnswer,
    ReliabilityErrorsAnswer,
    ReliabilityFigureAnswer,
    ScalingErrorsAnswer,
    ScalingFigureAnswer,
    ServedMeasurementAnswer,
    ServingErrorsAnswer,
    ThroughputErrorsAnswer,
    ThroughputFigureAnswer,
    TrainingErrorsAnswer,
    ValidatedCollectiveAnswer,
    ValidatedRunAnswer,
)
from app.validation.cost.study import COST, METHOD, ModelCosts, model_costs
from app.validation.fabric.study import FABRIC
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
from app.validation.power.facility import operators_band
from app.validation.power.regions import PROVIDER, REGIONS
from app.validation.power.study import POWER, QUANTITY
from app.validation.reliability.study import RELIABILITY
from app.validation.scaling.study import SCALING
from app.validation.serving.published import (
    SCORES,
    SERVING_BASES,
    SERVING_GROUPINGS,
    ServedMeasurement,
    constants_by_owner,
    published_serving,
)
from app.validation.serving.report import score_of
from app.validation.serving.study import NOTES
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import Checked, Compared, Errors, LeftOut, Shipped, errors_of

router = APIRouter(prefix="/validation", tags=["validation"])


class ErrorsAddress(NamedTuple):
    """An address of errors: its words, its answer, and the parameters that it takes."""

    path: str
    name: str
    summary: str
    says: str
    found: str  # what the answer is
    model: type[Answer]
    answer: Callable[[Catalog, Mapping[str, str]], dict[str, Any]]
    parameters: tuple[dict[str, Any], ...] = ()


def _let_read(one: ErrorsAddress) -> None:
    def read(
        request: Request,
        found: ServicesDep,
        given: dict[str, str] = only(*(parameter["name"] for parameter in one.parameters)),
    ) -> Response:
        content = one.answer(found.catalog(), given)
        return conditional(request, content_etag(content), lambda: (content, {}))

    router.add_api_route(
        one.path,
        read,
        name=one.name,
        summary=one.summary,
        description=inspect.cleandoc(one.says),
        response_model=one.model,
        response_description=one.found,
        responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
        openapi_extra={"parameters": [*one.parameters, IF_NONE_MATCH]},
    )


def basis_parameter(bases: Mapping[str, Basis[Any]]) -> dict[str, Any]:
    """The fit to predict by; the first is the one without being asked."""
    said = "; ".join(f"`{basis.key}`, {basis.says}" for basis in bases.values())
    return query_parameter(
        "basis",
        f"By which fit measurements are predicted: {said}.",
        {"type": "string", "enum": list(bases), "default": next(iter(bases))},
    )


def _basis(given: Mapping[str, str], bases: Mapping[str, Basis[One]]) -> Basis[One]:
    name = given.get("basis", next(iter(bases)))
    if name not in bases:
        message = f"{shorten(name)} is not a fit to predict by."
        raise parameter_problem("basis", "one_of", message, f"Fits: {', '.join(bases)}.")
    return bases[name]


# Measurements that constants were fitted to, by a fit that may not have seen them.


def _training_errors(basis: Basis[Any]) -> dict[str, Any]:
    everything = judged(validated_runs(), basis)
    return {
        "basis": basis.key,
        "errors": _errors(everything),
        "errors_by_source": _errors(everything, sources_equal=True),
        "groupings": _groupings(everything, GROUPINGS, _errors),
        "runs": [
            _measurement(one, ValidatedRunAnswer, "tokens_per_s", "/validation/training")
            for one in everything
        ],
    }


@functools.cache
def _collective_errors(basis: Basis[Any]) -> dict[str, Any]:
    """Made once a process: what is shipped does not change."""
    everything = judged(validated_collectives(), basis)
    return {
        "basis": basis.key,
        "errors": _errors(everything),
        "errors_by_system": _errors(everything, sources_equal=True),
        "groupings": _groupings(everything, COLLECTIVE_GROUPINGS, _errors),
        "measurements": [
            _measurement(one, ValidatedCollectiveAnswer, "us", "/validation/collectives/table")
            for one in everything
        ],
    }


def _serving(catalog: Catalog, given: Mapping[str, str]) -> dict[str, Any]:
    quantity = given.get("quantity", SCORES[0])
    if quantity not in SCORES:
        message = f"{shorten(quantity)} is no latency that is scored."
        raise parameter_problem("quantity", "one_of", message, f"Latencies: {', '.join(SCORES)}.")
    return _serving_errors(catalog.builtin, quantity, _basis(given, SERVING_BASES))


@functools.lru_cache(maxsize=len(SCORES) * len(SERVING_BASES))
def _serving_errors(catalog: Catalog, quantity: str, basis: Basis[ServedMeasurement]) -> dict[str, Any]:
    """Made once a catalog revision."""
    found = published_serving(catalog)
    everything = judged(found.measurements[quantity], basis)
    owners = constants_by_owner()
    report = found.report
    address = f"/validation/serving/{quantity.replace('_', '-')}/table"
    return {
        "quantity": quantity,
        "basis": basis.key,
        "rows": report.rows,
        "scored": report.scored,
        "supported": len(report.predictions),
        "fitted_constants": sum(owners.values()),
        "constants": [{"owner": owner, "constants": count} for owner, count in owners.items()],
        "refitted": sorted(name for names in found.refitted.values() for name in names),
        "errors": _fits(everything),
        "groupings": _groupings(everything, SERVING_GROUPINGS, _fits),
        "measurements": [_measurement(one, ServedMeasurementAnswer, "ms", address) for one in everything],
        "beside": [{"name": name, **report.extra[name]} for name in NOTES],
        "repeats": found.repeats,
        "cold_starts": list(found.cold_starts),
        "unsupported": [one._asdict() for one in found.unsupported],
        "unscored": [one._asdict() for one in found.unscored],
    }


def _groupings(
    everything: Sequence[Judged[One]],
    groupings: Mapping[str, Grouping[One]],
    errors: Callable[[Sequence[Judged[One]]], Any],
) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "groups": [
                {"name": group.name, "errors": errors(group.members)}
                for group in groups(everything, grouping)
            ],
        }
        for name, grouping in groupings.items()
    ]


def _errors(members: Sequence[Judged[Any]], *, sources_equal: bool = False) -> dict[str, Any] | None:
    summary = summary_of(members, sources_equal=sources_equal)
    return asdict(summary) if summary else None


def _fits(members: Sequence[Judged[ServedMeasurement]]) -> dict[str, Any]:
    runs = [one.run for one in members]
    return {
        name: asdict(score_of([one.prediction for one in judged(runs, basis)]))
        for name, basis in SERVING_BASES.items()
    }


def _measurement(one: Judged[Any], model: type[Answer], unit: str, address: str) -> dict[str, Any]:
    values = asdict(one.run) | {
        f"predicted_{unit}": one.predicted,
        "error": one.error,
        "held": one.held,
        "href": f"{address}/{one.run.id}",
    }
    return {name: values[name] for name in model.model_fields}


# Figures that are compared one with one.


def _scaling_errors(compared: Compared[Any]) -> dict[str, Any]:
    found = [one.found for one in compared.figures]
    agreeing = sum(one.agrees for one in found)
    explained = sum(not one.agrees and bool(one.reason) for one in found)
    return {
        "figures": len(found),
        "within_1_pct": agreeing,
        "explained": explained,
        "unexplained": len(found) - agreeing - explained,
        "items": [
            _figure(
                one,
                ScalingFigureAnswer,
                computed=one.prediction.predicted,
                agrees=one.found.agrees,
                explained=one.found.reason,
            )
            for one in compared.figures
        ],
    }


def _fabric_errors(compared: Compared[Any]) -> dict[str, Any]:
    found = [one.found for one in compared.figures]
    return {
        "rows": len(compared.rows),
        "computed": len(found),
        "exact": sum(one.exact for one in found),
        "flagged": sum(bool(one.doubts) for one in found),
        "items": [_fabric(one) for one in compared.figures],
        "unsupported": _left_out(compared.unsupported),
    }


def _fabric(one: Checked[Any]) -> dict[str, Any]:
    counts = [
        {"column": column, "printed": printed, "computed": one.found.computed.counts.get(column)}
        for column, printed in one.found.printed.items()
    ]
    return _figure(one, PublishedFabricAnswer, exact=one.found.exact, counts=counts, flagged=one.found.doubts)


def _power_errors(catalog: Catalog) -> dict[str, Any]:
    found = POWER.shipped(catalog)
    extra = found.report.extra
    return {
        **_totals(found),
        "pue_less_one": extra["pue_less_one"],
        "kinds": _by(found.compared.by(QUANTITY)),
        "rank_correlation": _ranks(extra["rank_correlation"]),
        "items": [
            _figure(one, PowerFigureAnswer, kind=one.prediction.groups[QUANTITY])
            for one in found.compared.figures
        ],
        "regions": _regions(REGIONS.shipped(catalog), catalog),
    }


def _reliability_errors(catalog: Catalog) -> dict[str, Any]:
    found = RELIABILITY.shipped(catalog)
    return {
        **_totals(found),
        "within_interval": found.report.extra["within_interval"],
        "quantities": _by(found.compared.by("quantity")),
        "items": [
            _figure(one, ReliabilityFigureAnswer, **one.prediction.groups) for one in found.compared.figures
        ],
    }


def _regions(found: Shipped[Any], catalog: Catalog) -> dict[str, Any]:
    compared, extra = found.compared, found.report.extra
    below, above = operators_band(catalog)
    water = extra["wue"]
    return {
        "rows": len(compared.rows),
        "computed": len(compared.predictions),
        "model": extra["model"],
        "errors": asdict(errors_of(compared.predictions)),
        "pue_less_one": extra["pue_less_one"],
        "providers": _by(compared.by(PROVIDER)),
        "rank_correlation": _ranks(extra["rank_correlation"]),
        "rank_correlation_with_far": _ranks(extra["rank_correlation_with_far"]),
        "operators_below": below,
        "operators_above": above,
        "water": {name: value for name, value in water.items() if name != "plant"}
        | {"rank_correlation": _ranks(water["rank_correlation"])},
        "items": [
            _figure(
                one,
                RegionFiguresAnswer,
                place=one.found.place.badge,
                near=one.found.place.near,
                **{
                    name: getattr(one.found, name)
                    for name in ("pue", "predicted_pue", "wue_l_per_kwh", "predicted_wue_l_per_kwh")
                },
            )
            for one in compared.figures
        ],
        "unsupported": _left_out(compared.unsupported),
    }


def _cost_errors(catalog: Catalog) -> dict[str, Any]:
    found = COST.shipped(catalog)
    return {
        **_totals(found),
        "methods": _by(found.compared.by(METHOD)),
        "models": [_model(one) for one in model_costs(catalog.builtin)],
        "items": [
            _figure(
                one, CostFigureAnswer, method=one.prediction.groups[METHOD], arithmetic=one.found.arithmetic
            )
            for one in found.compared.figures
        ],
    }


def _model(one: ModelCosts) -> dict[str, Any]:
    return {
        "name": one.name,
        "methods": [
            {
                "method": by.method,
                "published_usd": by.published_usd,
                "predicted_usd": None if by.computed is None else by.computed.value,
                "error": by.error,
                "said": by.said,
            }
            for by in one.methods
        ],
    }


def _throughput_errors(catalog: Catalog) -> dict[str, Any]:
    found = THROUGHPUT.shipped(catalog)
    items = [
        _figure(one, ThroughputFigureAnswer, accelerators=one.row.text("n"), idealised=bool(one.label))
        for one in found.compared.figures
    ]
    return {**_totals(found), "items": items}


def _totals(found: Shipped[Any]) -> dict[str, Any]:
    """Fields common to all kinds of single figures."""
    report, compared = found.report, found.compared
    return {
        "rows": report.rows,
        "scored": report.scored,
        "computed": len(report.predictions),
        "errors": asdict(errors_of(report.predictions)),
        "errors_by_source": asdict(report.totals),
        "unsupported": _left_out(compared.unsupported),
        "unscored": _left_out(compared.unscored),
    }


def _figure(one: Checked[Any], model: type[Answer], **more: Any) -> dict[str, Any]:
    """The members of an item: of the prediction, of what the kind knows alongside it, else cells of its
    row."""
    prediction = one.prediction
    values = {
        "id": one.row.key,
        "published": prediction.measured,
        "predicted": prediction.predicted,
        "low": prediction.low,
        "high": prediction.high,
        "error": prediction.error,
        "assumed": list(prediction.assumed),
        **more,
    }
    return {name: values[name] if name in values else one.row.text(name) for name in model.model_fields}


def _left_out(rows: Sequence[LeftOut]) -> list[dict[str, str]]:
    return [{"id": one.row.key, "reason": one.reason} for one in rows]


def _by(found: Mapping[str, Errors]) -> list[dict[str, Any]]:
    return [{"name": name, "errors": asdict(errors)} for name, errors in found.items()]


def _ranks(found: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"name": name, **one} for name, one in found.items()]


QUANTITY_PARAMETER = query_parameter(
    "quantity",
    "`tpot`, time per token of aggregated instances; `tpot_disaggregated`, of disaggregated ones whose layout "
    "and load are known; `ttft`, time to the first token of aggregated instances with up to 128 requests in "
    "flight.",
    {"type": "string", "enum": list(SCORES), "default": SCORES[0]},
)

for _one in (
    ErrorsAddress(
        "/training",
        "read_training_errors",
        "Validate training speeds",
        """Every published training run that the engine is held against, measured and predicted, and the errors in a
        few numbers. By default, each run is predicted with constants that were fitted without its source and
        without its accelerator.
        """,
        "Errors of all published runs, by group and run by run.",
        TrainingErrorsAnswer,
        lambda catalog, given: _training_errors(_basis(given, BASES)),
        (basis_parameter(BASES),),
    ),
    ErrorsAddress(
        "/collectives",
        "read_collective_errors",
        "Validate collective times",
        """Every measured collective that the engine is held against, measured and predicted, and the errors in a
        few numbers. By default, each is predicted with constants that were fitted without its system.
        """,
        "Errors of all measured collectives, by group and one by one.",
        CollectiveErrorsAnswer,
        lambda catalog, given: _collective_errors(_basis(given, COLLECTIVE_BASES)),
        (basis_parameter(COLLECTIVE_BASES),),
    ),
    ErrorsAddress(
        "/scaling-laws",
        "read_scaling_errors",
        "Validate scaling laws",
        """Published figures of scaling laws that can be computed again, with the computed ones, and why
        the two differ where they do.
        """,
        "Published and computed figures.",
        ScalingErrorsAnswer,
        lambda catalog, given: _scaling_errors(SCALING.shipped(catalog).compared),
    ),
    ErrorsAddress(
        "/fabric",
        "read_fabric_errors",
        "Validate fabric counts",
        """Every published fabric that prints counts of switches and cables, beside the counts that its inputs give by
        the functions that size every design: which come out in every count, and which cannot be right as printed.
        """,
        "Published and computed fabrics, count by count.",
        FabricErrorsAnswer,
        lambda catalog, given: _fabric_errors(FABRIC.shipped(catalog).compared),
    ),
    ErrorsAddress(
        "/power",
        "read_power_errors",
        "Validate power and cooling",
        """Every published figure of node power, PUE, water, flow and sizing that the engine is held against, beside
        ours, and published PUE and WUE of cloud regions beside the usual data centre in the climate of each. Nothing is
        fitted; ranks say whether places come in the right order.
        """,
        "Published and computed figures and regions, with errors and ranks.",
        PowerErrorsAnswer,
        lambda catalog, given: _power_errors(catalog),
    ),
    ErrorsAddress(
        "/reliability",
        "read_reliability_errors",
        "Read the accuracy of failures and spares",
        """Every published figure of interruptions, times between failures and spares that the engine is held against,
        beside ours at the usual rate of failures with the interval over fleets, and what is refused with the reason.
        """,
        "Published and computed figures, with errors.",
        ReliabilityErrorsAnswer,
        lambda catalog, given: _reliability_errors(catalog),
    ),
    ErrorsAddress(
        "/cost",
        "read_cost_errors",
        "Validate costs of runs",
        """Every published figure of what runs cost, take and emit, beside ours by the method that its source used, with the
        arithmetic in words; and models by each published method. Nothing is fitted.
        """,
        "Published and computed costs, hours, energy and carbon of runs.",
        CostErrorsAnswer,
        lambda catalog, given: _cost_errors(catalog),
    ),
    ErrorsAddress(
        "/serving",
        "read_serving_errors",
        "Validate serving latencies",
        """Every distinct measured latency of served models that the engine is held against, measured and predicted, and the
        errors in a few numbers by every fit. By default, each is predicted with constants that were fitted without its
        family of models. Times to the first token above 128 requests in flight are not to be trusted, and not scored.
        """,
        "Errors of one latency by every fit, by group and one by one.",
        ServingErrorsAnswer,
        _serving,
        (QUANTITY_PARAMETER, basis_parameter(SERVING_BASES)),
    ),
    ErrorsAddress(
        "/serving/throughput",
        "read_throughput_errors",
        "Validate serving throughputs",
        """Every published throughput of served models that the engine is held against, beside ours in the unit of its
        source. Results of perfect balance over the experts are `idealised`: they are there, and not scored.
        """,
        "Published and computed throughputs.",
        ThroughputErrorsAnswer,
        lambda catalog, given: _throughput_errors(catalog),
    ),
):
    _let_read(_one)
