"""How capital and running cost come together for a pod: quantities called in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.economics import capital_charge, finance, tco
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.economics.bills import available_share
from app.engine.economics.residual import value_curves
from app.engine.operations.section import Reliability
from app.engine.specs import Economics
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Power


def ownership(
    economics: Economics,
    reliability: Reliability,
    power: Power,
    bill: dict[str, Array],
    hours: dict[str, Array],
    opex: dict[str, Array],
    assumptions: EconomicsAssumptions,
) -> dict[str, Any]:
    """Total cost over the life, and the levelised cost of an hour in four meanings."""
    charges = _capital_charges(bill, rate=economics.wacc, **_yearly_shares(economics, assumptions))
    charge = capital_charge.capital_usd_per_year(**charges)
    annual = tco.annual_cost_usd_per_year(capital_usd_per_year=charge, opex_usd_per_year=opex["total"])
    installed = tco.usd_per_installed_accelerator_hour(
        annual_cost_usd_per_year=annual, installed_accelerator_hours_per_year=hours["installed"]
    )
    available = tco.usd_per_available_accelerator_hour(
        usd_per_installed_accelerator_hour=installed, availability=available_share(reliability, power)
    )
    used = tco.usd_per_accelerator_hour(
        usd_per_available_accelerator_hour=available, utilisation=economics.utilisation
    )
    return {
        "capital_breakdown_usd_per_year": charges,
        "annual_cost_usd_per_year": annual,
        "tco_usd": tco.tco_usd(annual_cost_usd_per_year=annual, life_years=economics.life_years),
        "tco_breakdown_usd": _tco_breakdown(economics, bill, opex, charge, assumptions),
        "usd_per_installed_accelerator_hour": installed,
        "usd_per_available_accelerator_hour": available,
        "usd_per_accelerator_hour": used,
        "usd_per_useful_accelerator_hour": None
        if reliability.ettr is None
        else tco.usd_per_useful_accelerator_hour(usd_per_accelerator_hour=used, ettr=reliability.ettr),
    }


def _yearly_shares(economics: Economics, assumptions: EconomicsAssumptions) -> dict[str, Array]:
    """Level yearly payments over the price, by life."""
    rate, curves = economics.wacc, value_curves(economics)
    recovery = {
        kind: finance.capital_recovery_factor(rate=rate, years=curve.life_years)
        for kind, curve in curves.items()
    }
    servers, network, storage = (
        finance.yearly_capital_share(
            capital_recovery_factor=recovery[kind], rate=rate, residual_value=curve.residual_value
        )
        for kind, curve in curves.items()
    )
    return {
        "equipment_share": servers,
        "network_share": network,
        "storage_share": storage,
        "installation_share": recovery["servers"],
        "facility_share": finance.facility_yearly_share(
            plant_recovery=finance.capital_recovery_factor(rate=rate, years=assumptions.facility_life_years),
            shell_recovery=finance.capital_recovery_factor(rate=rate, years=assumptions.shell_life_years),
            shell_share=assumptions.shell_share,
        ),
    }


def _capital_charges(
    bill: dict[str, Array],
    *,
    equipment_share: Array,
    network_share: Array,
    storage_share: Array,
    installation_share: Array,
    facility_share: Array,
    rate: Array,
) -> dict[str, Array]:
    """The yearly charge for capital, by what is bought."""
    return {
        "servers": capital_charge.servers_capital_usd_per_year(
            servers_usd=bill["servers_usd"], equipment_share=equipment_share
        ),
        "spares": capital_charge.spares_capital_usd_per_year(
            spares_usd=bill["spares_usd"], equipment_share=equipment_share
        ),
        "network": capital_charge.network_capital_usd_per_year(
            network_usd=bill["network_usd"], network_share=network_share
        ),
        "storage": capital_charge.storage_capital_usd_per_year(
            storage_usd=bill["storage_usd"], storage_share=storage_share
        ),
        "installation": capital_charge.installation_capital_usd_per_year(
            installation_usd=bill["installation_usd"], installation_share=installation_share
        ),
        "duties": capital_charge.duties_capital_usd_per_year(
            duties_usd=bill["duties_usd"], installation_share=installation_share
        ),
        "facility": capital_charge.facility_capital_usd_per_year(
            facility_usd=bill["facility_usd"], facility_share=facility_share
        ),
        "land": capital_charge.land_capital_usd_per_year(land_usd=bill["land_usd"], rate=rate),
    }


def _tco_breakdown(
    economics: Economics,
    bill: dict[str, Array],
    opex: dict[str, Array],
    capital_usd_per_year: Array,
    assumptions: EconomicsAssumptions,
) -> dict[str, Array]:
    """Parts of the total cost over the life of the equipment; they sum to it."""
    life = economics.life_years
    energy = {
        "electricity_usd_per_year": opex["electricity"],
        "demand_usd_per_year": opex["demand"],
        "life_years": life,
    }
    building = tco.facility_tco_usd(
        facility_usd=bill["facility_usd"],
        life_years=life,
        facility_life_years=assumptions.facility_life_years,
        shell_life_years=assumptions.shell_life_years,
        shell_share=assumptions.shell_share,
    )
    curves = value_curves(economics)
    equipment = {
        "compute": tco.compute_tco_usd(servers_usd=bill["servers_usd"]),
        "spares": tco.spares_tco_usd(spares_usd=bill["spares_usd"]),
        "fabric": tco.fabric_tco_usd(
            network_usd=bill["network_usd"],
            life_years=life,
            network_life_years=economics.network_life_years,
        ),
        "storage": tco.storage_tco_usd(
            storage_usd=bill["storage_usd"],
            life_years=life,
            storage_life_years=economics.storage_life_years,
        ),
    }
    parts = {f"{name}_tco_usd": usd for name, usd in equipment.items()}
    resale = tco.resale_tco_usd(
        **parts,
        residual_value=curves["servers"].residual_value,
        network_residual_value=curves["network"].residual_value,
        storage_residual_value=curves["storage"].residual_value,
    )
    return {
        **equipment,
        "installation": tco.installation_tco_usd(installation_usd=bill["installation_usd"]),
        "duties": tco.duties_tco_usd(duties_usd=bill["duties_usd"]),
        "facility": building,
        "colocation": tco.colocation_tco_usd(colocation_usd_per_year=opex["colocation"], life_years=life),
        "energy": tco.energy_tco_usd(**energy),
        "upkeep": tco.upkeep_tco_usd(
            **energy,
            opex_usd_per_year=opex["total"],
            staff_usd_per_year=opex["staff"],
            engineers_usd_per_year=opex["engineers"],
            colocation_usd_per_year=opex["colocation"],
        ),
        "staff": tco.staff_tco_usd(staff_usd_per_year=opex["staff"], life_years=life),
        "engineers": tco.engineers_tco_usd(engineers_usd_per_year=opex["engineers"], life_years=life),
        "capital_cost": tco.capital_cost_tco_usd(
            capital_usd_per_year=capital_usd_per_year,
            life_years=life,
            **parts,
            installation_usd=bill["installation_usd"],
            duties_usd=bill["duties_usd"],
            facility_tco_usd=building,
            resale_tco_usd=resale,
        ),
        "resale": resale,
    }
