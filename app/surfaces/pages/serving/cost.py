"""The tab of the cost of tokens: in and out, by hardware and number format."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.datastructures import QueryParams

from app.catalog.api_prices import ApiPrice
from app.catalog.number_formats import number_formats
from app.charts.figure import Figure
from app.charts.format import Shown, show, show_computed
from app.charts.serving.token_costs import CostBar, token_costs_figure
from app.charts.unit_choice import in_units
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.serving.opened import UNPROCESSABLE, OpenedDep, file_answer, refusal
from app.surfaces.pages.templating import TemplatesDep
from app.views.economics.systems_compared import BUILDING_BLOCKS
from app.views.serving.token_cost import TokenCost, TokenCostOptions, TokenCostView, token_cost_view
from app.views.serving.token_prices import TokenPrices

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "cost"


class Line(NamedTuple):
    """A system and format as a line of the table."""

    row: TokenCost
    title: str
    cells: tuple[Shown, ...]
    cheapest: bool


@router.get("/serving/{key}/cost")
def cost(request: Request, opened: OpenedDep, source: DesignsDep, page: TemplatesDep) -> HTMLResponse:
    """`system` and `format`, once for each, say what is compared."""
    query, faults = request.query_params, {}
    view, refused = None, refusal(opened, "The cost of tokens", ())
    if opened.scenario is not None and not refused:
        try:
            options = build_document(TokenCostOptions, _asked(query))
            view = _make(opened, source, options)(opened.scenario)
        except ScenarioError as error:
            faults = {_box_of(fault.path): fault.words for fault in error.errors}
    systems, formats = query.getlist("system"), query.getlist("format")
    chosen = systems or [row.key for row in view.systems if row.key] if view else systems
    return page.page(
        "serving/cost.html",
        status=UNPROCESSABLE if faults else 200,
        opened=opened,
        refused=refused,
        faults=faults,
        view=view,
        figure=_figure(view) if view else None,
        lines=_lines(view) if view else (),
        kinds=_kinds(view.prices) if view and view.prices else (),
        offers=_offers(view.prices) if view and view.prices else (),
        cached=f"{100 * view.prices.cached_share:.3g}" if view and view.prices else "",
        choices=_choices(opened, [key for key in chosen if key]),
        formats=[(form, form in (formats or _own_format(opened))) for form in get_args(ServingPrecision)],
        format_names={key: form.label for key, form in number_formats().items()},
        own_choice=bool(systems),
        files=_files(opened, query),
    )


@router.get("/serving/{key}/cost/file")
def cost_file(request: Request, opened: OpenedDep, source: DesignsDep, kind: str = "csv") -> Response:
    """The systems as a file; `kind` is that of the file, as `format` is a number format."""
    try:
        options = build_document(TokenCostOptions, _asked(request.query_params))
    except ScenarioError:
        options = TokenCostOptions()
    return file_answer(opened, TAB, kind, _make(opened, source, options))


def _make(
    opened: OpenedDesign, source: Designs, options: TokenCostOptions
) -> Callable[[EvaluatedScenario], TokenCostView]:
    own = source.of(opened.carried.key)
    return lambda scenario: token_cost_view(scenario, opened.catalog, options, own.scenario)


def _box_of(path: str) -> str:
    """The box of the form that a fault is about; "" for one of the scenario as a whole."""
    name = path.partition("[")[0]
    return name if name in ("systems", "formats") else ""


def _asked(query: QueryParams) -> dict[str, Any]:
    return {"systems": query.getlist("system"), "formats": query.getlist("format")}


def _own_format(opened: OpenedDesign) -> list[str]:
    workload = opened.scenario.document.workload if opened.scenario else None
    return [str(getattr(workload, "precision", ""))]


def _choices(opened: OpenedDesign, chosen: list[str]) -> list[tuple[str, str, bool]]:
    """Systems that can be compared, as key, name and whether they are; what cannot be found stays to be seen."""
    own = opened.scenario.document.supernode.system if opened.scenario else None
    parts = [opened.catalog.part("systems", key) for key in opened.catalog.keys("systems")]
    listed = [
        (part.key, part.name, part.key in chosen)
        for part in parts
        if part.attributes.get("accelerator_key")
        and (part.attributes.get("category") in BUILDING_BLOCKS or part.key in chosen)
        and part.key != own
    ]
    offered = {key for key, _, _ in listed} | {own}
    return listed + [(key[:60], key[:60], True) for key in dict.fromkeys(chosen) if key not in offered]


def _title(row: TokenCost) -> str:
    return (
        f"{row.name}, {number_formats()[row.precision].label}{', current design' if row.as_it_stands else ''}"
    )


def _short_titles(rows: list[TokenCost]) -> list[str]:
    """Names beside bars: without what stands in brackets, as long as they still differ."""
    short = [
        f"{row.name.partition(' (')[0]} {number_formats()[row.precision].label}{', now' if row.as_it_stands else ''}"
        for row in rows
    ]
    return short if len(set(short)) == len(short) else [_title(row) for row in rows]


def _figure(view: TokenCostView) -> Figure:
    drawn = [row for row in view.systems if not math.isnan(row.usd_per_million_tokens)]
    names = _short_titles(drawn)
    return token_costs_figure(
        [
            CostBar(
                name=names[place],
                output_usd=row.usd_per_million_output_tokens,
                prompts_usd=row.usd_per_million_tokens - row.usd_per_million_output_tokens,
                rented_usd=row.usd_per_million_tokens_rented_on_demand,
                feasible=row.feasible,
                compared=not row.as_it_stands,
            )
            for place, row in enumerate(drawn)
        ],
        [_title(row) for row in view.systems if math.isnan(row.usd_per_million_tokens)],
    )


def _lines(view: TokenCostView) -> list[Line]:
    return [
        Line(
            row=row,
            title=_title(row),
            cells=(
                show_computed(row.supernodes),
                show_computed(row.ttft_within_s, "s"),
                show_computed(row.tpot_within_s, "s"),
                show_computed(row.output_tokens_per_s_per_accelerator),
                _usd(row.usd_per_accelerator_hour),
                _usd(row.usd_per_million_input_tokens),
                _usd(row.usd_per_million_output_tokens),
                _usd(row.usd_per_million_tokens),
                _usd(row.usd_per_million_tokens_at_full_load),
                _usd(row.usd_per_million_tokens_rented_on_demand),
                _usd(row.usd_per_million_tokens_rented_reserved),
            ),
            cheapest=place == view.cheapest,
        )
        for place, row in enumerate(view.systems)
    ]


def _usd(value: float) -> Shown:
    with in_units():  # the head of the column is in dollars
        return Shown("unknown") if math.isnan(value) else Shown(show(float(f"{value:.3g}"), "USD").value)


def _kinds(prices: TokenPrices) -> list[tuple[str, list[Shown]]]:
    """Tokens of each kind: their price, that of a batch, and their energy."""
    return [
        ("Input", [_usd(prices.input_usd), _usd(prices.batch_input_usd), show_computed(prices.input_j, "J")]),
        (
            "Cached input",
            [
                _usd(prices.cached_input_usd),
                _usd(prices.batch_cached_input_usd),
                show_computed(prices.cached_input_j, "J"),
            ],
        ),
        (
            "Output",
            [_usd(prices.output_usd), _usd(prices.batch_output_usd), show_computed(prices.output_j, "J")],
        ),
    ]


def _offers(prices: TokenPrices) -> list[tuple[ApiPrice, list[Shown]]]:
    """List prices of others for the same model."""
    return [
        (
            one,
            [
                _usd(one.input_usd),
                _usd(one.cached_input_usd),
                _usd(one.output_usd),
                _usd(one.output_usd * one.batch_share),
            ],
        )
        for one in prices.list_prices
    ]


def _files(opened: OpenedDesign, query: QueryParams) -> list[tuple[str, str]]:
    asked = "".join(
        f"&{name}={value}"
        for name in ("system", "format")
        for value in query.getlist(name)
        if value.replace("_", "").isalnum()
    )
    return [
        (title, opened.file_address(TAB, {"kind": kind}) + asked)
        for kind, title in (("csv", "CSV"), ("json", "JSON"))
    ]
