"""What each part of the chain carries in the hottest hour, from the racks up to the utility."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical.chain import chain_losses
from app.engine.facility.results import Cooling, Power
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainLoads:
    """Loads at one IT power in the hottest hour. `carried_w` is what each kind of block gives on, by its name."""

    it_w: Array
    site_w: Array
    cooling_and_house_w: Array
    losses_w: dict[str, Array]
    carried_w: dict[str, Array]


@quantity(unit="W", source="definition")
def site_power_w(*, it_power_w: Array, pue_hottest_hour: Array) -> Array:
    """Power at the utility meter in the hottest hour, for an IT power."""
    return it_power_w * pue_hottest_hour


@quantity(unit="W", source="definition")
def cooling_and_house_w(*, site_power_w: Array, it_power_w: Array, electrical_losses_w: Array) -> Array:
    """Site power besides the racks and their distribution losses."""
    return site_power_w - it_power_w - electrical_losses_w


@quantity(unit="W", source="definition; pumps follow the IT power")
def pumps_on_ups_w(*, pumps: Array, it_power_w: Array, it_power_mean_w: Array) -> Array:
    """Coolant and water pumps, CDUs included, which must not stop while the racks run."""
    return pumps * it_power_w / it_power_mean_w


def chain_loads(
    *, it_w: Array, power: Power, cooling: Cooling, redundancy: str, assumptions: FacilityAssumptions
) -> ChainLoads:
    """Loads of every kind of block at an IT power.

    The site draws IT power times the PUE of the hottest hour; what is neither IT nor lost on its way is
    cooling and house load, so that the parts add up.
    """
    lost_w, losses = chain_losses(
        it_power_w=it_w,
        it_power_design_w=power.it_power_design_w,
        redundancy=redundancy,
        assumptions=assumptions,
    )
    site_w = site_power_w(it_power_w=it_w, pue_hottest_hour=cooling.pue_hottest_hour)
    beside_w = cooling_and_house_w(site_power_w=site_w, it_power_w=it_w, electrical_losses_w=lost_w)
    behind_ups_w = it_w + losses["distribution"]
    return ChainLoads(
        it_w=it_w,
        site_w=site_w,
        cooling_and_house_w=beside_w,
        losses_w=losses,
        carried_w={
            "utility_feed": site_w,
            "mv_transformer": site_w - losses["mv_transformer"],
            "generator": site_w,
            "cooling_transformer": beside_w,
            "lv_transformer": behind_ups_w + losses["ups"],
            "ups": behind_ups_w,
            "pump_ups": pumps_on_ups_w(
                pumps=cooling.breakdown_w["pumps"], it_power_w=it_w, it_power_mean_w=power.it_power_mean_w
            ),
            "switchboard": behind_ups_w,
            "busway": it_w,
            "rack_feed": power.power_per_rack_w,
            "shelf": power.power_per_rack_w,
        },
    )
