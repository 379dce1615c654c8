"""The table of degrees: how tensor, pipeline, context, expert and data parallelism may split a job.

One row for each combination with a micro-batch, a number of virtual stages and a group of shards: some thousands.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.job import job_of
from app.engine.performance.space import USUAL, Only, Space, allowed, divisors, grid
from app.engine.specs import SuperNode, TrainingWorkload
from app.engine.trace import Array, median_of

DEGREES = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel", "data_parallel")

IN_USE = USUAL.only[
    "micro_batch"
]  # micro-batches that the whole space looks at beside those that divide the batch

Table = dict[str, Array]


def degree_table(
    workload: TrainingWorkload, supernode: SuperNode, accelerators_used: Array, space: Space
) -> Table:
    """Columns of `DEGREES`, `expert_tensor_ranks`, `micro_batch`, `virtual_stages` and `shard_ranks`, one row each way
    to split the job."""
    degrees = _degrees(workload, supernode, median_of(accelerators_used), space)
    degrees = _with_split_experts(degrees, workload, space.held)
    return _grouped(_expanded(degrees, workload, space.only), space.held)


def replica_counts(
    workload: TrainingWorkload, supernode: SuperNode, accelerators_used: Array, space: Space
) -> Array:
    """Data-parallel replicas of the ways to split a job, whatever its batch, ascending."""
    return np.unique(_splits(workload, supernode, median_of(accelerators_used), space)["data_parallel"])


def _degrees(workload: TrainingWorkload, supernode: SuperNode, used: float, space: Space) -> Table:
    """Tensor, pipeline, context, expert and data parallel degrees with a sequence for each replica."""
    table, batch = _splits(workload, supernode, used, space), median_of(workload.global_batch_sequences)
    enough = table["data_parallel"] <= batch
    return {name: values[enough] for name, values in table.items()}


def _splits(workload: TrainingWorkload, supernode: SuperNode, used: float, space: Space) -> Table:
    """Degrees that divide the accelerators, heads, sequence and experts, whatever the batch."""
    m, only = workload.architecture, space.only
    heads, layers, experts = median_of(m.heads), median_of(m.layers), median_of(m.experts)
    kv_heads = heads if m.attention == "mla" else median_of(m.kv_heads)
    sequence = median_of(workload.sequence_length)
    whole = divisors(used)
    tensor = whole[(heads % whole == 0) & ((kv_heads % whole == 0) | (whole % kv_heads == 0))]
    if space.tensor_in_domain:
        tensor = tensor[tensor <= median_of(supernode.scale_up_domain_accelerators)]
    pipeline = whole[whole <= layers]
    chunk = sequence / whole
    context = whole[(chunk == np.floor(chunk)) & ((chunk >= space.shortest_chunk_tokens) | (whole == 1))]
    expert = divisors(experts) if experts else np.ones(1)
    axes = {
        name: allowed(only, name, values)
        for name, values in zip(DEGREES, (tensor, pipeline, context, expert), strict=False)
    }
    tp, pp, cp, ep = grid(list(axes.values()))
    dp = used / (tp * pp * cp)
    possible = (dp == np.floor(dp)) & (np.where(ep > 1, dp * cp * tp % ep, 0) == 0)
    return dict(zip(DEGREES, (column[possible] for column in (tp, pp, cp, ep, dp)), strict=True))


def _with_split_experts(table: Table, workload: TrainingWorkload, held: Only) -> Table:
    """Each row with the ranks that may share an expert: as usual, 0, or the tensor-parallel group where experts are
    spread and it divides their width and the ranks of a stage."""
    asked = held["expert_tensor_ranks"]
    tp, ep = table["tensor_parallel"], table["expert_parallel"]
    usual = np.flatnonzero(np.full(tp.size, 0.0 in asked))
    stage_ranks = tp * table["context_parallel"] * table["data_parallel"]
    split = (ep > 1) & (tp > 1) & (stage_ranks % (ep * tp) == 0)
    split &= (median_of(workload.architecture.expert_hidden) % tp == 0) & np.isin(tp, asked)
    rows = np.concatenate([usual, np.flatnonzero(split)])
    ranks = np.concatenate([np.zeros(usual.size), tp[split]])
    return {name: values[rows] for name, values in table.items()} | {"expert_tensor_ranks": ranks}


def _expanded(table: Table, workload: TrainingWorkload, only: Only) -> Table:
    """Each row with every micro-batch that splits a replica's sequences and every number of virtual stages.

    Sequences that do not divide are padded. No smaller micro-batch would do in as few turns.
    """
    layers, batch = median_of(workload.architecture.layers), median_of(workload.global_batch_sequences)
    micro_batches = allowed(only, "micro_batch", np.union1d(divisors(batch), only.get("micro_batch", IN_USE)))
    virtual = allowed(only, "virtual_stages", np.arange(1.0, layers + 1))
    row, mb = (part.ravel() for part in np.indices((table["data_parallel"].size, micro_batches.size)))
    own = np.ceil(batch / table["data_parallel"][row])
    fits = micro_batches[mb] == np.ceil(own / np.ceil(own / micro_batches[mb]))
    row, mb = row[fits], mb[fits]
    # Of uneven stages the longest decides; embedding and head may stand in for a layer each.
    stages = table["pipeline_parallel"]
    weight = median_of(job_of(workload).prediction.weight_layers)
    longest = np.minimum(np.ceil((layers + weight) / stages), layers)
    possible = np.where(
        stages[:, None] > 1,
        (longest[:, None] % virtual == 0) & (virtual * stages[:, None] <= layers + 2),
        virtual == 1,
    )
    again, chosen = np.nonzero(possible[row])
    row, mb = row[again], mb[again]
    return {name: values[row] for name, values in table.items()} | {
        "micro_batch": micro_batches[mb],
        "virtual_stages": virtual[chosen],
    }


def _grouped(table: Table, held: Only) -> Table:
    """Each row with the groups that may share what ZeRO shards: all replicas, 0, or a number that divides them."""
    ranks = np.unique(held["shard_ranks"])
    replicas = (table["data_parallel"] * table["context_parallel"])[:, None]
    part = (ranks > 1) & (ranks < replicas) & (replicas % np.maximum(ranks, 1) == 0)
    row, chosen = np.nonzero(part | (ranks == 0))
    return {name: values[row] for name, values in table.items()} | {"shard_ranks": ranks[chosen]}


def placement_matters(table: Table, supernode: SuperNode, used: float) -> NDArray[np.bool_]:
    """Rows where it matters whether stages or replicas lie nearer: the job leaves the domain, a stage's
    inner ranks do not fill it, and there are both."""
    domain = median_of(supernode.scale_up_domain_accelerators)
    replicas = table["data_parallel"] * table["context_parallel"]
    inner = np.maximum(table["tensor_parallel"] * table["context_parallel"], table["expert_parallel"])
    matters: NDArray[np.bool_] = (
        (used > domain) & (inner < domain) & (replicas > 1) & (table["pipeline_parallel"] > 1)
    )
    return matters
