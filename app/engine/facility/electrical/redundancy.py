"""Redundancy of one stage of the electrical chain: units, installed power and loads by scheme.

A scheme stands for n units that would just carry the load. Three families cover all:

- *parallel* units share a bus: n of them (N), n + 1 (N+1), or n + 1 on each of two sides (2(N+1));
- *sets* of b units carry the load of k of them: pairs (2N), three to make two (3N/2), four to make three
  (4N/3); each unit of a set hands its load to the others of the set;
- a *catcher*: n units at work and one idle, which takes over from any through static switches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

SOURCE = "definition of the redundancy schemes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """A redundancy scheme. `set_size` 0 means that all units of a side share one bus."""

    sides: int = 1
    spare: int = 0  # further units of a side, which share its load
    idle: int = 0  # units that carry nothing until another is lost
    set_needs: int = 0
    set_size: int = 0


SCHEMES: dict[str, Scheme] = {
    "N": Scheme(),
    "N+1": Scheme(spare=1),
    "2N": Scheme(sides=2, set_needs=1, set_size=2),
    "2(N+1)": Scheme(sides=2, spare=1),
    "3N/2": Scheme(set_needs=2, set_size=3),
    "4N/3": Scheme(set_needs=3, set_size=4),
    "block_redundant": Scheme(idle=1),
}


def of_paths(redundancy: str) -> str:
    """Scheme of switchboards, busway and cable: a spare unit on the one path of N+1 gives the racks no second path.

    Their conductors carry the whole current, whatever shares a bus above them.
    """
    return "N" if redundancy == "N+1" else redundancy


@quantity(unit="1", source=SOURCE)
def units_needed(*, load_w: Array, unit_w: Array) -> Array:
    """Units needed to carry a load."""
    return np.maximum(np.ceil(load_w / unit_w), 1)


@quantity(unit="W", source=SOURCE)
def sharing_power_w(*, it_power_design_w: Array, unit_w: Array, redundancy: str) -> Array:
    """Power installed in the units of one stage that share its load.

    Parameters
    ----------
    it_power_design_w : load that the stage is sized for [W]
    unit_w : largest single unit [W]; the load is shared by n = ceil(load / unit) equal units
    redundancy : a name of SCHEMES

    The highest normal load of a unit is the design load over this: n / (n + 1) for N+1, 1/2 for 2N,
    2/3 for 3N/2, 3/4 for 4N/3, and 1 for the active units of a block-redundant chain.
    """
    scheme = SCHEMES[redundancy]
    units = np.maximum(np.ceil(it_power_design_w / unit_w), 1)
    if scheme.set_size:
        return it_power_design_w * (scheme.set_size / scheme.set_needs * units / units)
    return it_power_design_w * (scheme.sides * (units + scheme.spare) / units)


@quantity(unit="W", source=SOURCE)
def standby_power_w(*, it_power_design_w: Array, unit_w: Array, redundancy: str) -> Array:
    """Power installed in the units of one stage that stand idle and lose their constant term."""
    units = np.maximum(np.ceil(it_power_design_w / unit_w), 1)
    return it_power_design_w * SCHEMES[redundancy].idle / units


@quantity(unit="W", source=SOURCE)
def installed_power_w(*, it_power_design_w: Array, unit_w: Array, redundancy: str) -> Array:
    """Power installed in one stage of the electrical chain, idle units included."""
    sharing_w: Array = sharing_power_w(
        it_power_design_w=it_power_design_w, unit_w=unit_w, redundancy=redundancy
    )
    standby_w: Array = standby_power_w(
        it_power_design_w=it_power_design_w, unit_w=unit_w, redundancy=redundancy
    )
    return sharing_w + standby_w


@quantity(unit="1", source=SOURCE)
def units_sharing(*, needed: Array, redundancy: str) -> Array:
    """Units that share the load of a stage, for n = `needed` that would just carry it."""
    scheme = SCHEMES[redundancy]
    if scheme.set_size:
        return scheme.set_size * np.ceil(needed / scheme.set_needs)
    return scheme.sides * (needed + scheme.spare)


@quantity(unit="1", source=SOURCE)
def units_that_suffice(*, needed: Array, redundancy: str) -> Array:
    """Units by which a load is divided: n, filled up to whole sets."""
    scheme = SCHEMES[redundancy]
    if scheme.set_size:
        return scheme.set_needs * np.ceil(needed / scheme.set_needs)
    return needed


@quantity(unit="1", source=SOURCE)
def units_taking_over(*, needed: Array, redundancy: str) -> Array:
    """Units that share a load after one is lost, including that unit.

    A set; all units of a bus; with a catcher the unit and its catcher.
    """
    scheme = SCHEMES[redundancy]
    if scheme.set_size:
        return scheme.set_size + 0 * needed
    return 1 + scheme.idle + 0 * needed if scheme.idle else needed + scheme.spare


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeLoads:
    """A scheme at n units whose load they just carry: what the table of schemes says."""

    redundancy: str
    units: float
    installed_share: float  # over the load
    normal_load: float  # of the busiest unit
    load_one_lost: float  # of the busiest unit left; infinite: none is left
    load_side_lost: float  # NaN: it has no two sides


def scheme_loads(needed: int) -> tuple[SchemeLoads, ...]:
    """Every scheme for n units' worth of load, at the load that it was sized for.

    >>> [one.units for one in scheme_loads(4)]
    [4.0, 5.0, 8.0, 10.0, 6.0, 8.0, 5.0]
    """
    return tuple(_loads(name, np.array([float(needed)])) for name in SCHEMES)


def _loads(name: str, needed: Array) -> SchemeLoads:
    scheme = SCHEMES[name]
    sharing = units_sharing(needed=needed, redundancy=name)
    suffice = units_that_suffice(needed=needed, redundancy=name)
    normal = suffice / sharing
    after = load_one_lost(
        normal_load=normal,
        taking_over=units_taking_over(needed=needed, redundancy=name),
        has_catcher=bool(scheme.idle),
    )
    return SchemeLoads(
        redundancy=name,
        units=float(sharing[0]) + scheme.idle,
        installed_share=float(((sharing + scheme.idle) / suffice)[0]),
        normal_load=float(normal[0]),
        load_one_lost=float(after[0]),
        load_side_lost=2 * float(normal[0]) if scheme.sides == 2 else np.nan,
    )


@quantity(unit="1", source="definition: the load of the lost unit, shared by those that take over")
def load_one_lost(*, normal_load: Array, taking_over: Array, has_catcher: bool) -> Array:
    """Load of the busiest unit after one failure; infinite where none is left."""
    if has_catcher:
        return normal_load + 0 * taking_over
    with np.errstate(divide="ignore"):
        return normal_load * taking_over / (taking_over - 1)
