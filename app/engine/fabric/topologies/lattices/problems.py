"""Problems of a lattice, and the nearest design that works."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.topologies.lattices import board_counts, places
from app.engine.fabric.topologies.shape import Ask, counted_problem
from app.engine.problems import Fix, Problem
from app.engine.trace import Array, first_of

NAMES = {
    "rail_fat_tree": "rail-optimised fat tree",
    "torus_2d": "2D torus",
    "nd_full_mesh": "full mesh of several dimensions",
}
BINDING = ("fabric", "performance")
SHAPE, SUPERNODES, TOPOLOGY = "pod.fabric.shape", "pod.supernodes", "pod.fabric.topology"


def torus_problems(ask: Ask, shape: tuple[Array, ...], side: int) -> list[Problem]:
    """Of a torus: its shape, its ports, and its circuit switches, which join blocks of `side` a side."""
    lengths = _numbers(shape)
    needed = 2.0 * sum(length > 1 for length in lengths)
    found = [
        _odd_shape(ask, (len(lengths),)),
        _few_ports(ask, needed, "directions", smaller="torus_2d" if len(lengths) > 2 else "rail_fat_tree"),
        *_fill(ask, lengths),
        _management(ask),
    ]
    if ask.pod.fabric.circuit_switches:
        found += [_whole_blocks(ask, side, lengths), *_circuits(ask, side ** len(lengths), lengths)]
    return [problem for problem in found if problem]


def mesh_problems(ask: Ask, shape: tuple[Array, ...], dimensions: tuple[int, ...]) -> list[Problem]:
    """Of a mesh of full lines, of as many dimensions as it may have: its shape and its ports."""
    lengths = _numbers(shape)
    needed = sum(length - 1 for length in lengths)
    larger = "nd_full_mesh" if dimensions == (1,) else "rail_fat_tree"
    found = [
        _odd_shape(ask, dimensions),
        _few_ports(ask, needed, "neighbours", smaller="nd_full_mesh" if len(lengths) == 1 else larger),
        *_fill(ask, lengths),
        _management(ask),
    ]
    return [problem for problem in found if problem]


def hyperx_problems(
    ask: Ask, fabric: Fabric, shape: tuple[Array, ...], terminals: Array, width: Array
) -> list[Problem]:
    """Of a HyperX with so many terminals a switch and links a bundle: its shape, and the ports of switches."""
    lengths, below = _numbers(shape), first_of(terminals)
    neighbours, radix = sum(length - 1 for length in lengths), first_of(ask.plugs.switch_radix)
    found = [_odd_shape(ask, tuple(range(1, 7))), _management(ask)]
    if below + neighbours > radix:
        limit = max(radix - neighbours, 0) * float(np.prod(lengths))
        held = np.floor(limit / first_of(ask.plugs.endpoint_links) * first_of(ask.pod.supernodes))
        found.append(
            counted_problem(
                affects=BINDING,
                field=SUPERNODES,
                constraint="switch_radix",
                message=f"A HyperX of {_shape(lengths)} switches needs {below:.0f} ports of a switch for nodes "
                f"and {neighbours:.0f} for its lines; a switch has {radix:.0f}.",
                value=below + neighbours,
                limit=radix,
                fix=_holds(held)
                if held >= 1
                else Fix(field=TOPOLOGY, value="rail_fat_tree", message="Join them by a rail fat tree."),
            )
        )
    elif first_of(fabric.oversubscription) > first_of(ask.pod.fabric.oversubscription) and neighbours:
        found.append(_narrow(fabric, ask, below, first_of(width)))
    return [problem for problem in found if problem]


def hammingmesh_problems(ask: Ask, shape: tuple[Array, ...]) -> list[Problem]:
    """Of a HammingMesh: its shape, the ports of hosts, and those of the switch of a line."""
    lengths = _numbers(shape)
    longest, radix = max(lengths[2:]), first_of(ask.plugs.switch_radix)
    needed = first_of(board_counts.line_switch_ports(boards=np.full(1, longest)))
    found = [
        _odd_shape(ask, (2, 4)),
        _few_ports(ask, 4, "directions", smaller="rail_fat_tree"),
        *_fill(ask, lengths),
        _management(ask),
    ]
    if needed > radix:
        limit = np.floor(radix / 2) ** 2 * lengths[0] * lengths[1] / first_of(ask.supernode.nodes)
        found.append(
            counted_problem(
                affects=BINDING,
                field=SHAPE,
                constraint="switch_radix",
                message=f"A line of {longest:.0f} boards needs {needed:.0f} ports of its switch, which has "
                f"{radix:.0f}: at most {np.floor(radix / 2):.0f} boards, or larger boards.",
                value=needed,
                limit=radix,
                fix=_holds(np.floor(limit)),
            )
        )
    return [problem for problem in found if problem]


def _odd_shape(ask: Ask, dimensions: tuple[int, ...]) -> Problem | None:
    """A shape with more or fewer lengths than the topology has dimensions."""
    stated = _numbers(ask.pod.fabric.shape)
    if not stated or len(stated) in dimensions:
        return None
    allowed = " or ".join(str(count) for count in dimensions)
    return counted_problem(
        affects=BINDING,
        field=SHAPE,
        constraint="dimensions",
        message=f"The shape {_shape(stated)} has {len(stated)} lengths; this topology has {allowed}. It is built "
        "with near-equal lengths instead.",
        value=float(len(stated)),
        limit=float(min(dimensions, key=lambda count: abs(count - len(stated)))),
        fix=Fix(field=SHAPE, value="auto", message="Leave the shape out: its lengths follow from the nodes."),
    )


def _few_ports(ask: Ask, needed: float, what: str, *, smaller: str) -> Problem | None:
    """Hosts without a port for every direction or neighbour, or with ports that stay unused."""
    ports = first_of(places.ports_of(ask))
    if needed > ports:
        return counted_problem(
            affects=BINDING,
            field=TOPOLOGY,
            constraint="nic_ports",
            message=f"Each node needs a port for {needed:.0f} {what}; its NICs have {ports:.0f} into a plane.",
            value=needed,
            limit=ports,
            fix=Fix(
                field=TOPOLOGY, value=smaller, message=f"Take a {NAMES[smaller]}, or NICs with more ports."
            ),
        )
    free = ports % needed if needed else 0.0
    if not free:
        return None
    return counted_problem(
        kind="warning",
        field="supernode.override.scale_out_nics",
        constraint="nic_ports",
        message=f"{ports:.0f} ports of a node do not deal evenly over {needed:.0f} {what}: {free:.0f} "
        f"{'stays' if free == 1 else 'stay'} free.",
        value=ports,
        limit=ports - free,
        fix=Fix(
            field="supernode.override.scale_out_nics",
            value=(ports - free) * first_of(ask.supernode.nodes) / first_of(ask.plugs.links_per_nic),
            message=f"Use {ports - free:.0f} ports of each node.",
        ),
    )


def _fill(ask: Ask, lengths: tuple[float, ...]) -> list[Problem]:
    """More hosts than places, or fewer."""
    hosts, room = first_of(places.hosts_of(ask)), float(np.prod(lengths))
    held = float(np.floor(room / first_of(ask.supernode.nodes)))
    if hosts > room:
        return [
            counted_problem(
                affects=BINDING,
                field=SUPERNODES,
                constraint="places",
                message=f"A lattice of {_shape(lengths)} holds {room:,.0f} nodes, not {hosts:,.0f}: "
                f"{hosts - room:,.0f} {'is' if hosts - room == 1 else 'are'} not joined.",
                value=hosts,
                limit=room,
                fix=_holds(held),
            )
        ]
    if hosts == room:
        return []
    return [
        counted_problem(
            kind="warning",
            field=SUPERNODES,
            constraint="places",
            message=f"A lattice of {_shape(lengths)} has {room:,.0f} places for {hosts:,.0f} nodes: {room - hosts:,.0f} "
            f"{'stays' if room - hosts == 1 else 'stay'} empty. Links are counted as built; distances are those of the full lattice.",
            value=hosts,
            limit=room,
            fix=_holds(held) if held > first_of(ask.pod.supernodes) else None,
        )
    ]


def _whole_blocks(ask: Ask, side: int, lengths: tuple[float, ...]) -> Problem | None:
    """Lengths that are no whole blocks."""
    stated = _numbers(ask.pod.fabric.shape)
    odd = [position for position, length in enumerate(stated) if length % side]
    if not odd or len(stated) != len(lengths):
        return None
    axis = odd[0]
    return counted_problem(
        affects=BINDING,
        field=f"{SHAPE}[{axis}]",
        constraint="blocks",
        message=f"Optical circuit switches join blocks of {side} a side, so a length of {stated[axis]:.0f} is none: "
        f"the fabric is calculated as {_shape(lengths)}.",
        value=stated[axis],
        limit=lengths[axis],
        fix=Fix(
            field=f"{SHAPE}[{axis}]", value=lengths[axis], message=f"Make it {lengths[axis]:.0f} nodes long."
        ),
    )


def _circuits(ask: Ask, block: int, lengths: tuple[float, ...]) -> list[Problem]:
    """Circuit switches that are none, or that have too few ports."""
    plan = ask.pod.fabric
    if plan.switch is None:
        return []
    if "optical circuit" not in plan.switch.protocol:
        return [
            counted_problem(
                affects=BINDING,
                field="pod.fabric.switch",
                constraint="switch",
                message=f"{plan.switch.name} is no optical circuit switch.",
                value=None,
                limit=None,
                fix=Fix(field="pod.fabric.switch", value="auto", message="Leave the switch to us: auto."),
            )
        ]
    hosts = min(first_of(places.hosts_of(ask)), float(np.prod(lengths)))
    needed, ports = 2 * np.ceil(hosts / block), first_of(plan.switch.ports)
    usable = ports - first_of(ask.assumptions.circuit_switch_spare_ports)
    if not needed > usable:
        return []
    held = np.floor(np.floor(usable / 2) * block / first_of(ask.supernode.nodes))
    return [
        counted_problem(
            affects=BINDING,
            field=SUPERNODES,
            constraint="switch_radix",
            message=f"{needed / 2:.0f} blocks of {block} nodes need {needed:.0f} ports of each circuit switch, which "
            f"has {usable:.0f} beside its spare ones.",
            value=needed,
            limit=usable,
            fix=_holds(held),
        )
    ]


def _management(ask: Ask) -> Problem | None:
    """Management servers find no port on a lattice."""
    ports = first_of(ask.pod.fabric.management_ports)
    if not ports > 0:
        return None
    return counted_problem(
        kind="warning",
        field="pod.fabric.management_ports",
        constraint="places",
        message=f"A lattice has no ports for management servers, so {ports:.0f} are left out of it.",
        value=ports,
        limit=0.0,
        fix=Fix(field="pod.fabric.management_ports", value=0.0, message="Join them by the in-band network."),
    )


def _narrow(fabric: Fabric, ask: Ask, terminals: float, width: float) -> Problem:
    """A HyperX whose lines take less than its terminals ask for."""
    value, asked = first_of(fabric.oversubscription), first_of(ask.pod.fabric.oversubscription)
    return counted_problem(
        kind="warning",
        field=SHAPE,
        constraint="switch_radix",
        message=f"Beside {terminals:.0f} terminals a switch has ports for {width:.0f} links to each of its neighbours, "
        f"so the fabric is oversubscribed {value:.2f} to 1.",
        value=value,
        limit=asked,
        fix=Fix(field=SHAPE, value="auto", message="Leave the shape out: it follows from the endpoints."),
    )


def _holds(supernodes: float) -> Fix:
    return Fix(
        field=SUPERNODES, value=float(supernodes), message=f"Join {supernodes:,.0f} SuperNodes of this kind."
    )


def _shape(lengths: tuple[float, ...]) -> str:
    return " x ".join(f"{length:.0f}" for length in lengths)


def _numbers(values: tuple[Array, ...]) -> tuple[float, ...]:
    return tuple(first_of(value) for value in values)
