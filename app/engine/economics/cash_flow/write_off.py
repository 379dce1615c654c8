"""What is written off for tax in each year, in nominal money."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_IRS = "[1] IRS Publication 946, MACRS, 5-year property, half-year convention (Table A-1), recalled"
_NREL = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), depreciation"

WHOLE_PRICE = ("macrs", "tax_life")
"""Methods that write off the whole price: what it sells for is set against what is left."""
MACRS_SHARES = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)
"""Of 5-year property, half-year convention: six years, as the first and the last are half ones."""


@quantity(unit="USD", source="definition")
def bonus_depreciation_usd(*, price_usd: Array, kept_usd: Array, bonus_depreciation: Array) -> Array:
    """Bonus depreciation in the first year.

    A share of the price, at most all that can be written off. `kept_usd` is what never is.
    """
    return np.minimum(bonus_depreciation * price_usd, price_usd - kept_usd)


@quantity(unit="USD", source=_NREL)
def straight_line_usd(*, depreciable_usd: Array, life_years: Array, year_share: Array) -> Array:
    """Straight-line depreciation.

    The same in every year; a last part of a year takes its part.
    """
    return np.where(year_share > 0, depreciable_usd / life_years * year_share, 0.0)


@quantity(unit="USD", source=_IRS)
def macrs_usd(*, depreciable_usd: Array, years: Array) -> Array:
    """Depreciation by MACRS, 5-year property.

    What the table has left when the equipment is sold is set against its price then.
    """
    table = np.array([0.0, *MACRS_SHARES, 0.0])
    shares: Array = table[np.minimum(years, len(table) - 1).astype(int)]
    return np.where(shares > 0, depreciable_usd * shares, 0.0)


@quantity(unit="USD", source=_NREL, leaf=True)
def declining_balance_usd(*, book_usd: Array, kept_usd: Array, life_years: Array, years: Array) -> Array:
    """Double declining balance.

    Twice the straight-line rate of what is left on the books, until writing off the rest evenly gives more.
    `book_usd` is what stands on them at first; it never falls below `kept_usd`.
    """
    left, parts = book_usd - kept_usd, [np.zeros_like(book_usd + life_years)]
    for year in years[1:]:
        to_come = life_years - (year - 1)
        declining = 2 / life_years * (left + kept_usd)
        evenly = left / np.maximum(to_come, 1.0)
        part = np.where(to_come <= 1, left, np.minimum(np.maximum(declining, evenly), left))
        parts.append(np.where(to_come <= 0, 0.0, part))
        left = left - parts[-1]
    return np.concatenate(np.broadcast_arrays(*parts), axis=-1)


def equipment_depreciation_usd(
    *,
    method: str,
    price_usd: Array,
    residual_usd: Array,
    bonus_depreciation: Array,
    life_years: Array,
    write_off_years: Array,
    years: Array,
    year_share: Array,
) -> Array:
    """Of equipment in each year, in nominal money.

    MACRS and the years that the law gives write off the whole price, the others all but the resale.

    Parameters
    ----------
    year_share : of each year that the equipment is owned
    write_off_years : that the law of the place gives; read by the method `tax_life` alone
    """
    kept = np.zeros_like(residual_usd) if method in WHOLE_PRICE else residual_usd
    bonus = bonus_depreciation_usd(price_usd=price_usd, kept_usd=kept, bonus_depreciation=bonus_depreciation)
    if method == "tax_life":
        rest = straight_line_usd(
            depreciable_usd=price_usd - bonus,
            life_years=write_off_years,
            year_share=np.minimum(
                year_share, np.where(years > 0, np.clip(write_off_years - (years - 1), 0.0, 1.0), 0.0)
            ),
        )
    elif method == "macrs":
        rest = macrs_usd(depreciable_usd=price_usd - bonus, years=years)
        rest = np.where(year_share > 0, rest, 0.0)  # nothing is written off of what has been sold
    elif method == "declining_balance":
        rest = declining_balance_usd(
            book_usd=price_usd - bonus, kept_usd=kept, life_years=life_years, years=years
        )
        rest = np.where(year_share > 0, rest, 0.0)
    else:
        rest = straight_line_usd(
            depreciable_usd=price_usd - kept - bonus,
            life_years=life_years,
            year_share=np.minimum(
                year_share, np.where(years > 0, np.clip(life_years - (years - 1), 0.0, 1.0), 0.0)
            ),
        )
    return rest + np.where(years == 1, bonus, 0.0)


@quantity(unit="USD", source=_NREL)
def facility_depreciation_usd(
    *, facility_usd: Array, write_off_share_per_year: Array, years: Array, year_share: Array
) -> Array:
    """Straight-line depreciation of the facility, by the law of the place.

    The same share of its price every year, until all of it is written off; none where the law gives none.
    """
    left = np.maximum(1 - write_off_share_per_year * (years - 1), 0.0)
    return np.where(
        year_share > 0, facility_usd * np.minimum(write_off_share_per_year, left) * year_share, 0.0
    )
