"""What stands in the way of a folded Clos, and the smallest change that mends it."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.figures import Fabric
from app.engine.fabric.topologies.shape import Ask
from app.engine.fabric.wiring import Plugs
from app.engine.problems import Fix, Problem
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array, plain


def clos_problems(ask: Ask, fabric: Fabric) -> list[Problem]:
    """Problems of a fabric of leaves, spines and cores, of the first sample."""
    pod, supernode, plugs = ask.pod, ask.supernode, ask.plugs
    found = [
        _too_many_groups(pod, fabric, plugs),
        _too_many_leaves(fabric, plugs),
        _unit_too_large(pod, supernode, fabric, plugs),
        _management_unit(pod, fabric),
    ]
    return [problem for problem in found if problem]


def _first(value: Array) -> float:
    return float(np.ravel(plain(value))[0])


def _too_many_groups(pod: Pod, fabric: Fabric, plugs: Plugs) -> Problem | None:
    """A core reaches at most as many leaf groups as it has ports."""
    radix, groups = _first(plugs.switch_radix), _first(fabric.leaf_groups)
    if not groups > radix:
        return None
    unit, rails, units = (
        _first(value) for value in (fabric.unit_supernodes, plugs.rails, fabric.scalable_units)
    )
    # Rails of a unit are groups of their own, or leaves of all rails fill groups of half a radix.
    limit = unit * np.floor(radix / rails if groups == rails * units else radix * np.floor(radix / 2) / rails)
    supernodes = _first(pod.supernodes)
    return Problem(
        kind="infeasible",
        field="pod.supernodes",
        constraint="switch_radix",
        message=f"Three tiers of {radix:.0f}-port switches join at most {limit:.0f} SuperNodes of this kind, "
        f"not {supernodes:.0f}.",
        value=supernodes,
        limit=float(limit),
        missed_by=float(supernodes - limit),
        unit="1",
        fix=Fix(
            field="pod.supernodes",
            value=float(limit),
            message=f"Join at most {limit:.0f} SuperNodes, or take a switch with more ports.",
        ),
        affects=("fabric", "performance"),
    )


def _too_many_leaves(fabric: Fabric, plugs: Plugs) -> Problem | None:
    """The spines of a leaf group reach half as many leaves as they have ports."""
    planes, units, rails, groups = (
        _first(value) for value in (fabric.planes, fabric.scalable_units, plugs.rails, fabric.leaf_groups)
    )
    if len(fabric.tiers) < 3 or groups != rails * units:
        return None
    per_rail = _first(fabric.tiers[0].switches) / (planes * units * rails)
    half = float(np.floor(_first(plugs.switch_radix) / 2))
    if not per_rail > half:
        return None
    smaller = float(np.floor(_first(fabric.unit_supernodes) * half / per_rail))
    return Problem(
        kind="infeasible",
        field="pod.fabric.scalable_unit_supernodes",
        constraint="spine_ports",
        message=f"A rail of a scalable unit has {per_rail:.0f} leaves; its spines reach {half:.0f}.",
        value=per_rail,
        limit=half,
        missed_by=per_rail - half,
        unit="1",
        fix=Fix(
            field="pod.fabric.scalable_unit_supernodes",
            value=smaller,
            message=f"Make the scalable unit {smaller:.0f} SuperNodes, or take a switch with more ports.",
        ),
        affects=("fabric",),
    )


def _unit_too_large(pod: Pod, supernode: SuperNode, fabric: Fabric, plugs: Plugs) -> Problem | None:
    """A unit of servers is cut down to what one leaf a rail takes."""
    asked, unit = _first(pod.fabric.scalable_unit_supernodes), _first(fabric.unit_supernodes)
    if len(fabric.tiers) < 2 or _first(supernode.nodes) > 1 or not asked > unit:
        return None
    needed, down = asked * _first(plugs.endpoints_per_rail), _first(plugs.leaf_down_ports)
    return Problem(
        kind="warning",
        field="pod.fabric.scalable_unit_supernodes",
        constraint="leaf_ports",
        message=f"A scalable unit of {asked:.0f} SuperNodes needs {needed:.0f} ports down on each leaf; a leaf "
        f"has {down:.0f}, so the fabric is built of units of {unit:.0f}.",
        value=needed,
        limit=down,
        missed_by=needed - down,
        unit="1",
        fix=Fix(
            field="pod.fabric.scalable_unit_supernodes",
            value=unit,
            message=f"Make the scalable unit {unit:.0f} SuperNodes.",
        ),
        affects=("fabric",),
    )


def _management_unit(pod: Pod, fabric: Fabric) -> Problem | None:
    """Management ports that open a whole scalable unit for themselves."""
    supernodes, ports = _first(pod.supernodes), _first(pod.fabric.management_ports)
    needed = np.ceil(supernodes / _first(fabric.unit_supernodes))
    if len(fabric.tiers) < 2 or not _first(fabric.scalable_units) > needed:
        return None
    return Problem(
        kind="warning",
        field="pod.fabric.management_ports",
        constraint="leaf_ports",
        message=f"The leaves have no free port for {ports:.0f} management ports, so one more scalable unit of "
        "leaves is bought. Published SuperPODs give up one server of the last unit instead.",
        value=ports,
        limit=0,
        missed_by=ports,
        unit="1",
        fix=Fix(
            field="pod.supernodes",
            value=supernodes - 1,
            message=f"Use {supernodes - 1:.0f} SuperNodes, or set management_ports to 0.",
        ),
        affects=("fabric", "cost"),
    )
