"""IT power by component: idle, mean, coincident peak and design rating, each split where something is known.

Node power is measured or rated, its split is not. What the catalog says of a part is taken at its place, and
hosts take what the node's power leaves to them; what is not published stays in "other", named as such. Every
column sums to the figure of the evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.it.load import ItLoad
from app.engine.facility.it.supplies import DIRECT_CURRENT, supply_efficiency
from app.engine.specs import Accelerator, SuperNode
from app.engine.trace import Array

STATES = ("idle", "mean", "peak", "design")
IN_SUPERNODES = ("accelerators", "processors", "memory", "nics", "fans", "supplies", "other")
BESIDE = ("switches", "optics", "network_other", "storage")
PARTS = (*IN_SUPERNODES, *BESIDE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostParts:
    """What the catalog says of the hosts of one SuperNode; unknown is NaN."""

    processors: Array
    processor_tdp_w: Array
    memory_bytes: Array
    nic_power_w: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkParts:
    """Typical powers of the scale-out network."""

    switches_w: Array
    optics_w: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What accelerators and processors of one SuperNode ask for in a state, before the node's power limits it."""

    power_w: Array  # of the SuperNode, at the inlet of its rack
    accelerators_w: Array
    processor_utilisation: Array


def it_parts(
    *,
    it: ItLoad,
    supernode: SuperNode,
    hosts: HostParts,
    network: NetworkParts,
    distribution: str,
    assumptions: FacilityAssumptions,
) -> dict[str, dict[str, Array]]:
    """Power of the pod's parts by state; an unpublished part is NaN, and its power is in "other"."""
    each = {
        state: _split(ask, it, supernode, hosts, distribution, assumptions)
        for state, ask in _asked(it, supernode, assumptions).items()
    }
    working = {"idle": 0 * it.active, "mean": it.active, "peak": it.active, "design": it.installed}
    beside = {
        "switches": network.switches_w,
        "optics": network.optics_w,
        "network_other": it.network_w - network.switches_w - network.optics_w,
        "storage": it.storage_w,
    }
    return {
        state: _of_the_pod(each[state], each["idle"], working[state], it.installed) | beside
        for state in STATES
    }


def _of_the_pod(
    at_work: dict[str, Array], idle: dict[str, Array], working: Array, installed: Array
) -> dict[str, Array]:
    """Parts of all SuperNodes, at work and idle. A part that is unknown where it counts is in the remainder."""
    parts, remainder = {}, 0 * installed
    for part in IN_SUPERNODES:
        total = working * _known(at_work[part]) + (installed - working) * _known(idle[part])
        unknown = np.isnan(np.where(working > 0, at_work[part], idle[part]))
        parts[part] = np.where(unknown, np.nan, total)
        remainder = remainder + np.where(unknown, total, 0.0)
    return parts | {"other": parts["other"] + remainder}


def _asked(it: ItLoad, supernode: SuperNode, assumptions: FacilityAssumptions) -> dict[str, Asked]:
    chip, a = supernode.accelerator, assumptions
    full_w = supernode.accelerators * allowed_w(chip)
    busy, rated = a.processor_power_utilisation, np.ones(1)
    each = it.supernode
    return {
        "idle": Asked(
            power_w=each.idle_w,
            accelerators_w=supernode.accelerators * chip.idle_w,
            processor_utilisation=a.processor_idle_utilisation,
        ),
        "mean": Asked(power_w=each.mean_w, accelerators_w=each.accelerators_w, processor_utilisation=busy),
        "peak": Asked(power_w=each.peak_w, accelerators_w=full_w, processor_utilisation=busy),
        "design": Asked(power_w=each.rating_w, accelerators_w=full_w, processor_utilisation=rated),
    }


def allowed_w(chip: Accelerator) -> Array:
    """Most that an accelerator may draw: its TDP, or the cap on it."""
    return chip.tdp_w if chip.power_cap is None else chip.tdp_w * chip.power_cap


def _split(
    ask: Asked,
    it: ItLoad,
    supernode: SuperNode,
    hosts: HostParts,
    distribution: str,
    assumptions: FacilityAssumptions,
) -> dict[str, Array]:
    """The power of one SuperNode by part: a sum, whatever is known."""
    passed_on = (
        assumptions.rack_converter_efficiency
        if distribution == DIRECT_CURRENT
        else supply_efficiency(ask.power_w, supernode.max_power_w, assumptions)
    )
    fans_w = ask.power_w * it.supernode.fan_share
    nics_w = supernode.scale_out_nics * hosts.nic_power_w
    left_w = np.maximum(ask.power_w * passed_on - fans_w - _known(nics_w), 0)
    accelerators_w = np.minimum(ask.accelerators_w, left_w)
    left_w = left_w - _known(accelerators_w)
    processors_w = hosts.processors * hosts.processor_tdp_w * ask.processor_utilisation
    memory_w = hosts.memory_bytes * assumptions.memory_power_w_per_byte
    wanted_w = _known(processors_w) + _known(memory_w)
    # hosts never take more than measured node power leaves to them
    share = np.where(wanted_w > left_w, left_w / np.where(wanted_w > 0, wanted_w, 1.0), 1.0)
    split = {
        "accelerators": accelerators_w,
        "processors": processors_w * share,
        "memory": memory_w * share,
        "nics": nics_w,
        "fans": fans_w,
        "supplies": ask.power_w * (1 - passed_on),
    }
    return split | {"other": ask.power_w - sum(_known(part) for part in split.values())}


def _known(power_w: Array) -> Array:
    """A power in a sum: what is not published adds nothing, and stays in the remainder."""
    return np.where(np.isnan(power_w), 0.0, power_w)
