"""The rooms of a design as chapters: the answers and charts of their pages, each once and as they are
there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app.catalog.lookup import Catalog
from app.charts.fabric.materials import price_figure, role_sums
from app.charts.facility.cooling_loops import cooling_loops_figure
from app.charts.facility.rack_heat import rack_heat_figure
from app.charts.facility.single_line import Feeds, single_line_figure
from app.charts.floor_plan import KIND, floor_plan_figure
from app.charts.format import show_at
from app.charts.operations.goodput import Loss, goodput_waterfall
from app.charts.rack_elevation import rack_elevation_figure
from app.engine.fabric.materials.parts import ROLES
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.files.redaction import Redaction
from app.surfaces.pages.economics.carbon import carbon_build_up
from app.surfaces.pages.economics.cash import cash_figure, cash_key_figures
from app.surfaces.pages.economics.decision import use_figure
from app.surfaces.pages.economics.uncertainty_shown import charts, chosen_path, figure_cells, verdict
from app.surfaces.pages.fabric.bill import network_tables
from app.surfaces.pages.fabric.floor import drawn_floor, plant_of
from app.surfaces.pages.fabric.supernode import inside_figures
from app.surfaces.pages.report.blocks import Block, Grid, Picture, Words, pairs, wholes
from app.surfaces.pages.sections import Section, sections
from app.views.economics.carbon.answer import carbon_answer
from app.views.economics.cash_flow import cash_flow_answer
from app.views.economics.decision.answer import decision_answer
from app.views.fabric.bill_answer import bill_answer
from app.views.fabric.floor import FloorOptions, floor_answer
from app.views.fabric.materials import BillOptions, fabric_bill
from app.views.fabric.supernode import supernode_inside
from app.views.facility.cooling import cooling_answer
from app.views.facility.electrical import ElectricalOptions, electrical_answer
from app.views.facility.racks import RacksOptions, racks_answer
from app.views.operations.goodput import goodput_answer
from app.views.uncertainty.answer import uncertainty_answer
from app.views.uncertainty.report import UncertaintyReport

MOST_PARTS = 14
"""Lines of a bill in a report; the pack has all."""


@dataclass(frozen=True)
class Room:
    """An evaluated design, and what a chapter of it is made from."""

    scenario: EvaluatedScenario
    catalog: Catalog
    redaction: Redaction
    evaluation: dict[str, Any]  # as it may leave the house

    @cached_property
    def uncertainty(self) -> UncertaintyReport:
        """Spread of the figures: of use to more than one chapter."""
        return uncertainty_answer(self.scenario, self.catalog)

    def section(self, key: str) -> Section:
        """A section of the page of the design."""
        return next(one for one in sections(self.evaluation) if one.id == key)


def of_section(room: Room, key: str) -> tuple[Block, ...]:
    """Charts and tables of a section of the design's page."""
    section = room.section(key)
    found: list[Block] = [
        Picture(figure, half=span == "half") for span, figure in section.figures if figure.plot is not None
    ]
    for _, table in section.tables:
        rows = tuple(
            (one.label, one.shown.text, one.between)
            for one in table.rows
            if not (room.redaction.prices and not one.known and "usd" in one.path)
        )
        heads = (
            (table.title, "Value", "80 % range") if any(row[2] for row in rows) else (table.title, "Value")
        )
        if rows:
            found.append(Grid("", heads, tuple(row[: len(heads)] for row in rows), half=True))
    return tuple(found)


def supernode(room: Room) -> tuple[Block, ...]:
    figures = inside_figures(supernode_inside(room.scenario, room.catalog))
    kept = [one for one in figures if not (room.redaction.prices and "price" in one.name)]
    return (*wholes(kept[:1]), *pairs(kept[1:]))


def bill(room: Room) -> tuple[Block, ...]:
    answer = bill_answer(fabric_bill(room.scenario, room.catalog, BillOptions()))
    prices = not room.redaction.prices
    rows = []
    for table in network_tables(answer):
        for role in table.roles:
            rows += [
                (table.title, line.item, line.part, line.installed, *((line.price.text,) if prices else ()))
                for line in role.rows
            ]
    more = len(rows) - MOST_PARTS
    said = (Words((f"{more} further lines are in the vendor pack.",)),) if more > 0 else ()
    heads = ("Network", "Item", "Part", "Installed", *(("Price",) if prices else ()))
    drawn = wholes((price_figure(role_sums(answer, ROLES)),)) if prices else ()
    return (*drawn, Grid("", heads, tuple(rows[:MOST_PARTS]), words=(0, 1, 2)), *said) if rows else ()


def racks(room: Room) -> tuple[Block, ...]:
    floor = floor_answer(room.scenario, FloorOptions())
    plan = floor_plan_figure(drawn_floor(floor, plant_of(room.scenario)), KIND)
    elevation = rack_elevation_figure(floor.rack) if floor.rack else None
    heat = racks_answer(room.scenario, RacksOptions()).chosen
    side = [*([elevation] if elevation else []), *([rack_heat_figure(heat)] if heat else [])]
    return (*wholes((plan,)), *pairs(side))


