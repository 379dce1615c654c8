"""Claims about storage, memory, checkpoints and availability."""

from __future__ import annotations

from app.engine.fabric.reach import joint_bandwidth_bytes_per_s
from app.engine.operations.checkpointing import checkpoint_bytes, checkpoint_read_s, checkpoint_write_s
from app.engine.operations.service_levels import (
    bandwidth_per_node_bytes_per_s,
    requests_per_s,
    yearly_downtime_s,
)
from app.engine.performance.totals import joint_memory_bytes, parameters_bytes, times_as_much
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import at_least, at_most, between
from app.validation.claims.topics.training_time import LLAMA

MINUTE_S = 60.0
TRILLION = (1e12, "1", "parameters", "the trillion that the article speaks of")


def trillion_parameters(inputs: Inputs) -> list[Compared]:
    states = parameters_bytes(
        parameters=inputs.chosen(*TRILLION),
        bytes_per_parameter=inputs.chosen(
            16, "B", "bytes per parameter", "BF16 weights and gradients, FP32 master and both Adam moments"
        ),
    )
    server = joint_memory_bytes(
        accelerators=inputs.system("dgx_h100", "accelerators"),
        memory_bytes=inputs.accelerator("nvidia_h100_sxm", "memory_bytes"),
    )
    return [
        Compared(
            label="States over the memory of a DGX H100",
            ours=times_as_much(value=states, reference=server),
            rule=at_least(1),
        ),
        Compared(label="States of a trillion parameters", ours=states),
    ]


def _checkpoint(inputs: Inputs) -> Array:
    return checkpoint_bytes(
        parameters=inputs.chosen(*TRILLION),
        bytes_per_parameter=inputs.assumption("operations", "checkpoint_bytes_per_parameter"),
    )


def file_system(inputs: Inputs) -> list[Compared]:
    bandwidth = inputs.says(10e12, "B/s", "throughput")
    each = bandwidth_per_node_bytes_per_s(
        bandwidth_bytes_per_s=bandwidth, nodes=inputs.says(3000, "1", "nodes")
    )
    write = checkpoint_write_s(
        checkpoint_bytes=_checkpoint(inputs), storage_write_bandwidth_bytes_per_s=bandwidth
    )
    product = inputs.fact("storage", "pure_flashblade_exa", "read_bandwidth_bytes_per_s")
    return [
        Compared(label="A node of 3,000, against a NIC of 400 Gbit/s", ours=each, rule=at_most(50e9)),
        Compared(label="FlashBlade//EXA, one namespace", ours=product, rule=at_least(10e12)),
        Compared(label="Checkpoint of a trillion parameters at 10 TB/s", ours=write),
    ]


def operations_per_s(inputs: Inputs) -> list[Compared]:
    """What the bandwidth allows: a ceiling, which is no proof that a system serves them."""
    requests = requests_per_s(
        bandwidth_bytes_per_s=inputs.says(10e12, "B/s", "throughput"),
        request_bytes=inputs.chosen(4096, "B", "bytes of a request", "4 KiB, the smallest usual"),
    )
    return [Compared(label="Requests of 4 KiB at 10 TB/s", ours=requests)]


def six_nines(inputs: Inputs) -> list[Compared]:
    downtime = yearly_downtime_s(availability=inputs.says(0.999999, "1", "availability"))
    return [Compared(label="Downtime of a year", ours=downtime)]


def restore(inputs: Inputs) -> list[Compared]:
    def read(bandwidth: float, what: str) -> Array:
        return checkpoint_read_s(
            checkpoint_bytes=_checkpoint(inputs),
            storage_read_bandwidth_bytes_per_s=inputs.chosen(bandwidth, "B/s", "read bandwidth", what),
        )

    before, after = read(0.2e12, "a file system of some racks"), read(10e12, "the article's file system")
    return [
        Compared(label="At 0.2 TB/s (minutes)", ours=before, rule=at_least(MINUTE_S)),
        Compared(label="At 10 TB/s (seconds)", ours=after, rule=at_most(MINUTE_S)),
    ]


def two_levels(inputs: Inputs) -> list[Compared]:
    stall = inputs.example_figure(LLAMA, "reliability.checkpoint_stall_s")
    write = inputs.example_figure(LLAMA, "reliability.checkpoint_write_s")
    return [
        Compared(
            label="Stall with two levels over a write to shared storage",
            ours=times_as_much(value=stall, reference=write),
            rule=at_most(1),
        ),
        Compared(label="Stall with two levels", ours=stall),
        Compared(label="Write to shared storage", ours=write),
    ]


def lustre(inputs: Inputs) -> list[Compared]:
    return [
        Compared(label="Orion of ORNL, read", ours=inputs.published("orion_read"), rule=between(1e12, 10e12))
    ]


def node_drives(inputs: Inputs) -> list[Compared]:
    write = joint_bandwidth_bytes_per_s(
        links=inputs.chosen(8, "1", "drives", "of a DGX H100"),
        bandwidth_bytes_per_s=inputs.published("nvme_drive_write"),
    )
    return [Compared(label="Eight drives, writing", ours=write, rule=at_least(10e9))]


def ten_billion(inputs: Inputs) -> list[Compared]:
    weights = parameters_bytes(
        parameters=inputs.says(10e9, "1", "parameters"),
        bytes_per_parameter=inputs.chosen(1, "B", "bytes per parameter", "FP8"),
    )
    share = times_as_much(value=weights, reference=inputs.accelerator("nvidia_h100_sxm", "memory_bytes"))
    return [
        Compared(label="Weights in FP8", ours=weights),
        Compared(label="Share of the memory of one H100", ours=share, unit="%"),
    ]


def supernode_storage(inputs: Inputs) -> list[Compared]:
    each = bandwidth_per_node_bytes_per_s(
        bandwidth_bytes_per_s=inputs.says(100e9, "B/s", "storage bandwidth"),
        nodes=inputs.system("gb200_nvl72", "accelerators"),
    )
    return [Compared(label="For each of 72 GPUs", ours=each)]


CLAIMS: Topic = {
    "S1-01": trillion_parameters,
    "S1-10": file_system,
    "S1-11": operations_per_s,
    "S1-12": six_nines,
    "S1-13": restore,
    "S1-18": two_levels,
    "S2-24": lustre,
    "S2-25": node_drives,
    "S4-06": ten_billion,
    "S4-07": supernode_storage,
}
