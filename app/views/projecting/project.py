"""A projection as plain JSON: the model, the best one for its compute, and the design that trains it."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.choose import LawInputs, OutsideLawError, curve_of
from app.engine.scaling.curve import Curve
from app.engine.scaling.overtraining import penalty
from app.engine.scaling.solve import Given, Model, flops_to_reach, optimal, solve
from app.engine.trace import Array
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.projecting.beside import effective_dense, epochs, serving
from app.views.projecting.design import DesignSpeed, speed_of
from app.views.projecting.doubts import beyond, intervals
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
            f"{', '.join(stated)} are given: two of them say the rest.", rule="at_most", hint="Leave one out."
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
