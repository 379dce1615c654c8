"""Figures that have an interval, room by room and kind by kind of workload."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """80 % of comparable runs would lie between these; null where the figure or its uncertainty is
    unknown."""

    low: float | None
    high: float | None


UNKNOWN = Bounds(low=None, high=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedBounds:
    """Figures of speed; all follow from the one doubt, so they are high and low together."""

    step_time_s: Bounds
    tokens_per_s: Bounds
    tokens_per_s_per_accelerator: Bounds
    mfu: Bounds
    hfu: Bounds
    training_time_s: Bounds
    elapsed_time_s: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyBounds:
    """Figures of a served model.

    The time per output token and the time to the first token have a doubt of their own; what follows from both is
    bounded by both at their worst, and both at their best. Rates are those of as many requests in flight: unknown
    where the demand sets them.
    """

    ttft_s: Bounds
    ttft_within_s: Bounds
    tpot_s: Bounds
    tpot_within_s: Bounds
    end_to_end_s: Bounds
    tokens_per_s_per_user: Bounds
    requests_per_s: Bounds
    tokens_per_s: Bounds
    tokens_per_s_per_accelerator: Bounds
    output_tokens_per_s_per_accelerator: Bounds
    input_tokens_per_s: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBounds:
    """Figures of failures, by how often hosts of 80 % of further fleets fail; unknown where a rate is
    stated."""

    mtbf_s: Bounds
    ettr: Bounds


NO_RELIABILITY = ReliabilityBounds(mtbf_s=UNKNOWN, ettr=UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class CostBounds:
    """Costs that are so much an hour; for their hours alone, at the prices as they are."""

    usd_per_run: Bounds
    usd_per_million_tokens: Bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCostBounds:
    """Costs of a served model's tokens: for the tokens of an hour alone, at the prices as they are."""

    usd_per_million_tokens: Bounds
    usd_per_million_input_tokens: Bounds
    usd_per_million_output_tokens: Bounds
