"""What a design trains in a time or for a sum, at the speed that it has for its own job."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.additive import training_flop
from app.engine.trace import Array

DAY_S = 86_400.0


@quantity(unit="FLOP/s", source="definition")
def sustained_flop_per_s(*, active_parameters: Array, tokens: Array, elapsed_time_s: Array) -> Array:
    """Training compute a second, failures and checkpoints in it.

    6 N D of the design's own run over its elapsed time, as scaling laws count compute: attention is left
    out, so it is below what the MFU says.
    """
    return training_flop(parameters=active_parameters, tokens=tokens) / elapsed_time_s


@quantity(unit="days", source="definition")
def projected_days(*, flops: Array, sustained_flop_per_s: Array) -> Array:
    """Elapsed days of a run of so much compute."""
    return flops / sustained_flop_per_s / DAY_S


@quantity(unit="FLOP", source="definition")
def flop_in_days(*, days: Array, sustained_flop_per_s: Array) -> Array:
    """Compute of a design in so many days."""
    return days * DAY_S * sustained_flop_per_s


@quantity(unit="USD/FLOP", source="definition")
def usd_per_training_flop(*, usd_per_run: Array, active_parameters: Array, tokens: Array) -> Array:
    """Cost of compute when owned: of the design's own run over its 6 N D."""
    return usd_per_run / training_flop(parameters=active_parameters, tokens=tokens)


@quantity(unit="1", source="definition")
def projected_supernodes(
    *, flops: Array, days: Array, sustained_flop_per_s: Array, supernodes: Array
) -> Array:
    """SuperNodes that do so much compute in so many days, each as fast as those of the design."""
    return np.ceil(supernodes * flops / (days * DAY_S * sustained_flop_per_s))
