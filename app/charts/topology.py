"""Interactive drawing of the pod."""

from __future__ import annotations

from typing import Any

from app.charts.fat_tree import fat_tree_figure
from app.charts.figure import Figure, get_path, unknown_figure
from app.charts.group_ring import group_ring_figure
from app.charts.lattice import lattice_figure
from app.charts.supernode import supernode_figure
from app.engine.fabric.topologies import TOPOLOGIES


def topology_figure(evaluation: dict[str, Any]) -> Figure:
    """The fabric between SuperNodes, or the inside of the only one."""
    tiers = get_path(evaluation, "fabric.tiers") or []
    topology = get_path(evaluation, "fabric.topology")
    if get_path(evaluation, "fabric.lengths") and any(tier.get("links") for tier in tiers):
        return lattice_figure(evaluation, TOPOLOGIES[topology].title)
    if any(tier.get("switches") for tier in tiers):
        if topology in ("dragonfly", "dragonfly_plus"):
            return group_ring_figure(evaluation, TOPOLOGIES[topology].title)
        return fat_tree_figure(evaluation)
    if get_path(evaluation, "inputs.pod.supernodes") == 1 and get_path(
        evaluation, "inputs.supernode.accelerators"
    ):
        return supernode_figure(evaluation)
    return unknown_figure("topology", "Pod topology", "", "What joins the SuperNodes is unknown.")
