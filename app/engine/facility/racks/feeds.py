"""The feeds of a rack: how many, on which breakers, and what each carries with the other side lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.feeders import line_current_a
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.electrical.redundancy import units_needed
from app.engine.facility.electrical.sizing import continuous_factor, line_power_w
from app.engine.quantities import quantity
from app.engine.trace import Array

DIRECT_CURRENT = "dc_800"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackFeeds:
    """Feeds of one rack. Unknown is NaN; `shelves` are 0 where servers bring their own power supplies."""

    sides: int  # paths that each carry the rack alone: 2 for A and B
    voltage_v: float
    breaker_a: float
    feeder_w: float  # of one feed, continuous
    feeds_per_side: float
    current_a: float  # of a line of each feed, while one side carries all
    current_limit_a: float  # continuous
    shelves: float


@quantity(unit="A", source="P = U I")
def direct_current_a(*, power_w: Array, voltage_v: Array) -> Array:
    """Current of a load of direct current."""
    return power_w / voltage_v


@quantity(unit="W", source="definition")
def power_of_feed_w(*, power_w: Array, feeds_per_side: Array) -> Array:
    """Power of one feed of a rack while its side carries all; none where there is no power"""
    return power_w / np.maximum(feeds_per_side, 1)


def feed_breaker_a(chain: Chain, electrical: ElectricalAssumptions) -> Array:
    """Breaker of one feed of a rack, by the standard."""
    return electrical.feeder_current_nec_a if chain.standard == "nec" else electrical.feeder_current_iec_a


def feeder_power_w(chain: Chain, electrical: ElectricalAssumptions) -> Array:
    """What one feed of a rack carries continuously."""
    return line_power_w(feed_breaker_a(chain, electrical), chain, electrical)


def rack_feeds(
    *, power_w: Array, has_shelves: bool, chain: Chain, electrical: ElectricalAssumptions
) -> RackFeeds:
    """Feeds of a rack at its rating: as few on each side as carry all of it."""
    breaker_a, feeder_w = feed_breaker_a(chain, electrical), feeder_power_w(chain, electrical)
    sides = 2 if chain.redundancy_of("rack_feed") == "2N" else 1
    feeds = units_needed(load_w=power_w, unit_w=feeder_w)
    of_one = {
        "power_w": power_of_feed_w(power_w=power_w, feeds_per_side=feeds),
        "voltage_v": electrical.distribution_voltage_v,
    }
    if chain.distribution == DIRECT_CURRENT:
        current_a = direct_current_a(**of_one)
    else:
        current_a = line_current_a(**of_one, power_factor=electrical.power_factor)
    shelves = (
        sides * units_needed(load_w=power_w, unit_w=electrical.shelf_unit_w) if has_shelves else np.zeros(1)
    )
    numbers = {
        "voltage_v": electrical.distribution_voltage_v,
        "breaker_a": breaker_a,
        "feeder_w": feeder_w,
        "feeds_per_side": feeds,
        "current_a": current_a,
        "current_limit_a": breaker_a * continuous_factor(chain.standard, electrical),
        "shelves": shelves,
    }
    return RackFeeds(sides=sides, **{name: float(number.ravel()[0]) for name, number in numbers.items()})
