"""Which method a row's figure is computed by: told from its unit and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.validation.cost.methods import amortised, bill, carbon, hours, ownership, parts, rental, shares
from app.validation.cost.models import model_in
from app.validation.cost.statement import Asked, Computed
from app.validation.cost.units import (
    ACCELERATOR_H,
    DEVICES,
    ENERGY,
    HOSTS,
    HOURS,
    HOURS_PER_T,
    KG,
    KG_EACH,
    RATIO,
    USD,
    USD_EACH,
    USD_H,
    USD_HOST,
    USD_TOKENS,
)
from app.validation.rows import UnsupportedRowError

RENTAL, AMORTISED, ACQUISITION = "rental equivalent", "amortised ownership", "acquisition"
LEVELISED, OF_TOKENS, SUM = "levelised ownership", "price of tokens", "sum of stated parts"
GPU_HOURS, CLOCK, ENERGY_USE, CARBON, SHARE = "accelerator-hours", "run time", "energy", "carbon", "ratio"
METHODS = (
    RENTAL, AMORTISED, ACQUISITION, LEVELISED, OF_TOKENS, SUM, GPU_HOURS, CLOCK, ENERGY_USE, CARBON, SHARE,
)  # fmt: skip
"""In the order that they are shown in."""


class Case(NamedTuple):
    """A method, and what computes a figure by it."""

    method: str
    compute: Callable[[Asked], Computed]


def case_of(asked: Asked) -> Case:
    """The method of a row.

    Raises
    ------
    UnsupportedRowError : none can be told from its columns
    """
    dimension, _ = asked.statement.unit
    if dimension == USD:
        return _money(asked)
    found = BY_DIMENSION.get(dimension)
    if found is None:
        raise UnsupportedRowError(f"no method gives a figure in {asked.statement.row.text('unit')!r}")
    return found


UNREAD_PRICES = {
    r"(?:/|per) ?(?:server|node|rack|host)[ -/]*(?:hours?|hrs?|h)\b": "it prices an hour of a server",
    r"\d ?(?:EUR|GBP|CNY|RMB|JPY)\b|[€£¥] ?\d": "it prices in another currency than USD, with no rate beside it",
}
"""Prices that would otherwise be passed over, and the catalog's taken in their place."""


def _money(asked: Asked) -> Case:
    """The method of a sum of money: by the words of the row, else by what its quantities allow."""
    stated = asked.statement
    for unread, words in UNREAD_PRICES.items():
        if stated.says(unread, "inputs"):
            raise UnsupportedRowError(words)
    if stated.says(r"amorti|\bln ?\(?10|0\.14\b", "unit", "check_formula", "subject"):
        return Case(AMORTISED, amortised.amortised)
    if stated.all(USD_TOKENS):
        return Case(OF_TOKENS, rental.of_tokens)
    if stated.all(USD_H):
        return Case(RENTAL, rental.rented)
    if stated.all(HOSTS) and stated.all(DEVICES):
        return Case(ACQUISITION, bill.bought)
    if parts.summed(stated) is not None:
        return Case(SUM, _summed)
    listed = model_in(stated.row.text("subject")) is not None
    if stated.says(r"acqui|capex|capital|purchase|\bbuy|bought|cluster", "unit", "subject"):
        by_name = listed and not stated.all(DEVICES)
        return Case(ACQUISITION, amortised.acquisition if by_name else bill.bought)
    if stated.all(USD_HOST) or stated.all(USD_EACH):
        return Case(ACQUISITION, bill.bought)
    if stated.says(r"cloud|rent", "unit", "subject", "check_formula"):
        return Case(RENTAL, rental.cloud)
    if stated.all(ACCELERATOR_H) or (stated.all(DEVICES) and stated.all(HOURS)):
        return Case(RENTAL, rental.rented)
    raise UnsupportedRowError("neither its unit, its formula nor its inputs name a method")


def _summed(asked: Asked) -> Computed:
    found = parts.summed(asked.statement)
    if found is None:
        raise UnsupportedRowError("its inputs are no list of parts")
    return found


def _hour(asked: Asked) -> Computed:
    return rental.hour_of_host(asked) or ownership.owned_hour(asked)


BY_DIMENSION = {
    ACCELERATOR_H: Case(GPU_HOURS, hours.hours),
    HOURS: Case(CLOCK, hours.clock),
    HOURS_PER_T: Case(CLOCK, hours.clock),
    USD_H: Case(LEVELISED, _hour),
    USD_TOKENS: Case(OF_TOKENS, rental.million_tokens),
    "J/token": Case(ENERGY_USE, carbon.per_token),
    ENERGY: Case(ENERGY_USE, carbon.energy),
    KG: Case(CARBON, carbon.carbon),
    KG_EACH: Case(CARBON, carbon.each),
    RATIO: Case(SHARE, shares.share),
    "share": Case(SHARE, shares.share),
    "MFU": Case(SHARE, shares.share),
}
"""What a figure that is no sum of money is computed by."""
