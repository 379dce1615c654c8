"""The pod of a scenario: how many SuperNodes, and the scale-out fabric that joins them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from app.catalog.lookup import Part
from app.engine.fabric.kinds import AUTO, kind_of
from app.engine.fabric.tier_parts import CLOS
from app.engine.specs import FabricPlan, Kind, Pod, SuperNode, Switch, Transceiver
from app.engine.trace import Array, Origin
from app.scenarios.document.scenario import FabricDocument, PodDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.floor import floor_rules
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.modules import (
    FORMS,
    NIC_CAGE,
    Cage,
    cage_of,
    module_at,
    node_module,
    switch_module,
)
from app.scenarios.resolve.network_parts import GBIT_S, switch_at, transceiver_at
from app.scenarios.resolve.networks import networks_of
from app.scenarios.resolve.upper_tiers import upper_modules, upper_tiers
from app.scenarios.resolve.usual_parts import ecosystem_of, usual_module, usual_nic, usual_switch

TRUNK = "mpo_trunk"
GROUP = {"group_routers": "routers", "router_endpoints": "endpoints", "router_global_links": "global_links"}


def pod(inputs: Inputs, document: PodDocument, supernode: SuperNode, kinds: tuple[Kind, ...] = ()) -> Pod:
    """Size and fabric of the pod, all kinds of SuperNode counted; the slowest NIC sets the links.

    Raises
    ------
    ScenarioError : unknown switch, or more accelerators used than there are
    """
    count = document.supernodes + sum(further.supernodes for further in document.also)
    if document.also:
        parts = [document.supernodes, *(further.supernodes for further in document.also)]
        source = f"{' + '.join(f'{part:,}' for part in parts)}, pod.supernodes and pod.also"
        supernodes = inputs.derived("pod.supernodes", count, "SuperNodes of all kinds", source)
    else:
        supernodes = inputs.scenario("pod.supernodes", count)
    installed = count * float(supernode.accelerators[0])
    part = domain_part(inputs, document, supernode)
    if part is not None:
        each = float(supernode.accelerators[0]) / float(supernode.scale_up_domain_accelerators[0])
        used = inputs.derived(
            "pod.accelerators_used", count * each * float(part[0]), "accelerators used",
            "SuperNodes x scale-up domains of each x pod.accelerators_per_domain_used",
        )  # fmt: skip
    elif document.accelerators_used == "all":
        used = inputs.derived(
            "pod.accelerators_used", installed, "accelerators used", "all: SuperNodes x accelerators of each"
        )
    else:
        used = inputs.scenario("pod.accelerators_used", document.accelerators_used)
    plan = _plan(inputs, document.fabric, count, [supernode, *(kind.supernode for kind in kinds)])
    return Pod(
        supernodes=supernodes,
        accelerators_used=used,
        domain_accelerators_used=part,
        fabric=plan,
        networks=networks_of(
            inputs, document.networks, plan, ecosystem_of(inputs, supernode.accelerator.key)
        ),
        floor=floor_rules(inputs, document.floor),
    )


def domain_part(inputs: Inputs, document: PodDocument, supernode: SuperNode) -> Array | None:
    """Accelerators of each scale-up domain that work; None where all do, or a search is to say.

    Raises
    ------
    ScenarioError : more than a domain has, or beside a number of accelerators used
    """
    stated, path = document.accelerators_per_domain_used, "pod.accelerators_per_domain_used"
    if stated == "all":
        return None
    domain = float(supernode.scale_up_domain_accelerators[0])
    if document.accelerators_used != "all":
        raise refuse(
            "is stated beside pod.accelerators_used, which says how many work.",
            rule="one_of", path=path, value=stated, hint="Set one to all.",
        )  # fmt: skip
    if float(supernode.accelerators[0]) % domain:
        raise refuse(
            f"needs SuperNodes of whole scale-up domains; this one has {supernode.accelerators[0]:,.0f} accelerators "
            f"and domains of {domain:,.0f}.",
            rule="whole_domains", path=path, value=stated, hint="State pod.accelerators_used.",
        )  # fmt: skip
    if stated == "auto":
        return None
    if stated > domain:
        raise refuse(
            f"is {stated:,} and a scale-up domain has {domain:,.0f} accelerators.",
            rule="at_most", path=path, value=stated, hint=f"Nearest choice: {domain:,.0f}.",
        )  # fmt: skip
    return inputs.scenario("pod.domain_accelerators_used", stated, path)


def _plan(
    inputs: Inputs, document: FabricDocument, supernodes: int, kinds: Sequence[SuperNode]
) -> FabricPlan:
    supernode = kinds[0]  # all have as many accelerators and domains
    nic_bytes_per_s = float(np.min([kind.scale_out_nic_bandwidth_bytes_per_s[0] for kind in kinds]))
    domain = float(supernode.scale_up_domain_accelerators[0])
    joined = supernodes > 1 or float(supernode.accelerators[0]) > domain
    topology = document.topology
    if topology == "auto":
        topology = "rail_fat_tree" if joined else "none"
    nic_gbit_s = nic_bytes_per_s / GBIT_S
    ecosystem = ecosystem_of(inputs, supernode.accelerator.key)
    circuits = document.optical_circuit_switches and topology.startswith("torus")
    switch_key: str | None = document.switch
    if document.switch == "auto":
        asked = ("circuits", AUTO) if circuits else ("compute", document.kind)
        switch_key = usual_switch(inputs, ecosystem, asked[0], nic_gbit_s, asked[1])
    switch = (
        None
        if topology == "none" or switch_key is None
        else switch_at(inputs, "pod.fabric.switch", switch_key)
    )
    switch = _split_as_stated(inputs, document, switch)
    built = topology in CLOS
    upper = upper_tiers(inputs, document, switch, built=built) if switch is not None else {}
    numbers: dict[str, Any] = {
        name: inputs.assumption(
            f"pod.fabric.{name}",
            f"scenario.{name}",
            given=getattr(document, name),
            scenario_field=f"pod.fabric.{name}",
        )
        for name in ("oversubscription", "management_ports", "planes")
    }
    structure: dict[str, Any] = {
        name: inputs.scenario(f"pod.fabric.{name}", value, f"pod.fabric.{path}")
        for name, path, value in (
            ("tiers_asked", "tiers", document.tiers),
            ("spine_oversubscription", "spine_oversubscription", document.spine_oversubscription),
            *(
                (name, f"group.{path}", getattr(document.group, path))
                for name, path in GROUP.items()
                if document.group
            ),
        )
        if value is not None
    }
    made_for = [float(made[0]) for kind in kinds if (made := kind.nic_made_for_bytes_per_s) is not None]
    card_gbit_s = min(made_for) / GBIT_S if made_for else nic_gbit_s
    spoken = kind_of(document.kind, switch.protocol) if switch else document.kind
    usual = usual_nic(inputs, ecosystem, "compute", card_gbit_s, spoken, exact=True)
    nic_part = inputs.catalog.part("nics", usual.key) if usual else None
    switch_end, node_end = _modules(inputs, switch_key, document, nic_gbit_s, supernode, topology)
    if upper and built and switch is not None:
        cage = cage_of(inputs.catalog.part("switches", switch.key))
        link_gbit_s = _link_gbit_s(cage, document, nic_gbit_s, topology)
        upper |= upper_modules(inputs, ecosystem, switch, upper, link_gbit_s, switch_end.key)
    return FabricPlan(
        topology=topology,
        switch=switch,
        switch_transceiver=switch_end,
        node_transceiver=node_end,
        scalable_unit_supernodes=_unit(inputs, document.scalable_unit_supernodes),
        trunk_price_usd=inputs.price("pod.fabric.trunk_price_usd", inputs.catalog.part("optics", TRUNK)),
        nic_price_usd=inputs.price(
            "pod.fabric.nic_price_usd", nic_part, name=f"NIC of {card_gbit_s:g} Gbit/s"
        ),
        nic_power_w=_nic_power(inputs, nic_part),
        shape=tuple(
            inputs.scenario(f"pod.fabric.shape[{axis}]", length)
            for axis, length in enumerate(document.shape or ())
        ),
        kind_asked=document.kind,
        circuit_switches=circuits,
        spine_spread=document.spine_spread,
        **numbers,
        **structure,
        **upper,
    )


def _split_as_stated(inputs: Inputs, document: FabricDocument, switch: Switch | None) -> Switch | None:
    """The switch with as many split ports as the scenario says.

    Raises
    ------
    ScenarioError : fewer than it has unsplit
    """
    stated, path = document.switch_logical_ports, "pod.fabric.switch_logical_ports"
    if switch is None or stated is None:
        return switch
    ports = float(switch.ports[0])
    if stated < ports:
        raise refuse(
            f"is {stated:,} and {switch.name} has {ports:,.0f} ports before any is split.",
            rule="at_least", path=path, value=stated, hint=f"Nearest choice: {ports:,.0f}.",
        )  # fmt: skip
    return replace(
        switch, max_logical_ports=inputs.scenario("pod.fabric.switch.max_logical_ports", stated, path)
    )


def _modules(
    inputs: Inputs,
    switch_key: str | None,
    document: FabricDocument,
    nic_gbit_s: float,
    supernode: SuperNode,
    topology: str,
) -> tuple[Transceiver, Transceiver]:
    """What sits in the cages of switches and of NICs; without a switch, what joins NICs to each other."""
    if switch_key is not None and document.optical_circuit_switches and topology.startswith("torus"):
        cage = NIC_CAGE  # circuits end in bare fibres: the cages are those of NICs
    elif switch_key is None:
        cage = NIC_CAGE
    else:
        cage = cage_of(part_or_error(inputs.catalog, "switches", switch_key, "pod.fabric.switch"))
    path = "pod.fabric.node_transceiver.ports"
    if cage.lane_gbit_s < 100:  # twin cages came with lanes of 100 Gbit/s
        nics = inputs.derived(path, 1, "NICs of a cage", FORMS)
    else:
        nics = inputs.assumption(path, "scenario.nics_per_cage", also={"system": supernode.key})
    fitting = cage.nic_gbit_s / nic_gbit_s
    if fitting < float(nics[0]):  # a NIC faster than a cage takes several
        nics = inputs.derived(path, fitting if fitting < 1 else np.floor(fitting), "NICs of a cage", FORMS)
    link_gbit_s = _link_gbit_s(cage, document, nic_gbit_s, topology)
    in_switch = switch_module(
        cage, link_gbit_s, single_mode=document.optical_circuit_switches and topology.startswith("torus")
    )
    in_node = node_module(cage, nic_gbit_s, link_gbit_s, float(nics[0]), in_switch)
    ecosystem = ecosystem_of(inputs, supernode.accelerator.key)
    in_switch, in_node = (usual_module(inputs, ecosystem, key) for key in (in_switch, in_node))
    return (
        module_at(inputs, "pod.fabric.switch_transceiver", in_switch, cage.ports, FORMS),
        transceiver_at(inputs, "pod.fabric.node_transceiver", in_node, nics),
    )


def _link_gbit_s(cage: Cage, document: FabricDocument, nic_gbit_s: float, topology: str) -> float:
    """Rate of a link of a NIC."""
    sides = 2 if topology == "dual_tor" else 1
    each = nic_gbit_s / (document.planes or 1) / sides
    return each if np.isnan(each) else each / float(np.ceil(np.round(each / (cage.gbit_s / cage.ports), 6)))


def _unit(inputs: Inputs, given: int | None) -> Array:
    path = "pod.fabric.scalable_unit_supernodes"
    if given is not None:
        return inputs.scenario(path, given)
    # Not a number means "as many as fill a leaf" to the fabric room.
    return inputs.taken(path, np.nan, Origin(kind="scenario", label="size of the scalable unit: automatic"))


def _nic_power(inputs: Inputs, part: Part | None) -> Any:
    path = "pod.fabric.nic_power_w"
    if part is not None and "typical_power_w" in part.facts:
        return inputs.fact(path, part, "typical_power_w")
    return inputs.assumption(path, "scenario.nic_power_w")
