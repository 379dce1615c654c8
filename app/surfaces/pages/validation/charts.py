"""The charts of the measurements asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from app.charts import Figure
from app.charts.error_spread import STEP_PCT, error_spread_figure
from app.charts.format import THIN_SPACE
from app.charts.forms import SYMBOLS
from app.charts.predicted_measured import Point, Series, predicted_measured_figure
from app.surfaces.pages.validation.asked import Asked


def scatter(asked: Asked) -> Figure:
    """Predicted against measured; a series keeps its marker, whatever is shown."""
    words, subject = asked.words, asked.subject
    series = _series(words.series(one.run) for one in asked.everything)
    names = {one.name for one in series}
    named = subject.named(asked.found)
    points = [
        Point(
            key=one.run.id,
            name=words.title(one.run),
            series=own if (own := words.series(one.run)) in names else series[-1].name,
            measured=one.run.measured,
            predicted=one.predicted,
            named=one.run.id in named,
        )
        for one in asked.found
    ]
    points.sort(key=lambda point: not point.named)
    caption = f"Each is predicted {asked.basis.says}. The dotted lines are 20{THIN_SPACE}% off."
    return predicted_measured_figure(points, series, caption=caption, subject=subject.chart)


def spread(asked: Asked) -> Figure:
    """How the errors are spread."""
    caption = f"Predicted over measured, less one; each bar is {STEP_PCT} percentage points wide."
    return error_spread_figure(
        [one.error for one in asked.found],
        caption=caption,
        noun=asked.subject.noun,
        above=asked.subject.chart.above,
    )


def _series(every: Iterable[str]) -> tuple[Series, ...]:
    """Colours from the series with most measurements on; where there are more than colours, the rest share one."""
    names = [name for name, _ in Counter(every).most_common()]
    slots = list(SYMBOLS)
    if len(names) > len(slots):
        names = [*names[: len(slots) - 1], "Other"]
    return tuple(Series(name, slot) for name, slot in zip(names, slots, strict=False))
