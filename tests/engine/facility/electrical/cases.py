"""Chains for the tests of sizing and of lost blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.electrical.loads import ChainLoads, chain_loads
from app.engine.facility.electrical.lost_block import LostBlock, lose_each
from app.engine.facility.electrical.sizing import Sizing, site_derating, size_chain
from tests.engine.facility.cases import defaults, evaluate, facility_at, steady
from tests.support import assumptions, number


def electrical(**context: str) -> ElectricalAssumptions:
    return assumptions("electrical", ElectricalAssumptions, **context)


def chain_of(redundancy: str = "2N", **words: str) -> Chain:
    given: dict[str, Any] = {"distribution": "ac_415", "ups": "double_conversion", "standard": "nec"}
    return Chain(redundancy=redundancy, **(given | words))


def loads_of(chain: Chain, supernodes: float = 16) -> tuple[ChainLoads, float]:
    """Racks of 132 kW at a place of 30 degC, at their rating; and how many they are."""
    context = {"distribution": chain.distribution, "ups": chain.ups}
    facility = facility_at(steady(dry_bulb_c=30, wet_bulb_c=22), redundancy=chain.redundancy)
    power, cooling = evaluate(facility=facility, supernodes=supernodes, given=defaults(**context))
    loads = chain_loads(
        it_w=power.it_power_design_w,
        power=power,
        cooling=cooling,
        redundancy=chain.redundancy,
        assumptions=defaults(**context),
    )
    return loads, float(power.racks[0])


def sized(
    chain: Chain, loads: ChainLoads, racks: float, elevation_m: float = 100, dry_bulb_c: float = 30
) -> Sizing:
    context = {"distribution": chain.distribution, "ups": chain.ups}
    return size_chain(
        chain=chain,
        loads=loads,
        racks=number(racks),
        derating=site_derating(
            elevation_m=number(elevation_m),
            hottest_dry_bulb_c=number(dry_bulb_c),
            electrical=electrical(**context),
        ),
        facility=defaults(**context),
        electrical=electrical(**context),
    )


def lost(chain: Chain, sizing: Sizing, loads: ChainLoads, times: float = 1.0) -> LostBlock:
    """Every block lost in turn, at so many times the loads."""
    carried_w = np.concatenate([loads.carried_w[kind] for kind in sizing.kinds]) * times
    return lose_each(
        chain=chain,
        sizing=sizing,
        carried_w=carried_w,
        it_w=loads.it_w * times,
        battery_time_s=number(300),
        hold_up_s=number(0.02),
    )
