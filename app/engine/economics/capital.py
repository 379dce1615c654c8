"""The bill of a pod: equipment, its installation and the facility around it."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_EPOCH = "[1] Cottier et al., The rising costs of training frontier AI models, arXiv 2405.21015"
_CUSHMAN = "[1] Cushman & Wakefield, Data Center Development Cost Guide 2025"


@quantity(unit="USD", source=_EPOCH, at="cost.supernode_price_usd")
def supernode_price_usd(
    *,
    price_usd: Array,
    accelerators_per_supernode: Array,
    accelerator_price_usd: Array,
    server_price_ratio: Array,
) -> Array:
    """Price of a supernode.

    Its own price where one is known, else its accelerators' times the usual share of the server.
    """
    from_accelerators = accelerators_per_supernode * accelerator_price_usd * server_price_ratio
    return np.where(np.isnan(price_usd), from_accelerators, price_usd)


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.servers")
def servers_usd(*, supernode_price_usd: Array, supernodes: Array, spare_supernodes: Array) -> Array:
    """Price of the supernodes.

    Spares are bought like the others.
    """
    return supernode_price_usd * (supernodes + spare_supernodes)


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.network")
def network_usd(*, network_price_usd: Array, price_includes_network: Array) -> Array:
    """Price of the scale-out network.

    Switches, modules, cables, and the compute NICs where the supernode comes without them. Nothing
    where the price of the supernodes is of all IT.
    """
    return np.where(price_includes_network > 0, 0.0, network_price_usd)


@quantity(unit="USD/TB", source="definition")
def storage_price_usd_per_tb(*, stated_usd_per_tb: Array, usual_usd_per_tb: Array) -> Array:
    """Price of storage capacity.

    The storage's own price where one is known, else a usual one.
    """
    return np.where(np.isnan(stated_usd_per_tb), usual_usd_per_tb, stated_usd_per_tb)


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.storage")
def storage_usd(
    *, storage_capacity_bytes: Array, storage_price_usd_per_tb: Array, price_includes_network: Array
) -> Array:
    """Price of the shared storage.

    Nothing where the price of the supernodes is of all IT.
    """
    price_usd = storage_capacity_bytes / 1e12 * storage_price_usd_per_tb
    return np.where(price_includes_network > 0, 0.0, price_usd)


@quantity(unit="USD", source="definition")
def equipment_usd(*, servers_usd: Array, network_usd: Array, storage_usd: Array) -> Array:
    """Price of all IT equipment."""
    return servers_usd + network_usd + storage_usd


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.installation")
def installation_usd(*, equipment_usd: Array, installation_share: Array) -> Array:
    """Price of installation, freight and commissioning."""
    return equipment_usd * installation_share


@quantity(unit="MW", source="definition")
def critical_power_mw(*, it_power_design_w: Array) -> Array:
    """Critical IT power the facility is built for."""
    return it_power_design_w / 1e6


@quantity(unit="1", source="definition")
def liquid_cooled_share(*, liquid_heat_design_w: Array, it_power_design_w: Array) -> Array:
    """Share of the design heat that liquid takes away."""
    return liquid_heat_design_w / it_power_design_w


@quantity(unit="USD", source=_CUSHMAN, at="cost.capex_breakdown_usd.facility")
def facility_usd(
    *,
    critical_power_mw: Array,
    facility_price_usd_per_mw: Array,
    liquid_cooled_share: Array,
    liquid_cooling_premium: Array,
) -> Array:
    """Price of the facility.

    Shell with mechanical and electrical plant by the MW of critical IT power, dearer by the share of
    heat that liquid takes away. Land, soft costs and contingency are not in it.
    """
    premium = 1 + liquid_cooling_premium * liquid_cooled_share
    return critical_power_mw * facility_price_usd_per_mw * premium


@quantity(unit="USD", source="definition", at="cost.capex_usd")
def capex_usd(*, equipment_usd: Array, installation_usd: Array, facility_usd: Array) -> Array:
    """Capital expenditure."""
    return equipment_usd + installation_usd + facility_usd
