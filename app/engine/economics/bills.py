"""Capital and annual cost of a pod: calls of its quantities, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.economics import building, capital, operating, rent, tco
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.fabric.section import Fabric
from app.engine.operations.section import Reliability
from app.engine.specs import Economics, Facility, Operations, Pod, SuperNode
from app.engine.specs.power_supply import Supplied
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Cooling, Power

EQUIPMENT = ("servers", "spares", "network", "storage")
"""What serves for a life of its own, and is sold at the end of it."""
BOUGHT = (*EQUIPMENT, "installation", "duties", "facility", "land")
"""Composition of capital expenditure."""


def capital_bill(
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    economics: Economics,
    fabric: Fabric,
    reliability: Reliability,
    power: Power,
    cooling: Cooling,
    assumptions: EconomicsAssumptions,
    supplied: Supplied | None = None,
) -> dict[str, Array]:
    """Purchases with their sums; own plant for electricity is bought with the facility."""
    price = capital.supernode_price_usd(
        price_usd=supernode.price_usd,
        accelerators_per_supernode=supernode.accelerators,
        accelerator_price_usd=supernode.accelerator.price_usd,
        server_price_ratio=assumptions.server_price_ratio,
        price_is_listed=supernode.price_is_listed,
        channel_price_ratio=supernode.channel_price_ratio,
        price_discount=economics.price_discount,
    )
    bought = capital.with_pool_usd(price, supernode)
    parts = {
        "servers_usd": capital.servers_usd(supernode_price_usd=bought, supernodes=pod.supernodes),
        "spares_usd": capital.spares_usd(
            supernode_price_usd=bought, spare_supernodes=reliability.spare_supernodes
        ),
        "network_usd": capital.network_usd(
            network_price_usd=fabric.network_price_usd,
            price_discount=economics.price_discount,
            price_includes_network=supernode.price_includes_network,
        ),
        "storage_usd": capital.storage_usd(
            storage_flash_bytes=reliability.storage_flash_bytes,
            storage_bulk_bytes=reliability.storage_bulk_bytes,
            storage_write_rated_bytes_per_s=reliability.storage_write_rated_bytes_per_s,
            storage_price_usd_per_gb_s=assumptions.storage_price_usd_per_gb_s,
            storage_bulk_price_usd_per_tb=assumptions.storage_bulk_price_usd_per_tb,
            price_is_stated=operations.storage.price_is_stated,
            storage_price_usd_per_tb=capital.storage_price_usd_per_tb(
                stated_usd_per_tb=operations.storage.price_usd_per_tb,
                usual_usd_per_tb=assumptions.storage_price_usd_per_tb,
            ),
            price_includes_network=supernode.price_includes_network,
        ),
    }
    equipment = capital.equipment_usd(**parts)
    megawatts = building.critical_power_mw(it_power_design_w=power.it_power_design_w)
    per_mw = building.facility_usd_per_mw(
        facility_price_usd_per_mw=assumptions.facility_price_usd_per_mw,
        construction_cost_factor=economics.construction_cost_factor,
        redundancy_usd_per_mw=building.redundancy_usd_per_mw(
            **{
                block: building.block_usd_per_mw(
                    installed_share=share,
                    block_usd_per_kw=getattr(assumptions, f"{block}_usd_per_kw"),
                    facility_price_installed_ratio=assumptions.facility_price_installed_ratio,
                )
                for block, share in power.installed_shares.items()
            }
        ),
    )
    totals = {
        "equipment_usd": equipment,
        "installation_usd": capital.installation_usd(
            equipment_usd=equipment, installation_share=assumptions.installation_share
        ),
        "duties_usd": capital.duties_usd(
            equipment_usd=equipment,
            import_duty_share=economics.import_duty_share,
            sales_tax_share=economics.sales_tax_share,
        ),
        "facility_usd": building.facility_usd(
            critical_power_mw=megawatts,
            facility_usd_per_mw=per_mw,
            liquid_cooled_share=building.liquid_cooled_share(
                liquid_heat_design_w=cooling.liquid_heat_design_w, it_power_design_w=power.it_power_design_w
            ),
            liquid_cooling_premium=assumptions.liquid_cooling_premium,
            owns_building=economics.owns_building,
        ),
        "land_usd": building.land_usd(
            critical_power_mw=megawatts,
            land_acres_per_mw=assumptions.land_acres_per_mw,
            land_price_usd_per_acre=assumptions.land_price_usd_per_acre,
            owns_building=economics.owns_building,
        ),
    }
    built = totals["facility_usd"]
    if supplied is not None:
        totals["facility_usd"] = building.facility_with_plant_usd(
            facility_usd=built, power_plant_usd=supplied.plant_usd
        )
    whole = capital.capex_usd(**totals)
    return (
        parts
        | totals
        | {
            "capex_usd": whole,
            "supernode_price_usd": price,
            "critical_power_mw": megawatts,
            "facility_usd_per_mw": per_mw,
            "built_usd": built,
            "cdu_usd": building.cdu_usd(
                cdu_capacity_w=cooling.cdu_capacity_w,
                cdu_usd_per_kw=assumptions.cdu_usd_per_kw,
                construction_cost_factor=economics.construction_cost_factor,
                owns_building=economics.owns_building,
            ),
        }
    )


def available_share(reliability: Reliability, power: Power) -> Array:
    """Share of accelerator-hours with a working accelerator, power and cooling."""
    share: Array = rent.availability_at_site(
        availability=reliability.availability, facility_availability=power.facility_availability
    )
    return share


def yearly_hours(
    supernode: SuperNode, pod: Pod, economics: Economics, reliability: Reliability, power: Power
) -> dict[str, Array]:
    """Accelerator-hours of a year: of all accelerators, of those that work, and with work for them.

    Hours without power or cooling are not charged: `facility_availability` says what share of a run's time is paid for.
    """
    installed = tco.installed_accelerator_hours_per_year(
        supernodes=pod.supernodes, accelerators_per_supernode=supernode.accelerators
    )
    available = rent.available_accelerator_hours_per_year(
        installed_accelerator_hours_per_year=installed, availability=available_share(reliability, power)
    )
    used = rent.used_accelerator_hours_per_year(
        available_accelerator_hours_per_year=available, utilisation=economics.utilisation
    )
    return {
        "installed": installed,
        "available": available,
        "used": used,
        "facility_availability": power.facility_availability,
    }


def full_use(
    facility: Facility, power: Power, cooling: Cooling, assumptions: EconomicsAssumptions
) -> dict[str, Array]:
    """What depends on how much the pod is used."""
    return {
        "electricity_at_full_use_usd_per_year": operating.electricity_at_full_use_usd_per_year(
            energy_utility_kwh_per_year=power.energy_utility_kwh_per_year,
            electricity_price_usd_per_kwh=facility.site.electricity_price_usd_per_kwh,
        ),
        "water_at_full_use_usd_per_year": operating.water_at_full_use_usd_per_year(
            water_m3_per_year=cooling.water_m3_per_year,
            water_price_usd_per_m3=operating.water_price_usd_per_m3(
                site_usd_per_m3=facility.site.water_price_usd_per_m3,
                usual_usd_per_m3=assumptions.water_price_usd_per_m3,
            ),
        ),
        "idle_power_share": operating.idle_power_share(
            it_power_idle_w=power.it_power_idle_w, it_power_mean_w=power.it_power_mean_w
        ),
    }


def operating_bill(
    supernode: SuperNode,
    pod: Pod,
    economics: Economics,
    power: Power,
    bill: dict[str, Array],
    hours: dict[str, Array],
    use: dict[str, Array],
    assumptions: EconomicsAssumptions,
    supplied: Supplied | None = None,
) -> dict[str, Array]:
    """Running cost by kind, with its sum under `total`; the upkeep of own plant is in its electricity."""
    load = operating.load_share(utilisation=economics.utilisation, idle_power_share=use["idle_power_share"])
    parts = {
        "electricity": operating.electricity_usd_per_year(
            electricity_at_full_use_usd_per_year=use["electricity_at_full_use_usd_per_year"], load_share=load
        ),
        "demand": operating.demand_usd_per_year(
            utility_peak_w=power.utility_peak_w if supplied is None else supplied.grid_peak_w,
            demand_charge_usd_per_kw_month=assumptions.demand_charge_usd_per_kw_month,
        ),
        "water": operating.water_usd_per_year(
            water_at_full_use_usd_per_year=use["water_at_full_use_usd_per_year"], load_share=load
        ),
        "colocation": building.colocation_usd_per_year(
            critical_power_mw=bill["critical_power_mw"],
            colocation_usd_per_kw_month=economics.colocation_usd_per_kw_month,
            owns_building=economics.owns_building,
        ),
        "support": operating.support_usd_per_year(
            equipment_usd=bill["equipment_usd"], support_share_per_year=assumptions.support_share_per_year
        ),
        "maintenance": building.maintenance_usd_per_year(
            facility_usd=bill["built_usd"],
            maintenance_share_per_year=assumptions.maintenance_share_per_year,
        ),
        "staff": building.staff_usd_per_year(
            critical_power_mw=bill["critical_power_mw"],
            staff_usd_per_mw_year=assumptions.staff_usd_per_mw_year,
            labour_cost_factor=economics.labour_cost_factor,
            owns_building=economics.owns_building,
        ),
        "engineers": operating.engineers_usd_per_year(
            supernodes=pod.supernodes,
            accelerators_per_supernode=supernode.accelerators,
            cluster_engineers_per_accelerator=assumptions.cluster_engineers_per_accelerator,
            cluster_engineer_usd_per_year=assumptions.cluster_engineer_usd_per_year,
            labour_cost_factor=economics.labour_cost_factor,
        ),
        "software": operating.software_usd_per_year(
            installed_accelerator_hours_per_year=hours["installed"],
            software_usd_per_accelerator_hour=assumptions.software_usd_per_accelerator_hour,
        ),
        "insurance": operating.insurance_usd_per_year(
            capex_usd=bill["capex_usd"],
            land_usd=bill["land_usd"],
            insurance_share_per_year=assumptions.insurance_share_per_year,
        ),
        "property_tax": building.property_tax_usd_per_year(
            facility_usd=bill["facility_usd"],
            land_usd=bill["land_usd"],
            property_tax_share_per_year=assumptions.property_tax_share_per_year,
        ),
    }
    return parts | {"total": operating.opex_usd_per_year(**parts)}
