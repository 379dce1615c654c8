"""Racks of SuperNodes as they are installed: how many of each kind, and what the fullest one draws.

The one place from which power, cooling, the electrical chain, the floor plan and the racks take their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.engine.fabric.floor.limits import packed_servers, racks_filled
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.immersed import as_cooled
from app.engine.facility.it import power as it_power
from app.engine.facility.it.supernode import supernode_rating_w
from app.engine.specs import Facility, Pod, SuperNode
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Racked:
    """Racks of the SuperNodes of one kind, as arrays over samples. Unknown is NaN."""

    installed: Array  # SuperNodes, with their part of the spares
    rating_w: Array  # of one SuperNode at the inlet of its rack
    liquid_share: Array  # as its plant cools it
    racks: Array
    servers: Array  # in the fullest rack
    power_w: Array  # of the fullest rack


def racked(
    of_kinds: Sequence[tuple[SuperNode, Array]],
    *,
    pod: Pod,
    installed: Array,
    plant: str,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> tuple[Racked, ...]:
    """The racks of each kind of SuperNode.

    Parameters
    ----------
    of_kinds : SuperNodes as their data sheets state them, each with its count
    installed : SuperNodes of all kinds, including spares
    """
    return tuple(
        _racked(supernode, count, len(of_kinds) > 1, pod, installed, plant, facility, assumptions)
        for supernode, count in of_kinds
    )


def _racked(
    supernode: SuperNode,
    count: Array,
    mixed: bool,
    pod: Pod,
    installed: Array,
    plant: str,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> Racked:
    if mixed:
        installed = it_power.installed_of_kind(
            supernodes_of_kind=count, supernodes=pod.supernodes, installed_supernodes=installed
        )
    each = packed_servers(supernode, pod.floor)
    cooled = as_cooled(supernode=supernode, plant=plant, assumptions=assumptions)
    rating_w = supernode_rating_w(
        supernode=cooled, distribution=facility.distribution, assumptions=assumptions
    )
    servers = it_power.servers_in_fullest_rack(
        servers_per_rack=each, installed_supernodes=installed, nodes=supernode.nodes
    )
    return Racked(
        installed=installed,
        rating_w=rating_w,
        liquid_share=cooled.liquid_share,
        racks=racks_filled(supernodes=installed, nodes=supernode.nodes, servers_per_rack=each),
        servers=servers,
        power_w=it_power.rack_of_kind_w(
            supernode_power_rating_w=rating_w, nodes=supernode.nodes, servers_in_fullest_rack=servers
        ),
    )
