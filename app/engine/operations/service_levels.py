"""What an availability, a bandwidth and a peak of demand come to."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="s", source="definition")
def yearly_downtime_s(*, availability: Array) -> Array:
    """Downtime of a year of 365 days that an availability allows."""
    return (1 - availability) * 365 * 86_400


@quantity(unit="B/s", source="definition")
def bandwidth_per_node_bytes_per_s(*, bandwidth_bytes_per_s: Array, nodes: Array) -> Array:
    """Share of a joint bandwidth that one node has."""
    return bandwidth_bytes_per_s / nodes


@quantity(unit="1/s", source="definition")
def requests_per_s(*, bandwidth_bytes_per_s: Array, request_bytes: Array) -> Array:
    """Requests per second that fill a bandwidth."""
    return bandwidth_bytes_per_s / request_bytes


@quantity(unit="1", source="definition")
def mean_use_of_peak(*, peak_over_mean: Array) -> Array:
    """Mean use of what is sized for the peak."""
    return 1 / peak_over_mean
