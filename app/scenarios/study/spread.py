"""P90 of the time of a run over its typical time, by number of SuperNodes and before its layout is known."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.engine.evaluation import Sections
from app.engine.trace import Array
from app.engine.uncertainty.interval import spread
from app.engine.uncertainty.likeness import Features, distance
from app.scenarios.evaluation.residuals import features_of, residuals
from app.scenarios.resolve import Resolved


def least_high_ratio(
    resolved: Resolved,
    sections: Sections,
    frameworks: Iterable[str],
    accelerators: Array,
    stated: tuple[float, float] | None,
) -> Array:
    """P90 of the time over the time itself, of shape (n,): the least over frameworks, without that of
    failures.

    Failures widen an interval and never narrow it, so that the ratio of a design is at least as much.

    Parameters
    ----------
    accelerators : at work in each pod, (n,)
    stated : P10 and P90 of measured over predicted of own runs, which go before the measured ones
    """
    if stated is not None:
        return np.full(accelerators.size, max(1 / stated[0], 1.0))
    one, table = features_of(resolved, sections), residuals()
    ratios = []
    for framework in frameworks:
        apart = distance(_many(one, accelerators, framework), table.features)
        if not np.isfinite(apart).all():
            return np.ones(accelerators.size)  # no interval is known, and the time is taken as certain
        experts = np.full(accelerators.size, one.experts[0])
        ratios.append(1 / spread(distance=apart, errors=table.errors, experts=experts).low)
    least: Array = np.maximum(np.min(ratios, axis=0), 1.0)
    return least


def _many(one: Features, accelerators: Array, framework: str) -> Features:
    def column(values: Array) -> Array:
        return np.full(accelerators.size, values[0])

    return Features(
        accelerators=accelerators,
        active_parameters=column(one.active_parameters),
        sequence_length=column(one.sequence_length),
        experts=column(one.experts),
        generation=np.full(accelerators.size, one.generation[0]),
        framework=np.full(accelerators.size, framework or one.framework[0]),
        precision=np.full(accelerators.size, one.precision[0]),
    )
