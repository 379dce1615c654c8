"""What a better facility saves while the IT draws the same."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_PUE = "[1] ISO/IEC 30134-2:2016 (power usage effectiveness)"


@quantity(unit="1", source=_PUE)
def facility_energy_saved(*, pue_before: Array, pue_after: Array) -> Array:
    """Share of the energy of a facility that a lower PUE saves.

    1 - after / before, the same energy of the IT.
    """
    return 1 - pue_after / pue_before


@quantity(unit="W", source="definition")
def rated_power_per_accelerator_w(*, max_power_w: Array, accelerators: Array) -> Array:
    """Rated power of a host for each of its accelerators."""
    return max_power_w / accelerators
