"""What a better facility saves of the same work: shares, ceilings, and what one run takes.

Work that can wait, moved into the better hours of its window.

A pod that always works has no hour to move anything to: what is moved needs hours that stand idle.

How large a clean plant is when it is to generate so much of a year's load.

Solar power of a site without measured irradiance: geometry, and clearness from the days' temperatures.

Clear days have warm afternoons and cold nights: Hargreaves and Samani take the share of the sun that
passes the sky from that difference [1]. It knows seasons and weather, not single clouds: low confidence.

[1] Allen et al., Crop evapotranspiration, FAO Irrigation and drainage paper 56 (1998): equations 21 to
33 (extraterrestrial radiation), 37 (clear sky) and 50 (clearness).

Wind power of a site from the wind that its weather station measured: low confidence.

Stations stand at airports, wind farms where it blows: take the hours from here, the amount from elsewhere.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_PUE = "[1] ISO/IEC 30134-2:2016 (power usage effectiveness)"
_SCOPE_2 = "[1] GHG Protocol Scope 2 Guidance (2015)"


@quantity(unit="1", source=_PUE)
def facility_energy_saved(*, pue_before: Array, pue_after: Array) -> Array:
    """Share of the energy of a facility that a lower PUE saves.

    1 - after / before, the same energy of the IT.
    """
    return 1 - pue_after / pue_before


@quantity(unit="1", source=_PUE)
def facility_energy_ceiling(*, pue: Array) -> Array:
    """Share of the energy at the meter that is not the IT's.

    1 - 1 / PUE: more than this no plant and no power train can save. With the TUE in place of the PUE,
    the fans and power supplies inside the servers count as overhead too.
    """
    return 1 - 1 / pue


@quantity(unit="1", source="definition")
def share_saved(*, before: Array, after: Array) -> Array:
    """Share of an energy that is saved: 1 - after / before."""
    return 1 - after / before


@quantity(unit="W", source="definition")
def rated_power_per_accelerator_w(*, max_power_w: Array, accelerators: Array) -> Array:
    """Rated power of a host for each of its accelerators."""
    return max_power_w / accelerators


@quantity(unit="W", source="definition")
def rated_power_with_other_fans_w(*, max_power_w: Array, fan_share: Array, other_fan_share: Array) -> Array:
    """Rated power of the same server cooled another way: all but its fans draws the same."""
    return max_power_w * (1 - fan_share) / (1 - other_fan_share)


@quantity(unit="m3", source="definition")
def run_water_m3(
    *, water_m3_per_year: Array, run_energy_kwh: Array, energy_utility_kwh_per_year: Array
) -> Array:
    """Water of one run: the year's, by the run's share of the year's energy at the meter."""
    return water_m3_per_year * run_energy_kwh / energy_utility_kwh_per_year


@quantity(unit="J/token", source="definition")
def run_energy_j_per_token(*, run_energy_kwh: Array, tokens: Array) -> Array:
    """Energy at the meter for each useful token: all of the elapsed time, restarts included."""
    return run_energy_kwh * 3.6e6 / tokens


@quantity(unit="kWh", source="definition")
def grid_energy_kwh(*, run_energy_kwh: Array, matched_share: Array) -> Array:
    """Energy of one run that the grid gives: what clean energy does not cover hour by hour."""
    return run_energy_kwh * (1 - matched_share)


@quantity(unit="kg", source=_SCOPE_2)
def grid_carbon_kg(*, grid_energy_kwh: Array, carbon_intensity_kg_per_kwh: Array) -> Array:
    """Carbon of the energy from the grid, at its mean intensity.

    Clean energy counts as free of carbon where it is used in the hour, or stored from an earlier one.
    """
    return grid_energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="USD", source="definition")
def run_utilities_usd(
    *,
    grid_energy_kwh: Array,
    electricity_price_usd_per_kwh: Array,
    run_water_m3: Array,
    water_price_usd_per_m3: Array,
) -> Array:
    """Electricity from the grid and water of one run."""
    return grid_energy_kwh * electricity_price_usd_per_kwh + run_water_m3 * water_price_usd_per_m3


