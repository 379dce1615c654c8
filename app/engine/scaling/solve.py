"""From any two of parameters, tokens, compute and loss the others; from one the compute-optimal model."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from app.engine.scaling.additive import training_flop
from app.engine.scaling.choose import OutsideLawError
from app.engine.scaling.curve import LEAST, MOST, Curve, where_equal
from app.engine.scaling.law import FLOP_PER_PARAMETER_AND_TOKEN
from app.engine.trace import Array

INFINITE = np.array([np.inf])
FLOPS = (1.0, MOST)
"""Bounds of the compute that is looked through."""
ANY_COMPUTE = "any compute"


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Given values of a model: one or two of these, (n,) each."""

    parameters: Array | None = None
    tokens: Array | None = None
    flops: Array | None = None
    loss: Array | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in fields(self) if getattr(self, field.name) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A trained model by a law, (n,) each; the loss is not a number where the law has none."""

    parameters: Array
    tokens: Array
    flops: Array
    loss: Array


def solve(curve: Curve, given: Given) -> Model:
    """The model of what is given.

    Raises
    ------
    OutsideLawError : the law has no such model
    """
    if not 1 <= len(given.names) <= 2:
        raise OutsideLawError(
            "given",
            f"{len(given.names)} of parameters, tokens, flops and loss are given.",
            "Give one or two.",
        )
    if given.loss is not None and not curve.has_loss:
        raise OutsideLawError(
            "loss", "The law says how compute is best spent, not what loss it buys.", "Choose epoch_refit."
        )
    if curve.fixed_tokens is not None:
        return _with_fixed_tokens(curve, given, curve.fixed_tokens)
    if len(given.names) == 1:
        return optimal(curve, _optimal_flops(curve, given))
    match given:
        case Given(parameters=n, tokens=d) if n is not None and d is not None:
            return _model(curve, n, d)
        case Given(parameters=n, flops=c) if n is not None and c is not None:
            return _model(curve, n, c / (FLOP_PER_PARAMETER_AND_TOKEN * n))
        case Given(tokens=d, flops=c) if d is not None and c is not None:
            return _model(curve, c / (FLOP_PER_PARAMETER_AND_TOKEN * d), d)
        case Given(parameters=n, loss=wanted) if n is not None and wanted is not None:
            tokens = where_equal(lambda tokens: curve.loss(n, tokens), wanted)
            return _model(curve, n, _reached(tokens, wanted, curve.loss(n, INFINITE), "so many parameters"))
        case Given(tokens=d, loss=wanted) if d is not None and wanted is not None:
            sizes = where_equal(lambda parameters: curve.loss(parameters, d), wanted)
            return _model(curve, _reached(sizes, wanted, curve.loss(INFINITE, d), "so many tokens"), d)
        case Given(flops=c, loss=wanted) if c is not None and wanted is not None:
            return _overtrained(curve, c, wanted)
    raise AssertionError(given)


def optimal(curve: Curve, flops: Array) -> Model:
    """The compute-optimal model."""
    parameters = curve.optimal_parameters(flops)
    return _model(curve, parameters, flops / (FLOP_PER_PARAMETER_AND_TOKEN * parameters))


def flops_to_reach(curve: Curve, loss: Array) -> Array:
    """Compute of the optimal model with a loss; not a number where none has it."""
    return where_equal(lambda flops: optimal(curve, flops).loss, loss, *FLOPS)


def _optimal_flops(curve: Curve, given: Given) -> Array:
    """Compute of the optimal model that is given in one other way."""
    if given.flops is not None:
        return given.flops
    if given.loss is not None:
        least = optimal(curve, np.array([MOST])).loss
        return _reached(flops_to_reach(curve, given.loss), given.loss, least, ANY_COMPUTE)
    # parameters and tokens rise with compute: their negatives fall
    if given.parameters is not None:
        found = where_equal(lambda flops: -curve.optimal_parameters(flops), -given.parameters, *FLOPS)
    else:
        assert given.tokens is not None
        found = where_equal(lambda flops: -optimal(curve, flops).tokens, -given.tokens, *FLOPS)
    if not np.isfinite(found).all():
        (name,) = given.names
        raise OutsideLawError(name, "No compute-optimal model of the law is like that.", "Give two figures.")
    return found


def _overtrained(curve: Curve, flops: Array, loss: Array) -> Model:
    """The smaller of the two models that take so much compute to a loss: cheaper to serve."""
    best = optimal(curve, flops)
    if (loss < best.loss).any():
        needed = flops_to_reach(curve, loss)
        raise OutsideLawError(
            "loss",
            f"{flops.min():.4g} FLOP reach a loss of {best.loss.max():.4f} at best, not {loss.min():.4g}.",
            f"Give at least {needed.max():.4g} FLOP, or a higher loss."
            if np.isfinite(needed).all()
            else f"Give a loss above {float(curve.loss(INFINITE, INFINITE)[0]):.4f}: no compute falls below.",
        )
    smaller = where_equal(
        lambda parameters: curve.loss(parameters, flops / (FLOP_PER_PARAMETER_AND_TOKEN * parameters)),
        loss,
        LEAST,
        best.parameters,
    )
    # At the optimum itself rounding may leave nothing to find.
    parameters = np.where(np.isfinite(smaller), smaller, best.parameters)
    return _model(curve, parameters, flops / (FLOP_PER_PARAMETER_AND_TOKEN * parameters))


def _with_fixed_tokens(curve: Curve, given: Given, tokens: float) -> Model:
    if given.tokens is not None and not np.allclose(given.tokens, tokens, rtol=0.01):
        raise OutsideLawError(
            "tokens", f"The law holds for {tokens:.3g} tokens only.", "Leave tokens out, or choose moe_joint."
        )
    if given.parameters is not None:
        parameters = given.parameters
    elif given.loss is not None:
        parameters = where_equal(lambda size: curve.loss(size, INFINITE), given.loss)
        if not np.isfinite(parameters).all():
            raise OutsideLawError(
                "loss", f"No model of the law has a loss of {given.loss.min():.4g}.", "Give another."
            )
    elif given.flops is not None:
        parameters = given.flops / (FLOP_PER_PARAMETER_AND_TOKEN * tokens)
    else:
        raise OutsideLawError("parameters", "Parameters, flops or loss is needed.", "Give one.")
    found = _model(curve, parameters, np.full(parameters.shape, tokens))
    for name in given.names:
        if not np.allclose(getattr(given, name), getattr(found, name), rtol=0.01):
            raise OutsideLawError(
                name, f"The law holds for {tokens:.3g} tokens, which leaves one choice, not two.", "Give one."
            )
    return found


def _model(curve: Curve, parameters: Array, tokens: Array) -> Model:
    return Model(
        parameters=parameters,
        tokens=tokens,
        flops=training_flop(parameters=parameters, tokens=tokens),
        loss=curve.loss(parameters, tokens),
    )


def _reached(found: Array, wanted: Array, least: Array, what: str) -> Array:
    """What was found, if the loss that it is for can be had."""
    if np.isfinite(found).all():
        return found
    floor, asked = float(np.max(least)), float(np.min(wanted))
    if (wanted <= least).any():
        rest = ", the irreducible term" if what == ANY_COMPUTE else ""
        message = f"With {what} the loss stays above {floor:.4f}{rest}; {asked:.4g} cannot be reached."
        raise OutsideLawError("loss", message, f"Give a loss above {floor:.4f}.")
    raise OutsideLawError(
        "loss", f"A loss of {asked:.4g} is that of no model of the law.", "Give a lower loss."
    )
