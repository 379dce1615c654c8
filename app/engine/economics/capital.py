"""Purchases for a pod: equipment, spares and their installation; `building` has shell, plant and land."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import SuperNode
from app.engine.trace import Array

_EPOCH = "[1] Cottier et al., The rising costs of training frontier AI models, arXiv 2405.21015"


@quantity(unit="USD", source=_EPOCH, at="cost.supernode_price_usd")
def supernode_price_usd(
    *,
    price_usd: Array,
    accelerators_per_supernode: Array,
    accelerator_price_usd: Array,
    server_price_ratio: Array,
    price_is_listed: Array,
    channel_price_ratio: Array,
    price_discount: Array,
) -> Array:
    """Price of a SuperNode.

    Its own price where one is known, else its accelerators' times the usual share of the server. Prices of
    the catalog are converted to the purchase channel, and the discount is taken off; a price that the scenario
    states is paid as it is.
    """
    from_accelerators = accelerators_per_supernode * accelerator_price_usd * server_price_ratio
    full_usd = np.where(np.isnan(price_usd), from_accelerators, price_usd)
    paid_share = channel_price_ratio * (1 - price_discount)
    return full_usd * (1 - price_is_listed * (1 - paid_share))


@quantity(unit="USD", source="definition")
def price_with_pool_usd(*, supernode_price_usd: Array, pool_price_usd: Array) -> Array:
    """Price of a SuperNode and of the modules of its memory pool, which are paid as they are."""
    return supernode_price_usd + pool_price_usd


def with_pool_usd(price_usd: Array, supernode: SuperNode) -> Array:
    """The price with a memory pool, where one is bought beside the system."""
    if supernode.pool is None or supernode.pool.price_usd is None:
        return price_usd
    return price_with_pool_usd(supernode_price_usd=price_usd, pool_price_usd=supernode.pool.price_usd)


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.servers")
def servers_usd(*, supernode_price_usd: Array, supernodes: Array) -> Array:
    """SuperNodes, purchase price.

    Those of the pod; its spares have a line of their own.
    """
    return supernode_price_usd * supernodes


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.spares")
def spares_usd(*, supernode_price_usd: Array, spare_supernodes: Array) -> Array:
    """Spare SuperNodes, purchase price.

    They stand ready, and are bought like the others.
    """
    return supernode_price_usd * spare_supernodes


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.network")
def network_usd(*, network_price_usd: Array, price_discount: Array, price_includes_network: Array) -> Array:
    """Scale-out network, purchase price.

    Switches, modules, cables, and the compute NICs where the supernode comes without them, all at prices
    of the catalog less the discount. Nothing where the price of the supernodes is of all IT.
    """
    return np.where(price_includes_network > 0, 0.0, network_price_usd * (1 - price_discount))


@quantity(unit="USD/TB", source="definition")
def storage_price_usd_per_tb(*, stated_usd_per_tb: Array, usual_usd_per_tb: Array) -> Array:
    """Price of storage capacity.

    The storage's own price where one is known, else a usual one.
    """
    return np.where(np.isnan(stated_usd_per_tb), usual_usd_per_tb, stated_usd_per_tb)


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.storage")
def storage_usd(
    *,
    storage_flash_bytes: Array,
    storage_bulk_bytes: Array,
    storage_write_rated_bytes_per_s: Array,
    storage_price_usd_per_tb: Array,
    storage_price_usd_per_gb_s: Array,
    storage_bulk_price_usd_per_tb: Array,
    price_is_stated: Array,
    price_includes_network: Array,
) -> Array:
    """Shared storage, purchase price.

    Flash by the TB and its servers by the GB/s of rated write bandwidth, disks by the TB; a price of a TB that the
    scenario states has the servers in it. Nothing where the price of the supernodes is of all IT.
    """
    servers_usd = storage_write_rated_bytes_per_s / 1e9 * storage_price_usd_per_gb_s * (1 - price_is_stated)
    flash_usd = storage_flash_bytes / 1e12 * storage_price_usd_per_tb + servers_usd
    price_usd = flash_usd + storage_bulk_bytes / 1e12 * storage_bulk_price_usd_per_tb
    return np.where(price_includes_network > 0, 0.0, price_usd)


@quantity(unit="USD", source="definition")
def equipment_usd(*, servers_usd: Array, spares_usd: Array, network_usd: Array, storage_usd: Array) -> Array:
    """Price of all IT equipment."""
    return servers_usd + spares_usd + network_usd + storage_usd


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.installation")
def installation_usd(*, equipment_usd: Array, installation_share: Array) -> Array:
    """Installation, freight and commissioning."""
    return equipment_usd * installation_share


@quantity(unit="USD", source="definition", at="cost.capex_breakdown_usd.duties")
def duties_usd(*, equipment_usd: Array, import_duty_share: Array, sales_tax_share: Array) -> Array:
    """Import duty on the equipment, and sales tax that is not recovered.

    Tax falls on the price with its duty: d + t (1 + d).
    """
    return equipment_usd * (import_duty_share + sales_tax_share * (1 + import_duty_share))


@quantity(unit="USD", source="definition", at="cost.capex_usd", key=True, better="less")
def capex_usd(
    *,
    equipment_usd: Array,
    installation_usd: Array,
    duties_usd: Array,
    facility_usd: Array,
    land_usd: Array,
) -> Array:
    """Capital expenditure."""
    return equipment_usd + installation_usd + duties_usd + facility_usd + land_usd
