"""What is told of a pod's IT power, a line each. Unknown is NaN."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ItTotals:
    """IT power of the pod, as in the evaluation."""

    idle_w: float
    mean_w: float
    peak_w: float
    design_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """One component of the pod. Where its power is unknown, its watts are in a line of what is left."""

    key: str
    label: str
    idle_w: float
    mean_w: float
    peak_w: float
    design_w: float
    basis: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CapPoint:
    """A design under a power cap, with the layout that it has."""

    power_cap: float
    step_time_s: float
    it_power_mean_w: float
    utility_peak_w: float
    energy_j_per_step: float
    energy_j_per_token: float  # unknown for a job without tokens
