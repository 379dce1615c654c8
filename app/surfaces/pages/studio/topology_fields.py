"""Inputs of the studio that only some topologies ask for; empty they follow from the nodes."""

from __future__ import annotations

from app.surfaces.pages.studio.field import Field, choice, number, switch, text


def topology_field() -> Field:
    """How SuperNodes are joined."""
    return choice(
        "pod.fabric.topology",
        "Topology",
        "topologies",
        words=(("auto", "Automatic"), ("none", "None: one SuperNode")),
    )


def topology_fields() -> tuple[Field, ...]:
    """Tiers of a folded Clos, lengths and circuits of a lattice, groups of a dragonfly."""
    return (
        number("pod.fabric.tiers", "Tiers of switches", words=(("", "as few as do"),)),
        number("pod.fabric.spine_oversubscription", "Oversubscription of spines", unit="to 1",
               words=(("", "as the leaves"),)),
        text("pod.fabric.shape", "Lengths of a lattice"),
        switch("pod.fabric.optical_circuit_switches", "Optical circuit switches"),
        number("pod.fabric.group.routers", "Routers of a group", words=(("", "balanced"),)),
        number("pod.fabric.group.endpoints", "Nodes' links of a router", words=(("", "balanced"),)),
        number("pod.fabric.group.global_links", "Global links of a router", words=(("", "balanced"),)),
    )  # fmt: skip
