"""What the engine is given: frozen records of plain values, resolved from scenario and catalog.

Every number is an array of shape (1,), or (s, 1) when s samples are evaluated at once. Unknown
is NaN. Base SI and USD; the unit ends the name. FLOP/s are dense; bandwidths are one way and per
accelerator; bytes are counts. Counts are numbers too, so that they can be explained; use
`plain()` where one decides structure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A transformer. Zero stands for "has none" in the expert, latent and window fields."""

    key: str
    name: str
    attention: str  # mha | gqa | mqa | mla
    layers: Array
    attention_layers: Array
    hidden: Array
    heads: Array
    kv_heads: Array
    head_dim: Array
    vocabulary: Array
    tied_embedding: Array  # 1 when input and output embedding share their weights
    feed_forward_hidden: Array  # of the dense layers
    mlp_matrices: Array  # 3 when gated, else 2
    experts: Array
    experts_per_token: Array
    shared_experts: Array
    expert_hidden: Array
    expert_layers: Array
    latent_query_rank: Array
    latent_kv_rank: Array
    latent_nope_dim: Array
    latent_rope_dim: Array
    latent_value_dim: Array
    window_layers: Array
    window_tokens: Array
    published_parameters: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingWorkload:
    architecture: Architecture
    tokens: Array
    sequence_length: Array
    global_batch_sequences: Array
    prediction_modules: Array  # multi-token prediction: layers that predict further ahead; 0 for none
    precision: str  # bf16 | fp16 | fp8 | mxfp8 | nvfp4 | int8
    measured_over_predicted: Array  # speed of own runs over the predicted one; 1 without own runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A grid of points cut into blocks; each accelerator passes the edges of its block to its neighbours."""

    ranks: tuple[Array, Array, Array]  # accelerators along each axis
    points: tuple[Array, Array, Array]
    halo_width: Array
    bytes_per_point: Array
    periodic: Array  # 1 where the last block is the neighbour of the first, else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The same with the faces of a block given in bytes, whatever the number of accelerators."""

    ranks: tuple[Array, Array, Array]
    face_bytes: tuple[Array, Array, Array]
    periodic: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A named communication pattern of every step."""

    name: str  # halo_exchange | all_to_all | all_reduce
    within_supernode: Array  # 1 where only the accelerators of a SuperNode take part, else 0
    per_step: Array
    overlap: Array  # share that can run beside arithmetic and memory traffic
    exchanged_bytes: Array | None  # of an all-to-all or all-reduce
    halo: Grid | Faces | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenericWorkload:
    """A job by what one of its steps does."""

    name: str
    precision: str
    strong: Array  # 1 where the amounts are of the whole job, 0 where each accelerator has them
    flop_per_step: Array
    memory_traffic_per_step_bytes: Array
    memory_held_bytes: Array
    steps: Array
    compute_efficiency: Array
    load_imbalance: Array  # time of the slowest accelerator over that of the mean
    checkpoint_held_share: Array
    dataset_bytes: Array
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    key: str
    name: str
    vendor: str
    generation: str  # volta | ampere | hopper | blackwell | rubin | cdna3 | tpu | trainium | ...
    peak_flop_per_s: Array  # at the workload's precision, dense
    peak_16_bit_flop_per_s: Array
    achievable_16_bit_flop_per_s: Array  # best measured dense matmul; NaN when nobody measured
    memory_bytes: Array
    memory_bandwidth_bytes_per_s: Array
    scale_up_bandwidth_bytes_per_s: Array
    scale_up_pair_bandwidth_bytes_per_s: Array
    tdp_w: Array
    idle_w: Array
    price_usd: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPair:
    """What was measured between two accelerators of a domain that are so far apart."""

    distance: str  # other_die | one_switch | two_switches
    bandwidth_bytes_per_s: Array
    latency_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleUpPlan:
    """How the accelerators of one scale-up domain are joined. None: it has no such thing."""

    key: str
    name: str
    structure: str  # switch_planes | torus | mesh
    links_per_accelerator: Array
    link_bandwidth_bytes_per_s: Array  # of one link, one way
    cables_per_link: Array  # of the lowest tier, or of all links; 0 where they are traces of a board
    planes: Array | None = None  # of switches side by side, each accelerator in all of them
    switch_ports: Array | None = None  # of one chip of the highest tier
    taper: Array | None = None  # links down over links up of the lower of two tiers; None: one tier
    first_tier_accelerators: Array | None = None  # below one chip of the lower tier; None: what it can take
    upper_cables_per_link: Array | None = None
    lengths: tuple[Array, ...] = ()  # sides of a torus
    third_link_bandwidth_bytes_per_s: Array | None = None  # in its third dimension, where it is another
    cube_side: Array | None = None  # of its cubes, joined by optical circuit switches
    measured: tuple[MeasuredPair, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNode:
    """One scale-up domain as it is bought: a server, a rack or a set of racks."""

    key: str
    name: str
    accelerator: Accelerator
    accelerators: Array  # all that are bought together
    scale_up_domain_accelerators: Array  # that one collective can reach without the scale-out fabric
    scale_up_topology: str  # switched | mesh | torus
    scale_up_latency_s: Array
    nodes: Array  # hosts or trays: 1 for a DGX, 18 for an NVL72
    host_memory_bytes: Array  # of all its hosts
    scale_out_nics: Array  # compute NICs
    scale_out_nic_bandwidth_bytes_per_s: Array
    max_power_w: Array
    typical_power_w: Array
    liquid_share: Array  # share of the heat that liquid takes away, 0 to 1
    cooling: str  # air | liquid | hybrid | ""
    racks: Array
    rack_units: Array
    price_usd: Array
    price_includes_nics: bool
    price_includes_network: Array  # 1 when the price is of all IT: fabric and storage are in it
    weight_kg: Array | None = None  # None as not a number: nobody published it
    scale_up: ScaleUpPlan | None = None  # None: nobody says how its domain is joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    key: str
    name: str
    protocol: str
    ports: Array  # at port_bandwidth
    port_bandwidth_bytes_per_s: Array
    max_logical_ports: Array
    logical_port_bandwidth_bytes_per_s: Array
    latency_s: Array
    typical_power_w: Array
    max_power_w: Array
    price_usd: Array
    rack_units: Array | None = None  # None as not a number: nobody published it
    cooling: str = ""  # air | liquid | hybrid | ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transceiver:
    """An optical module or copper cable end, with the links it carries."""

    key: str
    name: str
    links: Array
    power_w: Array
    price_usd: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPlan:
    """What the scenario asks of the scale-out fabric. `switch` None: no scale-out fabric."""

    topology: str  # a name of fabric.topologies | none
    switch: Switch | None
    switch_transceiver: Transceiver
    node_transceiver: Transceiver
    trunk_price_usd: Array  # one fibre trunk
    nic_price_usd: Array
    nic_power_w: Array
    oversubscription: Array
    scalable_unit_supernodes: Array
    management_ports: Array
    planes: Array
    tiers_asked: Array | None = None  # of switches; None leaves it open, here as below
    spine_oversubscription: Array | None = None
    shape: tuple[Array, ...] = ()  # of a lattice: length of each dimension; none leaves it open
    group_routers: Array | None = None  # of a dragonfly, as the two below
    router_endpoints: Array | None = None
    router_global_links: Array | None = None
    kind_asked: str = "auto"  # a name of fabric.kinds, or auto
    circuit_switches: bool = False  # optical, in the links of a torus that close its rings


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorRules:
    """What a rack and the floor may take, and how cables run. Limits of a rack are with all that is in it."""

    rack_units: Array  # heights of a rack
    service_units: Array  # of them, what power strips, patch panels and the rack manager take
    rack_power_w: Array  # limits of one rack, as the three below
    rack_air_heat_w: Array
    rack_liquid_heat_w: Array
    rack_weight_kg: Array
    rack_own_weight_kg: Array
    rack_width_m: Array
    rack_depth_m: Array
    row_racks: Array  # of one row, at most
    cold_aisle_m: Array
    hot_aisle_m: Array
    tray_height_m: Array  # of the cable trays above the floor
    slack_share: Array  # of the route, beyond it
    end_slack_m: Array  # of cable at each end: from the port to the side of the rack, and its loop
    node_units: Array  # heights of a server that nobody published, as the two below
    switch_units: Array
    server_units: Array  # of one storage or management server
    server_power_w: Array
    switch_position: (
        str  # of switches that serve one unit: in_rack | end_of_row | middle_of_row | network_rows
    )
    nodes_per_rack: Array | None = None  # servers in one rack, where the scenario states it
    stated: tuple[str, ...] = ()  # names of the limits above that the scenario states


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafNetwork:
    """A network of leaves and spines beside the compute fabric: storage, or in-band.

    Each port of a host ends in another leaf. Storage servers have leaves of their own, that nothing
    oversubscribes; what serves the pod and what leaves it takes ports of the leaves of the hosts.
    """

    switch: Switch
    switch_transceiver: Transceiver
    host_transceiver: Transceiver
    trunk_price_usd: Array
    nic_price_usd: Array
    nic_ports: Array
    host_ports: Array
    port_bandwidth_bytes_per_s: Array  # one way
    oversubscription: Array  # of the leaves of the hosts
    storage_servers: Array  # not a number: as many as the hosts' ports ask for
    storage_server_ports: Array
    service_servers: Array  # that manage the pod
    service_server_ports: Array
    border_links: Array  # to the rest of the site


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagementNetwork:
    """The out-of-band network: access switches for the management port of everything."""

    switch: Switch
    uplink_transceiver: Transceiver
    cable_price_usd: Array  # one copper cable
    trunk_price_usd: Array  # one fibre of an uplink
    host_ports: Array
    uplinks: Array  # of one access switch
    uplink_bandwidth_bytes_per_s: Array
    switches_per_rack: Array  # at least; 0 where as few as do are enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Networks:
    """The networks of a pod beside its compute fabric; None where one is not built."""

    storage: LeafNetwork | None = None
    in_band: LeafNetwork | None = None
    out_of_band: ManagementNetwork | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pod:
    supernodes: Array
    accelerators_used: Array
    fabric: FabricPlan
    networks: Networks = Networks()
    floor: FloorRules | None = None  # None where a test needs none


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A parallel layout as the scenario states it. None in place of a Layout means: search."""

    tensor_parallel: Array
    pipeline_parallel: Array
    context_parallel: Array
    expert_parallel: Array
    virtual_stages: Array
    micro_batch: Array
    zero_stage: Array
    sequence_parallel: Array  # 0 or 1
    recompute: Array  # share of the forward pass done again: 0 none, 1 full
    selective_recompute: Array  # 0 or 1: norms, activations and latent up-projections done again
    tensor_overlap: Array  # 0 or 1: tensor-parallel exchange runs beside matmuls, as far as the framework can
    data_overlap: Array  # 0 or 1: data-parallel exchange runs beside the backward pass
    pipeline_inside: Array  # 0 or 1: stages share the scale-up domain before data-parallel replicas do
    shard_ranks: Array  # replicas that share what ZeRO shards; 0 all of them
    optimizer_offload: Array  # 0 or 1: optimiser states lie in another tier of memory, where they are updated
    activation_offload: Array  # 0 or 1: activations wait for their backward pass in another tier of memory
    offload_tier: Array  # which: 0 the host, 1 other accelerators of the domain, 2 NVMe drives of the node
    zero_bubble: Array  # 0 or 1: gradients of weights wait until they fill the pipeline's bubble


