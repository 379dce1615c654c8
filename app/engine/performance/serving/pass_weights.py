"""Weights that a rank reads in one pass over a chunk of input."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.expert_load import experts_in_use, ranks_of
from app.engine.performance.serving.machine import HostSide
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout
from app.engine.trace import Array


@quantity(unit="B", source="definition")
def pass_weight_bytes(
    *,
    dense_parameters: Array,
    dense_parameter_bytes: Array,
    tensor_parallel: Array,
    expert_layers: Array,
    active_experts: Array,
    expert_parameters: Array,
    expert_parameter_bytes: Array,
    ranks: Array,
) -> Array:
    """Weights that a rank reads in one pass: of the experts those that a token uses."""
    dense = dense_parameters * dense_parameter_bytes / tensor_parallel
    return dense + expert_layers * active_experts * expert_parameters * expert_parameter_bytes / ranks


def weights_of_a_pass(
    model: ServedModel,
    parts: PartPrecision,
    layout: ServingLayout,
    tokens: Array,
    host: HostSide | None = None,
) -> Array:
    """Bytes that a rank of a layout reads from its own memory for a pass of so many tokens."""
    m = model.architecture
    away = (0.0, 0.0) if host is None else (host.dense_share, host.expert_share)
    return pass_weight_bytes(
        dense_parameters=model.dense_parameters * (1 - away[0]),
        dense_parameter_bytes=parts.dense_parameter_bytes,
        tensor_parallel=layout.tensor_parallel,
        expert_layers=m.expert_layers,
        active_experts=experts_in_use(model, layout, tokens) * (1 - away[1]),
        expert_parameters=model.expert_parameters,
        expert_parameter_bytes=parts.expert_parameter_bytes,
        ranks=ranks_of(layout),
    )


_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline), with a soft corner"

CORNER = 3.0
"""Power of the mean that rounds the corner of the roofline: at the corner itself a step takes 1.26 times as long."""
ONE_SERVER = 8
"""Accelerators of a usual server, beyond which engines offer to overlap two batches."""
HIDDEN_STATE_BYTES = 2.0
"""Hidden states of tokens on their way to experts are moved in 16 bit."""


@quantity(unit="s", source=_ROOFLINE)
def roofline_s(*, read_s: Array, multiply_s: Array) -> Array:
    """Reading and multiplying at the same time: (read^3 + multiply^3)^(1/3), nearly the longer of the two."""
    return (read_s**CORNER + multiply_s**CORNER) ** (1 / CORNER)


@quantity(unit="s", source="definition")
def weight_read_s(*, weight_bytes: Array, bandwidth_bytes_per_s: Array, efficiency: Array) -> Array:
    """Reading weights once."""
    return weight_bytes / (bandwidth_bytes_per_s * efficiency)


@quantity(unit="s", source="definition")
def multiply_s(*, parameters: Array, tokens: Array, peak_flop_per_s: Array, efficiency: Array) -> Array:
    """Multiplying tokens by weights: 2 FLOP for each."""
    return 2 * parameters * tokens / (peak_flop_per_s * efficiency)


@quantity(unit="B", source="definition; the overhead is fitted to measured runs")
def expert_read_bytes(
    *, expert_layers: Array, experts: Array, expert_bytes: Array, cut: Array, overhead_bytes: Array
) -> Array:
    """Weights of the experts in use that a rank reads, with the cost of starting on each.

    Each expert is cut over so many ranks; thin slices of many experts are read worse than whole ones.
    """
    return expert_layers * experts * (expert_bytes / cut + overhead_bytes)


@quantity(unit="s", source="[1] Gale et al. 2022, arXiv 2211.15841 (permutation of tokens)")
def permute_s(
    *,
    expert_layers: Array,
    tokens: Array,
    experts_per_token: Array,
    hidden: Array,
    passes: Array,
    sharing: Array,
    bandwidth_bytes_per_s: Array,
) -> Array:
    """Bringing tokens into the order of their experts, and back.

    Every copy of a token is passed over several times; ranks that hold slices of all experts do it for all tokens.
    """
    moved = expert_layers * tokens * experts_per_token * hidden * HIDDEN_STATE_BYTES
    return moved * passes / sharing / bandwidth_bytes_per_s


@quantity(unit="1", source="definition")
def permute_sharing(*, ranks: Array, data_parallel: Array, expert_parallel: Array) -> Array:
    """Ranks that share the ordering of a token's copies."""
    return np.where(data_parallel > 1, ranks, expert_parallel)


@quantity(
    unit="1",
    source="counts of tiles: a grouped product of DeepGEMM and of fused MoE kernels works in blocks of 128 along the slice "
    "of an expert, and starts and ends each; constant fitted to measured runs",
)
def slice_efficiency(*, efficiency: Array, expert_hidden: Array, slices: Array, half_width: Array) -> Array:
    """Share of the peak that grouped products reach on slices of experts: e w / (w + w0), w the width of a slice."""
    width = np.maximum(expert_hidden, 1.0) / slices
    return efficiency * width / (width + half_width)


@quantity(
    unit="s",
    source="[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.4; [2] SGLang, two_batch_overlap.py; [3] vLLM, dual batch "
    "overlap (docs/design/dbo.md): one half of a batch is computed while the other is exchanged",
)
def exchange_left_s(*, exchange_s: Array, computed_s: Array, overlap: Array) -> Array:
    """Exchange with experts that the other half of the batch does not hide."""
    return np.where(overlap > 0, np.maximum(exchange_s - computed_s, 0.0), exchange_s)


@quantity(
    unit="1",
    source="definition: an instance wider than the eight accelerators of a server, with replicas of attention",
)
def overlaps(*, two_batch_overlap: Array, ranks: Array, data_parallel: Array) -> Array:
    """Whether an engine works on two halves of a batch by turns: 1, else 0."""
    return np.where((ranks > ONE_SERVER) & (data_parallel > 1), two_batch_overlap, 0.0)


@quantity(unit="s", source="definition: engines split a batch where it pays")
def chosen_part_s(
    *, whole_s: Array, halves_s: Array, whole_step_s: Array, halves_step_s: Array, overlap: Array
) -> Array:
    """A part of a step, of the whole batch or of its two halves, whichever step is shorter."""
    return np.where((overlap > 0) & (halves_step_s < whole_step_s), halves_s, whole_s)
