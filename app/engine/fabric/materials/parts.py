"""Parts of a network, and the rules by which they are counted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from app.engine.fabric.bill import bill_count, bill_power_w, bill_price_usd
from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.fabric.media.medium import Lengths, MediaRules, Medium, Piece, PriceRange
from app.engine.fabric.prices import ENDS
from app.engine.quantities import quantity
from app.engine.trace import Array

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


ROLES = {
    "switch": "Switches",
    "line_card": "Line cards",
    "nic": "NICs",
    "dpu": "DPUs",
    "module": "Optical modules",
    "cable": "Cables with fixed ends",
    "fibre": "Fibre jumpers",
    "trunk": "Fibre trunks",
    "patch_panel": "Patch panels",
}


@quantity(unit="1", source="definition")
def spare_pieces(*, bought: Array, installed: Array) -> Array:
    """Pieces bought beyond those installed."""
    return bought - installed


@quantity(unit="1", source="definition")
def material_rack_units(*, installed: Array, piece_rack_units: Array) -> Array:
    """Heights of racks that a line fills. Spares lie in a drawer."""
    return np.where(installed <= 0, 0.0, installed * piece_rack_units)


@quantity(unit="s", source="definition")
def installation_s(*, installed: Array, piece_installation_s: Array) -> Array:
    """Work of one person to put the pieces of a line in."""
    return installed * piece_installation_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """So many of a piece, before spares."""

    network: str
    role: str  # a key of ROLES
    tier: str  # "" where it belongs to none
    item: str
    piece: Piece
    installed: float
    spare_share: float
    piece_installation_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialLine:
    """One kind of piece in one place of a network. Unknown is NaN."""

    network: str
    role: str
    tier: str
    item: str
    piece: Piece
    installed: float
    spare: float
    bought: float
    price: PriceRange  # of all that is bought
    power_w: float
    rack_units: float
    installation_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Of some lines; a sum with something unknown in it is NaN, and `priced_usd` is what is known of it."""

    price: PriceRange
    priced_usd: float  # typical, of the lines whose price is known
    unpriced_lines: int
    power_w: float
    rack_units: float
    installation_s: float


def material_lines(wanted: list[Wanted]) -> list[MaterialLine]:
    """The lines of what is wanted; of nothing there is no line."""
    wanted = [one for one in wanted if not one.installed <= 0]
    installed = np.array([one.installed for one in wanted])
    bought = bill_count(installed=installed, spare_share=np.array([one.spare_share for one in wanted]))
    prices = {
        name: bill_price_usd(
            count=bought, unit_price_usd=np.array([getattr(one.piece.price, name) for one in wanted])
        )
        for name in ENDS
    }
    spare = spare_pieces(bought=bought, installed=installed)
    power = bill_power_w(installed=installed, unit_power_w=np.array([one.piece.power_w for one in wanted]))
    units = material_rack_units(
        installed=installed, piece_rack_units=np.array([one.piece.rack_units for one in wanted])
    )
    work = installation_s(
        installed=installed, piece_installation_s=np.array([one.piece_installation_s for one in wanted])
    )
    return [
        MaterialLine(
            network=one.network,
            role=one.role,
            tier=one.tier,
            item=one.item,
            piece=one.piece,
            installed=one.installed,
            spare=float(spare[row]),
            bought=float(bought[row]),
            price=PriceRange(**{name: float(values[row]) for name, values in prices.items()}),
            power_w=float(power[row]),
            rack_units=float(units[row]),
            installation_s=float(work[row]),
        )
        for row, one in enumerate(wanted)
    ]


def totals_of(lines: list[MaterialLine]) -> Totals:
    """Sums over lines. A spread adds up as if all prices were low, or all high, at once."""
    typical = np.array([line.price.typical for line in lines])
    return Totals(
        price=PriceRange(
            low=float(sum(line.price.low for line in lines)),
            typical=float(typical.sum()),
            high=float(sum(line.price.high for line in lines)),
        ),
        priced_usd=float(np.nansum(typical)),
        unpriced_lines=int(np.isnan(typical).sum()),
        power_w=float(sum(line.power_w for line in lines)),
        rack_units=float(sum(line.rack_units for line in lines)),
        installation_s=float(sum(line.installation_s for line in lines)),
    )
