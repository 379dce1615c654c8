"""What a network is made of, and by which rules its pieces are counted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.fabric.media.choose import Lengths
from app.engine.fabric.media.medium import MediaRules, Medium, Piece

BARE = ("circuit_switch",)
"""Switches that take bare fibres."""
TRUNK = Piece(key="", name="Fibre trunk", power_w=0.0)
PANEL = Piece(key="", name="Patch panel", power_w=0.0, rack_units=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchParts:
    """A switch, and the line cards that a chassis takes."""

    switch: Piece
    line_card: Piece | None = None
    line_cards: int = 0  # of one chassis


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """Cards in the nodes. Those delivered in a node are counted and cost nothing here."""

    role: str  # nic | dpu
    item: str
    piece: Piece
    count: float
    delivered: bool  # in the node, at its price


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkParts:
    """Devices of kinds that are neither switches nor hosts bring their own modules, unless they are plugged."""

    title: str
    switches: Mapping[str, SwitchParts]  # by kind of device
    media: tuple[Medium, ...]
    rules: MediaRules = field(default_factory=MediaRules)
    plugged: tuple[str, ...] = ()  # kinds of device that are bought elsewhere, their modules here
    adapters: tuple[Adapters, ...] = ()
    trunk: Piece = TRUNK
    panel: Piece = PANEL

    @property
    def module_kinds(self) -> tuple[str, ...]:
        """Kinds of device, other than hosts, whose ends take modules."""
        return tuple(kind for kind in (*self.switches, *self.plugged) if kind not in BARE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """One network as it is laid: its devices and links, how long each link is, and in which rack a device is."""

    graph: FabricGraph
    lengths_m: Lengths
    parts: NetworkParts
    device_rack: Whole | None = None  # None where nothing is patched


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Spares over installed pieces."""

    switches: float = 0.0
    adapters: float = 0.0
    cabling: float = 0.0  # modules, cables, fibres and trunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Work of one person for one piece, in seconds."""

    switch_s: float
    adapter_s: float
    module_s: float
    cable_s: float
    panel_s: float
    rack_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BillRules:
    """How pieces are counted. Fibres of at least `patched_from_m` run over patch panels; NaN: none does."""

    spares: Shares
    work: Work
    trunk_links: float
    panel_links: float
    patched_from_m: float = math.nan
