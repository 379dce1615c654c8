"""What a SuperNode plugs in, and how many such ports a switch offers."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_CLOS = "[1] Al-Fares, Loukissas, Vahdat, SIGCOMM 2008 (folded Clos of equal switches)"
_HPN = "[1] Qian et al., Alibaba HPN, SIGCOMM 2024, doi 10.1145/3651890.3672265 (dual top-of-rack switches)"
_MODULES = "[1] OSFP MSA and QSFP-DD MSA module specifications (8 lanes a cage); NVIDIA LinkX product line (twin ports)"
_SUPERPOD = "[1] NVIDIA DGX SuperPOD reference architectures (H100, B200, B300, GB200), Network Fabrics"


@quantity(unit="1", source="definition")
def networked_supernodes(
    *, supernodes: Array, accelerators: Array, scale_up_domain_accelerators: Array, joined: Array
) -> Array:
    """SuperNodes on the scale-out fabric.

    All of the pod, and none where one scale-up domain is all there is.

    Parameters
    ----------
    supernodes : in the pod [1]
    accelerators : of one SuperNode [1]
    scale_up_domain_accelerators : that reach each other without the fabric [1]
    joined : 1 when the pod has a scale-out fabric, 0 when it goes without [1]
    """
    alone = (supernodes <= 1) & (accelerators <= scale_up_domain_accelerators)
    return np.where(alone, 0.0, supernodes * joined)


@quantity(unit="1", source=_HPN)
def two_sides(*, planes: Array) -> Array:
    """Top-of-rack switches per NIC and plane."""
    return 2 * planes


@quantity(unit="1", source=_MODULES)
def switch_module_links(*, ports_per_module: Array, port_split: Array) -> Array:
    """Links of one module in a switch: the ports that its cage serves, times the links that a port is split into."""
    return ports_per_module * port_split


@quantity(unit="1", source=_MODULES)
def node_module_links(*, nics_per_module: Array, links_per_nic: Array, planes: Array) -> Array:
    """Links of one module in a node: all links of the NICs whose cage it sits in, into every plane."""
    return nics_per_module * links_per_nic * planes


@quantity(unit="B/s", source=_SUPERPOD)
def link_bandwidth_bytes_per_s(
    *, scale_out_nic_bandwidth_bytes_per_s: Array, planes: Array, port_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of one fabric link, one way.

    A NIC spreads over the planes; what is left is one link if a switch port can carry it, else as
    many links as it takes.
    """
    per_plane = scale_out_nic_bandwidth_bytes_per_s / planes
    return per_plane / np.ceil(np.round(per_plane / port_bandwidth_bytes_per_s, 6))


@quantity(unit="1", source=_SUPERPOD)
def links_per_nic(
    *, scale_out_nic_bandwidth_bytes_per_s: Array, planes: Array, link_bandwidth_bytes_per_s: Array
) -> Array:
    """Links of one NIC into one plane.

    1, or more when the NIC is faster than a switch port.
    """
    return np.round(scale_out_nic_bandwidth_bytes_per_s / planes / link_bandwidth_bytes_per_s)


@quantity(unit="1", source=_SUPERPOD)
def port_split(
    *,
    link_bandwidth_bytes_per_s: Array,
    port_bandwidth_bytes_per_s: Array,
    ports: Array,
    max_logical_ports: Array,
) -> Array:
    """Links that one switch port is split into.

    A port faster than the links is split (800G as 2 x 400G), as far as the switch can.

    Parameters
    ----------
    link_bandwidth_bytes_per_s : of one link [B/s]
    port_bandwidth_bytes_per_s : of an unsplit switch port [B/s]
    ports : unsplit ports of the switch [1]
    max_logical_ports : most ports the switch can be split into [1]
    """
    fitting = np.floor(np.round(port_bandwidth_bytes_per_s / link_bandwidth_bytes_per_s, 6))
    return np.where(fitting <= 1, 1.0, np.minimum(fitting, np.floor(max_logical_ports / ports)))


@quantity(unit="1", source=_CLOS)
def switch_radix(*, ports: Array, port_split: Array) -> Array:
    """Links that one switch can take.

    Ports times links a port.
    """
    return ports * port_split


@quantity(unit="1", source=_SUPERPOD)
def rails(*, scale_out_nics: Array, nodes: Array, networked_supernodes: Array) -> Array:
    """Rails of the fabric.

    One a compute NIC of a node: NIC i of every node goes to a leaf of rail i. None without a fabric.
    """
    return np.where(networked_supernodes <= 0, 0.0, np.ceil(scale_out_nics / nodes))


@quantity(unit="1", source=_SUPERPOD)
def endpoints_per_rail(*, scale_out_nics: Array, rails: Array, links_per_nic: Array) -> Array:
    """Links of one SuperNode into one rail of one plane.

    One for a server, 18 for a rack of 18 trays.
    """
    return np.ceil(scale_out_nics / rails) * links_per_nic


@quantity(unit="1", source=_CLOS)
def leaf_down_ports(*, switch_radix: Array, oversubscription: Array) -> Array:
    """Ports of a leaf that may point down.

    floor(R o / (1 + o)) of radix R at oversubscription o (down over up).
    """
    return np.floor(switch_radix * oversubscription / (1 + oversubscription))


@quantity(unit="1", source=_SUPERPOD)
def endpoint_links(*, networked_supernodes: Array, scale_out_nics: Array, links_per_nic: Array) -> Array:
    """Links of SuperNodes into one plane."""
    return np.where(networked_supernodes <= 0, 0.0, networked_supernodes * scale_out_nics * links_per_nic)


@quantity(unit="1", source="definition")
def supernode_links(*, scale_out_nics: Array, links_per_nic: Array) -> Array:
    """Links of one SuperNode into one plane."""
    return scale_out_nics * links_per_nic


@quantity(unit="1", source="[1] Wang et al., Rail-only, arXiv 2307.12169 (2023)")
def rail_endpoint_links(*, endpoint_links: Array, rails: Array) -> Array:
    """Links of SuperNodes into one rail of one plane."""
    return np.where(rails <= 0, 0.0, endpoint_links / rails)
