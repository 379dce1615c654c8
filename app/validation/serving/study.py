"""A file of measured latencies: every row predicted, and again without its model or system in the fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.scenarios.evaluation import serving_intervals as doubt
from app.scenarios.evaluation.serving_intervals import ROOM, TRUSTED_CONCURRENCY, WIDER
from app.scenarios.evaluation.serving_measured import never_measured
from app.validation.serving.cases import (
    BOTH,
    ENGINE,
    MODEL,
    PAIR,
    SYSTEM,
    Cases,
    cases_of,
    parts_of,
    words_of,
)
from app.validation.serving.deployment import (
    Constants,
    Deployment,
    deployment_of,
    fitted_values,
    left_out_constants,
    selected_rows,
)
from app.validation.serving.predicted import Predicted, least, predicted, reasons
from app.validation.serving.report import Quantity, ServingReport, Written, bounds, coverage_of, score_of
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import (
    Mask,
    Numbers,
    Prediction,
    Report,
    Unsupported,
    ValidationFileError,
    columns_of,
)

# A file of measured latencies: each row predicted, and again with constants fitted without its family or system.

STUDIED = (MODEL, SYSTEM, PAIR, BOTH)
"""What each row is predicted without."""


@dataclass(frozen=True, kw_only=True)
class StudiedLatencies:
    """`left_out` holds by STUDIED each row as predicted without its family, its accelerator, its family on its engine, and
    without all of its family and of its engine.

    `beyond` says of each row why no engine reaches its times; empty where one may.
    """

    cases: Cases
    predicted: Predicted
    beyond: list[str]
    left_out: Mapping[str, Predicted]


def study_of(
    path: Path,
    catalog: Catalog,
    *,
    fitted: Mapping[str, Mapping[str, float]] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> StudiedLatencies:
    """Predict every scored row of a file.

    Parameters
    ----------
    fitted : constants by what was left out of their fit; those that ship when None

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    cases = cases_of(path, catalog)
    without = left_out_constants() if fitted is None else fitted
    if not len(cases):
        nothing = Predicted(*np.empty((len(Predicted._fields), 0)))
        return StudiedLatencies(cases=cases, predicted=nothing, beyond=[], left_out={})
    deployment = deployment_of(cases, catalog)
    constants = Constants(catalog, cases)
    shipped = predicted(deployment, constants.with_values({}))
    times = {"ttft_s": cases.ttft_s, "tpot_s": cases.tpot_s}
    bound = least(deployment, constants.with_values({}), **times)
    left_out = {
        group: left_out_of(cases, deployment, constants, group, without, shipped)
        for group in STUDIED
        if without
    }
    beyond = reasons(bound, **times)
    return StudiedLatencies(cases=cases, predicted=shipped, beyond=beyond, left_out=left_out)


def left_out_of(
    cases: Cases,
    deployment: Deployment,
    constants: Constants,
    group: str,
    fitted: Mapping[str, Mapping[str, float]],
    shipped: Predicted,
) -> Predicted:
    """Each row with constants fitted without what it is of; what was never in the fit has the shipped ones."""
    found = Predicted(*(values.copy() for values in shipped))
    words = words_of(cases)
    for part in parts_of(words, group):
        if part.label not in fitted:
            continue
        members = np.flatnonzero(part.own(words))
        again = predicted(
            selected_rows(deployment, members),
            selected_rows(constants.with_values(fitted[part.label]), members),
        )
        for target, values in zip(found, again, strict=True):
            target[members] = values
    return found


# The report of a file of measured latencies: which rows count in which score.

TPOT, TTFT = "tpot", "ttft"
ABOVE = f"concurrency above {TRUSTED_CONCURRENCY}: how the burst starts decides, which is not known; not to be trusted"
GUESSED = "counts of prefill and decode instances, or requests in flight, are not published and were guessed"
UNKNOWN = "an input that the prediction needs is not published"
TOO_SMALL = "the memory as reckoned holds not one sequence: taken to hold all in flight"

MAIN = ("tpot", "tpot_disaggregated", "ttft")
NOTES = {
    "ttft_above_128": ABOVE,
    "ttft_disaggregated": "complete layout, concurrency to 128, cold starts left out",
    "tpot_disaggregated_guessed": GUESSED,
    "tpot_every_row": "aggregated rows, repeats counted as often as they are filed",
}


