"""Rental equivalent: accelerator-hours, or tokens, at a price; and prices of an hour or a token turned round."""

from __future__ import annotations

import numpy as np

from app.engine.economics.runs.rental import rental_equivalent_usd, tokens_usd
from app.engine.economics.runs.tokens import usd_per_million_tokens_at_rate
from app.engine.economics.simple_ownership import usd_per_accelerator_hour_of_host
from app.engine.trace import Array
from app.validation.cost.hardware import accelerator_in, needed_rent
from app.validation.cost.methods.amortised import run_of
from app.validation.cost.methods.hours import accelerator_hours, model_hours
from app.validation.cost.models import model_in
from app.validation.cost.statement import Asked, Computed
from app.validation.cost.units import DEVICES, TOKENS, USD_H, USD_TOKENS
from app.validation.rows import UnsupportedRowError


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
    """A million tokens at a rate: accelerators at a price of the hour, over tokens a second."""
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
        raise UnsupportedRowError("it states neither tokens a second nor tokens")
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
