"""Every device and link of a folded Clos, from how it is wired."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.graph.graph import (
    NO_PORT,
    Breakouts,
    FabricGraph,
    Links,
    Whole,
    devices_of,
    joined_links,
    links_between,
    ports_in_order,
)
from app.engine.fabric.tier_parts import TIERS, has_own_tiers
from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.shape import Ask
from app.engine.trace import Array, count_of, first_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where each endpoint of one plane is plugged in, and where the leaves of one copy of the Clos stand."""

    host: Whole
    host_port: Whole  # of the host, in the plane
    copy: Whole  # of the Clos: the rail, where rails are apart
    leaf: Whole  # of the copy
    leaf_rail: Whole  # by copy and leaf
    leaf_unit: Whole


def clos_graph(ask: Ask, wiring: Wiring, *, with_ports: bool = True) -> FabricGraph:
    """Every leaf, spine and core of every plane, with the hosts and management servers below them.

    Hosts stand in the order of the SuperNodes. Leaves of a plane stand unit by unit, in each rail by rail, or
    rail by rail where rails are apart. A host's port is the one of its NIC, plane and link; switches count
    their ports down first, then up. Numbering ports takes most of the time; without it they are -1.
    """
    places = endpoint_places(ask, wiring)
    planes, managers = count_of(ask.pod.fabric.planes), count_of(ask.pod.fabric.management_ports)
    blocks = planes * max(count_of(wiring.copies), 1)
    leaves, spines, cores = (count_of(switches) for switches in wiring.switches)
    hosts = count_of(ask.plugs.networked_supernodes) * count_of(ask.supernode.nodes)
    counts = {"host": hosts, "management": managers if leaves else 0}
    counts |= {"leaf": leaves * blocks, "spine": spines * blocks, "core": cores * blocks}
    in_planes = {
        kind: np.repeat(np.arange(planes), counts[kind] // max(planes, 1))
        for kind in ("leaf", "spine", "core")
    }
    unit_hosts = max(count_of(wiring.unit_supernodes) * count_of(ask.supernode.nodes), 1)
    devices, first = devices_of(
        counts,
        plane=in_planes,
        group={"host": np.arange(hosts) // unit_hosts, "leaf": np.tile(places.leaf_unit, blocks)},
        rail={"leaf": np.tile(places.leaf_rail, planes)} | _rails_apart(wiring, planes, counts),
    )
    per_nic = max(count_of(ask.plugs.links_per_nic), 1)
    down = _endpoint_links(first["host"], first["leaf"], leaves, planes, blocks, per_nic, places, with_ports)
    free = _manager_links(first, counts["management"], leaves, down)
    uplinks = np.full(leaves if spines else 0, count_of(wiring.links[1]) // max(leaves, 1))
    groups = count_of(wiring.leaf_groups) if spines % max(count_of(wiring.leaf_groups), 1) == 0 else 1
    up = _dealt_links(1, (first["leaf"], first["spine"]), spines, uplinks, blocks, groups, wiring.sides)
    taken = np.bincount(up.upper - first["spine"], minlength=spines)[:spines] if cores else np.empty(0, int)
    up_of_spines = _tapered(ask, taken)
    top = _dealt_links(2, (first["spine"], first["core"]), cores, up_of_spines, blocks)
    links = joined_links([down, free, up, top])
    breakouts = None
    if with_ports:
        bundled = bool(
            uplinks.max(initial=0) > spines // max(groups, 1) or up_of_spines.max(initial=0) > cores
        )
        first_leaf = first["leaf"], first["leaf"] + counts["leaf"]
        links, breakouts = _with_ports_upwards(ask, links, len(devices.kind), first_leaf, bundled=bundled)
    rates = (ask.plugs.link_bandwidth_bytes_per_s, *[ask.plugs.uplink_bandwidth_bytes_per_s] * 2)
    return FabricGraph(
        kinds=tuple(counts),
        tiers=TIERS,
        devices=devices,
        links=links,
        link_bandwidth_bytes_per_s=np.array([first_of(rate) for rate in rates]),
        breakouts=breakouts,
    )


def endpoint_places(ask: Ask, wiring: Wiring) -> Places:
    """Where every endpoint of a plane is plugged in."""
    supernodes, nodes = count_of(ask.plugs.networked_supernodes), count_of(ask.supernode.nodes)
    nic_rails, per_nic = max(count_of(ask.plugs.rails), 1), max(count_of(ask.plugs.links_per_nic), 1)
    nics, sides, copies = count_of(ask.supernode.scale_out_nics), wiring.sides, count_of(wiring.copies)
    endpoints = supernodes, nics, per_nic
    supernode, nic, link = (axis.astype(np.int32) for axis in np.ogrid[:supernodes, :nics, :per_nic])
    tray, rail = np.divmod(nic, nic_rails)
    leaves, rails = count_of(wiring.switches[0]), max(count_of(wiring.rails), 1)
    side, own_link = np.divmod(link, max(per_nic // sides, 1))
    shares_a_rack = rails * max(copies, 1) < nic_rails * sides
    if shares_a_rack:
        rail_of_leaf, in_rail = np.zeros_like(rail), nic * per_nic + link
    else:
        rail_of_leaf = side if copies > 1 else rail * sides + side
        in_rail = tray * (per_nic // sides) + own_link
    if leaves <= sides:
        leaf, leaf_rail, leaf_unit = side, np.full(leaves, -1), np.zeros(leaves, int)
    else:
        per_rail = count_of(wiring.leaves_per_rail)
        unit, shared = count_of(wiring.unit_supernodes), count_of(wiring.supernodes_per_leaf)
        split = count_of(wiring.leaf_endpoints) // shared
        leaves_of_one = -(-count_of(wiring.endpoints_per_rail) // split)
        leaf_of_rail = supernode % unit // shared * leaves_of_one + in_rail // split
        leaf = ((supernode // unit) * rails + rail_of_leaf) * per_rail + leaf_of_rail
        each = np.arange(leaves)
        leaf_rail = np.full(leaves, -1) if shares_a_rack else each // per_rail % rails // sides
        leaf_unit = np.minimum(each // (per_rail * rails), count_of(wiring.scalable_units) - 1)
    return Places(
        host=_each(supernode * nodes + tray, endpoints),
        host_port=_each(rail * per_nic + link, endpoints),
        copy=_each(rail if copies > 1 else np.zeros_like(rail), endpoints),
        leaf=_each(leaf, endpoints),
        leaf_rail=np.repeat(np.arange(copies), leaves) if copies > 1 else leaf_rail,
        leaf_unit=leaf_unit,
    )


def _rails_apart(wiring: Wiring, planes: int, counts: dict[str, int]) -> dict[str, Whole]:
    """The rail of every spine and core, where rails have their own."""
    copies = count_of(wiring.copies)
    if copies <= 1:
        return {}
    rails = np.tile(np.arange(copies), planes)
    return {kind: np.repeat(rails, counts[kind] // max(rails.size, 1)) for kind in ("spine", "core")}


def _each(numbers: Whole, endpoints: tuple[int, ...]) -> Whole:
    """One number an endpoint, link by link of NIC by NIC of SuperNode by SuperNode."""
    return np.broadcast_to(numbers, endpoints).ravel()


def _tapered(ask: Ask, taken: Whole) -> Whole:
    """Links up of each spine, from those down."""
    asked = ask.pod.fabric.spine_oversubscription
    over = 1.0 if asked is None else first_of(asked)
    return np.ceil(np.round(taken / over, 6)).astype(int)


def _endpoint_links(
    host: int,
    first_leaf: int,
    leaves: int,
    planes: int,
    blocks: int,
    per_nic: int,
    places: Places,
    with_ports: bool,
) -> Links:
    """The links of hosts: a NIC's ports stand together, plane by plane."""
    plane = np.arange(planes, dtype=np.int32)[:, None]
    block = plane * (blocks // max(planes, 1)) + places.copy
    upper = first_leaf + block * leaves + places.leaf
    ends = {"lower": host + places.host, "upper": upper}
    if not with_ports:
        return links_between(tier=0, **ends, lower_port=NO_PORT, upper_port=NO_PORT)
    nic, link = np.divmod(places.host_port, per_nic)
    return links_between(
        tier=0,
        **ends,
        lower_port=(nic * planes + plane) * per_nic + link,
        upper_port=ports_in_order(upper.ravel()).reshape(upper.shape),
    )


def _manager_links(first: dict[str, int], managers: int, leaves: int, down: Links) -> Links:
    """Management servers alternate over the last leaves of the first plane, where ports are left over."""
    each = np.arange(managers)
    upper = first["leaf"] + max(leaves, 1) - 1 - each % max(min(leaves, managers), 1)
    taken = np.bincount(down.upper if managers else down.upper[:0], minlength=first["leaf"] + max(leaves, 1))
    return links_between(
        tier=0,
        lower=first["management"] + each,
        upper=upper,
        lower_port=np.zeros(managers, int),
        upper_port=ports_in_order(upper) + taken[upper],
    )


def _dealt_links(
    tier: int,
    first: tuple[int, int],
    uppers: int,
    links_of: Whole,
    blocks: int,
    groups: int = 1,
    bundle: int = 1,
) -> Links:
    """Links between two tiers: those of each lower switch dealt out in turn over the upper ones it reaches.

    `links_of` says how many links each lower switch of a block has upwards. Lower switches of a group stand
    together, bundles of them undivided, and reach the upper ones of their group alone.
    """
    lowers = links_of.size
    lower = np.repeat(np.arange(lowers, dtype=np.int32), links_of)
    dealt = np.arange(lower.size, dtype=np.int32)
    if groups > 1:
        group, reached = np.arange(lowers) // bundle * groups // max(lowers // bundle, 1), uppers // groups
        upper = np.repeat((group * reached).astype(np.int32), links_of) + dealt % reached
    else:
        upper = dealt % max(uppers, 1)
    block = np.arange(blocks, dtype=np.int32)[:, None]
    return links_between(
        tier=tier,
        lower=first[0] + block * lowers + lower,
        upper=first[1] + block * uppers + upper,
        lower_port=NO_PORT,  # given once all links are there
        upper_port=NO_PORT,
    )


def _with_ports_upwards(
    ask: Ask, links: Links, devices: int, leaves: tuple[int, int], *, bundled: bool
) -> tuple[Links, Breakouts | None]:
    """Ports of links between switches: down first, then up, links to the same switch side by side.

    `bundled` says whether any two switches have several links to each other. Links up begin in a cage of
    their own where the switch has one to spare, and always where they are of another kind than links down.
    """
    start = int(np.searchsorted(links.tier, np.int8(1)))  # links stand tier by tier
    between = slice(start, None)
    order: slice | Whole = between
    if bundled:
        order = start + np.lexsort((links.upper[between], links.lower[between], links.tier[between]))
    down = np.bincount(links.upper, minlength=devices).astype(np.int32)
    up = np.bincount(links.lower[between], minlength=devices).astype(np.int32)
    plugs, plan = ask.plugs, ask.pod.fabric
    per_cage = np.full(devices, _known(plugs.switch_module_links), np.int32)
    radix = np.full(devices, count_of(plugs.switch_radix), np.int32)
    upper_port, lower_port = links.upper_port.copy(), links.lower_port.copy()
    breakouts = None
    if has_own_tiers(plan):
        per_cage[leaves[1] :], radix[leaves[1] :] = (
            _known(plugs.spine.module_links),
            count_of(plugs.spine.radix),
        )
    begin = np.where(-(-down // per_cage) * per_cage + up <= radix, -(-down // per_cage) * per_cage, down)
    upper_port[order] = ports_in_order(links.upper[order])
    lower = links.lower[order]
    in_order = ports_in_order(lower)
    if has_own_tiers(plan):
        breakouts = _breakouts(ask, int(down[slice(*leaves)].max(initial=0)))
        if first_of(plugs.apart) > 0:
            begin[slice(*leaves)] = breakouts.up_begin
            upper_port[links.tier == 0] *= breakouts.down_step
            in_order[lower < leaves[1]] *= breakouts.up_step
    lower_port[order] = in_order + begin[lower]
    numbered = Links(
        tier=links.tier, lower=links.lower, upper=links.upper, lower_port=lower_port, upper_port=upper_port
    )
    return numbered, breakouts


def _breakouts(ask: Ask, most_down: int) -> Breakouts:
    """How ports are numbered where tiers differ; `most_down` are the links down of the fullest leaf."""
    plugs = ask.plugs
    down, up = _known(plugs.port_split), _known(plugs.leaf_up.split)
    parts = math.lcm(down, up) if first_of(plugs.apart) > 0 else down
    ports = _known(plugs.switch_module_links) // down  # of a cage
    cage = ports * parts
    return Breakouts(
        cage={
            "leaf": cage,
            "spine": _known(plugs.spine.module_links),
            "core": _known(plugs.core.module_links),
        },
        down_step=parts // down,
        up_step=parts // up if first_of(plugs.apart) > 0 else 1,
        up_begin=-(-most_down * (parts // down) // cage) * cage,
    )


def _known(count: Array) -> int:
    """A count that decides how ports are numbered; 1 where it is not known."""
    number = first_of(count)
    return int(number) if number >= 1 else 1
