"""The groups of a dragonfly or dragonfly+, as numbers, and which of their switches a trunk ends in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.shared_links import Block, SharedLinks
from app.engine.fabric.graph.graph import NO_PORT, Links, Whole, joined_links, links_between, ports_in_order
from app.engine.fabric.topologies.dragonflies import counts, paths
from app.engine.fabric.topologies.port_problems import port_problems, unused_fields
from app.engine.fabric.topologies.shape import Ask, counted_problem
from app.engine.problems import Fix, Problem
from app.engine.trace import Array, count_of, first_of, plain

Balance = Callable[..., Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Of one plane. Routers are leaves in a dragonfly+, with as many spines, which have the global links."""

    routers: Array  # a, of one group
    endpoints: Array  # p, of one router
    global_links: Array  # h, of one router
    count: Array
    trunk: Array  # links between every two groups


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Ordered pairs of endpoints by where they are."""

    full_groups: Array
    last_group: Array  # endpoints of the group that is partly filled
    same_router: Array
    same_group: Array


def groups_of(ask: Ask, balance: Balance, *, routers_per_endpoint: float) -> Groups:
    """The groups that the scenario states, else balanced ones of the fewest switches.

    `routers_per_endpoint` is a / p where balanced: 2 of a dragonfly, 1 of a dragonfly+; h is p in both.
    """
    plan, endpoints = ask.pod.fabric, ask.plugs.endpoint_links
    a, p, h = plan.group_routers, plan.router_endpoints, plan.router_global_links
    if a is None or p is None or h is None:
        p = h = balance(endpoints=endpoints + plan.management_ports, switch_radix=ask.plugs.switch_radix)
        a = routers_per_endpoint * p
    count = counts.dragonfly_groups(
        endpoints=endpoints, management_ports=plan.management_ports, group_routers=a, router_endpoints=p
    )
    trunk = counts.trunk_links(groups=count, group_routers=a, router_global_links=h)
    return Groups(routers=a, endpoints=p, global_links=h, count=count, trunk=trunk)


def pairs_of(ask: Ask, groups: Groups) -> Pairs:
    """Number of pairs of endpoints that share a router, and of those that share a group."""
    of_group = {"group_routers": groups.routers, "router_endpoints": groups.endpoints}
    endpoints = ask.plugs.endpoint_links
    full = paths.full_groups(endpoints=endpoints, **of_group)
    last = paths.last_group_endpoints(endpoints=endpoints, full_groups=full, **of_group)
    return Pairs(
        full_groups=full,
        last_group=last,
        same_router=paths.same_router_pairs(endpoints=endpoints, router_endpoints=groups.endpoints),
        same_group=paths.same_group_pairs(full_groups=full, last_group_endpoints=last, **of_group),
    )


def unit_of(ask: Ask, groups: Groups) -> Array:
    """SuperNodes of a full group."""
    return groups.routers * groups.endpoints / (ask.supernode.scale_out_nics * ask.plugs.links_per_nic)


def shared_links_of(ask: Ask, groups: Groups, *, router_others: Array) -> SharedLinks:
    """Groups with a trunk to every other one, of routers with a link to each of `router_others`.

    Where that is 0, spines take what leaves a leaf to all the others.
    """
    accelerators = unit_of(ask, groups) * ask.supernode.accelerators
    direct = float(np.any(plain(router_others) > 0))
    return SharedLinks(
        blocks=(
            Block(
                accelerators=accelerators / groups.routers,
                taper=counts.router_taper(
                    router_endpoints=groups.endpoints, router_links=groups.routers - direct
                ),
                others=router_others,
            ),
            Block(
                accelerators=accelerators,
                taper=counts.global_oversubscription(
                    groups=groups.count,
                    group_routers=groups.routers,
                    router_endpoints=groups.endpoints,
                    trunk_links=groups.trunk,
                ),
                others=groups.count - 1,
            ),
        ),
        rails_apart=np.zeros(1),
        strain=np.ones(1),
    )


def endpoint_links(ask: Ask, first: dict[str, int], kind: str, per_router: int, routers: int) -> Links:
    """Nodes fill router after router in the order of their NICs; management servers follow in the first plane."""
    planes, nodes = count_of(ask.pod.fabric.planes), count_of(ask.supernode.nodes)
    nic_rails, per_nic = max(count_of(ask.plugs.rails), 1), max(count_of(ask.plugs.links_per_nic), 1)
    nics, supernodes = count_of(ask.supernode.scale_out_nics), count_of(ask.plugs.networked_supernodes)
    supernode, nic, link = np.ogrid[:supernodes, :nics, :per_nic]
    tray, rail = np.divmod(nic, nic_rails)
    plane = np.arange(planes)[:, None, None, None]
    endpoint = (supernode * nics + nic) * per_nic + link
    router, port = np.divmod(endpoint, max(per_router, 1))
    of_nodes = links_between(
        tier=0,
        lower=first["host"] + supernode * nodes + tray,
        upper=first[kind] + plane * routers + router,
        lower_port=(rail * planes + plane) * per_nic + link,
        upper_port=port,
    )
    managers = count_of(ask.pod.fabric.management_ports) if routers else 0
    place = supernodes * nics * per_nic + np.arange(managers)
    of_managers = links_between(
        tier=0,
        lower=first["management"] + np.arange(managers),
        upper=first[kind] + place // max(per_router, 1),
        lower_port=np.zeros(managers, int),
        upper_port=place % max(per_router, 1),
    )
    return joined_links([of_nodes, of_managers])


def trunk_ends(groups: int, routers: int, trunk: int) -> tuple[Whole, Whole]:
    """Routers of one plane at both ends of every global link.

    The global ports of a group go to the groups after it in turn, T each, and round again from the first;
    they are dealt to its routers one after the other.

    >>> [ends.tolist() for ends in trunk_ends(groups=3, routers=2, trunk=1)]
    [[0, 1, 2], [3, 4, 5]]
    """
    lower, upper = np.triu_indices(groups, 1)
    each = np.arange(trunk)
    ahead = (upper - lower - 1)[:, None] * trunk + each
    behind = (groups - 1 - upper + lower)[:, None] * trunk + each
    near = lower[:, None] * routers + ahead % max(routers, 1)
    far = upper[:, None] * routers + behind % max(routers, 1)
    return near.ravel(), far.ravel()


def between_switches(
    tier: int, lower: Whole, upper: Whole, planes: int, first: tuple[int, int], per: tuple[int, int]
) -> Links:
    """Links of one plane, repeated in every other; ports are given once all links are there."""
    plane = np.arange(planes)[:, None]
    return links_between(
        tier=tier,
        lower=first[0] + plane * per[0] + lower,
        upper=first[1] + plane * per[1] + upper,
        lower_port=NO_PORT,
        upper_port=NO_PORT,
    )


def numbered(links: Links, kept: Whole) -> Links:
    """Ports of links between switches, in the order of the links, behind those that a switch keeps for nodes."""
    between = links.tier > 0
    ends = np.concatenate([links.lower[between], links.upper[between]])
    ports = ports_in_order(ends) + kept[ends]
    lower_port, upper_port = links.lower_port.copy(), links.upper_port.copy()
    lower_port[between], upper_port[between] = np.split(ports, 2)
    return Links(
        tier=links.tier, lower=links.lower, upper=links.upper, lower_port=lower_port, upper_port=upper_port
    )


def dragonfly_problems(ask: Ask, groups: Groups, *, title: str, router_ports: Array) -> list[Problem]:
    """Problems of the first sample; `router_ports` is what the fullest of its switches needs."""
    found = [
        *port_problems(ask),
        *unused_fields(
            ask,
            title=f"A {title}",
            fields=("tiers", "oversubscription", "spine_oversubscription", "spine_spread"),
        ),
        _radix_too_small(ask, groups, title, first_of(router_ports)),
        _too_many_groups(ask, groups, title),
    ]
    return [problem for problem in found if problem]


def _radix_too_small(ask: Ask, groups: Groups, title: str, needed: float) -> Problem | None:
    radix = first_of(ask.plugs.switch_radix)
    if not needed > radix:
        return None
    stated = ask.pod.fabric.group_routers is not None
    endpoints, routers = first_of(groups.endpoints), first_of(groups.routers)
    fewer = endpoints - (needed - radix)
    if title == "dragonfly+":  # leaves and spines both have a link to each of the others
        field, value = "pod.fabric.group.routers", routers - (needed - radix)
    elif fewer >= 1:
        field, value = "pod.fabric.group.endpoints", fewer
    else:
        field, value = "pod.fabric.group.routers", routers - (needed - radix)
    return counted_problem(
        field="pod.fabric.group" if stated else "pod.fabric.switch",
        constraint="switch_radix",
        message=f"A switch of this {title} needs {needed:.0f} ports, for nodes, for its group and for other groups; "
        f"it has {radix:.0f}.",
        value=needed,
        limit=radix,
        fix=Fix(
            field=field,
            value=value,
            message=f"State {value:.0f} {'routers a group' if field.endswith('routers') else 'endpoints a router'}, "
            "or leave the group out for a balanced one.",
        )
        if stated and value >= 1
        else None,
    )


def _too_many_groups(ask: Ask, groups: Groups, title: str) -> Problem | None:
    """A group reaches at most as many others as it has global links."""
    count, a = first_of(groups.count), first_of(groups.routers)
    p, h = first_of(groups.endpoints), first_of(groups.global_links)
    most = a * h + 1
    if not count > most:
        return None
    supernodes = first_of(ask.plugs.networked_supernodes)
    of_one = first_of(ask.plugs.endpoint_links) / supernodes
    limit = float(np.floor((most * a * p - first_of(ask.pod.fabric.management_ports)) / of_one))
    return counted_problem(
        field="pod.supernodes",
        constraint="global_links",
        message=f"A {title} of groups of {a:.0f} switches with {h:.0f} global links each joins at most {most:.0f} "
        f"groups, {limit:.0f} SuperNodes of this kind, not {supernodes:.0f}.",
        value=supernodes,
        limit=limit,
        fix=Fix(
            field="pod.supernodes",
            value=limit,
            message=f"Join at most {limit:.0f} SuperNodes, or take larger groups or a switch with more ports.",
        ),
        affects=("fabric", "performance"),
    )
