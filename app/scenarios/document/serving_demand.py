"""Demand, regions and service level."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.fields import PERCENT, Display, Line, NotNegative, Part, Positive, Share, Whole, fault

Shape = Literal["flat", "consumer_day", "campus_day", "coding_week", "conversation_week"]
"""Shapes of a day or a week, each declared in `seed_data/serving/demand_shapes.csv`."""
HOURS = (24, 168)
"""Hours of a day, from midnight, and of a week, from Monday."""
FailureDomain = Literal["instance", "node", "supernode"]
Seconds = Annotated[float, Field(gt=0, le=1e6)]


class RegionDocument(Part):
    """Users of one place."""

    name: Line = Field(description="Name of the region.")
    share: Share = Field(default=1, description="Share of the requests; shares of all regions sum to 1.")
    round_trip_s: Annotated[float, Field(ge=0, le=1e6)] = Field(
        description="Round trip of the network between user and pod."
    )
    latency_budget_s: Seconds | None = Field(
        default=None,
        description="From the question to the first token, at the SLO percentile; no budget when left "
        "out. The budget left after the network is an SLO of the pod.",
    )
    clock_offset_h: Annotated[float, Field(ge=-24, le=24)] = Field(
        default=0,
        description="Hours that clocks there are ahead of the clock of workload.demand.shape: its busy hours come so much "
        "earlier.",
    )


class AutoscalingDocument(Part):
    """Instances that are started and stopped as the demand rises and falls. Needs the shape of the demand."""

    enabled: bool = Field(
        title="Autoscaling",
        default=False,
        description="Whether instances follow the demand; all run in all hours otherwise.",
    )
    minimum_instances: Annotated[Whole, Field(ge=0, le=1_000_000)] = Field(
        title="Minimum instances",
        default=1,
        description="Instances that run in any hour; 0 stops the last one in an hour without requests.",
    )
    headroom: Annotated[Annotated[float, Field(ge=0, lt=1)] | None, PERCENT] = Field(
        title="Capacity headroom",
        default=None,
        description="Share of the running capacity kept idle for demand that grows while an instance starts; as much as "
        "the steepest rise within a cold start needs when left out.",
    )
    scale_down_delay_s: Annotated[Annotated[float, Field(ge=0, le=604_800)], Display(unit="seconds")] = Field(
        title="Scale-down delay",
        default=0,
        description="Time that an instance keeps running after the demand no longer needs it.",
    )
    stopped: Literal["idle", "off"] = Field(
        title="Stopped nodes",
        default="idle",
        description="Nodes of stopped instances: idle, they stay on and are free for batch work; off, they are powered down "
        "or given back, and boot again.",
    )
    cold_start_s: Annotated[Annotated[float, Field(ge=0, le=604_800)] | None, Display(unit="seconds")] = (
        Field(
            title="Cold start",
            default=None,
            description="Own measurement from the order of an instance to its first answer; computed from boot, reading and "
            "copying the weights and the start of the engine when left out.",
        )
    )


class DemandDocument(Part):
    """Demand on the pod. State requests_per_s or tokens_per_day."""

    requests_per_s: Annotated[Positive | None, Display(unit="req/s")] = Field(
        title="Mean demand",
        default=None,
        description="Requests, mean over a year; of a workload that has the pod for a share of the day, mean over its "
        "hours.",
    )
    tokens_per_day: Annotated[Positive | None, Display(unit="tokens_per_day")] = Field(
        title="Token demand",
        default=None,
        description="Tokens in and out together, in place of requests_per_s. A workload that has the pod for a share of "
        "the day bears them in its hours.",
    )
    peak_to_mean: Annotated[float, Field(ge=1, le=1_000)] | None = Field(
        title="Peak-to-mean ratio",
        default=None,
        description="Requests of the busiest hour over the mean; an assumption when left out.",
    )
    growth_per_year: Annotated[Annotated[float, Field(ge=-0.99, le=100)], PERCENT] = Field(
        title="Annual growth",
        default=0,
        description="Growth of the demand a year, 0.5 for half as much again.",
    )
    years: Annotated[float, Field(ge=0, le=30)] = Field(
        title="Years of growth", default=0, description="Years of growth that the pod must last for."
    )
    regions: Annotated[tuple[RegionDocument, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Regions of the users with their latency budgets."
    )
    shape: Shape | None = Field(
        title="Demand profile",
        default=None,
        description="How the requests are spread over the hours of a day or a week; only the busiest hour counts when left "
        "out. It says peak_to_mean.",
    )
    hourly_weights: Annotated[tuple[NotNegative, ...], Field(strict=False, max_length=168)] | None = Field(
        default=None,
        description="Own shape in place of a named one: requests of the 24 hours of a day or of the 168 hours of a week from "
        "Monday, in any unit.",
    )
    autoscaling: AutoscalingDocument | None = Field(
        default=None, description="Whether instances follow the demand by the hour, and how."
    )

    @model_validator(mode="after")
    def _one_amount(self) -> Self:
        if self.requests_per_s is None and self.tokens_per_day is None:
            raise fault(
                "one_of",
                "states no amount",
                hint="give requests_per_s or tokens_per_day, or leave demand out: the pod is then described at the most "
                "that meets the SLO",
            )
        if self.requests_per_s is not None and self.tokens_per_day is not None:
            raise fault(
                "one_of",
                "states its amount twice, as requests_per_s and as tokens_per_day",
                hint="take one out",
            )
        self._check_hours()
        total = math.fsum(region.share for region in self.regions)
        if self.regions and not math.isclose(total, 1, abs_tol=1e-3):
            raise fault(
                "sums_to_one",
                f"has shares that sum to {total:.6g}",
                hint="let the shares of all regions sum to 1",
                field="regions",
            )
        return self

    def _check_hours(self) -> None:
        if self.shape is not None and self.hourly_weights is not None:
            raise fault(
                "one_of",
                "states its hours twice, as shape and as hourly_weights",
                hint="take one out",
            )
        if self.hourly_weights is not None and len(self.hourly_weights) not in HOURS:
            raise fault(
                "hours",
                f"has {len(self.hourly_weights)} hours",
                hint="state 24 hours of a day or 168 of a week",
                field="hourly_weights",
            )
        if self.hourly_weights is not None and not max(self.hourly_weights) > 0:
            raise fault(
                "hours", "has no requests in any hour", hint="state one above 0", field="hourly_weights"
            )
        if self.has_hours:
            return
        if self.autoscaling is not None and self.autoscaling.enabled:
            raise fault(
                "hours",
                "needs the hours of the demand",
                hint="state workload.demand.shape or workload.demand.hourly_weights",
                field="autoscaling",
            )
        if any(region.clock_offset_h for region in self.regions):
            raise fault(
                "hours",
                "has places with a clock_offset_h, and no hours that it would move",
                hint="state workload.demand.shape or workload.demand.hourly_weights, or take clock_offset_h out",
                field="regions",
            )

    @property
    def has_hours(self) -> bool:
        """Return whether the demand is stated by the hour."""
        return self.shape is not None or self.hourly_weights is not None


class ServiceLevelDocument(Part):
    """Service level. A time that is left out sets no SLO."""

    ttft_s: Annotated[Seconds | None, Display(unit="s_of_a_wait")] = Field(
        title="Time to first token (SLO)", default=None, description="Time to the first token."
    )
    tpot_s: Annotated[Seconds | None, Display(unit="s_of_a_wait")] = Field(
        title="Time per output token (SLO)", default=None, description="Time of each further token."
    )
    percentile: Annotated[Annotated[float, Field(ge=0.5, lt=1)], PERCENT] = Field(
        title="SLO percentile",
        default=0.95,
        description="Share of the requests that are within, 0.95 for 95 %.",
    )
    availability: Annotated[Annotated[float, Field(ge=0, lt=1)], PERCENT] = Field(
        title="Availability target",
        default=0.999,
        description="Availability target: share of the time in which the demand is served; 0 for none.",
    )
    n_plus: Annotated[Whole, Field(ge=0, le=1_000)] = Field(
        title="Redundancy at peak (N+k)",
        default=0,
        description="Failure domains that may be lost in the busiest hour with its demand still served: 1 for N+1.",
    )
    failure_domain: FailureDomain = Field(
        title="Failure domain",
        default="instance",
        description="What is lost as a whole: instance, one replica; node, a host with all replicas that have a part on "
        "it; supernode, a SuperNode with all replicas that have a part on it.",
    )
