"""The shipped laws as curves, and numbers as arrays."""

from __future__ import annotations

import numpy as np

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.choose import LawInputs, curve_of
from app.engine.scaling.curve import Curve
from app.engine.scaling.solve import Given, Model, solve
from app.engine.trace import Array

INPUTS = {
    "data_constrained": LawInputs(unique_tokens=25e9),
    "moe_routed": LawInputs(experts=8),
    "moe_joint": LawInputs(experts=8),
    "inference_aware": LawInputs(inference_tokens=2e12),
    "precision": LawInputs(bits=8),
}
WITH_MINIMUM = (
    "epoch_refit",
    "chinchilla_3",
    "data_constrained",
    "moe_joint",
    "inference_aware",
    "precision",
)
WITHOUT_LOSS = ("chinchilla_1", "chinchilla_2", "llama_3", "deepseek")


def curve(key: str, **inputs: float) -> Curve:
    laws = scaling_laws()
    return curve_of(laws[key], laws, LawInputs(**inputs) if inputs else INPUTS.get(key, LawInputs()))


def array(value: float) -> Array:
    return np.array([value])


def solved(key: str, **given: float) -> Model:
    return solve(curve(key), Given(**{name: array(value) for name, value in given.items()}))
