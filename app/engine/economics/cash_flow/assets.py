"""What is bought, year by year: bought again when its life ends, and worth something at the end of the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.cash_flow import flows
from app.engine.economics.cash_flow.money import Money
from app.engine.economics.residual import ValueCurve
from app.engine.quantities import quantity
from app.engine.trace import Array

_COMPARISON = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995): same horizon, leftover value credited"


@quantity(unit="1", source=_COMPARISON)
def replacements_so_far(*, years: Array, life_years: Array, horizon_years: Array) -> Array:
    """Times that something has been bought again by the end of each year.

    When its life has ended and the table goes on; a life that ends within a year is replaced at its end.
    """
    all_of_them = np.maximum(np.ceil(horizon_years / life_years), 1) - 1
    return np.where(years < horizon_years, np.minimum(np.floor(years / life_years), all_of_them), all_of_them)


@quantity(unit="USD", source="definition")
def replacement_usd(*, price_usd: Array, replaced: Array, growth: Array) -> Array:
    """Replacement purchases by year, at the prices of that year."""
    return np.where(replaced > 0, price_usd * replaced * growth, 0.0)


@quantity(unit="USD", source="definition")
def replaced_sale_usd(*, price_usd: Array, residual_value: Array, replaced: Array, growth: Array) -> Array:
    """Proceeds by year of replaced equipment."""
    return np.where(replaced > 0, price_usd * residual_value * replaced * growth, 0.0)


@quantity(unit="USD", source="definition")
def replacement_written_off_usd(*, depreciable_usd: Array, age_years: Array, write_off_years: Array) -> Array:
    """Straight-line depreciation of what was bought again, in each year after it.

    Parameters
    ----------
    depreciable_usd : price less resale, years of the table by years of purchase
    age_years : whole years that have passed at the beginning of the year, negative before the purchase
    write_off_years : in which it is written off
    """
    part = np.clip(write_off_years - age_years, 0.0, 1.0) / write_off_years
    written: Array = np.sum(np.where(age_years >= 0, depreciable_usd * part, 0.0), axis=-1)
    return written


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """Something that is bought at the beginning; `curve` has its life and what it fetches used."""

    price_usd: Array
    curve: ValueCurve


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetFlows:
    """Years on the last axis; in the money of the table but what is written off, which is nominal."""

    purchase_usd: Array
    replaced_sale_usd: Array
    end_sale_usd: Array
    again_written_off_usd: Array


def asset_flows(
    asset: Asset,
    *,
    terms: Money,
    years: Array,
    horizon_years: Array,
    write_off_years: Array | None = None,
) -> AssetFlows:
    """Purchase, replacements, and what it is worth at the end.

    Parameters
    ----------
    write_off_years : of what is bought again; its life where there is no rule
    """
    curve, last_year = asset.curve, np.ceil(horizon_years)
    so_far = replacements_so_far(years=years, life_years=curve.life_years, horizon_years=horizon_years)
    replaced = np.diff(so_far, axis=-1, prepend=np.zeros_like(so_far[..., :1]))
    again = replacement_usd(price_usd=asset.price_usd, replaced=replaced, growth=terms.growth)
    sold = replaced_sale_usd(
        price_usd=asset.price_usd,
        residual_value=curve.residual_value,
        replaced=replaced,
        growth=terms.growth,
    )
    worth_share = curve.in_use_at(horizon_years, terms.real_rate)
    end = flows.sale_usd(
        price_usd=asset.price_usd,
        worth_share=worth_share,
        years=years,
        last_year=last_year,
        growth=terms.growth,
    )
    nominal = (again - sold) / terms.fixed_worth
    age = (years[:, None] - 1) - years  # of what each year buys, when a year begins
    written = replacement_written_off_usd(
        depreciable_usd=nominal[..., None, :],
        age_years=age,
        write_off_years=(curve.life_years if write_off_years is None else write_off_years)[..., None],
    )
    return AssetFlows(
        purchase_usd=np.where(years == 0, asset.price_usd, again),
        replaced_sale_usd=sold,
        end_sale_usd=end,
        again_written_off_usd=np.where(years < horizon_years + 1, written, 0.0),
    )
