"""The networks of a pod beside its compute fabric: what the scenario leaves open is a catalog assumption."""

from __future__ import annotations

from app.catalog.lookup import Part
from app.engine.fabric.kinds import AUTO
from app.engine.specs import FabricPlan, LeafNetwork, ManagementNetwork, Networks
from app.engine.trace import Array, Origin
from app.scenarios.document.networks import (
    InBandNetworkDocument,
    NetworksDocument,
    OutOfBandNetworkDocument,
    StorageNetworkDocument,
)
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.modules import FORMS, cage_of, module_at, node_module, switch_module
from app.scenarios.resolve.network_parts import GBIT_S, switch_at
from app.scenarios.resolve.usual_parts import usual_module, usual_nic, usual_switch

UPLINK_MODULE = "sr4_100g_qsfp28"
TRUNK = "mpo_trunk"


def networks_of(inputs: Inputs, document: NetworksDocument, fabric: FabricPlan, ecosystem: str) -> Networks:
    """The networks that are built, of the switches and NICs of an ecosystem.

    Raises
    ------
    ScenarioError : unknown switch, or storage on an in-band network that is not built
    """
    storage, in_band = document.built("storage"), document.built("in_band")
    if storage == "in_band" and in_band == "none":
        raise refuse(
            "is in_band, and no in-band network is built.",
            rule="no_in_band_network",
            path="pod.networks.storage.carried_by",
            value="in_band",
            hint="Set pod.networks.in_band.carried_by to own, or this to own or none.",
        )
    ethernet = fabric.switch is not None and fabric.switch.protocol.startswith("Ethernet")
    return Networks(
        storage=_storage(inputs, document.storage, ecosystem, ethernet=ethernet)
        if storage == "own"
        else None,
        in_band=_in_band(
            inputs, document.in_band, ecosystem, document.storage if storage == "in_band" else None
        )
        if in_band == "own"
        else None,
        out_of_band=_out_of_band(inputs, document, ecosystem)
        if document.built("out_of_band") == "own"
        else None,
    )


def _storage(
    inputs: Inputs, document: StorageNetworkDocument, ecosystem: str, *, ethernet: bool
) -> LeafNetwork:
    rate = _gbit_s(inputs, "storage", document.port_gbit_s)
    return _leaf_network(
        inputs,
        "storage",
        document,
        switch=_switch(inputs, document, ecosystem, "storage", rate, "roce" if ethernet else AUTO),
        nic=usual_nic(inputs, ecosystem, "storage", rate),
        ecosystem=ecosystem,
        storage=document,
        services={"service_servers": 0, "service_server_ports": 1, "border_links": 0},
    )


def _in_band(
    inputs: Inputs, document: InBandNetworkDocument, ecosystem: str, storage: StorageNetworkDocument | None
) -> LeafNetwork:
    rate = _gbit_s(inputs, "in_band", document.port_gbit_s)
    return _leaf_network(
        inputs,
        "in_band",
        document,
        switch=_switch(inputs, document, ecosystem, "in_band", rate, "roce"),
        nic=usual_nic(inputs, ecosystem, "in_band", rate),
        ecosystem=ecosystem,
        storage=storage,
        services={
            "service_servers": document.servers,
            "service_server_ports": document.server_ports,
            "border_links": document.border_links,
        },
    )


def _leaf_network(
    inputs: Inputs,
    name: str,
    document: StorageNetworkDocument | InBandNetworkDocument,
    *,
    switch: str,
    nic: Part | None,
    ecosystem: str,
    storage: StorageNetworkDocument | None,
    services: dict[str, int | None],
) -> LeafNetwork:
    path = f"pod.networks.{name}"
    rate = _gbit_s(inputs, name, document.port_gbit_s)
    given = {"host_ports": document.host_ports, "oversubscription": document.oversubscription}
    stated = {
        field: inputs.assumption(
            f"{path}.{field}", f"scenario.{name}_{field}", given=value, scenario_field=f"{path}.{field}"
        )
        for field, value in given.items()
    }
    card = document.nic
    nic_part = inputs.catalog.part("nics", nic.key) if nic else None
    if card is not None:
        nic_part = part_or_error(inputs.catalog, "nics", card, f"{path}.nic")
    cage = cage_of(part_or_error(inputs.catalog, "switches", switch, f"{path}.switch"))
    link = min(rate, cage.gbit_s / cage.ports)
    in_switch = switch_module(cage, link)
    return LeafNetwork(
        switch=switch_at(inputs, f"{path}.switch", switch, or_max_power=True),
        switch_transceiver=module_at(
            inputs,
            f"{path}.switch_transceiver",
            usual_module(inputs, ecosystem, in_switch),
            cage.ports,
            FORMS,
        ),
        host_transceiver=module_at(
            inputs,
            f"{path}.host_transceiver",
            usual_module(inputs, ecosystem, node_module(cage, rate, link, 1, in_switch)),
            1,
            FORMS,
        ),
        trunk_price_usd=inputs.price(f"{path}.trunk_price_usd", inputs.catalog.part("optics", TRUNK)),
        nic_price_usd=inputs.price(f"{path}.nic_price_usd", nic_part, name=f"NIC of {rate:g} Gbit/s"),
        nic_ports=inputs.fact(f"{path}.nic_ports", nic_part, "ports")
        if nic_part
        else inputs.unknown(f"{path}.nic_ports", f"ports of a NIC of {rate:g} Gbit/s"),
        port_bandwidth_bytes_per_s=inputs.assumption(
            f"{path}.port_bandwidth_bytes_per_s",
            f"scenario.{name}_port_bandwidth_bytes_per_s",
            given=None if document.port_gbit_s is None else document.port_gbit_s * GBIT_S,
            scenario_field=f"{path}.port_gbit_s",
        ),
        **({} if card is None or nic_part is None else _chosen_card(inputs, path, nic_part)),
        **stated,
        **_storage_servers(inputs, path, storage),
        **_services(inputs, path, services),
    )


