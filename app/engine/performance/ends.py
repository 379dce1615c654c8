"""What the first and last pipeline stage compute beside their layers: embedding, head and loss."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import Hardware
from app.engine.performance.matmul import ONE, Matmul, timed
from app.engine.performance.strategy import LayerShapes
from app.engine.performance.tensor_exchange import residual_bytes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array

_LOSS = "[1] Shoeybi et al. 2019, arXiv 1909.08053 (vocabulary-parallel head and loss)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Seconds of a micro-batch on the first and last stage beside their layers."""

    head: Array
    embedding: Array


@quantity(unit="s", source=_LOSS)
def output_head_time_s(
    *,
    forward_s: Array,
    tokens: Array,
    vocabulary: Array,
    tensor_parallel: Array,
    loss_logit_bytes: Array,
    memory_bandwidth_bytes_per_s: Array,
) -> Array:
    """Output head and loss for one micro-batch, forward and backward.

    3 x the forward matmul, and the bytes that the loss moves for every logit.
    """
    loss = tokens * vocabulary / tensor_parallel * loss_logit_bytes / memory_bandwidth_bytes_per_s
    return forward_s + 2 * forward_s + loss


@quantity(unit="s", source=_LOSS)
def embedding_time_s(
    *, residual_bytes: Array, embedding_passes: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Input embedding for one micro-batch, forward and backward."""
    return residual_bytes * embedding_passes / memory_bandwidth_bytes_per_s


def ends(
    *,
    architecture: Architecture,
    hardware: Hardware,
    shapes: LayerShapes,
    tokens: Array,
    assumptions: PerformanceAssumptions,
) -> Ends:
    """Time of embedding and head for every shape."""
    a, m = assumptions, architecture
    product = Matmul(rows=tokens, depth=m.hidden, columns=m.vocabulary / shapes.tensor_parallel, groups=ONE)
    head = timed(
        product,
        flop_per_s=hardware.matmul_16_bit_flop_per_s,
        element_bytes=2 * ONE,
        hardware=hardware,
        assumptions=a,
    )
    return Ends(
        head=output_head_time_s(
            forward_s=head,
            tokens=tokens,
            vocabulary=m.vocabulary,
            tensor_parallel=shapes.tensor_parallel,
            loss_logit_bytes=a.loss_logit_bytes,
            memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        ),
        embedding=embedding_time_s(
            residual_bytes=residual_bytes(tokens=tokens, hidden=m.hidden),
            embedding_passes=a.embedding_passes,
            memory_bandwidth_bytes_per_s=hardware.memory_bandwidth_bytes_per_s,
        ),
    )
