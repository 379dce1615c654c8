"""Inputs of the studio that only some topologies ask for; empty they follow from the nodes."""

from __future__ import annotations

from app.surfaces.pages.studio.field import Field, choice, number, switch, text


def topology_field() -> Field:
    """How SuperNodes are joined."""
    return choice(
        "pod.fabric.topology",
        "topologies",
        words=(("auto", "Automatic"), ("none", "None: one SuperNode")),
    )


def topology_fields() -> tuple[Field, ...]:
    """Tiers of a folded Clos, lengths and circuits of a lattice, groups of a dragonfly."""
    return (
        number("pod.fabric.tiers", words=(("", "minimum"),)),
        number("pod.fabric.spine_oversubscription",
               words=(("", "same as leaves"),)),
        text("pod.fabric.shape"),
        switch("pod.fabric.optical_circuit_switches"),
        number("pod.fabric.group.routers", words=(("", "balanced"),)),
        number("pod.fabric.group.endpoints", words=(("", "balanced"),)),
        number("pod.fabric.group.global_links", words=(("", "balanced"),)),
    )  # fmt: skip
