"""A model that will be served: smaller and trained for longer, it costs less over its life."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.additive import training_flop
from app.engine.scaling.curve import MOST, Curve, where_equal, where_least
from app.engine.scaling.solve import INFINITE, Model
from app.engine.trace import Array

FLOP_PER_SERVED_PARAMETER_AND_TOKEN = 2.0
"""The forward pass alone."""
SMALLEST_SHARE = 1e-3
"""Of the parameters, that a smaller model is looked for at."""


@quantity(unit="FLOP", source="[1] Sardana et al. 2023, arXiv 2401.00448, equation 2")
def lifetime_flop(*, parameters: Array, training_flop: Array, inference_tokens: Array) -> Array:
    """Compute of training and serving.

    6 N D + 2 N D_served.
    """
    return training_flop + FLOP_PER_SERVED_PARAMETER_AND_TOKEN * parameters * inference_tokens


def lifetime_of(model: Model, inference_tokens: Array) -> Array:
    """Compute of training and serving a model."""
    return lifetime_flop(
        parameters=model.parameters, training_flop=model.flops, inference_tokens=inference_tokens
    )


def cheapest_to_own(curve: Curve, loss: Array, inference_tokens: Array, largest: Array) -> Model:
    """The model of a loss that takes the least compute over its life.

    Parameters
    ----------
    largest : parameters of the compute-optimal model, which is the best when nothing is served
    """
    floor = where_equal(lambda parameters: curve.loss(parameters, INFINITE), loss)
    smallest = np.maximum(largest * SMALLEST_SHARE, floor * (1 + 1e-9))

    def tokens_of(parameters: Array) -> Array:
        wanted = np.broadcast_to(loss[..., None] if parameters.ndim > loss.ndim else loss, parameters.shape)
        return where_equal(lambda tokens: curve.loss(parameters, tokens), wanted, high=MOST)

    def life(parameters: Array) -> Array:
        served = inference_tokens[..., None]
        trained = training_flop(parameters=parameters, tokens=tokens_of(parameters))
        return lifetime_flop(parameters=parameters, training_flop=trained, inference_tokens=served)

    parameters = where_least(life, smallest, largest)
    tokens = tokens_of(parameters)
    flops = training_flop(parameters=parameters, tokens=tokens)
    return Model(parameters=parameters, tokens=tokens, flops=flops, loss=loss)
