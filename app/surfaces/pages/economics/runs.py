"""The tab of the cost of a run: the run by every method, tokens at a given rate, and published models by each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.catalog.lookup import Catalog
from app.charts.economics.run_methods import MethodBar, run_methods_figure
from app.charts.format import Shown, show
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.boxes import MOST_TYPED, Box
from app.surfaces.pages.economics.opened import OpenedDep
from app.surfaces.pages.economics.terms_form import terms_form, typed_number
from app.surfaces.pages.studio.field import number
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.validation.figures import ModelLines, models_by_method
from app.views.economics.run_methods.answer import RunMethodsOptions, run_methods_answer
from app.views.economics.run_methods.report import RunMethods, ServingCost

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422


class MethodCells(NamedTuple):
    """One method as a line of the table."""

    title: str
    said: str
    run: Shown
    with_research: Shown
    hour: Shown


class TokenCells(NamedTuple):
    title: str
    hour: Shown
    tokens: Shown


@router.get("/economics/{key}/runs", response_model=None)
def runs(request: Request, opened: OpenedDep, page: TemplatesDep) -> Response:
    """Terms change the scenario of the address; the rate of serving stays in the address as it is."""
    if opened.scenario is None:
        return page.page("economics/runs.html", opened=opened)
    query = request.query_params
    typed = beside_of(query)
    form = terms_form(opened, "runs", TERMS, query)
    if form.address:
        return RedirectResponse(form.address_with(typed), 303)
    options, errors = options_of(typed)
    try:
        report = run_methods_answer(opened.scenario, opened.catalog, options)
    except ScenarioError as error:  # several workloads share the pod
        words = " ".join(in_field_words(f"{fault.message} {fault.hint}") for fault in error.errors)
        return page.page(
            "economics/refused.html", opened=opened, tab="runs", title="Cost per run", words=words
        )
    return page.page(
        "economics/runs.html",
        status=UNPROCESSABLE if errors or form.is_refused else 200,
        opened=opened,
        form=form,
        boxes=boxes_of(typed, errors, serves=not report.methods),
        report=report,
        lead=_lead(report),
        figure=run_methods_figure(
            [MethodBar(one.title, one.kind, one.usd, one.usd_with_research) for one in report.methods],
            report.research_multiplier,
        )
        if report.methods
        else None,
        methods=_methods(report),
        tokens=_tokens(report.serving),
        joules=None if report.serving is None else _known(report.serving.joules_per_token, "J"),
        models=_models(opened.catalog),
    )


def _lead(report: RunMethods) -> str:
    if not report.methods:
        return _lead_of_serving(report.serving, report.over_least)
    if math.isnan(report.run_accelerator_hours):
        return "The accelerator-hours of the run are unknown, so no method gives its cost."
    hours = (
        f"The run takes {report.run_accelerator_hours:,.0f} accelerator-hours: {report.accelerators:,.0f} accelerators "
        f"for {report.elapsed_time_h:,.0f} h, restarts included."
    )
    if math.isnan(report.over_least):
        return hours
    return (
        f"{hours} The cost depends on the method: the highest is {report.over_least:.1f} times the cheapest."
    )


def _lead_of_serving(serving: ServingCost | None, over_least: float) -> str:
    if serving is None or math.isnan(serving.tokens_per_s):
        return "A pod that serves has no run, and how many tokens it answers with is not known."
    said = f"A pod that serves has no run: it answers with {serving.tokens_per_s:,.4g} tokens per second."
    if math.isnan(over_least):
        return said
    return f"{said} The cost per 1 M depends on the way to pay: the highest is {over_least:.1f} times the cheapest."


def _methods(report: RunMethods) -> list[MethodCells]:
    return [
        MethodCells(
            one.title,
            one.said,
            _known(one.usd, "USD"),
            Shown("–") if one.usd_with_research is None else _known(one.usd_with_research, "USD"),
            Shown("–")
            if one.usd_per_accelerator_hour is None
            else _known(one.usd_per_accelerator_hour, "USD"),
        )
        for one in report.methods
    ]


def _tokens(serving: ServingCost | None) -> list[TokenCells]:
    if serving is None:
        return []
    return [
        TokenCells(
            one.title, _known(one.usd_per_accelerator_hour, "USD"), _known(one.usd_per_million_tokens, "USD")
        )
        for one in serving.prices
    ]


def _models(catalog: Catalog) -> list[ModelLines]:
    return list(models_by_method(catalog))


def _known(value: float, unit: str) -> Shown:
    return Shown("unknown") if math.isnan(value) else show(float(f"{value:.4g}"), unit)


TERMS = (
    number("economics.research_multiplier"),
    number("economics.rental_on_demand_usd_per_accelerator_hour"),
    number("economics.rental_reserved_usd_per_accelerator_hour"),
    number("economics.renting.contract_usd_per_accelerator_hour"),
    number("economics.renting.spot_usd_per_accelerator_hour"),
    number("economics.utilisation"),
    number("economics.life_years"),
    number("economics.wacc"),
)
BESIDE = {
    "hardware_age_years": ("Age of the hardware, amortised method", "years", "new"),
    "tokens_per_s": ("Tokens served per second", "tokens/s", "no serving"),
    "accelerators": ("Serving accelerators", "", "one SuperNode"),
}
OF_SERVING = {"tokens_per_s": "as computed"}
OF_A_RUN = ("hardware_age_years",)


def beside_of(query: Mapping[str, str]) -> dict[str, str]:
    """What was typed into the boxes beside the terms."""
    return {name: query.get(name, "").strip()[:MOST_TYPED] for name in BESIDE}


def boxes_of(typed: Mapping[str, str], errors: Mapping[str, str], *, serves: bool = False) -> list[Box]:
    """The boxes beside the terms, with what is wrong in them; a design that serves has a rate of its own."""
    return [
        Box(
            name,
            label,
            unit,
            OF_SERVING.get(name, empty) if serves else empty,
            typed[name],
            errors.get(name, ""),
        )
        for name, (label, unit, empty) in BESIDE.items()
        if not (serves and name in OF_A_RUN)
    ]


def options_of(typed: Mapping[str, str]) -> tuple[RunMethodsOptions, dict[str, str]]:
    """What is stated beside the scenario, or nothing with what is wrong by box."""
    values: dict[str, Any] = {name: typed_number(text) for name, text in typed.items() if text}
    try:
        return build_document(RunMethodsOptions, values), {}
    except ScenarioError as error:
        return RunMethodsOptions(), {fault.path: fault.words for fault in error.errors}
