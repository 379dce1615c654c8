"""An answer about IT power where it is not drawn: plain values, unknown as None."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from app.engine.facility.it.lines import CapPoint, ItTotals, PartLine
from app.engine.problems import Problem
from app.engine.trace import first_of
from app.views.facility.it import ItAnswer, NodeLoad


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """IT power swing and its mitigation."""

    mean_w: float
    peak_w: float
    trough_w: float
    swing_w: float
    sub_second_peak_w: float
    ramp_limit_w_per_s: float
    ramp_time_s: float
    smoothing_energy_j: float
    swing_after_supplies_w: float
    smoothing_energy_after_supplies_j: float
    generator_step_share: float
    generator_step_limit: float
    step_frequency_hz: float
    flicker_least_hz: float
    flicker_greatest_hz: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItReport:
    """IT power of a design."""

    totals: ItTotals
    node: NodeLoad
    parts: tuple[PartLine, ...]
    caps: tuple[CapPoint, ...]
    swing: Swing
    problems: tuple[Problem, ...]


def it_report(answer: ItAnswer) -> ItReport:
    """The answer without what is only drawn."""
    names = [field.name for field in dataclasses.fields(Swing)]
    return ItReport(
        totals=answer.totals,
        node=answer.node,
        parts=answer.parts,
        caps=answer.caps,
        swing=Swing(**{name: first_of(getattr(answer.transients, name)) for name in names}),
        problems=answer.problems,
    )
