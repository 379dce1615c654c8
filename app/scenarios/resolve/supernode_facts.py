"""Facts of a SuperNode that follow from several others where no one published them."""

from __future__ import annotations

import math

import numpy as np

from app.catalog.assumptions import AssumptionRow
from app.catalog.lookup import Part
from app.engine.specs import Accelerator
from app.engine.trace import Array, Origin, Suggestion
from app.scenarios.document.supernode import SuperNodeOverride
from app.scenarios.resolve.inputs import Inputs

# Conditions of a price that cover fabric and storage too.
WHOLE_IT_PRICES = ("all_in_it", "all_in_with_facility")


def compute_nics(
    inputs: Inputs,
    part: Part | None,
    accelerator: Accelerator,
    override: SuperNodeOverride,
    nics: float | None,
    bandwidth_bytes_per_s: float | None,
) -> dict[str, Array]:
    """Compute NICs and the rate of one; where only a rate per accelerator is published, one NIC for each."""
    chip = inputs.catalog.part("accelerators", accelerator.key)
    stated = {
        "scale_out_nics": override.scale_out_nics if override.scale_out_nics is not None else nics,
        "scale_out_nic_bandwidth_bytes_per_s": override.scale_out_nic_bandwidth_bytes_per_s
        or bandwidth_bytes_per_s,
    }
    by_accelerator = "scale_out_bandwidth_bytes_per_s" in chip.facts
    numbers = {}
    for name, given in stated.items():
        path, field = f"supernode.{name}", f"supernode.override.{name}"
        if given is not None:
            numbers[name] = inputs.scenario(path, given, field)
        elif (part is not None and name in part.facts) or not by_accelerator:
            source = part or chip
            numbers[name] = inputs.fact(path, source, name, scenario_field=field)
        elif name == "scale_out_nics":
            count = float(inputs.values["supernode.accelerators"][0])
            numbers[name] = inputs.derived(
                path, count, "compute NICs", "one for each accelerator: the rate is published per accelerator"
            )
        else:
            numbers[name] = inputs.fact(path, chip, "scale_out_bandwidth_bytes_per_s")
    return numbers


def scale_up_latency(inputs: Inputs, part: Part | None, given: float | None) -> Array:
    path = "supernode.scale_up_latency_s"
    if given is None and part is not None and "scale_up_latency_s" in part.facts:
        return inputs.fact(path, part)
    return inputs.assumption(
        path,
        "scenario.scale_up_latency_s",
        given=given,
        scenario_field="supernode.override.scale_up_latency_s",
    )


def liquid_share(inputs: Inputs, part: Part | None, cooling: str, given: float | None) -> Array:
    path = "supernode.liquid_share"
    if given is None and part is not None and "liquid_share" in part.facts:
        return inputs.fact(path, part)
    if given is None and not cooling:
        return inputs.unknown(
            path,
            "share of the heat that liquid takes away",
            scenario_field="supernode.override.liquid_share",
        )
    return inputs.assumption(
        path,
        "scenario.liquid_share",
        given=given,
        scenario_field="supernode.override.liquid_share",
        also={"cooling": cooling},
    )


def price_includes_network(inputs: Inputs, part: Part | None, given: float | None) -> Array:
    """Whether the price is of all IT.

    Today's catalog reduces such a price to the bare system, so it is 0; revisions saved before that keep the whole
    price, and with it a pod without network and storage of its own.
    """
    price = inputs.catalog.price(part.key) if part is not None and given is None else None
    whole = price is not None and price.condition in WHOLE_IT_PRICES and not price.built_up
    source = f"price of the catalog, condition {price.condition}" if price else "price of the SuperNode alone"
    return inputs.derived(
        "supernode.price_includes_network",
        float(whole),
        "whether the price includes fabric and storage",
        source,
    )


def price_is_listed(inputs: Inputs) -> Array:
    """Return whether the price, or that of the accelerators where it has none, is a list price of the catalog.

    What the scenario states, and a quote of the team, is paid as it is.
    """
    paths = ("supernode.price_usd", "supernode.accelerator.price_usd")
    known = [path for path in paths if not np.isnan(inputs.values[path]).all()]
    origin = inputs.origins[known[0]] if known else None
    is_stated = origin is not None and origin.kind == "scenario"
    is_quote = origin is not None and bool(origin.own) and origin.printed == "quote"
    return inputs.derived(
        "supernode.price_is_listed",
        float(not (is_stated or is_quote)),
        "whether a discount is taken off the price",
        "the scenario states the price"
        if is_stated
        else "a quote of the team is paid as it is"
        if is_quote
        else "price of the catalog",
    )


