"""What an accelerator reads from its memory in one decode step, as the model of that step reads it."""

from __future__ import annotations

from app.engine.performance.serving.attention_step import index_read_bytes, read_tokens, state_traffic_bytes
from app.engine.performance.serving.decode import sequences_per_rank, sequences_per_stage
from app.engine.performance.serving.expert_load import copies_of_attention, experts_in_use
from app.engine.performance.serving.footprint import running_tokens
from app.engine.performance.serving.kv_cache import kv_shards
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.speculation import step_tokens
from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array

_STAGES = (
    "definition: while a token passes all stages of a pipeline, each stage works on as many groups of sequences, "
    "so an accelerator reads its own layers as often as there are stages"
)


@quantity(unit="B", source=_STAGES)
def step_weight_bytes(
    *,
    dense_parameters: Array,
    dense_parameter_bytes: Array,
    head_parameters: Array,
    head_parameter_bytes: Array,
    tensor_parallel: Array,
) -> Array:
    """Weights outside the routed experts, output head included, of all layers."""
    dense = dense_parameters * dense_parameter_bytes + head_parameters * head_parameter_bytes
    return dense / tensor_parallel


@quantity(unit="B", source="[1] Shazeer et al. 2017, arXiv 1701.06538 (experts that a batch uses)")
def step_expert_bytes(
    *,
    expert_layers: Array,
    active_experts: Array,
    expert_parameters: Array,
    expert_parameter_bytes: Array,
    tensor_parallel: Array,
    data_parallel: Array,
) -> Array:
    """Weights of the experts in use, of all layers, in the mean over ranks."""
    used = expert_layers * active_experts * expert_parameters * expert_parameter_bytes
    return used / (tensor_parallel * data_parallel)


@quantity(unit="B", source="[1] DeepSeek-AI 2025, arXiv 2512.02556 (sparse attention); definition")
def step_cache_bytes(
    *,
    sequences: Array,
    read_tokens: Array,
    kv_elements: Array,
    kv_element_bytes: Array,
    kv_shards: Array,
    index_bytes: Array,
    state_bytes: Array,
) -> Array:
    """Keys and values that are looked at, index keys and states, of the sequences of a rank."""
    return sequences * (read_tokens * kv_elements * kv_element_bytes / kv_shards + index_bytes + state_bytes)


@quantity(unit="B", source="definition")
def decode_traffic_bytes(*, weight_bytes: Array, expert_bytes: Array, cache_bytes: Array) -> Array:
    """Memory traffic per accelerator of a decode step.

    Weights, of the experts those in use, and keys and values.
    """
    return weight_bytes + expert_bytes + cache_bytes


def decode_traffic(setting: Setting, layout: ServingLayout, batch: Array) -> Array:
    """Bytes of its memory that an accelerator of a decode instance reads while `batch` sequences get their next token."""
    m, model, parts = setting.workload.architecture, setting.model, setting.parts
    asked, tensor = setting.workload.requests, layout.tensor_parallel
    host = setting.machine.host
    here: tuple[Array | float, ...] = (1.0, 1.0, 1.0)
    if host is not None:
        here = (1 - host.dense_share, 1 - host.expert_share, 1 - host.cache_share)
    context = running_tokens(asked)
    staged = sequences_per_stage(sequences=batch, pipeline_parallel=layout.pipeline_parallel)
    return decode_traffic_bytes(
        weight_bytes=step_weight_bytes(
            dense_parameters=model.dense_parameters * here[0],
            dense_parameter_bytes=parts.dense_parameter_bytes,
            head_parameters=model.head_parameters,
            head_parameter_bytes=parts.head_parameter_bytes,
            tensor_parallel=tensor,
        ),
        expert_bytes=step_expert_bytes(
            expert_layers=m.expert_layers,
            active_experts=experts_in_use(model, layout, staged * step_tokens(setting.workload.speculation))
            * here[1],
            expert_parameters=model.expert_parameters,
            expert_parameter_bytes=parts.expert_parameter_bytes,
            tensor_parallel=tensor,
            data_parallel=copies_of_attention(layout),
        ),
        cache_bytes=step_cache_bytes(
            sequences=here[2]
            * sequences_per_rank(
                sequences=batch,
                data_parallel=layout.data_parallel,
                pipeline_parallel=layout.pipeline_parallel,
            ),
            read_tokens=read_tokens(
                attention_layers=m.attention_layers,
                window_layers=m.window_layers,
                window_tokens=m.window_tokens,
                sparse_tokens=m.sparse_tokens,
                tokens=context,
            ),
            kv_elements=model.kv_elements,
            kv_element_bytes=parts.kv_element_bytes,
            kv_shards=kv_shards(tensor_parallel=tensor, kv_heads=m.kv_heads, latent_kv_rank=m.latent_kv_rank),
            index_bytes=index_read_bytes(
                attention_layers=m.attention_layers, tokens=context, index_elements=m.index_elements
            ),
            state_bytes=state_traffic_bytes(
                linear_layers=m.linear_layers,
                state_elements=m.linear_state_elements,
                state_element_bytes=setting.assumptions.state_element_bytes,
                tensor_parallel=tensor,
            ),
        ),
    )
