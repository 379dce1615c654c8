"""The power supply of a site: a year by source, cost, carbon, two weeks by the hour, prices and shortfalls."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from app.charts.format import show
from app.engine.economics.finance import capital_recovery_factor
from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.facility.it.transients import smoothing_energy_j, usual_ramp_limit_w_per_s
from app.engine.facility.power_supply.kinds import LABELS
from app.engine.facility.power_supply.supplied import supplied, supply_of
from app.engine.facility.power_supply.supply import SupplyYear
from app.engine.specs import Facility
from app.engine.specs.power_supply import PowerSupply
from app.engine.trace import Array, first_of, median_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.file_format import FileFormat, csv_file
from app.views.table import Column, text_line

HOURS = 8760
WEEKS = {"January": 14, "July": 195}
"""Weeks that are drawn, by the day of the year that they begin after."""
DURATION = np.unique(np.concatenate([np.arange(0, 100), np.arange(100, HOURS, 60), [HOURS - 1]]))
ALONE = PowerSupply(
    connected=True,
    grid_wait_years=np.zeros(1),
    market="",
    price_deviation_usd_per_kwh=np.zeros(HOURS),
    carbon_ratio=np.ones(HOURS),
)
"""The grid at one price for the year, where a scenario states nothing else."""


class PowerSupplyOptions(Part):
    """The format of the answer."""

    format: Literal["json", "csv"] = Field(
        default="json", description="json: the year in short; csv: a row an hour."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplySource:
    """Own plant over a year. Levelised cost is over its own life at the cost of capital; unknown without energy."""

    kind: str
    label: str
    rated_w: float
    units: float
    firm_w: float
    energy_kwh: float
    fuel_kwh: float
    efficiency: float
    running_usd: float
    capital_usd: float
    usd_per_kwh: float
    lead_time_years: float
    co2_kg: float
    methane_kg: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyBattery:
    """A battery over a year, and what it does to the swings of the job."""

    power_w: float
    energy_wh: float
    charged_kwh: float
    discharged_kwh: float
    lost_kwh: float
    cycles: float
    life_years: float
    capital_usd: float
    swing_w: float
    swing_left_w: float  # what the feed sees of it
    smoothing_energy_wh: float  # that the whole swing asks for at the usual ramp limit


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyResponse:
    """Demand response: what it earns, and what it takes from the job.

    Accelerators that are off for the share of the load lose their hours; a run that spans the year is longer by as much.
    """

    hours_per_year: float
    shed_kwh: float
    credit_usd: float
    saved_usd: float
    lost_accelerator_hours: float
    longer_run_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyWeek:
    """One week hour by hour in W; stored energy in Wh."""

    title: str
    load_w: tuple[float, ...]
    sources_w: tuple[tuple[float, ...], ...]
    grid_w: tuple[float, ...]
    discharged_w: tuple[float, ...]
    unmet_w: tuple[float, ...]
    stored_wh: tuple[float, ...]
    price_usd_per_kwh: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceDuration:
    """Price that is reached or passed in so many hours."""

    hours: tuple[float, ...]
    price_usd_per_kwh: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSupplyReport:
    """The year of a site's supply."""

    name: str
    site: str
    market: str
    is_stated: bool
    load_kwh: float
    peak_w: float
    firm_w: float | None  # None: the grid has no limit
    ready_years: float | None  # None: never
    grid_kwh: float
    grid_peak_w: float
    grid_usd: float
    price_usd_per_kwh: float
    carbon_kg_per_kwh: float
    fuel_kg: float
    capital_usd: float
    sources: tuple[SupplySource, ...]
    battery: SupplyBattery | None
    purchased_kwh: float
    purchased_usd: float
    response: SupplyResponse | None
    matched_share: float
    annual_matched_share: float
    curtailed_kwh: float
    unmet_kwh: float
    short_hours: int
    negative_hours: int
    weeks: tuple[SupplyWeek, ...]
    price_duration: PriceDuration


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSupplyAnswer:
    """A year of supply in short, and its hours."""

    report: PowerSupplyReport
    year: SupplyYear

    @property
    def name(self) -> str:
        return self.report.name


