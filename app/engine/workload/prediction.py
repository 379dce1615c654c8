"""Multi-token prediction: modules that predict tokens further ahead while a model is trained.

Each module is one more transformer layer behind the model, with a projection that joins what came before it and
the embedding of the next token. Embedding and output head are those of the model. They are dropped after training:
what is published of a model is counted without them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array
from app.engine.workload.flops import FlopCounts, flop_counts
from app.engine.workload.transformer import ParameterCounts, parameter_counts

_PREDICTION = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 2.2 (multi-token prediction)"


@quantity(unit="1", source=_PREDICTION)
def projection_parameters(*, hidden: Array) -> Array:
    """Parameters of the projection of a prediction module: 2 h x h, from two joined vectors to one."""
    return 2 * hidden * hidden


@quantity(unit="1", source=_PREDICTION)
def module_parameters(
    *, prediction_modules: Array, dense_of_layer: Array, routed_of_layer: Array, projection: Array
) -> Array:
    """Parameters of all prediction modules, experts and all.

    Embedding and output head are shared with the model; norms are not counted, as in the model.
    """
    return prediction_modules * (dense_of_layer + routed_of_layer + projection)


@quantity(unit="1", source=_PREDICTION)
def dense_module_parameters(*, prediction_modules: Array, dense_of_layer: Array, projection: Array) -> Array:
    """Parameters of all prediction modules outside the routed experts."""
    return prediction_modules * (dense_of_layer + projection)


@quantity(unit="1", source=_PREDICTION)
def routed_module_parameters(*, prediction_modules: Array, routed_of_layer: Array) -> Array:
    """Routed expert parameters of all prediction modules."""
    return prediction_modules * routed_of_layer


@quantity(unit="FLOP", source=_PREDICTION)
def module_forward_flop_per_token(
    *, prediction_modules: Array, layer_and_head_flop: Array, projection: Array
) -> Array:
    """Forward FLOPs of a token in all prediction modules.

    The layer and the output head once more for each, and 2 for each weight of the projection.
    """
    return prediction_modules * (layer_and_head_flop + 2 * projection)


@quantity(unit="1", source="[1] NVIDIA Megatron-Bridge, recipe of DeepSeek-V3 (pipeline layout with modules)")
def module_weight_layers(
    *, prediction_modules: Array, module_flop: Array, model_layers_flop: Array, layers: Array
) -> Array:
    """Layers that a pipeline counts all prediction modules as, so that stages take about as long.

    Each as many whole layers as come nearest to its FLOPs, output head and projection with them.
    """
    return prediction_modules * np.floor(module_flop / (model_layers_flop / layers) + 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionModules:
    """What multi-token prediction adds to a model; zero of everything where there are no modules."""

    modules: Array
    layer: Architecture  # the transformer layer of a module, as a model of one layer
    layer_flops: FlopCounts  # of the layer and the output head
    parameters: Array  # of all modules
    dense: Array  # of these outside the routed experts
    routed: Array
    forward_flop_per_token: Array
    weight_layers: Array  # layers that stages are dealt in place of the modules


def prediction_modules(
    *,
    architecture: Architecture,
    counts: ParameterCounts,
    flops: FlopCounts,
    modules: Array,
    sequence_length: Array,
) -> PredictionModules:
    """The modules of a model: their parameters and FLOPs."""
    layer = module_layer(architecture)
    layer_counts = parameter_counts(architecture=layer)
    layer_flops = flop_counts(architecture=layer, counts=layer_counts, sequence_length=sequence_length)
    projection = projection_parameters(hidden=architecture.hidden)
    dense = {"prediction_modules": modules, "dense_of_layer": layer_counts.dense_per_layer}
    routed = {"prediction_modules": modules, "routed_of_layer": layer_counts.routed_per_layer}
    return PredictionModules(
        modules=modules,
        layer=layer,
        layer_flops=layer_flops,
        parameters=module_parameters(**dense | routed, projection=projection),
        dense=dense_module_parameters(**dense, projection=projection),
        routed=routed_module_parameters(**routed),
        forward_flop_per_token=module_forward_flop_per_token(
            prediction_modules=modules, layer_and_head_flop=layer_flops.forward, projection=projection
        ),
        weight_layers=module_weight_layers(
            prediction_modules=modules,
            module_flop=layer_flops.forward + 2 * projection,
            model_layers_flop=flops.forward - 2 * counts.embedding,
            layers=architecture.layers,
        ),
    )


def module_layer(architecture: Architecture) -> Architecture:
    """The layer of a module: with experts where the model has them, a window only where all its layers have one."""
    a, one = architecture, np.ones(1)
    return replace(
        a,
        layers=one,
        attention_layers=one,
        expert_layers=np.minimum(a.expert_layers, 1),
        window_layers=np.where(a.window_layers >= a.attention_layers, 1.0, 0.0),
    )


_SHORT = "[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B (model FLOPs utilisation)"


@quantity(unit="s", source=_SHORT)
def productive_time_s(*, flops: Array, accelerators: Array, peak_flop_per_s: Array, mfu: Array) -> Array:
    """Productive time of a run by its compute.

    T = C / (n P MFU).

    Parameters
    ----------
    flops : C, model FLOPs of the run [FLOP]
    accelerators : n [1]
    peak_flop_per_s : P of one accelerator, dense [FLOP/s]
    mfu : model FLOPs done over those that the peak allows [1]
    """
    return flops / (accelerators * peak_flop_per_s * mfu)


@quantity(unit="s", source="definition")
def time_with_goodput_s(*, productive_time_s: Array, goodput: Array) -> Array:
    """Elapsed time of a run by its goodput.

    T / g: what failures, restarts and checkpoints take comes on top.
    """
    return productive_time_s / goodput


@quantity(unit="s", source="formula of an article, kept for comparison with the short one")
def time_with_two_efficiencies_s(
    *,
    flops: Array,
    accelerators: Array,
    peak_flop_per_s: Array,
    acceleration_factor: Array,
    efficiency: Array,
) -> Array:
    """Time of a run by total speed with an acceleration factor, over an efficiency.

    C / (P n a) / e. Both factors say how far the whole falls behind the sum of its peaks: with the MFU
    in both, the same loss is counted twice.
    """
    total_speed = peak_flop_per_s * accelerators * acceleration_factor
    return flops / total_speed / efficiency


@quantity(unit="FLOP", source=_SHORT)
def compute_of_run_flop(*, accelerators: Array, days: Array, peak_flop_per_s: Array, mfu: Array) -> Array:
    """Model FLOPs of a run by its length.

    C = n t P MFU.
    """
    return accelerators * days * 86_400 * peak_flop_per_s * mfu
