"""Continuous batching with requests that come at random times: means and spreads by formula.

A pass holds the running sequences, each for one token, and the prompts that came during the pass before it, up to its
token budget. The more prompts come the more share a pass, and an answer is decoded among passes that are
longer for the prompts in them: a delay busy period [1], which begins with the prompts left behind by its own.

All of it works on bare values of any shape; `arrivals` gives what it finds a unit, inputs and a source. An event
simulation (`app.engine.running.requests`) holds it.

References
----------
.. [1] Takacs 1962, Introduction to the Theory of Queues, chapter 1 (delay busy period)
.. [2] Neuts 1967, Annals of Mathematical Statistics 38 759-770 (queue with service in batches)
.. [3] Fredericks 1980, Bell System Technical Journal 59 807-827 (Hayward's approximation for peaked traffic)
.. [4] Agrawal et al. 2024, arXiv 2403.02310 (chunked prefill)
.. [5] David and Nagaraja 2003, Order Statistics, section 4.2 (largest of several normal values)
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import gammaincc, gammaincinv

from app.engine.performance.serving.prefill import PassTimes
from app.engine.performance.serving.queueing import (
    MOST_UTILISED,
    mean_wait_s,
    wait_spread_s,
    waiting_probability,
)
from app.engine.trace import Array

BUSIEST_PASS, BUSIEST_OWN = 0.6, 0.85
"""Of sqrt(2 ln d) standard deviations, by which the fullest of d replicas is above their mean: over passes, and over
prompts, which are more often in a full pass. Both are read off the event simulation."""
HALVINGS, FIRST = 20, 6
"""Points in the range of the request rate; the first are far apart."""
FIRST_ROUNDS, ROUNDS = 10, 3
"""Of the prompts that share a pass, in each of the first halvings and of the others."""
LEAST, MOST = 1e-3, 0.9999
"""Rates that are tried, over the highest that prefill can take."""
ANSWERS = 6
"""Lengths of answers, equally likely, that the spread of the time per token is taken over."""
CHUNKS = 5
"""Further passes of a long prompt that are looked at."""
SEEN = 0.8
"""Part of the swings of the running sequences that one answer sees: they last about as long as it does."""
MOST_ELASTIC = 0.95
TINY = 1e-300


def _none() -> Array:
    return np.zeros(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    """Prefill in a pass that holds prompts."""

    mean_s: Array
    spread_s: Array


@dataclass(frozen=True, kw_only=True)
class Instance:
    """One instance and what it is asked; bare values."""

    step_s: Array  # with the running sequences and no prompt
    step_elasticity: Array  # relative growth of the step over that of the sequences
    steps: Array  # of an answer of mean length after its first token
    passes: PassTimes
    alone_s: Array  # prefill of a prompt by itself
    data_parallel: Array
    input_variation: Array
    output_variation: Array
    share: Array  # of the prefill in a pass, by which the running sequences are held up
    return_s: Array  # of cached keys and values, that keep the instance from its next prompt
    long_variation: Array = field(
        default_factory=_none
    )  # of prompts, by those that take several passes; of a mix

    @functools.cached_property
    def full(self) -> Array:
        """Prompts that fill the token budget of a pass; below 1 where one takes several passes."""
        filled: Array = self.passes.chunk_tokens * self.data_parallel / self.passes.tokens
        return filled

    @functools.cached_property
    def room(self) -> Array:
        """As of `_nobody`."""
        return np.maximum(self.full, 1.0) ** 2

    @functools.cached_property
    def variation(self) -> Array:
        """Of the prompts of a pass; none where one fills several."""
        return np.where(self.full >= 1, self.input_variation, 0.0)

    @functools.cached_property
    def has_replicas(self) -> bool:
        """Return whether attention has several replicas, each with prompts of its own."""
        return bool((self.data_parallel > 1).any())

    @functools.cached_property
    def unevenness(self) -> Array:
        """Standard deviations by which the fullest replica of attention is above the mean, for an excess of 1 [5]."""
        return np.sqrt(2 * np.log(self.data_parallel) * (1 + self.variation**2))

    @functools.cached_property
    def whole(self) -> _Pass:
        """Prefill in a pass that is full."""
        return _prefill(self, self.full, BUSIEST_PASS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """What a request waits for, before its first token and after, and how it varies."""

    met_s: Array  # prefill of others in the passes that a request meets
    queue_s: Array  # for passes that are full
    place_s: Array  # for a place in memory
    held_up_s: Array  # prefill of others for each step of an answer, mean over steps
    prefill_s: Array  # that a prompt keeps the instance from decoding
    ttft_spread_s: Array
    pace_s: Array  # prefill of others for each step of an answer, mean over requests
    pace_spread_s: Array
    mean_pace_spread_s: Array  # of answers of mean length
    utilisation: Array  # of prefill, of the most it can take
    swing_s: Array  # of pace_spread_s, what the swings of the running sequences add


def requests_per_s(instance: Instance, in_service: Array) -> tuple[Array, Array]:
    """Rate of requests with so many being prefilled or decoded, and prompts of a pass that has any.

    Little's law, lambda (first pass + answer) = in service, on halves of the range of lambda; below the rate that
    prefill can take where more are in service than it can bring.
    """
    i = instance
    highest = np.minimum(
        in_service / np.maximum(i.steps * i.step_s + i.alone_s, TINY),
        MOST * i.full / (i.step_s + i.whole.mean_s + i.return_s * i.full),
    )
    low, high = np.log(LEAST * highest), np.log(highest)
    prompts = np.ones(np.broadcast(highest, i.full).shape)
    for turn in range(HALVINGS):
        rate = np.exp((low + high) / 2)
        for _ in range(FIRST_ROUNDS if turn < FIRST else ROUNDS):
            prompts = _prompts(i, rate, prompts)
        more = rate * _in_service_s(i, rate, prompts) < in_service
        low, high = np.where(more, np.log(rate), low), np.where(more, high, np.log(rate))
    return np.exp((low + high) / 2), prompts


def waits_of(instance: Instance, rate: Array, prompts: Array, places: Array) -> Waits:
    """All of it, at a rate of requests with so many prompts in a pass that has any."""
    i, full = instance, instance.full
    several = full >= 1
    held = _prefill(i, np.where(several, prompts, full), BUSIEST_PASS)
    share = _share(i, rate, held)
    each, each_spread = _each(i, held, prompts)
    square = each**2 + each_spread**2
    busy = np.minimum(rate * each, MOST)
    queue, queue_spread, asked = _queue(i, rate)
    mean_pass, pass_square, pass_cube = _moments(i, held, share)
    met = np.clip(1 + rate * pass_square / mean_pass, 1.0, np.maximum(full, 1.0))
    own = _prefill(i, np.where(several, met, full), BUSIEST_OWN, met - 1)
    one = _prefill(i, np.where(several, 1.0, full), 0.0)
    residual = np.where(
        full > 1, (pass_square / (2 * mean_pass) - i.step_s / 2) * (1 - 1 / np.maximum(full, 1.0)), 0.0
    )
    further = _further_passes(i) * (i.step_s + held.mean_s * (1 - 1 / i.data_parallel))
    behind, worked = _left_behind(i, rate, held, share, each, busy, queue)
    steady = i.step_s * busy / (1 - busy)
    decoding = i.steps * (i.step_s + steady) + behind * worked
    elasticity = _elasticity(i, rate, held, share, prompts)
    lasts, seen = rate * square / (1 - busy) ** 2, decoding / (1 - elasticity)
    bunched = rate**2 * square / (2 * (1 - busy) ** 2) * (1 - share) * seen / np.maximum(seen + lasts, TINY)
    peaked = (1 + bunched) / (1 - elasticity)
    running = rate * decoding
    place, place_spread = _place(i, running, decoding, peaked, places)
    swing = elasticity * np.sqrt(peaked / np.maximum(running, 1.0)) * SEEN
    first = _first_spread(i, rate, held, own, each_spread, (mean_pass, pass_square, pass_cube))
    pace, pace_spread, mean_spread = _pace(
        i, rate, held, share, busy, square, behind, queue, queue_spread, swing
    )
    return Waits(
        met_s=np.where(several, own.mean_s - one.mean_s, 0.0) + residual + further,
        queue_s=queue + _packed(i, asked),
        place_s=place,
        held_up_s=np.where(
            i.steps > 0,
            steady + behind * worked / np.where(i.steps > 0, i.steps, 1.0),
            steady,
        ),
        prefill_s=each,
        ttft_spread_s=np.sqrt(first**2 + queue_spread**2 + place_spread**2),
        pace_s=pace,
        pace_spread_s=pace_spread,
        mean_pace_spread_s=mean_spread,
        utilisation=asked,
        swing_s=(i.step_s + pace) * swing,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassWaits:
    """What is different for requests of one class among others."""

    further_s: Array  # of the passes of a long prompt beyond its first, by others
    held_up_s: Array  # prefill of others for each step of an answer, mean over steps
    pace_s: Array  # prefill of others for each step of an answer, mean over requests
    pace_spread_s: Array
    mean_pace_spread_s: Array  # of answers of mean length


def class_waits(instance: Instance, rate: Array, prompts: Array, *, own: Instance) -> ClassWaits:
    """Waits of a class, at the request rate of all classes.

    `own` is the instance with the lengths, variations and prompts of the class alone; passes, queues and what is left
    behind are those of all requests.
    """
    i = instance
    held = _prefill(i, np.where(i.full >= 1, prompts, i.full), BUSIEST_PASS)
    share = _share(i, rate, held)
    each, each_spread = _each(i, held, prompts)
    busy = np.minimum(rate * each, MOST)
    queue, queue_spread, _ = _queue(i, rate)
    long = _prefill(own, own.full, BUSIEST_PASS).mean_s / np.minimum(own.full, 1.0)
    first = i.step_s + np.where(own.full >= 1, held.mean_s, np.maximum(long, held.mean_s))
    behind = (1 - share) * rate * (queue + first) * each / (1 - busy)
    worked = _worked_off(own.steps, held, share, behind)
    answer = replace(i, steps=own.steps, output_variation=own.output_variation)
    pace, spread, mean_spread = _pace(
        answer, rate, held, share, busy, each**2 + each_spread**2, behind, queue, queue_spread, np.zeros(1)
    )
    return ClassWaits(
        further_s=_further_passes(own) * (i.step_s + held.mean_s * (1 - 1 / i.data_parallel)),
        held_up_s=i.step_s * busy / (1 - busy) + behind * worked / np.where(own.steps > 0, own.steps, 1.0),
        pace_s=pace,
        pace_spread_s=spread,
        mean_pace_spread_s=mean_spread,
    )


def _prefill(i: Instance, prompts: Array, excess: float, others: Array | float = 0.0) -> _Pass:
    """Prefill in a pass with so many prompts, `others` of them a Poisson number.

    With work a of the accelerators, weights w and host h it takes p = sqrt((a + w)^2 + h^2); the mean adds
    h^2 s^2 / (2 p^3) for the spread s of the work, and the mean square is (a + w)^2 + h^2 + s^2. The work is that of
    the fullest replica of attention, mean + x sqrt(2 ln d) spread [5], and that of all ranks together.
    """
    t, busiest = i.passes, prompts
    if i.has_replicas:
        on_each = prompts / i.data_parallel
        above = excess * i.unevenness * np.sqrt(on_each)
        busiest = np.maximum(on_each + above, np.minimum(prompts, 1.0))
        busiest = np.minimum(busiest, np.maximum(i.full / i.data_parallel, on_each))
        busiest = np.where(i.data_parallel > 1, busiest, prompts)
    work = t.own_s * busiest + t.shared_s * prompts
    count = np.maximum(prompts, 1.0)
    spread = work / count * np.sqrt(i.variation**2 * count + others)
    at_mean = np.sqrt((work + t.weights_s) ** 2 + t.host_s**2)
    mean = at_mean + t.host_s**2 * spread**2 / (2 * at_mean**3)
    return _Pass(
        mean_s=i.share * mean, spread_s=i.share * np.sqrt(np.maximum(at_mean**2 + spread**2 - mean**2, 0.0))
    )


def _nobody(i: Instance, rate: Array, time_s: Array) -> Array:
    """Probability of no arrival in a time: (1 - x / b)^b, b the square of the prompts that fill a pass.

    Exact for passes of one prompt (b = 1, M/G/1) and of any number (Poisson); between them fitted to the simulation.
    """
    return np.asarray(np.maximum(1 - rate * time_s / i.room, 0.0) ** i.room)


def _share(i: Instance, rate: Array, held: _Pass) -> Array:
    """Share of passes that hold prompts: a pass does if any came during the one before it [2].

    Where a prompt takes several passes, those passes over all.
    """
    quiet, again = _nobody(i, rate, i.step_s), _nobody(i, rate, i.step_s + held.mean_s)
    each = rate * i.step_s / i.full / np.maximum(1 - rate * held.mean_s / i.full, TINY)
    return np.where(i.full >= 1, (1 - quiet) / np.maximum(1 - quiet + again, TINY), np.minimum(each, 1.0))


def _prompts(i: Instance, rate: Array, prompts: Array) -> Array:
    """Prompts of a pass that has any, by those of the round before: as many are prefilled as come."""
    held = _prefill(i, np.where(i.full >= 1, prompts, i.full), BUSIEST_PASS)
    share = np.maximum(_share(i, rate, held), TINY)
    return np.clip(rate * (i.step_s + share * held.mean_s) / share, 1.0, np.maximum(i.full, 1.0))


def _each(i: Instance, held: _Pass, prompts: Array) -> tuple[Array, Array]:
    """Prefill of one prompt, as part of its pass, and its spread."""
    each = held.mean_s / np.where(i.full >= 1, prompts, i.full)
    relative = held.spread_s / np.maximum(held.mean_s, TINY)
    return each, each * np.where(i.full >= 1, relative, i.input_variation)


def _moments(i: Instance, held: _Pass, share: Array) -> tuple[Array, Array, Array]:
    """First three moments of a pass."""
    long, spread = i.step_s + held.mean_s, held.spread_s
    skewed = 2 * spread**4 / np.maximum(held.mean_s, TINY)  # third moment of a gamma law
    mean = i.step_s + share * held.mean_s
    square = (1 - share) * i.step_s**2 + share * (long**2 + spread**2)
    return mean, square, (1 - share) * i.step_s**3 + share * (long**3 + 3 * long * spread**2 + skewed)


def _queue(i: Instance, rate: Array) -> tuple[Array, Array, Array]:
    """Wait for passes that are full, its spread and the utilisation that is asked for.

    A pass with room for b prompts serves as b servers that each take its time (M/G/b); M/G/1 where b is 1 or less.
    """
    turn = i.step_s + i.whole.mean_s + i.return_s * i.full
    asked = rate * turn / i.full
    able, servers = np.minimum(asked, MOST_UTILISED), np.maximum(i.full, 1.0)
    chance = waiting_probability(utilisation=able, servers=servers)
    wait = mean_wait_s(
        utilisation=able,
        waiting_probability=chance,
        service_s=turn / np.minimum(i.full, 1.0),
        service_variation=np.where(
            i.full >= 1, np.maximum(i.whole.spread_s / turn, i.long_variation), i.input_variation
        ),
        servers=servers,
        arrival_variation=np.ones(1),
    )
    return wait, wait_spread_s(mean_wait_s=wait, waiting_probability=chance), asked


def _packed(i: Instance, asked: Array) -> Array:
    """Delay by tokens of the next prompt that fill up the last pass: half a pass where lengths differ."""
    left = np.where(i.input_variation > 0, 0.5, np.ceil(1 / i.full) - 1 / i.full)
    alone: Array = np.minimum(asked, 1.0) * left * (i.step_s + i.whole.mean_s)
    return np.asarray(alone / np.maximum(i.full, 1.0) ** 2)


def _further_passes(i: Instance) -> Array:
    """Passes of a prompt beyond its first, mean over a gamma law of its length."""
    chunks = i.passes.chunk_tokens / i.passes.tokens
    shape = np.where(i.input_variation > 0, i.input_variation, 1.0) ** -2.0
    turns = range(1, CHUNKS + 1)
    beyond = np.sum([gammaincc(shape, shape * chunks * turn) + 0 * chunks for turn in turns], axis=0)
    mean = np.where(i.input_variation > 0, beyond, np.ceil(1 / chunks) - 1)
    return np.maximum(mean, 1 / chunks - 1)


def _left_behind(
    i: Instance, rate: Array, held: _Pass, share: Array, each: Array, busy: Array, queue: Array
) -> tuple[Array, Array]:
    """Prefill of the prompts behind one's own, with those that come meanwhile, and the part before the answer ends.

    W / (1 - rho) [1], less what waits at any time; a step takes a pass of it, so that short answers end before.
    """
    first = i.step_s + held.mean_s / np.minimum(i.full, 1.0)
    behind: Array = (1 - share) * rate * (queue + first) * each / (1 - busy)
    return behind, _worked_off(i.steps, held, share, behind)


def _worked_off(steps: Array, held: _Pass, share: Array, behind: Array) -> Array:
    return np.asarray(-np.expm1(-steps * (1 - share) * held.mean_s / np.maximum(behind, TINY)))


def _in_service_s(i: Instance, rate: Array, prompts: Array) -> Array:
    """Time of a request from its first pass to its last."""
    held = _prefill(i, np.where(i.full >= 1, prompts, i.full), BUSIEST_PASS)
    share = _share(i, rate, held)
    each, _ = _each(i, held, prompts)
    busy = np.minimum(rate * each, MOST)
    queue, _, _ = _queue(i, rate)
    behind, worked = _left_behind(i, rate, held, share, each, busy, queue)
    whole: Array = i.alone_s + i.steps * i.step_s / (1 - busy) + behind * worked
    return whole


def _elasticity(i: Instance, rate: Array, held: _Pass, share: Array, prompts: Array) -> Array:
    """Relative growth of the time of an answer over that of the sequences.

    That of the step; where all passes hold prompts, longer ones hold more, and only a part of it.
    """
    several = np.where(i.full >= 1, prompts, i.full)
    more = _prefill(i, several * 1.01, BUSIEST_PASS)
    marginal = np.minimum(rate * (more.mean_s - held.mean_s) / (0.01 * several), MOST_ELASTIC)
    filled = np.where(i.full >= 1, i.step_s / (i.step_s + held.mean_s) / (1 - marginal), 1.0)
    return np.clip(i.step_elasticity * (1 - share + share * filled), 0.0, MOST_ELASTIC)


def _place(i: Instance, running: Array, decoding: Array, peaked: Array, places: Array) -> tuple[Array, Array]:
    """Wait for a place in memory and its spread: M/G/m of m / z servers, z the peakedness of what runs [3]."""
    taken = np.minimum(running / places, MOST_UTILISED)
    servers = np.maximum(places / peaked, 1.0)
    chance = waiting_probability(utilisation=taken, servers=servers)
    wait = mean_wait_s(
        utilisation=taken,
        waiting_probability=chance,
        service_s=decoding,
        service_variation=i.output_variation,
        servers=servers,
        arrival_variation=np.ones(1),
    )
    return wait, wait_spread_s(mean_wait_s=wait, waiting_probability=chance)


def _first_spread(
    i: Instance, rate: Array, held: _Pass, own: _Pass, each_spread: Array, moments: tuple[Array, Array, Array]
) -> Array:
    """Of a request's own pass and of the rest of the one that it finds: the longer that is, the more share its own."""
    mean, square, cube = moments
    rest = np.maximum(cube / (3 * mean) - (square / (2 * mean)) ** 2, 0.0)
    varies = np.maximum(cube / mean - (square / mean) ** 2, 0.0)
    two, one = (_prefill(i, np.full(1, count), BUSIEST_PASS).mean_s for count in (2.0, 1.0))
    shared = np.minimum(rate * (two - one), 1.0)
    together = rest + (shared**2 + shared) * varies + own.spread_s**2
    quiet = np.maximum(1 - rate * (i.step_s + held.mean_s), 0.0)
    return np.sqrt(np.where(i.full >= 1, together, (quiet * i.step_s / 2) ** 2 + each_spread**2))


