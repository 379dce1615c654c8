"""What stands in the way of a folded Clos, and the smallest change that mends it."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.port_problems import port_problems, unused_fields
from app.engine.fabric.topologies.shape import Ask
from app.engine.problems import Fix, Problem
from app.engine.trace import Array, plain

TIER_WORDS = {1: "One tier", 2: "Two tiers", 3: "Three tiers"}


def clos_problems(ask: Ask, wiring: Wiring) -> list[Problem]:
    """Problems of a fabric of leaves, spines and cores, of the first sample."""
    found = [
        *port_problems(ask),
        *unused_fields(ask, title="A folded Clos", fields=("shape", "group", "optical_circuit_switches")),
        _too_many_groups(ask, wiring),
        _too_many_leaves(ask, wiring),
        _too_few_tiers(ask, wiring),
        _more_tiers_than_built(ask, wiring),
        _no_spines_to_taper(ask, wiring),
        _unit_too_large(ask, wiring),
        _management_unit(ask, wiring),
    ]
    return [problem for problem in found if problem]


def _first(value: Array | None) -> float:
    return float("nan") if value is None else float(np.ravel(plain(value))[0])


def _unit_leaves(wiring: Wiring) -> float:
    """Leaves of one scalable unit."""
    return _first(wiring.rails) * _first(wiring.leaves_per_rail)


def _too_many_groups(ask: Ask, wiring: Wiring) -> Problem | None:
    """A core reaches at most as many leaf groups as it has ports."""
    radix, groups = _first(ask.plugs.switch_radix), _first(wiring.leaf_groups)
    if not groups > radix:
        return None
    if _first(wiring.grown) > 1:
        units = np.floor(radix / _first(wiring.rails))
    else:
        units = np.floor(radix * _first(wiring.spine_down_ports) / _unit_leaves(wiring))
    limit, supernodes = float(_first(wiring.unit_supernodes) * units), _first(ask.pod.supernodes)
    return Problem(
        kind="infeasible",
        field="pod.supernodes",
        constraint="switch_radix",
        message=f"Three tiers of {radix:.0f}-port switches join at most {limit:.0f} SuperNodes of this kind, "
        f"not {supernodes:.0f}.",
        value=supernodes,
        limit=limit,
        missed_by=supernodes - limit,
        unit="1",
        fix=Fix(
            field="pod.supernodes",
            value=limit,
            message=f"Join at most {limit:.0f} SuperNodes, or take a switch with more ports.",
        ),
        affects=("fabric", "performance"),
    )


def _too_many_leaves(ask: Ask, wiring: Wiring) -> Problem | None:
    """The spines of a leaf group reach as many leaves as they have ports down."""
    per_rail, ports = _first(wiring.leaves_per_rail), _first(wiring.spine_down_ports)
    if _first(wiring.tier_count) < 3 or _first(wiring.grown) <= 1 or not per_rail > ports:
        return None
    smaller = float(np.floor(_first(wiring.unit_supernodes) * ports / per_rail))
    return Problem(
        kind="infeasible",
        field="pod.fabric.scalable_unit_supernodes",
        constraint="spine_ports",
        message=f"A rail of a scalable unit has {per_rail:.0f} leaves; its spines reach {ports:.0f}.",
        value=per_rail,
        limit=ports,
        missed_by=per_rail - ports,
        unit="1",
        fix=Fix(
            field="pod.fabric.scalable_unit_supernodes",
            value=smaller,
            message=f"Make the scalable unit {smaller:.0f} SuperNodes, or take a switch with more ports.",
        ),
        affects=("fabric",),
    )


def _too_few_tiers(ask: Ask, wiring: Wiring) -> Problem | None:
    """Fewer tiers are asked for than it takes: the fabric is counted with those it takes."""
    asked, built = _first(ask.pod.fabric.tiers_asked), _first(wiring.tier_count)
    if not asked < built:
        return None
    radix = _first(ask.plugs.switch_radix)
    supernodes = _first(ask.plugs.networked_supernodes)
    if asked < 2:
        free = radix - _first(ask.pod.fabric.management_ports)
        limit = float(np.floor(free * wiring.sides / (_first(wiring.endpoint_links) / supernodes)))
    else:
        limit = float(np.floor(radix / _unit_leaves(wiring)) * _first(wiring.unit_supernodes))
    words = TIER_WORDS[int(asked)]
    return Problem(
        kind="infeasible",
        field="pod.fabric.tiers",
        constraint="switch_radix",
        message=f"{words} of {radix:.0f}-port switches {'joins' if asked < 2 else 'join'} at most {limit:.0f} "
        f"SuperNodes of this kind; {supernodes:.0f} take {built:.0f} tiers, which are counted here.",
        value=asked,
        limit=built,
        missed_by=built - asked,
        unit="1",
        fix=Fix(field="pod.fabric.tiers", value=built, message=f"Build {built:.0f} tiers."),
        affects=("fabric",),
    )


def _more_tiers_than_built(ask: Ask, wiring: Wiring) -> Problem | None:
    """One leaf takes every endpoint, so that nothing is left for a spine to join."""
    asked, built = _first(ask.pod.fabric.tiers_asked), _first(wiring.tier_count)
    if not (asked > built > 0):
        return None
    return Problem(
        kind="warning",
        field="pod.fabric.tiers",
        constraint="leaves",
        message=f"{TIER_WORDS[int(asked)]} are asked for, and one leaf takes every SuperNode: it is built alone.",
        value=asked,
        limit=built,
        missed_by=asked - built,
        unit="1",
        fix=Fix(field="pod.fabric.tiers", value=built, message="Build one tier."),
        affects=("fabric",),
    )


def _no_spines_to_taper(ask: Ask, wiring: Wiring) -> Problem | None:
    """Spines have links up, and so an oversubscription, only below cores."""
    asked, built = _first(ask.pod.fabric.spine_oversubscription), _first(wiring.tier_count)
    if not (asked > 1 and 0 < built < 3):
        return None
    return Problem(
        kind="warning",
        field="pod.fabric.spine_oversubscription",
        constraint="tiers",
        message=f"Spines are oversubscribed towards cores, and this fabric has none: {built:.0f} of 3 tiers.",
        value=asked,
        limit=1,
        missed_by=asked - 1,
        unit="1",
        fix=Fix(field="pod.fabric.tiers", value=3.0, message="Build three tiers."),
        affects=("fabric",),
    )


def _unit_too_large(ask: Ask, wiring: Wiring) -> Problem | None:
    """A unit of servers is cut down to what one leaf a rail takes."""
    asked, unit = _first(ask.pod.fabric.scalable_unit_supernodes), _first(wiring.unit_supernodes)
    if _first(wiring.tier_count) < 2 or not asked > unit:
        return None
    needed, down = asked * _first(wiring.endpoints_per_rail), _first(ask.plugs.leaf_down_ports)
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


def _management_unit(ask: Ask, wiring: Wiring) -> Problem | None:
    """Management ports that open a whole scalable unit for themselves."""
    supernodes, ports = _first(ask.pod.supernodes), _first(ask.pod.fabric.management_ports)
    needed = np.ceil(supernodes / _first(wiring.unit_supernodes))
    if _first(wiring.tier_count) < 2 or not _first(wiring.scalable_units) > needed:
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
            message=f"Use {supernodes - 1:.0f} SuperNodes, or no management ports.",
        ),
        affects=("fabric", "cost"),
    )
