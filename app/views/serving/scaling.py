"""Savings of autoscaled replicas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from app.views.serving.sizing_row import SizingRow

MINUTE_S = 60.0
PARTS = {
    "node_boot_s": "boot",
    "weights_read_s": "reading the weights",
    "weights_copy_s": "copying them over the host links",
    "engine_start_s": "start of the engine",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scaling:
    """Savings of autoscaled replicas over always-on ones. Unknown is NaN, what is not is None.

    Costs are of a million output tokens with their prompts. `owned_with_batch_usd`: batch work pays for the hours
    that are freed; None where nodes are off.
    """

    stopped: str  # idle | off
    minimum_instances: float
    scale_down_delay_s: float
    cold_start_s: float
    cold_start_is_stated: bool
    node_boot_s: float | None
    weights_read_s: float | None
    weights_copy_s: float | None
    engine_start_s: float | None
    starts_at_once: float
    headroom: float
    headroom_is_stated: bool
    headroom_needed: float
    headroom_is_enough: bool
    short_hours: int
    accelerator_hours_per_day: float
    freed_share: float
    always_on_kwh_per_day: float
    saved_kwh_per_day: float
    rented_always_on_usd: float
    rented_usd: float
    owned_always_on_usd: float
    owned_usd: float
    owned_with_batch_usd: float | None


def hours_rows(
    *,
    shape: str,
    peak_to_mean: float,
    rise: float,
    always_on_replicas: float,
    always_on_hours_per_day: float,
    replicas: float,
    scaling: Scaling | None,
    not_scaled: str,
) -> Iterator[SizingRow]:
    """Autoscaling results as rows.

    `replicas` are those of the busiest hour; `not_scaled` says why none follows, "" where one does or none is to.
    """
    yield _row("peak_to_mean", "Busiest hour over the mean", peak_to_mean, "1", shape)
    yield _row("steepest_rise", "Steepest rise in an hour", rise, "share", "of the mean hour")
    yield _row(
        "always_on", "Accelerator-hours per day, always on", always_on_hours_per_day, "h",
        f"{always_on_replicas:,.0f} replicas in all hours, including spares",
    )  # fmt: skip
    if not_scaled:
        yield _row("freed", "Accelerator-hours freed", math.nan, "share", not_scaled)
    if scaling is not None:
        yield from _start_rows(scaling, replicas)
        yield from _saving_rows(scaling, always_on_hours_per_day)


def _start_rows(scaling: Scaling, replicas: float) -> Iterator[SizingRow]:
    yield _row(
        "minimum", "Instances at least", scaling.minimum_instances, "1",
        f"more than the {replicas:,.0f} of the busiest hour, so that all run in all hours"
        if scaling.minimum_instances > replicas
        else "in any hour",
    )  # fmt: skip
    yield _row(
        "delay", "Delay before stopping", scaling.scale_down_delay_s, "s", "after the demand no longer needs an instance"
    )  # fmt: skip
    yield _row("cold_start", "Cold start of an instance", scaling.cold_start_s, "s", _start_words(scaling))
    yield _row(
        "headroom", "Headroom", scaling.headroom, "share",
        "as stated" if scaling.headroom_is_stated else "as much as is needed",
    )  # fmt: skip
    yield _row(
        "headroom_needed", "Headroom needed while an instance starts", scaling.headroom_needed, "share", headroom_words(scaling)
    )  # fmt: skip


def _saving_rows(scaling: Scaling, always_on_hours_per_day: float) -> Iterator[SizingRow]:
    off = scaling.stopped == "off"
    million = "a million output tokens with their prompts"
    yield _row(
        "accelerator_hours", "Accelerator-hours per day, autoscaled", scaling.accelerator_hours_per_day, "h",
        f"of {always_on_hours_per_day:,.0f}; those that start, linger and stand by included",
    )  # fmt: skip
    yield _row("freed", "Accelerator-hours freed", scaling.freed_share, "share", "against always on")
    yield _row(
        "saved_energy", "Energy saved per day", scaling.saved_kwh_per_day, "kWh",
        f"of {scaling.always_on_kwh_per_day:,.0f} kWh at the meter; stopped nodes "
        f"{'draw nothing' if off else 'stay on and idle'}",
    )  # fmt: skip
    yield _row(
        "rented_always_on", "Rented on demand, always on", scaling.rented_always_on_usd, "USD", million
    )
    yield _row(
        "rented", "Rented on demand, autoscaled", scaling.rented_usd, "USD",
        "stopped nodes are given back" if off else "stopped nodes are kept, and paid",
    )  # fmt: skip
    yield _row("owned_always_on", "Owned, always on", scaling.owned_always_on_usd, "USD", million)
    yield _row(
        "owned", "Owned, autoscaled", scaling.owned_usd, "USD",
        "hardware is paid all the same: only energy is saved",
    )  # fmt: skip
    if scaling.owned_with_batch_usd is not None:
        yield _row(
            "owned_with_batch", "Owned, freed hours paid by batch work", scaling.owned_with_batch_usd, "USD",
            "if batch work fills every freed hour",
        )  # fmt: skip


def headroom_words(scaling: Scaling) -> str:
    """Return whether the headroom is enough, and from how many hours the demand would outgrow what runs."""
    if scaling.headroom_needed >= 1:
        kept = "all replicas run in all hours" if scaling.headroom >= 1 else "no share of nothing is enough"
        return f"the demand grows from nothing within a cold start: {kept}; a larger minimum of instances would bear it"
    if scaling.headroom_is_enough:
        return (
            "enough"
            if scaling.headroom_is_stated
            else "by the steepest rise within a cold start, and a burst on top"
        )
    hours = f"{scaling.short_hours} {'hour' if scaling.short_hours == 1 else 'hours'}"
    return f"too little is kept: from {hours} the demand outgrows what runs before another instance is up"


def _start_words(scaling: Scaling) -> str:
    if scaling.cold_start_is_stated:
        return "as measured"
    parts = [
        f"{words} {getattr(scaling, name):,.3g} s" for name, words in PARTS.items() if getattr(scaling, name)
    ]
    at_once = f", {scaling.starts_at_once:,.0f} at once" if scaling.starts_at_once > 1 else ""
    return f"{', '.join(parts)}{at_once}"


def _row(step: str, title: str, value: float, unit: str, said: str) -> SizingRow:
    return SizingRow(step=step, title=title, value=value, unit=unit, said=said)
