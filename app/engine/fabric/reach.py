"""What links come to when they are added up, and how far light gets."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_FIBRE = "[1] ITU-T G.652 fibre: group index about 1.47, so 4.9 us/km; 5 us/km is the usual round figure"


@quantity(unit="B/s", source="definition")
def joint_bandwidth_bytes_per_s(*, links: Array, bandwidth_bytes_per_s: Array) -> Array:
    """Bandwidth of several links, one way."""
    return links * bandwidth_bytes_per_s


@quantity(unit="B/s", source="definition")
def both_ways_bytes_per_s(*, bandwidth_bytes_per_s: Array) -> Array:
    """Bandwidth of a link, both ways added up as vendors print it."""
    return 2 * bandwidth_bytes_per_s


@quantity(unit="1", source="definition")
def units_for_bandwidth(*, joint_bandwidth_bytes_per_s: Array, bandwidth_bytes_per_s: Array) -> Array:
    """Units whose bandwidths add up to a whole."""
    return joint_bandwidth_bytes_per_s / bandwidth_bytes_per_s


@quantity(unit="s", source=_FIBRE)
def fibre_round_trip_s(*, distance_km: Array, latency_s_per_km: Array) -> Array:
    """Round trip of light through fibre; switches, queues and software come on top."""
    return 2 * distance_km * latency_s_per_km


@quantity(unit="s", source="definition")
def round_trip_with_radio_s(*, fibre_round_trip_s: Array, radio_round_trip_s: Array) -> Array:
    """Round trip over a radio link and the fibre behind it."""
    return fibre_round_trip_s + radio_round_trip_s


@quantity(unit="s", source="definition")
def rest_of_round_trip_s(*, round_trip_s: Array, radio_round_trip_s: Array) -> Array:
    """Part of a round trip that a radio link leaves to the fibre behind it."""
    return round_trip_s - radio_round_trip_s


@quantity(unit="km", source=_FIBRE)
def fibre_reach_km(*, round_trip_s: Array, latency_s_per_km: Array) -> Array:
    """Length of fibre that a round trip allows."""
    return round_trip_s / (2 * latency_s_per_km)


@quantity(unit="1", source="definition")
def cables_per_pair(*, cables: Array, leaves: Array, spines: Array) -> Array:
    """Cables between each leaf and each spine."""
    return cables / (leaves * spines)
