"""Level cost of an owned accelerator-hour, by the short sum of published own costs; and ratios of two of them."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.economics.finance import capital_recovery_factor
from app.engine.economics.runs import levelised as engine
from app.validation.cost.hardware import accelerator_in, devices_of, host_in
from app.validation.cost.statement import Asked, Computed, Statement
from app.validation.cost.units import POWER, USD_EACH, USD_HOST, W_HOST
from app.validation.rows import UnsupportedRowError
from app.views.economics.run_assumptions import ROOM

ALL_IN = ("all_in_it", "new", "hyperscale", "list", "quote")
"""Prices of a server or rack that an own cost may start from, the first that is there."""
USUAL_HOST = 8
AGAINST = re.compile(r"\b(?:vs\.?|versus|against|over|to)\b", re.IGNORECASE)


class Owned(NamedTuple):
    usd_per_hour: float
    words: str
    assumed: tuple[str, ...]


def owned_hour(asked: Asked) -> Computed:
    """The level cost of an hour of what the row is about."""
    found = _owned(asked.statement, asked.statement.row.text("subject"), _terms(asked), asked.catalog)
    return Computed(value=found.usd_per_hour, arithmetic=found.words, assumed=found.assumed)


def ratio(asked: Asked) -> Computed:
    """The level cost of the first that the subject names over that of the second."""
    sides = AGAINST.split(asked.statement.row.text("subject"), maxsplit=1)
    if len(sides) < 2:
        raise UnsupportedRowError("a ratio needs two things that the subject names, such as A vs B")
    terms = _terms(asked)
    first = _owned(asked.statement, sides[0], terms, asked.catalog)
    second = _owned(_told_of(sides[1], asked), sides[1], terms, asked.catalog)
    return Computed(
        value=first.usd_per_hour / second.usd_per_hour,
        arithmetic=f"{first.usd_per_hour:.3f} USD/h / {second.usd_per_hour:.3f} USD/h; {first.words}; {second.words}",
        assumed=tuple(dict.fromkeys((*first.assumed, *second.assumed))),
    )


def _told_of(name: str, asked: Asked) -> Statement | None:
    """The row of the same source that states an own cost of what a name stands for."""
    accelerator = accelerator_in(name, asked.catalog)
    for other in asked.neighbours:
        same = accelerator_in(other.row.text("subject"), asked.catalog)
        if (
            accelerator
            and same
            and same.key == accelerator.key
            and (other.all(USD_HOST) or other.all(USD_EACH))
        ):
            return other
    return None


def _owned(
    stated: Statement | None, name: str, terms: dict[str, tuple[float, str]], catalog: Catalog
) -> Owned:
    price, price_said = _price(stated, name, catalog)
    power_kw, power_said = _power_kw(stated, name, catalog)
    value = {key: np.array([found]) for key, (found, _) in terms.items()}
    capital = engine.capital_usd_per_hour(
        price_usd_per_accelerator=np.array([price]),
        capital_recovery_factor=capital_recovery_factor(rate=value["rate"], years=value["years"]),
    )
    power = np.array([power_kw])
    place = engine.place_usd_per_hour(
        power_kw_per_accelerator=power, colocation_usd_per_kw_month=value["colocation"]
    )
    electricity = engine.power_usd_per_hour(
        power_kw_per_accelerator=power,
        load=value["load"],
        pue=value["pue"],
        electricity_usd_per_kwh=value["electricity"],
    )
    whole = engine.owned_usd_per_hour(
        capital_usd_per_hour=capital, place_usd_per_hour=place, power_usd_per_hour=electricity
    )
    words = (
        f"{price:,.0f} USD x CRF({100 * terms['rate'][0]:g} %, {terms['years'][0]:g} y) / 8,760 h = {capital[0]:.3f}, "
        f"place {place[0]:.3f}, electricity {electricity[0]:.3f} USD/h"
    )
    assumed = tuple(said for said in (price_said, power_said, *(said for _, said in terms.values())) if said)
    return Owned(float(whole[0]), words, assumed)


def _terms(asked: Asked) -> dict[str, tuple[float, str]]:
    """Rate, life, colocation, electricity, PUE and load: stated here, by a neighbour, else usual."""
    found = {}
    for key, dimension, name in (
        ("rate", "rate", "wacc"),
        ("years", "years", "levelised_life_years"),
        ("colocation", "USD/(kW month)", "levelised_colocation_usd_per_kw_month"),
        ("electricity", "USD/kWh", "levelised_electricity_usd_per_kwh"),
        ("pue", "PUE", "levelised_pue"),
        ("load", "load", "levelised_load"),
    ):
        said = ""
        value = asked.statement.get(dimension)
        if value is None:
            value = next(
                (one for other in asked.neighbours if (one := other.get(dimension)) is not None), None
            )
            said = f"{key} {value:g} as another row of the source has it" if value is not None else ""
        if value is None:
            # the cost of capital is that of every scenario
            room = "scenario" if key == "rate" else ROOM
            value = asked.catalog.assumption(room, name, {}).value
            said = f"{key} {value:g}"
        found[key] = (value, said)
    return found


def _price(stated: Statement | None, name: str, catalog: Catalog) -> tuple[float, str]:
    """Price of an accelerator with its share of everything around it."""
    if stated is not None:
        if (each := stated.get(USD_EACH)) is not None:
            return each, ""
        hosts = stated.all(USD_HOST)
        if hosts:
            devices = hosts[0].devices or devices_of(name, catalog)
            is_rack = re.search(r"\b(rack|pod)\b", hosts[0].after, re.IGNORECASE)
            if devices is None and (is_rack or accelerator_in(name, catalog) is None):
                raise UnsupportedRowError("it does not say how many accelerators the price is for")
            return hosts[0].value / (devices or USUAL_HOST), "" if devices else f"{USUAL_HOST} in a server"
    return _catalog_price(name, catalog)


def _catalog_price(name: str, catalog: Catalog) -> tuple[float, str]:
    """The catalog's price of the named system, all-in IT where there is one."""
    host, accelerator = host_in(name, catalog), accelerator_in(name, catalog)
    known = list(catalog.prices(host.key)) if host else []
    devices = devices_of(name, catalog)
    if not known and accelerator is not None:
        short = re.escape(accelerator.name.split()[0])
        items = (catalog.price_item(key) for key in catalog.keys("prices"))
        known = [
            one for one in items if one.unit == "USD" and re.match(rf"{short}\b.*\b8[- ]GPU\b", one.item)
        ]
        devices = float(USUAL_HOST)
    for condition in ALL_IN:
        for one in known:
            if one.condition == condition and devices:
                return one.value / devices, f"{one.item} at {one.value:,.0f} USD"
    raise UnsupportedRowError(
        f"no price is stated, and the catalog has none of {name.strip()} with all its IT"
    )


def _power_kw(stated: Statement | None, name: str, catalog: Catalog) -> tuple[float, str]:
    """Provisioned power of an accelerator with its share of everything around it."""
    if stated is not None and (power_w := stated.get(POWER)) is not None:
        return power_w / 1e3, ""
    if stated is not None and (host_w := stated.get(W_HOST)) is not None:
        priced = stated.all(USD_HOST)
        devices = (priced[0].devices if priced else None) or devices_of(name, catalog)
        if devices is None:
            raise UnsupportedRowError("it does not say how many accelerators share the power of a host")
        return host_w / 1e3 / devices, ""
    accelerator = accelerator_in(name, catalog)
    if accelerator is None or "all_in_power_w" not in accelerator.facts:
        raise UnsupportedRowError(
            "neither the row nor the catalog has the power of an accelerator with its server"
        )
    power_kw = accelerator.facts["all_in_power_w"].value / 1e3
    return power_kw, f"{power_kw:g} kW for each accelerator at the meter"
