"""Published costs of runs beside ours as a page: method, arithmetic and error of every figure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from app.charts.format import Shown, number, show, signed_percent
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.single_figures import (
    NOTHING,
    ErrorLine,
    FigureGroup,
    FigureLine,
    error_line,
    percent_figure,
    percent_text,
)
from app.validation.cost.study import METHODS, ByMethod, Checked, ModelCosts, PublishedCosts
from app.validation.study import Errors, LeftOut, errors_of, grouped


class MethodCells(NamedTuple):
    """A model by one method."""

    method: str
    published: Shown
    ours: Shown
    difference: str
    said: str


class ModelLines(NamedTuple):
    name: str
    methods: tuple[MethodCells, ...]


class CostOverview(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    models: tuple[ModelLines, ...]
    errors: tuple[ErrorLine, ...]
    groups: tuple[FigureGroup, ...]
    left_out: tuple[tuple[str, str], ...]
    unscored: tuple[tuple[str, str], ...]


def cost_overview(found: PublishedCosts) -> CostOverview:
    """Everything the page shows, in words."""
    report = found.report
    totals, by_row = report.totals, errors_of(report.predictions)
    within = sum(abs(one.error) <= 0.1 for one in report.predictions)
    return CostOverview(
        lead=(
            f"{len(report.predictions)} of {report.scored} published figures of what runs cost, take and emit, each "
            "computed by the method that its source used. Methods differ by several times for one run, so each figure "
            "names its own. Nothing is fitted to them."
        ),
        key_figures=(
            KeyFigure(
                "Figures computed", Shown(f"{len(report.predictions)}"), f"of {report.scored} compared"
            ),
            KeyFigure("Within 10 %", Shown(f"{within}"), f"of {len(report.predictions)}"),
            KeyFigure("Median error", percent_figure(totals.median_abs_error), "sources weighted equally"),
            KeyFigure(
                "Nine of ten within",
                percent_figure(totals.p90_abs_error),
                f"by row {percent_text(by_row.p90_abs_error)}",
            ),
        ),
        models=tuple(model_lines(one) for one in found.models),
        errors=tuple(
            error_line(name.capitalize(), Errors(**errors))
            for name, errors in grouped(report.predictions, lambda one: one.groups["method"]).items()
        ),
        groups=_groups(found.checked),
        left_out=tuple(_left_out(one) for one in found.unsupported),
        unscored=tuple(_left_out(one) for one in found.unscored),
    )


def model_lines(one: ModelCosts) -> ModelLines:
    """A model by each method."""
    return ModelLines(one.name, tuple(_method(method) for method in one.methods))


def _method(one: ByMethod) -> MethodCells:
    return MethodCells(
        method=one.method.capitalize(),
        published=show(one.published_usd, "USD"),
        ours=Shown(NOTHING) if one.computed is None else show(one.computed.value, "USD"),
        difference=NOTHING if one.error is None else signed_percent(one.error),
        said=one.reason if one.computed is None else one.computed.arithmetic,
    )


def _groups(checked: Sequence[Checked]) -> tuple[FigureGroup, ...]:
    in_order = sorted(checked, key=lambda one: METHODS.index(one.method))
    return tuple(
        FigureGroup(
            method.capitalize(), f"method-{method.replace(' ', '-')}", tuple(_line(one) for one in members)
        )
        for method, members in groupby(in_order, key=lambda one: one.method)
    )


def _line(one: Checked) -> FigureLine:
    row, prediction = one.row, one.prediction
    said = {
        "Arithmetic": one.found.arithmetic,
        "Taken for granted": "; ".join(prediction.assumed),
        "Inputs of the source": row.text("inputs"),
        "Note": row.text("note"),
        "Source": row.text("source"),
    }
    return FigureLine(
        anchor=row.key,
        what=row.text("subject"),
        published=f"{number(prediction.measured, 4)} {row.text('unit')}",
        ours=number(prediction.predicted, 4),
        difference=signed_percent(prediction.error),
        said=tuple((label, text) for label, text in said.items() if text),
    )


def _left_out(one: LeftOut) -> tuple[str, str]:
    return one.row.text("subject"), one.reason
