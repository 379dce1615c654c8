"""The SuperNode of a scenario: a catalog system, with facts overridden, or a custom one."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.fields import (
    Count,
    CountOrZero,
    DesignId,
    Key,
    Line,
    LinkGbitPerSecond,
    NodeCooling,
    NotNegative,
    Part,
    Positive,
    ScaleUpMedium,
    ScaleUpTopology,
    Share,
    Word,
    fault,
)


class AcceleratorOverride(Part):
    """Facts of the accelerator that the scenario states in place of the catalog."""

    peak_flop_per_s: Positive | None = Field(
        title="Peak rate at this precision",
        default=None,
        description="Dense peak at the precision of the workload.",
    )
    peak_16_bit_flop_per_s: Positive | None = Field(
        title="Peak rate at 16 bit", default=None, description="Dense peak at 16 bit."
    )
    achievable_16_bit_flop_per_s: Positive | None = Field(
        title="Sustained GEMM rate", default=None, description="Best dense matmul at 16 bit."
    )
    memory_bytes: Positive | None = Field(
        title="Accelerator memory", default=None, description="Memory of one accelerator."
    )
    memory_bandwidth_bytes_per_s: Positive | None = Field(
        title="Memory bandwidth", default=None, description="Bandwidth of that memory."
    )
    scale_up_bandwidth_bytes_per_s: Positive | None = Field(
        title="Scale-up bandwidth", default=None, description="One way, whole scale-up fabric."
    )
    scale_up_pair_bandwidth_bytes_per_s: Positive | None = Field(
        title="Scale-up bandwidth to one peer", default=None, description="One way, to one peer."
    )
    tdp_w: Positive | None = Field(title="Accelerator TDP", default=None, description="Thermal design power.")
    idle_w: NotNegative | None = Field(
        title="Accelerator idle power", default=None, description="Power when nothing runs."
    )
    price_usd: NotNegative | None = Field(
        title="Accelerator price", default=None, description="Price of one accelerator."
    )


class SuperNodeOverride(Part):
    """Facts of the SuperNode that the scenario states in place of the catalog."""

    accelerator: AcceleratorOverride | None = Field(default=None, description="Facts of its accelerators.")
    accelerators: Count | None = Field(
        title="Accelerators per SuperNode",
        default=None,
        description="Accelerators bought together. Another number than the system is sold with sizes it: trays, NICs, "
        "power and price go with the accelerators, and its scale-up network is counted again.",
    )
    scale_up_domain_accelerators: Count | None = Field(
        title="Scale-up domain",
        default=None,
        description="Accelerators that one collective reaches without the scale-out fabric; of a catalog system at most "
        "as many as its links can join.",
    )
    scale_up_topology: ScaleUpTopology | None = Field(
        title="Scale-up topology", default=None, description="Shape of the scale-up fabric."
    )
    scale_up_latency_s: Positive | None = Field(
        title="Scale-up latency", default=None, description="Latency of one scale-up hop."
    )
    nodes: Count | None = Field(
        title="Nodes", default=None, description="Hosts or trays: 1 for a DGX, 18 for an NVL72."
    )
    host_memory_bytes: Positive | None = Field(
        title="Host memory", default=None, description="Memory of all its hosts."
    )
    scale_out_nics: CountOrZero | None = Field(
        title="Compute NICs", default=None, description="Compute NICs."
    )
    scale_out_nic_bandwidth_bytes_per_s: Positive | None = Field(
        title="NIC bandwidth", default=None, description="One way, of one NIC."
    )
    max_power_w: Positive | None = Field(title="Rated power", default=None, description="Rated power.")
    typical_power_w: Positive | None = Field(
        title="Typical power", default=None, description="Power in a typical training job."
    )
    liquid_share: Share | None = Field(
        title="Liquid-cooled share",
        default=None,
        description="Share of the heat that liquid takes away, 0 to 1.",
    )
    cooling: NodeCooling | None = Field(title="Cooling", default=None, description="Cooling.")
    racks: Positive | None = Field(
        title="Racks",
        default=None,
        description="Racks it comes in; below 1, the part of a rack for each of the servers that share one.",
    )
    rack_units: Positive | None = Field(title="Rack units", default=None, description="Height in rack units.")
    weight_kg: Positive | None = Field(title="Weight", default=None, description="Weight of one SuperNode.")
    price_usd: NotNegative | None = Field(
        title="SuperNode price", default=None, description="Price of one SuperNode."
    )


class CustomScaleUp(Part):
    """The scale-up fabric of a custom SuperNode; bandwidths are the accelerator's own when left out."""

    topology: ScaleUpTopology = Field(default="switched", description="Shape of the scale-up fabric.")
    domain_accelerators: Count | None = Field(
        default=None,
        description="Accelerators that one collective reaches; all of the SuperNode when left out.",
    )
    bandwidth_bytes_per_s: Positive | None = Field(
        default=None, description="One way, per accelerator, whole fabric."
    )
    pair_bandwidth_bytes_per_s: Positive | None = Field(default=None, description="One way, to one peer.")
    latency_s: Positive | None = Field(default=None, description="Latency of one hop.")
    fabric: Key | None = Field(
        default=None,
        description="Catalog key of the scale-up fabric whose links and switches join the domain; the domain's size, "
        "tiers, switches and cables follow. Bandwidth and topology are those of its links where they are left out.",
    )
    oversubscription: Annotated[float, Field(ge=1, le=8)] | None = Field(
        default=None,
        description="Links down over links up of the lower of two tiers of switches; when left out as in the published "
        "fabric of these links that joins so many, else 1.",
    )
    medium: ScaleUpMedium = Field(
        default="auto",
        description="What links that leave their rack run over; auto takes copper with linear amplifiers, then with retimers, "
        "as far as they reach, else pluggable optics.",
    )