def _chosen_card(inputs: Inputs, path: str, part: Part) -> dict[str, Array]:
    """What a card that the scenario names draws, frees of host cores and encrypts."""
    power = "typical_power_w" if "typical_power_w" in part.facts else "max_power_w"
    return {
        "chosen_nic_power_w": inputs.fact(f"{path}.chosen_nic_power_w", part, power),
        "host_cores_freed": inputs.fact(f"{path}.host_cores_freed", part),
        "encryption_bandwidth_bytes_per_s": inputs.fact(f"{path}.encryption_bandwidth_bytes_per_s", part),
    }


def _storage_servers(inputs: Inputs, path: str, document: StorageNetworkDocument | None) -> dict[str, Array]:
    """Storage servers of a network; of one that carries no storage none."""
    servers, ports = f"{path}.storage_servers", f"{path}.storage_server_ports"
    if document is None:
        label = "storage servers: another network carries storage"
        return {
            "storage_servers": inputs.derived(servers, 0, label, "pod.networks.storage.carried_by"),
            "storage_server_ports": inputs.derived(ports, 1, label, "pod.networks.storage.carried_by"),
        }
    field = "pod.networks.storage"
    asked = (
        inputs.scenario(servers, document.servers, f"{field}.servers")
        if document.servers is not None
        # Not a number means "as many as the hosts' ports ask for" to the fabric room.
        else inputs.taken(servers, float("nan"), Origin(kind="scenario", label="storage servers: automatic"))
    )
    return {
        "storage_servers": asked,
        "storage_server_ports": inputs.assumption(
            ports,
            "scenario.storage_server_ports",
            given=document.server_ports,
            scenario_field=f"{field}.server_ports",
        ),
    }


def _services(inputs: Inputs, path: str, given: dict[str, int | None]) -> dict[str, Array]:
    """What beside hosts and storage is on a network."""
    if path.endswith(".storage"):
        label = "of the in-band network alone"
        return {
            name: inputs.derived(f"{path}.{name}", value or 0, name.replace("_", " "), label)
            for name, value in given.items()
        }
    words = {
        "service_servers": "servers",
        "service_server_ports": "server_ports",
        "border_links": "border_links",
    }
    return {
        name: inputs.assumption(
            f"{path}.{name}",
            f"scenario.in_band_{words[name]}",
            given=value,
            scenario_field=f"{path}.{words[name]}",
        )
        for name, value in given.items()
    }


def _out_of_band(inputs: Inputs, networks: NetworksDocument, ecosystem: str) -> ManagementNetwork:
    path, document = "pod.networks.out_of_band", networks.out_of_band
    key = _switch(inputs, document, ecosystem, "out_of_band", 0)
    given = {
        "host_ports": document.host_ports,
        "uplinks": document.uplinks,
        "switches_per_rack": document.switches_per_rack,
    }
    numbers = {
        name: inputs.assumption(
            f"{path}.{name}", f"scenario.out_of_band_{name}", given=value, scenario_field=f"{path}.{name}"
        )
        for name, value in given.items()
    }
    return ManagementNetwork(
        switch=switch_at(inputs, f"{path}.switch", key, or_max_power=True),
        uplink_transceiver=module_at(
            inputs, f"{path}.uplink_transceiver", usual_module(inputs, ecosystem, UPLINK_MODULE), 1, FORMS
        ),
        uplink_bandwidth_bytes_per_s=inputs.assumption(
            f"{path}.uplink_bandwidth_bytes_per_s", "scenario.out_of_band_uplink_bandwidth_bytes_per_s"
        ),
        cable_price_usd=inputs.assumption(f"{path}.cable_price_usd", "scenario.copper_cable_price_usd"),
        trunk_price_usd=inputs.price(f"{path}.trunk_price_usd", inputs.catalog.part("optics", TRUNK)),
        **numbers,
    )


def _switch(
    inputs: Inputs,
    document: StorageNetworkDocument | InBandNetworkDocument | OutOfBandNetworkDocument,
    ecosystem: str,
    network: str,
    gbit_s: float,
    kind: str = AUTO,
) -> str:
    """The switch that the scenario names, else the usual one; a network beside the compute fabric always has one."""
    if document.switch != "auto":
        return document.switch
    found = usual_switch(inputs, ecosystem, network, gbit_s, kind)
    assert found is not None, f"the catalog has an open switch of the {network} network"
    return found


def _gbit_s(inputs: Inputs, network: str, given: float | None) -> float:
    """Rate of a port in Gbit/s, for choosing parts."""
    name = f"{network}_port_bandwidth_bytes_per_s"
    if given is not None:
        return given
    own = inputs.overrides.get(f"scenario.{name}")
    return (own or inputs.catalog.assumption("scenario", name, inputs.context).value) / GBIT_S
