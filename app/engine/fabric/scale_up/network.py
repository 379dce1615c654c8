"""What the network of one scale-up domain draws and costs: switch chips, copper and optics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.scale_up.shape import Layer, Shape
from app.engine.quantities import quantity
from app.engine.specs import ScaleUpPlan
from app.engine.trace import Array, plain

_PLACE = "fabric.scale_up"
_BITS = 8.0
OPTICAL = ("upper", "optical")
"""Layers whose links leave the rack: copper ends at some two metres, so that each end has an optical module."""


@quantity(unit="bit/s", source="definition")
def scale_up_link_bits_per_s(*, link_bandwidth_bytes_per_s: Array) -> Array:
    """Rate of one scale-up link, one way."""
    return _BITS * link_bandwidth_bytes_per_s


@quantity(unit="bit/s", source="definition")
def scale_up_switch_capacity_bits_per_s(
    *, switches: Array, switch_ports: Array, link_bits_per_s: Array
) -> Array:
    """Capacity of all switch chips of a domain, one way, with ports that are not in use."""
    return switches * switch_ports * link_bits_per_s


@quantity(unit="W", source="definition", at=f"{_PLACE}.switch_power_w")
def switch_power_w(*, capacity_bits_per_s: Array, energy_j_per_bit: Array) -> Array:
    """Power of the switch chips of a scale-up domain: their capacity times the energy of a bit."""
    return capacity_bits_per_s * energy_j_per_bit


@quantity(unit="W", source="definition", at=f"{_PLACE}.optics_power_w")
def optics_power_w(*, optical_links: Array, link_bits_per_s: Array, energy_j_per_bit: Array) -> Array:
    """Power of the optical modules of a scale-up domain: two ends a link; none where all of it is copper."""
    return 2 * optical_links * link_bits_per_s * energy_j_per_bit


@quantity(unit="USD", source="definition", at=f"{_PLACE}.switch_price_usd")
def switch_price_usd(*, capacity_bits_per_s: Array, usd_per_gbit_s: Array, price_level: Array) -> Array:
    """Price of the switch chips of a scale-up domain, with trays: their capacity times its price."""
    return capacity_bits_per_s / 1e9 * usd_per_gbit_s * price_level


@quantity(unit="USD", source="definition", at=f"{_PLACE}.cable_price_usd")
def cable_price_usd(
    *,
    copper_links: Array,
    optical_links: Array,
    link_bits_per_s: Array,
    copper_usd_per_gbit_s: Array,
    optics_usd_per_gbit_s: Array,
    price_level: Array,
) -> Array:
    """Price of scale-up cables and optical modules."""
    per_link = copper_links * copper_usd_per_gbit_s + 2 * optical_links * optics_usd_per_gbit_s
    return per_link * link_bits_per_s / 1e9 * price_level


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The network of one domain. All NaN where it is not stated how many ports its chips have."""

    switch_power_w: Array
    optics_power_w: Array
    switch_price_usd: Array
    cable_price_usd: Array

    @property
    def power_w(self) -> Array:
        """Power of all of it [W]."""
        return self.switch_power_w + self.optics_power_w

    @property
    def price_usd(self) -> Array:
        """Price of all of it [USD]."""
        return self.switch_price_usd + self.cable_price_usd


def network_of(plan: ScaleUpPlan, shape: Shape, assumptions: FabricAssumptions) -> Network:
    """Power and price of the switches and cables of one domain."""
    nothing = np.zeros(1)
    rate = scale_up_link_bits_per_s(link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s)
    switches = sum((layer.switches for layer in shape.layers), start=nothing)
    ports = nothing if plan.switch_ports is None else plan.switch_ports
    capacity = scale_up_switch_capacity_bits_per_s(
        switches=switches, switch_ports=ports, link_bits_per_s=rate
    )
    optical = sum((layer.links for layer in shape.layers if layer.name in OPTICAL), start=nothing)
    copper = sum((_cabled(layer) for layer in shape.layers if layer.name not in OPTICAL), start=nothing)
    return Network(
        switch_power_w=switch_power_w(
            capacity_bits_per_s=capacity, energy_j_per_bit=assumptions.scale_up_switch_energy_j_per_bit
        ),
        optics_power_w=optics_power_w(
            optical_links=optical,
            link_bits_per_s=rate,
            energy_j_per_bit=assumptions.scale_up_optics_energy_j_per_bit,
        ),
        switch_price_usd=switch_price_usd(
            capacity_bits_per_s=capacity,
            usd_per_gbit_s=assumptions.scale_up_switch_usd_per_gbit_s,
            price_level=plan.price_level,
        ),
        cable_price_usd=cable_price_usd(
            copper_links=copper,
            optical_links=optical,
            link_bits_per_s=rate,
            copper_usd_per_gbit_s=assumptions.scale_up_copper_usd_per_gbit_s,
            optics_usd_per_gbit_s=assumptions.scale_up_optics_usd_per_gbit_s,
            price_level=plan.price_level,
        ),
    )


def _cabled(layer: Layer) -> Array:
    """Links of a layer that are cables: those that are traces of a board cost nothing by themselves."""
    on_board = plain(layer.cables_per_link) == 0
    return layer.links * np.where(on_board, 0.0, 1.0)
