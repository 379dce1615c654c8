"""Ratios: MFU of a run, and one own cost over another."""

from __future__ import annotations

import numpy as np

from app.engine.trace import Array
from app.validation.cost.hardware import needed_accelerator, peak_of
from app.validation.cost.methods.hours import accelerator_hours, arithmetic_of
from app.validation.cost.methods.ownership import AGAINST, ratio
from app.validation.cost.statement import Asked, Computed
from app.validation.rows import UnsupportedRowError


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
