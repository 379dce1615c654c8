"""From a law and what it needs beside its constants to its curve."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.additive import Coefficients
from app.engine.scaling.coefficients import (
    additive_coefficients,
    counted_experts,
    joint_coefficients,
    repeated_coefficients,
    slope,
)
from app.engine.scaling.curve import (
    AdditiveCurve,
    Curve,
    FrontierCurve,
    KaplanCurve,
    RepeatedCurve,
    RoutedCurve,
)
from app.engine.scaling.law import FLOP_PER_PARAMETER_AND_TOKEN, ScalingLaw
from app.engine.trace import Array

PF_DAY_FLOP = 1e15 * 86_400
SERVING, SERVING_INPUT = "inference_aware", "inference_tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class LawInputs:
    """What some laws take beside parameters, tokens and compute."""

    experts: float | None = None
    unique_tokens: float | None = None
    inference_tokens: float | None = None
    bits: float | None = None


class OutsideLawError(ValueError):
    """What is asked lies outside a law; `field` names what asks it, `hint` a way out."""

    def __init__(self, field: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.hint = hint


NEEDS = {"repeated": "unique_tokens", "routed": "experts", "joint": "experts", "precision": "bits"}
"""The one input that a form cannot do without."""


def curve_of(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    """The curve of a law.

    Raises
    ------
    OutsideLawError : the law lacks an input, or is given one that it does not take
    """
    needed = SERVING_INPUT if law.key == SERVING else NEEDS.get(law.form)
    if needed and getattr(inputs, needed) is None:
        raise OutsideLawError(needed, f"{law.name} needs {needed}.", f"Give {needed}, or choose another law.")
    curve = CURVES[law.form](law, laws, inputs)
    for field in fields(inputs):
        taken = field.name == needed or (field.name == SERVING_INPUT and curve.has_minimum)
        if getattr(inputs, field.name) is not None and not taken:
            takers = [key for key, other in laws.items() if NEEDS.get(other.form) == field.name]
            hint = f"Leave it out, or choose {' or '.join(takers or [SERVING])}."
            raise OutsideLawError(field.name, f"{law.name} does not take {field.name}.", hint)
    return curve


def _additive(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    return AdditiveCurve(additive_coefficients(law, laws))


def _precision(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    # (k N)^-alpha: a share of the parameters is a larger A.
    found = additive_coefficients(law, laws)
    kept = parameters_kept(
        bits=np.array(inputs.bits or 0.0),
        **{name: np.array(law.value(name)) for name in ("g_w", "g_a", "g_kv")},
    )
    return AdditiveCurve(replace(found, cap_a=found.cap_a * float(kept) ** -found.alpha))


def _frontier(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    if not law.points:  # in numbers of its own: M FLOP per token at one FLOP
        per_parameter = law.value("m0") / FLOP_PER_PARAMETER_AND_TOKEN
        return FrontierCurve(1.0, per_parameter, law.value("parameters_exponent"))
    anchor = law.points[0]
    if anchor.tokens is not None:
        parameters = anchor.flops / (FLOP_PER_PARAMETER_AND_TOKEN * anchor.tokens)
        return FrontierCurve(anchor.flops, parameters, 1 - law.value("tokens_exponent"))
    return FrontierCurve(anchor.flops, anchor.parameters, slope(law))


def _kaplan(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    ratio = law.value("alpha_n") / law.value("alpha_d")
    terms = Coefficients(
        cap_a=law.value("n_c") ** ratio,
        alpha=ratio,
        cap_b=law.value("d_c"),
        beta=1.0,
        irreducible=0.0,
        power=law.value("alpha_d"),
    )
    best = FrontierCurve(PF_DAY_FLOP, law.value("parameters_at_pf_day"), law.value("parameters_exponent"))
    return KaplanCurve(terms, best)


def _repeated(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    return RepeatedCurve(
        repeated_coefficients(law), inputs.unique_tokens or 0.0, law.value("r_d"), law.value("r_n")
    )


def _routed(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    counted = float(counted_experts(law, inputs.experts or 1.0))
    return RoutedCurve(counted, *(law.value(name) for name in ("a", "b", "c", "d", "tokens")))


def _joint(law: ScalingLaw, laws: Mapping[str, ScalingLaw], inputs: LawInputs) -> Curve:
    return AdditiveCurve(joint_coefficients(law, inputs.experts or 1.0))


@quantity(unit="1", source="[1] Kumar et al. 2024, arXiv 2411.04330, equation 3; constants recalled")
def parameters_kept(*, bits: Array, g_w: Array, g_a: Array, g_kv: Array) -> Array:
    """Share of the parameters that count at a precision.

    (1 - exp(-P/g_w)) (1 - exp(-P/g_a)) (1 - exp(-P/g_kv)).

    Parameters
    ----------
    bits : P, of weights, activations and key-value cache alike
    g_w, g_a, g_kv : sensitivity of each [bits]
    """
    weights: Array = 1 - np.exp(-bits / g_w)
    others: Array = (1 - np.exp(-bits / g_a)) * (1 - np.exp(-bits / g_kv))
    return weights * others


CURVES: dict[str, Callable[[ScalingLaw, Mapping[str, ScalingLaw], LawInputs], Curve]] = {
    "additive": _additive,
    "frontier": _frontier,
    "kaplan": _kaplan,
    "repeated": _repeated,
    "routed": _routed,
    "joint": _joint,
    "precision": _precision,
}
