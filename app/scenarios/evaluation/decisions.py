"""Decisions that a scenario leaves to `auto`: what was chosen, and what it adds to the design.

Each is declared once, in `DECISIONS`; REST answers, text, workbook, studio and its print show the same list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.engine.evaluation import Sections
from app.engine.fabric.tier_parts import names_of
from app.engine.performance.section import Performance
from app.engine.problems import Fix
from app.engine.specs import Design
from app.engine.trace import first_of
from app.scenarios.document.scenario import ScenarioDocument, ServingDocument, TrainingDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class AutomaticChoice:
    """One choice of the evaluation. `fix` is the change that undoes it, where there is one."""

    field: str  # of the scenario, which says auto
    value: float | str
    message: str
    affects: tuple[str, ...]  # places of the figures that it moves
    fix: Fix | None = None


def _spares(document: ScenarioDocument, design: Design, sections: Sections) -> AutomaticChoice | None:
    reliability = sections.reliability
    spares, bought = first_of(reliability.spare_units), first_of(reliability.spare_supernodes)
    if document.operations.spares != "auto" or not spares > 0:
        return None
    whole = spares == bought
    words = f"{spares:,.0f} spare {'SuperNode' if whole else 'unit'}{'' if spares == 1 else 's'}"
    if not whole:
        words += f" of {first_of(reliability.unit_accelerators):,.0f} accelerators"
    usd = bought * first_of(sections.cost.supernode_price_usd)
    price = "" if np.isnan(usd) else f", {usd / 1e6:,.2f} M USD"
    confidence = first_of(design.assumptions.rooms["operations"].spare_confidence)
    return AutomaticChoice(
        field="operations.spares",
        value=spares,
        message=f"{words} bought: +{_percent(bought / first_of(design.pod.supernodes))} of the SuperNodes{price}, so that enough work "
        f"{_percent(confidence)} of the time.",
        affects=("reliability.spare_supernodes", "power.racks", "cost.capex_usd"),
        fix=Fix(field="operations.spares", value=0, message="Buy no spares."),
    )


def _layout(document: ScenarioDocument, design: Design, sections: Sections) -> AutomaticChoice | None:
    workload = document.workload
    if isinstance(workload, ServingDocument):
        field, is_auto = "workload.layout", workload.layout == "auto"
    else:
        field = "parallelism"
        is_auto = document.parallelism == "auto" and isinstance(workload, TrainingDocument)
    if not is_auto:
        return None
    strategy = {name: first_of(value) for name, value in sections.performance.strategy.items()}
    used = [f"{_degree(name)} {value:,.0f}" for name, value in strategy.items() if value > 1]
    chosen = ", ".join(used) or "every accelerator on its own"
    return AutomaticChoice(
        field=field,
        value=chosen,
        message=f"Layout found by search: {chosen}.",
        affects=("performance.step_time_s",) if field == "parallelism" else ("performance.tokens_per_s",),
    )


def _framework(document: ScenarioDocument, design: Design, sections: Sections) -> AutomaticChoice | None:
    workload, performance = document.workload, sections.performance
    if not isinstance(workload, TrainingDocument) or workload.software.framework != "auto":
        return None
    if design.framework is None or not isinstance(performance, Performance):
        return None
    return AutomaticChoice(
        field="workload.software.framework",
        value=design.framework.key,
        message=f"Framework: {performance.framework}.",
        affects=("performance.step_time_s",),
    )


def _topology(document: ScenarioDocument, design: Design, sections: Sections) -> AutomaticChoice | None:
    topology = design.pod.fabric.topology
    if document.pod.fabric.topology != "auto" or topology == "none":
        return None
    return AutomaticChoice(
        field="pod.fabric.topology",
        value=topology,
        message=f"Topology: {topology.replace('_', ' ')}.",
        affects=("fabric.topology", "fabric.switches_total"),
    )


def _switch(document: ScenarioDocument, design: Design, sections: Sections) -> AutomaticChoice | None:
    switch, count = design.pod.fabric.switch, first_of(sections.fabric.switches_total)
    if document.pod.fabric.switch != "auto" or switch is None or not count > 0:
        return None
    return AutomaticChoice(
        field="pod.fabric.switch",
        value=switch.key,
        message=f"Switches: {count:,.0f} {names_of(design.pod.fabric, [tier.name for tier in sections.fabric.tiers])}.",
        affects=("fabric.switches_total", "fabric.network_price_usd"),
    )


def _cooling(document: ScenarioDocument, design: Design, sections: Sections) -> AutomaticChoice | None:
    if document.facility.cooling != "auto":
        return None
    plant = sections.cooling.plant
    return AutomaticChoice(
        field="facility.cooling",
        value=plant,
        message=f"Cooling plant: {plant.replace('_', ' ')}.",
        affects=("cooling.pue", "cooling.water_m3_per_year"),
    )


DECISIONS: tuple[Callable[[ScenarioDocument, Design, Sections], AutomaticChoice | None], ...] = (
    _spares, _layout, _framework, _topology, _switch, _cooling,
)  # fmt: skip
"""In the order in which they are told: what costs most first."""


def _degree(name: str) -> str:
    """The name of a degree as the field writes it: "TP", "micro-batches", "ZeRO stage"."""
    words = name.replace("micro_batch", "micro-batch").replace("zero", "ZeRO").replace("_", " ")
    return name.upper() if len(name) <= len("vpp") else words


def _percent(share: float) -> str:
    """Two significant figures: 0.9 %, 50 %."""
    return f"{100 * share:,.2g} %" if share < 1 else f"{100 * share:,.0f} %"


def decisions_of(document: ScenarioDocument, design: Design, sections: Sections) -> list[AutomaticChoice]:
    """What was chosen where the scenario says auto."""
    return [found for decide in DECISIONS if (found := decide(document, design, sections)) is not None]