def _pace(
    i: Instance,
    rate: Array,
    held: _Pass,
    share: Array,
    busy: Array,
    square: Array,
    behind: Array,
    queue: Array,
    queue_spread: Array,
    swing: Array,
) -> tuple[Array, Array, Array]:
    """Prefill of others for each step: mean and spread over requests, and the spread of answers of mean length.

    Passes are a chain of two states, so that the prefill in m of them has the variance
    v (m (1 + r) / (1 - r) - 2 r (1 - r^m) / (1 - r)^2); r as of the chain, where a pass has room for few prompts that
    of the delay busy period, lambda E[c^2] step / (1 - rho)^3 a step [1]. Requests differ by the length of the answer
    too: what was left behind is spread over its steps.
    """
    one = share * (1 - share) * held.mean_s**2 + share * held.spread_s**2
    chain = _nobody(i, rate, i.step_s) - _nobody(i, rate, i.step_s + held.mean_s)
    over = np.maximum(rate * square * i.step_s / (1 - busy) ** 3 / np.maximum(one, TINY), 1.0)
    r = np.minimum(np.where(i.full >= 1.5, chain, (over - 1) / (over + 1)), MOST)
    found = (1 - share) * (
        (rate * queue_spread) ** 2 * square + rate * (queue + i.step_s + held.mean_s) * square
    ) / (1 - busy) ** 2  # fmt: skip
    steady = i.step_s * busy / (1 - busy)

    def at(steps: Array) -> tuple[Array, Array]:
        m = np.maximum(steps, 1.0)
        worked = _worked_off(m, held, share, behind)
        summed = one * (m * (1 + r) / (1 - r) - 2 * r * (1 - r**m) / (1 - r) ** 2) + found * worked**2
        mean = steady + behind * worked / m
        return mean, np.maximum(summed, 0.0) / m**2 + ((i.step_s + mean) * swing) ** 2

    varies = i.output_variation > 0
    shape = np.where(varies, i.output_variation, 1.0) ** -2.0
    lengths = [
        np.where(varies, gammaincinv(shape, (turn + 0.5) / ANSWERS) / shape, 1.0) * i.steps
        for turn in range(ANSWERS)
    ]
    means, variances = zip(*(at(length) for length in lengths), strict=True)
    mean = np.mean(means, axis=0)
    variance = np.mean(variances, axis=0) + np.mean([(one_mean - mean) ** 2 for one_mean in means], axis=0)
    return mean, np.sqrt(variance), np.sqrt(at(i.steps)[1])
