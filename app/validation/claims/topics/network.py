"""Claims about links, switches, latency and distance."""

from __future__ import annotations

from app.engine.fabric.bandwidth import bandwidth_gap
from app.engine.fabric.reach import (
    both_ways_bytes_per_s,
    cables_per_pair,
    fibre_reach_km,
    fibre_round_trip_s,
    joint_bandwidth_bytes_per_s,
    rest_of_round_trip_s,
    round_trip_with_radio_s,
    units_for_bandwidth,
)
from app.engine.operations.storage import pod_accelerators
from app.engine.performance.totals import times_as_much
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import about, at_least, at_most, exactly, order_of, printed
from app.validation.claims.topics.training_time import DGX_UNIT, LLAMA

H100, DGX, NVL72, CLOUDMATRIX = "nvidia_h100_sxm", "dgx_h100", "gb200_nvl72", "huawei_cloudmatrix384"
SCALE_UP, NIC = "scale_up_bandwidth_bytes_per_s", "scale_out_nic_bandwidth_bytes_per_s"
PER_KM = (5e-6, "s/km", "latency of fibre", "5 us/km, the usual round figure")


def _gap(inputs: Inputs, system: str) -> Array:
    """One NIC an accelerator."""
    return bandwidth_gap(
        scale_up_bandwidth_bytes_per_s=inputs.system(system, SCALE_UP),
        scale_out_bandwidth_bytes_per_s=inputs.system(system, NIC),
    )


def scale_up_over_out(inputs: Inputs) -> list[Compared]:
    named = {"DGX H100": DGX, "GB200 NVL72, 400G": NVL72, "CloudMatrix384": CLOUDMATRIX}
    return [
        Compared(label=name, ours=_gap(inputs, system), rule=order_of(10)) for name, system in named.items()
    ]


def latencies(inputs: Inputs) -> list[Compared]:
    switched = inputs.system(NVL72, "scale_up_latency_s")
    far = inputs.published("cloudmatrix_two_switch_latency_s")
    path = inputs.example_figure(LLAMA, "fabric.latency_s")
    return [
        Compared(label="Scale-up, NVL72 (an assumption)", ours=switched, rule=at_most(1e-6)),
        Compared(label="Scale-up, CloudMatrix384 across racks", ours=far, rule=at_most(1e-6)),
        Compared(label="Scale-out, longest path through three tiers", ours=path, rule=about(10e-6)),
    ]


def trainium_link(inputs: Inputs) -> list[Compared]:
    link = both_ways_bytes_per_s(bandwidth_bytes_per_s=inputs.accelerator("aws_trainium2", SCALE_UP))
    return [Compared(label="NeuronLink of a chip, both ways", ours=link, rule=printed(2e12))]


def ten_petabytes(inputs: Inputs) -> list[Compared]:
    """The unit is missing a "per second", and may be bits: both readings, against EFA of an UltraServer."""
    each = inputs.system("aws_trn2_ultraserver", "scale_out_total_bandwidth_bytes_per_s")
    as_bytes = units_for_bandwidth(
        joint_bandwidth_bytes_per_s=inputs.says(10e15, "B/s", "10 PB, read as a second"),
        bandwidth_bytes_per_s=each,
    )
    as_bits = units_for_bandwidth(
        joint_bandwidth_bytes_per_s=inputs.chosen(10e15 / 8, "B/s", "10 Pbit/s", "the same in bits"),
        bandwidth_bytes_per_s=each,
    )
    chips = pod_accelerators(
        supernodes=as_bytes,
        accelerators_per_supernode=inputs.system("aws_trn2_ultraserver", "accelerators"),
    )
    return [
        Compared(label="UltraServers that fill 10 PB/s", ours=as_bytes),
        Compared(label="Chips in them", ours=chips),
        Compared(label="UltraServers that fill 10 Pbit/s", ours=as_bits),
    ]


def ethernet_chips(inputs: Inputs) -> list[Compared]:
    capacity = joint_bandwidth_bytes_per_s(
        links=inputs.fact("switches", "th_ultra", "ports"),
        bandwidth_bytes_per_s=inputs.fact("switches", "th_ultra", "port_bandwidth_bytes_per_s"),
    )
    fast = inputs.fact("switches", "th_ultra", "latency_s")
    usual = inputs.published("tomahawk_5_latency_s")
    return [
        Compared(label="Capacity of Tomahawk Ultra (51.2 Tbit/s)", ours=capacity, rule=printed(51.2e12 / 8)),
        Compared(label="Latency of Tomahawk Ultra", ours=fast, rule=about(200e-9)),
        Compared(label="Latency of Tomahawk 5", ours=usual, rule=about(200e-9)),
    ]


def dpu(inputs: Inputs) -> list[Compared]:
    link = inputs.fact("dpus", "nvidia_bluefield_3_dpu", "network_bandwidth_bytes_per_s")
    return [Compared(label="BlueField-3 (400 Gbit/s is 50 GB/s)", ours=link, rule=about(50e9))]


