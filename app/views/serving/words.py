"""Labels of the parts of a latency."""

from __future__ import annotations

from app.charts.format import inside
from app.engine.performance.serving.time_parts import OF_A_TOKEN_LABELS, TO_THE_FIRST_TOKEN_LABELS

LABELS = OF_A_TOKEN_LABELS | TO_THE_FIRST_TOKEN_LABELS | {"calibration": "Calibration"}


def part_words(name: str) -> str:
    """A part in words.

    >>> part_words("launch"), part_words("something_new")
    ('kernel launch', 'something new')
    """
    return inside(LABELS.get(name, name.replace("_", " ")))
