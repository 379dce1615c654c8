"""What the networks beside the compute fabric join: hosts, servers, racks and their management ports."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_H100 = "[1] NVIDIA DGX SuperPOD reference architecture (DGX H100), RA-11333-001 V11, tables 7 and 8"


@quantity(unit="1", source="definition", at="fabric.networks[].hosts")
def network_hosts(*, networked_supernodes: Array, nodes: Array) -> Array:
    """Hosts of the network: those of every SuperNode on the compute fabric, and none without one."""
    return np.where(networked_supernodes <= 0, 0.0, networked_supernodes * nodes)


network_host_ports = alias(
    "network_host_ports",
    "Ports of a host in the network",
    of="ports_of_host",
    at="fabric.networks[].host_ports",
)


@quantity(unit="B/s", source="definition", at="fabric.networks[].node_bandwidth_bytes_per_s")
def network_node_bandwidth_bytes_per_s(*, host_ports: Array, port_bandwidth_bytes_per_s: Array) -> Array:
    """Bandwidth of a host in the network, one way: all its ports together."""
    return host_ports * port_bandwidth_bytes_per_s


@quantity(unit="1", source="definition", at="fabric.networks[].host_cores_freed")
def host_cores_freed(*, cards: Array, cores_of_card: Array) -> Array:
    """Host cores freed by the cards of the network: work of hosts that runs on the card, one core for one."""
    return cards * cores_of_card


@quantity(unit="B/s", source="definition", at="fabric.networks[].encrypted_bytes_per_s")
def encrypted_bytes_per_s(
    *,
    node_bandwidth_bytes_per_s: Array,
    card_encryption_bytes_per_s: Array,
    host_ports: Array,
    nic_ports: Array,
) -> Array:
    """Bandwidth of a host that its cards encrypt, one way: at line rate where they keep up with its ports."""
    return np.minimum(
        node_bandwidth_bytes_per_s, np.ceil(host_ports / nic_ports) * card_encryption_bytes_per_s
    )


@quantity(unit="B/s", source="definition")
def network_link_bandwidth_bytes_per_s(
    *, port_bandwidth_bytes_per_s: Array, switch_port_bandwidth_bytes_per_s: Array
) -> Array:
    """Rate of a link: that of the slower of its two ports."""
    return np.minimum(port_bandwidth_bytes_per_s, switch_port_bandwidth_bytes_per_s)


@quantity(unit="1", source=_H100)
def storage_servers(
    *, servers_asked: Array, hosts: Array, host_ports: Array, storage_link_share: Array, server_ports: Array
) -> Array:
    """Storage servers on the network.

    As the scenario says; not a number leaves it open, and then there is a usual number of links of servers
    for each link of a host.

    Parameters
    ----------
    servers_asked : by the scenario; not a number when left open [1]
    hosts : on the network [1]
    host_ports : of one [1]
    storage_link_share : links of storage servers over links of hosts [1]
    server_ports : links of one server [1]
    """
    usual = np.ceil(np.round(hosts * host_ports * storage_link_share / server_ports, 6))
    return np.where(hosts <= 0, 0.0, np.where(np.isnan(servers_asked), usual, servers_asked))


@quantity(unit="1", source="definition")
def service_servers(*, servers_asked: Array, hosts: Array) -> Array:
    """Servers that manage the pod; none where there are no hosts."""
    return np.where(hosts <= 0, 0.0, servers_asked)


@quantity(unit="1", source="definition")
def border_links(*, links_asked: Array, hosts: Array) -> Array:
    """Links to the rest of the site; none where there are no hosts."""
    return np.where(hosts <= 0, 0.0, links_asked)


@quantity(unit="1", source="definition", at="fabric.networks[].servers")
def network_servers(*, storage_servers: Array, service_servers: Array) -> Array:
    """Servers on the network beside the hosts."""
    return storage_servers + service_servers


@quantity(unit="1", source="definition")
def networked_racks(*, networked_supernodes: Array, racks_filled: Array) -> Array:
    """Racks of the SuperNodes that the networks join; those of spares are not counted."""
    return np.where(networked_supernodes <= 0, 0.0, racks_filled)


@quantity(unit="1", source=_H100)
def service_racks(*, networked_racks: Array, service_racks_share: Array) -> Array:
    """Racks of switches, storage and servers as networks are sized: a share; the floor plan counts what it draws."""
    return np.ceil(np.round(networked_racks * service_racks_share, 6))


@quantity(unit="1", source=_H100)
def power_strips(
    *,
    networked_racks: Array,
    strips_per_compute_rack: Array,
    service_racks: Array,
    strips_per_service_rack: Array,
) -> Array:
    """Power strips with a management port, in all racks."""
    return networked_racks * strips_per_compute_rack + service_racks * strips_per_service_rack


@quantity(unit="1", source=_H100)
def managed_ports(
    *, hosts: Array, host_ports: Array, servers: Array, managed_switches: Array, power_strips: Array
) -> Array:
    """Management ports of the pod.

    Every host, server, switch of the other networks and power strip has one, hosts as many as stated.
    """
    return np.where(hosts <= 0, 0.0, hosts * host_ports + servers + managed_switches + power_strips)
