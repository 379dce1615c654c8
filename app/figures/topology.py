"""What the pod is built of, as an interactive picture."""

from __future__ import annotations

from typing import Any

from app.figures.fat_tree import fat_tree_figure
from app.figures.figure import Figure, at, unknown_figure
from app.figures.supernode import supernode_figure


def topology_figure(evaluation: dict[str, Any]) -> Figure:
    """The fabric between SuperNodes, or the inside of the only one."""
    if any(tier.get("switches") for tier in at(evaluation, "fabric.tiers") or []):
        return fat_tree_figure(evaluation)
    if at(evaluation, "inputs.pod.supernodes") == 1 and at(evaluation, "inputs.supernode.accelerators"):
        return supernode_figure(evaluation)
    return unknown_figure("topology", "Pod topology", "", "What joins the SuperNodes is unknown.")
