"""Availability of power and cooling at a rack, from the failures of blocks and how many are spare.

Blocks stand in series between the utility and the rack; each block is k of n equal units by the redundancy scheme of
the facility. A lost unit takes away what the rest cannot carry, so every block is the expected share of the load that
is not served, and the figure is of a rack wherever it stands: it does not grow with the pod. Node failures are not in
it. Units that share a cause (a fault on the bus, a control error, work on the wrong side) fail together whatever is
spare; without that share two sides would give ten nines, which no measurement supports.

Cooling has a scheme of its own: N, N+1 or 2N. Left open it has the units that the heat needs and none more with N of
the power train, and a spare with every other scheme: that is what a concurrently maintainable and a fault-tolerant
topology ask of chillers, pumps and CDUs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical.redundancy import SCHEMES, of_paths, units_sharing, units_that_suffice
from app.engine.quantities import alias, quantity
from app.engine.trace import Array

HOURS_OF_A_YEAR = 8760
BINOMIAL = "[1] IEEE Std 493, series, parallel and k-of-n systems; Barlow, Proschan 1975 (binomial k of n)"
BLOCKS: dict[str, str] = {
    "feeds": "utility feeds and generators",
    "mv_transformer": "MV transformers",
    "lv_transformer": "LV transformers",
    "ups": "UPS",
    "distribution": "switchboards and busway",
    "cooling": "chillers, coolers and pumps",
    "cdu": "CDUs",
}
TIERS: dict[str, tuple[str, str]] = {
    "N": ("I", "one path without a spare unit: maintenance stops the racks"),
    "N+1": ("II", "spare units on one path: a unit can be taken out, the path cannot"),
    "3N/2": ("III", "two paths to every rack and a spare block: all can be maintained while racks run"),
    "4N/3": ("III", "two paths to every rack and a spare block: all can be maintained while racks run"),
    "block_redundant": ("III", "a catcher behind static switches: every block can be maintained while racks run"),
    "2N": ("IV", "two sides that each carry the load: one fault on either is ridden through, if the sides stand apart"),
    "2(N+1)": ("IV", "two sides with spare units: a fault is ridden through even while a unit is maintained"),
}  # fmt: skip
"""Topology class of the Uptime Institute that a scheme corresponds to, and why. It is a class of topology, which only
the institute certifies, not an availability."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outages:
    """What power and cooling leave of the hours of a year, at a rack."""

    facility_availability: Array
    facility_nines: Array
    yearly_outage_hours: Array
    outage_breakdown_hours: dict[str, Array]
    topology_tier: str


def cooling_scheme(redundancy: str, cooling_redundancy: str = "auto") -> str:
    """Redundancy of chillers, pumps and CDUs; where it is open none with N, one spare with every other scheme."""
    if cooling_redundancy != "auto":
        return cooling_redundancy
    return "N" if redundancy == "N" else "N+1"


@quantity(unit="1", source="[1] Barlow, Proschan 1975, steady state of an alternating renewal process")
def unit_unavailability(*, mtbf_hours: Array, mttr_hours: Array) -> Array:
    """Unavailability of one unit: r / (m + r)."""
    return mttr_hours / (mtbf_hours + mttr_hours)


@quantity(unit="1", source=BINOMIAL, leaf=True)
def shortage_share(*, needed: Array, installed: Array, unavailability: Array) -> Array:
    """Expected share of a load that too few working units leave unserved.

    E[max(X - m, 0)] / k for X of n units down, X binomial and m = n - k spare:
    (n u P(B(n - 1, u) >= m) - m P(B(n, u) >= m + 1)) / k.

    Parameters
    ----------
    needed : k, units that just carry the load
    installed : n, units at work, at least k
    unavailability : u of one unit
    """
    spare = installed - needed
    some = np.maximum(spare, 1)
    reached = np.where(spare > 0, betainc(some, np.maximum(installed - spare, 1), unavailability), 1.0)
    beyond = betainc(spare + 1, installed - spare, unavailability)
    return (installed * unavailability * reached - spare * beyond) / needed


@quantity(unit="1", source="[1] IEC 61508-6, beta factor of common causes; IEEE Std 493")
def unavailability_with_common_causes(
    *, independent_shortage: Array, unavailability: Array, common_cause_share: Array, has_spare: Array
) -> Array:
    """Unavailability of a block with a share of failures that take all its units.

    beta u + what the rest leave unserved; u where there is nothing that could fail together with its spare.
    """
    return np.where(has_spare > 0, common_cause_share * unavailability + independent_shortage, unavailability)


@quantity(unit="1", source="definition")
def independent_unavailability(*, unavailability: Array, common_cause_share: Array) -> Array:
    """Unavailability of a unit by causes of its own."""
    return unavailability * (1 - common_cause_share)


