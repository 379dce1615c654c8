"""A direct mesh: links between every two accelerators, and no switch."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.scale_up.shape import Layer, Reach, Shape, no_circuits
from app.engine.fabric.scale_up.switch_planes import (
    domain_accelerator_bandwidth_bytes_per_s,
    other_accelerators,
)
from app.engine.quantities import quantity
from app.engine.specs import ScaleUpPlan
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def domain_mesh_links(*, accelerators: Array, links_per_accelerator: Array) -> Array:
    """Links of a mesh; each joins two accelerators."""
    return accelerators * links_per_accelerator / 2


@quantity(unit="B/s", source="definition")
def domain_mesh_pair_bandwidth_bytes_per_s(
    *, accelerator_bandwidth_bytes_per_s: Array, accelerators: Array
) -> Array:
    """Bandwidth between two accelerators of a mesh: an even share of what each has."""
    return accelerator_bandwidth_bytes_per_s / (accelerators - 1)


@quantity(unit="B/s", source="definition")
def domain_mesh_bisection_bandwidth_bytes_per_s(
    *, accelerators: Array, pair_bandwidth_bytes_per_s: Array
) -> Array:
    """Bandwidth of the links between two halves of a mesh: those of every pair that is parted."""
    return np.floor(accelerators / 2) * np.ceil(accelerators / 2) * pair_bandwidth_bytes_per_s


def mesh_shape(plan: ScaleUpPlan, accelerators: Array) -> Shape:
    """Everyone is one link from everyone."""
    bandwidth = domain_accelerator_bandwidth_bytes_per_s(
        links_per_accelerator=plan.links_per_accelerator,
        link_bandwidth_bytes_per_s=plan.link_bandwidth_bytes_per_s,
    )
    pair = domain_mesh_pair_bandwidth_bytes_per_s(
        accelerator_bandwidth_bytes_per_s=bandwidth, accelerators=accelerators
    )
    links = domain_mesh_links(accelerators=accelerators, links_per_accelerator=plan.links_per_accelerator)
    one = np.ones(1)
    return Shape(
        layers=(Layer(name="mesh", switches=np.zeros(1), links=links, cables_per_link=plan.cables_per_link),),
        planes=one,
        accelerator_bandwidth_bytes_per_s=bandwidth,
        bisection_bandwidth_bytes_per_s=domain_mesh_bisection_bandwidth_bytes_per_s(
            accelerators=accelerators, pair_bandwidth_bytes_per_s=pair
        ),
        oversubscription=one,
        diameter_links=one,
        mean_distance_links=one,
        steps=one,
        reaches=(
            Reach(
                name="direct",
                accelerators=other_accelerators(accelerators=accelerators),
                bandwidth_bytes_per_s=pair,
                steps=one,
            ),
        ),
        circuits=no_circuits(),
    )
