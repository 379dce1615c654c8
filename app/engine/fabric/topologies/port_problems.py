"""Problems of the ports of a switch, whatever they are joined to."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.topologies.shape import Ask
from app.engine.problems import Fix, Problem
from app.engine.trace import first_of

MOST_PLANES = 16
GBIT_S = 1e9 / 8
WORDS = {"uplink_gbit_s": "uplinks of leaves"}
UPPER_TIERS = ("spine_switch", "core_switch", "uplink_gbit_s")
"""Fields of a folded Clos alone."""


def port_problems(ask: Ask) -> list[Problem]:
    """Ports that are split into fewer or slower links than they could carry, of the first sample."""
    found = _odd_split(ask)
    return [found] if found else []


def unused_fields(ask: Ask, *, title: str, fields: tuple[str, ...]) -> list[Problem]:
    """What the scenario states and this topology has no place for."""
    plan = ask.pod.fabric
    stated = {
        "tiers": plan.tiers_asked is not None,
        "oversubscription": first_of(plan.oversubscription) > 1,
        "spine_oversubscription": plan.spine_oversubscription is not None,
        "shape": bool(plan.shape),
        "group": plan.group_routers is not None,
        "optical_circuit_switches": plan.circuit_switches,
        "spine_spread": plan.spine_spread != "even",
        "spine_switch": plan.spine_switch is not None,
        "core_switch": plan.core_switch is not None,
        "uplink_gbit_s": plan.uplink_bandwidth_bytes_per_s is not None,
    }
    return [
        Problem(
            kind="warning",
            field=f"pod.fabric.{name}",
            constraint="topology",
            message=f"{title} has no {WORDS.get(name, name.replace('_', ' '))}: what the scenario states of it changes "
            "nothing.",
            affects=("fabric",),
        )
        for name in fields
        if stated[name]
    ]


def _odd_split(ask: Ask) -> Problem | None:
    """A port whose links leave bandwidth of it unused."""
    switch = ask.pod.fabric.switch
    if switch is None:
        return None
    port, link = first_of(switch.port_bandwidth_bytes_per_s), first_of(ask.plugs.link_bandwidth_bytes_per_s)
    split, planes = first_of(ask.plugs.port_split), first_of(ask.pod.fabric.planes)
    most = np.floor(first_of(switch.max_logical_ports) / first_of(switch.ports))
    idle = port - split * link
    if not idle > 1e-6 * port:
        return None
    even = _even_planes(ask, port, most)
    fix = Fix(
        field="pod.fabric.planes",
        value=even,
        message=f"Spread the NICs over {even:.0f} plane{'s' if even != 1 else ''}, or take a switch whose ports "
        "are as fast as the links.",
    )
    return Problem(
        kind="warning",
        field="pod.fabric.planes",
        constraint="port_split",
        message=f"A {port / GBIT_S:.0f} Gbit/s port carries {split:.0f} link{'s' if split != 1 else ''} of "
        f"{link / GBIT_S:.4g} Gbit/s and leaves {idle / GBIT_S:.4g} Gbit/s idle: the switch splits a port in at "
        f"most {most:.0f}.",
        value=split * link,
        limit=port,
        missed_by=idle,
        unit="B/s",
        fix=fix if even and even != planes else None,
        affects=("fabric",),
    )


def _even_planes(ask: Ask, port: float, most: float) -> float:
    """The number of planes nearest to the one asked for whose links fill a port; 0 where there is none."""
    nic = first_of(ask.supernode.scale_out_nic_bandwidth_bytes_per_s)
    ways = 2.0 if ask.pod.fabric.topology == "dual_tor" else 1.0
    planes = np.arange(1.0, MOST_PLANES + 1)
    each = nic / planes / ways
    links = each / np.ceil(np.round(each / port, 6))
    split = np.minimum(np.floor(np.round(port / links, 6)), most)
    fills = split * links >= port * (1 - 1e-6)
    if not fills.any():
        return 0.0
    distance = np.where(fills, np.abs(planes - first_of(ask.pod.fabric.planes)), np.inf)
    return float(planes[np.argmin(distance)])
