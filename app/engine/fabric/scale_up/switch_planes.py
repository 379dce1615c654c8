"""Switch planes: every accelerator has links into each of several planes, of one tier of switches or of two."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.scale_up.shape import Layer, Reach, Shape, no_circuits
from app.engine.fabric.topologies.clos.packing import evenly_reached_switches
from app.engine.quantities import quantity
from app.engine.specs import ScaleUpPlan
from app.engine.trace import Array

_NVLINK = "[1] NVIDIA DGX SuperPOD reference architecture (DGX GB200), Network Fabrics (NVLink switch planes)"
_CLOS = "[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901 (fat trees)"


@quantity(unit="1", source=_NVLINK)
def plane_links_per_accelerator(*, links_per_accelerator: Array, planes: Array) -> Array:
    """Links of one accelerator into one plane; the mean where they do not divide evenly."""
    return links_per_accelerator / planes


@quantity(unit="1", source=_CLOS)
def lower_chip_accelerators(
    *, switch_ports: Array, taper: Array, plane_links_per_accelerator: Array
) -> Array:
    """Accelerators below one chip of the lower tier, as many as its ports take.

    floor(R o / (1 + o)) ports point down of R at taper o (down over up).
    """
    return np.floor(np.floor(switch_ports * taper / (1 + taper)) / plane_links_per_accelerator)


@quantity(unit="1", source=_NVLINK)
def lower_chips_per_plane(*, accelerators: Array, lower_chip_accelerators: Array) -> Array:
    """Switch chips of one plane that accelerators are wired to."""
    return np.ceil(accelerators / lower_chip_accelerators)


@quantity(unit="1", source=_CLOS)
def lower_chip_uplinks(
    *, lower_chip_accelerators: Array, plane_links_per_accelerator: Array, taper: Array
) -> Array:
    """Links up of one chip of the lower tier."""
    return np.ceil(np.round(lower_chip_accelerators * plane_links_per_accelerator / taper, 6))


@quantity(unit="1", source="definition")
def upper_links_per_plane(*, lower_chips_per_plane: Array, lower_chip_uplinks: Array) -> Array:
    """Links between the two tiers of one plane."""
    return lower_chips_per_plane * lower_chip_uplinks


@quantity(unit="1", source="definition")
def peer_links_per_plane(
    *,
    lower_chips_per_plane: Array,
    switch_ports: Array,
    lower_chip_accelerators: Array,
    plane_links_per_accelerator: Array,
) -> Array:
    """Links between the chips of one plane that are joined to each other, without a tier above them.

    c (c - 1) / 2 floor((R - d l) / (c - 1)) for c chips of R ports below which d accelerators have l links each.
    """
    others = lower_chips_per_plane - 1
    free = switch_ports - lower_chip_accelerators * plane_links_per_accelerator
    each = np.floor(free / np.maximum(others, 1.0))
    return lower_chips_per_plane * others / 2 * each


@quantity(unit="1", source="definition")
def peer_oversubscription(
    *, lower_chip_accelerators: Array, plane_links_per_accelerator: Array, switch_ports: Array
) -> Array:
    """Links of a chip to its accelerators over its links to the other chips of its plane."""
    down = lower_chip_accelerators * plane_links_per_accelerator
    return down / (switch_ports - down)


@quantity(unit="B/s", source="definition")
def peers_bisection_bandwidth_bytes_per_s(
    *, lower_links: Array, peer_links: Array, chips: Array, link_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth between two halves of a domain whose chips are joined to each other: of the links of every pair of chips
    that is parted, and at most half of those to the accelerators.

    Of c (c - 1) / 2 pairs floor(c / 2) ceil(c / 2) are parted.
    """
    parted = np.floor(chips / 2) * np.ceil(chips / 2) / np.maximum(chips * (chips - 1) / 2, 1.0)
    return np.minimum(lower_links / 2, peer_links * parted) * link_bandwidth_bytes_per_s


@quantity(unit="1", source=_CLOS)
def planes_mean_distance_links(*, accelerators: Array, lower_chip_accelerators: Array) -> Array:
    """Links between two accelerators of switch planes, averaged over all pairs.

    2 below one chip of d accelerators and 4 beyond: 4 - 2 (d - 1) / (N - 1), which is 2 in a single tier.
    """
    return 4 - 2 * (lower_chip_accelerators - 1) / (accelerators - 1)


