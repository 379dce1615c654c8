"""SuperNodes, fabric and layout of the pod."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from app.engine.fabric.media.medium import Family
from app.engine.performance.schedules import FORMER_KEYS
from app.scenarios.document.networks import NetworksDocument
from app.scenarios.document.supernode import SuperNodeDocument
from app.scenarios.fields import (
    PERCENT,
    Count,
    CountOrZero,
    DesignId,
    Display,
    Either,
    Key,
    LinkGbitPerSecond,
    NotNegative,
    Part,
    Positive,
    Share,
    Value,
    Whole,
    Word,
    fault,
)

Degree = Annotated[Whole, Field(ge=1, le=65_536)]


Length = Annotated[Whole, Field(ge=1, le=65_536)]


def _lengths(value: Any) -> Any:
    """Lengths written as people write them, "8 x 16 x 16"; auto leaves them open."""
    if not isinstance(value, str):
        return value
    words = value.strip().lower()
    if words in ("", "auto"):
        return None
    parts = [part.strip() for part in re.split("[x×,]", words)]
    if all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        return [int(part) for part in parts]
    raise fault("lattice_shape", "must be lengths such as 8 x 16 x 16, or auto")


class GroupDocument(Part):
    """A group of a dragonfly: its routers, and what each joins."""

    routers: Length = Field(
        title="Routers per group",
        description="Routers of a group; leaves and as many spines in a dragonfly+.",
    )
    endpoints: Length = Field(title="Endpoint links per router", description="Links of a router to nodes.")
    global_links: Length = Field(
        title="Global links per router", description="Links of a router to other groups."
    )


class FabricDocument(Part):
    """The scale-out fabric. `auto` follows from the SuperNode; what is left out is a catalog assumption."""

    topology: Literal[
        "auto", "rail_fat_tree", "fat_tree", "rail_only", "dual_tor", "dragonfly", "dragonfly_plus",
        "torus_2d", "torus_3d", "full_mesh", "nd_full_mesh", "hyperx", "hammingmesh", "none",
    ] = Field(title="Topology",
        default="auto",
        description="Topology of the fabric between SuperNodes; auto is rail_fat_tree, or none for a pod of one SuperNode.",
    )  # fmt: skip
    switch: Key = Field(title="Switch", default="auto", description="Catalog key of the switch, or auto.")
    switch_logical_ports: Annotated[Whole, Field(ge=1, le=65_536)] | None = Field(
        title="Ports of a switch, split",
        default=None,
        description="Most ports that a switch is split into, in place of the catalog's: 512 of a switch of 64 ports whose "
        "eight lanes are used one by one.",
    )
    spine_switch: Key | None = Field(
        title="Spine switch",
        default=None,
        description="Catalog key of the switch of the spines of a folded Clos; that of the leaves (switch) when left out.",
    )
    core_switch: Key | None = Field(
        title="Core switch",
        default=None,
        description="Catalog key of the switch of the cores of three tiers; that of the spines when left out.",
    )
    uplink_gbit_s: Annotated[LinkGbitPerSecond | None, Display(unit="Gbit/s")] = Field(
        title="Uplink rate",
        default=None,
        description="Speed of one link between switches of a folded Clos, one way, in Gbit/s; that of a link to a node, or "
        "what both its ports carry, when left out.",
    )
    kind: Literal["auto", "infiniband", "roce", "scheduled_ethernet", "ultra_ethernet"] = Field(
        title="Fabric type",
        default="auto",
        description="Kind of fabric: InfiniBand, RoCE, scheduled Ethernet or Ultra Ethernet (UEC); auto follows the "
        "protocol of the switch.",
    )
    nic_gbit_s: Annotated[LinkGbitPerSecond | None, Display(unit="Gbit/s")] = Field(
        title="NIC rate",
        default=None,
        description="Speed of one NIC, one way, in Gbit/s; the SuperNode's own when left out.",
    )
    oversubscription: Annotated[Annotated[float, Field(ge=1, le=64)] | None, Display(unit="to 1")] = Field(
        title="Oversubscription",
        default=None,
        description="Bandwidth down over bandwidth up at the leaves, from 1.",
    )
    scalable_unit_supernodes: Annotated[Count | None, Display(unit="nodes")] = Field(
        title="Scalable unit", default=None, description="SuperNodes of one scalable unit."
    )
    management_ports: CountOrZero | None = Field(
        title="Management ports", default=None, description="Fabric ports given to management."
    )
    planes: Annotated[Whole, Field(ge=1, le=16)] | None = Field(
        title="Planes", default=None, description="Planes that a NIC is split over."
    )
    tiers: Annotated[Whole, Field(ge=1, le=3)] | None = Field(
        title="Switch tiers",
        default=None,
        description="Tiers of switches of a folded Clos; as few as do when left out.",
    )
    spine_oversubscription: Annotated[Annotated[float, Field(ge=1, le=64)] | None, Display(unit="to 1")] = (
        Field(
            title="Spine oversubscription",
            default=None,
            description="Bandwidth down over bandwidth up at the spines of three tiers, from 1.",
        )
    )
    spine_spread: Literal["even", "within_one"] = Field(
        title="Spread over spines",
        default="even",
        description="How a leaf of two tiers spreads its uplinks: even (equally many to each spine, as published "
        "SuperPODs do) or within_one (numbers differ by at most one, over as few spines as carry them).",
    )
    shape: Annotated[
        Annotated[tuple[Length, ...], Field(strict=False, min_length=1, max_length=6)] | None,
        BeforeValidator(_lengths),
    ] = Field(
        title="Lattice dimensions",
        default=None,
        description="Lengths of the dimensions of a torus, mesh, HyperX or HammingMesh, as a list or as 8 x 16 x 16; "
        "near-equal when left out.",
    )
    group: GroupDocument | None = Field(
        default=None, description="Routers of a dragonfly; balanced and as small as does when left out."
    )
    optical_circuit_switches: bool = Field(
        title="Optical circuit switches",
        default=False,
        description="Whether the rings of a torus close through optical circuit switches.",
    )
    media: Annotated[
        Annotated[Literal["auto", "least_power", Family], Word]
        | Annotated[Annotated[dict[Key, Family], Field(max_length=8)], Value],
        Either,
    ] = Field(
        title="Cables and modules",
        default="auto",
        description="What links are made of: auto (of what reaches and fits the cheapest), least_power, one of "
        "copper, active_copper, aoc, multimode, single_mode, lpo and cpo, or one of these by tier.",
    )

    @model_serializer(mode="wrap")
    def _without_what_few_topologies_have(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values: dict[str, Any] = handler(self)
        for name in (
            "tiers", "spine_oversubscription", "shape", "group", "spine_switch", "core_switch", "uplink_gbit_s",
        ):  # fmt: skip
            if values.get(name) is None:
                values.pop(name, None)
        if not self.optical_circuit_switches:
            values.pop("optical_circuit_switches", None)
        if self.kind == "auto":
            values.pop("kind", None)
        if values.get("media") == "auto":
            values.pop("media")
        return values


class AlsoDocument(Part):
    """A further kind of SuperNode in the same pod and job."""

    supernode: SuperNodeDocument = Field(description="Of a catalog system, or custom.")
    supernodes: Count = Field(description="SuperNodes of this kind.")

    @model_validator(mode="after")
    def _is_described(self) -> Self:
        if self.supernode.design is not None:
            raise fault(
                "saved_design",
                "names a saved design, and a further kind is described where it stands",
                hint="state its system, or describe it under custom",
                field="supernode.design",
            )
        return self


Metres = Annotated[float, Field(gt=0, le=100)]


class FloorDocument(Part):
    """Inputs left out follow from the SuperNode, or are catalog assumptions."""

    switch_position: Literal["auto", "in_rack", "end_of_row", "middle_of_row", "network_rows"] = Field(
        title="Switch placement",
        default="auto",
        description="Where the switches of a scalable unit stand: in_rack with its servers, end_of_row or "
        "middle_of_row beside its racks, or network_rows of their own; auto is middle_of_row.",
    )
    nodes_per_rack: Annotated[Whole, Field(ge=1, le=100)] | None = Field(
        title="Servers per rack",
        default=None,
        description="Servers of one rack; as many as its limits allow when left out.",
    )
    rack_power_w: Positive | None = Field(
        title="Rack power",
        default=None,
        description="Rated power that one rack may draw; what a SuperNode's own racks draw when left out.",
    )
    rack_air_heat_w: NotNegative | None = Field(
        title="Rack heat to air", default=None, description="Heat that air can take from one rack."
    )
    rack_liquid_heat_w: NotNegative | None = Field(
        title="Rack heat to liquid", default=None, description="Heat that liquid can take from one rack."
    )
    rack_weight_kg: Positive | None = Field(
        title="Rack weight", default=None, description="Weight of a full rack, at most."
    )
    rack_own_weight_kg: NotNegative | None = Field(
        title="Empty rack weight", default=None, description="Weight of an empty rack."
    )
    rack_units: Annotated[Annotated[Whole, Field(ge=1, le=100)] | None, Display(unit="U")] = Field(
        title="Rack height", default=None, description="Height of a rack in rack units."
    )
    service_units: Annotated[Annotated[Whole, Field(ge=0, le=50)] | None, Display(unit="U")] = Field(
        title="Service units",
        default=None,
        description="Rack units of each rack that power strips, patch panels and its manager take.",
    )
    rack_width_m: Metres | None = Field(title="Rack width", default=None, description="Width of a rack.")
    rack_depth_m: Metres | None = Field(title="Rack depth", default=None, description="Depth of a rack.")
    row_racks: Annotated[Whole, Field(ge=1, le=1_000)] | None = Field(
        title="Racks per row", default=None, description="Racks of one row, at most."
    )
    cold_aisle_m: Metres | None = Field(
        title="Cold aisle",
        default=None,
        description="Width of the aisle that racks face; of cross aisles too.",
    )
    hot_aisle_m: Metres | None = Field(
        title="Hot aisle", default=None, description="Width of the aisle behind racks."
    )
    tray_height_m: Metres | None = Field(
        title="Tray height", default=None, description="Height of the cable trays above floor."
    )
    slack_share: Annotated[Share | None, PERCENT] = Field(
        title="Cable slack",
        default=None,
        description="Cable beyond the length of its route, as a share of it.",
    )
    end_slack_m: Annotated[float, Field(ge=0, le=20)] | None = Field(
        title="Slack at each end",
        default=None,
        description="Cable at each end, from the port to the side of the rack, with its loop.",
    )


class PodDocument(Part):
    """The pod as it is bought, and how much of it the job uses.

    Fields stated next to a saved design override it.
    """

    design: DesignId | None = Field(
        title="Saved pod", default=None, description="Id of a saved SuperPOD design."
    )
    supernodes: Count = Field(
        title="SuperNodes",
        default=1,
        description="SuperNodes in the pod; of the first kind in a mixed pod.",
    )
    also: Annotated[tuple[AlsoDocument, ...], Field(strict=False, max_length=3)] = Field(
        default=(),
        description="Further kinds of SuperNode in the same training job, of which the slowest sets the step, or for the "
        "prefill or decode instances of a served model; at most three.",
    )
    accelerators_used: Annotated[
        Annotated[Literal["all"], Word] | Annotated[Whole, Field(ge=1, le=10**12), Value], Either
    ] = Field(
        title="Accelerators used",
        default="all",
        description="Accelerators the job runs on: all, or a number.",
    )
    accelerators_per_domain_used: Annotated[
        Annotated[Literal["all", "auto"], Word] | Annotated[Degree, Value], Either
    ] = Field(
        title="Accelerators used per domain",
        default="all",
        description="Accelerators of each scale-up domain that a training job runs on: all, a number such as 64 of "
        "72, or auto, the fastest of all and the largest powers of two and three times a power of two. The others "
        "are idle.",
    )
    fabric: FabricDocument = Field(default=FabricDocument(), description="The scale-out fabric.")
    networks: NetworksDocument = Field(
        default=NetworksDocument(), description="The networks beside the scale-out fabric."
    )
    floor: FloorDocument = Field(default=FloorDocument(), description="Its racks and how they stand.")

    @model_serializer(mode="wrap")
    def _without_defaults_of_the_design(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # Beside a design a default that is written out would override it.
        values: dict[str, Any] = handler(self)
        if not self.also:
            values.pop("also", None)  # most pods have one kind, and say nothing of others
        if self.accelerators_per_domain_used == "all" and self.design is None:
            values.pop("accelerators_per_domain_used", None)  # most jobs leave none out
        if not values.get("networks"):
            values.pop("networks", None)
        if self.floor == FloorDocument():
            values.pop("floor", None)
        if self.design is None:
            return values
        stated = {name: value for name, value in values.items() if name in self.model_fields_set}
        for name, part in (("fabric", self.fabric), ("floor", self.floor)):
            if name in stated:
                stated[name] = {
                    inside: value for inside, value in stated[name].items() if inside in part.model_fields_set
                }
        return stated


def _schedule_key(value: object) -> object:
    return FORMER_KEYS.get(value, value) if isinstance(value, str) else value


class ParallelismDocument(Part):
    """A layout of the job. Layers need not divide by pp: stages may be uneven."""

    tp: Degree = Field(title="Tensor parallelism", default=1, description="Tensor parallel degree.")
    pp: Degree = Field(title="Pipeline stages", default=1, description="Pipeline stages.")
    cp: Degree = Field(title="Context parallelism", default=1, description="Context parallel degree.")
    ep: Degree = Field(title="Expert parallelism", default=1, description="Expert parallel degree.")
    etp: Annotated[Annotated[Literal["auto"], Word] | Annotated[Degree, Value], Either] = Field(
        title="Expert tensor parallelism",
        default="auto",
        description="Expert tensor parallel degree: ranks that share one expert. auto is 1 where ep is above 1, else tp.",
    )
    vpp: Annotated[Whole, Field(ge=1, le=1_024)] = Field(
        title="Virtual stages", default=1, description="Virtual stages of one stage."
    )
    micro_batch: Annotated[Whole, Field(ge=1, le=1_000_000)] = Field(
        title="Micro-batch size", default=1, description="Sequences of one micro-batch."
    )
    zero_stage: Annotated[Whole, Field(ge=0, le=3)] = Field(
        title="ZeRO stage", default=1, description="ZeRO stage, 0 to 3."
    )
    reshard: Annotated[Literal["auto", "yes", "no"], Word] = Field(
        title="Reshard after forward",
        default="auto",
        description="Whether ZeRO 3 gives weights back after the forward pass and gathers them again for the backward "
        "pass; auto is yes without a pipeline, and no in one.",
    )
    shard_group: Annotated[Annotated[Literal["all"], Word] | Annotated[Degree, Value], Either] = Field(
        title="Shard group",
        default="all",
        description="Replicas that share what ZeRO shards: all, or a number that divides them (hybrid "
        "sharding: every group has a copy).",
    )
    sequence_parallel: bool = Field(
        title="Sequence parallelism", default=True, description="Shard what tensor parallelism leaves whole."
    )
    recompute: Annotated[
        Annotated[Literal["none", "selective", "full"], Word] | Annotated[Share, Value], Either
    ] = Field(
        title="Recomputation",
        default="none",
        description="none, selective, full, or the share of the forward pass done again.",
    )
    offload: Annotated[Literal["none", "optimizer", "activations", "both"], Word] = Field(
        title="Offload",
        default="none",
        description="What lies in another tier of memory: optimiser states, which are updated there, activations "
        "until their backward pass, both or none.",
    )
    offload_to: Annotated[Literal["auto", "host", "peer", "nvme", "pool"], Word] = Field(
        title="Offload tier",
        default="auto",
        description="Tier of memory that takes it: the host, peer (what other accelerators of the domain spare, "
        "as the assumption on memory of peers says), or the NVMe drives of the node; auto is the host.",
    )
    tensor_overlap: bool = Field(
        title="TP overlap",
        default=True,
        description="Run tensor-parallel exchange beside matmuls, as far as the framework can.",
    )
    data_overlap: bool = Field(
        title="DP overlap", default=True, description="Run data-parallel exchange beside the backward pass."
    )
    inside: Annotated[Literal["data", "pipeline"], Word] = Field(
        title="Domain placement",
        default="data",
        description="What shares the scale-up domain once tensor, context and expert parallelism have their "
        "place: data replicas, or pipeline stages.",
    )
    context: Annotated[Literal["auto", "ring", "all_gather", "ulysses", "hybrid"], Word] = Field(
        title="Context-parallel exchange",
        default="auto",
        description="How ranks that share a sequence come by the keys and values of the others: a ring beside attention, "
        "an all-gather first, ulysses (heads change places with tokens), or a hybrid of ulysses and ring; auto is what the framework does first.",
    )
    schedule: Annotated[
        Literal["1f1b", "zb_h1", "zb_v", "dualpipe", "moe_overlap"], BeforeValidator(_schedule_key), Word
    ] = Field(
        title="Pipeline schedule",
        default="1f1b",
        description="Pipeline schedule: 1f1b (interleaved with vpp above 1), zb_h1 and zb_v (zero bubble), dualpipe, or "
        "moe_overlap (1F1B with dispatch and combine behind another micro-batch). interleaved and zero_bubble are "
        "read as 1f1b and zb_h1.",
    )


Parallelism = Annotated[
    Annotated[Literal["auto"], Word] | Annotated[ParallelismDocument, Value],
    Either,
]
