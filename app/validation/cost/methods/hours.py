"""Accelerator-hours of a run: stated, by the clock, by the arithmetic, as a sum or as what is left of a total."""

from __future__ import annotations

import re

import numpy as np

from app.catalog.growth import NotableModel
from app.engine.economics.runs.hours import (
    accelerator_hours_of_flop,
    accelerator_hours_of_wall_time,
    wall_time_h,
)
from app.engine.trace import Array
from app.validation.cost.hardware import accelerator_in, peak_of
from app.validation.cost.methods.parts import summed
from app.validation.cost.models import model_in
from app.validation.cost.statement import Asked, Computed, Statement
from app.validation.cost.units import ACCELERATOR_H, DEVICES, H_PER_T, HOURS, TOKENS
from app.validation.rows import UnsupportedRowError

OF_ALL = 1e5
"""Hours beyond this, eleven years, are those of all accelerators together."""


def accelerator_hours(asked: Asked) -> tuple[Array, str, tuple[str, ...]]:
    """Accelerator-hours, how they came about, and what was taken for granted.

    Raises
    ------
    UnsupportedRowError : nothing that they could be computed from is stated
    """
    stated, hours = asked.statement, asked.statement.get(HOURS)
    if (total := stated.get(ACCELERATOR_H)) is not None:
        return np.array([total]), f"{total:,.0f} accelerator-hours", ()
    if hours is not None and hours >= OF_ALL:
        return np.array([hours]), f"{hours:,.0f} accelerator-hours", ()
    devices = stated.get(DEVICES)
    if devices is not None and hours is not None:
        found = accelerator_hours_of_wall_time(
            accelerators=np.array([devices]), wall_time_h=np.array([hours])
        )
        return found, f"{devices:,.0f} accelerators x {hours:,.4g} h", ()
    if (of_flop := _by_arithmetic(asked)) is not None:
        return of_flop
    model = model_in(stated.row.text("subject"))
    if model is not None:
        return model_hours(model, devices, hours)
    raise UnsupportedRowError("it states no accelerator-hours, and nothing that they could be computed from")


def model_hours(
    model: NotableModel, devices: float | None = None, hours: float | None = None
) -> tuple[Array, str, tuple[str, ...]]:
    """Accelerator-hours of a model by the figures of growth, where its row does not say them.

    Raises
    ------
    UnsupportedRowError : accelerators or hours of its run are not published
    """
    devices = devices or model.figures.get("accelerators")
    hours = hours or model.figures.get("hours")
    if devices is None or hours is None:
        lacks = "the accelerators" if devices is None else "the hours"
        raise UnsupportedRowError(f"neither the row nor the catalog has {lacks} of the run of {model.name}")
    found = accelerator_hours_of_wall_time(accelerators=np.array([devices]), wall_time_h=np.array([hours]))
    return (
        found,
        f"{devices:,.0f} accelerators x {hours:,.0f} h",
        (f"run of {model.name} as Epoch AI lists it",),
    )


def hours(asked: Asked) -> Computed:
    """Accelerator-hours as a figure of their own: a sum, what is left of a total, or by the clock."""
    added = summed(asked.statement)
    if added is not None:
        return added
    found, words, assumed = accelerator_hours(asked)
    return Computed(value=float(found[0]), arithmetic=words, assumed=assumed)


def clock(asked: Asked) -> Computed:
    """Time that a run takes, or a million million tokens of it."""
    stated = asked.statement
    devices = stated.get(DEVICES)
    model = model_in(stated.row.text("subject"))
    assumed: tuple[str, ...] = ()
    if devices is None and model is not None and (known := model.figures.get("accelerators")):
        devices, assumed = known, (f"accelerators of {model.name} as Epoch AI lists them",)
    if devices is None:
        raise UnsupportedRowError("it does not say on how many accelerators")
    per_t, tokens = stated.get(H_PER_T), stated.get(TOKENS)
    if per_t is not None:
        all_hours, words = per_t, f"{per_t:,.0f} accelerator-hours"
        if tokens is not None and stated.unit[0] == HOURS:
            all_hours, words = per_t * tokens / 1e12, f"{words} x {tokens / 1e12:g} T tokens"
    else:
        array, words, more = accelerator_hours(asked)
        all_hours, assumed = float(array[0]), (*assumed, *more)
    found = wall_time_h(accelerator_hours=np.array([all_hours]), accelerators=np.array([devices]))
    return Computed(
        value=float(found[0]), arithmetic=f"{words} / {devices:,.0f} accelerators", assumed=assumed
    )


def arithmetic_of(stated: Statement) -> float | None:
    """FLOP of a run: as stated, else six for each parameter and token."""
    flop, tokens, parameters = stated.get("FLOP"), stated.get(TOKENS), stated.get("parameters")
    if flop is not None:
        return flop
    named = re.search(r"(?<![\w.])(\d+(?:\.\d+)?)B\b", stated.row.text("subject"))
    if parameters is None and named:
        parameters = float(named[1]) * 1e9
    return None if tokens is None or parameters is None else 6 * parameters * tokens


def _by_arithmetic(asked: Asked) -> tuple[Array, str, tuple[str, ...]] | None:
    """By FLOP and a speed: a stated one, or the stated share of the accelerator's peak."""
    stated = asked.statement
    flop, speed, mfu = arithmetic_of(stated), stated.get("FLOP/s"), stated.get("MFU")
    if flop is None or (speed is None and mfu is None):
        return None
    assumed: tuple[str, ...] = ()
    if speed is None:
        accelerator = accelerator_in(
            f"{stated.row.text('subject')} {stated.row.text('inputs')}", asked.catalog
        )
        speed = None if accelerator is None else peak_of(accelerator)
        if accelerator is None or speed is None:
            return None
        assumed = (f"dense 16-bit peak of {accelerator.name}",)
    found = accelerator_hours_of_flop(
        flop=np.array([flop]),
        peak_flop_per_s=np.array([speed]),
        mfu=np.array([mfu if mfu is not None else 1.0]),
        ettr=np.array([stated.get("ETTR") or 1.0]),
    )
    share = f" x {100 * mfu:.3g} %" if mfu is not None else ""
    return found, f"{flop:.4g} FLOP / ({speed / 1e12:.4g} TFLOP/s{share})", assumed
