"""Problems of a dragonfly or dragonfly+, and the smallest change that mends it."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.topologies.dragonflies.groups import Groups
from app.engine.fabric.topologies.port_problems import port_problems, unused_fields
from app.engine.fabric.topologies.problem import counted_problem
from app.engine.fabric.topologies.shape import Ask
from app.engine.problems import Fix, Problem
from app.engine.trace import Array, first_of


def dragonfly_problems(ask: Ask, groups: Groups, *, title: str, router_ports: Array) -> list[Problem]:
    """Problems of the first sample; `router_ports` is what the fullest of its switches needs."""
    found = [
        *port_problems(ask),
        *unused_fields(
            ask, title=f"A {title}", fields=("tiers", "oversubscription", "spine_oversubscription")
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
