"""Scale-up plans for tests; figures as in the catalog."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.scale_up.figures import ScaleUp
from app.engine.fabric.scale_up.section import evaluate_scale_up
from app.engine.specs import MeasuredPair, Medium, ScaleUpPlan
from app.engine.trace import Array
from tests.support import assumptions, build, dgx_h100, number


def plan(structure: str, **changes: Any) -> ScaleUpPlan:
    values = {
        "key": "test",
        "name": "Test",
        "structure": structure,
        "links_per_accelerator": 18,
        "link_bandwidth_bytes_per_s": 50e9,
        "cables_per_link": 4,
        "media": (medium("copper", 0.0, 0.28), medium("pluggable", 16.3e-12, 2.6)),
    }
    return build(ScaleUpPlan, **(values | changes))


def medium(name: str, energy_j_per_bit: float, usd_per_gbit_s: float) -> Medium:
    return build(
        Medium,
        name=name,
        reach_m=2.0,
        energy_j_per_bit=energy_j_per_bit,
        usd_per_gbit_s=usd_per_gbit_s,
        latency_s=0.0,
    )


def lengths(*sides: int) -> tuple[Array, ...]:
    return tuple(number(side) for side in sides)


def nvl72(**changes: Any) -> ScaleUpPlan:
    return plan("switch_planes", **({"planes": 18, "switch_ports": 72} | changes))


def nvl576() -> ScaleUpPlan:
    return nvl72(taper=1)


def dgx_h100_256() -> ScaleUpPlan:
    return plan(
        "switch_planes", link_bandwidth_bytes_per_s=25e9, cables_per_link=0, planes=4, switch_ports=64,
        taper=2, first_tier_accelerators=8,
    )  # fmt: skip


def cloudmatrix384() -> ScaleUpPlan:
    measured = [("other_die", 210e9, 0.2e-6), ("one_switch", 170e9, 0.8e-6), ("two_switches", 150e9, 2.3e-6)]
    pairs = tuple(
        build(MeasuredPair, distance=name, bandwidth_bytes_per_s=rate, latency_s=latency)
        for name, rate, latency in measured
    )
    return plan(
        "switch_planes", links_per_accelerator=14, link_bandwidth_bytes_per_s=28e9, cables_per_link=0,
        planes=7, switch_ports=48, taper=1, first_tier_accelerators=8, upper_cables_per_link=0.5,
        measured=pairs,
    )  # fmt: skip


def torus(*sides: int, **changes: Any) -> ScaleUpPlan:
    values = {"links_per_accelerator": 2 * len(sides), "cables_per_link": 1, "lengths": lengths(*sides)}
    return plan("torus", **(values | changes))


def mesh(**changes: Any) -> ScaleUpPlan:
    return plan("mesh", **({"links_per_accelerator": 7, "link_bandwidth_bytes_per_s": 64e9} | changes))


def evaluated(given: ScaleUpPlan, accelerators: int) -> ScaleUp:
    supernode = replace(
        dgx_h100(),
        accelerators=number(accelerators),
        scale_up_domain_accelerators=number(accelerators),
        scale_up=given,
    )
    found = evaluate_scale_up(supernode, assumptions("fabric", FabricAssumptions))
    assert found is not None
    return found
