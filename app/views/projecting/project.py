"""A projection as plain JSON: the model, the best one for its compute, and the design that trains it."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.catalog.scaling_laws import DEFAULT_LAW, scaling_laws
from app.engine.scaling.choose import NEEDS, SERVING, SERVING_INPUT, LawInputs, OutsideLawError, curve_of
from app.engine.scaling.curve import Curve
from app.engine.scaling.doubt import PROBABILITY, beyond_fit, doubt
from app.engine.scaling.law import ScalingLaw
from app.engine.scaling.overtraining import penalty
from app.engine.scaling.routing import effective_amount, effective_dense_parameters, saturating_experts
from app.engine.scaling.serving import cheapest_to_own, lifetime_of
from app.engine.scaling.solve import Given, Model, flops_to_reach, optimal, solve
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.projecting.design import DesignSpeed, speed_of
from app.views.projecting.options import LIMITS, MODEL, ProjectionOptions


def project(options: ProjectionOptions, scenario: EvaluatedScenario | None = None) -> dict[str, Any]:
    """Projection of a model by a scaling law from one or two of its figures; a deadline or a budget count by the design.

    Raises
    ------
    ScenarioError : too little or too much is given, or the law has no such model; with a way out
    """
    laws = scaling_laws()
    law = laws[options.law]
    try:
        curve = curve_of(law, laws, _inputs(options))
        speed = None if scenario is None else speed_of(scenario)
        given, binding = _given(options, speed, fixed=curve.fixed_tokens is not None)
        model = _solved(curve, given, options, speed)
        _refuse_less_than_one(model)
        best = optimal(curve, model.flops)
        served = serving(curve, model, options.inference_tokens)
    except OutsideLawError as error:
        raise _refused(error, options) from None
    return {
        "law": law.key,
        "law_name": law.name,
        "source": law.source,
        "confidence": law.confidence,
        "given": options.model_dump(exclude_none=True, exclude={"law"}),
        "binding": binding,
        "model": figures_of(model),
        "optimal": None if np.isnan(best.parameters).any() else figures_of(best),
        "over_training": {name: _plain(value) for name, value in _penalty(curve, model).items()},
        "beyond_fit": beyond(law, laws.get(law.base, law), model, options.experts),
        "intervals": intervals(law, curve, model, given, binding, speed),
        "serving": served,
        "effective_dense_parameters": effective_dense(law, model, options.experts),
        "epochs": epochs(law, model, options.unique_tokens),
        "design": None if speed is None else speed.answer(model.flops, options),
    }


def figures_of(model: Model) -> dict[str, float | None]:
    """A model as plain numbers."""
    names = ("parameters", "tokens", "flops", "loss")
    return {name: _plain(getattr(model, name)) for name in names} | {
        "tokens_per_parameter": _plain(model.tokens / model.parameters)
    }


def _inputs(options: ProjectionOptions) -> LawInputs:
    return LawInputs(
        experts=options.experts,
        unique_tokens=options.unique_tokens,
        inference_tokens=options.inference_tokens,
        bits=options.bits,
    )


def _given(options: ProjectionOptions, speed: DesignSpeed | None, *, fixed: bool) -> tuple[Given, str | None]:
    """What to solve from; compute of the deadline or the budget where the model leaves it open."""
    stated = {name: np.array([value]) for name in MODEL if (value := getattr(options, name)) is not None}
    asked = [name for name in LIMITS if getattr(options, name) is not None]
    if asked and speed is None:
        raise refuse(
            "needs a design to count by.",
            rule="required", path=asked[0], value=getattr(options, asked[0]),
            hint="Give a scenario, or flops in its place.",
        )  # fmt: skip
    if not stated and not asked:
        raise refuse(
            "Nothing is known of the model.",
            rule="required",
            hint=f"Give one or two of {', '.join((*MODEL, *LIMITS))}.",
        )
    if len(stated) > 2:
        raise refuse(
            f"{', '.join(stated)} are given: two determine the others.", rule="at_most", hint="Leave one out."
        )
    limits = speed.limits(options) if speed else {}
    open_compute = "flops" not in stated and (not stated if fixed else len(stated) < 2)
    if not limits or not open_compute:
        return Given(**stated), None
    binding = min(limits, key=lambda name: float(limits[name][0]))
    return Given(flops=limits[binding], **stated), binding


def _solved(curve: Curve, given: Given, options: ProjectionOptions, speed: DesignSpeed | None) -> Model:
    """The model, or with the refusal of a loss out of reach how many SuperNodes would reach it in time."""
    try:
        return solve(curve, given)
    except OutsideLawError as error:
        if speed is None or given.flops is None or given.loss is None or options.deadline_days is None:
            raise
        flops = flops_to_reach(curve, given.loss)
        if not np.isfinite(flops).all():
            raise
        hint = (
            f"{error.hint} {speed.supernodes_in(flops, options.deadline_days):,} SuperNodes reach it in time."
        )
        raise OutsideLawError(error.field, error.message, hint) from None


def _refuse_less_than_one(model: Model) -> None:
    for name in ("parameters", "tokens"):
        amount = float(getattr(model, name)[0])
        if not 1 <= amount < np.inf:
            raise OutsideLawError(
                "", f"That is a model with {amount:.3g} {name}, outside every law.", "Give other figures."
            )


def _penalty(curve: Curve, model: Model) -> dict[str, Array]:
    found = penalty(curve, model)
    return {
        "tokens_per_parameter_ratio": found.tokens_per_parameter_ratio,
        "loss_above_optimal": found.loss_above_optimal,
        "extra_compute_share": found.extra_compute_share,
    }


def _refused(error: OutsideLawError, options: ProjectionOptions) -> ScenarioError:
    known = error.field in ProjectionOptions.model_fields
    return refuse(
        error.message,
        rule="outside_law",
        path=error.field if known else "",
        value=getattr(options, error.field) if known else None,
        hint=error.hint,
    )


def _plain(value: Array) -> float | None:
    number = float(np.atleast_1d(value)[0])
    return number if np.isfinite(number) else None


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


def laws_answer() -> dict[str, Any]:
    """Every law, the default first."""
    return {"default": DEFAULT_LAW, "items": [law_answer(law) for law in scaling_laws().values()]}


def law_answer(law: ScalingLaw) -> dict[str, Any]:
    """A law as plain JSON."""
    spans = {name: {"low": span.low, "high": span.high} for name, span in law.spans.items()}
    return {
        "key": law.key,
        "name": law.name,
        "formula": law.formula,
        "confidence": law.confidence,
        "source": law.source,
        "note": law.note,
        "base": law.base or None,
        "needs": SERVING_INPUT if law.key == SERVING else NEEDS.get(law.form),
        "fitted": spans,
        "constants": [
            {
                "name": name,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "probability": one.probability,
                "standard_error": one.standard_error,
                "confidence": one.confidence,
                "note": one.note,
            }
            for name, one in law.constants.items()
        ],
    }
