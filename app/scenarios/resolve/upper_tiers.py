"""Switches, rate and modules of the tiers of a folded Clos above its leaves, where the scenario names
others."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.specs import Switch
from app.engine.trace import Array
from app.scenarios.document.scenario import FabricDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.modules import FORMS, Cage, cage_of, module_at, switch_module
from app.scenarios.resolve.network_parts import GBIT_S, switch_at
from app.scenarios.resolve.usual_parts import usual_module

SPINE, CORE, RATE = "pod.fabric.spine_switch", "pod.fabric.core_switch", "pod.fabric.uplink_gbit_s"
CO_PACKAGED = "CPO"


def upper_tiers(inputs: Inputs, document: FabricDocument, leaf: Switch, *, built: bool) -> dict[str, Any]:
    """Switches and rate by their names in the plan; nothing where all tiers are alike.

    `built` says whether the topology has such tiers, so that the parts have to fit each other.

    Raises
    ------
    ScenarioError : unknown switch, one that cannot be joined to the others, or a rate that a port does not
        carry
    """
    found: dict[str, Any] = {}
    if document.spine_switch is not None:
        found["spine_switch"] = switch_at(inputs, SPINE, document.spine_switch)
    if document.core_switch is not None:
        found["core_switch"] = switch_at(inputs, CORE, document.core_switch)
    if built:
        for path, key in ((SPINE, "spine_switch"), (CORE, "core_switch")):
            if key in found:
                _can_be_joined(inputs, path, leaf, found[key])
    if document.uplink_gbit_s is not None:
        if built:
            _is_carried(document.uplink_gbit_s, leaf, *(found.values()))
        found["uplink_bandwidth_bytes_per_s"] = inputs.scenario(
            "pod.fabric.uplink_bandwidth_bytes_per_s", document.uplink_gbit_s * GBIT_S, RATE
        )
    return found


def upper_modules(
    inputs: Inputs, ecosystem: str, leaf: Switch, upper: dict[str, Any], link_gbit_s: float, module: str
) -> dict[str, Any]:
    """Modules on links between switches by their names in the plan, one fibre for all; `module` is on links
    to nodes."""
    spine = upper.get("spine_switch", leaf)
    core = upper.get("core_switch", spine)
    cages = [cage_of(inputs.catalog.part("switches", switch.key)) for switch in (leaf, spine, core)]
    stated = upper.get("uplink_bandwidth_bytes_per_s")
    rate = (
        _first(stated) / GBIT_S
        if stated is not None
        else min(link_gbit_s, *(_port_gbit_s(cage) for cage in cages))
    )
    keys = [switch_module(cage, rate) for cage in cages]
    if any("sr4" not in key for key in keys):  # one fibre has one kind of light
        keys = [switch_module(cage, rate, single_mode=True) for cage in cages]
    keys = [usual_module(inputs, ecosystem, key) for key in keys]
    if all(key == module for key in keys) and all(cage == cages[0] for cage in cages):
        return {}
    names = ("uplink_transceiver", "spine_transceiver", "core_transceiver")
    return {
        name: module_at(inputs, f"pod.fabric.{name}", key, cage.ports, FORMS)
        for name, key, cage in zip(names, keys, cages, strict=True)
    }


def _can_be_joined(inputs: Inputs, path: str, leaf: Switch, upper: Switch) -> None:
    """Switches speak one protocol, and their optics have lanes of one rate."""
    words = [switch.protocol.split(" ")[0] for switch in (leaf, upper)]
    if words[0] != words[1]:
        raise refuse(
            f"is {upper.name}, which speaks {upper.protocol}; the leaves are {leaf.name}, which speaks {leaf.protocol}.",
            rule="protocol", path=path, value=upper.key, hint=f"Name a switch that speaks {words[0]}.",
        )  # fmt: skip
    parts = [inputs.catalog.part("switches", switch.key) for switch in (leaf, upper)]
    below, above = (cage_of(part) for part in parts)
    if below.lane_gbit_s != above.lane_gbit_s:
        raise refuse(
            f"is {upper.name}, whose modules have lanes of {above.lane_gbit_s:g} Gbit/s; those of {leaf.name} have "
            f"{below.lane_gbit_s:g}, and the catalog has no module for both.",
            rule="lanes", path=path, value=upper.key,
            hint=f"Name a switch with lanes of {below.lane_gbit_s:g} Gbit/s.",
        )  # fmt: skip
    optics = [CO_PACKAGED in f"{part.attributes.get('asic', '')} {part.name}" for part in parts]
    if optics[0] != optics[1]:
        raise refuse(
            f"is {upper.name}: of it and {leaf.name} one has its optics inside, and the other takes modules.",
            rule="optics", path=path, value=upper.key, hint="Name switches of one kind for all tiers.",
        )  # fmt: skip


def _is_carried(rate_gbit_s: float, *switches: Any) -> None:
    """No port is slower than the links between switches."""
    known = [switch for switch in switches if np.isfinite(_first(switch.port_bandwidth_bytes_per_s))]
    slowest = min(known, key=lambda switch: _first(switch.port_bandwidth_bytes_per_s), default=None)
    if slowest is None:
        return
    most = _first(slowest.port_bandwidth_bytes_per_s) / GBIT_S
    if rate_gbit_s > most * (1 + 1e-9):
        raise refuse(
            f"is {rate_gbit_s:g} Gbit/s, and a port of {slowest.name} carries {most:g}.",
            rule="at_most", path=RATE, value=rate_gbit_s, hint=f"State at most {most:g} Gbit/s.",
        )  # fmt: skip


def _port_gbit_s(cage: Cage) -> float:
    return cage.gbit_s / cage.ports


def _first(value: Array) -> float:
    return float(np.ravel(value)[0])
