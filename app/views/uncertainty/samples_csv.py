"""Samples of a scenario as CSV: a row a sample, its inputs by their places in the design and then its figures."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice

import numpy as np

from app.views.uncertainty.report import Samples

ROWS = 1_000


def samples_csv(samples: Samples) -> Iterator[bytes]:
    """Every sample, some at a time; an unknown figure is an empty cell. `feasible` is 1 where no limit is broken."""
    columns = np.vstack([samples.inputs.T, samples.figures, samples.feasible[None]])
    yield _text([("sample", *samples.input_places, *samples.figure_paths, "feasible")])
    rows = iter(enumerate(columns.T, start=1))
    while some := tuple(islice(rows, ROWS)):
        yield _text([(number, *(_cell(value) for value in row.tolist())) for number, row in some])


def _text(rows: list[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


def _cell(value: float) -> str:
    return f"{value:.9g}" if np.isfinite(value) else ""