def latency_report(study: StudiedLatencies, catalog: Catalog) -> ServingReport:
    """Every distinct measurement in its score, every row in the table."""
    cases = study.cases
    known = _is_time(study.predicted.tpot_s) & _is_time(study.predicted.ttft_s)
    fine = known & np.array([not reason for reason in study.beyond], dtype=bool)
    unsupported = [
        Unsupported(cases.id[at], study.beyond[at] if known[at] else UNKNOWN)
        for at in np.flatnonzero(~fine).tolist()
    ]
    times = {TPOT: (cases.tpot_s, "tpot_s"), TTFT: (cases.ttft_s, "ttft_s")}
    wider = _widenings(cases, catalog)
    tables = {
        name: _predictions(study, measured, field, wider[name]) for name, (measured, field) in times.items()
    }
    sets = _sets(cases, fine)
    quantities = {
        name: Quantity(
            name=quantity,
            predictions=_chosen(tables[quantity][""], members),
            left_out={group: _chosen(tables[quantity][group], members) for group in study.left_out},
            coverage=coverage_of(_chosen(tables[quantity][BOTH if study.left_out else ""], members)),
        )
        for name, (quantity, members) in sets.items()
    }
    main = {name: quantity for name, quantity in quantities.items() if name in MAIN}
    extra: dict[str, Any] = {
        name: {**asdict(score_of(quantities[name].predictions)), "note": note} for name, note in NOTES.items()
    }
    extra["cold_starts"] = int((cases.cold_start & cases.counts & fine).sum())
    return ServingReport(
        kind="serving",
        rows=cases.rows,
        predictions=(
            *_chosen(tables[TPOT][""], fine & np.isfinite(cases.tpot_s)),
            *_chosen(tables[TTFT][""], fine & ~np.isfinite(cases.tpot_s)),
        ),
        unsupported=(*cases.unsupported, *unsupported),
        constants=fitted_values(catalog, left_out_constants()),
        extra=extra,
        quantities=main,
        written=_written(cases, tables, sets, fine),
        newer=tuple(sorted({text for texts in cases.assumed for text in texts if "newer than" in text})),
    )


def _is_time(values: Numbers) -> Mask:
    found: Mask = np.isfinite(values) & (values > 0)
    return found


def _sets(cases: Cases, fine: Mask) -> dict[str, tuple[str, Mask]]:
    """The rows of each score, the first that they are in being the one they count in."""
    once = fine & cases.counts
    whole = ~cases.aggregated & cases.complete_layout
    calm = (cases.concurrency <= TRUSTED_CONCURRENCY) & ~cases.cold_start
    tpot, ttft = np.isfinite(cases.tpot_s), np.isfinite(cases.ttft_s)
    return {
        "tpot": (TPOT, once & tpot & cases.aggregated),
        "tpot_disaggregated": (TPOT, once & tpot & whole),
        "ttft": (TTFT, once & ttft & cases.aggregated & calm),
        "ttft_above_128": (TTFT, once & ttft & cases.aggregated & (cases.concurrency > TRUSTED_CONCURRENCY)),
        "ttft_disaggregated": (TTFT, once & ttft & whole & calm),
        "tpot_disaggregated_guessed": (TPOT, once & tpot & ~cases.aggregated & ~cases.complete_layout),
        "tpot_every_row": (TPOT, fine & tpot & cases.aggregated),
    }


def _widenings(cases: Cases, catalog: Catalog) -> dict[str, Numbers]:
    """Squares of the half-widths by which intervals of each row are wider, as of a design of that kind."""
    rows = zip(cases.model_key, cases.engine, cases.generation, cases.format, cases.attention, strict=True)
    unmeasured = [
        tuple(never_measured(model=model, engine=engine, generation=line, precision=form, attention=kind))
        for model, engine, line, form, kind in rows
    ]
    return {
        name: np.array(
            [
                sum(catalog.assumption(ROOM, WIDER[row], {"unmeasured": kind}).value ** 2 for kind in kinds)
                for kinds in unmeasured
            ]
        )
        for name, row in ((TPOT, doubt.TPOT), (TTFT, doubt.TTFT))
    }


