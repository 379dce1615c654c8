"""How a site buys and makes its electricity, with the figures of each kind of plant."""

from __future__ import annotations

import dataclasses
from difflib import get_close_matches
from typing import Any

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.power_markets import power_markets
from app.engine.facility.power_supply import prices
from app.engine.facility.power_supply.kinds import WEATHER_BOUND
from app.engine.facility.savings import saved
from app.engine.specs.power_supply import Battery, DemandResponse, PowerSource, PowerSupply, Purchase
from app.engine.trace import Array, Origin
from app.scenarios.document.power_supply import PowerSupplyDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs

PATH = "facility.power_supply"
SHAPED = "hours of the year"
OF_THE_KIND = tuple(
    field.name
    for field in dataclasses.fields(PowerSource)
    if field.name not in ("kind", "capacity_w", "spare_units", "yield_by_hour")
)
OF_BATTERIES = {
    "round_trip_efficiency": "round_trip_efficiency",
    "cycle_life": "battery_cycle_life",
    "life_years": "battery_life_years",
    "capital_usd_per_kw": "battery_capital_usd_per_kw",
    "capital_usd_per_kwh": "battery_capital_usd_per_kwh",
    "fixed_om_usd_per_kw_year": "battery_fixed_om_usd_per_kw_year",
}
"""Field of a battery -> its assumption."""
WEATHER = (
    "geometry of the sun, clearness and wind of the site's climate year, as under Savings; low confidence"
)


def power_supply(
    inputs: Inputs, document: PowerSupplyDocument | None, climate_key: str
) -> PowerSupply | None:
    """None where the grid alone supplies the site, at one price for the year.

    Raises
    ------
    ScenarioError : a market that there is not, or a site with neither grid nor plant
    """
    if document is None:
        return None
    if document.grid == "none" and not document.sources:
        raise refuse(
            "Without a grid the site has no supply.",
            rule="supply",
            path=f"{PATH}.sources",
            hint="State own plant under sources, or grid: connected.",
        )
    deviation, ratio = _market(inputs, document.market)
    yields = _Yields(inputs, climate_key)
    return PowerSupply(
        connected=document.grid == "connected",
        grid_wait_years=inputs.scenario(f"{PATH}.grid_wait_years", document.grid_wait_years),
        market=document.market or "",
        price_deviation_usd_per_kwh=deviation,
        carbon_ratio=ratio,
        sources=tuple(_source(inputs, place, one, yields) for place, one in enumerate(document.sources)),
        battery=_battery(inputs, document),
        purchases=tuple(
            Purchase(
                kind=one.kind,
                capacity_w=inputs.scenario(f"{PATH}.purchases[{place}].capacity_w", one.capacity_w),
                price_usd_per_kwh=inputs.scenario(
                    f"{PATH}.purchases[{place}].price_usd_per_kwh", one.price_usd_per_kwh
                ),
                yield_by_hour=yields.of(one.kind, f"{PATH}.purchases[{place}].yield_by_hour"),
            )
            for place, one in enumerate(document.purchases)
        ),
        demand_response=None
        if document.demand_response is None
        else DemandResponse(
            **{
                name: inputs.scenario(f"{PATH}.demand_response.{name}", value)
                for name, value in document.demand_response.model_dump().items()
            }
        ),
    )


def _market(inputs: Inputs, key: str | None) -> tuple[Array, Array]:
    """Deviation of the price and ratio of the carbon in each hour; level where no market is stated."""
    level = {"price_deviation_usd_per_kwh": np.zeros(8760), "carbon_ratio": np.ones(8760)}
    label, kind, source, date = "the same in every hour", "scenario", "no market is stated", ""
    shaped = set()
    if key is not None:
        known = power_markets()
        if key not in known:
            near = get_close_matches(key, known, 1, 0.4)
            raise refuse(
                f"There are no hours of a market {key}.",
                rule="catalog_key",
                path=f"{PATH}.market",
                value=key,
                hint=f"Perhaps {near[0]}." if near else f"One of {', '.join(known)}.",
            )
        market = known[key]
        label, kind, source, date = market.label, market.kind, market.source, market.as_of
        if market.quantiles_usd_per_kwh is not None:
            level["price_deviation_usd_per_kwh"] = prices.price_deviation_usd_per_kwh(
                quantiles_usd_per_kwh=market.quantiles_usd_per_kwh
            )
            shaped.add("price_deviation_usd_per_kwh")
        if market.carbon_ratios is not None:
            level["carbon_ratio"] = prices.carbon_ratio(ratios=market.carbon_ratios)
            shaped.add("carbon_ratio")
    found = [
        inputs.taken(
            f"{PATH}.{name}",
            hours,
            Origin(
                kind=kind,
                label=f"{label}, {SHAPED}" if name in shaped or key is None else f"{label}: no hours, level",
                source=source,
                date=date,
                field=f"{PATH}.market",
            ),
        )
        for name, hours in level.items()
    ]
    return found[0], found[1]