class SuperNodeParts(Part):
    """Parts of a custom SuperNode; its price, power, weight, racks and hosts follow from it."""

    accelerators_per_tray: Count = Field(default=8, description="Accelerators of one tray or server.")
    processors_per_tray: CountOrZero = Field(default=2, description="Processors of one tray or server.")
    processor: Key | None = Field(default=None, description="Catalog key of its processors.")
    host_memory_bytes_per_tray: NotNegative | None = Field(
        default=None, description="Memory of the processors of one tray."
    )
    nics_per_tray: CountOrZero | None = Field(
        default=None, description="Compute NICs of one tray; one for each accelerator where it is left out."
    )
    nic: Key | None = Field(default=None, description="Catalog key of its compute NICs.")
    rack_power_w: Positive | None = Field(default=None, description="Power that one rack may draw.")
    tray_rack_units: Positive | None = Field(default=None, description="Height of one tray in rack units.")


class CustomSuperNode(Part):
    """A SuperNode that no catalog holds. What is left out follows from `parts`; without them it is unknown."""

    name: Line = Field(description="Name.")
    accelerator: Key = Field(description="Catalog key of its accelerator.")
    accelerators: Count = Field(description="Accelerators bought together.")
    parts: SuperNodeParts | None = Field(
        default=None, description="Parts, from which price, power, weight and racks follow."
    )
    nodes: Count = Field(default=1, description="Hosts or trays; as many trays as `parts` come to.")
    host_memory_bytes: Positive | None = Field(default=None, description="Memory of all its hosts.")
    scale_up: CustomScaleUp = Field(default=CustomScaleUp(), description="Its scale-up fabric.")
    scale_out_nics: CountOrZero | None = Field(default=None, description="Compute NICs.")
    nic_gbit_s: LinkGbitPerSecond | None = Field(
        default=None, description="Speed of one NIC, one way, in Gbit/s."
    )
    max_power_w: Positive | None = Field(default=None, description="Rated power.")
    typical_power_w: Positive | None = Field(default=None, description="Power in a typical training job.")
    liquid_share: Share | None = Field(
        default=None, description="Share of the heat that liquid takes away, 0 to 1."
    )
    cooling: NodeCooling | None = Field(default=None, description="Cooling.")
    racks: Positive | None = Field(
        default=None,
        description="Racks it comes in; below 1, the part of a rack for each of the servers that share one.",
    )
    rack_units: Positive | None = Field(default=None, description="Height in rack units.")
    weight_kg: Positive | None = Field(default=None, description="Weight of one SuperNode.")
    price_usd: NotNegative | None = Field(default=None, description="Price of one SuperNode.")
    price_includes_nics: bool = Field(
        default=True, description="Whether that price includes the compute NICs."
    )

    @model_validator(mode="after")
    def _domain_fits(self) -> Self:
        domain = self.scale_up.domain_accelerators
        if domain is not None and domain > self.accelerators:
            raise fault(
                "at_most",
                f"{domain} is more than accelerators ({self.accelerators})",
                field="scale_up.domain_accelerators",
            )
        return self

    @model_validator(mode="after")
    def _hosts_once(self) -> Self:
        if self.parts is not None and self.nodes not in (1, self._trays()):
            raise fault(
                "conflict",
                f"{self.nodes} is not the {self._trays()} trays that {self.accelerators} accelerators fill",
                hint="leave it out, or change parts.accelerators_per_tray",
                field="nodes",
            )
        return self

    def _trays(self) -> int:
        assert self.parts is not None
        return -(-self.accelerators // self.parts.accelerators_per_tray)


class MemoryPoolDocument(Part):
    """Memory that all accelerators of the SuperNode reach. Its price and watts by the byte are assumptions of `supernode`."""

    technology: Annotated[Literal["host_memory", "cxl"], Word] = Field(
        title="Pool technology",
        description="host_memory: memory of all its hosts, reached over the scale-up links, as over UB or over NVLink and "
        "NVLink-C2C; what the pool takes the host tier no longer has. cxl: modules of their own behind CXL.",
    )
    bytes_per_accelerator: Positive = Field(
        title="Memory pool", description="Size of the pool for each accelerator."
    )
    bandwidth_bytes_per_s: Positive | None = Field(
        title="Pool bandwidth",
        default=None,
        description="Of one accelerator to the pool, one way; that of the technology when left out.",
    )
    latency_s: Positive | None = Field(
        title="Pool latency",
        default=None,
        description="Of one access; that of the technology when left out.",
    )


class SuperNodeDocument(Part):
    """`system`, `custom` or a saved `design`, with any fact overridden."""

    system: Key | None = Field(title="System", default=None, description="Catalog key of a system.")
    custom: CustomSuperNode | None = Field(default=None, description="A custom SuperNode.")
    design: DesignId | None = Field(default=None, description="Id of a saved SuperNode design.")
    override: SuperNodeOverride | None = Field(
        default=None, description="Facts stated in place of the catalog or the design."
    )
    memory_pool: MemoryPoolDocument | None = Field(
        default=None, description="Memory that all its accelerators share."
    )

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        given = [name for name in ("system", "custom", "design") if getattr(self, name) is not None]
        if not given:
            raise fault(
                "one_of",
                "needs a system, a custom SuperNode or a saved design",
                hint="for example system: dgx_h100",
            )
        if len(given) > 1:
            raise fault("one_of", f"has both {' and '.join(given)}", hint="keep one")
        return self
