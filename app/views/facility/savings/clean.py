"""Solar and wind power of a scenario's site, and their hours against its load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.view import CatalogView
from app.engine.facility.savings.matching import (
    Matching,
    generated_share,
    match_hours,
    matched_by_month_and_hour,
    matched_share,
)
from app.engine.facility.savings.saved import (
    capacity_factor,
    clearness_by_hour,
    extraterrestrial_w_per_m2,
    generation_by_hour_w,
    hub_wind_m_per_s,
    rated_generation_w,
    solar_yield_by_hour,
    wind_yield_by_hour,
)
from app.engine.specs import Site
from app.engine.trace import Array, first_of
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import Assumed, CleanPlant, HourlyMatching, MatchedWeek, Values

HOURS = 8760
WEEKS = {"January": 14, "July": 195}
"""Weeks that are drawn, by the day of the year that they begin after: the middle of the month."""
SOLAR_SAID = "no irradiance is measured: geometry, and clearness from each day's temperatures; low confidence"
WIND_SAID = "wind of the weather station at hub height, not of a wind farm; low confidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Yields:
    """Power over rated power in each hour."""

    solar: Array
    wind: Array
    latitude_deg: float


def yields_of(site: Site, assumed: Assumed, catalog: CatalogView) -> Yields:
    """Yield of a solar field and a wind farm at the site; unknown where the weather lacks it."""
    key = site.climate.key
    year = catalog.climate(key)
    try:
        facts = catalog.part("climate", key).facts
    except CatalogLookupError:
        facts = {}

    def fact(name: str) -> Array:
        return np.array([facts[name].value if name in facts else np.nan])

    above_air = extraterrestrial_w_per_m2(
        latitude_deg=fact("latitude"),
        longitude_deg=fact("longitude"),
        utc_offset_hours=fact("utc_offset_hours"),
    )
    clearness = clearness_by_hour(
        dry_bulb_c=year.dry_bulb_c,
        elevation_m=fact("elevation_m"),
        clearness_per_root_kelvin=assumed.array("solar_clearness_per_root_kelvin"),
    )
    hub = hub_wind_m_per_s(
        wind_m_per_s=year.wind_m_s,
        hub_height_m=assumed.array("wind_hub_height_m"),
        shear_exponent=assumed.array("wind_shear_exponent"),
    )
    return Yields(
        latitude_deg=first_of(fact("latitude")),
        solar=solar_yield_by_hour(
            extraterrestrial_w_per_m2=above_air,
            clearness_by_hour=clearness,
            solar_performance_ratio=assumed.array("solar_performance_ratio"),
        ),
        wind=wind_yield_by_hour(
            hub_wind_m_per_s=hub,
            cut_in_m_per_s=assumed.array("wind_cut_in_m_per_s"),
            rated_m_per_s=assumed.array("wind_rated_m_per_s"),
            cut_out_m_per_s=assumed.array("wind_cut_out_m_per_s"),
            wind_availability=assumed.array("wind_availability"),
        ),
    )


def generation_over_load(yields: Yields, values: Values) -> Array:
    """Clean energy of each hour over the mean load: what hours are worth waiting for."""
    one = np.ones(1)
    solar = generation_by_hour_w(yield_by_hour=yields.solar, mean_load_w=one, share=values.solar.array)
    wind = generation_by_hour_w(yield_by_hour=yields.wind, mean_load_w=one, share=values.wind.array)
    return solar + wind


def matched(load_w: Array, yields: Yields, values: Values) -> Matching:
    """The clean energy that is asked for against a load."""
    mean_w = load_w.mean(keepdims=True)
    return match_hours(
        load_w=load_w,
        solar_w=generation_by_hour_w(
            yield_by_hour=yields.solar, mean_load_w=mean_w, share=values.solar.array
        ),
        wind_w=generation_by_hour_w(yield_by_hour=yields.wind, mean_load_w=mean_w, share=values.wind.array),
        battery_wh=values.battery_h.value * first_of(mean_w),
        battery_power_w=values.battery_power.value * first_of(mean_w),
        round_trip_efficiency=values.round_trip.value,
    )


def matching_report(
    matching: Matching, yields: Yields, values: Values, options: SavingsOptions
) -> HourlyMatching:
    """The matching of the last state, as it is told."""
    load_wh = float(matching.load_w.sum())
    mean_w = load_wh / HOURS

    def over_load(hourly: Array) -> float:
        return float(hourly.sum()) / load_wh

    generated = first_of(
        generated_share(load_w=matching.load_w, solar_w=matching.solar_w, wind_w=matching.wind_w)
    )
    charged, discharged = over_load(matching.charged_w), over_load(matching.discharged_w)
    return HourlyMatching(
        matched_share=first_of(matched_share(load_w=matching.load_w, grid_w=matching.grid_w)),
        generated_share=generated,
        annual_claim_share=float(np.minimum(generated, 1)),
        direct_share=over_load(matching.direct_w),
        charged_share=charged,
        discharged_share=discharged,
        curtailed_share=over_load(matching.curtailed_w),
        battery_loss_share=charged - discharged,
        grid_share=over_load(matching.grid_w),
        load_mean_w=mean_w,
        battery_wh=values.battery_h.value * mean_w,
        battery_power_w=values.battery_power.value * mean_w,
        plants=(
            _plant("solar", yields.solar, values.solar.value, mean_w, options.solar_capacity_factor),
            _plant("wind", yields.wind, values.wind.value, mean_w, options.wind_capacity_factor),
        ),
        matched_by_month_and_hour=tuple(tuple(line) for line in matched_by_month_and_hour(matching).tolist()),
        weeks=tuple(_week(matching, month, day, yields.latitude_deg) for month, day in WEEKS.items()),
    )


def _plant(
    name: str, yield_by_hour: Array, over_load: float, mean_w: float, stated: float | None
) -> CleanPlant:
    of_weather = capacity_factor(yield_by_hour=yield_by_hour)
    factor = of_weather if stated is None else np.array([stated])
    rated = rated_generation_w(
        mean_load_w=np.array([mean_w]), share=np.array([over_load]), capacity_factor=factor
    )
    return CleanPlant(
        name=name,
        generated_over_load=over_load,
        rated_w=first_of(rated),
        capacity_factor=first_of(factor),
        capacity_factor_of_the_weather=first_of(of_weather),
        said=SOLAR_SAID if name == "solar" else WIND_SAID,
    )


def _week(matching: Matching, month: str, day: int, latitude_deg: float) -> MatchedWeek:
    hours = slice(24 * day, 24 * (day + 7))
    summer = (month == "July") == (latitude_deg >= 0)
    series = {
        name: tuple(getattr(matching, name)[hours].tolist())
        for name in MatchedWeek.__slots__
        if name != "title"
    }
    season = "" if np.isnan(latitude_deg) else f" ({'summer' if summer else 'winter'})"
    return MatchedWeek(title=f"Mid {month}{season}", **series)
