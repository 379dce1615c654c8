"""How right latencies and throughputs of served models are, as answers of the API."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.power_validation_models import LeftOutFigureAnswer, PowerErrorsSummary
from app.validation.judged import Basis, Judged, groups, judged
from app.validation.serving.published import (
    SERVING_BASES,
    SERVING_GROUPINGS,
    PublishedServing,
    ServedMeasurement,
    constants_by_owner,
)
from app.validation.serving.report import score_of
from app.validation.serving.study import NOTES
from app.validation.serving.throughput import PublishedThroughput, PublishedThroughputs
from app.validation.study import errors_of

ADDRESSES = {"tpot": "tpot", "tpot_disaggregated": "tpot-disaggregated", "ttft": "ttft"}


class ScoreAnswer(Answer):
    """Errors of distinct measurements as fractions, every family of models counting the same; null where none is."""

    rows: int
    median_abs_error: float | None
    within_33_pct: float | None = Field(description="Share of the measurements.")
    within_2x: float | None = Field(description="Share of the measurements.")
    bias: float | None = Field(description="The error in the middle.")


class FitsAnswer(Answer):
    """The same measurements by every fit."""

    fitted: ScoreAnswer = Field(description="With all measurements in the fit.")
    model: ScoreAnswer = Field(description="With the family of models of each left out of the fit.")
    system: ScoreAnswer = Field(description="With the accelerator of each left out of the fit.")


class GroupScoresAnswer(Answer):
    """Measurements that have something in common."""

    name: str
    errors: FitsAnswer


class GroupingScoresAnswer(Answer):
    """A way to part the measurements."""

    name: str
    groups: list[GroupScoresAnswer]


class ServedMeasurementAnswer(Answer):
    """A measured latency beside what the engine says of it. Times are milliseconds."""

    id: str
    model_key: str
    accelerator_key: str
    engine: str
    era: str = Field(description="Of the engine, as constants are chosen by it.")
    precision: str
    accelerators: int = Field(description="Of the instance, or of a group of prefill and decode instances.")
    layout: str
    input_tokens: int
    output_tokens: int
    concurrency: float = Field(description="Requests in flight in the instance or group.")
    measured_ms: float
    predicted_ms: float
    error: float
    low_ms: float = Field(description="Lower end of the 80 % interval.")
    high_ms: float = Field(description="Upper end of the 80 % interval.")
    held: bool = Field(description="Whether the measurement lies in the interval.")
    assumed: list[str] = Field(description="What stands for what its source leaves open.")
    href: str = Field(description="The page that shows it.")


class BesideAnswer(ScoreAnswer):
    """A score that is no aim."""

    name: str
    note: str


class LeftOutRowsAnswer(Answer):
    """Rows of the file that are left out for one reason."""

    reason: str
    rows: list[str]


class ConstantsAnswer(Answer):
    """How many of the fitted constants belong to something."""

    owner: str
    constants: int


class ServingErrorsAnswer(Answer):
    """Errors of one latency of served models."""

    quantity: str
    basis: str
    rows: int = Field(description="Of the file, of all latencies.")
    scored: int
    supported: int
    fitted_constants: int
    constants: list[ConstantsAnswer]
    refitted: list[str] = Field(description="Models and systems that the constants were fitted without.")
    errors: FitsAnswer
    groupings: list[GroupingScoresAnswer]
    measurements: list[ServedMeasurementAnswer]
    beside: list[BesideAnswer] = Field(description="Scores that no aim counts, with all in the fit.")
    repeats: int = Field(description="Rows of measurements that count already.")
    cold_starts: list[str] = Field(description="Rows whose time to the first token no score counts.")
    unsupported: list[LeftOutRowsAnswer]
    unscored: list[LeftOutRowsAnswer]


class ThroughputFigureAnswer(Answer):
    """A published throughput or latency beside ours, in the unit of its metric."""

    id: str
    model: str
    hardware: str
    accelerators: str
    engine: str
    precision: str
    metric: str
    published: float
    predicted: float
    error: float
    idealised: bool = Field(description="Perfect balance over the experts: not scored.")
    conditions: str
    assumed: list[str]
    source: str


class ThroughputErrorsAnswer(Answer):
    """Published throughputs of served models beside ours."""

    rows: int
    scored: int
    computed: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary = Field(description="Every source counts the same.")
    items: list[ThroughputFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]


def serving_errors(found: PublishedServing, quantity: str, basis: Basis[ServedMeasurement]) -> dict[str, Any]:
    """The whole answer."""
    everything = judged(found.measurements[quantity], basis)
    owners = constants_by_owner()
    report = found.report
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
        "groupings": [
            {
                "name": name,
                "groups": [
                    {"name": group.name, "errors": _fits(group.members)}
                    for group in groups(everything, grouping)
                ],
            }
            for name, grouping in SERVING_GROUPINGS.items()
        ],
        "measurements": [_measurement(one, quantity) for one in everything],
        "beside": [{"name": name, **report.extra[name]} for name in NOTES],
        "repeats": found.repeats,
        "cold_starts": list(found.cold_starts),
        "unsupported": [one._asdict() for one in found.unsupported],
        "unscored": [one._asdict() for one in found.unscored],
    }


def throughput_errors(found: PublishedThroughputs) -> dict[str, Any]:
    """The whole answer."""
    report = found.report
    return {
        "rows": report.rows,
        "scored": report.scored,
        "computed": len(report.predictions),
        "errors": dataclasses.asdict(errors_of(report.predictions)),
        "errors_by_source": dataclasses.asdict(report.totals),
        "items": [_figure(one) for one in found.figures],
        "unsupported": [{"id": one.row.key, "reason": one.reason} for one in found.unsupported],
        "unscored": [{"id": one.row.key, "reason": one.reason} for one in found.unscored],
    }


def _fits(members: Sequence[Judged[ServedMeasurement]]) -> dict[str, Any]:
    runs = [one.run for one in members]
    return {
        name: dataclasses.asdict(score_of([one.prediction for one in judged(runs, basis)]))
        for name, basis in SERVING_BASES.items()
    }


def _measurement(one: Judged[ServedMeasurement], quantity: str) -> dict[str, Any]:
    values = dataclasses.asdict(one.run) | {
        "predicted_ms": one.predicted,
        "error": one.error,
        "held": one.held,
        "href": f"/validation/serving/{ADDRESSES[quantity]}/table/{one.run.id}",
    }
    return {name: values[name] for name in ServedMeasurementAnswer.model_fields}


def _figure(one: PublishedThroughput) -> dict[str, Any]:
    row = one.row
    return {
        "id": row.key,
        "accelerators": row.text("n"),
        **{
            name: row.text(name)
            for name in ("model", "hardware", "engine", "precision", "metric", "conditions", "source")
        },
        "published": one.measured,
        "predicted": one.predicted,
        "error": one.error,
        "idealised": bool(one.label),
        "assumed": list(one.assumed),
    }
