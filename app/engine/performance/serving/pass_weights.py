"""Weights that a rank reads in one pass over a chunk of input."""

from __future__ import annotations

from app.engine.performance.serving.expert_load import experts_in_use
from app.engine.performance.serving.machine import HostSide
from app.engine.performance.serving.ranks import ranks_of
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