def block_unavailability(
    *, needed: Array, unavailability: Array, common_cause_share: Array, redundancy: str
) -> Array:
    """Share of the load of a block that is unserved, by its scheme.

    Sets stand alone, so one set speaks for all; units of a bus and a catcher are counted together.
    """
    scheme = SCHEMES[redundancy]
    k, n = _k_of_n(needed=needed, redundancy=redundancy)
    own = independent_unavailability(unavailability=unavailability, common_cause_share=common_cause_share)
    has_spare = scheme.spare + scheme.idle + scheme.set_size + (scheme.sides - 1)
    found: Array = unavailability_with_common_causes(
        independent_shortage=shortage_share(needed=k, installed=n, unavailability=own),
        unavailability=unavailability,
        common_cause_share=common_cause_share,
        has_spare=np.array([float(has_spare)]),
    )
    return found


def _k_of_n(*, needed: Array, redundancy: str) -> tuple[Array, Array]:
    scheme = SCHEMES[redundancy]
    if scheme.set_size:
        return np.array([float(scheme.set_needs)]), np.array([float(scheme.set_size)])
    sharing = units_sharing(needed=needed, redundancy=redundancy)
    return needed, sharing + scheme.idle


@quantity(unit="1", source="definition")
def units_of_block(*, load_w: Array, unit_w: Array) -> Array:
    """Units of the largest size that carry a load; one where there is none."""
    return np.maximum(np.ceil(load_w / unit_w), 1)


@quantity(unit="1", source="[1] IEEE Std 493, standby: the utility is down and too few generators start")
def supply_unavailability(*, utility_unavailability: Array, generator_shortage: Array) -> Array:
    """Share of the load without utility and without generators."""
    return utility_unavailability * generator_shortage


def _hours_of(block: str) -> Callable[..., Array]:
    named = alias(
        f"{block}_outage_hours",
        f"Outage hours per year by {BLOCKS[block]}",
        at=f"power.outage_breakdown_hours.{block}",
        of="hours",
        unit="h",
    )
    return named


OUTAGE_HOURS = {block: _hours_of(block) for block in BLOCKS}


@quantity(unit="h", source="definition")
def hours_a_year(*, unavailability: Array) -> Array:
    """Hours of a year of 8,760."""
    return unavailability * 8760


@quantity(
    unit="h",
    source="Uptime Institute, Tier Classifications Define Site Infrastructure Performance, recalled",
    at="power.outage_breakdown_hours.maintenance",
)
def maintenance_outage_hours(*, single_path_hours: Array, spare_units_hours: Array, redundancy: str) -> Array:
    """Outage hours per year by maintenance that racks cannot run through.

    One path has to be shut down for work on it; with spare units less often; with two paths never.
    """
    if redundancy == "N":
        return 1 * single_path_hours
    return 1 * spare_units_hours if redundancy == "N+1" else 0 * spare_units_hours


@quantity(
    unit="1",
    source=BINOMIAL,
    at="power.facility_availability",
    percent=True,
    short="Facility availability",
    better="more",
)
def facility_availability(*, unavailability: tuple[Array, ...], maintenance_outage_hours: Array) -> Array:
    """Facility availability: share of the year in which a rack has power and cooling.

    (1 - maintenance / 8,760) times the product of 1 - U over the blocks in series. Node failures are not in it: they
    are in the ETTR and in the availability of replicas.
    """
    share = 1 - maintenance_outage_hours / 8760
    for one in unavailability:
        share = share * (1 - one)
    return share


@quantity(
    unit="h",
    source="definition",
    at="power.yearly_outage_hours",
    short="Facility outage",
    key=True,
    better="less",
)
def yearly_outage_hours(*, facility_availability: Array) -> Array:
    """Outage of power or cooling, hours per year."""
    return (1 - facility_availability) * 8760


@quantity(unit="1", source="definition: -log10 of the unavailability", at="power.facility_nines")
def facility_nines(*, facility_availability: Array) -> Array:
    """Nines of the facility's availability: 3 for 99.9 %."""
    return -np.log10(1 - facility_availability)


