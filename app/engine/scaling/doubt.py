"""How well a law is known: 80 % intervals where its source gives bounds or standard errors, and its range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from app.engine.quantities import quantity
from app.engine.scaling.law import Constant, ScalingLaw, Span
from app.engine.scaling.solve import Model
from app.engine.trace import Array

PROBABILITY = 0.8
DEVIATIONS = float(ndtri((1 + PROBABILITY) / 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """80 % bounds of the compute-optimal model by the law alone, (low, high); None where it is not stated."""

    parameters: tuple[Array, Array] | None
    tokens: tuple[Array, Array] | None
    loss: tuple[Array, Array] | None


@quantity(unit="1", source="[1] Besiroglu et al. 2024, arXiv 2404.10102; the pivot is an assumption")
def parameters_bound(*, parameters: Array, flops: Array, pivot_flops: Array, exponent_shift: Array) -> Array:
    """Bound of the best parameters.

    N (C/C0)^(da): an exponent that is off by da turns the frontier about the middle of its fit.

    Parameters
    ----------
    pivot_flops : C0, the geometric middle of the fitted compute
    exponent_shift : da
    """
    return parameters * (flops / pivot_flops) ** exponent_shift


def doubt(law: ScalingLaw, best: Model) -> Doubt:
    """Bounds of a compute-optimal model."""
    shift = _bounds(law.constants.get("parameters_exponent"))
    span = law.flops
    parameters = tokens = None
    if shift and span.low is not None and span.high is not None:
        pivot = np.sqrt(np.array(span.low * span.high))
        one, other = (
            parameters_bound(
                parameters=best.parameters,
                flops=best.flops,
                pivot_flops=pivot,
                exponent_shift=np.array(end),
            )
            for end in shift
        )
        parameters = (np.minimum(one, other), np.maximum(one, other))
        tokens = (
            best.tokens * best.parameters / parameters[1],
            best.tokens * best.parameters / parameters[0],
        )
    rest = law.constants.get("cap_e")
    off = DEVIATIONS * rest.standard_error if rest and rest.standard_error else None
    return Doubt(
        parameters=parameters,
        tokens=tokens,
        loss=None if off is None else (best.loss - off, best.loss + off),
    )


def _bounds(constant: Constant | None) -> tuple[float, float] | None:
    """80 % bounds of a constant less its value."""
    if constant is None:
        return None
    if constant.standard_error:
        return -DEVIATIONS * constant.standard_error, DEVIATIONS * constant.standard_error
    if constant.probability == PROBABILITY and constant.low is not None and constant.high is not None:
        return constant.low - constant.value, constant.high - constant.value
    return None


def beyond_fit(law: ScalingLaw, base: ScalingLaw, model: Model) -> dict[str, float]:
    """Factor by which each quantity lies beyond where the law was fitted: only those that do."""
    found: dict[str, float] = {}
    for name, span in fitted_spans(law, base).items():
        values = np.atleast_1d(getattr(model, name))
        factors = [span.beyond(float(value)) for value in values]
        far = max(factors, key=lambda factor: abs(np.log(factor)))
        if far != 1.0:
            found[name] = float(far)
    return found


def within_fit(law: ScalingLaw, base: ScalingLaw, model: Model) -> NDArray[np.bool_]:
    """Return whether each of several models lies where the law was fitted, (n,) of true and false."""
    found = np.ones(np.shape(model.parameters), dtype=np.bool_)
    for name, span in fitted_spans(law, base).items():
        values = getattr(model, name)
        if span.low is not None:
            found &= values >= span.low
        if span.high is not None:
            found &= values <= span.high
    return found


def fitted_spans(law: ScalingLaw, base: ScalingLaw) -> dict[str, Span]:
    """Where a law was fitted, by quantity: where its base was, if it does not say."""
    return {name: base.spans[name] if own == Span() else own for name, own in law.spans.items()}
