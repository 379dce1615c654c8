"""How long a training run takes by its compute: the short formula, and one that counts the same loss twice."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_SHORT = "[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B (model FLOPs utilisation)"


@quantity(unit="s", source=_SHORT)
def productive_time_s(*, flops: Array, accelerators: Array, peak_flop_per_s: Array, mfu: Array) -> Array:
    """Productive time of a run by its compute.

    T = C / (n P MFU).

    Parameters
    ----------
    flops : C, model FLOPs of the run [FLOP]
    accelerators : n [1]
    peak_flop_per_s : P of one accelerator, dense [FLOP/s]
    mfu : model FLOPs done over those that the peak allows [1]
    """
    return flops / (accelerators * peak_flop_per_s * mfu)


@quantity(unit="s", source="definition")
def time_with_goodput_s(*, productive_time_s: Array, goodput: Array) -> Array:
    """Elapsed time of a run by its goodput.

    T / g: what failures, restarts and checkpoints take comes on top.
    """
    return productive_time_s / goodput


@quantity(unit="s", source="formula of an article, kept to stand beside the short one")
def time_with_two_efficiencies_s(
    *,
    flops: Array,
    accelerators: Array,
    peak_flop_per_s: Array,
    acceleration_factor: Array,
    efficiency: Array,
) -> Array:
    """Time of a run by total speed with an acceleration factor, over an efficiency.

    C / (P n a) / e. Both factors say how far the whole falls behind the sum of its peaks: with the MFU
    in both, the same loss is counted twice.
    """
    total_speed = peak_flop_per_s * accelerators * acceleration_factor
    return flops / total_speed / efficiency


@quantity(unit="FLOP", source=_SHORT)
def compute_of_run_flop(*, accelerators: Array, days: Array, peak_flop_per_s: Array, mfu: Array) -> Array:
    """Model FLOPs of a run by its length.

    C = n t P MFU.
    """
    return accelerators * days * 86_400 * peak_flop_per_s * mfu
