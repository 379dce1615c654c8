"""Money and energy of a build-out before it is financed, phase by phase."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.economics.build_out.specs import BuildOut
from app.engine.economics.build_out.timeline import Timeline, timeline
from app.engine.economics.cash_flow import flows
from app.engine.economics.cash_flow.assets import Asset
from app.engine.economics.cash_flow.holdings import (
    BESIDE_ASSETS,
    EQUIPMENT_ASSETS,
    FACILITY_ASSETS,
    holdings,
    price_of,
)
from app.engine.economics.cash_flow.money import money
from app.engine.economics.operating import load_share
from app.engine.quantities import quantity
from app.engine.specs import Economics
from app.engine.trace import Array

WITH_LOAD = ("electricity", "water")
WITH_BUILDING = ("colocation", "maintenance", "staff", "property_tax")
"""Running cost from the day on which the building is ready; all else begins with the equipment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """The finished pod in prices of the day of the first order."""

    economics: Economics
    assets: dict[str, Asset]
    land_usd: Array
    operating_usd_per_year: dict[str, Array]
    used_hours_per_year: Array
    price_usd_per_accelerator_hour: Array
    idle_power_share: Array
    energy_kwh_per_year: Array  # at full use
    grid_kg_per_kwh: Array
    utility_peak_w: Array

    @property
    def price_usd(self) -> Array:
        """All that is bought for the finished pod."""
        return price_of(self.assets, tuple(self.assets)) + self.land_usd

    def equipment_worth_share(self, age_years: Array) -> Array:
        """What used equipment of that age fetches over its price."""
        worth = sum(
            (
                self.assets[name].price_usd * self.assets[name].curve.at(age_years)
                for name in EQUIPMENT_ASSETS
            ),
            np.zeros(1),
        )
        price = price_of(self.assets, EQUIPMENT_ASSETS)
        share: Array = worth / np.where(price > 0, price, 1.0)
        return share


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """Nominal money, phases by months; costs and purchases are positive."""

    site: Site
    timeline: Timeline
    share: Array  # of the pod
    growth: Array
    discount_rate: Array
    used_hours: Array
    revenue_usd: Array
    operating_usd: dict[str, Array]
    ebitda_usd: Array
    building_usd: Array  # shell, plant and land
    equipment_usd: Array
    installation_usd: Array  # duties with it
    uses_usd: Array
    replacement_usd: Array  # bought again when its life ends before that of the SuperNodes
    sales_usd: Array
    equipment_sales_usd: Array
    replaced_sales_usd: Array
    building_sales_usd: Array
    equipment_depreciation_usd: Array
    facility_depreciation_usd: Array
    equipment_gain_usd: Array
    facility_gain_usd: Array
    tax_usd: Array  # without debt
    flow_usd: Array
    cfads_usd: Array
    grid_kwh: Array
    bridge_kwh: Array
    grid_kg: Array
    bridge_kg: Array

    @property
    def depreciation_usd(self) -> Array:
        return self.equipment_depreciation_usd + self.facility_depreciation_usd

    @property
    def gain_usd(self) -> Array:
        return self.equipment_gain_usd + self.facility_gain_usd


@quantity(unit="1", source="definition", at="economics.build_out.drawn_share")
def drawn_share(*, from_month: Array, over_months: Array, months: Array, s_curve: Array) -> Array:
    """Share of a price that is paid in each month.

    Evenly, or along the S-curve 3 x^2 - 2 x^3 of the share x of the time that has gone; all at once where there is no
    time.
    """
    gone = np.clip((months - from_month) / np.where(over_months > 0, over_months, 1.0), 0.0, 1.0)
    gone = np.where(over_months > 0, gone, (months >= from_month) * 1.0)
    paid = np.where(s_curve > 0, 3 * gone**2 - 2 * gone**3, gone)
    return np.diff(paid, axis=-1, prepend=0.0)


@quantity(unit="1", source="definition", at="economics.build_out.activity")
def activity(*, powered: Array, load: Array, utilisation: Array, idle_power_share: Array) -> Array:
    """Energy of a month over that of a month at full use: machines that idle draw power as well."""
    return powered * idle_power_share + (1 - idle_power_share) * utilisation * load


@quantity(unit="USD", source="definition", at="economics.build_out.cfads_usd")
def cfads_usd(*, ebitda_usd: Array, tax_usd: Array) -> Array:
    """Cash flow available for debt service.

    Earnings before interest, less the tax on operation that there would be without debt; nothing of the sale.
    """
    return ebitda_usd - tax_usd


