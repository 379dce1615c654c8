"""Robustness of the ranking of a study: regret, value of information, and inputs that would change the
winner.

The first answers are evaluated on the same samples. Shared inputs (rates, prices of building, assumptions of
the plant) have one value for all answers in a sample. Inputs of the SuperNode and the error of the predicted
speed have one for each accelerator, prices and taxes of a site one for each site, and inputs of the fabric
one for each part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array
from app.engine.uncertainty.information import value_of_each_usd, value_of_perfect_information_usd
from app.engine.uncertainty.sampling import unit_samples
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.limits import Term
from app.scenarios.study.scenarios import candidate_key
from app.views.study.evaluating import Candidates
from app.views.study.judging import Bound, objective_key
from app.views.study.report import StudyDecision, StudyFlip, StudyRegret, WorthKnowing
from app.views.study.sampled import Sampled, sampled, values_of
from app.views.uncertainty.inputs import VaryingInput

MOST_COMPARED = 5
SAMPLES = 512
STEPS = 9
"""Values of an input at which the winner is looked for, ends included."""
MOST_SHOWN = 12


def decision(candidates: Candidates, ranked: Sequence[CandidateDocument]) -> StudyDecision | None:
    """Robustness of the ranking of the first answers; None where there are none.

    Raises
    ------
    ScenarioError : a range or a correlation of the study cannot be used
    """
    if not ranked:
        return None
    study = candidates.study
    figure = objective_key(study)
    money = figure if figure in ("tco_usd", "run_usd") else "tco_usd"
    compared = [sampled(candidates, one) for one in ranked[:MOST_COMPARED]]
    keys = [candidate_key(one.candidate) for one in compared]
    names = list(dict.fromkeys(name for one in compared for name in one.names))
    seed = study.common.uncertainty.seed
    shares = unit_samples(sampler="latin_hypercube", count=SAMPLES, inputs=max(len(names), 1), seed=seed)
    column = {name: place for place, name in enumerate(names)}
    drawn = []
    for one in compared:
        mine = shares[:, [column[name] for name in one.names]]
        drawn.append(one.figures(values_of(one.design.inputs, mine)))
    costs = np.stack([found[money] for found in drawn])
    known = np.isfinite(costs).all(axis=0)
    costs, used = costs[:, known], shares[known]
    if costs.shape[1] < SAMPLES // 4:
        return StudyDecision(
            winner=keys[0], second=keys[1] if len(keys) > 1 else "", margin=math.nan, flips=(), regrets=(),
            least_expected_regret="", minimax_regret="", perfect_information_usd=math.nan, worth_knowing=(),
            samples=int(costs.shape[1]), kept_together={}, note="The cost of an answer is unknown: an input of it is not published.",
        )  # fmt: skip
    regret = costs - costs.min(axis=0)
    best = np.argmin(costs, axis=0)
    regrets = tuple(
        StudyRegret(
            key=key,
            expected_usd=float(regret[place].mean()),
            most_usd=float(regret[place].max()),
            best_share=float(np.mean(best == place)),
        )
        for place, key in enumerate(keys)
    )
    points = [one.figures(one.design.points[None, :])[figure][0] for one in compared]
    each = (
        value_of_each_usd(costs, used[:, : len(names)]) if names and len(keys) > 1 else np.zeros(len(names))
    )
    labels = {
        name: one
        for sampled in compared
        for name, one in zip(sampled.names, sampled.design.inputs, strict=True)
    }
    worth = sorted(zip(names, each, strict=True), key=lambda pair: -pair[1])
    bounds = candidates.bounds
    return StudyDecision(
        winner=keys[0],
        second=keys[1] if len(keys) > 1 else "",
        margin=float(points[1] / points[0] - 1) if len(points) > 1 else math.nan,
        flips=tuple(_flips(compared, keys, figure, bounds, labels)),
        regrets=regrets,
        least_expected_regret=min(regrets, key=lambda one: one.expected_usd).key,
        minimax_regret=min(regrets, key=lambda one: one.most_usd).key,
        perfect_information_usd=float(value_of_perfect_information_usd(costs_usd=costs)),
        worth_knowing=tuple(
            WorthKnowing(input=name, label=labels[name].label, usd=float(usd))
            for name, usd in worth[:MOST_SHOWN]
            if usd > 0
        ),
        samples=int(costs.shape[1]),
        kept_together={
            key: float(np.mean(_kept(found, bounds, one.candidate.terms)))
            for key, found, one in zip(keys, drawn, compared, strict=True)
        },
        note="" if money == figure else "Regret and the value of information are in total cost of ownership.",
    )


def _kept(found: dict[str, Array], bounds: Sequence[Bound], terms: Term) -> NDArray[np.bool_]:
    """Samples that keep every limit on a sampled figure."""
    kept = np.ones(found["time_s"].shape, dtype=np.bool_)
    for bound in bounds:
        if bound.column.key in found and bound.holds_for(terms):
            kept &= found[bound.column.key] <= bound.value
    return kept


def _flips(
    compared: Sequence[Sampled],
    keys: Sequence[str],
    figure: str,
    bounds: Sequence[Bound],
    labels: dict[str, VaryingInput],
) -> list[StudyFlip]:
    """Change of the winner along the range of each input, inputs that change it first."""
    if len(compared) < 2:
        return []
    tables = [_along(one, figure, bounds, list(labels)) for one in compared]
    found = []
    for place, (name, one) in enumerate(labels.items()):
        low, high = (
            float(one.distribution.quantile(np.zeros(1))[0]),
            float(one.distribution.quantile(np.ones(1))[0]),
        )
        # an infinite tail is cut at 0.1 %
        if not math.isfinite(low) or not math.isfinite(high):
            low, high = (float(one.distribution.quantile(np.full(1, share))[0]) for share in (0.001, 0.999))
        at, winner = _crossing(
            np.stack([table[place] for table in tables]), np.linspace(low, high, STEPS), one.point
        )
        found.append(
            StudyFlip(
                input=name,
                label=one.label,
                unit=one.unit,
                now=one.point,
                low=low,
                high=high,
                at=at,
                winner_then=keys[winner] if winner >= 0 else "",
            )
        )
    return sorted(found, key=lambda one: (math.isnan(one.at), abs(_relative(one))))[:MOST_SHOWN]


def _relative(one: StudyFlip) -> float:
    width = one.high - one.low
    return math.inf if math.isnan(one.at) or width <= 0 else (one.at - one.now) / width


def _along(one: Sampled, figure: str, bounds: Sequence[Bound], names: Sequence[str]) -> Array:
    """The objective of a candidate along every input, (inputs, steps); infinite where it breaks a limit."""
    points = one.design.points
    rows = np.tile(points, (len(names) * STEPS, 1))
    for place, name in enumerate(names):
        if name in one.names:
            column = one.names.index(name)
            varying = one.design.inputs[column]
            ends = [float(varying.distribution.quantile(np.full(1, share))[0]) for share in (0.0, 1.0)]
            if not all(map(math.isfinite, ends)):
                ends = [
                    float(varying.distribution.quantile(np.full(1, share))[0]) for share in (0.001, 0.999)
                ]
            rows[place * STEPS : (place + 1) * STEPS, column] = np.linspace(ends[0], ends[1], STEPS)
    found = one.figures(rows)
    here = one.figures(points[None, :])
    # only limits that the candidate keeps at its typical inputs: the input must be the reason for missing one
    limited = [
        bound for bound in bounds if bound.column.key in here and here[bound.column.key][0] <= bound.value
    ]
    values = np.where(_kept(found, limited, one.candidate.terms), found[figure], np.inf)
    return np.nan_to_num(values.reshape(len(names), STEPS), nan=np.inf, posinf=np.inf)


def _crossing(values: Array, along: Array, now: float) -> tuple[float, int]:
    """The nearest value at which another candidate than the first is best, and that candidate; NaN and -1
    without one."""
    best = np.argmin(values, axis=0)
    others = np.flatnonzero((best != 0) & np.isfinite(values.min(axis=0)))
    if not others.size:
        return math.nan, -1
    nearest = int(others[np.argmin(np.abs(along[others] - now))])
    winner = int(best[nearest])
    beside = nearest - 1 if along[nearest] > now else nearest + 1
    if 0 <= beside < along.size and best[beside] == 0:
        with np.errstate(invalid="ignore"):  # both may break a limit
            ahead = values[winner] - values[0]
        one, other = ahead[beside], ahead[nearest]
        if math.isfinite(one) and math.isfinite(other) and one != other:
            return float(along[beside] + (along[nearest] - along[beside]) * one / (one - other)), winner
    return float(along[nearest]), winner
