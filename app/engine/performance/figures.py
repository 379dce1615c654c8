"""The key figures of a training run that follow from its step time."""

from __future__ import annotations

from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_MFU = "[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B (model and hardware FLOPs utilisation)"


@quantity(unit="tokens", source="definition")
def tokens_per_step(*, global_batch_sequences: Array, sequence_length: Array) -> Array:
    """Tokens of one optimiser step."""
    return global_batch_sequences * sequence_length


@quantity(unit="1", source="definition")
def steps(*, tokens: Array, tokens_per_step: Array) -> Array:
    """Optimiser steps of the run."""
    return tokens / tokens_per_step


@quantity(unit="tokens/s", source="definition", key=True)
def tokens_per_s(*, tokens_per_step: Array, step_time_s: Array) -> Array:
    """Throughput: tokens trained."""
    return tokens_per_step / step_time_s


@quantity(unit="tokens/s", source="definition", key=True, better="more")
def tokens_per_s_per_accelerator(*, tokens_per_s: Array, accelerators_used: Array) -> Array:
    """Throughput per accelerator: tokens trained."""
    return tokens_per_s / accelerators_used


@quantity(unit="FLOP/s", source=_MFU)
def model_flop_per_s_per_accelerator(
    *, tokens_per_s_per_accelerator: Array, model_flop_per_token: Array
) -> Array:
    """Achieved model FLOP/s per accelerator.

    Causal attention halved, output head counted; input embedding, recomputation and the modules of multi-token
    prediction not.
    """
    return tokens_per_s_per_accelerator * model_flop_per_token


@quantity(unit="1", percent=True, source=_MFU, short="MFU", key=True, better="more")
def mfu(*, model_flop_per_s_per_accelerator: Array, peak_flop_per_s: Array) -> Array:
    """Model FLOPs utilisation.

    Achieved model FLOP/s over the dense peak at the precision of the run.
    """
    return model_flop_per_s_per_accelerator / peak_flop_per_s


@quantity(unit="FLOP/s", source=_MFU)
def hardware_flop_per_s_per_accelerator(
    *,
    tokens_per_s_per_accelerator: Array,
    model_flop_per_token: Array,
    recomputed_flop_per_token: Array,
    prediction_flop_per_token: Array,
) -> Array:
    """Achieved hardware FLOP/s per accelerator.

    With the forward FLOPs that are done again in the backward pass, and all FLOPs of multi-token prediction.
    """
    done = model_flop_per_token + recomputed_flop_per_token + prediction_flop_per_token
    return tokens_per_s_per_accelerator * done


@quantity(unit="1", percent=True, source=_MFU, short="HFU", key=True)
def hfu(*, hardware_flop_per_s_per_accelerator: Array, peak_flop_per_s: Array) -> Array:
    """Hardware FLOPs utilisation.

    Over the dense peak at the precision of the workload.
    """
    return hardware_flop_per_s_per_accelerator / peak_flop_per_s


prediction_parameters = alias(
    "prediction_parameters",
    "Parameters of multi-token prediction",
    of="parameters",
    at="performance.prediction_parameters",
    source="[1] DeepSeek-AI 2024, arXiv 2412.19437, section 2.2 (multi-token prediction)",
    note="Trained beside those of the model, dropped after training.",
)


@quantity(unit="s", source="definition", key=True)
def training_time_s(*, steps: Array, step_time_s: Array) -> Array:
    """Productive training time.

    All steps one after the other, without failures, restarts and checkpoints.
    """
    return steps * step_time_s


@quantity(unit="s", source="[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)")
def roofline_step_time_s(
    *, tokens_per_step: Array, model_flop_per_token: Array, peak_flop_per_s: Array, accelerators_used: Array
) -> Array:
    """Step time at peak.

    Model FLOPs over the dense peak of all accelerators: idealised, what no run can beat.
    """
    return tokens_per_step * model_flop_per_token / (peak_flop_per_s * accelerators_used)


memory_capacity_bytes = alias(
    "memory_capacity_bytes",
    "Memory capacity per accelerator",
    of="memory_bytes",
    at="performance.memory_capacity_bytes",
    unit="B",
)
