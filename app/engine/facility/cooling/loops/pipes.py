"""Headers: the smallest standard pipe in which the water is not too fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array, first_of

BORES_M = {
    "DN 25": 0.0266, "DN 32": 0.0351, "DN 40": 0.0409, "DN 50": 0.0525, "DN 65": 0.0627, "DN 80": 0.0779,
    "DN 100": 0.1023, "DN 125": 0.1282, "DN 150": 0.1541, "DN 200": 0.2027, "DN 250": 0.2545,
    "DN 300": 0.3032, "DN 350": 0.3334, "DN 400": 0.3810, "DN 450": 0.4286, "DN 500": 0.4778,
    "DN 600": 0.5747,
}  # fmt: skip
"""Bore of standard steel pipes: ASME B36.10, schedule 40."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A main of one loop. `pipes` run side by side where the largest standard pipe is too small."""

    name: str
    flow_l_per_min: float
    size: str
    pipes: int
    velocity_m_per_s: float
    limit_m_per_s: float


@quantity(unit="m/s", source="continuity")
def water_velocity_m_per_s(*, flow_l_per_min: Array, bore_m: Array, pipes: Array) -> Array:
    """Velocity of the water in a header."""
    return flow_l_per_min / pipes / 60e3 / (np.pi / 4 * bore_m**2)


def header(*, name: str, flow_l_per_min: Array, velocity_limit_m_per_s: Array) -> Header:
    """The smallest standard pipe that holds the limit, or several of the largest.

    Unknown flow gives no size.
    """
    flow, limit = first_of(flow_l_per_min), first_of(velocity_limit_m_per_s)
    sizes, bores = list(BORES_M), np.array(list(BORES_M.values()))
    if np.isnan(flow):
        return Header(
            name=name, flow_l_per_min=flow, size="", pipes=0, velocity_m_per_s=flow, limit_m_per_s=limit
        )
    one = water_velocity_m_per_s(flow_l_per_min=np.array(flow), bore_m=bores, pipes=np.ones(1))
    fitting = np.flatnonzero(one <= limit)
    chosen = int(fitting[0]) if fitting.size else len(sizes) - 1
    pipes = 1 if fitting.size else int(np.ceil(one[-1] / limit))
    return Header(
        name=name,
        flow_l_per_min=flow,
        size=sizes[chosen],
        pipes=pipes,
        velocity_m_per_s=float(one[chosen] / pipes),
        limit_m_per_s=limit,
    )
