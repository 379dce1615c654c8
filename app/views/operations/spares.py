"""Spares by unit: failures, what is replaced as a whole, how many stand ready, what they cost and save."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.engine.operations.failures import COMPONENTS
from app.engine.operations.section import cube_side_of
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.operations.of_run import OfRun, files_of, run_of
from app.views.table import Column, FileColumn, amount, fixed, percents, text_table, time

MOST_POINTS = 41
SHORTEST_S = 1e-3
"""Waits below this are shown as none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentLine:
    """Failures of one component; times in days. Unknown, or nothing to repair, is NaN."""

    component: str
    takes_away: str  # process | unit
    failures_per_day: float
    needs_hardware: float
    away_days: float
    units_in_repair: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SparesPoint:
    """The run with so many spare units."""

    spare_units: float
    coverage: float
    waiting_s: float
    ettr: float
    cost_usd: float
    is_design: bool
    is_recommended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SparesAnswer:
    """What is replaced as a whole in a design, and how many spares it has. Unknown is NaN."""

    name: str
    unit: str  # host | tray | cube
    place: str  # where its spare is
    unit_accelerators: float
    units_used: float
    idle_units: float
    reserve_units_per_domain: float
    units_in_repair: float
    recommended: float
    stated: float
    spare_supernodes: float
    unit_price_usd: float
    waiting_without_s: float
    components: tuple[ComponentLine, ...]
    points: tuple[SparesPoint, ...]

    @property
    def here(self) -> SparesPoint:
        """The design itself."""
        return next(point for point in self.points if point.is_design)


PLACES = {
    "cube": "stands in a rack, and circuit switches put it in place",
    "tray": "lies in stores, and is put in by hand",
    "host": "stands in a rack, and steps in at once",
}


def spares_answer(scenario: EvaluatedScenario) -> SparesAnswer:
    """Spares of a run.

    Raises
    ------
    ScenarioError : there is no run
    """
    run = run_of(scenario)
    found, design = run.reliability, run.design
    unit = _unit(run)
    price = first_of(scenario.evaluation.sections.cost.supernode_price_usd)
    each = first_of(found.unit_accelerators)
    unit_price = price * each / first_of(design.supernode.accelerators)
    used = math.ceil(round(first_of(design.pod.accelerators_used) / each, 9))
    pod = math.floor(
        round(first_of(design.pod.supernodes) * first_of(design.supernode.accelerators) / each, 9)
    )
    points = _points(run, unit_price)
    return SparesAnswer(
        name=scenario.document.name,
        unit=unit,
        place=PLACES[unit],
        unit_accelerators=each,
        units_used=float(used),
        idle_units=float(max(pod - used, 0)),
        reserve_units_per_domain=first_of(found.reserve_units_per_domain),
        units_in_repair=first_of(found.units_in_repair),
        recommended=first_of(found.spare_units_recommended),
        stated=math.nan if design.operations.spare_units is None else first_of(design.operations.spare_units),
        spare_supernodes=first_of(found.spare_supernodes),
        unit_price_usd=unit_price,
        waiting_without_s=points[0].waiting_s,
        components=_components(run),
        points=points,
    )


def _unit(run: OfRun) -> str:
    supernode = run.design.supernode
    if not math.isnan(first_of(cube_side_of(supernode))):
        return "cube"
    within = first_of(run.reliability.unit_accelerators) < first_of(supernode.scale_up_domain_accelerators)
    return "tray" if within else "host"


def _components(run: OfRun) -> tuple[ComponentLine, ...]:
    known = run.design.assumptions.rooms["operations"]
    repaired = {one.name: one.repair for one in COMPONENTS}

    def of(figure: Array | None) -> float:
        return math.nan if figure is None else first_of(figure)

    return tuple(
        ComponentLine(
            component=one.name,
            takes_away=one.takes_away,
            failures_per_day=first_of(one.failures_per_day),
            needs_hardware=of(getattr(known, repaired[one.name])) if repaired[one.name] else 0.0,
            away_days=of(one.away_days),
            units_in_repair=of(one.units_in_repair),
        )
        for one in run.reliability.components
    )


def _points(run: OfRun, unit_price: float) -> tuple[SparesPoint, ...]:
    """From none to twice as many as are recommended, the design's own among them."""
    own, best = first_of(run.reliability.spare_units), first_of(run.reliability.spare_units_recommended)
    most = 2 * max(own, best, 1.0)
    if not math.isfinite(most):
        own = best = most = 1.0
    counts = {0.0, own, best, *(float(round(count)) for count in np.linspace(0, most, MOST_POINTS))}
    spares = np.array(sorted(counts))
    found = run.evaluated(spare_units=spares)

    def at(values: Array | None, place: int) -> float:
        assert values is not None, "a run has it"
        return float(np.broadcast_to(values, spares.shape)[place])

    return tuple(
        SparesPoint(
            spare_units=float(count),
            coverage=at(found.spare_coverage, place),
            waiting_s=at(found.waiting_s, place),
            ettr=at(found.ettr, place),
            cost_usd=float(count) * unit_price,
            is_design=bool(count == own),
            is_recommended=bool(count == best),
        )
        for place, count in enumerate(spares)
    )


OF_COMPONENTS = (
    Column("Component", lambda one: one.component.replace("_", " "), width=-18),
    Column("Takes away", "takes_away", width=-12),
    Column("a day", "failures_per_day", fixed(3), 10),
    Column("hardware", "needs_hardware", percents(0), 10),
    Column("away", lambda one: one.away_days * 86_400, time, 12),
    Column("in repair", "units_in_repair", fixed(2), 11),
)
OF_POINTS = (
    Column("Spares", "spare_units", fixed(0), 8),
    Column("Enough", "coverage", percents(1), 10),
    Column("Wait", lambda one: one.waiting_s if one.waiting_s >= SHORTEST_S else 0.0, time, 12),
    Column("ETTR", "ettr", percents(2), 10),
    Column("USD", "cost_usd", lambda usd: amount(usd, "USD"), 14),
    Column("", lambda one: "this design" if one.is_design else "recommended" if one.is_recommended else ""),
)
FILES = files_of(
    (
        FileColumn("Spare units", "spare_units", "1"),
        FileColumn("Enough", "coverage", "1"),
        FileColumn("Wait after an interruption", "waiting_s", "s", 22),
        FileColumn("ETTR", "ettr", "1"),
        FileColumn("Cost", "cost_usd", "USD", 16),
    ),
    lambda answer: answer.points,
    name="spares",
)


def spares_text(answer: SparesAnswer) -> str:
    """Components, the unit, and a line a number of spares."""
    shown = [
        one
        for place, one in enumerate(answer.points)
        if one.is_design or one.is_recommended or place % 5 == 0
    ]
    return "\n".join(
        [
            *text_table(OF_COMPONENTS, answer.components),
            "",
            (
                f"Unit: {answer.unit} of {answer.unit_accelerators:,.0f} accelerators; a spare {answer.place}. "
                f"{answer.units_used:,.0f} in use, {answer.idle_units:,.0f} left free, {answer.units_in_repair:.2f} in repair."
            ),
            f"Recommended: {answer.recommended:,.0f}, {answer.spare_supernodes:.2f} of a SuperNode in this design.",
            "",
            *text_table(OF_POINTS, shown),
        ]
    )
