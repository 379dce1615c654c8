"""Modelling assumptions of the economics room; values and sources in seed_data/assumptions."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class EconomicsAssumptions:
    server_price_ratio: Array
    storage_price_usd_per_tb: Array
    storage_price_usd_per_gb_s: Array
    storage_bulk_price_usd_per_tb: Array
    installation_share: Array
    facility_price_usd_per_mw: Array
    feeds_usd_per_kw: Array
    generators_usd_per_kw: Array
    lv_transformer_usd_per_kw: Array
    ups_usd_per_kw: Array
    distribution_usd_per_kw: Array
    cooling_usd_per_kw: Array
    cdu_usd_per_kw: Array
    facility_price_installed_ratio: Array
    liquid_cooling_premium: Array
    facility_life_years: Array  # of mechanical and electrical plant
    shell_life_years: Array
    shell_share: Array  # of the price of the facility, site works with it
    land_acres_per_mw: Array
    land_price_usd_per_acre: Array
    demand_charge_usd_per_kw_month: Array
    water_price_usd_per_m3: Array
    support_share_per_year: Array
    maintenance_share_per_year: Array
    staff_usd_per_mw_year: Array
    cluster_engineers_per_accelerator: Array
    cluster_engineer_usd_per_year: Array
    insurance_share_per_year: Array
    property_tax_share_per_year: Array
    software_usd_per_accelerator_hour: Array
    accelerator_embodied_kg: Array
    host_embodied_ratio: Array
