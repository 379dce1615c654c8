"""The charts of the runs asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from app.catalog.validated_runs import ValidatedRun
from app.figures import Figure
from app.figures.error_spread import STEP_PCT, error_spread_figure
from app.figures.format import THIN_SPACE
from app.figures.predicted_measured import MARKERS, Point, Series, predicted_measured_figure
from app.validation.published.basis import Judged
from app.web.validation.asked import Asked

LARGE_JOB = 1000
"""Accelerators from which a run is worth naming."""


def scatter(asked: Asked) -> Figure:
    """Predicted against measured; a generation keeps its marker, whichever runs are shown."""
    words = asked.words
    series = _series(words.generation(one.run) for one in asked.everything)
    names = {one.name for one in series}
    named = _named(asked.found)
    points = [
        Point(
            key=one.run.id,
            name=words.title(one.run),
            series=generation if (generation := words.generation(one.run)) in names else series[-1].name,
            measured=one.run.measured_tokens_per_s,
            predicted=one.predicted_tokens_per_s,
            named=one.run.id in named,
        )
        for one in asked.found
    ]
    points.sort(key=lambda point: not point.named)
    caption = f"Each run is predicted {asked.basis.says}. The dotted lines are 20{THIN_SPACE}% off."
    return predicted_measured_figure(points, series, caption=caption)


def spread(asked: Asked) -> Figure:
    """How the errors are spread."""
    caption = f"Predicted over measured, less one; each bar is {STEP_PCT} percentage points wide."
    return error_spread_figure([one.error for one in asked.found], caption=caption)


def _series(generations: Iterable[str]) -> tuple[Series, ...]:
    """Colours from the generation with most runs on; where there are more than colours, the rest share one."""
    names = [name for name, _ in Counter(generations).most_common()]
    slots = list(MARKERS)
    if len(names) > len(slots):
        names = [*names[: len(slots) - 1], "Other"]
    return tuple(Series(name, slot) for name, slot in zip(names, slots, strict=False))


def _named(found: Sequence[Judged]) -> set[str]:
    """The largest job of each generation, where it is large."""
    largest: dict[str, ValidatedRun] = {}
    for run in sorted((one.run for one in found), key=lambda run: run.accelerators):
        if run.accelerators >= LARGE_JOB:
            largest[run.generation] = run
    return {run.id for run in largest.values()}
