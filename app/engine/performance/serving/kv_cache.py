"""What one sequence keeps between its tokens: keys and values in blocks, index keys, recurrent states."""

from __future__ import annotations

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import (
    DRIVES,
    HOST,
    PEER,
    POOL,
    TIERS,
    MemoryTier,
    MemoryTiers,
    memory_tiers,
)
from app.engine.performance.serving.footprint import longest_stage_share
from app.engine.performance.serving.memory_assumptions import ServingMemoryAssumptions
from app.engine.performance.sustained_rates import (
    neighbour_bandwidth_bytes_per_s,
    sustained_memory_bandwidth_bytes_per_s,
    sustained_pair_bandwidth_bytes_per_s,
    sustained_scale_up_bandwidth_bytes_per_s,
)
from app.engine.quantities import quantity
from app.engine.specs import Architecture, SuperNode
from app.engine.specs.serving import ACCELERATOR, PartPrecision, ServingLayout
from app.engine.trace import Array, first_of

_PAGED = "[1] Kwon et al. 2023, arXiv 2309.06180 (PagedAttention)"
_GROUPED = "[1] Ainslie et al. 2023, arXiv 2305.13245 (GQA); [2] DeepSeek-AI 2024, arXiv 2405.04434, section 2.1 (MLA)"
_SPARSE = "[1] DeepSeek-AI 2025, arXiv 2512.02556, section 2 (DeepSeek sparse attention)"
_RECURRENT = (
    "[1] Yang et al. 2024, arXiv 2412.06464 (gated delta rule); [2] Dao and Gu 2024, arXiv 2405.21060"
)

NONE = np.zeros(1)


@quantity(unit="tokens", source=_PAGED)
def block_rounded_tokens(*, tokens: Array, block_tokens: Array) -> Array:
    """Tokens that the blocks of a sequence have room for: the last one is not full."""
    return np.ceil(tokens / block_tokens) * block_tokens


@quantity(unit="tokens", source=_PAGED)
def shared_block_tokens(*, shared_tokens: Array, block_tokens: Array) -> Array:
    """Tokens of a shared prefix that fill blocks: only whole blocks are held once."""
    return np.floor(shared_tokens / block_tokens) * block_tokens


@quantity(unit="tokens", source=_PAGED)
def own_block_tokens(*, rounded_tokens: Array, shared_block_tokens: Array) -> Array:
    """Tokens of the blocks that a sequence has to itself."""
    return np.maximum(rounded_tokens - shared_block_tokens, 0.0)


@quantity(unit="1", source=_GROUPED)
def kv_shards(*, tensor_parallel: Array, kv_heads: Array, latent_kv_rank: Array) -> Array:
    """Parts that keys and values are cut into.

    By whole heads: ranks beyond the number of key-value heads hold copies. What latent attention keeps has
    no heads, and every tensor-parallel rank holds all of it.
    """
    heads = np.maximum(kv_heads, 1.0)
    return np.where(latent_kv_rank > 0, 1.0, np.minimum(tensor_parallel, heads))


@quantity(unit="1", source=_GROUPED)
def kv_elements_per_token(
    *, kv_heads: Array, head_dim: Array, latent_kv_rank: Array, rope_dim: Array
) -> Array:
    """Elements kept of one token in one attention layer.

    Key and value of every key-value head, 2 k d; with latent attention the latent and the rotary key.
    """
    return np.where(latent_kv_rank > 0, latent_kv_rank + rope_dim, 2 * kv_heads * head_dim)


@quantity(unit="tokens", source="[1] Beltagy et al. 2020, arXiv 2004.05150 (sliding window)")
def window_held_tokens(*, tokens: Array, window_tokens: Array) -> Array:
    """Tokens that a layer with a sliding window holds: blocks that left the window are free again."""
    return np.where(window_tokens > 0, np.minimum(tokens, window_tokens), tokens)


@quantity(unit="B", source=_GROUPED)
def key_value_bytes(
    *,
    attention_layers: Array,
    window_layers: Array,
    full_tokens: Array,
    window_tokens: Array,
    elements_per_token: Array,
    element_bytes: Array,
    kv_shards: Array,
) -> Array:
    """Keys and values of a sequence on one rank, over all layers."""
    held = (attention_layers - window_layers) * full_tokens + window_layers * window_tokens
    return held * elements_per_token * element_bytes / kv_shards


@quantity(unit="B", source=_SPARSE)
def index_bytes(
    *, attention_layers: Array, tokens: Array, index_elements: Array, index_element_bytes: Array
) -> Array:
    """Index keys of a sequence on one rank.

    One key for each token and layer, by which sparse attention chooses; no heads, so no rank has a part.
    """
    return attention_layers * tokens * index_elements * index_element_bytes


