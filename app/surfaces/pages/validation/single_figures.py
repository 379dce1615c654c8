"""Published single figures beside ours, as the pages of power and of cost say them."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.format import Shown, signed_percent
from app.surfaces.pages.validation.errors import share_text
from app.validation.study import Errors

NOTHING = "n/a"


class FigureLine(NamedTuple):
    """A published figure, and what opens under it."""

    anchor: str
    what: str
    published: str
    ours: str
    difference: str
    said: tuple[tuple[str, str], ...]  # label, text


class FigureGroup(NamedTuple):
    title: str
    anchor: str
    lines: tuple[FigureLine, ...]


class ErrorLine(NamedTuple):
    name: str
    rows: int
    median: str
    p90: str
    bias: str


def error_line(name: str, errors: Errors) -> ErrorLine:
    """Errors of some figures."""
    return ErrorLine(
        name,
        errors.rows,
        percent_text(errors.median_abs_error),
        percent_text(errors.p90_abs_error),
        NOTHING if errors.bias is None else signed_percent(errors.bias),
    )


def percent_figure(share: float | None) -> Shown:
    """A share as a key figure."""
    return Shown(NOTHING) if share is None else Shown(f"{100 * share:.1f}", "%")


def percent_text(share: float | None) -> str:
    """A share within a sentence or a table."""
    return NOTHING if share is None else share_text(share)