def _predictions(
    study: StudiedLatencies, measured: Numbers, field: str, wider: Numbers
) -> dict[str, list[Prediction]]:
    """Every row, with the shipped constants under "", and with each grouping left out."""
    cases = study.cases
    found = {"": study.predicted, **study.left_out}
    strictest: Predicted = study.left_out.get(BOTH, study.predicted)
    vouches = cases.counts & cases.complete_layout & ~cases.cold_start
    with np.errstate(all="ignore"):
        low, high = bounds(np.where(vouches, measured / getattr(strictest, field), np.nan), cases.family)
        low = np.where(wider > 0, np.exp(-np.sqrt(np.log(low) ** 2 + wider)), low)
        high = np.where(wider > 0, np.exp(np.sqrt(np.log(high) ** 2 + wider)), high)
    return {
        name: [
            _prediction(cases, at, measured, getattr(predicted, field), low, high, predicted.held)
            for at in range(len(cases))
        ]
        for name, predicted in found.items()
    }


def _prediction(
    cases: Cases,
    at: int,
    measured: Numbers,
    predicted: Numbers,
    low: Numbers,
    high: Numbers,
    held: Numbers,
) -> Prediction:
    value = float(predicted[at])
    return Prediction(
        key=cases.id[at],
        family=cases.family[at],
        groups={
            MODEL: cases.family[at],
            SYSTEM: cases.system[at],
            ENGINE: cases.engine[at],
            PAIR: f"{cases.family[at]} on {cases.engine[at]}",
            BOTH: f"{cases.family[at]} and {cases.engine[at]}",
            "precision": cases.format[at],
        },
        measured=float(measured[at]),
        predicted=value,
        low=value * float(low[at]) if np.isfinite(low[at]) else None,
        high=value * float(high[at]) if np.isfinite(high[at]) else None,
        assumed=(*cases.assumed[at], *((TOO_SMALL,) if held[at] < 1 else ())),
    )


def _chosen(predictions: Sequence[Prediction], members: Mask) -> tuple[Prediction, ...]:
    return tuple(predictions[at] for at in np.flatnonzero(members).tolist())


def _written(
    cases: Cases,
    tables: dict[str, dict[str, list[Prediction]]],
    sets: dict[str, tuple[str, Mask]],
    fine: Mask,
) -> tuple[Written, ...]:
    """Both quantities of every row, with the score that each counts in."""
    written = []
    for at in np.flatnonzero(fine).tolist():
        for quantity, measured in ((TPOT, cases.tpot_s), (TTFT, cases.ttft_s)):
            if not np.isfinite(measured[at]):
                continue
            score = next((name for name, (of, members) in sets.items() if of == quantity and members[at]), "")
            written.append(
                Written(
                    quantity=quantity,
                    mode="aggregated" if cases.aggregated[at] else "disaggregated",
                    counted=score if cases.counts[at] else "repeat",
                    prediction=tables[quantity][""][at],
                )
            )
    return tuple(written)


# `podwright validate serving`: measured latencies, or throughputs, of served models against the engine.

OF_THROUGHPUTS = ("metric", "value", "hardware", "n", "concurrency_or_batch", "conditions")
OF_LATENCIES = ("mode", "system", "concurrency", "ttft_ms", "tpot_ms")


def validate_serving(
    path: Path, catalog: Catalog, *, progress: Callable[[str], None] = lambda _: None
) -> Report:
    """Predict every scored row of a file of latencies, or of throughputs.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    if _is_of_throughputs(path):
        return THROUGHPUT.report(path, catalog)
    return latency_report(study_of(path, catalog, progress=progress), catalog)


def _is_of_throughputs(path: Path) -> bool:
    """By the columns that only one of the kinds has: a file that lacks another of its kind is told which."""
    throughput, latency = (
        sum(column in columns_of(path) for column in own) for own in (OF_THROUGHPUTS, OF_LATENCIES)
    )
    if not throughput + latency:
        raise ValidationFileError(
            f"{path} is neither of throughputs nor of latencies: the first has columns {', '.join(OF_THROUGHPUTS)}, "
            f"the second {', '.join(OF_LATENCIES)}"
        )
    return throughput > latency
