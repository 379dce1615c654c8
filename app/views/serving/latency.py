"""Latency vs load: what users wait for with so many requests in flight, the knee, and where the SLO is
violated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.performance.serving.answers import kept_share
from app.engine.performance.serving.best_length import GuessLength, lengths_tried
from app.engine.performance.serving.class_latency import class_answers
from app.engine.performance.serving.knee import load_power
from app.engine.performance.serving.percentiles import percentile_s
from app.engine.performance.serving.slo import pod_ttft_s
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.ending import what_ends
from app.views.serving.loads import Loads, batch_capacity, decode_alone, fullest, many_loads, most_kept, under
from app.views.serving.served import Served, middle, promised, replica_words, served

SHOWN = 33
"""Loads of the curve, besides those that have a name."""
BEYOND = 2.0
"""Loads are shown up to so many times what memory holds: the others wait for a place."""
BATCHES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPoint:
    """The pod with so many requests in flight. `within` times hold at the SLO percentile."""

    concurrency: float
    requests_per_s: float
    ttft_s: float
    ttft_within_s: float
    tpot_s: float
    tpot_within_s: float
    end_to_end_s: float
    output_tokens_per_s_per_accelerator: float
    tokens_per_s_per_user: float
    batch: float
    keeps: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenTime:
    """Time of one output token by part, with so many sequences decoded at once by an instance."""

    batch: float
    tpot_s: float
    parts_s: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassLatency:
    """One class of the requests at the load of the scenario: means over its requests, and what 95 % stay within."""

    name: str
    share: float  # of the requests
    input_tokens: float
    output_tokens: float
    ttft_s: float
    ttft_p95_s: float
    tpot_s: float
    tpot_p95_s: float
    end_to_end_s: float
    end_to_end_p95_s: float
    within_promise: float | None  # share of its requests within the SLO; None where nothing is


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyView:
    """`breaks` is ttft, tpot, prefill or memory: what ends the load that meets the SLO; none: no load does.

    `at_most` is the load that answers most and meets the SLO; None where none does.
    """

    name: str
    mode: str
    layout: str
    replicas: float
    accelerators_per_replica: float
    percentile: float
    promised_ttft_s: float | None
    promised_tpot_s: float | None
    arrivals: str  # random | steady | burst
    load_from: str  # stated | demand | promise: where the load of the scenario comes from
    points: tuple[LoadPoint, ...]
    here: LoadPoint
    knee: LoadPoint
    at_most: LoadPoint | None
    breaks: str
    memory_holds: float  # requests of the pod at once
    classes: tuple[ClassLatency, ...]  # none where all requests are of one kind
    token_times: tuple[TokenTime, ...]
    guessed_tokens: int  # a step, as stated or found
    acceptance: float  # chance that a guessed token stands
    guess_lengths: tuple[GuessLength, ...]  # what each length gains at the load of the scenario


def latency_view(scenario: EvaluatedScenario) -> LatencyView:
    """Latencies of the pod against its load.

    Raises
    ------
    ScenarioError : the scenario serves no model
    """
    found = served(scenario, "Latency vs load", mixed=True)
    grid = under(found, many_loads(found.setting, fullest(found)))
    most = most_kept(grid)
    knee = int(np.argmax(load_power(requests_per_s=grid.requests_per_s, end_to_end_s=grid.end_to_end_s)))
    own = middle(found.performance.concurrency) / found.replicas
    named = [own, grid.concurrency[knee], *([] if most is None else [grid.concurrency[most]])]
    highest = max(BEYOND * fullest(found), 1.2 * own)
    shown = np.unique([*np.round(np.geomspace(1.0, highest, SHOWN)), *named])
    points = _points(found, under(found, shown))
    at = {float(load): point for load, point in zip(shown, points, strict=True)}
    level = found.setting.workload.level
    return LatencyView(
        name=found.name,
        mode=found.replica.mode,
        layout=replica_words(found.replica, found.on),
        replicas=found.replicas,
        accelerators_per_replica=found.size,
        percentile=first_of(level.percentile),
        promised_ttft_s=promised(pod_ttft_s(found.setting.workload)),
        promised_tpot_s=promised(level.tpot_s),
        arrivals=found.setting.workload.arrivals.kind,
        load_from=_load_from(found),
        points=tuple(points),
        here=at[float(own)],
        knee=at[float(grid.concurrency[knee])],
        at_most=None if most is None else at[float(grid.concurrency[most])],
        breaks=what_ends(found, grid, most),
        memory_holds=batch_capacity(found) * found.replicas,
        classes=_classes(found, own),
        token_times=_token_times(found),
        guessed_tokens=round(first_of(found.setting.workload.speculation.tokens)),
        acceptance=first_of(found.setting.workload.speculation.acceptance),
        guess_lengths=lengths_tried(found.setting, found.replica, np.full(1, own)),
    )


def _points(found: Served, loads: Loads) -> list[LoadPoint]:
    tokens = first_of(found.setting.workload.requests.output_tokens)
    return [
        LoadPoint(
            concurrency=float(loads.concurrency[row]) * found.replicas,
            requests_per_s=float(loads.requests_per_s[row]) * found.replicas,
            ttft_s=float(loads.ttft_s[row]),
            ttft_within_s=float(loads.ttft_within_s[row]),
            tpot_s=float(loads.tpot_s[row]),
            tpot_within_s=float(loads.tpot_within_s[row]),
            end_to_end_s=float(loads.end_to_end_s[row]),
            output_tokens_per_s_per_accelerator=float(loads.requests_per_s[row]) * tokens / found.size,
            tokens_per_s_per_user=1 / float(loads.tpot_s[row]),
            batch=float(loads.batch[row]),
            keeps=bool(loads.over_promise[row] <= 1),
        )
        for row in range(loads.concurrency.size)
    ]


def _classes(found: Served, concurrency: float) -> tuple[ClassLatency, ...]:
    """What requests of each class see with so many of all in flight on a replica."""
    setting = found.setting
    answers = class_answers(setting, found.replica, np.full(1, concurrency), found.limit)
    return tuple(
        ClassLatency(
            name=one.name,
            share=first_of(one.share),
            input_tokens=first_of(one.input_tokens),
            output_tokens=first_of(one.output_tokens),
            ttft_s=first_of(seen.ttft_s),
            ttft_p95_s=_p95(seen.ttft_s, seen.ttft_spread_s, seen.ttft_fixed_s),
            tpot_s=first_of(seen.tpot_of_requests_s),
            tpot_p95_s=_p95(seen.tpot_of_requests_s, seen.tpot_spread_s, seen.tpot_fixed_s),
            end_to_end_s=first_of(seen.end_to_end_s),
            end_to_end_p95_s=_p95(seen.end_to_end_s, seen.end_to_end_spread_s, seen.end_to_end_fixed_s),
            within_promise=None if (kept := kept_share(setting, seen)) is None else first_of(kept),
        )
        for one, seen in zip(setting.workload.requests.classes, answers, strict=True)
    )


def _p95(mean_s: Array, spread_s: Array, fixed_s: Array) -> float:
    return first_of(percentile_s(mean_s=mean_s, spread_s=spread_s, fixed_s=fixed_s, share=np.full(1, 0.95)))


def _load_from(found: Served) -> str:
    workload = found.setting.workload
    if workload.concurrency is not None:
        return "stated"
    return "promise" if workload.demand is None else "demand"


def _token_times(found: Served) -> tuple[TokenTime, ...]:
    """By the batch of one decode instance, with prompts enough to fill it."""
    loads = np.unique(np.round(np.geomspace(1.0, max(float(np.max(found.limit)), 1.0), BATCHES)))
    run = under(found, loads, decode_alone(found))
    parts = {name: np.broadcast_to(part, loads.shape) for name, part in run.answers.tpot_breakdown_s.items()}
    return tuple(
        TokenTime(
            batch=float(run.batch[row]),
            tpot_s=float(run.tpot_s[row]),
            parts_s={name: float(part[row]) for name, part in parts.items()},
        )
        for row in range(loads.size)
    )
