"""How many leaves, spines and links a network beside the compute fabric takes.

Each port of a host ends in another leaf, so leaves come in sets of as many as a host has ports; a set
that takes all there is needs no spines. Else links are spread evenly over the leaves of the hosts, and
storage servers have leaves of their own with as many links up as down. Two spines at least are built: the
loss of one leaves a network. The rule gives the printed in-band and storage counts of the 127-node DGX H100
SuperPOD, but for two of the 16 storage switches (its reference architecture does not say what they are).
"""

from __future__ import annotations

import numpy as np

from app.engine.fabric.topologies.clos.packing import evenly_reached_switches
from app.engine.quantities import quantity
from app.engine.trace import Array

_H100 = (
    "[1] NVIDIA DGX SuperPOD reference architecture (DGX H100), RA-11333-001 V11, Network Fabrics, table 8"
)


@quantity(unit="1", source="definition")
def service_links(
    *, service_servers: Array, server_ports: Array, border_links: Array, uplinks: Array
) -> Array:
    """Links that take ports beside the hosts: of servers, to the site, and of the out-of-band network."""
    return service_servers * server_ports + border_links + uplinks


@quantity(unit="1", source="definition")
def storage_links(*, storage_servers: Array, server_ports: Array) -> Array:
    """Links of storage servers."""
    return storage_servers * server_ports


@quantity(unit="1", source=_H100)
def hosts_of_leaf(*, switch_radix: Array, oversubscription: Array, spines_at_least: Array) -> Array:
    """Hosts that one leaf can take.

    floor(R o / (1 + o)) of radix R at oversubscription o, with a port left for each of the fewest spines.
    """
    down = np.floor(switch_radix * oversubscription / (1 + oversubscription))
    return np.minimum(down, switch_radix - spines_at_least)


@quantity(unit="1", source=_H100)
def needs_spines(
    *, hosts: Array, host_ports: Array, service_links: Array, storage_links: Array, switch_radix: Array
) -> Array:
    """Whether spines are needed: 1 where one set of leaves, one a port of a host, cannot take everything, else 0."""
    of_leaf = hosts + np.ceil(service_links / host_ports) + np.ceil(storage_links / host_ports)
    return np.where(np.isnan(of_leaf + switch_radix), np.nan, np.where(of_leaf > switch_radix, 1.0, 0.0))


@quantity(unit="1", source=_H100)
def host_leaves(
    *, hosts: Array, host_ports: Array, service_links: Array, hosts_of_leaf: Array, needs_spines: Array
) -> Array:
    """Leaves of the hosts, in sets of one for each port of a host."""
    sets = np.ceil((hosts + np.ceil(service_links / host_ports)) / hosts_of_leaf)
    return np.where(hosts <= 0, 0.0, host_ports * np.where(needs_spines > 0, sets, 1.0 + 0 * needs_spines))


@quantity(unit="1", source=_H100)
def storage_leaves(
    *, storage_links: Array, host_ports: Array, switch_radix: Array, needs_spines: Array
) -> Array:
    """Leaves of storage servers, in the same sets, half of their ports down."""
    sets = np.ceil(storage_links / (host_ports * np.floor(switch_radix / 2)))
    return np.where(needs_spines > 0, host_ports * sets, 0.0 * needs_spines)


@quantity(unit="1", source=_H100)
def host_leaf_uplinks(
    *,
    hosts: Array,
    host_ports: Array,
    service_links: Array,
    host_leaves: Array,
    oversubscription: Array,
    spines_at_least: Array,
    needs_spines: Array,
) -> Array:
    """Links up from a leaf of hosts: its share of the links over the oversubscription, one a spine at least."""
    down = np.ceil((hosts * host_ports + service_links) / host_leaves)
    uplinks = np.maximum(np.ceil(np.round(down / oversubscription, 6)), spines_at_least)
    return np.where(needs_spines > 0, uplinks, 0.0 * needs_spines)


@quantity(unit="1", source=_H100)
def storage_leaf_uplinks(*, storage_links: Array, storage_leaves: Array, spines_at_least: Array) -> Array:
    """Links up from a leaf of storage servers: as many as down, one a spine at least."""
    uplinks = np.maximum(np.ceil(storage_links / storage_leaves), spines_at_least)
    return np.where(storage_leaves <= 0, 0.0, uplinks)


@quantity(unit="1", source=_H100)
def network_uplinks(
    *, host_leaves: Array, host_leaf_uplinks: Array, storage_leaves: Array, storage_leaf_uplinks: Array
) -> Array:
    """Links between leaves and spines."""
    return host_leaves * host_leaf_uplinks + storage_leaves * storage_leaf_uplinks


@quantity(unit="1", source=_H100)
def network_tier_count(*, leaves: Array, needs_spines: Array, switch_radix: Array) -> Array:
    """Tiers of switches: 1 without spines, 2 while a spine reaches every leaf, else 3."""
    grown = np.where(leaves <= switch_radix, 2.0, 3.0)
    tiers = np.where(leaves <= 0, 0.0, np.where(needs_spines > 0, grown, 1.0))
    return np.where(np.isnan(leaves), np.nan, tiers)


@quantity(unit="1", source=_H100)
def network_spines(
    *,
    tier_count: Array,
    uplinks: Array,
    host_leaf_uplinks: Array,
    switch_radix: Array,
    spines_at_least: Array,
) -> Array:
    """Spines.

    The leaves' uplinks over the spine ports that point down (all in two tiers, half in three), rounded up to
    what spreads evenly over the leaves of the hosts, and at least a fewest number.
    """
    down_ports = np.where(tier_count > 2, np.floor(switch_radix / 2), switch_radix)
    links = np.maximum(uplinks, spines_at_least * down_ports)
    each = np.maximum(host_leaf_uplinks, 1.0)
    spines = evenly_reached_switches(links=links, ports=down_ports, uplinks=each)
    return np.where(tier_count <= 1, 0.0, spines + 0 * tier_count)


@quantity(unit="1", source=_H100)
def network_cores(*, tier_count: Array, spines: Array) -> Array:
    """Cores of three tiers: half as many as spines."""
    return np.where(tier_count <= 2, 0.0, np.ceil(spines / 2) + 0 * tier_count)


@quantity(unit="1", source=_H100)
def access_switches(
    *,
    managed_ports: Array,
    spare_port_share: Array,
    switch_ports: Array,
    racks: Array,
    switches_per_rack: Array,
) -> Array:
    """Access switches of the out-of-band network.

    What the management ports and some spare ones fill, or as many as asked for in every rack.
    """
    filled = np.ceil(np.round(managed_ports * (1 + spare_port_share) / switch_ports, 6))
    in_racks = np.where(switches_per_rack <= 0, 0.0, racks * switches_per_rack)
    return np.where(managed_ports <= 0, 0.0, np.maximum(filled, in_racks))


@quantity(unit="1", source=_H100)
def access_uplinks(*, access_switches: Array, uplinks_of_switch: Array) -> Array:
    """Links up from the access switches, into the in-band network or the site's own."""
    return access_switches * uplinks_of_switch
