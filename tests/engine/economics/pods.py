"""Pods built by hand for the tests of this room."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.section import Cost, evaluate_cost
from app.engine.specs import (
    Climate,
    Economics,
    FabricPlan,
    Facility,
    Finance,
    Operations,
    Pod,
    Renting,
    Site,
    Storage,
)
from app.engine.trace import Array
from tests.support import assumptions, build, dgx_h100, llama_405b_training, number

UNKNOWN = float("nan")


def pod(**changes: Any) -> dict[str, Any]:
    """2,048 DGX H100 with round figures of the earlier rooms."""
    given: dict[str, Any] = {
        "workload": llama_405b_training(),
        "supernode": dgx_h100(),
        "pod": build(Pod, supernodes=2048, accelerators_used=16384, fabric=cast(FabricPlan, None)),
        "facility": facility(),
        "operations": Operations(
            checkpoint="two_level",
            spare_units=None,
            storage=build(
                Storage,
                read_bandwidth_bytes_per_s=UNKNOWN,
                write_bandwidth_bytes_per_s=UNKNOWN,
                price_usd_per_tb=UNKNOWN,
            ),
        ),
        "economics": economics(),
        "fabric": SimpleNamespace(network_price_usd=number(120e6)),
        "performance": SimpleNamespace(elapsed_time_s=number(78 * 86400)),
        "reliability": SimpleNamespace(
            spare_supernodes=number(18),
            availability=number(0.9998),
            ettr=number(0.95),
            storage_flash_bytes=number(4.4e15),
            storage_bulk_bytes=number(0),
            storage_write_rated_bytes_per_s=number(0),
            storage_capacity_bytes=number(4.4e15),
        ),
        "power": SimpleNamespace(
            it_power_mean_w=number(18e6),
            it_power_idle_w=number(6e6),
            it_power_design_w=number(23e6),
            it_breakdown_w={"idle_supernodes": number(0.05e6)},
            utility_mean_w=number(22e6),
            utility_peak_w=number(27e6),
            energy_utility_kwh_per_year=number(22e3 * 8760),
            accelerator_tdp_power_w=number(16384 * 700),
            installed_shares=usual_shares(),
            facility_availability=number(1),
        ),
        "cooling": SimpleNamespace(
            liquid_heat_design_w=number(0), cdu_capacity_w=number(0), water_m3_per_year=number(1e5)
        ),
        "assumptions": assumptions("economics", EconomicsAssumptions, generation="hopper"),
    }
    return given | changes


def no_storage() -> dict[str, Array]:
    names = ("flash_bytes", "bulk_bytes", "capacity_bytes", "write_rated_bytes_per_s")
    return {f"storage_{name}": number(0) for name in names}


def usual_shares(share: float = 1.333) -> dict[str, Array]:
    """Every block as often as in the facilities that the price per MW is of."""
    blocks = ("feeds", "generators", "lv_transformer", "ups", "distribution", "cooling", "cdu")
    return {block: number(share) for block in blocks}


def facility(*, electricity: float = 0.075, carbon: float = 0.323, water: float = UNKNOWN) -> Facility:
    site = build(
        Site,
        key="ashburn",
        name="Ashburn VA",
        elevation_m=119,
        electricity_price_usd_per_kwh=electricity,
        carbon_intensity_kg_per_kwh=carbon,
        water_price_usd_per_m3=water,
        climate=cast(Climate, None),
    )
    return build(Facility, site=site, cooling="auto", redundancy="2N", coolant_supply_c=UNKNOWN)


def finance(**changes: Any) -> Finance:
    values = {
        "prices": "nominal",
        "depreciation": "straight_line",
        "tax_rate": 0.21,
        "bonus_depreciation": 0.0,
        "inflation": 0.025,
        "debt_share": 0.0,
        "debt_rate": 0.09,
        "debt_years": 5.0,
        "equipment_write_off_years": 5.0,
        "building_write_off_share_per_year": 1 / 39,
        "price_usd_per_accelerator_hour": None,
    }
    return build(Finance, **(values | changes))


def renting(**changes: Any) -> Renting:
    values = {
        "price_path": "flat",
        "compared_with": "on_demand",
        "contract_usd_per_accelerator_hour": UNKNOWN,
        "contract_accelerators": 64.0,
        "spot_usd_per_accelerator_hour": UNKNOWN,
        "capacity_block_usd_per_accelerator_hour": UNKNOWN,
        "price_change_per_year": -0.15,
        "shock_month": 12.0,
        "shock_share": 0.38,
        "storage_usd_per_tb_month": 0.0,
        "egress_tb_per_month": 0.0,
        "egress_usd_per_tb": 0.0,
        "support_share": 0.0,
        "setup_usd": 0.0,
        "goodput_ratio": 1.0,
        "commitment_months": 12.0,
        "peak_over_mean": 1.25,
        "horizon_months": 60.0,
    }
    return build(Renting, **(values | changes))


def economics(**changes: Any) -> Economics:
    values = {
        "owns_building": 1.0,
        "colocation_usd_per_kw_month": 180.0,
        "price_discount": 0.0,
        "research_multiplier": 1.0,
        "finance": finance(),
        "renting": renting(),
        "life_years": 5.0,
        "network_life_years": 5.0,
        "storage_life_years": 5.0,
        "used_value_share": 0.79,
        "value_decline_per_year": 0.276,
        "hardware_decline_per_year": 0.276,
        "import_duty_share": 0.0,
        "sales_tax_share": 0.0,
        "construction_cost_factor": 1.0,
        "labour_cost_factor": 1.0,
        "jurisdiction": "United States, federal",
        "wacc": 0.10,
        "utilisation": 0.8,
        "residual_value": 0.1,
        "rental_on_demand_usd_per_accelerator_hour": 3.20,
        "rental_reserved_usd_per_accelerator_hour": 2.72,
    }
    return build(Economics, **(values | changes))


def evaluate(**changes: Any) -> Cost:
    with np.errstate(invalid="ignore", divide="ignore"):  # as during every evaluation
        return evaluate_cost(**pod(**changes))


def with_assumptions(**values: float) -> EconomicsAssumptions:
    record = assumptions("economics", EconomicsAssumptions)
    return dataclasses.replace(record, **{name: number(value) for name, value in values.items()})
