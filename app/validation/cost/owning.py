"""Prices of an hour: rented, owned, and ratios of them."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.economics.finance import capital_recovery_factor
from app.engine.economics.runs import levelised
from app.engine.economics.runs.levelised import (
    rental_equivalent_usd,
    tokens_usd,
    usd_per_million_tokens_at_rate,
)
from app.engine.economics.tco import usd_per_accelerator_hour_of_host
from app.engine.trace import Array
from app.validation.cost.buying import run_of
from app.validation.cost.hardware import (
    accelerator_in,
    devices_of,
    host_in,
    model_in,
    needed_accelerator,
    needed_rent,
    peak_of,
)
from app.validation.cost.statement import (
    DEVICES,
    POWER,
    TOKENS,
    USD_EACH,
    USD_H,
    USD_HOST,
    USD_TOKENS,
    W_HOST,
    Asked,
    Computed,
    Statement,
)
from app.validation.cost.use import accelerator_hours, arithmetic_of, model_hours
from app.validation.study import UnsupportedRowError
from app.views.economics.run_assumptions import ROOM

# Rental equivalent: accelerator-hours, or tokens, at a price; and prices of an hour or a token turned round.


def rented(asked: Asked) -> Computed:
    """Hours times a price of the hour, that of the catalog about the date where none is stated."""
    hours, words, assumed = accelerator_hours(asked)
    price, price_words, more = _price(asked)
    found = rental_equivalent_usd(accelerator_hours=hours, usd_per_accelerator_hour=price)
    return Computed(value=float(found[0]), arithmetic=f"{words} x {price_words}", assumed=(*assumed, *more))


def of_tokens(asked: Asked) -> Computed:
    """Tokens times a price of a million of them."""
    tokens, price = asked.statement.get(TOKENS), asked.statement.get(USD_TOKENS)
    assumed: tuple[str, ...] = ()
    if tokens is None:
        model = model_in(asked.statement.row.text("subject"))
        tokens = model.figures.get("tokens") if model else None
        if model is None or tokens is None:
            raise UnsupportedRowError("it states a price of tokens, but not how many")
        assumed = (f"tokens of {model.name} as Epoch AI lists them",)
    if price is None:
        raise UnsupportedRowError("it states no price of a million tokens")
    found = tokens_usd(tokens=np.array([tokens]), usd_per_million_tokens=np.array([price]))
    return Computed(
        value=float(found[0]), arithmetic=f"{tokens / 1e6:,.6g} M tokens x {price:g} USD", assumed=assumed
    )


def million_tokens(asked: Asked) -> Computed:
    """A million tokens at a rate: accelerators at a price of the hour, over tokens per second."""
    stated = asked.statement
    rate, devices = stated.get("tokens/s"), stated.get(DEVICES) or 1.0
    price, price_words, assumed = _price(asked)
    if rate is not None:
        found = usd_per_million_tokens_at_rate(
            usd_per_accelerator_hour=price, accelerators=np.array([devices]), tokens_per_s=np.array([rate])
        )
        words = f"1e6 x {price_words} x {devices:g} / (3,600 x {rate:g} tokens/s)"
        return Computed(value=float(found[0]), arithmetic=words, assumed=assumed)
    tokens = stated.get(TOKENS)
    if tokens is None:
        raise UnsupportedRowError("it states neither tokens per second nor tokens")
    hours, words, more = accelerator_hours(asked)
    paid = rental_equivalent_usd(accelerator_hours=hours, usd_per_accelerator_hour=price)
    return Computed(
        value=float(paid[0] / (tokens / 1e6)),
        arithmetic=f"{words} x {price_words} / {tokens / 1e6:,.6g} M tokens",
        assumed=(*assumed, *more),
    )


def hour_of_host(asked: Asked) -> Computed | None:
    """A share of a host's price of the hour; None where no host with its accelerators is stated."""
    price, devices = asked.statement.get(USD_H), asked.statement.get(DEVICES)
    if price is None or devices is None or devices < 2:
        return None
    found = usd_per_accelerator_hour_of_host(
        host_usd_per_hour=np.array([price]), accelerators=np.array([devices])
    )
    return Computed(value=float(found[0]), arithmetic=f"{price:g} USD/h / {devices:g} accelerators")


