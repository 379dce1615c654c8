"""Phases in which a site is built and powered, and the ways to finance it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.fields import PERCENT, Count, Display, Line, NotNegative, Part, Share, Whole, fault

MONTHS = Display(unit="months")
Months = Annotated[Annotated[Whole, Field(ge=0, le=240)], MONTHS]
Bridge = Literal["none", "gas_turbine", "gas_engine", "fuel_cell", "diesel_engine"]
Watts = Annotated[float, Field(ge=0, le=1e12)]
Rate = Annotated[Annotated[float, Field(ge=0, le=1)], PERCENT]
MOST_PHASES = 20


class PhaseDocument(Part):
    """One phase. What is left out is that of all phases; months count from the first order of the site."""

    name: Line | None = Field(default=None, description="Name; Phase 1, Phase 2 and so on when left out.")
    supernodes: Count | None = Field(
        default=None, description="SuperNodes of the phase. Phases that state neither share the rest evenly."
    )
    share: Annotated[Annotated[float, Field(gt=0, le=1)] | None, PERCENT] = Field(
        default=None, description="Share of the pod, in place of a number of SuperNodes."
    )
    start_month: Months | None = Field(
        default=None, description="Month in which construction and bridge power are ordered."
    )
    construction_months: Months | None = Field(
        default=None, description="Months from the order to a building that is ready."
    )
    ramp_months: Months | None = Field(default=None, description="Months until the load is full.")
    grid_month: Months | None = Field(default=None, description="Month in which the grid connection is live.")
    grid_w: Annotated[Watts | None, Display(unit="W_of_site")] = Field(
        default=None, description="Power of the connection; what the phase needs when left out."
    )
    bridge: Bridge | None = Field(default=None, description="Power on the site until the grid comes.")
    bridge_w: Annotated[Watts | None, Display(unit="W_of_site")] = Field(
        default=None, description="Bridge power; what the phase needs when left out."
    )

    @model_validator(mode="after")
    def _one_size(self) -> Self:
        if self.supernodes is not None and self.share is not None:
            raise fault("one_of", "states its size twice", hint="state supernodes or share", field="share")
        return self


class BuildOutDocument(Part):
    """Build-out of a site over time. What is left out is taken from the catalog's assumptions."""

    phases: Annotated[tuple[PhaseDocument, ...], Field(strict=False, max_length=MOST_PHASES)] = Field(
        default=(), description="Phases in their order; equal ones when left out."
    )
    phase_count: Annotated[Whole, Field(ge=1, le=MOST_PHASES)] | None = Field(
        title="Phases", default=None, description="Number of equal phases, where none are listed; one."
    )
    months_between: Months | None = Field(
        title="Months between phases",
        default=None,
        description="Months from the order of one phase to that of the next, where they do not state their own.",
    )
    first_order: Annotated[date, Field(strict=False)] | None = Field(
        title="Date of the first order",
        default=None,
        description="Date of the first order, to name dates by.",
    )
    drawing: Literal["s_curve", "even"] = Field(
        title="Drawing of capital",
        default="s_curve",
        description="Payment of the building during construction: along an S-curve, or evenly.",
    )
    construction_months: Months | None = Field(
        title="Construction time",
        default=None,
        description="Months from the order to a building that is ready.",
    )
    equipment_months: Months | None = Field(
        title="Equipment payment period",
        default=None,
        description="Months before delivery over which equipment is paid for.",
    )
    ramp_months: Months | None = Field(
        title="Ramp of load", default=None, description="Months from delivery until the load is full."
    )
    grid_month: Months | None = Field(
        title="Grid connection month",
        default=None,
        description="Month in which the connection is live; when left out, each phase waits from its order on.",
    )
    bridge: Bridge = Field(
        title="Bridge power", default="none", description="Power on the site until the grid comes."
    )
    bridge_lead_months: Months | None = Field(
        title="Bridge power lead time",
        default=None,
        description="Months from the order of a phase to its bridge power.",
    )
    bridge_usd_per_kw_month: Annotated[
        Annotated[float, Field(ge=0, le=10_000)] | None, Display(unit="USD/(kW month)")
    ] = Field(title="Bridge power rent", default=None, description="Rent of a kW of bridge power a month.")
    bridge_usd_per_kwh: Annotated[float, Field(ge=0, le=100)] | None = Field(
        title="Bridge energy price", default=None, description="Fuel and variable upkeep of bridge power."
    )
    bridge_kg_per_kwh: Annotated[float, Field(ge=0, le=10)] | None = Field(
        title="Carbon intensity of bridge power", default=None, description="Carbon of bridge power."
    )

    @model_validator(mode="after")
    def _phases_once(self) -> Self:
        if self.phases and self.phase_count is not None and self.phase_count != len(self.phases):
            raise fault(
                "phases",
                f"says {self.phase_count}, and {len(self.phases)} phases are listed",
                hint="leave phase_count out where phases are listed",
                field="phase_count",
            )
        shares = sum(phase.share or 0 for phase in self.phases)
        if shares > 1 + 1e-9:
            raise fault(
                "shares",
                f"have shares that add up to {shares:g}",
                hint="state shares of at most 1 together",
                field="phases",
            )
        return self


