"""Terms of a build-out and of its financing. Arrays of phases have one row a phase."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOut:
    """Phases of one site. Months count from the first order."""

    names: tuple[str, ...]
    share: Array  # of the pod; phases add up to one
    start_month: Array
    construction_months: Array
    ramp_months: Array  # of the load, from its first power on
    grid_month: Array  # in which the connection of the phase is live
    grid_w: Array
    bridge_w: Array  # zero where a phase has no bridge power
    bridge_lead_months: Array  # from the start of the phase
    bridge_usd_per_kw_month: Array
    bridge_usd_per_kwh: Array
    bridge_kg_per_kwh: Array
    equipment_months: Array  # before delivery, over which equipment is paid for
    is_s_curve: bool  # how the building is drawn: along an S-curve, else evenly
    occupancy_ramp_months: Array  # over which the contracted colocation grows to all of it
    escalator: Array  # of the colocation rent a year; unknown: it follows inflation
    cross_connects: Array
    cross_connect_usd_per_month: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Financing:
    """Loan and lease terms. Rates are nominal and a year's; months count from delivery."""

    loan_share: Array  # of cost: what a loan is at most
    loan_rate: Array
    loan_months: Array  # interest-only months included
    interest_only_months: Array
    upfront_fee: Array  # of each draw
    commitment_fee: Array  # a year, of what is not yet drawn
    target_dscr: Array
    lease_rate: Array
    lease_months: Array
    lease_in_advance: Array  # 1: rents at the start of their months
    leaseback_rate: Array
    leaseback_months: Array
    leaseback_buy_out: Array  # of the price, at the end of the leaseback
