"""How right costs of runs are, as answers of the API."""

from __future__ import annotations

import dataclasses
from typing import Any

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.power_validation_models import LeftOutFigureAnswer, PowerErrorsSummary
from app.validation.cost.study import Checked, ModelCosts, PublishedCosts
from app.validation.study import errors_of, grouped


class CostMethodErrors(Answer):
    """Errors of the figures of one method."""

    name: str
    errors: PowerErrorsSummary


class CostFigureAnswer(Answer):
    """A published figure beside ours."""

    id: str
    subject: str
    method: str = Field(description="The method that the source used, and we did.")
    unit: str
    published: float
    predicted: float
    low: float | None
    high: float | None
    error: float
    arithmetic: str = Field(description="How ours came about, in words.")
    assumed: list[str]
    source: str
    url: str


class ModelByMethodAnswer(Answer):
    """A model by one method."""

    method: str
    published_usd: float
    predicted_usd: float | None = Field(description="Null where it cannot be computed.")
    error: float | None
    said: str = Field(description="The arithmetic, or why there is none.")


class ModelCostsAnswer(Answer):
    """A model by each method that was published of it."""

    name: str
    methods: list[ModelByMethodAnswer]


class CostErrorsAnswer(Answer):
    """Published costs of runs beside ours."""

    rows: int
    scored: int
    computed: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary = Field(description="Every source counts the same.")
    methods: list[CostMethodErrors]
    models: list[ModelCostsAnswer]
    items: list[CostFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]


def cost_errors(found: PublishedCosts) -> dict[str, Any]:
    """The whole answer."""
    report = found.report
    by_method = grouped(report.predictions, lambda one: one.groups["method"])
    return {
        "rows": report.rows,
        "scored": report.scored,
        "computed": len(report.predictions),
        "errors": dataclasses.asdict(errors_of(report.predictions)),
        "errors_by_source": dataclasses.asdict(report.totals),
        "methods": [{"name": name, "errors": errors} for name, errors in by_method.items()],
        "models": [_model(one) for one in found.models],
        "items": [_figure(one) for one in found.checked],
        "unsupported": [{"id": one.row.key, "reason": one.reason} for one in found.unsupported],
        "unscored": [{"id": one.row.key, "reason": one.reason} for one in found.unscored],
    }


def _figure(one: Checked) -> dict[str, Any]:
    row, prediction = one.row, one.prediction
    return {
        "id": row.key,
        "method": one.method,
        **{name: row.text(name) for name in ("subject", "unit", "source", "url")},
        "published": prediction.measured,
        "predicted": prediction.predicted,
        "low": prediction.low,
        "high": prediction.high,
        "error": prediction.error,
        "arithmetic": one.found.arithmetic,
        "assumed": list(prediction.assumed),
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
                "said": by.reason if by.computed is None else by.computed.arithmetic,
            }
            for by in one.methods
        ],
    }
