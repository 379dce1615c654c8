"""Claims about how work is split, and what ranks then exchange."""

from __future__ import annotations

from app.engine.fabric.collectives.algorithms import ring_scale_up_share
from app.engine.operations.storage import pod_accelerators
from app.engine.performance.data_parallel import (
    bubble_share,
    expert_exchanges,
    gradient_reductions,
    stage_transfers,
)
from app.engine.performance.tensor_exchange import tensor_exchanges
from app.engine.performance.totals import times_as_much
from app.engine.trace import Array
from app.validation.claims.inputs import Compared, Inputs, Topic
from app.validation.claims.ledger import about, at_least, exactly

TRAINING = (2.0, "1", "passes", "forward and backward")


def _ring(inputs: Inputs, passes: float, what: str) -> Array:
    """Bytes on the link of a rank for each byte of gradients, in a group of 64."""
    return ring_scale_up_share(
        passes=inputs.chosen(passes, "1", "passes round the ring", what),
        domain_ranks=inputs.chosen(64, "1", "ranks", "a group of 64 replicas"),
        domains=inputs.chosen(1, "1", "domains", "all in one scale-up domain"),
        own_part=inputs.chosen(0, "1", "own part", "the algorithm's bytes alone"),
    )


def data_parallel(inputs: Inputs) -> list[Compared]:
    plain = {"zero_stage": 0.0, "pipeline_parallel": 1.0, "virtual_stages": 1.0, "micro_batches": 8.0}
    reductions = gradient_reductions(
        **{name: inputs.chosen(value, "1", name, "plain data parallelism") for name, value in plain.items()}
    )
    volume = _ring(inputs, 2, "an all-reduce")
    return [
        Compared(label="Reductions of the gradients in a step", ours=reductions, rule=exactly(1)),
        Compared(label="Bytes on a link for a byte of gradients", ours=volume),
    ]


def pipeline(inputs: Inputs) -> list[Compared]:
    bubble = bubble_share(
        pipeline_parallel=inputs.chosen(8, "1", "stages", "an example"),
        micro_batches=inputs.chosen(32, "1", "micro-batches", "an example"),
    )
    transfers = stage_transfers(passes=inputs.chosen(*TRAINING))
    return [
        Compared(label="Transfers between stages for a micro-batch", ours=transfers, rule=about(1)),
        Compared(label="Bubble of 8 stages and 32 micro-batches", ours=bubble, unit="%"),
    ]


def tensor(inputs: Inputs) -> list[Compared]:
    """The article has one all-reduce in each of two passes."""
    exchanges = tensor_exchanges(
        layers=inputs.chosen(1, "1", "layers", "a dense layer"),
        expert_layers=inputs.chosen(0, "1", "expert layers", "a dense layer"),
        expert_parallel=inputs.chosen(1, "1", "expert parallel", "a dense layer"),
        recompute=inputs.chosen(0, "1", "recompute", "nothing done again"),
    )
    return [Compared(label="All-reduces of a layer and micro-batch", ours=exchanges, rule=about(2))]


def expert(inputs: Inputs) -> list[Compared]:
    inference = inputs.chosen(1, "1", "passes", "forward only")
    return [
        Compared(
            label="All-to-alls of a layer in training",
            ours=expert_exchanges(passes=inputs.chosen(*TRAINING)),
            rule=about(2),
        ),
        Compared(
            label="All-to-alls of a layer in inference",
            ours=expert_exchanges(passes=inference),
            rule=about(2),
        ),
    ]


def world(inputs: Inputs) -> list[Compared]:
    ranks = pod_accelerators(
        supernodes=inputs.says(1000, "1", "nodes"), accelerators_per_supernode=inputs.says(8, "1", "GPUs a node")
    )  # fmt: skip
    return [Compared(label="Ranks", ours=ranks, rule=exactly(8000))]


def zero_3(inputs: Inputs) -> list[Compared]:
    """ZeRO-3 gathers the weights twice and scatters gradients once; an all-reduce is two passes."""
    volume = times_as_much(
        value=_ring(inputs, 3, "two all-gathers and a reduce-scatter"),
        reference=_ring(inputs, 2, "an all-reduce"),
    )
    return [
        Compared(label="Bytes of ZeRO-3 over those of plain data parallelism", ours=volume, rule=at_least(1))
    ]


def communication_bound(inputs: Inputs) -> list[Compared]:
    gain = inputs.published("gb200_nvl72_over_h100_decode")
    return [
        Compared(label="Decode of DeepSeek-V3, NVL72 over H100 for each GPU", ours=gain, rule=at_least(1))
    ]


CLAIMS: Topic = {
    "S0-11": data_parallel,
    "S0-12": pipeline,
    "S0-13": tensor,
    "S0-14": expert,
    "S1-02": communication_bound,
    "S2-27": world,
    "S2-29": zero_3,
    "S3-08": communication_bound,
}
