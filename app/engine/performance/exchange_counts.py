"""How often parallel ranks exchange, whatever they exchange over."""

from __future__ import annotations

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_PIPELINE = "[1] Narayanan et al. 2021, arXiv 2104.04473, section 2.2"
_EXPERT = "[1] Lepikhin et al. 2020, arXiv 2006.16668, section 3 (dispatch and combine)"


@quantity(unit="1", source=_EXPERT)
def expert_exchanges(*, passes: Array) -> Array:
    """All-to-all exchanges of a layer with experts.

    Dispatch and combine in every pass: 2 for inference, 4 with the backward pass of training.
    """
    return 2 * passes


stage_transfers = alias(
    "stage_transfers",
    "Transfers between two pipeline stages for a micro-batch",
    of="passes",
    at="performance.stage_transfers",
    source=_PIPELINE,
    note="Activations in the forward pass, gradients in the backward pass.",
)


@quantity(unit="1", source=_PIPELINE)
def bubble_share(*, pipeline_parallel: Array, micro_batches: Array) -> Array:
    """Pipeline bubble over the work of a step.

    (p - 1) / m without virtual stages.
    """
    return (pipeline_parallel - 1) / micro_batches
