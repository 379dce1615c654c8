"""Yearly charge for each thing that is bought: its price as level payments over its life, interest included."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_LEVELISED = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), levelised cost"


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.servers")
def servers_capital_usd_per_year(*, servers_usd: Array, equipment_share: Array) -> Array:
    """Annual capital charge for SuperNodes."""
    return servers_usd * equipment_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.spares")
def spares_capital_usd_per_year(*, spares_usd: Array, equipment_share: Array) -> Array:
    """Annual capital charge for spare SuperNodes."""
    return spares_usd * equipment_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.network")
def network_capital_usd_per_year(*, network_usd: Array, network_share: Array) -> Array:
    """Annual capital charge for the network.

    Over its own life, optics with it.
    """
    return network_usd * network_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.storage")
def storage_capital_usd_per_year(*, storage_usd: Array, storage_share: Array) -> Array:
    """Annual capital charge for storage.

    Over its own life.
    """
    return storage_usd * storage_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.installation")
def installation_capital_usd_per_year(*, installation_usd: Array, installation_share: Array) -> Array:
    """Annual capital charge for installation.

    Over the life of the equipment; nothing of it is sold again.
    """
    return installation_usd * installation_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.duties")
def duties_capital_usd_per_year(*, duties_usd: Array, installation_share: Array) -> Array:
    """Annual capital charge for duty and sales tax.

    Over the life of the equipment, as installation: it has no resale value.
    """
    return duties_usd * installation_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.facility")
def facility_capital_usd_per_year(*, facility_usd: Array, facility_share: Array) -> Array:
    """Annual capital charge for shell and plant.

    Over their own life, which is longer than that of the equipment.
    """
    return facility_usd * facility_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.land")
def land_capital_usd_per_year(*, land_usd: Array, rate: Array) -> Array:
    """Annual capital charge for land.

    Interest alone: land is taken to sell for what it cost.
    """
    return land_usd * rate


@quantity(unit="USD/year", source=_LEVELISED)
def capital_usd_per_year(
    *,
    servers: Array,
    spares: Array,
    network: Array,
    storage: Array,
    installation: Array,
    duties: Array,
    facility: Array,
    land: Array,
) -> Array:
    """Annual capital charge.

    Everything that is bought, each over its own life and less what it sells for.
    """
    return servers + spares + network + storage + installation + duties + facility + land
