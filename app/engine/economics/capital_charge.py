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
def network_capital_usd_per_year(*, network_usd: Array, equipment_share: Array) -> Array:
    """Annual capital charge for the network."""
    return network_usd * equipment_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.storage")
def storage_capital_usd_per_year(*, storage_usd: Array, equipment_share: Array) -> Array:
    """Annual capital charge for storage."""
    return storage_usd * equipment_share


@quantity(unit="USD/year", source=_LEVELISED, at="cost.capital_breakdown_usd_per_year.installation")
def installation_capital_usd_per_year(*, installation_usd: Array, installation_share: Array) -> Array:
    """Annual capital charge for installation.

    Over the life of the equipment; nothing of it is sold again.
    """
    return installation_usd * installation_share


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
    equipment_usd: Array,
    installation_usd: Array,
    facility_usd: Array,
    land_usd: Array,
    equipment_share: Array,
    installation_share: Array,
    facility_share: Array,
    rate: Array,
) -> Array:
    """Annual capital charge.

    Equipment less its resale and installation over the life of the equipment, the facility over its
    own life, land for its interest. Each share is a yearly charge over the price [1/year].
    """
    equipment = equipment_usd * equipment_share + installation_usd * installation_share
    return equipment + facility_usd * facility_share + land_usd * rate
