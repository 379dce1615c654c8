"""How capital and running cost come together for a pod: quantities called in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.economics import capital, finance, operating, rent, tco
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.fabric.section import Fabric
from app.engine.operations.section import Reliability
from app.engine.specs import Economics, Facility, Operations, Pod, SuperNode
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Cooling, Power


def capital_bill(
    supernode: SuperNode,
    pod: Pod,
    operations: Operations,
    fabric: Fabric,
    reliability: Reliability,
    power: Power,
    cooling: Cooling,
    assumptions: EconomicsAssumptions,
) -> dict[str, Array]:
    """What is bought, with its sums."""
    price = capital.supernode_price_usd(
        price_usd=supernode.price_usd,
        accelerators_per_supernode=supernode.accelerators,
        accelerator_price_usd=supernode.accelerator.price_usd,
        server_price_ratio=assumptions.server_price_ratio,
    )
    parts = {
        "servers_usd": capital.servers_usd(
            supernode_price_usd=price,
            supernodes=pod.supernodes,
            spare_supernodes=reliability.spare_supernodes,
        ),
        "network_usd": capital.network_usd(
            network_price_usd=fabric.network_price_usd,
            price_includes_network=supernode.price_includes_network,
        ),
        "storage_usd": capital.storage_usd(
            storage_capacity_bytes=reliability.storage_capacity_bytes,
            storage_price_usd_per_tb=capital.storage_price_usd_per_tb(
                stated_usd_per_tb=operations.storage.price_usd_per_tb,
                usual_usd_per_tb=assumptions.storage_price_usd_per_tb,
            ),
            price_includes_network=supernode.price_includes_network,
        ),
    }
    equipment = capital.equipment_usd(**parts)
    megawatts = capital.critical_power_mw(it_power_design_w=power.it_power_design_w)
    totals = {
        "equipment_usd": equipment,
        "installation_usd": capital.installation_usd(
            equipment_usd=equipment, installation_share=assumptions.installation_share
        ),
        "facility_usd": capital.facility_usd(
            critical_power_mw=megawatts,
            facility_price_usd_per_mw=assumptions.facility_price_usd_per_mw,
            liquid_cooled_share=capital.liquid_cooled_share(
                liquid_heat_design_w=cooling.liquid_heat_design_w, it_power_design_w=power.it_power_design_w
            ),
            liquid_cooling_premium=assumptions.liquid_cooling_premium,
        ),
    }
    whole = capital.capex_usd(**totals)
    return parts | totals | {"capex_usd": whole, "supernode_price_usd": price, "critical_power_mw": megawatts}


def yearly_hours(
    supernode: SuperNode, pod: Pod, economics: Economics, reliability: Reliability
) -> dict[str, Array]:
    """Accelerator-hours of a year."""
    installed = tco.installed_accelerator_hours_per_year(
        supernodes=pod.supernodes, accelerators_per_supernode=supernode.accelerators
    )
    available = rent.available_accelerator_hours_per_year(
        installed_accelerator_hours_per_year=installed, availability=reliability.availability
    )
    return {"installed": installed, "available": available}


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
    economics: Economics,
    power: Power,
    bill: dict[str, Array],
    hours: dict[str, Array],
    use: dict[str, Array],
    assumptions: EconomicsAssumptions,
) -> dict[str, Array]:
    """Running cost by kind, with its sum under `total`."""
    load = operating.load_share(utilisation=economics.utilisation, idle_power_share=use["idle_power_share"])
    parts = {
        "electricity": operating.electricity_usd_per_year(
            electricity_at_full_use_usd_per_year=use["electricity_at_full_use_usd_per_year"], load_share=load
        ),
        "demand": operating.demand_usd_per_year(
            utility_peak_w=power.utility_peak_w,
            demand_charge_usd_per_kw_month=assumptions.demand_charge_usd_per_kw_month,
        ),
        "water": operating.water_usd_per_year(
            water_at_full_use_usd_per_year=use["water_at_full_use_usd_per_year"], load_share=load
        ),
        "support": operating.support_usd_per_year(
            equipment_usd=bill["equipment_usd"], support_share_per_year=assumptions.support_share_per_year
        ),
        "maintenance": operating.maintenance_usd_per_year(
            facility_usd=bill["facility_usd"],
            maintenance_share_per_year=assumptions.maintenance_share_per_year,
        ),
        "staff": operating.staff_usd_per_year(
            critical_power_mw=bill["critical_power_mw"],
            staff_usd_per_mw_year=assumptions.staff_usd_per_mw_year,
        ),
        "insurance": operating.insurance_usd_per_year(
            capex_usd=bill["capex_usd"], insurance_share_per_year=assumptions.insurance_share_per_year
        ),
        "software": operating.software_usd_per_year(
            installed_accelerator_hours_per_year=hours["installed"],
            software_usd_per_accelerator_hour=assumptions.software_usd_per_accelerator_hour,
        ),
    }
    return parts | {"total": operating.opex_usd_per_year(**parts)}


def ownership(
    economics: Economics,
    reliability: Reliability,
    bill: dict[str, Array],
    hours: dict[str, Array],
    opex: dict[str, Array],
    assumptions: EconomicsAssumptions,
) -> dict[str, Any]:
    """Total cost over the life, and the levelised cost of an hour in four meanings."""
    life, rate = economics.life_years, economics.wacc
    recovery = finance.capital_recovery_factor(rate=rate, years=life)
    bought = {name: bill[name] for name in ("equipment_usd", "installation_usd")}
    capital_charge = tco.capital_usd_per_year(
        **bought,
        facility_usd=bill["facility_usd"],
        equipment_share=finance.yearly_capital_share(
            capital_recovery_factor=recovery, rate=rate, residual_value=economics.residual_value
        ),
        installation_share=recovery,
        facility_share=finance.capital_recovery_factor(rate=rate, years=assumptions.facility_life_years),
    )
    annual = tco.annual_cost_usd_per_year(
        capital_usd_per_year=capital_charge, opex_usd_per_year=opex["total"]
    )
    energy = {
        "electricity_usd_per_year": opex["electricity"],
        "demand_usd_per_year": opex["demand"],
        "life_years": life,
    }
    building = tco.facility_tco_usd(
        facility_usd=bill["facility_usd"],
        life_years=life,
        facility_life_years=assumptions.facility_life_years,
    )
    resale = tco.resale_tco_usd(equipment_usd=bill["equipment_usd"], residual_value=economics.residual_value)
    breakdown = {
        "compute": tco.compute_tco_usd(servers_usd=bill["servers_usd"]),
        "fabric": tco.fabric_tco_usd(network_usd=bill["network_usd"]),
        "storage": tco.storage_tco_usd(storage_usd=bill["storage_usd"]),
        "installation": tco.installation_tco_usd(installation_usd=bill["installation_usd"]),
        "facility": building,
        "energy": tco.energy_tco_usd(**energy),
        "upkeep": tco.upkeep_tco_usd(
            **energy, opex_usd_per_year=opex["total"], staff_usd_per_year=opex["staff"]
        ),
        "staff": tco.staff_tco_usd(staff_usd_per_year=opex["staff"], life_years=life),
        "capital_cost": tco.capital_cost_tco_usd(
            **bought,
            capital_usd_per_year=capital_charge,
            life_years=life,
            facility_tco_usd=building,
            resale_tco_usd=resale,
        ),
        "resale": resale,
    }
    installed = tco.usd_per_installed_accelerator_hour(
        annual_cost_usd_per_year=annual, installed_accelerator_hours_per_year=hours["installed"]
    )
    available = tco.usd_per_available_accelerator_hour(
        usd_per_installed_accelerator_hour=installed, availability=reliability.availability
    )
    used = tco.usd_per_accelerator_hour(
        usd_per_available_accelerator_hour=available, utilisation=economics.utilisation
    )
    return {
        "annual_cost_usd_per_year": annual,
        "tco_usd": tco.tco_usd(annual_cost_usd_per_year=annual, life_years=life),
        "tco_breakdown_usd": breakdown,
        "usd_per_installed_accelerator_hour": installed,
        "usd_per_available_accelerator_hour": available,
        "usd_per_accelerator_hour": used,
        "usd_per_useful_accelerator_hour": tco.usd_per_useful_accelerator_hour(
            usd_per_accelerator_hour=used, ettr=reliability.ettr
        ),
    }
