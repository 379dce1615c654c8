"""How much is asked for, from where, and what is promised."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.fields import Line, Part, Positive, Share, Whole, fault

FailureDomain = Literal["instance", "node", "supernode"]
Seconds = Annotated[float, Field(gt=0, le=1e6)]


class RegionDocument(Part):
    """Users of one place."""

    name: Line = Field(description="What the place is called.")
    share: Share = Field(default=1, description="Share of the requests; shares of all regions sum to 1.")
    round_trip_s: Annotated[float, Field(ge=0, le=1e6)] = Field(
        description="Round trip of the network between user and pod."
    )
    latency_budget_s: Seconds | None = Field(
        default=None,
        description="From the question to the first token, for the promised share of the requests; no budget when left "
        "out. What the network leaves of it is a promise of the pod.",
    )


class DemandDocument(Part):
    """What the pod must bear. State requests_per_s or tokens_per_day."""

    requests_per_s: Positive | None = Field(
        default=None,
        description="Requests, mean over a year; of a workload that has the pod for a share of the day, mean over its "
        "hours.",
    )
    tokens_per_day: Positive | None = Field(
        default=None,
        description="Tokens in and out together, in place of requests_per_s. A workload that has the pod for a share of "
        "the day bears them in its hours.",
    )
    peak_to_mean: Annotated[float, Field(ge=1, le=1_000)] | None = Field(
        default=None, description="Requests of the busiest hour over the mean; an assumption when left out."
    )
    growth_per_year: Annotated[float, Field(ge=-0.99, le=100)] = Field(
        default=0, description="Growth of the demand a year, 0.5 for half as much again."
    )
    years: Annotated[float, Field(ge=0, le=30)] = Field(
        default=0, description="Years of growth that the pod must last for."
    )
    regions: Annotated[tuple[RegionDocument, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Where the users are, with the latency that each place allows."
    )

    @model_validator(mode="after")
    def _one_amount(self) -> Self:
        if self.requests_per_s is None and self.tokens_per_day is None:
            raise fault(
                "one_of",
                "states no amount",
                hint="give requests_per_s or tokens_per_day, or leave demand out: the pod is then described at the most "
                "that keeps what is promised",
            )
        if self.requests_per_s is not None and self.tokens_per_day is not None:
            raise fault(
                "one_of",
                "states its amount twice, as requests_per_s and as tokens_per_day",
                hint="take one of them out",
            )
        total = math.fsum(region.share for region in self.regions)
        if self.regions and not math.isclose(total, 1, abs_tol=1e-3):
            raise fault(
                "sums_to_one",
                f"has shares that sum to {total:.6g}",
                hint="let the shares of all regions sum to 1",
                field="regions",
            )
        return self


class ServiceLevelDocument(Part):
    """What users are promised. A time that is left out is not promised."""

    ttft_s: Seconds | None = Field(default=None, description="Time to the first token.")
    tpot_s: Seconds | None = Field(default=None, description="Time of each further token.")
    percentile: Annotated[float, Field(ge=0.5, lt=1)] = Field(
        default=0.95, description="Share of the requests that are within, 0.95 for 95 %."
    )
    availability: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.999, description="Share of the time in which the demand is borne; 0 promises none."
    )
    n_plus: Annotated[Whole, Field(ge=0, le=1_000)] = Field(
        default=0,
        description="Failure domains that may be lost in the busiest hour with its demand still borne: 1 for N+1.",
    )
    failure_domain: FailureDomain = Field(
        default="instance",
        description="What is lost as a whole: instance, one replica; node, a host with all replicas that have a part on "
        "it; supernode, a SuperNode with all of them.",
    )