def one_to_one(inputs: Inputs) -> list[Compared]:
    figure = inputs.example_figure(LLAMA, "fabric.oversubscription")
    return [Compared(label="Leaf links down over links up, 2,048 DGX H100", ours=figure, rule=exactly(1))]


def leaf_to_spine(inputs: Inputs) -> list[Compared]:
    def fact(name: str) -> Array:
        return inputs.fact("reference_architectures", "superpod_h100_1su", name)

    pairs = cables_per_pair(
        cables=fact("leaf_spine_cables"), leaves=fact("leaf_switches"), spines=fact("spine_switches")
    )
    return [Compared(label="Cables between each leaf and each spine", ours=pairs, rule=at_least(1))]


def nvlink_of_a_server(inputs: Inputs) -> list[Compared]:
    each = both_ways_bytes_per_s(bandwidth_bytes_per_s=inputs.accelerator(H100, SCALE_UP))
    server = joint_bandwidth_bytes_per_s(links=inputs.system(DGX, "accelerators"), bandwidth_bytes_per_s=each)
    return [
        Compared(label="All 8 GPUs together, both ways", ours=server, rule=about(900e9)),
        Compared(label="One GPU, both ways", ours=each),
    ]


def ndr_ports(inputs: Inputs) -> list[Compared]:
    node = joint_bandwidth_bytes_per_s(
        links=inputs.system(DGX, "scale_out_nics"), bandwidth_bytes_per_s=inputs.system(DGX, NIC)
    )
    return [Compared(label="Node (3.2 Tbit/s is 400 GB/s)", ours=node, rule=printed(3.2e12 / 8))]


def as_on_one_die(inputs: Inputs) -> list[Compared]:
    ratio = times_as_much(
        value=inputs.accelerator("nvidia_gb200", "memory_bandwidth_bytes_per_s"),
        reference=inputs.accelerator("nvidia_gb200", SCALE_UP),
    )
    return [Compared(label="Own memory over NVLink, bandwidth of a GB200 GPU", ours=ratio, rule=about(1))]


def no_network(inputs: Inputs) -> list[Compared]:
    switches = inputs.fact("reference_architectures", "nvl72_gb200", "leaf_switches")
    return [Compared(label="Switches inside an NVL72", ours=switches, rule=exactly(0))]


def across_regions(inputs: Inputs) -> list[Compared]:
    def trip(km: float, where: str) -> Array:
        distance = inputs.chosen(km, "km", "distance", where)
        return fibre_round_trip_s(distance_km=distance, latency_s_per_km=inputs.chosen(*PER_KM))

    more = at_least(0.1)
    return [
        Compared(label="Round trip, 4,000 km", ours=trip(4000, "across a continent"), rule=more),
        Compared(label="Round trip, 10,000 km", ours=trip(10_000, "between continents"), rule=more),
    ]


def edge_to_cloud(inputs: Inputs) -> list[Compared]:
    per_km = inputs.chosen(*PER_KM)
    radio = inputs.published("radio_round_trip_5g_target_s")
    fibre = fibre_round_trip_s(
        distance_km=inputs.chosen(500, "km", "distance", "a region"), latency_s_per_km=per_km
    )
    reach = fibre_reach_km(
        round_trip_s=rest_of_round_trip_s(
            round_trip_s=inputs.says(0.02, "s", "round trip"), radio_round_trip_s=radio
        ),
        latency_s_per_km=per_km,
    )
    return [
        Compared(
            label="Round trip, 500 km, with 5G as its target",
            ours=round_trip_with_radio_s(fibre_round_trip_s=fibre, radio_round_trip_s=radio),
            rule=at_most(0.02),
        ),
        Compared(label="Fibre within what the radio leaves", ours=reach),
    ]


def node_to_node(inputs: Inputs) -> list[Compared]:
    switch = inputs.fact("switches", "qm9700", "latency_s")
    path = inputs.scenario_figure(DGX_UNIT, "fabric.latency_s")
    below = at_most(1e-6)
    return [
        Compared(label="One InfiniBand switch", ours=switch, rule=below),
        Compared(label="Node to node in 32 DGX H100, NICs and cables with it", ours=path, rule=below),
    ]


def pcie_or_ub(inputs: Inputs) -> list[Compared]:
    """The counterpart of NVLink; PCIe 4.0 x16, 31.5 GB/s one way, joins the chip to its host."""
    link = inputs.accelerator("huawei_ascend_910c", SCALE_UP)
    return [Compared(label="UB link of an Ascend 910C, one way", ours=link)]


CLAIMS: Topic = {
    "S0-22": scale_up_over_out,
    "S0-23": latencies,
    "S0-31": trainium_link,
    "S0-34": ten_petabytes,
    "S0-35": ethernet_chips,
    "S1-05": dpu,
    "S1-15": one_to_one,
    "S1-16": leaf_to_spine,
    "S2-20": nvlink_of_a_server,
    "S2-21": ndr_ports,
    "S3-02": as_on_one_die,
    "S3-03": no_network,
    "S4-03": across_regions,
    "S4-08": node_to_node,
    "S4-10": pcie_or_ub,
    "S4-15": edge_to_cloud,
}