CHANNELS = {
    "list": "a buyer of single systems",
    "oem": "a buyer in volume from an OEM",
    "hyperscaler": "a hyperscaler",
}


def purchase_channel(inputs: Inputs, stated: str, accelerators: float) -> str:
    """Channel as stated, else that of a buyer of so many accelerators."""
    if stated != "auto":
        return stated
    thresholds = {
        "hyperscaler": inputs.setting("scenario.hyperscaler_accelerators"),
        "oem": inputs.setting("scenario.contract_accelerators"),
    }
    return next((channel for channel, least in thresholds.items() if accelerators >= least), "list")


def channel_price_ratio(inputs: Inputs, key: str, channel: str) -> Array:
    """Price that a channel pays over the price of the catalog, which was quoted in a channel of its own.

    A price without a channel is used as it is, as is one that the scenario states.
    """
    path, name = "supernode.channel_price_ratio", "channel_price_ratio"
    price = None if inputs.origins["supernode.price_usd"].kind == "scenario" else inputs.catalog.price(key)
    quoted = "" if price is None else price.channel
    if f"scenario.{name}" in inputs.overrides:
        return inputs.assumption(path, f"scenario.{name}", also={"channel": channel})
    if quoted in ("", channel):
        label = "price over that of the catalog, as the purchase channel is that of the quote"
        if not quoted:
            label = "price over that of the catalog, whose purchase channel is not known"
        return inputs.derived(path, 1.0, label, "definition")
    paid, given = (
        inputs.catalog.assumption("scenario", name, {"channel": each}) for each in (channel, quoted)
    )
    low, high = _ends_of_ratio(paid, given)
    origin = Origin(
        kind="derived",
        label=f"price to {CHANNELS[channel]} over that to {CHANNELS[quoted]}, which the catalog has",
        source="; ".join(row.source for row in (paid, given) if row.low is not None),
        date=max(paid.as_of, given.as_of),
        catalog=f"assumptions/scenario.{name}",
        low=low,
        high=high,
    )
    return inputs.taken(path, paid.value / given.value, origin)


def _ends_of_ratio(paid: AssumptionRow, given: AssumptionRow) -> tuple[float, float]:
    """Ends of a ratio of two ratios that err apart from each other: their logarithms add as squares."""
    down = [
        math.log(paid.value / (paid.low or paid.value)),
        math.log((given.high or given.value) / given.value),
    ]
    up = [
        math.log((paid.high or paid.value) / paid.value),
        math.log(given.value / (given.low or given.value)),
    ]
    middle = paid.value / given.value
    return middle * math.exp(-math.hypot(*down)), middle * math.exp(math.hypot(*up))


def racks(inputs: Inputs, part: Part | None, given: float | None) -> Array:
    """Racks that one SuperNode comes in, or the share of one that is stated; none for servers, which are packed."""
    path, field = "supernode.racks", "supernode.override.racks"
    if given is not None:
        return inputs.scenario(path, given, field)
    if part is not None and "racks" in part.facts:
        return inputs.fact(path, part)
    source = "servers are put into racks by height, power, heat and weight: see pod.floor"
    return inputs.derived(path, 0.0, "racks of its own", source)


def suggested_power(inputs: Inputs, accelerators: int, field: str) -> Suggestion | None:
    """Rated power from the accelerators' own, published or suggested: an offer, never a default."""
    origin = inputs.origins["supernode.accelerator.tdp_w"]
    watts = (
        origin.suggestion.value
        if origin.suggestion
        else float(inputs.values["supernode.accelerator.tdp_w"][0])
    )
    if np.isnan(watts):
        return None
    ratio = inputs.catalog.price_item("server_power_chip_tdp_h100")
    return Suggestion(
        value=float(f"{accelerators * watts * ratio.value:.2g}"),
        unit="W",
        source=f"{accelerators} accelerators of {watts:,.0f} W x {ratio.value:g} ({ratio.source})",
        field=field,
    )
