"""What a power cap leaves of an accelerator's clock.

The clock sets how fast products and attention are computed. Memory and links have clocks of their own, which
a cap on the board does not lower: memory-bound work and communication are taken to be as fast as without.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.quantities import quantity
from app.engine.specs import Accelerator
from app.engine.trace import Array


@quantity(
    unit="1",
    source="[1] Patel et al. 2024, arXiv 2308.12908 (matmul clocks under a power cap); straight line: assumption",
)
def clock_share_under_cap(
    *, power_cap: Array, power_cap_loss: Array, power_cap_knee: Array, power_exponent: Array
) -> Array:
    """Share of the clock that a power cap leaves.

    1 - k (1 - cap) down to the knee, below it the knee's share x (cap / knee)^e: near its rating a chip pays
    much power for little clock, and at the floor of its voltage power follows the clock alone.

    Parameters
    ----------
    power_cap : power allowed over TDP [1]
    power_cap_loss : k, clock lost for each unit of power above the knee [1]
    power_cap_knee : cap below which the loss is steeper [1]
    power_exponent : e, growth of the rate with the power of the same silicon [1]
    """
    above: Array = 1 - power_cap_loss * (1 - np.maximum(power_cap, power_cap_knee))
    below: Array = (np.minimum(power_cap, power_cap_knee) / power_cap_knee) ** power_exponent
    return above * below


@quantity(unit="FLOP/s", source="definition")
def capped_flop_per_s(*, flop_per_s: Array, clock_share_under_cap: Array) -> Array:
    """Arithmetic rate under a power cap."""
    return flop_per_s * clock_share_under_cap


def under_cap(flop_per_s: Array, accelerator: Accelerator, assumptions: PerformanceAssumptions) -> Array:
    """The rate as it is where the accelerator has no cap, else what its clock leaves of it."""
    if accelerator.power_cap is None:
        return flop_per_s
    return capped_flop_per_s(
        flop_per_s=flop_per_s,
        clock_share_under_cap=clock_share_under_cap(
            power_cap=accelerator.power_cap,
            power_cap_loss=assumptions.power_cap_loss,
            power_cap_knee=assumptions.power_cap_knee,
            power_exponent=assumptions.power_exponent,
        ),
    )
