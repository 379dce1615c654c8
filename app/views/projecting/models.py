"""Models of a wanted size for a scenario: the nearest of the catalog, and a dense one that is scaled to it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.scaling.shape import layers_of_size, width_of_size
from app.engine.workload.transformer import parameter_counts
from app.scenarios.errors import refuse
from app.scenarios.resolve.workload import shape_of

HEAD_DIM = 128
VOCABULARY = 50_257
ASPECT_RATIO = 128.0
SHAPE_SOURCE = (
    "Width over depth 128, heads of 128, an MLP four times as wide and 50,257 tokens of vocabulary are those of "
    "GPT-3 175B (Brown et al. 2020, arXiv 2005.14165, table 2.1); heads come in eights, which a server can share. The loss hardly depends on the shape "
    "(Kaplan et al. 2020, arXiv 2001.08361, section 3.1)."
)
LEAST_RATIO, MOST_RATIO = 8.0, 1024.0
LARGEST = 1e15
"""Parameters beyond which no layers and widths are made up."""


class NamedModel(NamedTuple):
    """A model of the catalog, and the parameters that one token of it uses."""

    key: str
    name: str
    active_parameters: float


def nearest_model(catalog: Catalog, parameters: float) -> NamedModel:
    """The model of the catalog whose active parameters are nearest, by their ratio."""
    return min(counted_models(catalog), key=lambda model: abs(math.log(model.active_parameters / parameters)))


def scaled_architecture(parameters: float, aspect_ratio: float = ASPECT_RATIO) -> dict[str, Any]:
    """A dense transformer of nearly so many parameters, as a scenario writes it out.

    Raises
    ------
    ScenarioError : the aspect ratio or the size is out of range
    """
    if not LEAST_RATIO <= aspect_ratio <= MOST_RATIO:
        raise refuse(
            f"{aspect_ratio:g} must be between {LEAST_RATIO:g} and {MOST_RATIO:g}.",
            rule="range",
            path="aspect_ratio",
            value=aspect_ratio,
            hint="128 is that of GPT-3.",
        )
    if parameters > LARGEST:
        raise refuse(
            f"{parameters:.3g} parameters are more than {LARGEST:g}.",
            rule="at_most",
            path="parameters",
            value=parameters,
            hint="Choose a smaller model.",
        )
    size, vocabulary = np.array([parameters]), np.array([float(VOCABULARY)])
    width = width_of_size(
        parameters=size,
        aspect_ratio=np.array([aspect_ratio]),
        vocabulary=vocabulary,
        head_dim=np.array([float(HEAD_DIM)]),
    )
    layers = layers_of_size(parameters=size, hidden=width, vocabulary=vocabulary)
    hidden = int(width[0])
    return {
        "name": f"Dense {parameters:.3g}, scaled",
        "layers": int(layers[0]),
        "hidden": hidden,
        "heads": hidden // HEAD_DIM,
        "vocabulary": VOCABULARY,
        "tied_embedding": True,
        "feed_forward_hidden": 4 * hidden,
        "mlp_matrices": 2,
    }


@lru_cache(maxsize=4)
def counted_models(catalog: Catalog) -> tuple[NamedModel, ...]:
    """Models of the catalog whose parameters the engine can count."""
    found = []
    for part in catalog.parts("models"):
        active = float(
            parameter_counts(architecture=shape_of(part).architecture(part.key, part.name)).active[0]
        )
        if math.isfinite(active) and active > 0:
            found.append(NamedModel(part.key, part.name, active))
    return tuple(found)
