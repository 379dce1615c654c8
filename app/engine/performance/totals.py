"""Arithmetic, memory and their balance for several accelerators together, before any layout is chosen."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Communications of the ACM 52 (4) 65-76 (roofline)"


@quantity(unit="FLOP/s", source="definition")
def joint_peak_flop_per_s(*, accelerators: Array, peak_flop_per_s: Array) -> Array:
    """Peak arithmetic of several accelerators."""
    return accelerators * peak_flop_per_s


@quantity(unit="1", source="definition")
def accelerators_for_peak(*, joint_peak_flop_per_s: Array, peak_flop_per_s: Array) -> Array:
    """Accelerators whose peaks add up to a rate."""
    return joint_peak_flop_per_s / peak_flop_per_s


@quantity(unit="B", source="definition")
def joint_memory_bytes(*, accelerators: Array, memory_bytes: Array) -> Array:
    """Memory of several accelerators."""
    return accelerators * memory_bytes


@quantity(unit="B", source="definition")
def parameters_bytes(*, parameters: Array, bytes_per_parameter: Array) -> Array:
    """Memory that the parameters of a model take."""
    return parameters * bytes_per_parameter


@quantity(unit="FLOP/J", source="definition")
def peak_flop_per_joule(*, peak_flop_per_s: Array, power_w: Array) -> Array:
    """Peak arithmetic for the power."""
    return peak_flop_per_s / power_w


@quantity(unit="FLOP/B", source=_ROOFLINE)
def ridge_flop_per_byte(*, peak_flop_per_s: Array, memory_bandwidth_bytes_per_s: Array) -> Array:
    """Ridge of the roofline.

    FLOPs for each byte from memory from which arithmetic is the limit, and no longer bandwidth.
    """
    return peak_flop_per_s / memory_bandwidth_bytes_per_s


@quantity(unit="FLOP/B", source=_ROOFLINE)
def matmul_intensity_flop_per_byte(
    *, rows: Array, inputs: Array, outputs: Array, bytes_per_element: Array
) -> Array:
    """Intensity of a matrix multiplication.

    2 m k n FLOPs over (m k + k n + m n) elements, each read or written once.

    Parameters
    ----------
    rows : m, tokens multiplied at once
    inputs, outputs : k and n, sides of the weight matrix
    bytes_per_element : of operands and result alike [B]
    """
    elements = rows * inputs + inputs * outputs + rows * outputs
    return 2 * rows * inputs * outputs / (elements * bytes_per_element)


@quantity(unit="1", source="definition")
def share_of_peak(*, busy_share: Array, share_when_busy: Array) -> Array:
    """Share of peak over all hours: of those at work, and what they reach then."""
    return busy_share * share_when_busy


@quantity(unit="1", source="definition")
def times_as_much(*, value: Array, reference: Array) -> Array:
    """Ratio of two values."""
    return value / reference