def cloud(asked: Asked) -> Computed:
    """The run of a named model at a rent by the hour of three years, as it stood when the run began."""
    stated = asked.statement
    model = model_in(stated.row.text("subject"))
    if model is None:
        return rented(asked)
    run = run_of(asked)
    if run.accelerator is None:
        raise UnsupportedRowError(f"the catalog has no {model.hardware}")
    hours, words, assumed = model_hours(model, run.accelerators, run.wall_time_h)
    known = needed_rent(run.accelerator, run.year, "reserved", asked.catalog, term="3y")
    found = rental_equivalent_usd(accelerator_hours=hours, usd_per_accelerator_hour=known.value)
    return Computed(
        value=float(found[0]),
        arithmetic=f"{words} x {known.value[0]:g} USD/h",
        assumed=(*assumed, known.said),
    )


def _price(asked: Asked) -> tuple[Array, str, tuple[str, ...]]:
    """The price of an hour: stated, else the usual rent on demand about the date of the row."""
    stated = asked.statement
    price = stated.get(USD_H)
    if price is not None:
        return np.array([price]), f"{price:g} USD/h", ()
    text = " ".join(stated.row.text(column) for column in ("subject", "unit", "inputs"))
    model = model_in(stated.row.text("subject"))
    accelerator = accelerator_in(text, asked.catalog) or (
        accelerator_in(model.hardware, asked.catalog) if model else None
    )
    if accelerator is None:
        raise UnsupportedRowError("it states no price of an hour, and no accelerator to look one up for")
    known = needed_rent(accelerator, stated.year, "on_demand", asked.catalog)
    return known.value, f"{known.value[0]:g} USD/h", (known.said,)


# Level cost of an owned accelerator-hour, by the short sum of published own costs; and ratios of two.

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
    price, price_said = _price_of(stated, name, catalog)
    power_kw, power_said = _power_kw(stated, name, catalog)
    value = {key: np.array([found]) for key, (found, _) in terms.items()}
    capital = levelised.capital_usd_per_hour(
        price_usd_per_accelerator=np.array([price]),
        capital_recovery_factor=capital_recovery_factor(rate=value["rate"], years=value["years"]),
    )
    power = np.array([power_kw])
    place = levelised.place_usd_per_hour(
        power_kw_per_accelerator=power, colocation_usd_per_kw_month=value["colocation"]
    )
    electricity = levelised.power_usd_per_hour(
        power_kw_per_accelerator=power,
        load=value["load"],
        pue=value["pue"],
        electricity_usd_per_kwh=value["electricity"],
    )
    whole = levelised.owned_usd_per_hour(
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


def _price_of(stated: Statement | None, name: str, catalog: Catalog) -> tuple[float, str]:
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


# Ratios: MFU of a run, and one own cost over another.


def share(asked: Asked) -> Computed:
    """What kind of ratio the subject and the unit ask for.

    Raises
    ------
    UnsupportedRowError : none that the engine has
    """
    if asked.statement.says(r"\bMFU\b|FLOP ?/ ?\(", "subject", "unit", "check_formula"):
        return _mfu(asked)
    if AGAINST.search(asked.statement.row.text("subject")):
        return ratio(asked)
    raise UnsupportedRowError("the engine has no such ratio: it has own costs one over another, and MFU")


def _mfu(asked: Asked) -> Computed:
    flop = arithmetic_of(asked.statement)
    if flop is None:
        raise UnsupportedRowError("it states neither FLOP, nor parameters and tokens")
    hours, words, assumed = accelerator_hours(asked)
    row = asked.statement.row
    speed = asked.statement.get("FLOP/s")
    if speed is None:
        part = needed_accelerator(f"{row.text('subject')} {row.text('inputs')}", asked.catalog)
        speed = peak_of(part)
        if speed is None:
            raise UnsupportedRowError(f"the catalog has no 16-bit peak of {part.name}")
        assumed = (*assumed, f"dense 16-bit peak of {part.name}")
    found: Array = flop / (hours * 3600 * np.array([speed]))
    return Computed(
        value=float(found[0]),
        arithmetic=f"{flop:.4g} FLOP / ({words} x {speed / 1e12:.4g} TFLOP/s)",
        assumed=assumed,
    )
