"""The shipped latencies of served models beside ours: what counts in which score, and what is left out."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import LATENCIES_FILE
from app.paths import seed_data
from app.validation.published.served import ServedMeasurement
from app.validation.rows import read_rows
from app.validation.serving.assumed import left_out_constants
from app.validation.serving.case import COLUMNS, Case
from app.validation.serving.cases import Cases
from app.validation.serving.latencies import MAIN, NOTES, latency_report
from app.validation.serving.layout_names import Cut
from app.validation.serving.left_out import MODEL, PAIR, SYSTEM, Without
from app.validation.serving.quantity import Quantity
from app.validation.serving.report import ServingReport
from app.validation.serving.study import study_of
from app.validation.statistics import Prediction

MILLISECONDS = 1e3
SCORES = MAIN
"""The quantities that are scored: aggregated and disaggregated time per token, time to the first token."""
BESIDE = tuple(NOTES)
"""Scores that are shown beside them and are no aim."""

NUMBER = re.compile(r"\b\d+(\.\d+)?\b")


class Reason(NamedTuple):
    """Rows of the file that are left out for one reason, by their numbers."""

    reason: str
    rows: tuple[str, ...]


class PublishedServing(NamedTuple):
    """`refitted` names the families of models and the accelerators that constants were fitted without."""

    cases: Mapping[str, Case]  # the deployments of all rows that can be predicted, by their number
    measurements: Mapping[str, tuple[ServedMeasurement, ...]]  # by score
    report: ServingReport
    repeats: int
    cold_starts: tuple[str, ...]
    unsupported: tuple[Reason, ...]
    unscored: tuple[Reason, ...]
    refitted: Mapping[str, frozenset[str]]


def published_serving(catalog: Catalog) -> PublishedServing:
    """Every shipped latency; computed once a catalog revision, in about a second."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedServing:
    path = seed_data() / LATENCIES_FILE
    study = study_of(path, catalog)
    cases = study.cases
    report = latency_report(study, catalog)
    places = {key: place for place, key in enumerate(cases.id)}
    labels = {MODEL: frozenset(cases.family), SYSTEM: frozenset(cases.accelerator_key)}
    fitted_without = left_out_constants()
    return PublishedServing(
        cases={case.row.key: case for case in cases.cases},
        measurements={
            score: _measurements(report.quantities[score], cases, places) for score in report.quantities
        },
        report=report,
        repeats=int((~cases.counts).sum()),
        cold_starts=tuple(cases.id[at] for at in np.flatnonzero(cases.cold_start & cases.counts).tolist()),
        unsupported=_by_reason((one.id, one.reason) for one in report.unsupported),
        unscored=_by_reason(
            (row.key, row.text("unscored_reason")) for row in read_rows(path, COLUMNS) if not row.scored
        ),
        refitted={
            name: frozenset(
                member for member in members if Without(name, {name: member}).label in fitted_without
            )
            for name, members in labels.items()
        },
    )


def _by_reason(rows: Iterable[tuple[str, str]]) -> tuple[Reason, ...]:
    """Rows by reason, the most frequent first; reasons that differ in a number alone are one."""
    found: dict[str, list[str]] = {}
    said: dict[str, set[str]] = {}
    for key, reason in rows:
        alike = NUMBER.sub("N", reason)
        found.setdefault(alike, []).append(key)
        said.setdefault(alike, set()).add(reason)
    return tuple(
        Reason(said[alike].pop() if len(said[alike]) == 1 else alike, tuple(found[alike]))
        for alike in sorted(found, key=lambda one: -len(found[one]))
    )


def _measurements(
    quantity: Quantity, cases: Cases, places: Mapping[str, int]
) -> tuple[ServedMeasurement, ...]:
    """A family or system that was never in the fit, or all where nothing was fitted again, has the shipped constants."""
    without = [quantity.left_out.get(group, quantity.predictions) for group in (MODEL, SYSTEM, PAIR)]
    return tuple(
        _measurement(one, of_model, of_system, of_pair, cases, places[one.key])
        for one, of_model, of_system, of_pair in zip(quantity.predictions, *without, strict=True)
    )


def _measurement(
    one: Prediction, of_model: Prediction, of_system: Prediction, of_pair: Prediction, cases: Cases, at: int
) -> ServedMeasurement:
    assert of_model.low is not None  # other families were measured
    assert of_model.high is not None
    case = cases.cases[at]
    return ServedMeasurement(
        id=one.key,
        model_key=case.model_key,
        accelerator_key=case.accelerator_key,
        engine=case.engine,
        era=case.era,
        precision=case.precision,
        accelerators=round(float(cases.accelerators[at])),
        input_tokens=case.input_tokens,
        output_tokens=case.output_tokens,
        concurrency=case.concurrency,
        layout=layout_text(case),
        measured_ms=MILLISECONDS * one.measured,
        predicted_ms=MILLISECONDS * one.predicted,
        model_left_out_ms=MILLISECONDS * of_model.predicted,
        system_left_out_ms=MILLISECONDS * of_system.predicted,
        pair_left_out_ms=MILLISECONDS * of_pair.predicted,
        low_ms=MILLISECONDS * of_model.low,
        high_ms=MILLISECONDS * of_model.high,
        assumed=one.assumed,
    )


def layout_text(case: Case) -> str:
    """The cuts of a deployment in a few words: those of one instance, or of both kinds of instances."""
    if case.prefill is None:
        return _cut_text(case.decode)
    return (
        f"prefill {_instances(case.prefill_instances, case.prefill)}, "
        f"decode {_instances(case.decode_instances, case.decode)}"
    )


def _instances(count: int, cut: Cut) -> str:
    return f"{count} x {_cut_text(cut)}" if count > 1 else _cut_text(cut)


def _cut_text(cut: Cut) -> str:
    sizes = (
        ("TP", cut.tensor_parallel),
        ("PP", cut.pipeline_parallel),
        ("DP", cut.data_parallel),
        ("EP", cut.expert_parallel),
    )
    return " ".join(f"{name} {size}" for name, size in sizes if size > 1) or "1 accelerator"
