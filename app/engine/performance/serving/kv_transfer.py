"""Keys and values of a prompt on their way from a prefill to a decode instance.

They go over the links of the ranks that have them and of those that need them: those of the scale-up network where
the group lies in one domain, else those of the fabric. What an engine sends while it still prefills is hidden behind
that, as far as the rest of the prefill takes that long. Transfers of other prompts are ahead on the same links.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.expert_load import accelerators_of
from app.engine.performance.serving.kv_cache import sequence_held_bytes
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.prefill import new_tokens, passes_alone
from app.engine.performance.serving.split import group_accelerators
from app.engine.quantities import quantity
from app.engine.specs import Architecture, PartPrecision, ServingLayout
from app.engine.trace import Array

_MOONCAKE = "[1] Qin et al. 2024, arXiv 2407.00079 (Mooncake), section 5.2 (layer-wise prefill)"
_LINKS = "[1] Qin et al. 2024, arXiv 2407.00079 (Mooncake); [2] TensorRT-LLM documentation, disaggregated serving: transfers between different sets of GPUs are parallel"
_QUEUE = "Pollaczek and Khinchine, with equal service times (M/D/1); an arrival sees one request less than there are"

WITH_PASSES, WITH_LAYERS = 1.0, 2.0
"""Of `kv_transfer_grain`: sent pass by pass, and layer by layer; 0 is all after the prefill."""
MOST_BUSY = 0.99
"""Of the time of a link: beyond it no mean wait is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Transfer time of one prompt on idle links, and the request rate that the links of a group carry."""

    whole_s: Array  # from its first byte to its last
    exposed_s: Array  # of that, after the end of the prefill
    requests_per_s: Array  # that the links of a group carry at most


@quantity(unit="B", source="definition")
def received_bytes(*, rank_bytes: Array, tensor_parallel: Array) -> Array:
    """Bytes of a prompt sent to all ranks of a decode instance: each its part, a copy of what is not cut."""
    return rank_bytes * tensor_parallel


@quantity(unit="1", source=_LINKS)
def transfer_links(*, prefill_ranks: Array, decode_ranks: Array) -> Array:
    """Links that a prompt goes over at once: those of the ranks that have it, or fewer that need it."""
    return np.minimum(prefill_ranks, decode_ranks)


@quantity(unit="1", source="definition")
def replica_ranks(*, tensor_parallel: Array, pipeline_parallel: Array, context_parallel: Array) -> Array:
    """Ranks that have a prompt, of one replica of attention; those that it is cut over each send a part."""
    return tensor_parallel * pipeline_parallel * context_parallel


@quantity(unit="B/s", source=_LINKS)
def transfer_link_bytes_per_s(
    *, group_accelerators: Array, domain_accelerators: Array, scale_up: Array, scale_out: Array, share: Array
) -> Array:
    """Rate that a transfer reaches on one link: of the scale-up network in one domain, else of the fabric."""
    return share * np.where(group_accelerators > domain_accelerators, scale_out, scale_up)


@quantity(unit="B/s", source=_LINKS)
def slower_link_bytes_per_s(*, sent: Array, received: Array) -> Array:
    """Rate of a transfer between two kinds of SuperNode: that of the slower scale-out link, of which only a share is
    reached.
    """
    return np.minimum(sent, received)


@quantity(unit="s", source=_LINKS)
def kv_transfer_time_s(
    *, received_bytes: Array, links: Array, bytes_per_s: Array, overhead_s: Array
) -> Array:
    """Sending the keys and values of a prompt, and what starting and ending that takes."""
    return received_bytes / (links * bytes_per_s) + overhead_s


@quantity(unit="1", source=_MOONCAKE)
def transfer_pieces(*, grain: Array, passes: Array, layers: Array) -> Array:
    """Pieces that a prompt is sent in while its prefill goes on: one, of each pass, or of each layer of each pass."""
    return np.where(grain >= WITH_LAYERS, passes * layers, np.where(grain >= WITH_PASSES, passes, 1.0))


@quantity(unit="s", source=_MOONCAKE)
def exposed_transfer_s(*, transfer_s: Array, prefill_s: Array, pieces: Array) -> Array:
    """Transfer after the end of the prefill.

    The last piece at least, and what the prefill after the first piece did not hide.
    """
    return np.maximum(transfer_s / pieces, transfer_s - prefill_s * (pieces - 1) / pieces)


@quantity(unit="1/s", source="definition")
def transferred_requests_per_s(
    *,
    prefill_accelerators: Array,
    decode_accelerators: Array,
    prefill_instances: Array,
    decode_instances: Array,
    bytes_per_s: Array,
    received_bytes: Array,
) -> Array:
    """Prompts a second that the links of a group carry: those of all its prefill or of all its decode instances."""
    links: Array = np.minimum(
        prefill_instances * prefill_accelerators, decode_instances * decode_accelerators
    )
    return links * bytes_per_s / received_bytes


@quantity(unit="s", source=_QUEUE)
def transfer_wait_s(
    *, requests_per_s: Array, requests_per_s_limit: Array, concurrency: Array, transfer_s: Array
) -> Array:
    """Wait for transfers of other prompts on the same links: u / (2 (1 - u)) of a transfer at utilisation u."""
    others = np.maximum(concurrency - 1, 0.0) / np.maximum(concurrency, 1.0)
    busy: Array = np.minimum(others * requests_per_s / requests_per_s_limit, MOST_BUSY)
    return transfer_s * busy / (2 * (1 - busy))


def kv_transfer(
    *,
    architecture: Architecture,
    parts: PartPrecision,
    machine: ServingMachine,
    prefill: ServingLayout,
    prefill_instances: Array,
    decode: ServingLayout,
    decode_instances: Array,
    input_tokens: Array,
    cached_share: Array,
    shared_tokens: Array,
    prefill_s: Array,
    assumptions: ServingAssumptions,
    received_on: ServingMachine | None = None,
) -> Transfer:
    """Transfer of a prompt's keys, values and states to a decode instance, which has the shared prefix.

    `prefill_s` is of the prompt by itself, `machine` what it is prefilled on and `received_on` what the decode instance
    is on, where that is another kind of SuperNode: no scale-up domain reaches from one to the other.
    """
    a, senders, receivers = assumptions, accelerators_of(prefill), accelerators_of(decode)
    received = received_bytes(
        rank_bytes=sequence_held_bytes(
            architecture=architecture,
            layout=replace(decode, pipeline_parallel=np.ones(1)),
            parts=parts,
            sequence_tokens=input_tokens,
            shared_tokens=shared_tokens,
            assumptions=a,
        ),
        tensor_parallel=decode.tensor_parallel,
    )
    group = group_accelerators(
        prefill_instances=prefill_instances,
        decode_instances=decode_instances,
        prefill_accelerators=senders,
        decode_accelerators=receivers,
    )
    share = a.kv_transfer_bandwidth_share
    rate = (
        transfer_link_bytes_per_s(
            group_accelerators=group,
            domain_accelerators=machine.domain_accelerators,
            scale_up=machine.scale_up_bandwidth_bytes_per_s,
            scale_out=machine.scale_out_to_other_half(group),
            share=share,
        )
        if received_on is None
        else slower_link_bytes_per_s(
            sent=share * machine.scale_out_to_other_half(group),
            received=share * received_on.scale_out_to_other_half(group),
        )
    )
    whole = kv_transfer_time_s(
        received_bytes=received,
        links=transfer_links(
            prefill_ranks=replica_ranks(
                tensor_parallel=prefill.tensor_parallel,
                pipeline_parallel=prefill.pipeline_parallel,
                context_parallel=prefill.context_parallel,
            ),
            decode_ranks=replica_ranks(
                tensor_parallel=decode.tensor_parallel,
                pipeline_parallel=decode.pipeline_parallel,
                context_parallel=decode.context_parallel,
            ),
        ),
        bytes_per_s=rate,
        overhead_s=a.kv_transfer_overhead_s,
    )
    new = np.maximum(new_tokens(input_tokens=input_tokens, cached_share=cached_share), 1.0)
    return Transfer(
        whole_s=whole,
        exposed_s=exposed_transfer_s(
            transfer_s=whole,
            prefill_s=prefill_s,
            pieces=transfer_pieces(
                grain=a.kv_transfer_grain,
                passes=passes_alone(tokens=new, chunk_tokens=a.chunk_tokens),
                layers=architecture.layers,
            ),
        ),
        requests_per_s=transferred_requests_per_s(
            prefill_accelerators=senders,
            decode_accelerators=receivers,
            prefill_instances=prefill_instances,
            decode_instances=decode_instances,
            bytes_per_s=rate,
            received_bytes=received,
        ),
    )
