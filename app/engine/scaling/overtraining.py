"""How far a model lies from the best that its compute buys."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.quantities import quantity
from app.engine.scaling.curve import Curve
from app.engine.scaling.solve import Model, flops_to_reach, optimal
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Of a model against the compute-optimal one; not a number where the law cannot tell."""

    tokens_per_parameter_ratio: Array
    loss_above_optimal: Array
    extra_compute_share: Array


@quantity(unit="1", source="definition")
def tokens_per_parameter_ratio(
    *, parameters: Array, tokens: Array, optimal_parameters: Array, optimal_tokens: Array
) -> Array:
    """Tokens per parameter over those of the compute-optimal model: above 1 is over-trained."""
    return tokens / parameters / (optimal_tokens / optimal_parameters)


@quantity(unit="1", source="definition")
def extra_compute_share(*, flops: Array, least_flops: Array) -> Array:
    """Compute beyond the least that reaches the same loss, as a share of the least."""
    return flops / least_flops - 1


def penalty(curve: Curve, model: Model) -> Penalty:
    """What a model pays for not being compute-optimal."""
    best = optimal(curve, model.flops)
    unknown = best.loss * float("nan")
    return Penalty(
        tokens_per_parameter_ratio=tokens_per_parameter_ratio(
            parameters=model.parameters,
            tokens=model.tokens,
            optimal_parameters=best.parameters,
            optimal_tokens=best.tokens,
        ),
        loss_above_optimal=model.loss - best.loss if curve.has_minimum else unknown,
        extra_compute_share=extra_compute_share(
            flops=model.flops, least_flops=flops_to_reach(curve, model.loss)
        )
        if curve.has_minimum
        else unknown,
    )
