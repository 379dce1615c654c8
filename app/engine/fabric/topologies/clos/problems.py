"""Problems of a folded Clos, and the smallest change that fixes it."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.tier_parts import TIERS, has_own_tiers, switch_of
from app.engine.fabric.topologies.clos.wiring import Wiring
from app.engine.fabric.topologies.port_problems import GBIT_S, port_problems, unused_fields
from app.engine.fabric.topologies.shape import Ask, counted_problem
from app.engine.problems import Fix, Problem
from app.engine.trace import first_of

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
        _not_spread_within_one(ask, wiring),
        _tiers_not_built(ask, wiring),
        _uneven_uplink_port(ask, wiring),
        _unit_too_large(ask, wiring),
        _management_unit(ask, wiring),
    ]
    return [problem for problem in found if problem]


def _unit_leaves(wiring: Wiring) -> float:
    """Leaves of one scalable unit."""
    return first_of(wiring.rails) * first_of(wiring.leaves_per_rail)


def _too_many_groups(ask: Ask, wiring: Wiring) -> Problem | None:
    """A core reaches at most as many leaf groups as it has ports."""
    radix, groups = first_of(ask.plugs.core.radix), first_of(wiring.leaf_groups)
    if not groups > radix:
        return None
    if first_of(wiring.grown) > 1:
        units = np.floor(radix / first_of(wiring.rails))
    else:
        units = np.floor(radix * first_of(wiring.spine_down_ports) / _unit_leaves(wiring))
    limit, supernodes = float(first_of(wiring.unit_supernodes) * units), first_of(ask.pod.supernodes)
    return counted_problem(
        field="pod.supernodes",
        constraint="switch_radix",
        message=f"Three tiers of {radix:.0f}-port switches join at most {limit:.0f} SuperNodes of this kind, "
        f"not {supernodes:.0f}.",
        value=supernodes,
        limit=limit,
        fix=Fix(
            field="pod.supernodes",
            value=limit,
            message=f"Join at most {limit:.0f} SuperNodes, or take a switch with more ports.",
        ),
        affects=("fabric", "performance"),
    )


def _too_many_leaves(ask: Ask, wiring: Wiring) -> Problem | None:
    """The spines of a leaf group reach as many leaves as they have ports down."""
    per_rail, ports = first_of(wiring.leaves_per_rail), first_of(wiring.spine_down_ports)
    if first_of(wiring.tier_count) < 3 or first_of(wiring.grown) <= 1 or not per_rail > ports:
        return None
    smaller = float(np.floor(first_of(wiring.unit_supernodes) * ports / per_rail))
    return counted_problem(
        field="pod.fabric.scalable_unit_supernodes",
        constraint="spine_ports",
        message=f"A rail of a scalable unit has {per_rail:.0f} leaves; its spines reach {ports:.0f}.",
        value=per_rail,
        limit=ports,
        fix=Fix(
            field="pod.fabric.scalable_unit_supernodes",
            value=smaller,
            message=f"Make the scalable unit {smaller:.0f} SuperNodes, or take a switch with more ports.",
        ),
    )


def _too_few_tiers(ask: Ask, wiring: Wiring) -> Problem | None:
    """Fewer tiers are asked for than it takes: the fabric is counted with those it takes."""
    asked, built = first_of(ask.pod.fabric.tiers_asked), first_of(wiring.tier_count)
    if not asked < built:
        return None
    supernodes = first_of(ask.plugs.networked_supernodes)
    radix = first_of(ask.plugs.switch_radix if asked < 2 else ask.plugs.spine.radix)
    if asked < 2:
        free = radix - first_of(ask.pod.fabric.management_ports)
        limit = float(np.floor(free * wiring.sides / (first_of(wiring.endpoint_links) / supernodes)))
    else:
        limit = float(np.floor(radix / _unit_leaves(wiring)) * first_of(wiring.unit_supernodes))
    words = TIER_WORDS[int(asked)]
    return counted_problem(
        field="pod.fabric.tiers",
        constraint="switch_radix",
        message=f"{words} of {radix:.0f}-port switches {'joins' if asked < 2 else 'join'} at most {limit:.0f} "
        f"SuperNodes of this kind; {supernodes:.0f} take {built:.0f} tiers, which are counted here.",
        value=asked,
        limit=built,
        fix=Fix(field="pod.fabric.tiers", value=built, message=f"Build {built:.0f} tiers."),
    )


def _more_tiers_than_built(ask: Ask, wiring: Wiring) -> Problem | None:
    """One leaf takes every endpoint, so that nothing is left for a spine to join."""
    asked, built = first_of(ask.pod.fabric.tiers_asked), first_of(wiring.tier_count)
    if not (asked > built > 0):
        return None
    return counted_problem(
        kind="warning",
        field="pod.fabric.tiers",
        constraint="leaves",
        message=f"{TIER_WORDS[int(asked)]} are asked for, and one leaf takes every SuperNode: it is built alone.",
        value=asked,
        limit=built,
        fix=Fix(field="pod.fabric.tiers", value=built, message="Build one tier."),
    )


def _no_spines_to_taper(ask: Ask, wiring: Wiring) -> Problem | None:
    """Spines have links up, and so an oversubscription, only below cores."""
    asked, built = first_of(ask.pod.fabric.spine_oversubscription), first_of(wiring.tier_count)
    if not (asked > 1 and 0 < built < 3):
        return None
    return counted_problem(
        kind="warning",
        field="pod.fabric.spine_oversubscription",
        constraint="tiers",
        message=f"Spines are oversubscribed towards cores, and this fabric has none: {built:.0f} of 3 tiers.",
        value=asked,
        limit=1,
        fix=Fix(field="pod.fabric.tiers", value=3.0, message="Build three tiers."),
    )


def _not_spread_within_one(ask: Ask, wiring: Wiring) -> Problem | None:
    """Uplinks may differ by one in two tiers; in three, groups of leaves reach their spines evenly.

    Below cores every group has spines of its own. A spine with one more link down needs one more link up, so
    that groups reach different cores with different bandwidth. The bandwidth between two groups then depends
    on which two, and the bisection could only be found by trying all halves.
    """
    built = first_of(wiring.tier_count)
    if ask.pod.fabric.spine_spread == "even" or built in (0.0, 2.0):
        return None
    return counted_problem(
        kind="warning",
        field="pod.fabric.spine_spread",
        constraint="tiers",
        message="Uplinks that differ by one are built in two tiers, and this fabric has "
        f"{TIER_WORDS[int(built)].lower()}: "
        + (
            "spines with a link more down would need one more up, so that groups of leaves reach the cores unlike each "
            "other. Its leaves reach their spines evenly; tiers: 2 or a switch with more ports would take fewer."
            if built > 2
            else "its leaf has no spines."
        ),
        value=built,
        limit=2,
        fix=None,
    )


def _tiers_not_built(ask: Ask, wiring: Wiring) -> Problem | None:
    """Inputs for a tier of switches or for links that this fabric does not have."""
    plan, built = ask.pod.fabric, first_of(wiring.tier_count)
    stated = {
        "core_switch": plan.core_switch is not None and 0 < built < 3,
        "spine_switch": plan.spine_switch is not None and 0 < built < 2,
        "uplink_gbit_s": plan.uplink_bandwidth_bytes_per_s is not None and 0 < built < 2,
    }
    for field, idle in stated.items():
        if idle:
            return counted_problem(
                kind="warning",
                field=f"pod.fabric.{field}",
                constraint="tiers",
                message=f"This fabric has {TIER_WORDS[int(built)].lower()}: what the scenario states of "
                f"{'cores' if field == 'core_switch' else 'spines and links to them'} changes nothing.",
                value=built,
                limit=3 if field == "core_switch" else 2,
                fix=None,
            )
    return None


def _uneven_uplink_port(ask: Ask, wiring: Wiring) -> Problem | None:
    """Ports with idle bandwidth on links between switches, of the tier that wastes the largest share."""
    plan, plugs = ask.pod.fabric, ask.plugs
    if not has_own_tiers(plan) or first_of(wiring.tier_count) < 2:
        return None
    rate = first_of(plugs.uplink_bandwidth_bytes_per_s)
    built = TIERS[: int(first_of(wiring.tier_count))]
    found = []
    for tier, ports in zip(built, (plugs.leaf_up, plugs.spine, plugs.core), strict=False):
        switch = switch_of(plan, tier)
        if switch is not None:
            port = first_of(switch.port_bandwidth_bytes_per_s)
            found.append(
                ((port - first_of(ports.split) * rate) / port, port, first_of(ports.split), switch.name)
            )
    idle, port, split, name = max(found)
    if not idle > 1e-6:
        return None
    return Problem(
        kind="warning",
        field="pod.fabric.uplink_gbit_s",
        constraint="port_split",
        message=f"A {port / GBIT_S:.0f} Gbit/s port of {name} carries {split:.0f} link{'s' if split != 1 else ''} between "
        f"switches of {rate / GBIT_S:.4g} Gbit/s, so that {idle:.0%} of it idles.",
        value=split * rate,
        limit=port,
        missed_by=port * idle,
        unit="B/s",
        fix=Fix(
            field="pod.fabric.uplink_gbit_s",
            value=port / GBIT_S,
            message=f"Let links between switches run at {port / GBIT_S:.0f} Gbit/s, if all their ports carry it.",
        ),
        affects=("fabric",),
    )


def _unit_too_large(ask: Ask, wiring: Wiring) -> Problem | None:
    """A unit of servers is cut down to what one leaf a rail takes."""
    asked, unit = first_of(ask.pod.fabric.scalable_unit_supernodes), first_of(wiring.unit_supernodes)
    if first_of(wiring.tier_count) < 2 or not asked > unit:
        return None
    needed, down = asked * first_of(wiring.endpoints_per_rail), first_of(ask.plugs.leaf_down_ports)
    return counted_problem(
        kind="warning",
        field="pod.fabric.scalable_unit_supernodes",
        constraint="leaf_ports",
        message=f"A scalable unit of {asked:.0f} SuperNodes needs {needed:.0f} ports down on each leaf; a leaf "
        f"has {down:.0f}, so the fabric is built of units of {unit:.0f}.",
        value=needed,
        limit=down,
        fix=Fix(
            field="pod.fabric.scalable_unit_supernodes",
            value=unit,
            message=f"Make the scalable unit {unit:.0f} SuperNodes.",
        ),
    )


def _management_unit(ask: Ask, wiring: Wiring) -> Problem | None:
    """Management ports that open a whole scalable unit for themselves."""
    supernodes, ports = first_of(ask.pod.supernodes), first_of(ask.pod.fabric.management_ports)
    needed = np.ceil(supernodes / first_of(wiring.unit_supernodes))
    if first_of(wiring.tier_count) < 2 or not first_of(wiring.scalable_units) > needed:
        return None
    return counted_problem(
        kind="warning",
        field="pod.fabric.management_ports",
        constraint="leaf_ports",
        message=f"The leaves have no free port for {ports:.0f} management ports, so one more scalable unit of "
        "leaves is bought. Published SuperPODs give up one server of the last unit instead.",
        value=ports,
        limit=0,
        fix=Fix(
            field="pod.supernodes",
            value=supernodes - 1,
            message=f"Use {supernodes - 1:.0f} SuperNodes, or no management ports.",
        ),
        affects=("fabric", "cost"),
    )
