"""What the network of one scale-up domain draws and costs: switch chips, and links over one medium or two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.scale_up.shape import Layer, Shape
from app.engine.quantities import quantity
from app.engine.specs import Medium, ScaleUpPlan
from app.engine.trace import Array, plain

_PLACE = "fabric.scale_up"
_BITS = 8.0


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


@quantity(unit="W", source="definition")
def scale_up_ends_power_w(*, links: Array, link_bits_per_s: Array, energy_j_per_bit: Array) -> Array:
    """Power of the ends of scale-up links over one medium: two a link; none of passive copper."""
    return 2 * links * link_bits_per_s * energy_j_per_bit


@quantity(unit="W", source="definition", at=f"{_PLACE}.optics_power_w")
def optics_power_w(*, near_power_w: Array, far_power_w: Array) -> Array:
    """Power of the modules at the ends of scale-up links; none where all of it is passive copper."""
    return near_power_w + far_power_w


@quantity(unit="USD", source="definition", at=f"{_PLACE}.switch_price_usd")
def switch_price_usd(*, capacity_bits_per_s: Array, usd_per_gbit_s: Array, price_level: Array) -> Array:
    """Price of the switch chips of a scale-up domain, with trays: their capacity times its price."""
    return capacity_bits_per_s / 1e9 * usd_per_gbit_s * price_level


@quantity(unit="USD", source="definition")
def scale_up_links_price_usd(
    *, links: Array, link_bits_per_s: Array, usd_per_gbit_s: Array, price_level: Array
) -> Array:
    """Price of scale-up links over one medium, with both ends."""
    return links * link_bits_per_s / 1e9 * usd_per_gbit_s * price_level


@quantity(unit="USD", source="definition", at=f"{_PLACE}.cable_price_usd")
def cable_price_usd(*, near_price_usd: Array, far_price_usd: Array) -> Array:
    """Price of scale-up cables and the modules at their ends."""
    return near_price_usd + far_price_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """The network of one domain: links that stay with the lower switches are near, those to the upper ones far."""

    switches: Array
    near_links: Array  # that are cables, or whose number is not stated; traces of a board cost nothing apart
    far_links: Array
    switch_power_w: Array
    near_power_w: Array
    far_power_w: Array
    switch_price_usd: Array
    near_price_usd: Array
    far_price_usd: Array


def network_of(
    plan: ScaleUpPlan,
    shape: Shape,
    *,
    switch_energy_j_per_bit: Array,
    switch_usd_per_gbit_s: Array,
    media: tuple[Medium, ...],
) -> Network:
    """Switch chips and links of one domain, with what they draw and cost.

    Parameters
    ----------
    media : of near links and of far ones; NaN where none are stated
    """
    nothing = np.zeros(1)
    near, far = media or (_UNKNOWN, _UNKNOWN)
    rate = scale_up_link_bits_per_s(link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s)
    switches = sum((layer.switches for layer in shape.layers), start=nothing)
    capacity = scale_up_switch_capacity_bits_per_s(
        switches=switches,
        switch_ports=nothing if plan.switch_ports is None else plan.switch_ports,
        link_bits_per_s=rate,
    )
    near_links = sum((_cabled(layer) for layer in shape.layers if not is_upper(layer)), start=nothing)
    far_links = sum((layer.links for layer in shape.layers if is_upper(layer)), start=nothing)

    def power_w(links: Array, medium: Medium) -> Array:
        energy = medium.energy_j_per_bit
        return scale_up_ends_power_w(links=links, link_bits_per_s=rate, energy_j_per_bit=energy)

    def price_usd(links: Array, medium: Medium) -> Array:
        return scale_up_links_price_usd(
            links=links,
            link_bits_per_s=rate,
            usd_per_gbit_s=medium.usd_per_gbit_s,
            price_level=plan.price_level,
        )

    return Network(
        switches=switches,
        near_links=near_links,
        far_links=far_links,
        switch_power_w=switch_power_w(capacity_bits_per_s=capacity, energy_j_per_bit=switch_energy_j_per_bit),
        near_power_w=power_w(near_links, near),
        far_power_w=power_w(far_links, far),
        switch_price_usd=switch_price_usd(
            capacity_bits_per_s=capacity,
            usd_per_gbit_s=switch_usd_per_gbit_s,
            price_level=plan.price_level,
        ),
        near_price_usd=price_usd(near_links, near),
        far_price_usd=price_usd(far_links, far),
    )


def is_upper(layer: Layer) -> bool:
    """Whether links of a layer leave the rack of the accelerators: to an upper tier, to chips of another rack, or
    between cubes.
    """
    return layer.name in ("upper", "peers", "optical")


_NAN = np.full(1, np.nan)
_UNKNOWN = Medium(name="", reach_m=_NAN, energy_j_per_bit=_NAN, usd_per_gbit_s=_NAN, latency_s=_NAN)


def _cabled(layer: Layer) -> Array:
    """Links of a layer that are cables: those that are traces of a board cost nothing by themselves."""
    on_board = plain(layer.cables_per_link) == 0
    return layer.links * np.where(on_board, 0.0, 1.0)
