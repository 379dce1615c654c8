"""Building around the equipment: an owned shell, plant and land, or colocation by the kW."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_CUSHMAN = "[1] Cushman & Wakefield, Data Center Development Cost Guide 2025"


@quantity(unit="MW", source="definition")
def critical_power_mw(*, it_power_design_w: Array) -> Array:
    """Critical IT power of the facility."""
    return it_power_design_w / 1e6


@quantity(unit="1", source="definition")
def liquid_cooled_share(*, liquid_heat_design_w: Array, it_power_design_w: Array) -> Array:
    """Liquid-cooled share of the design heat."""
    return liquid_heat_design_w / it_power_design_w


_BLOCK_RATES = "definition: block rates times what is installed beyond the mean of the survey"


@quantity(unit="USD/MW", source=_BLOCK_RATES)
def block_usd_per_mw(
    *, installed_share: Array, block_usd_per_kw: Array, facility_price_installed_ratio: Array
) -> Array:
    """Price of more or fewer of one block than usual, by the MW of critical IT power.

    Rate times (installed over needed capacity less that of the surveyed facilities): less than nothing where fewer are
    installed, and nothing for a block that there is none of.
    """
    more = installed_share - facility_price_installed_ratio
    return np.where(installed_share == 0, 0.0, block_usd_per_kw * 1e3 * more)


@quantity(unit="USD/MW", source=_BLOCK_RATES)
def redundancy_usd_per_mw(
    *,
    feeds: Array,
    generators: Array,
    lv_transformer: Array,
    ups: Array,
    distribution: Array,
    cooling: Array,
    cdu: Array,
) -> Array:
    """Price of more or fewer blocks than usual, by the MW of critical IT power."""
    return feeds + generators + lv_transformer + ups + distribution + cooling + cdu


@quantity(unit="USD/MW", source=_CUSHMAN, at="cost.facility_usd_per_mw")
def facility_usd_per_mw(
    *, facility_price_usd_per_mw: Array, redundancy_usd_per_mw: Array, construction_cost_factor: Array
) -> Array:
    """Price of the facility by the MW of critical IT power, with its redundancy.

    The survey's price holds for a usual redundancy; feeds, generators, UPS, transformers, distribution, chillers and
    CDUs are added or taken off by what is installed. Never less than nothing. The survey is of the US; elsewhere it
    takes the factor of the place.
    """
    return np.maximum(facility_price_usd_per_mw + redundancy_usd_per_mw, 0) * construction_cost_factor


@quantity(unit="USD", source="definition", at="cost.cdu_usd")
def cdu_usd(
    *, cdu_capacity_w: Array, cdu_usd_per_kw: Array, construction_cost_factor: Array, owns_building: Array
) -> Array:
    """Coolant distribution units, within the price of the facility.

    All that are installed, spares included, by their capacity. Zero in colocation.
    """
    return cdu_capacity_w / 1e3 * cdu_usd_per_kw * construction_cost_factor * owns_building


@quantity(unit="USD", source="definition")
def facility_with_plant_usd(*, facility_usd: Array, power_plant_usd: Array) -> Array:
    """Price of the facility with its own plant for electricity."""
    return facility_usd + power_plant_usd


@quantity(unit="USD", source=_CUSHMAN, at="cost.capex_breakdown_usd.facility")
def facility_usd(
    *,
    critical_power_mw: Array,
    facility_usd_per_mw: Array,
    liquid_cooled_share: Array,
    liquid_cooling_premium: Array,
    owns_building: Array,
) -> Array:
    """Facility, purchase price.

    Shell with mechanical and electrical plant by the MW of critical IT power, dearer by the share of
    heat that liquid takes away. Land, soft costs and contingency are not in it. Nothing in colocation.
    """
    premium = 1 + liquid_cooling_premium * liquid_cooled_share
    return critical_power_mw * facility_usd_per_mw * premium * owns_building


@quantity(unit="USD", source=_CUSHMAN, at="cost.capex_breakdown_usd.land")
def land_usd(
    *,
    critical_power_mw: Array,
    land_acres_per_mw: Array,
    land_price_usd_per_acre: Array,
    owns_building: Array,
) -> Array:
    """Land, purchase price.

    By the MW of critical IT power. Nothing in colocation.
    """
    return critical_power_mw * land_acres_per_mw * land_price_usd_per_acre * owns_building


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.colocation")
def colocation_usd_per_year(
    *, critical_power_mw: Array, colocation_usd_per_kw_month: Array, owns_building: Array
) -> Array:
    """Annual cost of colocation.

    For every kW that is provisioned, drawn or not; electricity is paid alongside it. Zero in an owned
    building.
    """
    provisioned_kw = critical_power_mw * 1e3
    return 12 * provisioned_kw * colocation_usd_per_kw_month * (1 - owns_building)


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.maintenance")
def maintenance_usd_per_year(*, facility_usd: Array, maintenance_share_per_year: Array) -> Array:
    """Annual facility maintenance.

    A landlord pays it in colocation.
    """
    return facility_usd * maintenance_share_per_year


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.staff")
def staff_usd_per_year(
    *,
    critical_power_mw: Array,
    staff_usd_per_mw_year: Array,
    labour_cost_factor: Array,
    owns_building: Array,
) -> Array:
    """Annual cost of facility staff.

    At the pay of the place. A landlord pays it in colocation.
    """
    return critical_power_mw * staff_usd_per_mw_year * labour_cost_factor * owns_building


@quantity(unit="USD/year", source="definition", at="cost.opex_breakdown_usd_per_year.property_tax")
def property_tax_usd_per_year(
    *, facility_usd: Array, land_usd: Array, property_tax_share_per_year: Array
) -> Array:
    """Annual property tax.

    On building, plant and land; equipment is taken to be exempt.
    """
    return (facility_usd + land_usd) * property_tax_share_per_year
