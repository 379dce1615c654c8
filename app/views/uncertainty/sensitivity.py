"""Sensitivity of the figures: tornado, spider and Sobol indices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.engine.trace import Array
from app.engine.uncertainty.one_at_a_time import along_ranges, low_and_high, swing
from app.engine.uncertainty.sobol import indices
from app.views.uncertainty.inputs import VaryingInput
from app.views.uncertainty.report import SobolShare, SpiderLine, TornadoBar

LEAST_SWING = 0.01
"""A range of the catalog that moves no figure by more than this between its ends is held."""
SPIDER_LINES = 6
SPIDER_SHARES = np.linspace(0, 1, 9)
MOST_SOBOL_INPUTS = 30
SOBOL_SAMPLES = 1024


def ends(inputs: Sequence[VaryingInput]) -> tuple[Array, Array, Array]:
    """Values as they stand, low ends, high ends: each (inputs,)."""
    return (
        np.array([one.point for one in inputs]),
        np.array([one.distribution.low for one in inputs]),
        np.array([one.distribution.high for one in inputs]),
    )


def tornado_rows(inputs: Sequence[VaryingInput]) -> Array:
    """Designs that a tornado needs: (2 inputs + 1, inputs)."""
    typical, low, high = ends(inputs)
    return low_and_high(typical=typical, low=low, high=high)


def swings(found: Array) -> Array:
    """Swing of each figure by input: (figures, inputs), from figures at the rows of a tornado."""
    base, at_low, at_high = _parts(found)
    return swing(at_low=at_low, at_high=at_high, base=base)


def tornado(paths: Sequence[str], inputs: Sequence[VaryingInput], found: Array) -> Iterator[TornadoBar]:
    """The bars of each figure, the widest first; an input that does not move a figure has none."""
    _, at_low, at_high = _parts(found)
    widths = swings(found)
    for figure, path in enumerate(paths):
        for place in np.argsort(-widths[figure], kind="stable").tolist():
            if widths[figure, place] > 0:
                one = inputs[place]
                yield TornadoBar(
                    figure=path,
                    place=one.place,
                    low_value=one.distribution.low,
                    high_value=one.distribution.high,
                    at_low=_known(at_low[figure, place]),
                    at_high=_known(at_high[figure, place]),
                    swing=float(widths[figure, place]),
                )


def most_moving(widths: Array, count: int) -> list[int]:
    """Inputs that make the most of any figure's swings, in the order in which they stand."""
    squares = widths**2
    whole = squares.sum(axis=1, keepdims=True)
    part = np.max(np.divide(squares, whole, out=np.zeros_like(squares), where=whole > 0), axis=0)
    return sorted(np.argsort(-part, kind="stable")[:count].tolist())


def spider_rows(inputs: Sequence[VaryingInput]) -> Array:
    """Designs along the range of each input: (inputs x shares, inputs)."""
    typical, low, high = ends(inputs)
    whole = np.array([one.whole for one in inputs])
    rows = along_ranges(typical=typical, low=low, high=high, shares=SPIDER_SHARES)
    return np.where(whole, rows.round(), rows).reshape(len(inputs) * len(SPIDER_SHARES), len(inputs))


def spider(
    paths: Sequence[str], inputs: Sequence[VaryingInput], widths: Array, found: Array
) -> Iterator[SpiderLine]:
    """The lines of the inputs that move each figure most."""
    lines = found.reshape(len(paths), len(inputs), len(SPIDER_SHARES))
    for figure, path in enumerate(paths):
        for place in np.argsort(-widths[figure], kind="stable")[:SPIDER_LINES].tolist():
            if widths[figure, place] > 0:
                yield SpiderLine(
                    figure=path,
                    place=inputs[place].place,
                    shares=tuple(SPIDER_SHARES.tolist()),
                    values=tuple(_known(value) for value in lines[figure, place]),
                )


def sobol_shares(paths: Sequence[str], inputs: Sequence[VaryingInput], found: Array) -> Iterator[SobolShare]:
    """Indices of each figure, the largest part first.

    Parameters
    ----------
    found : (figures, inputs + 2, samples), at `saltelli_samples` of these inputs
    """
    for figure, path in enumerate(paths):
        first, total = indices(found[figure])
        for place in np.argsort(-total[0], kind="stable").tolist():
            yield SobolShare(
                figure=path,
                place=inputs[place].place,
                first=float(first[0, place]),
                first_low=float(first[1, place]),
                first_high=float(first[2, place]),
                total=float(total[0, place]),
                total_low=float(total[1, place]),
                total_high=float(total[2, place]),
            )


def _parts(found: Array) -> tuple[Array, Array, Array]:
    """As it stands, at low ends and at high ends."""
    inputs = (found.shape[1] - 1) // 2
    return found[:, 0], found[:, 1 : inputs + 1], found[:, inputs + 1 :]


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
