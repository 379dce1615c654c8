"""The scale-up fabric of a SuperNode, counted and measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.scale_up import totals
from app.engine.fabric.scale_up.figures import Distance, ScaleUp, ScaleUpTier
from app.engine.fabric.scale_up.mesh import mesh_shape
from app.engine.fabric.scale_up.network import cable_price_usd, network_of, optics_power_w
from app.engine.fabric.scale_up.shape import Layer, Shape
from app.engine.fabric.scale_up.switch_planes import other_accelerators, share_beyond, switch_planes_shape
from app.engine.fabric.scale_up.torus import torus_shape
from app.engine.specs import MeasuredPair, ScaleUpPlan, SuperNode
from app.engine.trace import Array

STRUCTURES: dict[str, Callable[[ScaleUpPlan, Array], Shape]] = {
    "switch_planes": switch_planes_shape,
    "torus": torus_shape,
    "mesh": mesh_shape,
}
"""What joins the accelerators of a domain -> its shape."""


def evaluate_scale_up(supernode: SuperNode, assumptions: FabricAssumptions) -> ScaleUp | None:
    """One scale-up domain of a SuperNode; None where it is not stated how it is joined."""
    plan = supernode.scale_up
    if plan is None:
        return None
    accelerators = supernode.scale_up_domain_accelerators
    return _figures(plan, STRUCTURES[plan.structure](plan, accelerators), supernode, assumptions)


def _figures(
    plan: ScaleUpPlan, shape: Shape, supernode: SuperNode, assumptions: FabricAssumptions
) -> ScaleUp:
    network = network_of(
        plan,
        shape,
        switch_energy_j_per_bit=assumptions.scale_up_switch_energy_j_per_bit,
        switch_usd_per_gbit_s=assumptions.scale_up_switch_usd_per_gbit_s,
        media=plan.media,
    )
    others = other_accelerators(accelerators=supernode.scale_up_domain_accelerators)
    tiers = tuple(_tier(layer) for layer in shape.layers)
    accelerators = totals.domain_accelerators(accelerators=supernode.scale_up_domain_accelerators)
    bandwidth = totals.accelerator_bandwidth_bytes_per_s(of_its_links=shape.accelerator_bandwidth_bytes_per_s)
    bisection = totals.bisection_bandwidth_bytes_per_s(
        of_the_thinnest_cut=shape.bisection_bandwidth_bytes_per_s
    )
    distances = _distances(plan, shape, accelerators, supernode.scale_up_latency_s)
    return ScaleUp(
        structure=plan.structure,
        name=plan.name,
        accelerators=accelerators,
        tiers=tiers,
        switches_total=totals.switches_total(by_tier=tuple(tier.switches for tier in tiers)),
        links_total=totals.links_total(by_tier=tuple(tier.links for tier in tiers)),
        cables_total=totals.cables_total(by_tier=tuple(tier.cables for tier in tiers)),
        planes=totals.domain_planes(planes=shape.planes, accelerators=accelerators),
        links_per_accelerator=totals.domain_links_per_accelerator(
            links_per_accelerator=plan.links_per_accelerator
        ),
        circuit_switches=totals.circuit_switches(switches=shape.circuits.switches, accelerators=accelerators),
        circuit_switch_ports=totals.circuit_switch_ports(
            ports=shape.circuits.ports, accelerators=accelerators
        ),
        optical_ends=totals.optical_ends(ends=shape.circuits.ends, accelerators=accelerators),
        accelerator_bandwidth_bytes_per_s=bandwidth,
        all_to_all_bandwidth_bytes_per_s=totals.all_to_all_bandwidth_bytes_per_s(
            accelerator_bandwidth_bytes_per_s=bandwidth,
            bisection_bandwidth_bytes_per_s=bisection,
            accelerators=accelerators,
            oversubscription=shape.oversubscription,
            share_beyond=share_beyond(
                beyond=shape.reaches[-1].accelerators if len(shape.reaches) > 1 else others, others=others
            ),
        ),
        bisection_bandwidth_bytes_per_s=bisection,
        oversubscription=totals.oversubscription(taper=shape.oversubscription, accelerators=accelerators),
        diameter_links=totals.diameter_links(longest_path=shape.diameter_links, accelerators=accelerators),
        mean_distance_links=totals.mean_distance_links(
            mean_path=shape.mean_distance_links, accelerators=accelerators
        ),
        latency_s=_longest_latency_s(plan, shape, supernode.scale_up_latency_s),
        switch_power_w=network.switch_power_w,
        optics_power_w=optics_power_w(near_power_w=network.near_power_w, far_power_w=network.far_power_w),
        switch_price_usd=network.switch_price_usd,
        cable_price_usd=cable_price_usd(
            near_price_usd=network.near_price_usd, far_price_usd=network.far_price_usd
        ),
        distances=distances,
    )


def _tier(layer: Layer) -> ScaleUpTier:
    links = totals.tier_links(links=layer.links)
    return ScaleUpTier(
        name=layer.name,
        switches=totals.tier_switches(switches=layer.switches, links=links),
        links=links,
        cables=totals.tier_cables(links=links, cables_per_link=layer.cables_per_link),
    )


def _distances(
    plan: ScaleUpPlan, shape: Shape, accelerators: Array, step_latency_s: Array
) -> tuple[Distance, ...]:
    """As measured, nearest first, where someone did; else by the links and switches between."""
    reaches = {reach.name: reach for reach in shape.reaches}
    counts = {
        "other_die": np.zeros(1),  # the same accelerator
        "one_switch": reaches["one_switch"].accelerators if "one_switch" in reaches else np.zeros(1),
        "two_switches": shape.reaches[-1].accelerators,
    }
    if plan.measured:
        return tuple(_measured(pair, counts[pair.distance], accelerators) for pair in plan.measured)
    return tuple(
        Distance(
            name=reach.name,
            accelerators=totals.distance_accelerators(
                at_the_distance=reach.accelerators, accelerators=accelerators
            ),
            bandwidth_bytes_per_s=totals.distance_bandwidth_bytes_per_s(
                of_one_pair=reach.bandwidth_bytes_per_s
            ),
            latency_s=totals.distance_latency_s(steps=reach.steps, step_latency_s=step_latency_s),
        )
        for reach in shape.reaches
    )


def _measured(pair: MeasuredPair, count: Array, accelerators: Array) -> Distance:
    return Distance(
        name=pair.distance,
        accelerators=totals.distance_accelerators(at_the_distance=count, accelerators=accelerators),
        bandwidth_bytes_per_s=totals.distance_bandwidth_bytes_per_s(of_one_pair=pair.bandwidth_bytes_per_s),
        latency_s=totals.distance_latency_s(steps=np.ones(1), step_latency_s=pair.latency_s),
    )


def _longest_latency_s(plan: ScaleUpPlan, shape: Shape, step_latency_s: Array) -> Array:
    if plan.measured:
        return totals.latency_s(steps=np.ones(1), step_latency_s=plan.measured[-1].latency_s)
    return totals.latency_s(steps=shape.steps, step_latency_s=step_latency_s)
