"""What each stage of a growing fabric buys, and what it no longer needs. Stages lie along the first axis."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition", leaf=True)
def owned_pieces(*, needed: Array) -> Array:
    """Pieces owned at each stage: the most that any stage so far needed; nothing is sold."""
    owned: Array = np.maximum.accumulate(needed, axis=0)
    return owned


@quantity(unit="1", source="definition", leaf=True)
def bought_pieces(*, owned: Array) -> Array:
    """Pieces bought at each stage: what is owned beyond the stage before."""
    bought: Array = np.diff(owned, axis=0, prepend=0.0)
    return bought


@quantity(unit="1", source="definition")
def idle_pieces(*, owned: Array, needed: Array) -> Array:
    """Pieces owned that the fabric of the stage has no place for."""
    return owned - needed


@quantity(unit="USD", source="definition")
def stage_line_price_usd(*, bought: Array, unit_price_usd: Array) -> Array:
    """Price of one role at one stage; nothing bought costs nothing, whatever its price."""
    return np.where(bought <= 0, 0.0, bought * unit_price_usd)


@quantity(unit="USD", source="definition")
def stage_price_usd(*, line_prices_usd: tuple[Array, ...]) -> Array:
    """Price of what one stage buys."""
    return sum(line_prices_usd[1:], start=line_prices_usd[0])
