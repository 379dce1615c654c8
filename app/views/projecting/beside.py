"""What some laws say beside the model: what serving costs, what experts are worth, how often data is seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.scaling.choose import OutsideLawError
from app.engine.scaling.curve import Curve
from app.engine.scaling.law import ScalingLaw
from app.engine.scaling.repetition import effective_amount
from app.engine.scaling.routing import effective_dense_parameters, saturating_experts
from app.engine.scaling.serving import cheapest_to_own, lifetime_of
from app.engine.scaling.solve import Model, flops_to_reach, optimal


def serving(curve: Curve, model: Model, inference_tokens: float | None) -> dict[str, Any] | None:
    """Compute over the life of the model, and the model of the same loss that takes the least."""
    if inference_tokens is None:
        return None
    served = np.array([inference_tokens])
    whole = lifetime_of(model, served)
    least = optimal(curve, flops_to_reach(curve, model.loss))
    cheapest = cheapest_to_own(curve, model.loss, served, least.parameters)
    after = lifetime_of(cheapest, served)
    if not np.isfinite(after).all():
        raise OutsideLawError(
            "inference_tokens", "No smaller model of the law has the loss.", "Leave inference_tokens out."
        )
    return {
        "inference_tokens": inference_tokens,
        "lifetime_flops": float(whole[0]),
        "cheapest": {
            "parameters": float(cheapest.parameters[0]),
            "tokens": float(cheapest.tokens[0]),
            "flops": float(cheapest.flops[0]),
            "lifetime_flops": float(after[0]),
        },
        "saved_share": float(1 - after[0] / whole[0]),
    }


def effective_dense(law: ScalingLaw, model: Model, experts: float | None) -> float | None:
    """Parameters of the dense model with the loss of a routed one."""
    if law.form != "routed" or experts is None:
        return None
    e_start = np.array(law.value("e_start"))
    counted = saturating_experts(
        experts=np.array(experts), e_start=e_start, e_max=np.array(law.value("e_max"))
    )
    found = effective_dense_parameters(
        parameters=model.parameters,
        saturating_experts=counted,
        e_start=e_start,
        **{name: np.array(law.value(name)) for name in ("a", "b", "c")},
    )
    return float(found[0])


def epochs(law: ScalingLaw, model: Model, unique_tokens: float | None) -> dict[str, float] | None:
    """Number of epochs over a corpus, and the equivalent unique tokens."""
    if unique_tokens is None:
        return None
    worth = effective_amount(
        total=model.tokens, unique=np.array(unique_tokens), decay=np.array(law.value("r_d"))
    )
    return {
        "epochs": float(model.tokens[0]) / unique_tokens,
        "effective_tokens": float(worth[0]),
        "worth_share": float(worth[0] / model.tokens[0]),
    }