def electrical(room: Room) -> tuple[Block, ...]:
    answer = electrical_answer(room.scenario, ElectricalOptions())
    feeds = Feeds(answer.racks, first_of(answer.loads.it_w), first_of(answer.loads.cooling_and_house_w))
    return wholes((single_line_figure(answer.chain, answer.sizing, answer.lost, feeds, ""),))


def cooling(room: Room) -> tuple[Block, ...]:
    return wholes((cooling_loops_figure(cooling_answer(room.scenario, room.catalog).sides),))


def cash(room: Room) -> tuple[Block, ...]:
    answer = cash_flow_answer(room.scenario)
    rows = tuple((one.label, one.shown.text, one.beside) for one in cash_key_figures(answer))
    return (*wholes((cash_figure(answer),)), Grid("", ("Cash flow", "Value", "Note"), rows, words=(0, 2)))


def decision(room: Room) -> tuple[Block, ...]:
    answer = decision_answer(room.scenario, room.catalog)
    said = (
        answer.summing_up.answer,
        answer.compute.answer,
        answer.use.answer,
        answer.ownership.answer,
        answer.start.answer,
    )
    return (
        Words(tuple(one for one in said if one)),
        *wholes((use_figure(answer),)),
        Words(answer.notes, is_list=True),
    )


def carbon(room: Room) -> tuple[Block, ...]:
    return wholes((carbon_build_up(carbon_answer(room.scenario, room.catalog)),))


def goodput(room: Room) -> tuple[Block, ...]:
    answer = goodput_answer(room.scenario)
    steps = [
        Loss(one.label, one.share, one.left, one.accelerator_hours, one.kind, one.known, one.path)
        for one in answer.steps
    ]
    of_time = next(place for place, one in enumerate(answer.steps) if one.kind == "total")
    return wholes((goodput_waterfall(steps, of_time=of_time),))


def uncertainty(room: Room) -> tuple[Block, ...]:
    report = room.uncertainty
    kept = [one for one in figure_cells(report) if not (room.redaction.prices and "usd" in one.path)]
    path = chosen_path(report, "performance.elapsed_time_s" if room.redaction.prices else "")
    if room.redaction.prices and "usd" in path:
        path = ""
    rows = tuple((one.label, one.point.text, one.p10.text, one.p50.text, one.p90.text) for one in kept)
    drawn = wholes(charts(report, path)[1:2]) if path else ()
    said = (Words(verdict(report, path)),) if path else ()
    return (*said, *drawn, Grid("", ("Figure", "Estimate", "P10", "P50", "P90"), rows))


def published(room: Room) -> tuple[Block, ...]:
    """Validation of the design: its published and computed figures, and comparable measured runs."""
    rows = []
    for one in room.scenario.published:
        value = _at(room.evaluation, one["path"])
        off = (
            f"{100 * (value / one['value'] - 1):+.1f} %".replace("-", "−")
            if value and one["value"]
            else "unknown"
        )
        rows.append(
            (one["label"], show_at(one["path"], one["value"]).text, show_at(one["path"], value).text, off)
        )
    intervals = room.evaluation.get("intervals") or {}
    found: list[Block] = []
    if intervals.get("likeness"):
        found.append(Words((intervals["likeness"],)))
    if rows:
        found.append(
            Grid(
                "Published figures of this design",
                ("Figure", "Published", "Podwright", "Difference"),
                tuple(rows),
            )
        )
    near = tuple(
        (f"{one['model']}, {one['accelerators']:,} {one['accelerator'].replace('_', ' ')}", f"{100 * one['error']:+.1f} %".replace("-", "−"),
         one["source"])
        for one in intervals.get("nearest") or ()
    )  # fmt: skip
    if near:
        found.append(
            Grid("Nearest measured runs", ("Run", "Error of the prediction", "Source"), near, words=(0, 2))
        )
    return tuple(found) or (
        Words(("No measured run is like this design, so its figures have no interval.",)),
    )


def _at(evaluation: dict[str, Any], path: str) -> Any:
    found: Any = evaluation
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


MONEY = "money"
"""Of chapters that are left out with prices."""
CHAPTERS: dict[str, tuple[str, str, Callable[[Room], tuple[Block, ...]]]] = {
    "performance": ("Performance", "", lambda room: of_section(room, "performance")),
    "supernode": ("SuperNode", "", supernode),
    "fabric": ("Fabric", "", lambda room: of_section(room, "fabric")),
    "bill": ("Bill of materials of the networks", "", bill),
    "racks": ("Floor and racks", "", racks),
    "power": ("Power and cooling", "", lambda room: of_section(room, "power")),
    "electrical": ("Electrical chain", "", electrical),
    "cooling": ("Cooling plant", "", cooling),
    "cost": ("Cost", MONEY, lambda room: of_section(room, "cost")),
    "cash": ("Cash flow", MONEY, cash),
    "decision": ("Own or rent", MONEY, decision),
    "reliability": ("Reliability and carbon", "", lambda room: of_section(room, "reliability")),
    "goodput": ("Goodput", "", goodput),
    "carbon": ("Carbon of a run", "", carbon),
    "uncertainty": ("Uncertainty", "", uncertainty),
    "published": ("Validation", "", published),
}
"""Rooms by key: title, kind of content, and what makes the chapter."""