@dataclass(frozen=True, slots=True, kw_only=True)
class Climate:
    """An hourly year, and the same year binned by dry and wet bulb with hours as weights."""

    key: str
    dry_bulb_c: Array  # (8760,)
    wet_bulb_c: Array
    pressure_pa: Array
    binned_dry_bulb_c: Array  # (bins,)
    binned_wet_bulb_c: Array
    binned_pressure_pa: Array
    binned_hours: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    key: str
    name: str
    elevation_m: Array
    electricity_price_usd_per_kwh: Array
    carbon_intensity_kg_per_kwh: Array
    water_price_usd_per_m3: Array
    climate: Climate


@dataclass(frozen=True, slots=True, kw_only=True)
class Facility:
    site: Site
    cooling: str  # auto | air | direct_liquid_dry | direct_liquid_tower
    redundancy: str  # N | N+1 | 2N | 2(N+1) | 3N/2 | 4N/3
    coolant_supply_c: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The shared file system. Bandwidths are of the whole system."""

    read_bandwidth_bytes_per_s: Array
    write_bandwidth_bytes_per_s: Array
    price_usd_per_tb: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    checkpoint: str  # blocking | two_level
    spare_supernodes: Array | None  # None: sized by the engine
    storage: Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    life_years: Array
    wacc: Array
    utilisation: Array
    residual_value: Array  # fraction of the purchase price at the end of life
    rental_on_demand_usd_per_accelerator_hour: Array
    rental_reserved_usd_per_accelerator_hour: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """One record a room; each room declares its own in `<room>/assumptions.py`."""

    rooms: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of SuperNode of a pod that has several, with what goes by its accelerator.

    Accelerators, scale-up domain, hosts and compute NICs of a SuperNode are the same number in every kind.
    """

    supernode: SuperNode
    supernodes: Array
    performance: Any  # assumptions of the performance room
    accelerator_embodied_kg: Array
    coolant_supply_limit_c: Array
    rental_on_demand_usd_per_accelerator_hour: Array
    rental_reserved_usd_per_accelerator_hour: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Everything an evaluation needs. Nothing else is looked at.

    `supernode` is the first kind and `kinds` are the further ones; `pod.supernodes` counts all of them.
    """

    name: str
    workload: TrainingWorkload | GenericWorkload
    supernode: SuperNode
    pod: Pod
    layout: Layout | None
    facility: Facility
    operations: Operations
    economics: Economics
    assumptions: Assumptions
    kinds: tuple[Kind, ...] = ()

    @property
    def training(self) -> TrainingWorkload:
        """The workload of a design that trains a model.

        Raises
        ------
        TypeError : it does something else
        """
        if isinstance(self.workload, TrainingWorkload):
            return self.workload
        raise TypeError(f"{self.name} is a generic job, and trains no model")
