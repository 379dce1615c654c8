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


@quantity(unit="B/s", source="definition")
def uplink_bandwidth_bytes_per_s(
    *,
    link_bandwidth_bytes_per_s: Array,
    leaf_port_bandwidth_bytes_per_s: Array,
    spine_port_bandwidth_bytes_per_s: Array,
    core_port_bandwidth_bytes_per_s: Array,
) -> Array:
    """Bandwidth of one link between switches, one way.

    That of a link to a node, at most that of the slowest port.
    """
    ports = np.minimum(
        np.minimum(leaf_port_bandwidth_bytes_per_s, spine_port_bandwidth_bytes_per_s),
        core_port_bandwidth_bytes_per_s,
    )
    return np.minimum(link_bandwidth_bytes_per_s, ports)


@quantity(unit="1", source="definition")
def uplink_ratio(*, uplink_bandwidth_bytes_per_s: Array, link_bandwidth_bytes_per_s: Array) -> Array:
    """Bandwidth of a link between switches over that of a link to a node."""
    return uplink_bandwidth_bytes_per_s / link_bandwidth_bytes_per_s


@quantity(unit="1", source=_MODULES, leaf=True)
def leaf_down_ports_apart(
    *,
    ports: Array,
    ports_per_module: Array,
    port_split: Array,
    uplink_split: Array,
    uplink_ratio: Array,
    oversubscription: Array,
) -> Array:
    """Ports of a leaf that may point down, where links up are of another rate or module than links down.

    A cage has links of one kind: c cages down carry c m s links, the others (C - c) m t links up, s and t
    links a port and m ports a cage. Of all c the one with the most links down whose links up carry them at
    the oversubscription o: min(c m s, floor((C - c) m t o r)), with r the rate of a link up over that of a
    link down.

    Parameters
    ----------
    ports : unsplit ports of a leaf [1]
    ports_per_module : of a cage [1]
    port_split : links down of a port [1]
    uplink_split : links up of a port [1]
    uplink_ratio : rate of a link up over that of a link down [1]
    oversubscription : bandwidth down over bandwidth up [1]

    Tomahawk 5 with 64 ports of 800 Gbit/s, 200 Gbit/s down and 400 up at 16:15, as 128 and 60 are: 33 ports
    take 132.

    >>> one = np.ones(1)
    >>> leaf_down_ports_apart(ports=64 * one, ports_per_module=one, port_split=4 * one, uplink_split=2 * one,
    ...                       uplink_ratio=2 * one, oversubscription=16 / 15 * one)
    array([132.])
    """
    cages = np.floor(ports / ports_per_module)
    known = np.isfinite(cages + port_split + uplink_split + uplink_ratio + oversubscription)
    most = float(np.max(np.where(known, cages, 0.0), initial=0.0))
    down = np.arange(most + 1)
    of_one = (ports_per_module * port_split)[..., None]
    carried = (ports_per_module * uplink_split * oversubscription * uplink_ratio)[..., None]
    links = np.minimum(down * of_one, np.floor(np.round((cages[..., None] - down) * carried, 6)))
    found = np.max(np.where(down <= cages[..., None], links, 0.0), axis=-1)
    return np.where(known, found, np.nan)


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
