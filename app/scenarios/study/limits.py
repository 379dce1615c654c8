"""Limits of a study, which a design must keep to be an answer."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from app.scenarios.fields import PERCENT, Display, Key, Line, Part, Positive, Precision, each_once

Term = Literal["own", "colocate", "rent_reserved", "rent_on_demand"]
FabricKind = Literal["infiniband", "roce", "scheduled_ethernet", "ultra_ethernet"]
Vendors = Annotated[tuple[Line, ...], Field(strict=False, max_length=50), AfterValidator(each_once)]
Watts = Annotated[float, Field(gt=0, le=1e12)]
Seconds = Annotated[Positive, Display(unit="s_of_a_wait")]
Certainty = Annotated[Annotated[float, Field(ge=0.01, le=0.99)], PERCENT]


class LimitsDocument(Part):
    """What an answer must keep; each is left open where it is left out.

    Figures of a candidate have ranges. A limit is kept where the probability of meeting it is at least that
    asked for: `finish_probability` for the time to finish, `probability` for every other one; 0.5 asks that
    the typical figure keeps it.
    """

    finish_within_days: Annotated[Positive | None, Display(unit="days")] = Field(
        title="Finish within",
        default=None,
        description="Days from the start of training until it is done, failures and restarts included.",
    )
    finish_probability: Certainty = Field(
        title="Probability of finishing",
        default=0.5,
        description="Probability with which it must be done within these days.",
    )
    probability: Certainty = Field(
        title="Probability of the other limits",
        default=0.5,
        description="Probability with which every other limit must be kept.",
    )
    capex_usd: Positive | None = Field(
        title="Capital cost",
        default=None,
        description="Most capital, building included; none is spent by renting.",
    )
    tco_usd: Positive | None = Field(
        title="Total cost of ownership",
        default=None,
        description="Most cost over the life of the equipment; of rented capacity what it costs as long.",
    )
    run_usd: Positive | None = Field(
        title="Cost of the run",
        default=None,
        description="Most cost of the training run on the terms of the candidate.",
    )
    meter_power_w: Annotated[Watts | None, Display(unit="W_of_site")] = Field(
        title="Power at the meter", default=None, description="Most power that is drawn at the utility meter."
    )
    pue: Annotated[float, Field(ge=1, le=10)] | None = Field(
        title="PUE", default=None, description="Highest annual power usage effectiveness."
    )
    water_m3_per_year: Annotated[Annotated[float, Field(ge=0, le=1e12)] | None, Display(unit="m3/year")] = (
        Field(title="Water", default=None, description="Most water that the cooling plant takes in a year.")
    )
    carbon_kg: Positive | None = Field(
        title="Carbon",
        default=None,
        description="Most carbon of the run: of its energy, and its share of what making the pod emitted.",
    )
    floor_m2: Annotated[Positive | None, Display(unit="m2")] = Field(
        title="Floor area", default=None, description="Most area of the data hall."
    )
    ttft_s: Seconds | None = Field(
        title="Time to first token",
        default=None,
        description="Longest time to the first token of the served model.",
    )
    tpot_s: Seconds | None = Field(
        title="Time per output token",
        default=None,
        description="Longest time of an output token of the served model.",
    )
    served_tokens_per_s: Annotated[Positive | None, Display(unit="tokens/s")] = Field(
        title="Served throughput",
        default=None,
        description="Least output tokens per second of the served model.",
    )
    delivery_by: Annotated[date, Field(strict=False)] | None = Field(
        title="Delivered by", default=None, description="Date by which all of the pod must work."
    )
    vendors: Vendors = Field(
        title="Vendors",
        default=(),
        description="Vendors of the systems, as the catalog names them; any when left out.",
    )
    switch_families: Annotated[
        tuple[FabricKind, ...], Field(strict=False, max_length=4), AfterValidator(each_once)
    ] = Field(
        title="Switch families",
        default=(),
        description="Kinds of fabric that may be used; any when left out.",
    )
    number_formats: Annotated[
        tuple[Precision, ...], Field(strict=False, max_length=6), AfterValidator(each_once)
    ] = Field(
        title="Number formats", default=(), description="Formats that may be trained in; any when left out."
    )
    sites: Annotated[tuple[Key, ...], Field(strict=False, max_length=100), AfterValidator(each_once)] = Field(
        title="Sites", default=(), description="Sites that may be used; any when left out."
    )
    terms: Annotated[tuple[Term, ...], Field(strict=False, max_length=4), AfterValidator(each_once)] = Field(
        title="Financial terms", default=(), description="Terms that may be used; any when left out."
    )