@quantity(unit="1", source="definition")
def peers_mean_distance_links(*, accelerators: Array, lower_chip_accelerators: Array) -> Array:
    """Links between two accelerators whose chips are joined to each other, averaged over all pairs.

    2 below one chip of d accelerators and 3 beyond: 3 - (d - 1) / (N - 1).
    """
    return 3 - (lower_chip_accelerators - 1) / (accelerators - 1)


@quantity(unit="1", source="definition")
def over_all_planes(*, of_one_plane: Array, planes: Array) -> Array:
    """Switches or links over all planes."""
    return of_one_plane * planes


@quantity(unit="1", source="definition")
def domain_endpoint_links(*, accelerators: Array, links_per_accelerator: Array) -> Array:
    """Links of the accelerators of a domain to its switches."""
    return accelerators * links_per_accelerator


@quantity(unit="B/s", source="definition")
def domain_accelerator_bandwidth_bytes_per_s(
    *, links_per_accelerator: Array, link_bandwidth_bytes_per_s: Array
) -> Array:
    """Links of an accelerator times the bandwidth of one."""
    return links_per_accelerator * link_bandwidth_bytes_per_s


@quantity(unit="B/s", source=_CLOS)
def planes_bisection_bandwidth_bytes_per_s(
    *, lower_links: Array, upper_links: Array, link_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of the links that halving all planes cuts: half of the thinner tier."""
    return np.minimum(lower_links, upper_links) / 2 * link_bandwidth_bytes_per_s


@quantity(unit="1", source="definition")
def other_accelerators(*, accelerators: Array) -> Array:
    """Other accelerators."""
    return accelerators - 1


@quantity(unit="1", source="definition")
def accelerators_beyond(*, accelerators: Array, lower_chip_accelerators: Array) -> Array:
    """Accelerators that are below other chips of the lower tier."""
    return accelerators - lower_chip_accelerators


@quantity(unit="1", source="definition", percent=True)
def share_beyond(*, beyond: Array, others: Array) -> Array:
    """Share of the other accelerators beyond the same switch."""
    return beyond / np.maximum(others, 1.0)


def switch_planes_shape(plan: ScaleUpPlan, accelerators: Array) -> Shape:
    """One tier where the plan has no taper, else two; chips of one tier that each reach a part are joined to each other."""
    if plan.taper is None and plan.first_tier_accelerators is not None:
        return _peers_shape(plan, plan.first_tier_accelerators, accelerators)
    planes = _known(plan.planes)
    tier_count = np.full(1, 1.0 if plan.taper is None else 2.0)
    links = domain_endpoint_links(accelerators=accelerators, links_per_accelerator=plan.links_per_accelerator)
    bandwidth = domain_accelerator_bandwidth_bytes_per_s(
        links_per_accelerator=plan.links_per_accelerator,
        link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s,
    )
    chip = accelerators if plan.taper is None else _lower_chip(plan)
    chips = lower_chips_per_plane(accelerators=accelerators, lower_chip_accelerators=chip)
    lower = Layer(
        name="plane" if plan.taper is None else "lower",
        switches=over_all_planes(of_one_plane=chips, planes=planes),
        links=links,
        cables_per_link=plan.cables_per_link,
    )
    upper = () if plan.taper is None else (_upper(plan, chip, chips),)
    near = Reach(
        name="one_switch",
        accelerators=other_accelerators(accelerators=chip),
        bandwidth_bytes_per_s=bandwidth,
        steps=np.ones(1),
    )
    far = Reach(
        name="two_tiers",
        accelerators=accelerators_beyond(accelerators=accelerators, lower_chip_accelerators=chip),
        bandwidth_bytes_per_s=bandwidth,
        steps=2 * tier_count - 1,  # up to the top and down again
    )
    return Shape(
        layers=(lower, *upper),
        planes=planes,
        accelerator_bandwidth_bytes_per_s=bandwidth,
        bisection_bandwidth_bytes_per_s=planes_bisection_bandwidth_bytes_per_s(
            lower_links=links,
            upper_links=upper[0].links if upper else links,
            link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s,
        ),
        oversubscription=np.ones(1) if plan.taper is None else plan.taper,
        diameter_links=2 * tier_count,
        mean_distance_links=planes_mean_distance_links(
            accelerators=accelerators, lower_chip_accelerators=chip
        ),
        steps=far.steps,
        reaches=(near, far) if upper else (near,),
        circuits=no_circuits(),
    )


def _peers_shape(plan: ScaleUpPlan, chip: Array, accelerators: Array) -> Shape:
    """Planes of a chip for each group of accelerators, and links from chip to chip."""
    planes, ports, each = _known(plan.planes), _known(plan.switch_ports), _plane_links(plan)
    chips = lower_chips_per_plane(accelerators=accelerators, lower_chip_accelerators=chip)
    links = domain_endpoint_links(accelerators=accelerators, links_per_accelerator=plan.links_per_accelerator)
    bandwidth = domain_accelerator_bandwidth_bytes_per_s(
        links_per_accelerator=plan.links_per_accelerator,
        link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s,
    )
    peers = over_all_planes(
        of_one_plane=peer_links_per_plane(
            lower_chips_per_plane=chips,
            switch_ports=ports,
            lower_chip_accelerators=chip,
            plane_links_per_accelerator=each,
        ),
        planes=planes,
    )
    cables = plan.upper_cables_per_link
    return Shape(
        layers=(
            Layer(
                name="plane",
                switches=over_all_planes(of_one_plane=chips, planes=planes),
                links=links,
                cables_per_link=plan.cables_per_link,
            ),
            Layer(
                name="peers",
                switches=np.zeros(1),
                links=peers,
                cables_per_link=plan.cables_per_link if cables is None else cables,
            ),
        ),
        planes=planes,
        accelerator_bandwidth_bytes_per_s=bandwidth,
        bisection_bandwidth_bytes_per_s=peers_bisection_bandwidth_bytes_per_s(
            lower_links=links,
            peer_links=peers,
            chips=chips,
            link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s,
        ),
        oversubscription=peer_oversubscription(
            lower_chip_accelerators=chip, plane_links_per_accelerator=each, switch_ports=ports
        ),
        diameter_links=np.full(1, 3.0),
        mean_distance_links=peers_mean_distance_links(
            accelerators=accelerators, lower_chip_accelerators=chip
        ),
        steps=np.full(1, 2.0),
        reaches=(
            Reach(
                name="one_switch",
                accelerators=other_accelerators(accelerators=chip),
                bandwidth_bytes_per_s=bandwidth,
                steps=np.ones(1),
            ),
            Reach(
                name="two_switches",
                accelerators=accelerators_beyond(accelerators=accelerators, lower_chip_accelerators=chip),
                bandwidth_bytes_per_s=bandwidth,
                steps=np.full(1, 2.0),
            ),
        ),
        circuits=no_circuits(),
    )


def _known(value: Array | None) -> Array:
    """What every plan of this structure has; the resolver makes sure of it."""
    if value is None:
        raise TypeError("switch planes without a number of planes, ports or a taper")
    return value


def _plane_links(plan: ScaleUpPlan) -> Array:
    return plane_links_per_accelerator(
        links_per_accelerator=plan.links_per_accelerator, planes=_known(plan.planes)
    )


def _lower_chip(plan: ScaleUpPlan) -> Array:
    """Accelerators below one chip of the lower tier: as published, else what it can take."""
    if plan.first_tier_accelerators is not None:
        return plan.first_tier_accelerators
    return lower_chip_accelerators(
        switch_ports=_known(plan.switch_ports),
        taper=_known(plan.taper),
        plane_links_per_accelerator=_plane_links(plan),
    )


def _upper(plan: ScaleUpPlan, chip: Array, chips: Array) -> Layer:
    """The upper tier: as few chips as every lower one reaches evenly, by the rule of the scale-out fabrics."""
    planes = _known(plan.planes)
    uplinks = lower_chip_uplinks(
        lower_chip_accelerators=chip,
        plane_links_per_accelerator=_plane_links(plan),
        taper=_known(plan.taper),
    )
    links = upper_links_per_plane(lower_chips_per_plane=chips, lower_chip_uplinks=uplinks)
    switches = evenly_reached_switches(links=links, ports=_known(plan.switch_ports), uplinks=uplinks)
    cables = plan.upper_cables_per_link
    return Layer(
        name="upper",
        switches=over_all_planes(of_one_plane=switches, planes=planes),
        links=over_all_planes(of_one_plane=links, planes=planes),
        cables_per_link=plan.cables_per_link if cables is None else cables,
    )
