"""What the fabric room assumes where no part says it."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricAssumptions:
    """Values of `seed_data/assumptions/fabric.csv`."""

    rack_unit_supernodes: Array
    node_cable_length_m: Array
    spine_cable_length_m: Array
    core_cable_length_m: Array
    cable_latency_s_per_m: Array
    optical_end_latency_s: Array
    nic_latency_s: Array
    spare_share: Array  # of modules and fibres, bought beyond what is installed
    switch_spare_share: Array  # of switches, as above
    nic_spare_share: Array  # of NICs and DPUs that are bought apart
    switch_installation_s: Array  # work of one person for one piece, as those below
    nic_installation_s: Array
    module_installation_s: Array
    cable_installation_s: Array  # a fibre or a copper cable with both its ends
    panel_installation_s: Array
    rack_installation_s: Array
    trunk_links: Array  # links of one fibre trunk between two patch panels
    panel_links: Array  # links of one patch panel
    storage_link_share: Array  # links of storage servers over links of hosts in the storage network
    spines_at_least: Array  # of a storage or in-band network that has spines
    service_racks_share: Array  # racks of switches, storage and servers over racks of SuperNodes
    strips_per_compute_rack: Array  # power strips with a management port
    strips_per_service_rack: Array
    management_spare_port_share: Array  # of out-of-band ports, over those in use
    board_edge_nodes: Array  # along an edge of a HammingMesh board that no one described
    circuit_switch_spare_ports: Array  # of an optical circuit switch, kept for tests and repairs
    scale_up_switch_energy_j_per_bit: Array  # of switch chips with fans and conversion, per bit of capacity
    scale_up_switch_usd_per_gbit_s: Array  # of switch chips with their trays, per Gbit/s of capacity
    scale_up_rack_switches: Array  # switch chips of an upper tier in one rack of its own
