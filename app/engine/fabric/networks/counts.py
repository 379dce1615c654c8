"""Switches, links, cables, modules, power and price of a network beside the compute fabric."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.specs import LeafNetwork, ManagementNetwork
from app.engine.trace import Array

_H100 = "[1] NVIDIA DGX SuperPOD reference architecture (DGX H100), RA-11333-001 V11, table 8"


network_tier_switches = alias(
    "network_tier_switches",
    "Switches of the tier of a network beside the compute fabric",
    of="switches_built",
    at="fabric.networks[].tiers[].switches",
)
network_tier_links = alias(
    "network_tier_links",
    "Links below the tier of a network beside the compute fabric",
    of="links_below",
    at="fabric.networks[].tiers[].links",
)


network_tier_cables = alias(
    "network_tier_cables",
    "Cables below the tier of a network beside the compute fabric",
    of="links",
    at="fabric.networks[].tiers[].cables",
    note="One a link: a fibre jumper, or twisted pair to a management port.",
)


@quantity(unit="1", source="definition", at="fabric.networks[].switches")
def network_switches(*, by_tier: tuple[Array, ...]) -> Array:
    """Switches of a network beside the compute fabric."""
    return sum(by_tier[1:], start=by_tier[0])


@quantity(unit="1", source="definition", at="fabric.networks[].links")
def network_links(*, by_tier: tuple[Array, ...]) -> Array:
    """Links of a network beside the compute fabric: those of hosts and servers, and those between switches."""
    return sum(by_tier[1:], start=by_tier[0])


@quantity(unit="1", source="definition", at="fabric.networks[].cables")
def network_cables(*, by_tier: tuple[Array, ...]) -> Array:
    """Cables of a network beside the compute fabric: pieces that are laid between two devices."""
    return sum(by_tier[1:], start=by_tier[0])


@quantity(unit="1", source=_H100)
def network_switch_modules(
    *, links_by_tier: tuple[Array, ...], switch_ends: tuple[Array, ...], links_per_module: Array
) -> Array:
    """Modules in switches.

    Parameters
    ----------
    links_by_tier : links below each tier [1]
    switch_ends : ends of such a link that are in switches [1]
    links_per_module : 2 for a twin-port module [1]
    """
    parts = [
        ends * np.ceil(links / links_per_module)
        for links, ends in zip(links_by_tier, switch_ends, strict=True)
    ]
    return sum(parts[1:], start=parts[0])


@quantity(unit="1", source=_H100)
def network_host_modules(*, hosts: Array, host_ports: Array, links_per_module: Array) -> Array:
    """Modules in hosts. Servers bring their own."""
    return hosts * np.ceil(host_ports / links_per_module)


@quantity(unit="1", source="definition", at="fabric.networks[].modules")
def network_modules(*, switch_modules: Array, host_modules: Array) -> Array:
    """Optical modules of a network beside the compute fabric, switch and node side."""
    return switch_modules + host_modules


@quantity(unit="1", source="definition")
def network_nics(*, hosts: Array, host_ports: Array, nic_ports: Array, bought_apart: Array) -> Array:
    """NICs of a network beside the compute fabric, bought apart from the SuperNodes.

    Parameters
    ----------
    hosts : on the network [1]
    host_ports : of one [1]
    nic_ports : of one NIC [1]
    bought_apart : 0 when the SuperNode's price includes them, else 1 [1]
    """
    bought = hosts * bought_apart
    return np.where(bought <= 0, 0.0, bought * np.ceil(host_ports / nic_ports))


@quantity(unit="W", source="definition", at="fabric.networks[].power_w")
def pod_network_power_w(*, line_powers_w: tuple[Array, ...]) -> Array:
    """Typical power of a network beside the compute fabric.

    Switches without optics, and every module. NICs and servers are counted where they stand.
    """
    return sum(line_powers_w[1:], start=line_powers_w[0])


@quantity(unit="USD", source="definition", at="fabric.networks[].price_usd")
def pod_network_price_usd(*, line_prices_usd: tuple[Array, ...]) -> Array:
    """Price of a network beside the compute fabric, without the servers on it."""
    return sum(line_prices_usd[1:], start=line_prices_usd[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """A network of leaves and spines."""

    plan: LeafNetwork
    hosts: Array
    storage_servers: Array
    service_servers: Array
    border_links: Array
    storage_links: Array
    link_bandwidth_bytes_per_s: Array
    port_split: Array
    host_leaves: Array
    storage_leaves: Array
    host_leaf_uplinks: Array
    storage_leaf_uplinks: Array
    uplinks: Array
    tier_count: Array
    spines: Array
    cores: Array

    @property
    def leaves(self) -> Array:
        return self.host_leaves + self.storage_leaves

    @property
    def switches(self) -> Array:
        return self.leaves + self.spines + self.cores

    @property
    def leaf_links(self) -> Array:
        """Those of hosts and servers, and those to the rest of the site."""
        plan = self.plan
        servers = self.service_servers * plan.service_server_ports
        return self.hosts * plan.host_ports + servers + self.border_links + self.storage_links

    @property
    def core_links(self) -> Array:
        return np.where(self.tier_count <= 2, 0.0, self.uplinks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The out-of-band network."""

    plan: ManagementNetwork
    hosts: Array
    servers: Array
    managed_switches: Array
    power_strips: Array
    managed_ports: Array
    switches: Array
    uplinks: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """What is built; None where a network is not."""

    storage: Tree | None
    in_band: Tree | None
    out_of_band: Access | None