@quantity(unit="USD", source="definition")
def clean_energy_usd(
    *, run_energy_kwh: Array, generated_share: Array, clean_price_usd_per_kwh: Array
) -> Array:
    """Cost of clean energy: every kWh that is generated, whether it finds a use or not."""
    return run_energy_kwh * generated_share * clean_price_usd_per_kwh


@quantity(unit="1", source="definition", leaf=True)
def activity_by_hour(*, signal: Array, use: Array, flexible_share: Array, window_h: Array) -> Array:
    """Share of each hour that the pod works, with the work that can wait in the hours of least signal.

    Parameters
    ----------
    signal : what makes an hour worse: its PUE, or clean energy that it lacks
    use : share of all hours that the pod works [1]; without moving, of every hour alike
    flexible_share : of the work, what can wait [1]
    window_h : hours within which it is done all the same [h]

    The rest stays evenly spread. In each window the better hours are filled first, and no hour with more
    than a whole hour of work; a window of one signal is left as it is.
    """
    hours, width = signal.size, int(window_h.item())
    windows = -(-hours // width)
    real = np.arange(windows * width).reshape(windows, width) < hours
    grouped = np.append(signal, np.full(windows * width - hours, np.inf)).reshape(windows, width)
    fixed = use * (1 - flexible_share)
    room = np.where(real, 1 - fixed, 0.0)
    to_place = (use * flexible_share * real.sum(axis=1))[:, None]
    order = np.argsort(grouped, axis=1, kind="stable")
    room_in_order = np.take_along_axis(room, order, axis=1)
    taken_before = np.cumsum(room_in_order, axis=1) - room_in_order
    placed = np.empty(grouped.shape)
    np.put_along_axis(placed, order, np.clip(to_place - taken_before, 0, room_in_order), axis=1)
    spread = np.where(real, grouped, -np.inf).max(axis=1) - grouped.min(axis=1)
    even = np.broadcast_to(use * flexible_share, grouped.shape)
    moved = np.where(spread[:, None] > 0, placed, even)
    found: Array = fixed + moved.ravel()[:hours]
    return found


@quantity(unit="1", source="definition")
def scheduled_over_even(*, activity: Array, hourly: Array) -> Array:
    """Mean of an hourly figure over the hours of work, over its mean when work is spread evenly."""
    at_work = np.sum(activity * hourly, keepdims=True) / np.sum(activity, keepdims=True)
    ratio: Array = at_work / np.mean(hourly, keepdims=True)
    return ratio


@quantity(unit="1", source="definition")
def use_of_slower_work(*, use: Array, elapsed_time_s: Array, baseline_elapsed_time_s: Array) -> Array:
    """Share of all hours that the same work takes when each run is longer, one at most."""
    return np.minimum(use * elapsed_time_s / baseline_elapsed_time_s, 1)


@quantity(unit="1", source="definition")
def capacity_factor(*, yield_by_hour: Array) -> Array:
    """Mean power of a plant over its rated power."""
    mean: Array = np.mean(yield_by_hour, keepdims=True)
    return mean


@quantity(unit="W", source="definition")
def generation_by_hour_w(*, yield_by_hour: Array, mean_load_w: Array, share: Array) -> Array:
    """Generation in each hour of a plant that generates a share of a year's load.

    The hours are those of `yield_by_hour`, the amount is asked for; nothing where nothing is asked for.
    """
    return np.where(share == 0, 0.0, yield_by_hour / np.mean(yield_by_hour) * mean_load_w * share)


@quantity(unit="W", source="definition")
def rated_generation_w(*, mean_load_w: Array, share: Array, capacity_factor: Array) -> Array:
    """Rated power of a plant that generates a share of a year's load."""
    return np.where(share == 0, 0.0, mean_load_w * share / capacity_factor)


FAO_56 = "[1] Allen et al., FAO Irrigation and drainage paper 56 (1998)"
SOLAR_CONSTANT_W_PER_M2 = 1367.0
REFERENCE_IRRADIANCE_W_PER_M2 = 1000.0  # at which modules are rated
DAYS = np.repeat(np.arange(1, 366), 24)
MIDDLES_OF_HOURS = np.tile(np.arange(24) + 0.5, 365)


@quantity(unit="W/m2", source=f"{FAO_56}, equations 21 to 33")
def extraterrestrial_w_per_m2(*, latitude_deg: Array, longitude_deg: Array, utc_offset_hours: Array) -> Array:
    """Sun on a level plane above the air, in each hour of local standard time; zero at night."""
    angle = 2 * np.pi * DAYS / 365
    distance = 1 + 0.033 * np.cos(angle)
    declination = 0.409 * np.sin(angle - 1.39)
    season = 2 * np.pi * (DAYS - 81) / 364
    correction_h = 0.1645 * np.sin(2 * season) - 0.1255 * np.cos(season) - 0.025 * np.sin(season)
    solar_h = MIDDLES_OF_HOURS + longitude_deg / 15 - utc_offset_hours + correction_h
    hour_angle = np.pi / 12 * (solar_h - 12)
    latitude = latitude_deg * (np.pi / 180)
    height = np.sin(latitude) * np.sin(declination)
    height = height + np.cos(latitude) * np.cos(declination) * np.cos(hour_angle)
    found: Array = SOLAR_CONSTANT_W_PER_M2 * distance * np.maximum(height, 0)
    return found


@quantity(unit="1", source=f"{FAO_56}, equations 37 and 50 (Hargreaves and Samani)", leaf=True)
def clearness_by_hour(*, dry_bulb_c: Array, elevation_m: Array, clearness_per_root_kelvin: Array) -> Array:
    """Share of that sun which reaches the ground, from the range of each day's temperatures.

    Never more than the clear sky lets through: 0.75 and a little with the height.
    """
    by_day = dry_bulb_c.reshape(-1, 24)
    day_range_k = by_day.max(axis=1) - by_day.min(axis=1)
    clear_sky = 0.75 + 2e-5 * elevation_m
    by_hour: Array = np.repeat(np.minimum(clearness_per_root_kelvin * np.sqrt(day_range_k), clear_sky), 24)
    return by_hour


@quantity(unit="1", source="definition")
def solar_yield_by_hour(
    *, extraterrestrial_w_per_m2: Array, clearness_by_hour: Array, solar_performance_ratio: Array
) -> Array:
    """Power of a level solar field over its rated power, in each hour."""
    irradiance_w_per_m2 = extraterrestrial_w_per_m2 * clearness_by_hour
    return solar_performance_ratio * irradiance_w_per_m2 / REFERENCE_IRRADIANCE_W_PER_M2


@quantity(unit="m/s", source="power law of the wind profile")
def hub_wind_m_per_s(*, wind_m_per_s: Array, hub_height_m: Array, shear_exponent: Array) -> Array:
    """Wind at the hub from that of a station, which measures ten metres above the ground."""
    return wind_m_per_s * (hub_height_m / 10) ** shear_exponent


@quantity(unit="1", source="power curve of a pitch-regulated turbine, idealised")
def wind_yield_by_hour(
    *,
    hub_wind_m_per_s: Array,
    cut_in_m_per_s: Array,
    rated_m_per_s: Array,
    cut_out_m_per_s: Array,
    wind_availability: Array,
) -> Array:
    """Power of a turbine over its rated power, in each hour.

    With the cube of the wind between cut-in and rated wind, rated up to cut-out, none beyond.
    """
    rising = (hub_wind_m_per_s**3 - cut_in_m_per_s**3) / (rated_m_per_s**3 - cut_in_m_per_s**3)
    running = hub_wind_m_per_s <= cut_out_m_per_s
    return wind_availability * np.where(running, np.clip(rising, 0, 1), 0.0)
