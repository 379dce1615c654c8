"""The rate that NICs of a pod's fabric run at: what the SuperNode comes with, or what the scenario states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.specs import SuperNode
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.network_parts import GBIT_S

FIELD = "pod.fabric.nic_gbit_s"
SLOT = "nic_slot_bandwidth_bytes_per_s"


def with_nic_rate(inputs: Inputs, nic_gbit_s: float | None, supernode: SuperNode) -> SuperNode:
    """The SuperNode with its compute NICs at a stated rate.

    Up to what its own NICs carry they run slower, and nothing is exchanged. Beyond that other NICs are bought
    beside the SuperNode, as far as the slots of its hosts go: one of 16 lanes for each NIC.

    Raises
    ------
    ScenarioError : more than a slot carries
    """
    if nic_gbit_s is None:
        return supernode
    own, asked = float(supernode.scale_out_nic_bandwidth_bytes_per_s[0]), nic_gbit_s * GBIT_S
    slot = inputs.assumption(f"supernode.{SLOT}", f"scenario.{SLOT}")
    most = float(np.nanmax([slot[0], own]))
    if asked > most * (1 + 1e-9):
        raise refuse(
            f"is {nic_gbit_s:,g} Gbit/s, and a NIC of {supernode.name} has at most {np.floor(most / GBIT_S):,g} Gbit/s: "
            f"that of its slot of 16 PCI Express lanes ({inputs.origins[f'supernode.{SLOT}'].source}).",
            rule="at_most",
            path=FIELD,
            value=nic_gbit_s,
            hint=f"State at most {np.floor(most / GBIT_S):,g} Gbit/s, more NICs in supernode.override.scale_out_nics, "
            f"or the slots of other hosts as assumptions: {{scenario.{SLOT}: 1.21e11}}.",
        )
    exchanged = asked > own * (1 + 1e-9)
    return replace(
        supernode,
        scale_out_nic_bandwidth_bytes_per_s=inputs.scenario(
            "supernode.scale_out_nic_bandwidth_bytes_per_s", asked, FIELD
        ),
        nic_slot_bandwidth_bytes_per_s=slot,
        nic_made_for_bytes_per_s=inputs.derived(
            "supernode.nic_made_for_bytes_per_s",
            float(np.fmax(own, asked)),
            "rate that a compute NIC is made for",
            "the faster of the SuperNode's own and what the scenario states",
        ),
        price_includes_nics=supernode.price_includes_nics and not exchanged,
    )
