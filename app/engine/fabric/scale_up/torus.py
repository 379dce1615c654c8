"""A torus: rings of accelerators along every dimension, wired for good or patched by circuit switches."""

from __future__ import annotations

import functools

import numpy as np

from app.engine.fabric.scale_up.shape import CircuitSwitches, Layer, Reach, Shape, no_circuits
from app.engine.quantities import quantity
from app.engine.specs import ScaleUpPlan
from app.engine.trace import Array

_TORUS = "[1] Dally, Towles 2004, Principles and Practices of Interconnection Networks, chapter 5"
_TPU = "[1] Jouppi et al., TPU v4, ISCA 2023, arXiv 2304.01433 (cubes of 4 x 4 x 4 and circuit switches)"


@quantity(unit="1", source=_TORUS)
def domain_ring_links(*, accelerators: Array, length: Array) -> Array:
    """Links along one dimension: one an accelerator, half of that in rings of two, none in rings of one."""
    return np.where(length > 2, accelerators, np.where(length > 1, accelerators / 2, 0.0))


@quantity(unit="1", source=_TORUS)
def domain_ring_neighbours(*, length: Array) -> Array:
    """Neighbours of an accelerator along one dimension."""
    return np.minimum(length - 1, 2.0)


@quantity(unit="B/s", source=_TORUS)
def domain_torus_accelerator_bandwidth_bytes_per_s(
    *, neighbours: tuple[Array, ...], link_bandwidths_bytes_per_s: tuple[Array, ...]
) -> Array:
    """Bandwidth of one accelerator: of its links in all dimensions."""
    parts = [
        links * bandwidth for links, bandwidth in zip(neighbours, link_bandwidths_bytes_per_s, strict=True)
    ]
    return sum(parts[1:], start=parts[0])


