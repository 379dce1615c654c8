"""The build-up of a SuperNode: its parts, and what they draw, cost, weigh and fill.

Trays, processors, memory and NICs are counted by the accelerators; switch chips, cables and optical modules by the
shape of the scale-up network; racks by the height and the power that one takes. With counts n of parts that draw w
and cost p each, at rated load,

    rated power = sum(n w) / (efficiency of the supplies - share of the fans)      [1]
    price       = sum(n p) / (1 - share of assembly)                               [1]

[1] definition
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np

from app.engine.fabric.scale_up.network import is_upper, network_of
from app.engine.fabric.scale_up.shape import Shape
from app.engine.specs import Medium, ScaleUpPlan
from app.engine.trace import Array

LEAST, TYPICAL, MOST = 0, 1, 2
"""Places of a price's range."""
PARTS = (
    "accelerators", "processors", "host_memory", "memory_pool", "nics", "trays",
    "scale_up_switches", "scale_up_links", "scale_up_far_links", "circuit_switches", "racks", "assembly",
)  # fmt: skip


def _none() -> Array:
    return np.zeros(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Composition of a SuperNode; prices have the shape (3,): low, typical, high [USD]."""

    accelerators: Array
    accelerators_per_tray: Array
    processors_per_tray: Array
    host_memory_bytes_per_tray: Array
    nics: Array
    accelerator_power_w: Array
    accelerator_price_usd: Array
    processor_power_w: Array
    processor_price_usd: Array
    memory_power_w_per_byte: Array
    memory_usd_per_byte: Array
    nic_power_w: Array
    nic_price_usd: Array
    tray_power_w: Array
    tray_price_usd: Array
    tray_rack_units: Array
    tray_weight_kg: Array
    switch_energy_j_per_bit: Array
    switch_usd_per_gbit_s: Array
    switches_per_rack_unit: Array
    switches_per_upper_rack: Array
    circuit_switch_power_w: Array
    circuit_switch_price_usd: Array
    shelf_w_per_rack_unit: Array
    rack_units: Array  # of a rack, that equipment can fill
    rack_power_limit_w: Array
    rack_price_usd: Array
    rack_weight_kg: Array
    accelerators_per_rack: Array | None  # where the network sets it, as a cube of a torus does
    shares_a_rack: bool  # trays are servers of their own, which are packed into racks with others
    switches_on_trays: (
        bool  # a domain fits on a tray: its chips are on the board and take no height of their own
    )
    fan_share: Array
    supply_efficiency: Array
    assembly_share: Array
    pool_power_w: Array = field(default_factory=_none)  # of a memory pool, by the accelerator
    pool_price_usd: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """One kind of part: how many, and what each draws [W] and costs [USD]."""

    name: str
    count: Array
    power_w: Array
    price_usd: Array  # (3,)

    @property
    def total_power_w(self) -> Array:
        """Power of all pieces [W]."""
        return self.count * self.power_w

    @property
    def total_price_usd(self) -> Array:
        """Price of all pieces [USD], of shape (3,)."""
        return self.count * self.price_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildUp:
    """A SuperNode as its parts give it."""

    lines: tuple[PartLine, ...]
    trays: Array
    host_memory_bytes: Array
    compute_racks: Array
    switch_racks: Array
    trays_per_rack: Array
    tray_bound: str  # rack_units | rack_power | network: what limits the trays of a rack
    rack_power_w: Array  # most that one rack draws
    rack_units: Array  # of all its equipment
    rated_power_w: Array
    price_usd: Array  # (3,)
    weight_kg: Array

    @property
    def racks(self) -> Array:
        """Racks of its own; 0 where its servers share racks with others."""
        return self.compute_racks + self.switch_racks


def rated_power_w(parts_power_w: Array, *, supply_efficiency: Array, fan_share: Array) -> Array:
    """Power at the inlet of a rack for what its parts draw: with the fans that cool them and the supplies' loss [W].

    P = sum(n w) / (eta - f), as fans take the share f of P and supplies pass the share eta of it on.
    """
    return parts_power_w / (supply_efficiency - fan_share)


def trays_per_rack(contents: Contents, *, tray_w: Array, tray_units: Array) -> tuple[Array, str]:
    """Trays that a rack takes, by its height and its power, and which of the two binds.

    Height h and inlet power P of a tray with its share of the switches; a rack of H units gives each P / s units of
    power shelves too: min(floor(H / (h + P / s)), floor(limit / P)).
    """
    by_height = np.floor(contents.rack_units / (tray_units + tray_w / contents.shelf_w_per_rack_unit) + 1e-9)
    by_power = np.floor(contents.rack_power_limit_w / tray_w + 1e-9)
    bound = "rack_power" if np.median(by_power) < np.median(by_height) else "rack_units"
    return np.minimum(by_height, by_power), bound


def racks_filled(trays: Array, trays_per_rack: Array) -> Array:
    """Racks that the trays of one SuperNode fill; several that fit into one rack whole share it.

    ceil(t / r) for t trays and r in a rack, and 1 / floor(r / t) where t <= r.
    """
    each = np.maximum(trays_per_rack, 1.0)
    whole = np.ceil(trays / each - 1e-9)
    return np.where(trays < each, 1 / np.maximum(np.floor(each / trays + 1e-9), 1.0), whole)


def build_up(
    contents: Contents, plan: ScaleUpPlan | None, shape: Shape | None, media: tuple[Medium, Medium]
) -> BuildUp:
    """Count the parts of a SuperNode and sum them.

    Parameters
    ----------
    plan, shape : of its scale-up network; None where one accelerator is all there is
    media : of links that stay with the lower switches, and of those to the upper ones
    """
    c = contents
    trays = np.ceil(c.accelerators / c.accelerators_per_tray - 1e-9)
    switched = _switch_lines(c, plan, shape, media)
    lines = (
        PartLine(name="accelerators", count=c.accelerators, power_w=c.accelerator_power_w, price_usd=c.accelerator_price_usd),
        PartLine(name="processors", count=trays * c.processors_per_tray, power_w=c.processor_power_w, price_usd=c.processor_price_usd),
        PartLine(name="host_memory", count=trays, power_w=c.host_memory_bytes_per_tray * c.memory_power_w_per_byte,
                 price_usd=c.host_memory_bytes_per_tray * c.memory_usd_per_byte),
        *_pool_line(c),
        PartLine(name="nics", count=c.nics, power_w=c.nic_power_w, price_usd=c.nic_price_usd),
        PartLine(name="trays", count=trays, power_w=c.tray_power_w, price_usd=c.tray_price_usd),
        *switched,
    )  # fmt: skip
    racks = _racks(c, trays, lines, shape)
    price = _sum(tuple(line.total_price_usd for line in lines)) + racks.count * c.rack_price_usd
    assembly = price / (1 - c.assembly_share) - price
    return BuildUp(
        lines=(
            *lines,
            PartLine(name="racks", count=racks.count, power_w=np.zeros(1), price_usd=c.rack_price_usd),
            PartLine(name="assembly", count=np.ones(1), power_w=np.zeros(1), price_usd=assembly),
        ),
        trays=trays,
        host_memory_bytes=trays * c.host_memory_bytes_per_tray,
        compute_racks=racks.compute,
        switch_racks=racks.upper,
        trays_per_rack=racks.trays_each,
        tray_bound=racks.bound,
        rack_power_w=racks.power_w,
        rack_units=racks.units,
        rated_power_w=_fed(c, _sum(tuple(line.total_power_w for line in lines))),
        price_usd=price + assembly,
        weight_kg=trays * c.tray_weight_kg + racks.count * c.rack_weight_kg,
    )


def _pool_line(c: Contents) -> tuple[PartLine, ...]:
    """The modules of a memory pool, a share of them for each accelerator; memory of the hosts is a part already."""
    if not np.any(c.pool_power_w > 0) and not np.any(c.pool_price_usd > 0):
        return ()
    return (
        PartLine(
            name="memory_pool", count=c.accelerators, power_w=c.pool_power_w, price_usd=c.pool_price_usd
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Racks:
    compute: Array
    upper: Array
    trays_each: Array
    bound: str
    power_w: Array
    units: Array

    @property
    def count(self) -> Array:
        return self.compute + self.upper


def _racks(c: Contents, trays: Array, lines: tuple[PartLine, ...], shape: Shape | None) -> _Racks:
    upper_chips = _switches(shape, upper=True)
    lower_chips = _switches(shape) - upper_chips
    by_name = {line.name: line for line in lines}
    chip_w = by_name["scale_up_switches"].power_w if "scale_up_switches" in by_name else np.zeros(1)
    of_trays = _sum(tuple(line.total_power_w for line in lines if line.name not in _BETWEEN))
    tray_w = _fed(c, (of_trays + lower_chips * chip_w) / trays)
    beside = 0.0 if c.switches_on_trays else lower_chips / c.switches_per_rack_unit / trays
    tray_units = c.tray_rack_units + beside
    each, bound = trays_per_rack(c, tray_w=tray_w, tray_units=tray_units)
    if c.accelerators_per_rack is not None:
        each, bound = c.accelerators_per_rack / c.accelerators_per_tray, "network"
    upper = np.ceil(upper_chips / c.switches_per_upper_rack - 1e-9)
    compute = np.zeros(1) if c.shares_a_rack else racks_filled(trays, each)
    units = trays * tray_units + (0.0 if c.shares_a_rack else trays * tray_w / c.shelf_w_per_rack_unit)
    return _Racks(
        compute=compute, upper=upper, trays_each=each, bound=bound,
        power_w=np.minimum(each, trays) * tray_w, units=units + upper_chips / c.switches_per_rack_unit,
    )  # fmt: skip


_BETWEEN = ("scale_up_switches", "scale_up_links", "scale_up_far_links", "circuit_switches")
"""Parts that are not on a tray; what lower switches draw is spread over the trays that they stand with."""


def _switch_lines(
    c: Contents, plan: ScaleUpPlan | None, shape: Shape | None, media: tuple[Medium, Medium]
) -> tuple[PartLine, ...]:
    """Switch chips, cables and optical modules of the scale-up network."""
    if plan is None or shape is None:
        return ()
    network = network_of(
        plan,
        shape,
        switch_energy_j_per_bit=c.switch_energy_j_per_bit,
        switch_usd_per_gbit_s=c.switch_usd_per_gbit_s,
        media=media,
    )
    counted = (
        ("scale_up_switches", network.switches, network.switch_power_w, network.switch_price_usd),
        ("scale_up_links", network.near_links, network.near_power_w, network.near_price_usd),
        ("scale_up_far_links", network.far_links, network.far_power_w, network.far_price_usd),
    )
    found = [
        PartLine(name=name, count=count, power_w=power / count, price_usd=price / count)
        for name, count, power, price in counted
        if not np.all(count == 0)
    ]
    if np.any(shape.circuits.switches > 0):
        found.append(
            PartLine(
                name="circuit_switches", count=shape.circuits.switches,
                power_w=c.circuit_switch_power_w, price_usd=c.circuit_switch_price_usd,
            )
        )  # fmt: skip
    return tuple(found)


def modules_of(shape: Shape, media: tuple[Medium, Medium]) -> Array:
    """Modules of the scale-up network: two for each cable over a medium that is powered."""
    powered = tuple(
        2 * layer.links * layer.cables_per_link
        for layer in shape.layers
        if np.any(media[is_upper(layer)].energy_j_per_bit > 0)
    )
    return _sum(powered)


def _switches(shape: Shape | None, *, upper: bool = False) -> Array:
    if shape is None:
        return np.zeros(1)
    return _sum(tuple(layer.switches for layer in shape.layers if is_upper(layer) or not upper))


def _fed(c: Contents, parts_power_w: Array) -> Array:
    return rated_power_w(parts_power_w, supply_efficiency=c.supply_efficiency, fan_share=c.fan_share)


def _sum(values: tuple[Array, ...]) -> Array:
    return functools.reduce(np.add, values, np.zeros(1))