def power_supply_answer(scenario: EvaluatedScenario) -> PowerSupplyAnswer:
    """The year of a scenario's supply; the grid alone where it states none."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    stated = design.facility.power_supply
    facility = dataclasses.replace(design.facility, power_supply=stated or ALONE)
    rooms = design.assumptions.rooms
    with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
        year = supply_of(facility, sections.power, sections.cooling, rooms["facility"])
        paid = supplied(facility, sections.power, sections.cooling, rooms["facility"])
    assert year is not None, "a supply is there"
    assert paid.supplied is not None, "a supply is there"
    rate = np.array([median_of(design.economics.wacc)])

    def levelised(life_years: float) -> float:
        return first_of(capital_recovery_factor(rate=rate, years=np.array([life_years])))

    return PowerSupplyAnswer(
        year=year,
        report=PowerSupplyReport(
            name=scenario.document.name,
            site=facility.site.name,
            market=facility.power_supply.market if facility.power_supply else "",
            is_stated=stated is not None,
            load_kwh=year.load_kwh,
            peak_w=first_of(sections.power.utility_peak_w),
            firm_w=year.firm_w if math.isfinite(year.firm_w) else None,
            ready_years=year.ready_years if math.isfinite(year.ready_years) else None,
            grid_kwh=year.grid_kwh,
            grid_peak_w=year.grid_peak_w,
            grid_usd=year.grid_usd,
            price_usd_per_kwh=first_of(paid.site.electricity_price_usd_per_kwh),
            carbon_kg_per_kwh=first_of(paid.site.carbon_intensity_kg_per_kwh),
            fuel_kg=year.fuel_kg,
            capital_usd=first_of(paid.supplied.plant_usd),
            sources=tuple(
                SupplySource(
                    kind=one.kind,
                    label=LABELS[one.kind],
                    rated_w=one.rated_w,
                    units=one.units,
                    firm_w=one.firm_w,
                    energy_kwh=one.energy_kwh,
                    fuel_kwh=one.fuel_kwh,
                    efficiency=one.energy_kwh / one.fuel_kwh if one.fuel_kwh else math.nan,
                    running_usd=one.running_usd,
                    capital_usd=one.capital_usd,
                    usd_per_kwh=one.usd_per_kwh(levelised(one.life_years)),
                    lead_time_years=one.lead_time_years,
                    co2_kg=one.co2_kg,
                    methane_kg=one.methane_kg,
                )
                for one in year.sources
            ),
            battery=_battery(scenario, facility, year),
            purchased_kwh=year.purchased_kwh,
            purchased_usd=year.purchased_usd,
            response=_response(scenario, facility, year),
            matched_share=year.matched_share,
            annual_matched_share=year.annual_matched_share,
            curtailed_kwh=float(year.hours.curtailed_w.sum()) / 1e3,
            unmet_kwh=year.unmet_kwh,
            short_hours=year.short_hours,
            negative_hours=int((year.price_usd_per_kwh < 0).sum()),
            weeks=tuple(_week(title, day, year) for title, day in WEEKS.items()),
            price_duration=PriceDuration(
                hours=tuple((DURATION + 1).tolist()),
                price_usd_per_kwh=tuple(np.sort(year.price_usd_per_kwh)[::-1][DURATION].tolist()),
            ),
        ),
    )


def _battery(scenario: EvaluatedScenario, facility: Facility, year: SupplyYear) -> SupplyBattery | None:
    if year.battery is None or facility.power_supply is None or facility.power_supply.battery is None:
        return None
    power, given = scenario.evaluation.sections.power, facility.power_supply.battery
    swing, power_w = first_of(power.it_power_swing_w), median_of(given.power_w)
    ramp = usual_ramp_limit_w_per_s(
        it_power_peak_w=power.it_power_peak_w,
        ramp_limit_share_per_s=scenario.resolved.whole.assumptions.rooms["facility"].ramp_limit_share_per_s,
    )
    asked_j = smoothing_energy_j(swing_w=power.it_power_swing_w, ramp_limit_w_per_s=ramp)
    return SupplyBattery(
        power_w=power_w,
        energy_wh=median_of(given.energy_wh),
        charged_kwh=year.battery.charged_kwh,
        discharged_kwh=year.battery.discharged_kwh,
        lost_kwh=year.battery.charged_kwh - year.battery.discharged_kwh,
        cycles=year.battery.cycles,
        life_years=year.battery.life_years,
        capital_usd=year.battery.capital_usd,
        swing_w=swing,
        swing_left_w=max(swing - power_w, 0.0),
        smoothing_energy_wh=first_of(asked_j) / 3600,
    )


def _response(scenario: EvaluatedScenario, facility: Facility, year: SupplyYear) -> SupplyResponse | None:
    if facility.power_supply is None or facility.power_supply.demand_response is None:
        return None
    response = facility.power_supply.demand_response
    hours, share = median_of(response.hours_per_year), median_of(response.load_share)
    mean_w = year.load_kwh * 1e3 / HOURS
    shed_w = mean_w - year.hours.load_w.mean()
    dearest = np.sort(year.price_usd_per_kwh)[::-1][: math.ceil(hours)]
    return SupplyResponse(
        hours_per_year=hours,
        shed_kwh=year.shed_kwh,
        credit_usd=year.credit_usd,
        saved_usd=shed_w * HOURS / 1e3 * float(dearest.mean()) if dearest.size else 0.0,
        lost_accelerator_hours=first_of(scenario.resolved.whole.pod.accelerators_used) * hours * share,
        longer_run_share=1 / (1 - hours * share / HOURS) - 1 if hours * share < HOURS else math.inf,
    )


def _week(title: str, day: int, year: SupplyYear) -> SupplyWeek:
    at = slice(24 * day, 24 * (day + 7))
    hours = year.hours

    def cut(values: Array) -> tuple[float, ...]:
        return tuple(values[at].tolist())

    return SupplyWeek(
        title=title,
        load_w=cut(hours.load_w),
        sources_w=tuple(cut(power_w) for power_w in year.sources_w),
        grid_w=cut(hours.grid_w),
        discharged_w=cut(hours.discharged_w),
        unmet_w=cut(hours.unmet_w),
        stored_wh=cut(hours.stored_wh),
        price_usd_per_kwh=cut(year.price_usd_per_kwh),
    )


def supply_csv(year: SupplyYear) -> Iterator[bytes]:
    """Every hour from 1 January in local time."""
    hours = year.hours
    columns = {
        "load_w": hours.load_w,
        **{
            f"{one.kind}_{place + 1}_w": power_w
            for place, (one, power_w) in enumerate(zip(year.sources, year.sources_w, strict=True))
        },
        "grid_w": hours.grid_w,
        "charged_w": hours.charged_w,
        "discharged_w": hours.discharged_w,
        "curtailed_w": hours.curtailed_w,
        "unmet_w": hours.unmet_w,
        "stored_wh": hours.stored_wh,
    }
    month = np.repeat(np.arange(1, 13), np.multiply(DAYS_IN_MONTH, 24))
    day = np.repeat(np.concatenate([np.arange(1, days + 1) for days in DAYS_IN_MONTH]), 24)
    cells = [
        [str(value) for value in month],
        [str(value) for value in day],
        [str(hour) for hour in range(24)] * 365,
        *(
            [f"{value:.0f}" if math.isfinite(value) else "" for value in values.tolist()]
            for values in columns.values()
        ),
        [f"{value:.5f}" if math.isfinite(value) else "" for value in year.price_usd_per_kwh.tolist()],
    ]
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\r\n")
    lines.writerow(("month", "day", "hour", *columns, "price_usd_per_kwh"))
    lines.writerows(zip(*cells, strict=True))
    yield text.getvalue().encode()


SUPPLY_CSV: FileFormat[PowerSupplyAnswer] = csv_file(lambda answer: supply_csv(answer.year), ".csv")
COLUMNS = (Column("", str, width=-30), *(Column("", str, width=15) for _ in range(6)))


def power_supply_text(answer: PowerSupplyAnswer) -> str:
    """Sources of a year, then money, carbon, matching and what is short."""
    report = answer.report
    lines = [
        f"{report.name} at {report.site}" + ("" if report.is_stated else ", the grid alone"),
        "",
        _row("", "energy", "firm, hottest", "levelised", "capital", "carbon", "ready"),
        _row(
            "Grid",
            show(report.grid_kwh, "kWh").text,
            "",
            _usd(report.grid_usd / report.grid_kwh if report.grid_kwh else math.nan),
            "",
            "",
            "",
        ),
    ]
    lines += [
        _row(
            one.label,
            show(one.energy_kwh, "kWh").text,
            show(one.firm_w, "W").text,
            _usd(one.usd_per_kwh),
            show(one.capital_usd, "USD").text,
            show(one.co2_kg + one.methane_kg, "kg").text,
            f"{one.lead_time_years:g} years",
        )
        for one in report.sources
    ]
    battery = report.battery
    if battery is not None:
        lines.append(
            f"Battery: {show(battery.power_w, 'W').text}, {show(battery.energy_wh, 'Wh').text}; {battery.cycles:.0f} cycles per year, "
            f"{battery.life_years:.0f} years, {show(battery.lost_kwh, 'kWh').text} lost; leaves "
            f"{show(battery.swing_left_w, 'W').text} of swings of {show(battery.swing_w, 'W').text}."
        )
    if report.response is not None:
        lines.append(
            f"Demand response: {show(report.response.shed_kwh, 'kWh').text} shed, {show(report.response.credit_usd, 'USD').text} credit, "
            f"{report.response.lost_accelerator_hours:,.0f} accelerator-hours lost."
        )
    firm = "not limited" if report.firm_w is None else show(report.firm_w, "W").text
    ready = "never" if report.ready_years is None else f"in {report.ready_years:g} years"
    lines += [
        "",
        f"Electricity {_usd(report.price_usd_per_kwh)}, {report.carbon_kg_per_kwh:.3f} kg/kWh; own plant {show(report.capital_usd, 'USD').text}.",
        f"Peak {show(report.peak_w, 'W').text}, firm supply {firm}, carried {ready}.",
        f"Clean energy of the same hour {report.matched_share:.1%}, over the year {report.annual_matched_share:.1%}.",
        f"Curtailed {show(report.curtailed_kwh, 'kWh').text}; short in {report.short_hours:,} hours by {show(report.unmet_kwh, 'kWh').text}.",
    ]
    return "\n".join(lines)


def _usd(value: float) -> str:
    return "not known" if math.isnan(value) else f"{value:.4f} USD/kWh"


def _row(*cells: str) -> str:
    return text_line(cells, COLUMNS)
