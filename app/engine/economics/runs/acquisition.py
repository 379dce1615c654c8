"""Buying the whole cluster that a run needs."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_EPOCH = "[1] Cottier et al., The rising costs of training frontier AI models, arXiv 2405.21015"
_FAT_TREE = (
    "[1] Leiserson, Fat-trees, IEEE Trans. Computers C-34 (1985): t levels of radix k take (2 t - 1) N / k"
)


@quantity(unit="USD", source=_EPOCH)
def server_usd_per_accelerator(*, accelerator_price_usd: Array, server_price_ratio: Array) -> Array:
    """An accelerator with its share of the server, where only the accelerator's price is known."""
    return accelerator_price_usd * server_price_ratio


@quantity(unit="USD", source=_EPOCH)
def installed_usd_per_accelerator(*, server_usd_per_accelerator: Array, interconnect_share: Array) -> Array:
    """An accelerator with its share of server and network.

    p / (1 - s): the network is the share s of server and network together.
    """
    return server_usd_per_accelerator / (1 - interconnect_share)


@quantity(unit="USD", source=_EPOCH)
def cluster_acquisition_usd(*, accelerators: Array, installed_usd_per_accelerator: Array) -> Array:
    """Acquisition of a cluster.

    Every accelerator with its share of server and network; building and power are not in it. A cluster outlives
    the run, so this is no cost of the run.
    """
    return accelerators * installed_usd_per_accelerator


@quantity(unit="1", source=_FAT_TREE)
def fabric_switches(*, endpoints: Array, switch_ports: Array, tiers: Array) -> Array:
    """Switches of a non-blocking fabric.

    (2 t - 1) N / k, a whole number: t tiers of switches with k ports join N endpoints.
    """
    return np.ceil((2 * tiers - 1) * endpoints / switch_ports)


@quantity(unit="USD", source="definition")
def cluster_bill_usd(
    *,
    nodes: Array,
    node_price_usd: Array,
    switches: Array,
    switch_price_usd: Array,
    cables_usd: Array,
    place_usd_per_node: Array,
) -> Array:
    """Acquisition of a cluster by its bill.

    Nodes, switches and cables, and what their place in a building costs over their life.
    """
    return nodes * (node_price_usd + place_usd_per_node) + switches * switch_price_usd + cables_usd
