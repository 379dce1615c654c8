"""Requests of some minutes simulated one by one, beside the formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from app.engine.performance.serving.answers import Answers, answers_of
from app.engine.performance.serving.class_latency import class_answers
from app.engine.performance.serving.evaluate import TRANSFER
from app.engine.performance.serving.offload import kv_return_s
from app.engine.performance.serving.percentiles import (
    SHARES,
    end_to_end_percentiles_s,
    tpot_percentiles_s,
    ttft_percentiles_s,
)
from app.engine.performance.serving.prefill import new_tokens
from app.engine.performance.serving.queueing import MOST_UTILISED
from app.engine.performance.serving.replica_load import (
    Replica,
    latency_of,
    limit_of,
    loaded_latency,
    only_class,
    prompt_of,
    request_limit_of,
    reused,
)
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.slo import pod_tpot_s, pod_ttft_s
from app.engine.running.requests import (
    FIRST_TURN,
    LOST,
    Engine,
    Prefills,
    Seen,
    Turns,
    engine_of,
    through_group,
    through_instance,
)
from app.engine.specs import ServingLayout
from app.engine.trace import Array, first_of
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part, Positive, Whole
from app.views.serving.loads import Loads, fullest, many_loads, most_kept, under
from app.views.serving.served import Served, middle, promised, replica_words, served
from app.views.serving.simulated_requests import (
    LONGEST,
    SimulatedRequests,
    arrivals,
    at_random,
    dealt,
    drawn,
    drawn_sessions,
    read_trace,
)

Row = NDArray[np.float64]

SESSION_WARM_UP, GAP_WARM_UP = 1.5, 2.0
"""Times that a session lasts, and gaps, before the requests that count: sessions of all ages, and a cache that is full."""
MOST_TURNS = 150_000
"""Of sessions that are followed, warm-up included: some ten seconds."""
MOST_REQUESTS = 60_000
"""That are simulated, warm-up included: some seconds. A longer time is cut to as many."""
USUAL_LOAD = 0.8
"""Of the highest rate, where the scenario states neither a demand nor a promise."""
WARM_UP, MOST_WARM_UP_S = 4.0, 1_800.0
"""Times that a request takes, mean, before the requests that count; and after them."""
LATENCIES = {"ttft": "Time to first token", "tpot": "Time per output token", "end_to_end": "Whole request"}
PERCENTILES = np.array([0.01, 0.05, *np.linspace(0.1, 0.9, 17), 0.95, 0.98, 0.99])
"""Shares of requests of the curves."""


class SimulationOptions(Part):
    """Options of the simulation."""

    minutes: Annotated[float, Field(ge=1, le=240)] = Field(
        default=60, description="Time that requests come in, after a warm-up."
    )
    requests_per_s: Positive | None = Field(
        default=None,
        description="Requests of the pod; those of the scenario's load when left out, and without a demand the most that "
        "meet the SLO when they come at random.",
    )
    arrival_variation: Annotated[float, Field(ge=0, le=10)] = Field(
        default=1,
        description="Spread of the times between requests: 0 evenly, 1 at random (Poisson), more in bursts.",
    )
    seed: Annotated[Whole, Field(ge=0, le=2**31)] = Field(
        default=1, description="Seed of arrivals and lengths: the same seed gives the same requests."
    )
    trace: Annotated[str, Field(max_length=LONGEST)] | None = Field(
        default=None,
        description="Text of a measured trace of the pod, in place of drawn requests: CSV with arrived_s, input_tokens and "
        "output_tokens, an Azure LLM inference trace, or lines of JSON of a Mooncake trace.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTime:
    """One latency: `of` is ttft, tpot or end_to_end, `measure` mean, p50, p90, p95 or p99."""

    of: str
    measure: str
    simulated_s: float
    formula_s: float | None  # None: by the formulas the rate is beyond what the pod answers
    difference: float | None  # formula over simulation, less 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedCurve:
    """Time that each share of the requests stays within."""

    of: str
    shares: tuple[float, ...]
    simulated_s: tuple[float, ...]
    promised_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedMinute:
    """Requests of one replica that came in one minute."""

    minute: int
    requests: int
    running: float  # sequences that each found running, mean
    ttft_p95_s: float | None  # None: no request came, as the next
    tpot_p95_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedClass:
    """Requests of one class among the others."""

    name: str
    share: float  # of the requests, as the scenario states it
    requests: int  # of one replica, that count
    within_promise: float | None  # share of them within the SLO; None where nothing is, or none came
    rows: tuple[SimulatedTime, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSessions:
    """Turns of sessions. `simulated` is whether contexts were followed through the cache, or drawn as formulas find them."""

    simulated: bool
    context_hit_share: float  # of the turns after the first, that found their context
    formula_hit_share: float | None  # None: by the formulas the rate is beyond what the pod answers


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedView:
    """One replica is simulated, the others are alike: a router deals requests out evenly."""

    name: str
    mode: str
    layout: str
    replicas: float
    requests_per_s: float  # of the pod
    arrival_variation: float
    minutes: float
    cut_from_minutes: float | None  # None: as long as asked
    seed: int
    requests: int  # of one replica, that count
    places: int  # sequences that memory of a decode instance holds
    most_running: int
    prefill_share: float | None  # of the time of an instance; None where prefill has its own
    found_share: (
        float | None
    )  # of the tokens of prompts, in the prefix cache; None where a trace does not say
    within_promise: float | None  # share of requests within the SLO; None where nothing is
    promised_share: float
    rows: tuple[SimulatedTime, ...]
    curves: tuple[SimulatedCurve, ...]
    by_minute: tuple[SimulatedMinute, ...]
    sessions: SimulatedSessions | None  # None: requests are no sessions, or measured
    classes: tuple[SimulatedClass, ...]  # none where all requests are of one kind, or measured


def simulated_view(scenario: EvaluatedScenario, options: SimulationOptions) -> SimulatedView:
    """Simulate requests of a scenario.

    Raises
    ------
    ScenarioError : the scenario serves no model, or a replica of it cannot hold even one request
    """
    found = served(scenario, "A simulation of requests", mixed=True)
    measured = None if options.trace is None else dealt(read_trace(options.trace, "trace"), found)
    setting = at_random(found.setting, measured)
    limit = request_limit_of(setting, found.replica)
    if first_of(limit) < 1:
        raise refuse(
            "Nothing can be simulated: the memory of a replica holds no request.",
            rule="memory",
            path="workload.layout",
            value=None,
            hint="Let a search find a layout (workload.layout: auto), or choose larger accelerators.",
        )
    loads = under(found, many_loads(setting, fullest(found)), setting=setting, limit=limit)
    rate = _rate(found, loads, options) if measured is None else measured.arrived_s.size / measured.span_s
    load = _steady_load(loads, rate)
    by_formula = None if load is None else _formula(setting, found.replica, limit, load)
    at_load = setting
    if load is not None and setting.workload.requests.sessions is not None:
        at_load, _ = reused(setting, found.replica, np.full(1, load), limit)
    end_to_end = _usual_s(found, loads, by_formula)
    if measured is None:
        span = min(60.0 * options.minutes, max(MOST_REQUESTS / rate - 2 * end_to_end, 60.0))
        arrived = arrivals(rate, span, end_to_end, options.arrival_variation, options.seed)
        requests = drawn(at_load, arrived, options.seed)
    else:
        span, requests = measured.span_s, measured
    followed = (
        _followed(setting, found.replica, limit, load, rate, span, options) if measured is None else None
    )
    if followed is None:
        seen, places = _seen(at_load, found.replica, limit, requests)
    else:
        seen, places, requests = followed
    counts = (seen.arrived_s >= 0) & (seen.arrived_s < span)
    return SimulatedView(
        name=found.name,
        mode=found.replica.mode,
        layout=replica_words(found.replica),
        replicas=found.replicas,
        requests_per_s=rate * found.replicas,
        arrival_variation=options.arrival_variation if measured is None else measured.arrival_variation,
        minutes=span / 60,
        cut_from_minutes=options.minutes if measured is None and span < 60 * options.minutes else None,
        seed=options.seed,
        requests=int(counts.sum()),
        places=places,
        most_running=int(seen.running.max(initial=0)) + 1,
        prefill_share=seen.prefill_share if found.replica.prefill is None else None,
        found_share=requests.found_share,
        within_promise=_within(setting, seen, counts),
        promised_share=first_of(setting.workload.level.percentile),
        rows=tuple(_rows(seen, counts, by_formula)),
        curves=tuple(_curves(setting, seen, counts)),
        by_minute=tuple(_minutes(seen, span)),
        sessions=_sessions(setting, found.replica, limit, load, requests, seen, counts),
        classes=tuple(_classes(setting, found.replica, limit, load, requests, seen, counts)),
    )


def _rate(found: Served, loads: Loads, options: SimulationOptions) -> float:
    """Requests of one replica a second."""
    if options.requests_per_s is not None:
        return options.requests_per_s / found.replicas
    if found.setting.workload.demand is not None:
        return middle(found.performance.requests_per_s) / found.replicas
    kept = most_kept(loads)
    stated = promised(pod_ttft_s(found.setting.workload)) or promised(pod_tpot_s(found.setting.workload))
    if kept is not None and stated:
        return float(loads.requests_per_s[kept])
    return USUAL_LOAD * float(np.nanmax(loads.requests_per_s))


def _steady_load(loads: Loads, rate: float) -> float | None:
    """Requests in service at a rate of random arrivals; None where it is beyond what they can be answered at."""
    steady = np.ones(loads.concurrency.shape, dtype=bool)
    for busy in loads.answers.busy.values():
        steady &= np.broadcast_to(busy, steady.shape) <= MOST_UTILISED
    rates = np.maximum.accumulate(loads.requests_per_s)
    if not steady.any() or rate > rates[steady][-1]:
        return None
    return float(np.exp(np.interp(np.log(rate), np.log(rates[steady]), np.log(loads.concurrency[steady]))))


def _formula(setting: Setting, replica: Replica, limit: Array, load: float) -> Answers:
    """What the formulas say of random arrivals with so many requests in service."""
    return answers_of(setting, latency_of(setting, replica, np.full(1, load), limit))


def _followed(
    setting: Setting, replica: Replica, limit: Array, load: float | None, rate: float, span: float,
    options: SimulationOptions,
) -> tuple[Seen, int, SimulatedRequests] | None:  # fmt: skip
    """Sessions followed through an instance and its cache, turn by turn.

    None where requests are no sessions, prefill has instances of its own, turns go from one replica to another, or sessions
    last so long that too many requests would have to be simulated before the first that counts: turns are then drawn with
    the shares that formulas find.
    """
    asked = setting.workload.requests.sessions
    if asked is None or replica.prefill is not None or load is None or first_of(asked.kept_share) < 1:
        return None
    at_load, reuse = reused(setting, replica, np.full(1, load), limit)
    answers = _formula(setting, replica, limit, load)
    turns, gap = first_of(asked.turns), first_of(asked.gap_s)
    lasts = turns * first_of(answers.end_to_end_s) + (turns - 1) * gap
    before = SESSION_WARM_UP * lasts + GAP_WARM_UP * gap
    after = WARM_UP * first_of(answers.end_to_end_s)
    if rate * (before + span + after) > MOST_TURNS:
        return None
    begins = arrivals(rate / turns, span + after, before, options.arrival_variation, options.seed)
    drawn_turns = drawn_sessions(asked, begins[begins < span + after], options.seed)
    engine = engine_of(at_load, replica.decode, limit)
    requests = at_load.workload.requests
    own = first_of(requests.input_tokens - requests.shared_prefix_tokens + requests.output_tokens / 2)
    fitting = first_of(limit_of(_unlimited(setting), replica))
    rooms = [first_of(room) for room in reuse.held_tokens]
    work = _work_of_classes(at_load, replica.prefilling)
    seen = through_instance(
        engine,
        arrived_s=drawn_turns.arrived_s,
        input_tokens=drawn_turns.added_tokens,
        output_tokens=drawn_turns.output_tokens,
        turns=Turns(
            session=drawn_turns.session,
            after=drawn_turns.after,
            gap_s=drawn_turns.gap_s,
            context_tokens=drawn_turns.context_tokens,
            room_tokens=(fitting * own, *np.diff(rooms).tolist()),
            return_s=(0.0, *_return_s(at_load, replica.prefilling)),
            found_work=float(work[0]),
            lost_work=float(work[1]),
            until_s=span + after,
        ),
    )
    assert seen.found_in is not None
    lost = seen.found_in == LOST
    new = drawn_turns.added_tokens + np.where(lost, drawn_turns.context_tokens, 0.0)
    inputs = drawn_turns.system_tokens + drawn_turns.context_tokens + drawn_turns.added_tokens
    came = (seen.arrived_s >= 0) & (seen.arrived_s < span)
    return (
        seen,
        engine.places,
        SimulatedRequests(
            arrived_s=seen.arrived_s,
            new_tokens=new,
            input_tokens=inputs,
            output_tokens=drawn_turns.output_tokens,
            found_share=float(1 - new[came].sum() / inputs[came].sum()) if came.any() else None,
            of_class=lost.astype(np.intp),
        ),
    )


def _unlimited(setting: Setting) -> Setting:
    """The setting with an engine that lets in what memory holds."""
    return replace(setting, workload=replace(setting.workload, most_sequences=None))


def _return_s(setting: Setting, layout: ServingLayout) -> list[float]:
    """Time that a token of a context takes to come back from each tier below the accelerators."""
    tokens = setting.returned_tokens
    if tokens is None or not first_of(tokens) > 0:
        return [0.0] * len(setting.tiers)
    none = (np.zeros(1),) * len(setting.tiers)
    found = []
    for place in range(len(setting.tiers)):
        one = replace(setting, returned=(*none[:place], np.ones(1), *none[place + 1 :]))
        back = kv_return_s(one, layout)
        found.append(0.0 if back is None else first_of(back) / first_of(tokens))
    return found


def _sessions(
    setting: Setting, replica: Replica, limit: Array, load: float | None, requests: SimulatedRequests, seen: Seen,
    counts: NDArray[np.bool_],
) -> SimulatedSessions | None:  # fmt: skip
    """Contexts that turns after the first found; None where requests are no sessions, or measured."""
    asked = setting.workload.requests.sessions
    if asked is None or requests.of_class is None:
        return None
    formula = None
    if load is not None:
        _, reuse = reused(setting, replica, np.full(1, load), limit)
        formula = float(sum(first_of(share) for share in reuse.hit_shares))
    if seen.found_in is None:
        later = counts.sum() * (1 - 1 / first_of(asked.turns))
        lost = (requests.of_class[counts] == 1).sum()
        share = 1 - lost / later if later else 1.0
    else:
        turns = seen.found_in[counts]
        later, lost = (turns != FIRST_TURN).sum(), (turns == LOST).sum()
        share = 1 - lost / later if later else 1.0
    return SimulatedSessions(
        simulated=seen.found_in is not None, context_hit_share=float(share), formula_hit_share=formula
    )


def _classes(
    setting: Setting, replica: Replica, limit: Array, load: float | None, requests: SimulatedRequests, seen: Seen,
    counts: NDArray[np.bool_],
) -> Iterator[SimulatedClass]:  # fmt: skip
    """What requests of each class saw, beside the formulas."""
    if requests.of_class is None:
        return
    classes = setting.workload.requests.classes
    formulas = () if load is None else class_answers(setting, replica, np.full(1, load), limit)
    for place, one in enumerate(classes):
        own = counts & (requests.of_class == place)
        yield SimulatedClass(
            name=one.name,
            share=first_of(one.share),
            requests=int(own.sum()),
            within_promise=_within(setting, seen, own),
            rows=tuple(_rows(seen, own, formulas[place] if formulas else None)),
        )


def _usual_s(found: Served, loads: Loads, by_formula: Answers | None) -> float:
    """Time around the requests that count, in which others come and go."""
    whole = (
        float(loads.end_to_end_s[-1]) if by_formula is None else float(np.ravel(by_formula.end_to_end_s)[0])
    )
    return min(WARM_UP * whole, MOST_WARM_UP_S)


def _seen(setting: Setting, replica: Replica, limit: Array, requests: SimulatedRequests) -> tuple[Seen, int]:
    """What each request saw, and the sequences that memory of a decode instance holds."""
    asked = setting.workload.requests
    new = first_of(new_tokens(input_tokens=asked.input_tokens, cached_share=asked.cached_share))
    grouped = replica.prefill is not None
    engine: Engine = engine_of(setting, replica.decode, limit, prefills=not grouped)
    asks: dict[str, Any] = {
        "arrived_s": requests.arrived_s,
        "input_tokens": requests.new_tokens,
        "output_tokens": requests.output_tokens,
        "work": _work(setting, replica.prefilling, requests),
    }
    if not grouped or replica.prefill_instances is None:
        return through_instance(engine, **asks), engine.places
    latency = loaded_latency(setting, replica, np.ones(1), limit)
    prefills = Prefills(
        instances=int(first_of(replica.prefill_instances)),
        token_s=first_of(latency.prefill_cost_s) / new,
        further_token_s=max(first_of(latency.prefill_s) - first_of(latency.prefill_cost_s), 0.0) / new,
        transfer_s=first_of(latency.ttft_parts_s[TRANSFER]),
    )
    return through_group(engine, prefills, int(first_of(replica.decode_instances)), **asks), engine.places


def _work(setting: Setting, layout: ServingLayout, requests: SimulatedRequests) -> Row | None:
    """Prefill of a token of each prompt over the mean of all: long prompts take longer for each of their tokens."""
    return None if requests.of_class is None else _work_of_classes(setting, layout)[requests.of_class]


def _work_of_classes(setting: Setting, layout: ServingLayout) -> Row:
    """The same of each class of the workload."""
    each = [
        prompt_of(only_class(setting, one), layout, np.ones(1)).passes
        for one in setting.workload.requests.classes
    ]
    mean = prompt_of(setting, layout, np.ones(1)).passes
    per_token = np.array([first_of((one.own_s + one.shared_s) / one.tokens) for one in each])
    work: Row = per_token / first_of((mean.own_s + mean.shared_s) / mean.tokens)
    return work


def _times(seen: Seen) -> dict[str, Array]:
    return {"ttft": seen.ttft_s, "tpot": seen.tpot_s, "end_to_end": seen.end_to_end_s}


def _rows(seen: Seen, counts: NDArray[np.bool_], by_formula: Answers | None) -> list[SimulatedTime]:
    formula = {} if by_formula is None else _by_formula(by_formula)
    rows = []
    for name, times in _times(seen).items():
        known = times[counts & np.isfinite(times)]
        if not known.size:
            continue
        for measure in ("mean", *SHARES):
            simulated = float(known.mean() if measure == "mean" else np.quantile(known, SHARES[measure]))
            by = formula.get(f"{name}.{measure}")
            rows.append(
                SimulatedTime(
                    of=name,
                    measure=measure,
                    simulated_s=simulated,
                    formula_s=by,
                    difference=None if by is None else by / simulated - 1,
                )
            )
    return rows


def _by_formula(a: Answers) -> dict[str, float]:
    """Means and percentiles, by latency and measure."""
    means = {"ttft": a.ttft_s, "tpot": a.tpot_of_requests_s, "end_to_end": a.end_to_end_s}
    within = {
        "ttft": ttft_percentiles_s(mean_s=a.ttft_s, spread_s=a.ttft_spread_s, fixed_s=a.ttft_fixed_s),
        "tpot": tpot_percentiles_s(
            mean_s=a.tpot_of_requests_s, spread_s=a.tpot_spread_s, fixed_s=a.tpot_fixed_s
        ),
        "end_to_end": end_to_end_percentiles_s(
            mean_s=a.end_to_end_s, spread_s=a.end_to_end_spread_s, fixed_s=a.end_to_end_fixed_s
        ),
    }
    found = {f"{name}.mean": mean for name, mean in means.items()}
    found |= {f"{name}.{share}": value for name, shares in within.items() for share, value in shares.items()}
    return {name: float(np.ravel(value)[0]) for name, value in found.items()}


def _curves(setting: Setting, seen: Seen, counts: NDArray[np.bool_]) -> list[SimulatedCurve]:
    promises = {
        "ttft": promised(pod_ttft_s(setting.workload)),
        "tpot": promised(pod_tpot_s(setting.workload)),
    }
    curves = []
    for name, limit in promises.items():
        known = _times(seen)[name]
        known = known[counts & np.isfinite(known)]
        if known.size:
            curves.append(
                SimulatedCurve(
                    of=name,
                    shares=tuple(PERCENTILES.tolist()),
                    simulated_s=tuple(np.quantile(known, PERCENTILES).tolist()),
                    promised_s=limit,
                )
            )
    return curves


def _within(setting: Setting, seen: Seen, counts: NDArray[np.bool_]) -> float | None:
    """Share of the requests that meet the SLO; an answer of one token has no time per token to miss."""
    first, pace = promised(pod_ttft_s(setting.workload)), promised(pod_tpot_s(setting.workload))
    if (first is None and pace is None) or not counts.any():
        return None
    kept = np.ones(seen.ttft_s.size, dtype=bool)
    if first is not None:
        kept &= seen.ttft_s <= first
    if pace is not None:
        kept &= ~(seen.tpot_s > pace)
    return float(kept[counts].mean())


def _minutes(seen: Seen, span: float) -> list[SimulatedMinute]:
    def p95(values: Array) -> float | None:
        known = values[np.isfinite(values)]
        return float(np.quantile(known, 0.95)) if known.size else None

    found = []
    for minute in range(int(np.ceil(span / 60))):
        rows = (seen.arrived_s >= 60 * minute) & (seen.arrived_s < min(60 * (minute + 1), span))
        found.append(
            SimulatedMinute(
                minute=minute + 1,
                requests=int(rows.sum()),
                running=float(seen.running[rows].mean()) if rows.any() else 0.0,
                ttft_p95_s=p95(seen.ttft_s[rows]),
                tpot_p95_s=p95(seen.tpot_s[rows]),
            )
        )
    return found