def evaluate_project(site: Site, build_out: BuildOut) -> Project:
    """The project before financing. Phases share the site in proportion to their SuperNodes."""
    terms, finance = site.economics, site.economics.finance
    times = timeline(build_out, site.utility_peak_w, terms.life_years)
    months, share = times.months, build_out.share
    rates = money(terms, np.ceil(months / 12))
    growth = (1 + finance.inflation) ** np.ceil(months / 12)
    discount = terms.wacc
    if finance.prices == "real":
        discount = (1 + terms.wacc) * (1 + finance.inflation) - 1
    hours = site.used_hours_per_year / 12 * share * times.load
    revenue = np.where(hours > 0, hours * site.price_usd_per_accelerator_hour * growth, 0.0)
    full = activity(
        powered=times.powered,
        load=times.load,
        utilisation=terms.utilisation,
        idle_power_share=site.idle_power_share,
    )
    kwh = site.energy_kwh_per_year / 12 * share * full
    grid_kwh = kwh * times.grid_share
    bridge_kwh = times.bridge_weight * np.sum(kwh - grid_kwh, axis=0)
    operating = _operating(site, build_out, times, full, growth) | {
        "bridge_power": _bridge_usd(build_out, times, bridge_kwh) * growth
    }
    ebitda = revenue - sum(operating.values(), np.zeros_like(revenue))

    def at(month: Array) -> Array:
        return (1 + finance.inflation) ** np.ceil(month / 12)

    start, ready, delivery = times.start_month, times.ready_month, times.delivery_month
    ordered = np.maximum(start, delivery - build_out.equipment_months)
    s_curve = np.array([float(build_out.is_s_curve)])
    built = drawn_share(
        from_month=start, over_months=build_out.construction_months, months=months, s_curve=s_curve
    )
    delivered = drawn_share(
        from_month=ordered, over_months=delivery - ordered, months=months, s_curve=np.zeros(1)
    )
    years = np.arange(np.ceil(np.max(terms.life_years)) + 1)
    nominal = replace(money(terms, years), growth=(1 + finance.inflation) ** years, fixed_worth=np.ones(1))
    held = holdings(site.assets, land_usd=site.land_usd, economics=terms, terms=nominal, years=years)
    facility_price = price_of(site.assets, FACILITY_ASSETS) * share * at(start)
    land_price = site.land_usd * share * at(start)
    equipment_price = price_of(site.assets, EQUIPMENT_ASSETS) * share * at(ordered)
    installation_price = price_of(site.assets, BESIDE_ASSETS) * share * at(ordered)
    building = facility_price * built + land_price * (months == start)
    equipment, installation = equipment_price * delivered, installation_price * delivered

    later = share * at(delivery)  # what is bought again, at the prices of then
    again = {
        kind: _at_ends_of_years(np.where(years > 0, usd, 0.0) * later, times)
        for kind, usd in held.purchase_usd.items()
    }
    replaced_sales = _at_ends_of_years(held.replaced_sale_usd * later, times)
    replacement = sum(again.values(), np.zeros_like(ebitda))

    end_column = np.minimum(np.ceil(times.end_month), months[-1])
    is_end = months == end_column
    age = (times.end_month - ready) / 12
    equipment_worth, facility_worth = (
        sum(
            (
                site.assets[name].price_usd * site.assets[name].curve.in_use_at(years_old, rates.real_rate)
                for name in names
            ),
            np.zeros(1),
        )
        for names, years_old in ((EQUIPMENT_ASSETS, terms.life_years), (FACILITY_ASSETS, age))
    )
    equipment_sales = is_end * equipment_worth * share * growth
    building_sales = is_end * (facility_worth + site.land_usd) * share * growth

    year_share = flows.year_share(life_years=terms.life_years, years=years)
    of_equipment, of_facility = (
        _by_month(
            held.first_written_off_usd[kind] * share * at(when) + held.again_written_off_usd[kind] * later,
            year_share,
            times,
        )
        for kind, when in (("equipment", ordered), ("facility", start))
    )
    equipment_gain = equipment_sales - is_end * _left(
        equipment_price + installation_price, again["equipment"] - replaced_sales, of_equipment
    )
    facility_gain = building_sales - is_end * _left(
        facility_price + land_price, again["facility"], of_facility
    )
    profit = {
        "tax_rate": finance.tax_rate,
        "ebitda_usd": ebitda,
        "depreciation_usd": of_equipment + of_facility,
        "interest_usd": np.zeros_like(ebitda),
    }
    tax = flows.tax_usd(**profit, gain_on_sale_usd=equipment_gain + facility_gain)
    of_work = flows.tax_usd(**profit, gain_on_sale_usd=np.zeros_like(ebitda))
    uses = building + equipment + installation
    sales = equipment_sales + building_sales + replaced_sales
    bridge_kg = bridge_kwh * build_out.bridge_kg_per_kwh
    return Project(
        site=site,
        timeline=times,
        share=share,
        growth=growth,
        discount_rate=discount,
        used_hours=hours,
        revenue_usd=revenue,
        operating_usd=operating,
        ebitda_usd=ebitda,
        building_usd=building,
        equipment_usd=equipment,
        installation_usd=installation,
        uses_usd=uses,
        replacement_usd=replacement,
        sales_usd=sales,
        equipment_sales_usd=equipment_sales,
        replaced_sales_usd=replaced_sales,
        building_sales_usd=building_sales,
        equipment_depreciation_usd=of_equipment,
        facility_depreciation_usd=of_facility,
        equipment_gain_usd=equipment_gain,
        facility_gain_usd=facility_gain,
        tax_usd=tax,
        flow_usd=ebitda - uses - replacement + sales - tax,
        cfads_usd=cfads_usd(ebitda_usd=ebitda, tax_usd=of_work),
        grid_kwh=grid_kwh,
        bridge_kwh=bridge_kwh,
        grid_kg=grid_kwh * site.grid_kg_per_kwh,
        bridge_kg=bridge_kg,
    )


