"""What the memory of an accelerator that serves is reckoned with."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingMemoryAssumptions:
    """What the memory model assumes, chosen for the engine at hand."""

    memory_fraction: Array  # of an accelerator's memory, that the engine takes
    reserved_memory_bytes: Array  # of it, for context, communication library and CUDA graphs
    kv_block_tokens: Array
    index_element_bytes: Array  # with its scale
    state_element_bytes: Array
    chunk_tokens: Array  # prefilled in one pass
    residual_copies: Array  # of the hidden state that live at once in a layer
    logit_element_bytes: Array
    exchange_buffers: Array  # for each token and expert, that low-latency exchange keeps ready
