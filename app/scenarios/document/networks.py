"""The networks of a pod beside its compute fabric: storage, in-band and out-of-band.

Each is built only where a scenario says something of it: what a stored scenario means does not change.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from app.scenarios.fields import PREFIX, CountOrZero, Display, Key, LinkGbitPerSecond, Part, Whole

Ports = Annotated[Whole, Field(ge=1, le=16)]
Oversubscription = Annotated[float, Field(ge=1, le=64)]


class StorageNetworkDocument(Part):
    """Storage network between hosts and storage servers."""

    carried_by: Literal["auto", "none", "own", "in_band"] = Field(
        title="Network",
        default="auto",
        description="What carries the traffic of storage: own switches, the in-band network, or none; auto is own "
        "where anything else of this network is stated, else none.",
    )
    switch: Key = Field(
        title="Switch", default="auto", description="Catalog key of the switches of its own, or auto."
    )
    nic: Key | None = Field(
        title="NIC or DPU",
        default=None,
        description="Catalog key of the card in each host, a DPU such as bf3_b3220 or a NIC; bought apart and drawing "
        "beside the rating of the node. The usual card, as delivered, when left out.",
    )
    host_ports: Ports | None = Field(default=None, description="Ports of a host, each to another leaf.")
    port_gbit_s: Annotated[LinkGbitPerSecond | None, Display(unit="Gbit/s")] = Field(
        title="Port rate", default=None, description="Rate of one port, one way, in Gbit/s."
    )
    oversubscription: Annotated[Oversubscription | None, Display(unit="to 1")] = Field(
        title="Oversubscription",
        default=None,
        description="Bandwidth down over bandwidth up at the leaves of hosts, from 1.",
    )
    servers: CountOrZero | None = Field(
        title="Servers",
        default=None,
        description="Storage servers; a usual number of links for each host when left out.",
    )
    server_ports: Ports | None = Field(default=None, description="Links of one storage server.")


class InBandNetworkDocument(Part):
    """In-band network between operating systems of hosts, management servers and the site."""

    carried_by: Literal["auto", "none", "own"] = Field(
        title="Network",
        default="auto",
        description="Whether it is built: own switches, or none; auto is own where anything else of it is stated or "
        "storage is carried by it, else none.",
    )
    switch: Key = Field(title="Switch", default="auto", description="Catalog key of its switches, or auto.")
    nic: Key | None = Field(
        title="NIC or DPU",
        default=None,
        description="Catalog key of the card in each host, a DPU such as bf3_b3220 or a NIC; bought apart and drawing "
        "beside the rating of the node. The usual card, as delivered, when left out.",
    )
    host_ports: Ports | None = Field(default=None, description="Ports of a host, each to another leaf.")
    port_gbit_s: Annotated[LinkGbitPerSecond | None, Display(unit="Gbit/s")] = Field(
        title="Port rate", default=None, description="Rate of one port, one way, in Gbit/s."
    )
    oversubscription: Annotated[Oversubscription | None, Display(unit="to 1")] = Field(
        title="Oversubscription",
        default=None,
        description="Bandwidth down over bandwidth up at its leaves, from 1.",
    )
    servers: CountOrZero | None = Field(default=None, description="Servers that manage the pod.")
    server_ports: Ports | None = Field(default=None, description="Links of one of these servers.")
    border_links: CountOrZero | None = Field(default=None, description="Links to the rest of the site.")


class OutOfBandNetworkDocument(Part):
    """Out-of-band network of the management ports of hosts, servers, switches and power strips."""

    carried_by: Literal["auto", "none", "own"] = Field(
        title="Network",
        default="auto",
        description="Whether it is built: own switches, or none; auto is own where anything else of it is stated, "
        "else none.",
    )
    switch: Key = Field(
        title="Switch", default="auto", description="Catalog key of its access switches, or auto."
    )
    host_ports: Ports | None = Field(default=None, description="Management ports of a host.")
    uplinks: Ports | None = Field(default=None, description="Uplinks of one access switch.")
    switches_per_rack: Annotated[Whole, Field(ge=0, le=8)] | None = Field(
        default=None, description="Access switches in every rack at least; 0 for as few as do."
    )


class NetworksDocument(Part):
    """The networks beside the compute fabric. What is left out of one that is built is a catalog assumption."""

    storage: Annotated[StorageNetworkDocument, PREFIX] = Field(
        title="Storage", default=StorageNetworkDocument(), description="Hosts to storage servers."
    )
    in_band: Annotated[InBandNetworkDocument, PREFIX] = Field(
        title="In-band",
        default=InBandNetworkDocument(),
        description="Hosts to the servers that manage them, and to the site.",
    )
    out_of_band: Annotated[OutOfBandNetworkDocument, PREFIX] = Field(
        title="Out-of-band", default=OutOfBandNetworkDocument(), description="Management ports of everything."
    )

    @model_serializer(mode="wrap")
    def _only_what_is_stated(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, dict[str, Any]] = handler(self)
        stated = {}
        for name, network in values.items():
            default = type(getattr(self, name)).model_fields
            kept = {field: value for field, value in network.items() if value != default[field].default}
            if kept:
                stated[name] = kept
        return stated

    def built(self, name: str) -> str:
        """Carrier of a network once auto is decided: none, own or in_band."""
        network = getattr(self, name)
        if network.carried_by != "auto":
            return str(network.carried_by)
        wanted = network != type(network)() or (name == "in_band" and self.storage.carried_by == "in_band")
        return "own" if wanted else "none"