def _operating(
    site: Site, build_out: BuildOut, times: Timeline, full: Array, growth: Array
) -> dict[str, Array]:
    """Running cost by kind, but for bridge power."""
    terms = site.economics
    usual = load_share(utilisation=terms.utilisation, idle_power_share=site.idle_power_share)
    loaded = full / np.where(usual > 0, usual, 1.0)
    contracted = present_contract(build_out, times)
    # The rent steps up once a year from the day on which the hall of a phase is handed over.
    since = np.floor(np.maximum(times.months - 1 - times.ready_month, 0) / 12)
    escalated = growth[None, :] if np.isnan(build_out.escalator).any() else (1 + build_out.escalator) ** since
    shares = {
        "electricity": loaded * times.grid_share * growth,
        "demand": times.alive * times.grid_share * growth,
        "water": loaded * growth,
        "colocation": contracted * escalated,
    }
    found = {}
    for kind, usd in site.operating_usd_per_year.items():
        present = (times.occupied if kind in WITH_BUILDING else times.alive) * growth
        found[kind] = usd / 12 * build_out.share * shares.get(kind, present)
    crossed = build_out.cross_connects * build_out.cross_connect_usd_per_month
    found["cross_connects"] = crossed * build_out.share * times.occupied * growth
    return found


def present_contract(build_out: BuildOut, times: Timeline) -> Array:
    """Share of the colocated power that is under contract in each month."""
    over = build_out.occupancy_ramp_months
    since = times.months - times.ready_month
    grown = np.where(over > 0, np.clip(since / np.where(over > 0, over, 1.0), 0.0, 1.0), 1.0)
    found: Array = times.occupied * grown
    return found


def _bridge_usd(build_out: BuildOut, times: Timeline, bridge_kwh: Array) -> Array:
    """Rent of the bridge power that is kept on the site, and what its energy costs; in prices of the first order."""
    kept_kw = times.bridge_weight * times.bridge_used_w / 1e3 * (np.sum(times.occupied, axis=0) > 0)
    usd: Array = kept_kw * build_out.bridge_usd_per_kw_month + bridge_kwh * build_out.bridge_usd_per_kwh
    return usd


def _left(first_usd: Array, later_usd: Array, written_off_usd: Array) -> Array:
    """What is left on the books at the end."""
    left: Array = first_usd + np.sum(later_usd - written_off_usd, axis=-1, keepdims=True)
    return left


def _at_ends_of_years(by_year: Array, times: Timeline) -> Array:
    """Amounts of the years of a phase in the last month of each."""
    since = times.months - times.delivery_month
    place = np.clip(np.where(np.isfinite(since), since, 0) / 12, 0, by_year.shape[-1] - 1).astype(int)
    of_year = np.take_along_axis(
        np.broadcast_to(by_year, (place.shape[0], by_year.shape[-1])), place, axis=-1
    )
    return np.where((since > 0) & (since == 12 * place), of_year, 0.0)


def _by_month(by_year: Array, year_share: Array, times: Timeline) -> Array:
    """Depreciation of the years of a phase, spread evenly over the months of each."""
    since = np.ceil((times.months - times.delivery_month) / 12)
    place = np.clip(since, 0, by_year.shape[-1] - 1).astype(int)
    of_year = np.take_along_axis(
        np.broadcast_to(by_year, (place.shape[0], by_year.shape[-1])), place, axis=-1
    )
    in_year = np.take_along_axis(
        np.broadcast_to(year_share, (place.shape[0], year_share.shape[-1])), place, axis=-1
    )
    return np.where(in_year > 0, of_year / np.where(in_year > 0, 12 * in_year, 1.0), 0.0) * times.alive