def _source(inputs: Inputs, place: int, stated: Any, yields: _Yields) -> PowerSource:
    path = f"{PATH}.sources[{place}]"
    figures = {
        name: inputs.assumption(
            f"{path}.{name}",
            f"power_supply.{name}",
            given=getattr(stated, name, None),
            scenario_field=f"{path}.{name}",
            also={"kind": stated.kind},
        )
        for name in OF_THE_KIND
    }
    return PowerSource(
        kind=stated.kind,
        capacity_w=inputs.scenario(f"{path}.capacity_w", stated.capacity_w),
        spare_units=inputs.scenario(f"{path}.spare_units", stated.spare_units),
        yield_by_hour=yields.of(stated.kind, f"{path}.yield_by_hour")
        if stated.kind in WEATHER_BOUND
        else None,
        **figures,
    )


def _battery(inputs: Inputs, document: PowerSupplyDocument) -> Battery | None:
    if document.battery is None:
        return None
    path = f"{PATH}.battery"
    return Battery(
        use=document.battery.use,
        power_w=inputs.scenario(f"{path}.power_w", document.battery.power_w),
        energy_wh=inputs.scenario(f"{path}.energy_wh", document.battery.energy_wh),
        **{
            name: inputs.assumption(f"{path}.{name}", f"power_supply.{assumption}")
            for name, assumption in OF_BATTERIES.items()
        },
    )


class _Yields:
    """Power over rated power of sun and wind in each hour of a climate year."""

    def __init__(self, inputs: Inputs, climate_key: str) -> None:
        self.inputs, self.key = inputs, climate_key

    def of(self, kind: str, path: str) -> Array:
        hours = self._solar() if kind == "solar" else self._wind()
        origin = Origin(
            kind="derived", label=f"{kind} yield, {SHAPED}", source=WEATHER, catalog=f"climate/{self.key}"
        )
        return self.inputs.taken(path, hours, origin)

    def _setting(self, name: str) -> Array:
        return np.array([self.inputs.setting(f"savings.{name}")])

    def _fact(self, name: str) -> Array:
        try:
            facts = self.inputs.catalog.part("climate", self.key).facts
        except CatalogLookupError:
            facts = {}
        return np.array([facts[name].value if name in facts else np.nan])

    def _solar(self) -> Array:
        above_air = saved.extraterrestrial_w_per_m2(
            latitude_deg=self._fact("latitude"),
            longitude_deg=self._fact("longitude"),
            utc_offset_hours=self._fact("utc_offset_hours"),
        )
        clearness = saved.clearness_by_hour(
            dry_bulb_c=self.inputs.catalog.climate(self.key).dry_bulb_c,
            elevation_m=self._fact("elevation_m"),
            clearness_per_root_kelvin=self._setting("solar_clearness_per_root_kelvin"),
        )
        return saved.solar_yield_by_hour(
            extraterrestrial_w_per_m2=above_air,
            clearness_by_hour=clearness,
            solar_performance_ratio=self._setting("solar_performance_ratio"),
        )

    def _wind(self) -> Array:
        hub = saved.hub_wind_m_per_s(
            wind_m_per_s=self.inputs.catalog.climate(self.key).wind_m_s,
            hub_height_m=self._setting("wind_hub_height_m"),
            shear_exponent=self._setting("wind_shear_exponent"),
        )
        names = ("cut_in_m_per_s", "rated_m_per_s", "cut_out_m_per_s", "availability")
        return saved.wind_yield_by_hour(
            hub_wind_m_per_s=hub,
            **{
                f"wind_{name}" if name == "availability" else name: self._setting(f"wind_{name}")
                for name in names
            },
        )
