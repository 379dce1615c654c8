"""The finished pod of a build-out, from the sections of an evaluation; and the build-out that has no phases."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import full_use, yearly_hours
from app.engine.economics.build_out.project import Site
from app.engine.economics.build_out.specs import BuildOut
from app.engine.economics.cash_flow.holdings import assets_of
from app.engine.economics.section import Cost
from app.engine.facility.results import Cooling, Power
from app.engine.operations.section import Reliability
from app.engine.specs import Economics, Facility, Pod, SuperNode
from app.engine.trace import Array


def finished_site(
    *,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    economics: Economics,
    reliability: Reliability,
    power: Power,
    cooling: Cooling,
    cost: Cost,
    assumptions: EconomicsAssumptions,
) -> Site:
    """What the yearly cash flow reads of an evaluation, as the build-out reads it."""
    bought = cost.capex_breakdown_usd
    stated = economics.finance.price_usd_per_accelerator_hour
    return Site(
        economics=economics,
        assets=assets_of(bought, economics, assumptions),
        land_usd=bought["land"],
        operating_usd_per_year=dict(cost.opex_breakdown_usd_per_year),
        used_hours_per_year=yearly_hours(supernode, pod, economics, reliability, power)["used"],
        price_usd_per_accelerator_hour=economics.rent_usd_per_accelerator_hour if stated is None else stated,
        idle_power_share=full_use(facility, power, cooling, assumptions)["idle_power_share"],
        energy_kwh_per_year=power.energy_utility_kwh_per_year,
        grid_kg_per_kwh=facility.site.carbon_intensity_kg_per_kwh,
        utility_peak_w=power.utility_peak_w,
    )


def bought_at_once(utility_peak_w: Array) -> BuildOut:
    """One phase that is bought, connected and at work on the first day."""
    nothing = np.zeros((1, 1))
    return BuildOut(
        names=("All",),
        share=np.ones((1, 1)),
        start_month=nothing,
        construction_months=nothing,
        ramp_months=nothing,
        grid_month=nothing,
        grid_w=utility_peak_w.reshape(1, 1),
        bridge_w=nothing,
        bridge_lead_months=nothing,
        bridge_usd_per_kw_month=nothing,
        bridge_usd_per_kwh=nothing,
        bridge_kg_per_kwh=nothing,
        equipment_months=nothing,
        is_s_curve=False,
        occupancy_ramp_months=nothing,
        escalator=np.full((1, 1), np.nan),
        cross_connects=nothing,
        cross_connect_usd_per_month=nothing,
    )


def in_anothers_building(build_out: BuildOut, utility_peak_w: Array, wait_months: Array) -> BuildOut:
    """The same phases in colocation: halls are handed over with their power after a wait, and no bridge is needed."""
    ready = build_out.start_month + wait_months
    return replace(
        build_out,
        construction_months=wait_months + np.zeros_like(build_out.start_month),
        grid_month=ready,
        grid_w=build_out.share * utility_peak_w,
        bridge_w=np.zeros_like(build_out.bridge_w),
    )
