"""How sure a projection is: intervals of the law and of the design's speed, and where the law was fitted."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.scaling.choose import OutsideLawError
from app.engine.scaling.curve import Curve
from app.engine.scaling.doubt import PROBABILITY, beyond_fit, doubt
from app.engine.scaling.law import ScalingLaw
from app.engine.scaling.solve import Given, Model, optimal, solve
from app.engine.trace import Array
from app.views.projecting.design import DesignSpeed

WORDS = {"parameters": "parameters", "tokens": "tokens", "flops": "FLOP"}


def beyond(law: ScalingLaw, base: ScalingLaw, model: Model, experts: float | None) -> list[dict[str, Any]]:
    """Extrapolations beyond the data of the law, one sentence each."""
    found = [
        {"quantity": name, "factor": factor, "message": _sentence(WORDS[name], factor)}
        for name, factor in beyond_fit(law, base, model).items()
    ]
    most = law.constants.get("most_experts")
    if most is not None and experts is not None and experts > most.value:
        factor = experts / most.value
        found.append({"quantity": "experts", "factor": factor, "message": _sentence("experts", factor)})
    return found


def intervals(
    law: ScalingLaw, curve: Curve, model: Model, given: Given, binding: str | None, speed: DesignSpeed | None
) -> dict[str, Any]:
    """80 % bounds: by the law, of the compute-optimal model and of the loss; by the speed, of what follows."""
    best = doubt(law, optimal(curve, model.flops))
    own = doubt(law, model)
    return {
        "probability": PROBABILITY,
        "law": {
            "optimal_parameters": _bounds(best.parameters),
            "optimal_tokens": _bounds(best.tokens),
            "loss": _bounds(own.loss),
        },
        "speed": None if speed is None or binding is None else _by_speed(curve, given, speed),
    }


def _by_speed(curve: Curve, given: Given, speed: DesignSpeed) -> dict[str, Any]:
    """The model with the compute of a slower and of a faster design; None where the slower one has none."""
    assert given.flops is not None
    ends: list[Model | None] = []
    for factor in (speed.low, speed.high):
        stated = {name: getattr(given, name) for name in given.names}
        try:
            ends.append(solve(curve, Given(**{**stated, "flops": given.flops * factor})))
        except OutsideLawError:
            ends.append(None)
    slow, fast = ends
    if slow is None or fast is None:
        return dict.fromkeys(("flops", "parameters", "tokens", "loss"))
    return {
        name: _bounds((getattr(slow, name), getattr(fast, name)))
        for name in ("flops", "parameters", "tokens", "loss")
    }


def _bounds(ends: tuple[Array, Array] | None) -> dict[str, float] | None:
    if ends is None or not all(np.isfinite(end).all() for end in ends):
        return None
    low, high = sorted(float(np.atleast_1d(end)[0]) for end in ends)
    return {"low": low, "high": high}


def _sentence(words: str, factor: float) -> str:
    if factor > 1:
        return f"{_rounded(factor)} times the {words} that the law was fitted up to: an extrapolation."
    return f"{_rounded(1 / factor)} times fewer {words} than the law was fitted from: an extrapolation."


def _rounded(factor: float) -> str:
    """Three digits, written out up to a million."""
    return f"{float(f'{factor:.3g}'):,.0f}" if 1000 <= factor < 1e6 else f"{factor:.3g}"
