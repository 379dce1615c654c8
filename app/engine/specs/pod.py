"""How SuperNodes are joined: parts of a fabric, what is asked of its networks, and of the floor."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


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
    rack_units: Array | None = None  # None as not a number: not published
    cooling: str = ""  # air | liquid | hybrid | ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transceiver:
    """An optical module or copper cable end, and the ports it serves: of a switch unsplit ones, of a node NICs' or hosts'."""

    key: str
    name: str
    ports: Array
    power_w: Array
    price_usd: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPlan:
    """What the scenario asks of the scale-out fabric. `switch` None: no scale-out fabric.

    In a folded Clos `switch` is that of the leaves, and of every tier that names none. `switch_transceiver`
    is the module in a leaf on links down. Fields of the tiers above that are None are as in the leaves.
    """

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
    spine_spread: str = "even"  # of the uplinks of a leaf in two tiers: even | within_one
    spine_switch: Switch | None = None
    core_switch: Switch | None = None
    # of a link between switches; None: that of a link to a node, at most what both its ports carry
    uplink_bandwidth_bytes_per_s: Array | None = None
    uplink_transceiver: Transceiver | None = None  # in leaves, on links up
    spine_transceiver: Transceiver | None = None
    core_transceiver: Transceiver | None = None
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
    node_units: Array  # NaN where not published, as the two below
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
    chosen_nic_power_w: Array | None = (
        None  # of a card that the scenario names; None: the usual one, as delivered
    )
    host_cores_freed: Array | None = None  # by one such card
    encryption_bandwidth_bytes_per_s: Array | None = None


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
    domain_accelerators_used: Array | None = (
        None  # of each scale-up domain; None where the job uses whole ones
    )
    networks: Networks = Networks()
    floor: FloorRules | None = None  # None where a test needs none
    racks: Array | None = None  # of several kinds of SuperNode together; None where there is one kind
