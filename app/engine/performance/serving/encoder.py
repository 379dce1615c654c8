"""Encoders of images, video and sound: their memory, and their work on a prompt before its prefill."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.pass_weights import weight_read_s
from app.engine.quantities import quantity
from app.engine.specs import Encoder, ServingLayout
from app.engine.trace import Array

_VIT = (
    "[1] Dosovitskiy et al. 2020, arXiv 2010.11929 (ViT); [2] Radford et al. 2022, arXiv 2212.04356 (Whisper)"
)
_WINDOWED = "[1] Bai et al. 2025, arXiv 2502.13923 (Qwen2.5-VL: windows in all layers but four)"

PART = "encoder"
"""The part of the time to first token, and of the memory."""
ELEMENT_BYTES = 2.0
"""Encoders are kept and multiplied in 16 bit, whatever the language model is kept in."""


@quantity(unit="1", source=_VIT)
def encoder_layer_parameters(*, hidden: Array, inner: Array, matrices: Array) -> Array:
    """Parameters of a layer of an encoder: four of attention, and its feed-forward block."""
    return 4 * hidden**2 + matrices * hidden * inner


@quantity(unit="B", source=_VIT, at="performance.memory_breakdown_bytes.encoder", short="Encoder")
def encoder_weight_bytes(
    *, layers: Array, layer_parameters: Array, projector_parameters: Array, tensor_parallel: Array
) -> Array:
    """Encoder of images or sound, its projector included."""
    return (layers * layer_parameters + projector_parameters) * ELEMENT_BYTES / tensor_parallel


@quantity(unit="FLOP", source=f"{_VIT}; {_WINDOWED}")
def encoder_flop(
    *,
    spans: Array,
    positions: Array,
    layers: Array,
    layer_parameters: Array,
    windowed_layers: Array,
    window_positions: Array,
    hidden: Array,
    tokens: Array,
    projector_parameters: Array,
) -> Array:
    """FLOPs of encoding the media of a prompt.

    2 for each position and parameter; 4 h for each pair of positions of a span, of which windowed layers see a window
    alone; and the projector, 2 for each token and parameter.
    """
    pairs = (layers - windowed_layers) * positions + windowed_layers * np.minimum(window_positions, positions)
    each = positions * (2 * layers * layer_parameters + 4 * hidden * pairs)
    return spans * each + 2 * tokens * projector_parameters


@quantity(unit="s", source=_VIT)
def encoder_s(
    *,
    flop: Array,
    tensor_parallel: Array,
    peak_16_bit_flop_per_s: Array,
    efficiency: Array,
    read_s: Array,
    kernels: Array,
    kernel_time_s: Array,
    new_share: Array,
) -> Array:
    """Encoding the media of a prompt, those that a prefix cache has left out.

    The longer of accelerators and host, with a soft corner; tensor-parallel ranks share the work.
    """
    multiply = flop * new_share / (tensor_parallel * peak_16_bit_flop_per_s * efficiency)
    return np.sqrt((multiply + read_s) ** 2 + (kernels * kernel_time_s) ** 2)


def encoder_bytes_of(encoder: Encoder, layout: ServingLayout) -> Array:
    """Weights of an encoder on one accelerator."""
    return encoder_weight_bytes(
        layers=encoder.layers,
        layer_parameters=_layer(encoder),
        projector_parameters=encoder.projector_parameters,
        tensor_parallel=layout.tensor_parallel,
    )


def encoder_s_of(
    encoder: Encoder,
    layout: ServingLayout,
    machine: ServingMachine,
    cached_share: Array,
    a: ServingAssumptions,
) -> Array:
    """Encoding the media of one prompt on one replica of attention."""
    return encoder_s(
        flop=encoder_flop(
            spans=encoder.spans,
            positions=encoder.positions,
            layers=encoder.layers,
            layer_parameters=_layer(encoder),
            windowed_layers=encoder.windowed_layers,
            window_positions=encoder.window_positions,
            hidden=encoder.hidden,
            tokens=encoder.tokens,
            projector_parameters=encoder.projector_parameters,
        ),
        tensor_parallel=layout.tensor_parallel,
        peak_16_bit_flop_per_s=machine.peak_16_bit_flop_per_s,
        efficiency=a.prefill_matmul_efficiency,
        read_s=weight_read_s(
            weight_bytes=encoder_bytes_of(encoder, layout),
            bandwidth_bytes_per_s=machine.memory_bandwidth_bytes_per_s,
            efficiency=a.weight_read_efficiency,
        ),
        kernels=encoder.layers * a.encoder_kernels,
        kernel_time_s=a.prefill_kernel_time_s,
        new_share=1 - cached_share,
    )


def _layer(encoder: Encoder) -> Array:
    return encoder_layer_parameters(hidden=encoder.hidden, inner=encoder.inner, matrices=encoder.matrices)