@quantity(unit="B", source=_RECURRENT)
def recurrent_state_bytes(
    *, linear_layers: Array, state_elements: Array, state_element_bytes: Array, tensor_parallel: Array
) -> Array:
    """Recurrent state of a sequence on one rank: as large for a long sequence as for a short one."""
    return linear_layers * state_elements * state_element_bytes / tensor_parallel


@quantity(unit="B", source=_PAGED)
def sequence_bytes(
    *, key_value_bytes: Array, index_bytes: Array, recurrent_state_bytes: Array, stage_share: Array
) -> Array:
    """Cache per sequence on one accelerator of the largest pipeline stage."""
    return (key_value_bytes + index_bytes + recurrent_state_bytes) * stage_share


@quantity(unit="B", source=_PAGED, at="performance.kv_bytes_per_request")
def kv_bytes_per_request(
    *, key_value_bytes: Array, index_bytes: Array, recurrent_state_bytes: Array
) -> Array:
    """KV cache per request."""
    return key_value_bytes + index_bytes + recurrent_state_bytes


def sequence_held_bytes(
    *,
    architecture: Architecture,
    layout: ServingLayout,
    parts: PartPrecision,
    sequence_tokens: Array,
    shared_tokens: Array,
    assumptions: ServingMemoryAssumptions,
) -> Array:
    """What one sequence keeps on one accelerator of a layout, its state whatever its length included.

    `shared_tokens` at its start are those of every other sequence too: `prefix_bytes` has them. Validity:
    keys and values are not cut along the sequence (no context-parallel decoding); a copy of a state for each
    speculated token is left out.
    """
    a, m = assumptions, architecture
    kept = _kept_bytes(
        architecture=m,
        tensor_parallel=layout.tensor_parallel,
        parts=parts,
        full=_own_tokens(sequence_tokens, shared_tokens, a),
        window=_window_tokens(m, sequence_tokens, a),
        assumptions=a,
    )
    state = recurrent_state_bytes(
        linear_layers=m.linear_layers,
        state_elements=m.linear_state_elements,
        state_element_bytes=a.state_element_bytes,
        tensor_parallel=layout.tensor_parallel,
    )
    stage = longest_stage_share(layers=m.layers, pipeline_parallel=layout.pipeline_parallel)
    return sequence_bytes(**kept, recurrent_state_bytes=state, stage_share=stage)


def prefix_bytes(
    *,
    architecture: Architecture,
    layout: ServingLayout,
    parts: PartPrecision,
    shared_tokens: Array,
    assumptions: ServingMemoryAssumptions,
) -> Array:
    """Memory of the full blocks of a prefix that all sequences share, held once on one accelerator.

    Without window and recurrent layers, whose cache each sequence holds itself.
    """
    a, m = assumptions, architecture
    full = shared_block_tokens(shared_tokens=shared_tokens, block_tokens=a.kv_block_tokens)
    kept = _kept_bytes(
        architecture=m,
        tensor_parallel=layout.tensor_parallel,
        parts=parts,
        full=full,
        window=0 * full,
        assumptions=a,
    )
    stage = longest_stage_share(layers=m.layers, pipeline_parallel=layout.pipeline_parallel)
    return sequence_bytes(**kept, recurrent_state_bytes=0 * full, stage_share=stage)


def request_bytes(
    *,
    architecture: Architecture,
    parts: PartPrecision,
    sequence_tokens: Array,
    assumptions: ServingMemoryAssumptions,
    shared_tokens: Array = NONE,
) -> Array:
    """What one request keeps in all, on however many accelerators: what crosses from prefill to decode.

    Without `shared_tokens` at its start, which are those of every other request too.
    """
    a, m, alone = assumptions, architecture, np.ones(1)
    kept = _kept_bytes(
        architecture=m,
        tensor_parallel=alone,
        parts=parts,
        full=_own_tokens(sequence_tokens, shared_tokens, a),
        window=_window_tokens(m, sequence_tokens, a),
        assumptions=a,
    )
    state = recurrent_state_bytes(
        linear_layers=m.linear_layers,
        state_elements=m.linear_state_elements,
        state_element_bytes=a.state_element_bytes,
        tensor_parallel=alone,
    )
    return kv_bytes_per_request(**kept, recurrent_state_bytes=state)


def _own_tokens(tokens: Array, shared_tokens: Array, a: ServingMemoryAssumptions) -> Array:
    """Room for tokens of a sequence in its own blocks."""
    return own_block_tokens(
        rounded_tokens=block_rounded_tokens(tokens=tokens, block_tokens=a.kv_block_tokens),
        shared_block_tokens=shared_block_tokens(shared_tokens=shared_tokens, block_tokens=a.kv_block_tokens),
    )


