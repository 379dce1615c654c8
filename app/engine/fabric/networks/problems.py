"""Problems of the networks beside the compute fabric, and the smallest change that fixes it."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.figures import Fabric, PodNetwork
from app.engine.fabric.networks.sizes import network_radix
from app.engine.problems import Fix, Problem
from app.engine.specs import LeafNetwork, Pod
from app.engine.trace import first_of

GBIT_S = 1e9 / 8
TITLES = {"storage": "storage", "in_band": "in-band", "out_of_band": "out-of-band"}


def network_problems(*, pod: Pod, fabric: Fabric, assumptions: FabricAssumptions) -> list[Problem]:
    """Problems of the storage, in-band and out-of-band networks, of the first sample."""
    plans = {"storage": pod.networks.storage, "in_band": pod.networks.in_band}
    sizes = {network.name: network for network in fabric.networks}
    found = [
        problem
        for name, plan in plans.items()
        if plan and name in sizes
        for problem in (_slow_port(name, plan), _too_large(name, plan, sizes[name], assumptions))
    ]
    return [problem for problem in found if problem]


def no_network_problems(pod: Pod) -> list[Problem]:
    """Networks that are asked for where there is no compute fabric."""
    asked = [name for name in TITLES if getattr(pod.networks, name)]
    if not asked:
        return []
    named = " and ".join(TITLES[name] for name in asked)
    return [
        Problem(
            kind="warning",
            field=f"pod.networks.{asked[0]}.carried_by",
            constraint="topology",
            message=f"One SuperNode alone has no fabric, so its {named} network is not built.",
            fix=Fix(field="pod.supernodes", value=2, message="Join at least 2 SuperNodes."),
            affects=("fabric", "cost"),
        )
    ]


def _slow_port(name: str, plan: LeafNetwork) -> Problem | None:
    """A switch whose ports are slower than those of the hosts."""
    asked, port = (
        first_of(rate) / GBIT_S
        for rate in (plan.port_bandwidth_bytes_per_s, plan.switch.port_bandwidth_bytes_per_s)
    )
    if not asked > port:
        return None
    field = f"pod.networks.{name}.port_gbit_s"
    return Problem(
        kind="warning",
        field=field,
        constraint="switch_port",
        message=f"Ports of {plan.switch.name} run at {port:g} Gbit/s, so that hosts have no more of the "
        f"{asked:g} Gbit/s asked for in the {TITLES[name]} network.",
        value=asked,
        limit=port,
        missed_by=asked - port,
        unit="Gbit/s",
        fix=Fix(field=field, value=port, message=f"Ask for {port:g} Gbit/s, or take a faster switch."),
        affects=("fabric",),
    )


def _too_large(
    name: str, plan: LeafNetwork, network: PodNetwork, assumptions: FabricAssumptions
) -> Problem | None:
    """Three tiers of switches join half the square of their ports in leaves; a leaf needs ports to spare."""
    radix = first_of(network_radix(plan))
    leaves, most = first_of(network.tiers[0].switches), float(np.floor(radix**2 / 2))
    tiny = radix <= first_of(assumptions.spines_at_least)
    if not (leaves > most or tiny):
        return None
    return Problem(
        kind="infeasible",
        field=f"pod.networks.{name}.switch",
        constraint="switch_radix",
        message=f"Three tiers of {radix:.0f}-port switches cannot join {first_of(network.hosts):,.0f} hosts in the "
        f"{TITLES[name]} network.",
        value=None if tiny else leaves,
        limit=most,
        missed_by=None if tiny else leaves - most,
        unit="1",
        fix=Fix(field=f"pod.networks.{name}.switch", value="auto", message="Take a switch with more ports."),
        affects=("fabric", "cost"),
    )
