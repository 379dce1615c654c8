"""How a row says that accelerators share a model, in the words of the engine.

Files write layouts in several ways. `tp`, `dp`, `moe_tp` and `moe_ep` are those of the whole instance; but
where a launcher multiplied its tensor by its expert parallelism, eight accelerators are written 64/1/8/8
(or 1/64/8/8 with data-parallel attention), and four with data-parallel attention 4/4/1/16. The batch of a
rank, where it is given, says which.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from app.validation.rows import Row, UnsupportedRowError

WIDEST_TENSOR_PARALLEL, ONE_NODE = 16, 8
"""Attention is cut over one node, or two; more is the size of a whole deployment."""


class Cut(NamedTuple):
    """The cuts of one instance, as in ServingLayout, and what was taken for granted."""

    tensor_parallel: int
    data_parallel: int
    pipeline_parallel: int
    expert_parallel: int
    assumed: tuple[str, ...] = ()
    redundant_experts: int = 0

    @property
    def accelerators(self) -> int:
        return self.tensor_parallel * self.data_parallel * self.pipeline_parallel


def aggregated_cut(row: Row, *, experts: bool) -> tuple[Cut, int]:
    """The layout of one instance, and how many instances the row's concurrency is shared by.

    Raises
    ------
    UnsupportedRowError : the row states no layout, or the size of a whole deployment in place of one
    """
    tensor, pipeline = row.needed("tp"), row.count("pp") or 1
    data, stated = row.count("dp") or 1, bool(row.text("dp"))
    expert_tensor, expert = row.count("moe_tp") or 1, row.count("moe_ep") or 1
    side = math.isqrt(tensor * data)
    squared = side > 1 and side * side == tensor * data and stated
    if experts and squared and expert_tensor == expert == side:
        return (Cut(1, side, pipeline, side) if data > 1 else Cut(side, 1, pipeline, side)), 1
    if experts and squared and tensor == data and expert == tensor * data:
        return Cut(1, side, pipeline, side), 1
    sharing = _sharing(row)
    if experts and data == 1 and not stated and sharing == tensor > 1:
        # each rank has its own sequences: attention is data parallel
        tensor, data = 1, tensor
    _refuse_deployment(tensor)
    replicas = sharing if data == 1 and not experts and sharing > 1 else 1
    if not experts:
        return Cut(tensor, data, pipeline, 1), replicas
    assumed: tuple[str, ...] = ()
    if data == 1 and (not stated or expert_tensor == 1):
        data, assumed = _replicas(tensor, expert_tensor * expert, "moe_tp x moe_ep")
    ranks = tensor * data
    expert = min(expert, ranks)
    if ranks % expert:
        raise UnsupportedRowError(f"moe_ep {expert} does not divide the {ranks} ranks of tp and dp")
    return Cut(tensor, data, pipeline, expert, assumed), replicas


def pool_cut(row: Row, prefix: str, *, experts: bool) -> Cut:
    """The layout of one prefill (`p_`) or decode (`d_`) instance.

    Raises
    ------
    UnsupportedRowError : the row states none, or the size of a whole deployment in place of one
    """
    tensor, data = row.needed(f"{prefix}tp"), row.count(f"{prefix}dp") or 1
    expert = row.count(f"{prefix}ep") or 1
    assumed: tuple[str, ...] = ()
    if tensor > WIDEST_TENSOR_PARALLEL and data == 1 and prefix == "d_":
        tensor, data = 1, tensor
        assumed = (f"{data} ranks of decode with data-parallel attention",)
        expert = data if experts else 1
    _refuse_deployment(tensor)
    ranks = tensor * data
    if not experts:
        return Cut(tensor, data, 1, 1, assumed)
    if data == 1 and not row.text(f"{prefix}dp"):
        data, implied = _replicas(tensor, expert, f"{prefix}ep")
        ranks, assumed = tensor * data, assumed + implied
    # files copy the spread of the prefill instances into that of decode
    copied = prefix == "d_" and 1 < expert < ranks and expert == row.count("p_ep")
    if copied or (expert == 1 and data > ONE_NODE):
        expert = ranks
        assumed += (f"experts over all {ranks} ranks of {'decode' if prefix == 'd_' else 'prefill'}",)
    expert = math.gcd(min(expert, ranks), ranks)
    return Cut(tensor, data, 1, expert, assumed)


def _replicas(tensor: int, expert_ranks: int, said: str) -> tuple[int, tuple[str, ...]]:
    """Replicas of attention: experts and attention are cut over the same ranks, so tp x dp = moe_tp x moe_ep.

    >>> _replicas(1, 8, "moe_tp x moe_ep")
    (8, ('8 replicas of attention: moe_tp x moe_ep 8 over tp 1',))
    >>> _replicas(8, 8, "moe_tp x moe_ep"), _replicas(8, 0, "moe_tp x moe_ep")
    ((1, ()), (1, ()))
    """
    if expert_ranks <= tensor or expert_ranks % tensor:
        return 1, ()
    replicas = expert_ranks // tensor
    return replicas, (f"{replicas} replicas of attention: {said} {expert_ranks} over tp {tensor}",)


def _sharing(row: Row) -> int:
    """How many ranks or instances share the concurrency, by the batch of one; 1 where nothing says."""
    concurrency, batch = row.number("concurrency"), row.number("batch")
    if not concurrency or not batch or concurrency <= batch:
        return 1
    return round(concurrency / batch)


def _refuse_deployment(tensor: int) -> None:
    uneven = tensor > ONE_NODE and bool(tensor & (tensor - 1))
    if tensor > WIDEST_TENSOR_PARALLEL or uneven:
        raise UnsupportedRowError(
            f"tp {tensor} is the number of accelerators of a whole deployment, which says nothing of its layout"
        )