class FinancingDocument(Part):
    """Loan and lease terms to compare. What is left out is taken from the catalog's assumptions."""

    funding: Literal["cash", "level_loan", "sculpted_loan", "lease", "sale_and_leaseback", "colocate"] = (
        Field(
            title="Paid for by",
            default="cash",
            description="Financing of the monthly table and its chart; the other kinds are compared with it.",
        )
    )
    loan_share: Share | None = Field(
        title="Loan to cost", default=None, description="Most that a loan is of the cost."
    )
    loan_rate: Rate | None = Field(
        title="Loan rate", default=None, description="Nominal interest a year; that of debt when left out."
    )
    loan_months: Annotated[Annotated[Whole, Field(ge=1, le=480)] | None, MONTHS] = Field(
        title="Loan term", default=None, description="Months from delivery to the last payment."
    )
    interest_only_months: Months | None = Field(
        title="Interest-only period",
        default=None,
        description="Months from delivery in which only interest is paid.",
    )
    upfront_fee: Share | None = Field(
        title="Upfront fee", default=None, description="Fee with each draw, as a fraction of it."
    )
    commitment_fee: Share | None = Field(
        title="Commitment fee",
        default=None,
        description="Fee a year, as a fraction of what is not drawn yet.",
    )
    target_dscr: Annotated[float, Field(ge=1, le=10)] | None = Field(
        title="Target debt service cover",
        default=None,
        description="Cash flow available for debt service over the service of a sculpted loan.",
    )
    lease_rate: Rate | None = Field(
        title="Lease rate", default=None, description="Implicit rate of an operating lease a year."
    )
    lease_months: Annotated[Annotated[Whole, Field(ge=1, le=480)] | None, MONTHS] = Field(
        title="Lease term", default=None, description="Months of an operating lease, at most the life."
    )
    lease_payments: Literal["advance", "arrears"] = Field(
        title="Lease payments",
        default="advance",
        description="Rents at the start or the end of their months.",
    )
    leaseback_rate: Rate | None = Field(
        title="Leaseback rate", default=None, description="Implicit rate of a sale and leaseback a year."
    )
    leaseback_months: Annotated[Annotated[Whole, Field(ge=1, le=480)] | None, MONTHS] = Field(
        title="Leaseback term", default=None, description="Months of the leaseback, at most the life."
    )
    leaseback_buy_out: Share | None = Field(
        title="Leaseback buy-out",
        default=None,
        description="Price at which equipment is bought back at the end, as a fraction of its price.",
    )
    colocation_wait_months: Months | None = Field(
        title="Colocation wait", default=None, description="Months from an order until a hall is handed over."
    )
    colocation_ramp_months: Months | None = Field(
        title="Colocation contract ramp",
        default=None,
        description="Months over which the contracted power of a hall grows to all of it.",
    )
    colocation_escalator: Rate | None = Field(
        title="Colocation escalator",
        default=None,
        description="Growth of the colocation rent a year; inflation when left out.",
    )
    cross_connects: NotNegative | None = Field(
        title="Cross-connects", default=None, description="Cross-connects of the finished pod; none."
    )
    cross_connect_usd_per_month: Annotated[NotNegative | None, Display(unit="USD/mo")] = Field(
        title="Cross-connect price", default=None, description="Price of a cross-connect a month."
    )
