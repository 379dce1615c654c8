"""Requests through one replica, event by event: continuous batching with a token budget and chunked prefill.

The times of steps and passes are those of the formulas; who shares a pass, who waits and how long is what happens.
The formulas of random arrivals (`app.engine.performance.serving.continuous`) are held against it, and it takes what
they cannot: measured arrivals, bursts, lengths of any law.

References
----------
.. [1] Yu et al. 2022, Orca, OSDI 22 (continuous batching)
.. [2] Agrawal et al. 2024, arXiv 2403.02310 (chunked prefill in the steps of decoding)
"""

from __future__ import annotations

import heapq
import math
from collections import OrderedDict, deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.serving.aggregated import prefill_share_felt
from app.engine.performance.serving.replica_load import prompt_of, step_of
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.speculation import tokens_gained
from app.engine.specs import ServingLayout
from app.engine.trace import Array, first_of

WAITED_STEPS = 1.5
"""Of decoding, that a prompt waits for as it comes and that its own pass takes: of those fitted, the rest is the reply."""
STEPS = 200
"""Numbers of running sequences whose step is computed; between them it is interpolated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """One instance as the simulation sees it; bare numbers."""

    steps_s: Array  # of a step without prompts, with 0, 1, 2, ... running sequences
    tokens_per_step: float  # that stand for each sequence; above 1 with guessing
    places: int  # sequences in memory
    data_parallel: int  # replicas of attention, each with prompts of its own
    own_s: float  # of one token of a prompt, that only its replica works on
    shared_s: float  # of one token of a prompt, that all ranks work on
    weights_s: float  # of a pass with prompts
    host_s: float  # of a pass with prompts
    chunk_tokens: float  # of prompts in a pass, of each replica of attention
    share: float  # of the prefill in a pass, by which running sequences are held up
    overhead_s: float  # of a request, that no other sees
    reply_steps: float = (
        0.0  # of decoding, until a token that stands is on its way: all of an answer are as late
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefills:
    """Instances that only prefill, first come first served."""

    instances: int
    token_s: float  # of one token of a prompt, that the instance is kept from others
    further_token_s: float  # of one token, beyond that: replicas of attention work on several prompts at once
    transfer_s: float  # of keys and values to an instance that decodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Turns:
    """Requests as turns of sessions: which follows which, and what tiers of memory hold of their contexts."""

    session: NDArray[np.intp]
    after: NDArray[np.intp]  # the next request of the session; -1 after the last
    gap_s: Array  # between the answer before and the request
    context_tokens: Array  # of former turns in the prompt, its new tokens aside
    room_tokens: tuple[float, ...]  # of each tier; of the first, the accelerators' memory, with what runs
    return_s: tuple[float, ...]  # that a token of a context takes to come back from each tier
    found_work: float  # of a token of a prompt whose context was found, over the mean
    lost_work: float  # the same where it was lost
    until_s: float  # no request comes later


FIRST_TURN, LOST = -2, -1
"""In place of the tier that a context was found in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What each request saw, in the order of arrival, shape (n,)."""

    arrived_s: Array
    ttft_s: Array
    tpot_s: Array  # not a number where an answer has one token
    end_to_end_s: Array
    running: Array  # sequences that were running as it joined them
    prefill_share: float  # of the time of the instances that decode
    found_in: NDArray[np.intp] | None = (
        None  # tier that held the context, FIRST_TURN or LOST; None: no sessions
    )


def engine_of(setting: Setting, layout: ServingLayout, limit: Array, *, prefills: bool = True) -> Engine:
    """An instance of a setting; one that only decodes where it does not prefill. Works on bare values of one sample.

    Replicas of attention that only decode are taken as one: they differ by the prompts that they prefill.

    Parameters
    ----------
    limit : sequences that its memory holds
    """
    a = setting.assumptions
    places = max(int(first_of(limit)), 1)
    running = np.unique(np.round(np.geomspace(1.0, places, STEPS)))
    step = step_of(setting, layout, running).step_s
    passes = prompt_of(setting, layout, np.ones(1)).passes
    tokens = first_of(passes.tokens)
    felt = prefill_share_felt(
        share=a.prefill_interference,
        spread=a.prefill_interference_attention_parallel,
        data_parallel=layout.data_parallel,
    )
    return Engine(
        steps_s=np.interp(np.arange(places + 1), running, np.broadcast_to(step, running.shape)),
        tokens_per_step=first_of(tokens_gained(setting.workload.speculation)),
        places=places,
        data_parallel=int(first_of(layout.data_parallel)) if prefills else 1,
        own_s=first_of(passes.own_s) / tokens,
        shared_s=first_of(passes.shared_s) / tokens,
        weights_s=first_of(passes.weights_s),
        host_s=first_of(passes.host_s),
        chunk_tokens=first_of(passes.chunk_tokens),
        share=first_of(felt),
        overhead_s=first_of(a.first_token_overhead_s if prefills else a.disaggregated_overhead_s),
        reply_steps=max(first_of(a.first_token_steps) - WAITED_STEPS, 0.0) if prefills else 0.0,
    )


def through_instance(
    engine: Engine, *, arrived_s: Array, input_tokens: Array, output_tokens: Array, work: Array | None = None,
    turns: Turns | None = None,
) -> Seen:  # fmt: skip
    """Requests through one instance that prefills and decodes.

    Each pass takes prompts in the order of arrival up to the token budget of each replica of attention, and gives
    every running sequence its next token; passes without prompts are taken together until a request arrives
    or ends.

    Parameters
    ----------
    arrived_s : ascending; infinite where a request follows another of its session [s]
    input_tokens : to be prefilled; of sessions those that are new [tokens]
    work : of a token of each prompt over that of the mean prompt; None: all take as long
    turns : of sessions; None: requests know nothing of each other
    """
    return _Run(engine, arrived_s, input_tokens, output_tokens, work, turns).seen()


def through_group(
    engine: Engine, prefills: Prefills, decode_instances: int, *, arrived_s: Array, input_tokens: Array,
    output_tokens: Array, work: Array | None = None,
) -> Seen:  # fmt: skip
    """Requests through instances that prefill, first come first served, then by turns through those that decode."""
    free = [-math.inf] * prefills.instances
    ready = np.empty(arrived_s.size)
    works = input_tokens if work is None else input_tokens * work
    for row, (came, tokens) in enumerate(zip(arrived_s.tolist(), works.tolist(), strict=True)):
        ends = max(came, heapq.heappop(free)) + tokens * prefills.token_s
        heapq.heappush(free, ends)
        ready[row] = ends + tokens * prefills.further_token_s + prefills.transfer_s
    order = np.argsort(ready, kind="stable")
    ttft, tpot, whole, running = (np.empty(arrived_s.size) for _ in range(4))
    for instance in range(decode_instances):
        rows = order[instance::decode_instances]
        found = _Run(engine, ready[rows], np.zeros(rows.size), output_tokens[rows]).seen()
        away = ready[rows] - arrived_s[rows]
        ttft[rows], tpot[rows] = found.ttft_s + away, found.tpot_s
        whole[rows], running[rows] = found.end_to_end_s + away, found.running
    return Seen(
        arrived_s=arrived_s, ttft_s=ttft, tpot_s=tpot, end_to_end_s=whole, running=running, prefill_share=0.0
    )


class _Run:
    """The loop over passes. A sequence ends at a count of passes, known as it starts: a heap says who is next."""

    def __init__(
        self,
        engine: Engine,
        arrived_s: Array,
        input_tokens: Array,
        output_tokens: Array,
        work: Array | None = None,
        turns: Turns | None = None,
    ) -> None:
        self._engine = engine
        self._steps = engine.steps_s.tolist()
        self._arrived, self._left = arrived_s.tolist(), input_tokens.tolist()
        self._answers = output_tokens
        self._work = None if work is None else work.tolist()
        self._contexts = None if turns is None else _Contexts(turns, input_tokens, output_tokens)
        if turns is not None:
            self._work = [turns.found_work] * len(self._arrived)
        self._pending = [(time, row) for row, time in enumerate(self._arrived) if time < math.inf]
        further = np.maximum(output_tokens - 1, 0.0)
        self._passes = np.ceil(further / engine.tokens_per_step).astype(int).tolist()
        self._first, self._done, self._met = (np.zeros(arrived_s.size) for _ in range(3))
        self._queues: list[deque[int]] = [deque() for _ in range(engine.data_parallel)]
        self._on = [0] * engine.data_parallel  # running sequences of each replica of attention
        self._ends: list[tuple[int, int, int]] = []
        self._begins = self._arrived[0] if self._arrived else 0.0
        self._now, self._count, self._prefilled, self._waiting = self._begins, 0, 0.0, 0

    def seen(self) -> Seen:
        """Everything to the last answer."""
        while self._pending or self._waiting or self._ends:
            self._admit()
            if not self._waiting and not self._ends:
                self._now = self._pending[0][0]
                continue
            taken, most, finished = self._take() if self._waiting else (0.0, 0.0, [])
            if taken or finished:
                self._pass(taken, most)
            else:
                self._decode()
            self._end()
            self._start(finished)
        e = self._engine
        late = e.overhead_s + e.reply_steps * e.steps_s[np.minimum(self._met.astype(int) + 1, e.places)]
        ttft = self._first - np.asarray(self._arrived) + late
        whole = self._done - np.asarray(self._arrived) + late
        further = np.maximum(self._answers - 1, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            tpot = np.where(further > 0, (whole - ttft) / further, np.nan)
        return Seen(
            arrived_s=np.asarray(self._arrived),
            ttft_s=ttft,
            tpot_s=tpot,
            end_to_end_s=whole,
            running=self._met,
            prefill_share=self._prefilled / max(self._now - self._begins, 1e-9),
            found_in=None if self._contexts is None else np.array(self._contexts.found_in, dtype=np.intp),
        )

    def _admit(self) -> None:
        """Those that came go to the replica of attention with the fewest requests."""
        while self._pending and self._pending[0][0] <= self._now:
            came, row = heapq.heappop(self._pending)
            if self._contexts is not None and not self._found(row, came):
                continue
            fewest = 0
            if len(self._queues) > 1:
                loads = [len(queue) + on for queue, on in zip(self._queues, self._on, strict=True)]
                fewest = loads.index(min(loads))
            self._queues[fewest].append(row)
            self._waiting += 1

    def _found(self, row: int, came: float) -> bool:
        """Look a context up as its turn comes; False while it comes back from another tier."""
        contexts = self._contexts
        assert contexts is not None
        assert self._work is not None
        if contexts.looked_up[row]:
            return True
        back = contexts.look_up(row)
        self._left[row] += contexts.again_tokens(row)
        if contexts.found_in[row] == LOST:
            self._work[row] = contexts.turns.lost_work
        if back > 0:
            heapq.heappush(self._pending, (came + back, row))
        return back <= 0

    def _finish(self, row: int) -> None:
        """An answer is complete: its context waits, and the next turn of its session comes after the gap."""
        self._done[row] = self._now
        if self._contexts is None:
            return
        self._contexts.keep(row)
        after = int(self._contexts.turns.after[row])
        if after >= 0:
            comes = self._now + self._engine.overhead_s + float(self._contexts.turns.gap_s[after])
            if comes < self._contexts.turns.until_s:
                self._arrived[after] = comes
                heapq.heappush(self._pending, (comes, after))

    def _take(self) -> tuple[float, float, list[tuple[int, int]]]:
        """Work on prompts in the next pass in tokens, that of the fullest replica, and prompts that it finishes."""
        total, most, finished = 0.0, 0.0, []
        room = max(self._engine.places // len(self._queues), 1)
        for replica, queue in enumerate(self._queues):
            budget, done, used = self._engine.chunk_tokens, 0, 0.0
            while done < len(queue) and self._on[replica] + done < room and budget > 0:
                row = queue[done]
                part = min(self._left[row], budget)
                self._left[row] -= part
                budget -= part
                used += part if self._work is None else part * self._work[row]
                if self._left[row] > 0:
                    break
                finished.append((row, replica))
                done += 1
            for _ in range(done):
                queue.popleft()
            total, most = total + used, max(most, used)
        return total, most, finished

    def _pass(self, taken: float, most: float) -> None:
        """A pass with prompts; one of prompts that were prefilled elsewhere takes no longer for them."""
        e, running = self._engine, len(self._ends)
        work = e.own_s * most + e.shared_s * taken
        prefill = e.share * math.hypot(work + e.weights_s, e.host_s) if taken else 0.0
        self._prefilled += prefill
        self._now += prefill + (self._steps[running] if running else 0.0)
        self._count += 1

    def _decode(self) -> None:
        """Passes without prompts, until a request arrives or ends."""
        step, passes = self._steps[len(self._ends)], self._ends[0][0] - self._count
        if self._pending:
            passes = min(passes, max(math.ceil((self._pending[0][0] - self._now) / step), 1))
        self._now += passes * step
        self._count += passes

    def _end(self) -> None:
        while self._ends and self._ends[0][0] <= self._count:
            _, row, replica = heapq.heappop(self._ends)
            self._finish(row)
            self._on[replica] -= 1

    def _start(self, finished: list[tuple[int, int]]) -> None:
        self._waiting -= len(finished)
        for row, replica in finished:
            self._first[row] = self._now
            self._met[row] = len(self._ends)
            if self._passes[row]:
                heapq.heappush(self._ends, (self._count + self._passes[row], row, replica))
                self._on[replica] += 1
            else:
                self._finish(row)


class _Contexts:
    """Contexts of sessions that wait, tier by tier: a full tier passes on the least recently used of them."""

    def __init__(self, turns: Turns, new_tokens: Array, output_tokens: Array) -> None:
        self.turns = turns
        rows = new_tokens.size
        self.found_in = [FIRST_TURN] * rows
        self.looked_up = [False] * rows
        self._session, self._context = turns.session.tolist(), turns.context_tokens.tolist()
        self._ended = (turns.context_tokens + new_tokens + output_tokens).tolist()
        self._running = (turns.context_tokens + new_tokens + output_tokens / 2).tolist()
        self._tiers: list[OrderedDict[int, float]] = [OrderedDict() for _ in turns.room_tokens]
        self._held = [0.0] * len(self._tiers)
        self._room = list(turns.room_tokens)

    def look_up(self, row: int) -> float:
        """Take the context of a turn out of the tier that holds it; the time in which it comes back."""
        self.looked_up[row] = True
        context, back = self._context[row], 0.0
        if context:
            session = self._session[row]
            self.found_in[row] = LOST
            for tier, kept in enumerate(self._tiers):
                if session in kept:
                    self._held[tier] -= kept.pop(session)
                    self.found_in[row], back = tier, context * self.turns.return_s[tier]
                    break
        self._room[0] -= self._running[row]
        self._pass_on()
        return back

    def again_tokens(self, row: int) -> float:
        """Of a context that was lost, which are prefilled with the new ones."""
        return self._context[row] if self.found_in[row] == LOST else 0.0

    def keep(self, row: int) -> None:
        """The context of a turn that ended waits, as the most recently used."""
        self._room[0] += self._running[row]
        self._tiers[0][self._session[row]] = self._ended[row]
        self._held[0] += self._ended[row]
        self._pass_on()

    def _pass_on(self) -> None:
        for tier, kept in enumerate(self._tiers):
            while kept and self._held[tier] > self._room[tier]:
                session, tokens = kept.popitem(last=False)
                self._held[tier] -= tokens
                if tier + 1 < len(self._tiers):
                    self._tiers[tier + 1][session] = tokens
                    self._held[tier + 1] += tokens
