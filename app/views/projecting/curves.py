"""What the charts of a projection draw: the laws over compute, and the valley of equal compute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.choose import NEEDS, SERVING, SERVING_INPUT, LawInputs, curve_of
from app.engine.scaling.curve import Curve
from app.engine.scaling.doubt import within_fit
from app.engine.scaling.law import FLOP_PER_PARAMETER_AND_TOKEN, ScalingLaw
from app.engine.scaling.solve import Model, optimal
from app.engine.trace import Array
from app.views.projecting.options import ProjectionOptions

STEPS = 61
LEAST_FLOPS, MOST_FLOPS = 1e18, 1e26
"""Compute that is drawn whatever is asked; more where the model is beyond it."""
BESIDE = 10.0  # times the compute of the model that is drawn beyond it
VALLEY_STEPS = 81
VALLEY = 30.0  # times the best parameters, up and down


def curves(options: ProjectionOptions, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Plain data of the charts of a projection, which `answer` is the outcome of."""
    laws, flops = scaling_laws(), _compute(answer["model"]["flops"])
    drawn, left_out = [], []
    for key, law in laws.items():
        if key == SERVING and options.law != SERVING:
            continue  # it has the curve of its base, which is drawn
        needed = SERVING_INPUT if key == SERVING else NEEDS.get(law.form)
        if needed and getattr(options, needed) is None:
            left_out.append({"key": key, "name": law.name, "needs": needed})
        else:
            drawn.append(_line(law, _curve(law, laws, options), flops))
    chosen = laws[options.law]
    return {
        "law": options.law,
        "flops": flops.tolist(),
        "laws": drawn,
        "left_out": left_out,
        "valley": _valley(chosen, _curve(chosen, laws, options), answer),
    }


def _compute(model_flops: float) -> Array:
    low = min(LEAST_FLOPS, model_flops / BESIDE)
    high = max(MOST_FLOPS, model_flops * BESIDE)
    return np.geomspace(low, high, STEPS)


def _curve(law: ScalingLaw, laws: Mapping[str, ScalingLaw], options: ProjectionOptions) -> Curve:
    needed = SERVING_INPUT if law.key == SERVING else NEEDS.get(law.form)
    inputs = {needed: getattr(options, needed)} if needed else {}
    return curve_of(law, laws, LawInputs(**inputs))


def _line(law: ScalingLaw, curve: Curve, flops: Array) -> dict[str, Any]:
    """The best models of a law over compute; those of a law for one number of tokens where it has no best."""
    if curve.fixed_tokens is None:
        best = optimal(curve, flops)
    else:
        best = _models(curve, flops / (FLOP_PER_PARAMETER_AND_TOKEN * curve.fixed_tokens), flops)
    return {
        "key": law.key,
        "name": law.name,
        "has_optimum": curve.fixed_tokens is None,
        "loss": best.loss.tolist() if curve.has_loss else None,
        "parameters": best.parameters.tolist(),
        "tokens": best.tokens.tolist(),
        "tokens_per_parameter": (best.tokens / best.parameters).tolist(),
        "inside": _inside(law, best),
    }


def _valley(law: ScalingLaw, curve: Curve, answer: Mapping[str, Any]) -> dict[str, Any] | None:
    """Models of other sizes for the same compute; None where the law has no loss or no choice of size."""
    model, best = answer["model"], answer["optimal"]
    if best is None or not curve.has_loss:
        return None
    middle, own = best["parameters"], model["parameters"]
    sizes = np.geomspace(min(middle, own) / VALLEY, max(middle, own) * VALLEY, VALLEY_STEPS)
    flops = np.full(sizes.shape, model["flops"])
    models = _models(curve, sizes, flops)
    return {
        "flops": model["flops"],
        "parameters": sizes.tolist(),
        "tokens": models.tokens.tolist(),
        "loss": models.loss.tolist(),
        "inside": _inside(law, models),
        "optimum": best,
        "optimum_is_least": curve.has_minimum,
        "chosen": model,
        "band": answer["intervals"]["law"]["optimal_parameters"],
        "loss_band": answer["intervals"]["law"]["loss"],
    }


def _models(curve: Curve, parameters: Array, flops: Array) -> Model:
    tokens = flops / (FLOP_PER_PARAMETER_AND_TOKEN * parameters)
    return Model(parameters=parameters, tokens=tokens, flops=flops, loss=curve.loss(parameters, tokens))


def _inside(law: ScalingLaw, models: Model) -> list[bool]:
    laws = scaling_laws()
    inside: list[bool] = within_fit(law, laws.get(law.base, law), models).tolist()
    return inside
