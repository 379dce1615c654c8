"""Measured collectives against the engine."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.validated import COLLECTIVES_FILE
from app.engine.explain import explanation
from app.engine.trace import Origin, Traced, traced_input
from app.paths import seed_data
from app.validation.collectives.case import COLUMNS, Case, accelerator_of, case_of
from app.validation.collectives.fit import ASSUMPTIONS, FITTED, Batch, Fit, room_of, shipped_values
from app.validation.study import (
    Numbers,
    Prediction,
    Report,
    Row,
    Unsupported,
    UnsupportedRowError,
    read_rows,
    weighted_quantile,
)

# The measured collectives as their sources print them.


@functools.cache
def printed_collectives() -> Mapping[str, Row]:
    """Every shipped measurement by its id; read once a process."""
    return {row.key: row for row in read_rows(seed_data() / COLLECTIVES_FILE, COLUMNS)}


# `podwright validate collectives`: measured collectives against the engine.

SYSTEM = "system"
MICROSECOND = 1e-6
INTERVAL = (0.1, 0.9)
"""Shares of the errors below the ends of the interval of a prediction."""


def validate_collectives(
    path: Path, catalog: Catalog, *, left_out: bool = True, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file in microseconds, and again with its system left out of the fit.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    cases, unsupported = _cases([row for row in rows if row.scored], catalog)
    batch = Batch(cases, catalog)
    time_s = batch.time_s()
    if not np.isfinite(time_s).all():
        unsupported += [
            Unsupported(case.row.key, "an input that the time needs is not published")
            for case, value in zip(cases, time_s, strict=True)
            if not np.isfinite(value)
        ]
        cases = [case for case, value in zip(cases, time_s, strict=True) if np.isfinite(value)]
        batch = Batch(cases, catalog)
        time_s = batch.time_s()
    predictions = _predictions(cases, time_s)
    again: dict[str, tuple[Prediction, ...]] = {}
    if left_out and len(cases) >= len(FITTED) and len({case.system for case in cases}) > 1:
        progress("refitting without each system")
        again[SYSTEM] = _predictions(cases, Fit(batch, catalog).left_out())
        predictions = _with_intervals(predictions, again[SYSTEM])
    return Report(
        kind="collectives",
        rows=len(rows),
        predictions=predictions,
        unsupported=tuple(unsupported),
        constants=shipped_values(catalog),
        left_out=again,
    )


def _cases(rows: list[Row], catalog: Catalog) -> tuple[list[Case], list[Unsupported]]:
    cases, unsupported = [], []
    for row in rows:
        try:
            cases.append(case_of(row, catalog))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(row.key, str(error)))
    return cases, unsupported


def _predictions(cases: list[Case], time_s: Numbers) -> tuple[Prediction, ...]:
    return tuple(
        Prediction(
            key=case.row.key,
            family=case.system,
            groups={SYSTEM: case.system, "collective": case.collective, "level": _level(case)},
            measured=case.measured_s / MICROSECOND,
            predicted=float(value) / MICROSECOND,
            assumed=case.experts.assumed if case.experts else (),
        )
        for case, value in zip(cases, time_s, strict=True)
    )


def _level(case: Case) -> str:
    return "scale-out" if case.place.domains > 1 else "scale-up"


def _with_intervals(
    predictions: tuple[Prediction, ...], left_out: tuple[Prediction, ...]
) -> tuple[Prediction, ...]:
    """Predictions with the errors that other systems had when they were left out, on the same level if any."""
    errors = np.log([one.measured / one.predicted for one in left_out])
    systems, levels = (np.array([one.groups[name] for one in left_out]) for name in (SYSTEM, "level"))
    sizes = {name: int((systems == name).sum()) for name in set(systems.tolist())}
    weights = np.array([1 / sizes[name] for name in systems])
    ends: dict[tuple[str, str], list[float]] = {}
    for name, level in set(zip(systems.tolist(), levels.tolist(), strict=True)):
        others = systems != name
        near = others & (levels == level)
        pool = near if near.any() else others
        ends[name, level] = [weighted_quantile(errors[pool], weights[pool], share) for share in INTERVAL]
    bounded = []
    for one in predictions:
        low, high = np.exp(ends[one.groups[SYSTEM], one.groups["level"]]) * one.predicted
        bounded.append(replace(one, low=float(low), high=float(high)))
    return tuple(bounded)


# A measured collective computed once more with every input traced: how its prediction was made.

UNITS = {
    "message_bytes": "B",
    "copy_bytes": "B",
    "scale_up_bandwidth_bytes_per_s": "B/s",
    "all_to_all_bandwidth_bytes_per_s": "B/s",
    "scale_out_bandwidth_bytes_per_s": "B/s",
    "memory_bandwidth_bytes_per_s": "B/s",
}
"""Units of what a row and its accelerator say; all others are counts and shares."""

OF_THE_ACCELERATOR = {
    "scale_up_bandwidth_bytes_per_s": "scale_up_bandwidth_bytes_per_s",
    "all_to_all_bandwidth_bytes_per_s": "scale_up_bandwidth_bytes_per_s",
    "memory_bandwidth_bytes_per_s": "memory_bandwidth_bytes_per_s",
}
"""Inputs that the catalog says of the accelerator, and the fact that does."""


def explained_time(row: Row, catalog: Catalog) -> dict[str, Any]:
    """The tree of a row's predicted time, in the shape of the explanations of a design.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    case = case_of(row, catalog)
    time = Batch([case], catalog).traced_time_s(
        lambda name, values: traced_input(
            name, values, _unit(name, case, catalog), _origin(name, case, catalog)
        )
    )
    return explanation("fabric.collective_time_s", _algorithm(time, ring_only=case.ring_only))


def _algorithm(time: Traced, *, ring_only: bool) -> Traced:
    """The quantity behind the choice between the ring alone and the best algorithm, where there is one."""
    if time.node.kind == "quantity":
        return time
    ring, best = (node for _, node in time.node.inputs)
    node = ring if ring_only else best
    return Traced(node.value, node)


def _unit(name: str, case: Case, catalog: Catalog) -> str:
    if name in ASSUMPTIONS:
        return catalog.assumption(room_of(name), name, case.place.context).unit
    return UNITS.get(name, "1")


def _origin(name: str, case: Case, catalog: Catalog) -> Origin:
    """Assumptions have their own source, bandwidths that of the accelerator; the rest the row says."""
    if name in ASSUMPTIONS:
        row = catalog.assumption(room_of(name), name, case.place.context)
        return Origin(kind=row.kind, source=row.source, date=row.as_of, low=row.low, high=row.high)
    part = accelerator_of(case.row, catalog)
    fact = part.facts.get(OF_THE_ACCELERATOR.get(name, ""))
    if fact is not None:
        return Origin(kind=fact.kind, source=fact.source, date=fact.date, catalog=f"{part.kind}/{part.key}")
    return Origin(kind="measured", source=case.row.text("source"))
