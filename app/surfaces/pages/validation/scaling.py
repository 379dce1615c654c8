"""Published figures of scaling laws beside ours as a page, law by law."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from app.charts.format import Shown, number, signed_percent
from app.surfaces.pages.validation.overview import KeyFigure
from app.validation.scaling.study import ScalingFigure, scaling_figures

LARGE = 1e5
"""Figures from here on are written with a power of ten."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class FigureLine(NamedTuple):
    """A figure, and what opens under it."""

    what: str
    published: str
    ours: str
    difference: str
    agrees: bool
    reason: str
    said: tuple[tuple[str, str], ...]  # label, text: input, note and source


class LawFigures(NamedTuple):
    law: str
    anchor: str
    lines: tuple[FigureLine, ...]


class ScalingOverview(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    laws: tuple[LawFigures, ...]


def scaling_overview() -> ScalingOverview:
    """Everything the page shows, in words."""
    figures = scaling_figures()
    agreeing = sum(one.agrees for one in figures)
    explained = sum(not one.agrees and bool(one.reason) for one in figures)
    left = len(figures) - agreeing - explained
    laws = groupby(sorted(figures, key=lambda one: one.row.text("law")), key=lambda one: one.row.text("law"))
    return ScalingOverview(
        lead=(
            f"{len(figures)} figures that papers print of their scaling laws, computed anew from the laws of the "
            f"catalog: {agreeing} come out within 1\u202f%, and of the others it is said why not."
        ),
        key_figures=(
            KeyFigure("Published figures", Shown(f"{len(figures)}"), ""),
            KeyFigure("Within 1 %", Shown(f"{agreeing}"), ""),
            KeyFigure("Differ, explained", Shown(f"{explained}"), "rounding, a misprint or a biased fit"),
            KeyFigure("Differ, not explained", Shown(f"{left}"), ""),
        ),
        laws=tuple(
            LawFigures(law, f"law-{place}", tuple(_line(one) for one in members))
            for place, (law, members) in enumerate(laws, start=1)
        ),
    )


def _line(one: ScalingFigure) -> FigureLine:
    row = one.row
    said = (("Computed with", "note"), ("Source", "source"))
    return FigureLine(
        what=", ".join(text for name in ("case", "quantity", "input") if (text := row.text(name))),
        published=_text(one.published),
        ours=_text(one.predicted),
        difference=signed_percent(one.error),
        agrees=one.agrees,
        reason=one.reason,
        said=tuple((label, row.text(column)) for label, column in said if row.text(column)),
    )


def _text(value: float) -> str:
    """Four digits, since figures are compared to one in a hundred.

    >>> _text(20170000000.0), _text(0.498)
    ('2.017 × 10¹⁰', '0.4980')
    """
    if abs(value) < LARGE:
        return number(value, 4)
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"
