"""What is built of each network beside the compute fabric: its switches, its links, and what they join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.specs import LeafNetwork, ManagementNetwork
from app.engine.trace import Array


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