@quantity(unit="B/s", source=_TORUS)
def domain_cut_bandwidth_bytes_per_s(
    *, accelerators: Array, length: Array, neighbours: Array, link_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of the links that halving one dimension cuts: every ring is cut in as many places as it has
    links at an accelerator. A dimension of one is not cut.
    """
    cut = accelerators / length * neighbours * link_bandwidth_bytes_per_s
    return np.where(length > 1, cut, np.inf)


@quantity(unit="B/s", source=_TORUS)
def domain_torus_bisection_bandwidth_bytes_per_s(*, cuts_bytes_per_s: tuple[Array, ...]) -> Array:
    """Bisection bandwidth of a torus: of the thinnest cut. Sides of odd length count as if they could be halved."""
    return functools.reduce(np.minimum, cuts_bytes_per_s)


@quantity(unit="1", source=_TORUS)
def domain_torus_diameter_links(*, lengths: tuple[Array, ...]) -> Array:
    """Links between the two accelerators that are furthest apart: half of each side."""
    parts = [np.floor(length / 2) for length in lengths]
    return sum(parts[1:], start=parts[0])


@quantity(unit="1", source=_TORUS)
def domain_torus_mean_distance_links(*, accelerators: Array, lengths: tuple[Array, ...]) -> Array:
    """Links between two accelerators, averaged over all pairs.

    N / (N - 1) times the sum of k / 4 over even sides k and (k^2 - 1) / (4 k) over odd ones.
    """
    parts = [np.floor(length**2 / 4) / length for length in lengths]
    return accelerators / (accelerators - 1) * sum(parts[1:], start=parts[0])


@quantity(unit="1", source=_TPU)
def domain_cubes(*, accelerators: Array, cube_side: Array, dimensions: Array) -> Array:
    """Cubes that a torus is patched together of."""
    return accelerators / cube_side**dimensions


@quantity(unit="1", source=_TPU)
def cube_optical_ends(*, cube_side: Array, dimensions: Array) -> Array:
    """Link ends on the faces of one cube: two faces a dimension."""
    return 2 * dimensions * cube_side ** (dimensions - 1)


@quantity(unit="1", source=_TPU)
def domain_optical_ends(*, cubes: Array, cube_optical_ends: Array) -> Array:
    """Link ends on the faces of all cubes."""
    return cubes * cube_optical_ends


@quantity(unit="1", source=_TPU)
def patching_circuit_switches(*, cube_side: Array, dimensions: Array) -> Array:
    """Circuit switches: one for every pair of opposite places on the faces of a cube."""
    return dimensions * cube_side ** (dimensions - 1)


@quantity(unit="1", source=_TPU)
def circuit_ports(*, cubes: Array) -> Array:
    """Ports in use of one circuit switch: two of every cube, one a face."""
    return 2 * cubes


@quantity(unit="1", source=_TPU)
def patched_links(*, optical_ends: Array) -> Array:
    """Links between cubes: each joins two ends through a circuit switch."""
    return optical_ends / 2


@quantity(unit="1", source=_TPU)
def copper_links(*, torus_links: tuple[Array, ...], patched_links: Array) -> Array:
    """Links inside cubes."""
    return sum(torus_links[1:], start=torus_links[0]) - patched_links


def torus_shape(plan: ScaleUpPlan, accelerators: Array) -> Shape:
    """Rings along each side, in as many dimensions as the plan has sides."""
    bandwidths = side_bandwidths(plan)
    neighbours = tuple(domain_ring_neighbours(length=length) for length in plan.lengths)
    cuts = tuple(
        domain_cut_bandwidth_bytes_per_s(
            accelerators=accelerators, length=length, neighbours=links, link_bandwidth_bytes_per_s=bandwidth
        )
        for length, links, bandwidth in zip(plan.lengths, neighbours, bandwidths, strict=True)
    )
    links = tuple(domain_ring_links(accelerators=accelerators, length=length) for length in plan.lengths)
    circuits = _circuits(plan, accelerators)
    diameter = domain_torus_diameter_links(lengths=plan.lengths)
    return Shape(
        layers=_layers(plan, links, circuits),
        planes=np.ones(1),
        accelerator_bandwidth_bytes_per_s=domain_torus_accelerator_bandwidth_bytes_per_s(
            neighbours=neighbours, link_bandwidths_bytes_per_s=bandwidths
        ),
        bisection_bandwidth_bytes_per_s=domain_torus_bisection_bandwidth_bytes_per_s(cuts_bytes_per_s=cuts),
        oversubscription=np.ones(1),
        diameter_links=diameter,
        mean_distance_links=domain_torus_mean_distance_links(accelerators=accelerators, lengths=plan.lengths),
        steps=diameter,
        reaches=tuple(
            Reach(
                name=f"dimension_{place}",
                accelerators=count,
                bandwidth_bytes_per_s=bandwidth,
                steps=np.ones(1),
            )
            for place, (count, bandwidth) in enumerate(zip(neighbours, bandwidths, strict=True), start=1)
        ),
        circuits=circuits,
    )


def side_bandwidths(plan: ScaleUpPlan) -> tuple[Array, ...]:
    """Bandwidth of one link along each side."""
    third = plan.third_link_bandwidth_bytes_per_s
    usual = [plan.link_bandwidth_bytes_per_s] * len(plan.lengths)
    return tuple(usual if third is None else [*usual[:2], third])


def _circuits(plan: ScaleUpPlan, accelerators: Array) -> CircuitSwitches:
    if plan.cube_side is None:
        return no_circuits()
    dimensions = np.full(1, float(len(plan.lengths)))
    count = domain_cubes(accelerators=accelerators, cube_side=plan.cube_side, dimensions=dimensions)
    return CircuitSwitches(
        switches=patching_circuit_switches(cube_side=plan.cube_side, dimensions=dimensions),
        ports=circuit_ports(cubes=count),
        ends=domain_optical_ends(
            cubes=count,
            cube_optical_ends=cube_optical_ends(cube_side=plan.cube_side, dimensions=dimensions),
        ),
    )


def _layers(plan: ScaleUpPlan, links: tuple[Array, ...], circuits: CircuitSwitches) -> tuple[Layer, ...]:
    """A layer a dimension; copper and optics where cubes are patched together."""
    if plan.cube_side is None:
        return tuple(
            Layer(
                name=f"dimension_{place}",
                switches=np.zeros(1),
                links=count,
                cables_per_link=plan.cables_per_link,
            )
            for place, count in enumerate(links, start=1)
        )
    patched = patched_links(optical_ends=circuits.ends)
    optical = plan.upper_cables_per_link
    copper = Layer(
        name="copper",
        switches=np.zeros(1),
        links=copper_links(torus_links=links, patched_links=patched),
        cables_per_link=plan.cables_per_link,
    )
    between = Layer(
        name="optical",
        switches=np.zeros(1),
        links=patched,
        cables_per_link=plan.cables_per_link if optical is None else optical,
    )
    return copper, between