def outages(
    *,
    liquid_share: Array,
    redundancy: str,
    assumptions: FacilityAssumptions,
    cooling_redundancy: str = "auto",
) -> Outages:
    """Availability of power and cooling, with the hours of a year that each block takes.

    Units of a bus are counted in groups of a usual size: the figure does not wait for the power of the pod.

    Parameters
    ----------
    liquid_share : of the racks' heat that liquid takes away; CDUs are in the way of none without it [1]
    """
    a, cooled = assumptions, cooling_scheme(redundancy, cooling_redundancy)

    def of(block: str, scheme: str) -> Array:
        return block_unavailability(
            needed=a.redundancy_group_units,
            unavailability=unit_unavailability(
                mtbf_hours=getattr(a, f"{block}_mtbf_hours"), mttr_hours=getattr(a, f"{block}_mttr_hours")
            ),
            common_cause_share=a.common_cause_share,
            redundancy=scheme,
        )

    utility = block_unavailability(
        needed=np.ones(1),
        unavailability=unit_unavailability(
            mtbf_hours=a.utility_feed_mtbf_hours, mttr_hours=a.utility_feed_mttr_hours
        ),
        common_cause_share=a.utility_common_cause_share,
        redundancy=redundancy,
    )
    generators = block_unavailability(
        needed=a.redundancy_group_units,
        unavailability=a.generator_failure_on_demand,
        common_cause_share=a.common_cause_share,
        redundancy=redundancy,
    )
    unavailable: dict[str, Array] = {
        "feeds": supply_unavailability(utility_unavailability=utility, generator_shortage=generators),
        "mv_transformer": of("mv_transformer", redundancy),
        "lv_transformer": of("lv_transformer", redundancy),
        "ups": of("ups", redundancy),
        "distribution": of("distribution", of_paths(redundancy)),
        "cooling": of("cooling_unit", cooled),
        "cdu": none_without_liquid(unavailability=of("cdu", cooled), liquid_share=liquid_share),
    }
    maintenance = maintenance_outage_hours(
        single_path_hours=a.maintenance_single_path_hours,
        spare_units_hours=a.maintenance_spare_units_hours,
        redundancy=redundancy,
    )
    available = facility_availability(
        unavailability=tuple(unavailable.values()), maintenance_outage_hours=maintenance
    )
    return Outages(
        facility_availability=available,
        facility_nines=facility_nines(facility_availability=available),
        yearly_outage_hours=yearly_outage_hours(facility_availability=available),
        outage_breakdown_hours={
            "maintenance": maintenance,
            **{
                block: OUTAGE_HOURS[block](hours=hours_a_year(unavailability=share))
                for block, share in unavailable.items()
            },
        },
        topology_tier=TIERS[redundancy][0],
    )


@quantity(unit="1", source="definition")
def none_without_liquid(*, unavailability: Array, liquid_share: Array) -> Array:
    """Unavailability of CDUs; none where nothing is cooled by liquid."""
    return np.where(liquid_share == 0, 0.0, unavailability)


@quantity(unit="1", source="definition of the redundancy schemes")
def units_installed(*, needed: Array, redundancy: str) -> Array:
    """Units of a block, idle ones included."""
    return units_sharing(needed=needed, redundancy=redundancy) + SCHEMES[redundancy].idle


@quantity(unit="1", source="definition of the redundancy schemes")
def installed_share(*, units_installed: Array, units_carrying: Array) -> Array:
    """Installed over needed capacity of a block."""
    return units_installed / units_carrying


def _declare_shares() -> dict[str, Callable[..., Array]]:
    names = {
        "feeds": "utility feeds and MV transformers",
        "generators": "generators",
        "lv_transformer": "LV transformers",
        "ups": "UPS",
        "distribution": "switchboards and busway",
        "cooling": "chillers, coolers and pumps",
        "cdu": "CDUs",
    }
    return {
        block: alias(
            f"{block}_installed_share",
            f"Installed over needed capacity of {words}",
            at=f"power.installed_shares.{block}",
            of="share",
        )
        for block, words in names.items()
    }


INSTALLED_SHARES = _declare_shares()


def installed_shares(
    *,
    it_power_design_w: Array,
    liquid_heat_design_w: Array,
    redundancy: str,
    assumptions: FacilityAssumptions,
    cooling_redundancy: str = "auto",
) -> dict[str, Array]:
    """Installed over needed capacity of every block, by its name: 1 with N, 2 with 2N."""
    a, cooled = assumptions, cooling_scheme(redundancy, cooling_redundancy)
    blocks = {
        "feeds": (it_power_design_w, a.mv_transformer_unit_w, redundancy),
        "generators": (it_power_design_w * a.generator_rating_ratio, a.lv_transformer_unit_w, redundancy),
        "lv_transformer": (it_power_design_w, a.lv_transformer_unit_w, redundancy),
        "ups": (it_power_design_w, a.ups_unit_w, redundancy),
        "distribution": (it_power_design_w, a.distribution_unit_w, of_paths(redundancy)),
        "cooling": (it_power_design_w, a.cooling_unit_w, cooled),
        "cdu": (liquid_heat_design_w, a.cdu_unit_w, cooled),
    }
    shares = {name: _installed_share(*block) for name, block in blocks.items()}
    shares["cdu"] = share_where_liquid(
        installed_share=shares["cdu"], liquid_heat_design_w=liquid_heat_design_w
    )
    return {name: INSTALLED_SHARES[name](share=share) for name, share in shares.items()}


@quantity(unit="1", source="definition")
def share_where_liquid(*, installed_share: Array, liquid_heat_design_w: Array) -> Array:
    """Installed over needed CDUs; none where nothing is cooled by liquid."""
    return np.where(liquid_heat_design_w == 0, 0.0, installed_share)


def _installed_share(load_w: Array, unit_w: Array, redundancy: str) -> Array:
    needed = units_of_block(load_w=load_w, unit_w=unit_w)
    found: Array = installed_share(
        units_installed=units_installed(needed=needed, redundancy=redundancy),
        units_carrying=units_that_suffice(needed=needed, redundancy=redundancy),
    )
    return found