def _window_tokens(m: Architecture, tokens: Array, a: ServingMemoryAssumptions) -> Array:
    """Room for tokens in a layer with a sliding window."""
    held = window_held_tokens(tokens=tokens, window_tokens=m.window_tokens)
    return block_rounded_tokens(tokens=held, block_tokens=a.kv_block_tokens)


def _kept_bytes(
    *,
    architecture: Architecture,
    tensor_parallel: Array,
    parts: PartPrecision,
    full: Array,
    window: Array,
    assumptions: ServingMemoryAssumptions,
) -> dict[str, Array]:
    """Keys and values and index keys on one tensor-parallel rank, over all layers."""
    m = architecture
    return {
        "key_value_bytes": key_value_bytes(
            attention_layers=m.attention_layers,
            window_layers=m.window_layers,
            full_tokens=full,
            window_tokens=window,
            elements_per_token=kv_elements_per_token(
                kv_heads=m.kv_heads,
                head_dim=m.head_dim,
                latent_kv_rank=m.latent_kv_rank,
                rope_dim=m.latent_rope_dim,
            ),
            element_bytes=parts.kv_element_bytes,
            kv_shards=kv_shards(
                tensor_parallel=tensor_parallel, kv_heads=m.kv_heads, latent_kv_rank=m.latent_kv_rank
            ),
        ),
        "index_bytes": index_bytes(
            attention_layers=m.attention_layers,
            tokens=full,
            index_elements=m.index_elements,
            index_element_bytes=assumptions.index_element_bytes,
        ),
    }


DOWN_TO = {
    ACCELERATOR: (),
    TIERS[HOST]: (TIERS[HOST],),
    TIERS[PEER]: (TIERS[PEER],),
    TIERS[DRIVES]: (TIERS[HOST], TIERS[DRIVES]),
    TIERS[POOL]: (TIERS[POOL],),
}
"""Names of the tiers that a prefix cache goes down to, by the last."""


def cache_tier(name: str, supernode: SuperNode, of_chips: PerformanceAssumptions) -> MemoryTier | None:
    """The tier of a name; None for the accelerators' own memory."""
    return None if name == ACCELERATOR else _by_name(_tiers(supernode, of_chips))[name]


def cache_tiers(name: str, supernode: SuperNode, of_chips: PerformanceAssumptions) -> tuple[MemoryTier, ...]:
    """Tiers below the accelerators' own memory that contexts go down, up to the one of a name.

    Drives stand behind the host; other accelerators hold what no host does.
    """
    there = _by_name(_tiers(supernode, of_chips))
    return tuple(there[one] for one in DOWN_TO[name])


def host_tier(supernode: SuperNode, of_chips: PerformanceAssumptions) -> MemoryTier:
    """The memory of the host, an accelerator's share of it."""
    return _tiers(supernode, of_chips).host


def tiers_there(supernode: SuperNode, of_chips: PerformanceAssumptions) -> tuple[str, ...]:
    """Names of the tiers that a SuperNode has, the accelerators' own first; one of unknown size is there."""
    tiers = _by_name(_tiers(supernode, of_chips))
    has = {name: first_of(tier.capacity_bytes) != 0 for name, tier in tiers.items()}
    has[TIERS[PEER]] &= first_of(supernode.scale_up_domain_accelerators) != 1
    return (ACCELERATOR, *(name for name, there in has.items() if there))


def _by_name(tiers: MemoryTiers) -> dict[str, MemoryTier]:
    found = {TIERS[HOST]: tiers.host, TIERS[PEER]: tiers.peer, TIERS[DRIVES]: tiers.drives}
    return found if tiers.pool is None else found | {TIERS[POOL]: tiers.pool}


def _tiers(supernode: SuperNode, of_chips: PerformanceAssumptions) -> MemoryTiers:
    accelerator, a = supernode.accelerator, of_chips
    return memory_tiers(
        supernode=supernode,
        neighbour_bytes_per_s=neighbour_bandwidth_bytes_per_s(
            pair_bandwidth_bytes_per_s=sustained_pair_bandwidth_bytes_per_s(
                scale_up_pair_bandwidth_bytes_per_s=accelerator.scale_up_pair_bandwidth_bytes_per_s,
                scale_up_efficiency=a.scale_up_efficiency,
            ),
            full_bandwidth_bytes_per_s=sustained_scale_up_bandwidth_bytes_per_s(
                scale_up_bandwidth_bytes_per_s=accelerator.scale_up_bandwidth_bytes_per_s,
                scale_up_efficiency=a.scale_up_efficiency,
            ),
        ),
        memory_bandwidth_bytes_per_s=sustained_memory_bandwidth_bytes_per_s(
            memory_bandwidth_bytes_per_s=accelerator.memory_bandwidth_bytes_per_s,
            memory_bandwidth_fraction=a.memory_bandwidth_fraction,
        ),
        assumptions=a,
    )
