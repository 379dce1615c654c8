"""The curves of the laws: what loss a model reaches, and which model is best for its compute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.additive import Coefficients, loss, optimal_parameters, training_flop
from app.engine.scaling.frontier import frontier_parameters
from app.engine.scaling.law import FLOP_PER_PARAMETER_AND_TOKEN
from app.engine.scaling.routing import effective_amount, routed_loss
from app.engine.trace import Array


class Curve(Protocol):
    """A law with its constants and options put in. Arrays of one shape in, the same out."""

    has_loss: ClassVar[bool]
    has_minimum: ClassVar[bool]
    """Whether its best model is the one of the lowest loss for 6 N D."""

    @property
    def fixed_tokens(self) -> float | None:
        """Tokens that every model of the law saw, where they are no choice."""

    def loss(self, parameters: Array, tokens: Array) -> Array:
        """Nats per token; not a number where the law has none."""

    def optimal_parameters(self, flops: Array) -> Array:
        """Best parameters for compute; not a number where the law has none."""


@dataclass(frozen=True, slots=True)
class AdditiveCurve:
    """One term for parameters, one for tokens."""

    coefficients: Coefficients
    has_loss: ClassVar[bool] = True
    has_minimum: ClassVar[bool] = True
    fixed_tokens: ClassVar[float | None] = None

    def loss(self, parameters: Array, tokens: Array) -> Array:
        return loss(parameters=parameters, tokens=tokens, coefficients=self.coefficients)

    def optimal_parameters(self, flops: Array) -> Array:
        return optimal_parameters(flops=flops, coefficients=self.coefficients)


@dataclass(frozen=True, slots=True)
class FrontierCurve:
    """Best models only, through an anchor."""

    anchor_flops: float
    anchor_parameters: float
    exponent: float
    has_loss: ClassVar[bool] = False
    has_minimum: ClassVar[bool] = False
    fixed_tokens: ClassVar[float | None] = None

    def loss(self, parameters: Array, tokens: Array) -> Array:
        return np.full(np.broadcast(parameters, tokens).shape, np.nan)

    def optimal_parameters(self, flops: Array) -> Array:
        return frontier_parameters(
            flops=flops,
            anchor_flops=np.array(self.anchor_flops),
            anchor_parameters=np.array(self.anchor_parameters),
            exponent=np.array(self.exponent),
        )


@dataclass(frozen=True, slots=True)
class KaplanCurve:
    """A loss of parameters and tokens, and best models measured apart: those are not its minimum."""

    coefficients: Coefficients
    frontier: FrontierCurve
    has_loss: ClassVar[bool] = True
    has_minimum: ClassVar[bool] = False
    fixed_tokens: ClassVar[float | None] = None

    def loss(self, parameters: Array, tokens: Array) -> Array:
        return loss(parameters=parameters, tokens=tokens, coefficients=self.coefficients)

    def optimal_parameters(self, flops: Array) -> Array:
        return self.frontier.optimal_parameters(flops)


@dataclass(frozen=True, slots=True)
class RepeatedCurve:
    """Tokens of a corpus that may be seen again, each time for less."""

    coefficients: Coefficients
    unique_tokens: float
    tokens_decay: float
    parameters_decay: float
    has_loss: ClassVar[bool] = True
    has_minimum: ClassVar[bool] = True
    fixed_tokens: ClassVar[float | None] = None

    def loss(self, parameters: Array, tokens: Array) -> Array:
        unique = np.minimum(self.unique_tokens, tokens)
        return loss(
            parameters=effective_amount(
                total=parameters,
                unique=self._parameters_fed_by(unique),
                decay=np.array(self.parameters_decay),
            ),
            tokens=effective_amount(
                total=tokens, unique=np.array(self.unique_tokens), decay=np.array(self.tokens_decay)
            ),
            coefficients=self.coefficients,
        )

    def optimal_parameters(self, flops: Array) -> Array:
        most = np.asarray(flops, dtype=float) / FLOP_PER_PARAMETER_AND_TOKEN
        budget = np.atleast_1d(most)[:, None]
        least = where_least(
            lambda parameters: self.loss(parameters, budget / parameters),
            np.full(len(budget), LEAST),
            budget[:, 0] / LEAST,
        )
        return least.reshape(most.shape)

    def _parameters_fed_by(self, tokens: Array) -> Array:
        """The compute-optimal model of so many fresh tokens: as exponents are equal, in proportion to them."""
        one = np.array(1.0)
        at_one = optimal_parameters(
            flops=training_flop(parameters=one, tokens=one), coefficients=self.coefficients
        )
        return at_one**2 * tokens


@dataclass(frozen=True, slots=True)
class RoutedCurve:
    """Routed models after the tokens of their study: there is no compute to be spent otherwise."""

    saturating_experts: float
    a: float
    b: float
    c: float
    d: float
    tokens: float
    has_loss: ClassVar[bool] = True
    has_minimum: ClassVar[bool] = False

    @property
    def fixed_tokens(self) -> float | None:
        return self.tokens

    def loss(self, parameters: Array, tokens: Array) -> Array:
        return routed_loss(
            parameters=parameters,
            saturating_experts=np.array(self.saturating_experts),
            a=np.array(self.a),
            b=np.array(self.b),
            c=np.array(self.c),
            d=np.array(self.d),
        )

    def optimal_parameters(self, flops: Array) -> Array:
        return np.full(np.shape(flops), np.nan)


@quantity(unit="1", source="[1] Kaplan et al. 2020, arXiv 2001.08361, equations 1.1 to 1.3")
def loss_after_growth(*, growth: Array, exponent: Array) -> Array:
    """Loss after growth over the loss before.

    g^-alpha, for g times the parameters, tokens or compute alone.
    """
    return growth**-exponent


LEAST, MOST = 1e-3, 1e45
"""Bounds of parameters, tokens and FLOPs that are looked through."""
HALVINGS = 70  # 110 e-folds become 1e-19 of one
GRID = 400


def where_equal(
    falling: Callable[[Array], Array], value: Array, low: Array | float = LEAST, high: Array | float = MOST
) -> Array:
    """The x at which a function that falls with x has a value; not a number where it is out of reach.

    Parameters
    ----------
    falling : of x as value is shaped
    value : (n,)
    low, high : bounds of x
    """
    value = np.asarray(value, dtype=float)
    below, above = (np.broadcast_to(np.log(end), value.shape).astype(float) for end in (low, high))
    reachable = (falling(np.exp(below)) >= value) & (falling(np.exp(above)) <= value)
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        higher = falling(np.exp(middle)) >= value
        below, above = np.where(higher, middle, below), np.where(higher, above, middle)
    return np.where(reachable, np.exp((below + above) / 2), np.nan)


def where_least(valley: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """The x between bounds at which a function with one valley is least: a grid, made finer about its least.

    Parameters
    ----------
    valley : of (n, grid)
    low, high : (n,)
    """
    below, above = np.log(np.asarray(low, dtype=float)), np.log(np.asarray(high, dtype=float))
    for _ in range(5):
        steps = np.linspace(below, above, GRID, axis=-1)
        values = valley(np.exp(steps))
        least = np.argmin(np.where(np.isfinite(values), values, np.inf), axis=-1)
        rows = np.arange(len(least))
        below, above = steps[rows, np.maximum(least - 1, 0)], steps[rows, np.minimum(least + 1, GRID - 1)]
    found: Array = np.exp((below + above) / 2)
    return found
