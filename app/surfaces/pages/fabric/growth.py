"""The growth tab: what each stage of a growing pod buys, laid out for each stage or for the last."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.fabric.growth_stages import growth_stages_figure
from app.charts.figure import Figure
from app.charts.format import Shown, show, span
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.growth import (
    FabricGrowth,
    GrowthOptions,
    GrowthPlan,
    GrowthStage,
    StagePrice,
    fabric_growth,
)
from app.views.fabric.growth_floor import floor_stages

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LONGEST = 120


class StageRow(NamedTuple):
    """A stage as a line of the table: what is there by then, and what it costs."""

    supernodes: Shown
    cells: tuple[Shown, ...]
    price: Shown
    range: str
    so_far: Shown


class PurchaseRow(NamedTuple):
    """A role of the bill: pieces bought at each stage, and the most that ever lie idle."""

    item: str
    bought: tuple[Shown, ...]
    idle: Shown


class PlanTables(NamedTuple):
    layout: str
    title: str
    columns: tuple[str, ...]
    stages: tuple[StageRow, ...]
    purchases: tuple[PurchaseRow, ...]
    price: Shown
    range: str
    moved: Shown


@router.get("/fabric/{key}/growth")
def growth(opened: OpenedDep, page: TemplatesDep, stages: str = "") -> HTMLResponse:
    """Both ways to grow; `stages` are SuperNodes between commas."""
    typed = stages.strip()[:LONGEST]
    answer, fault = _answer(opened, typed)
    sizes = [stage.supernodes for stage in answer.plans[0].stages] if answer else []
    return page.page(
        "fabric/growth.html",
        status=422 if fault and typed else 200,
        opened=opened,
        typed=typed or ", ".join(f"{size:.0f}" for size in sizes),
        fault=fault,
        answer=answer,
        sizes=[show(size) for size in sizes],
        plans=[_tables(plan) for plan in answer.plans] if answer else [],
        picture=_picture(opened, tuple(round(size) for size in sizes)) if answer else None,
    )


def _answer(opened: OpenedDesign, typed: str) -> tuple[FabricGrowth | None, str]:
    if opened.scenario is None:
        return None, ""
    parts = [part for part in re.split(r"[,;\s]+", typed) if part]
    numbers = [int(part) if part.isascii() and part.isdigit() else part for part in parts]
    try:
        options = build_document(GrowthOptions, {"stages": numbers} if numbers else {})
        return fabric_growth(opened.scenario, options), ""
    except ScenarioError as error:
        return None, error.errors[0].words


def _picture(opened: OpenedDesign, stages: tuple[int, ...]) -> Figure | None:
    """The stages on the floor, where they end at the size of the design."""
    assert opened.scenario is not None  # only a scenario has an answer
    found = floor_stages(opened.scenario, stages)
    if found is None:
        return None
    return growth_stages_figure(
        found.floor.racks,
        found.stage,
        supernodes=found.supernodes,
        racks_added=found.racks_added,
        links_added=found.links_added,
        width_m=found.rack_width_m,
        depth_m=found.rack_depth_m,
    )


def _tables(plan: GrowthPlan) -> PlanTables:
    tiers = [tier.name for tier in plan.stages[-1].tiers]
    built = [
        name for place, name in enumerate(tiers) if any(_switches(stage, place) for stage in plan.stages)
    ]
    return PlanTables(
        layout=plan.layout,
        title=plan.title,
        columns=(
            *(f"{name.replace('_', ' ').capitalize()} switches" for name in built),
            "Links",
            "Links moved",
            "Free switch ports",
            "NICs",
        ),
        stages=tuple(_stage(stage, [tiers.index(name) for name in built]) for stage in plan.stages),
        purchases=tuple(_purchase(plan, place) for place in range(len(plan.stages[0].lines))),
        price=show(plan.price_usd.typical, "USD"),
        range=_range(plan.price_usd),
        moved=show(plan.moved_links),
    )


def _switches(stage: GrowthStage, place: int) -> float:
    return stage.tiers[place].switches or 0.0


def _stage(stage: GrowthStage, tiers: list[int]) -> StageRow:
    links = [tier.links for tier in stage.tiers]
    in_all = None if None in links else sum(count or 0.0 for count in links)
    counts = [
        *(stage.tiers[place].switches for place in tiers),
        in_all,
        stage.moved_links,
        stage.free_switch_ports,
        stage.nics,
    ]
    return StageRow(
        supernodes=show(stage.supernodes),
        cells=tuple(show(count) if count is not None else Shown("unknown") for count in counts),
        price=show(stage.price_usd.typical, "USD"),
        range=_range(stage.price_usd),
        so_far=show(stage.price_so_far_usd.typical, "USD"),
    )


def _purchase(plan: GrowthPlan, place: int) -> PurchaseRow:
    lines = [stage.lines[place] for stage in plan.stages]
    return PurchaseRow(
        item=lines[0].item,
        bought=tuple(show(line.bought) for line in lines),
        idle=show(max(line.idle or 0.0 for line in lines)),
    )


def _range(price: StagePrice) -> str:
    return "" if price.low is None else span(show(price.low, "USD"), show(price.high, "USD"))
