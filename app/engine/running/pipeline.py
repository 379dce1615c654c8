"""One training step of a pipeline, simulated: when every stage computes and waits.

A reference that is not the closed form (`performance.pipeline`): every operation starts once its stage is free
and what it needs has arrived, in the order in which published implementations run them:

- `1f1b`: Narayanan et al. 2021, arXiv 2104.04473; interleaved in the order of Megatron-Core
  (`forward_backward_pipelining_with_interleaving` and its schedule table), with fewer micro-batches than stages
  as PyTorch's `ScheduleInterleaved1F1B`.
- `moe_overlap`: Megatron-Core `overlap_moe_expert_parallel_comm`: one more forward pass before the steady state,
  in which a forward pass and the backward pass of another micro-batch run as one, the dispatch and combine of one
  behind the compute of the other.
- `zb_h1`: Qi et al. 2023, arXiv 2401.10241: 1F1B with the weight gradients of stage r put off by r micro-batches.
- `zb_v`: the same, section 6; the order of PyTorch's `ScheduleZBVZeroBubble`.
- `dualpipe`: DeepSeek-V3, arXiv 2412.19437, section 3.2.1; the order of deepseek-ai/DualPipe.

The event loop is plain Python: it is for one step of one design. The optimiser step is not part of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.performance.schedules import CODES, micro_batch_group
from app.engine.trace import Array

Whole = NDArray[np.int64]

FORWARD, INPUT_GRADIENT, WEIGHT_GRADIENT, BACKWARD = range(4)
KINDS = ("forward", "input gradient", "weight gradient", "backward")
"""Kinds of operation by number; a `backward` is both gradients in one operation."""


class ScheduleError(ValueError):
    """A schedule that its implementations refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTimes:
    """Times of one micro-batch on every chunk of layers, [stage, chunk].

    Chunk c of stage r holds the layers c pp + r of pp v (looped). In `zb_v` chunk 1 of stage r is 2 pp - 1 - r of
    2 pp (a V); in `dualpipe` chunk 0 is part r and chunk 1 part pp - 1 - r of the same pp parts, for the other
    direction. Passes have all that they wait for when they run alone, such as the dispatch and combine of experts.
    """

    forward_s: Array
    input_gradient_s: Array  # with what is computed again
    weight_gradient_s: Array
    hidden_forward_s: Array  # of a forward pass, behind the backward pass that it is paired with
    hidden_backward_s: Array  # of both gradients, behind the forward pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineStep:
    """Operations of a step, each an entry of the arrays, by start."""

    schedule: str
    stage: Whole
    chunk: Whole
    micro_batch: Whole
    kind: Whole
    start_s: Array
    end_s: Array
    paired: NDArray[np.bool_]  # forward and backward passes that run as one, both with its start and end
    sends: NDArray[np.bool_]  # whether another stage waits for its output
    span_s: float
    longest_stage_s: float  # greatest last end - first start of any one stage
    busy_s: Array  # [stage]
    idle_s: Array  # [stage], of the span
    peak_chunks: Whole  # [stage], chunk activations held at once, forward start to weight-gradient end


Operation = tuple[int, int, int]  # kind, chunk, micro-batch
Work = tuple[Operation, ...]  # one operation, or a forward and a backward pass that run as one


def even_times(
    *,
    stages: int,
    chunks: int,
    forward_s: float,
    input_gradient_s: float,
    weight_gradient_s: float,
    hidden_forward_s: float = 0.0,
    hidden_backward_s: float = 0.0,
) -> ChunkTimes:
    """Times of chunks that are all alike, from those of a whole stage."""

    def each(stage_s: float) -> Array:
        return np.full((stages, chunks), stage_s / chunks)

    return ChunkTimes(
        forward_s=each(forward_s),
        input_gradient_s=each(input_gradient_s),
        weight_gradient_s=each(weight_gradient_s),
        hidden_forward_s=each(hidden_forward_s),
        hidden_backward_s=each(hidden_backward_s),
    )


def simulate_step(
    *,
    schedule: str,
    micro_batches: int,
    times: ChunkTimes,
    transfer_s: float = 0.0,
    group: int | None = None,
) -> PipelineStep:
    """Run one step: every operation at the earliest time its order allows.

    A transfer delays what waits for it and keeps no stage busy. `group` is the number of micro-batches that an
    interleaved stage runs through a chunk before it turns to the next; what Megatron-Core takes where it is None.

    Raises
    ------
    ScheduleError : the implementations of the schedule refuse these stages, chunks or micro-batches
    """
    stages, chunks = times.forward_s.shape
    _refuse(schedule, stages, chunks, micro_batches)
    if group is None:
        sizes = (np.array([float(size)]) for size in (stages, chunks, micro_batches))
        group = int(micro_batch_group(*sizes)[0])
    elif chunks > 1:
        _refuse_group(group, stages, micro_batches)
    orders = _orders(schedule, stages, chunks, micro_batches, group)
    return _Run(schedule, times, transfer_s, orders).step()


def _refuse(schedule: str, stages: int, chunks: int, micro_batches: int) -> None:
    if schedule not in CODES:
        raise ScheduleError(f"{schedule!r} is not a schedule. Choose one of {', '.join(CODES)}.")
    if micro_batches < 1:
        raise ScheduleError(f"A step must have at least 1 micro-batch; you gave {micro_batches}.")
    if schedule in ("zb_v", "dualpipe") and chunks != 2:
        raise ScheduleError(f"{schedule} must have 2 chunks per stage; you gave {chunks}.")
    if schedule == "zb_h1" and chunks != 1:
        raise ScheduleError(f"zb_h1 must have 1 chunk per stage; you gave {chunks}.")
    if schedule == "moe_overlap" and stages > 1 and chunks == 1:
        raise ScheduleError(
            "moe_overlap must have at least 2 chunks per stage where there are several stages."
        )
    if schedule == "dualpipe" and (stages % 2 or micro_batches % 2 or micro_batches < 2 * stages):
        raise ScheduleError(
            f"dualpipe must have an even number of stages and an even number of at least {2 * stages} "
            f"micro-batches; you gave {stages} and {micro_batches}."
        )


def _refuse_group(group: int, stages: int, micro_batches: int) -> None:
    """What Megatron-Core refuses; fewer micro-batches than stages make one group, as in PyTorch."""
    least = min(stages, micro_batches)
    if not least <= group <= micro_batches:
        raise ScheduleError(f"A group must have {least} to {micro_batches} micro-batches; you gave {group}.")
    if 0 < micro_batches % group < least:
        raise ScheduleError(
            f"The last group must have at least {least} micro-batches; {micro_batches} in groups of {group} "
            f"leave {micro_batches % group}."
        )


def _orders(schedule: str, stages: int, chunks: int, micro_batches: int, group: int) -> list[list[Work]]:
    if schedule == "zb_h1":
        return [list(_zb_h1(rank, stages, micro_batches)) for rank in range(stages)]
    if schedule == "zb_v":
        return [list(_zb_v(rank, stages, micro_batches)) for rank in range(stages)]
    if schedule == "dualpipe":
        return [list(_dualpipe(rank, stages, micro_batches)) for rank in range(stages)]
    pairs = schedule == "moe_overlap"
    return [list(_one_f_one_b(rank, stages, chunks, micro_batches, group, pairs)) for rank in range(stages)]


def _one_f_one_b(
    rank: int, stages: int, chunks: int, micro_batches: int, group: int, pairs: bool
) -> Iterator[Work]:
    """Megatron-Core's order; `chunks` = 1 is PipeDream-Flush, which warms up with one pass a hop, not two."""
    table = [
        (chunk, micro_batch)
        for first in range(0, micro_batches, group)
        for chunk in range(chunks)
        for micro_batch in range(first, min(first + group, micro_batches))
    ]
    hops = stages - 1 - rank
    warm_up = hops if chunks == 1 else 2 * hops + (chunks - 1) * group
    warm_up = min(warm_up + pairs, len(table))

    def forward(at: int) -> Operation:
        return (FORWARD, *table[at])

    def backward(at: int) -> Operation:
        chunk, micro_batch = table[at]
        return (BACKWARD, chunks - 1 - chunk, micro_batch)

    for at in range(warm_up):
        yield (forward(at),)
    steady = len(table) - warm_up
    for at in range(steady):
        if pairs:
            yield forward(warm_up + at), backward(at)
        else:
            yield (forward(warm_up + at),)
            yield (backward(at),)
    for at in range(steady, len(table)):
        yield (backward(at),)


def _zb_h1(rank: int, stages: int, micro_batches: int) -> Iterator[Work]:
    """1F1B with the weight gradients `rank` micro-batches late, so that every stage holds what the first does."""
    done = 0
    for (operation,) in _one_f_one_b(rank, stages, 1, micro_batches, micro_batches, False):
        kind, chunk, micro_batch = operation
        if kind == FORWARD:
            yield (operation,)
            continue
        yield ((INPUT_GRADIENT, chunk, micro_batch),)
        if micro_batch >= rank:
            yield ((WEIGHT_GRADIENT, chunk, done),)
            done += 1
    for late in range(done, micro_batches):
        yield ((WEIGHT_GRADIENT, 0, late),)


def _zb_v(rank: int, stages: int, micro_batches: int) -> Iterator[Work]:
    """Order of PyTorch's ScheduleZBVZeroBubble, which plans for 2 pp - 1 micro-batches and leaves out the missing."""
    planned = max(2 * stages - 1, micro_batches)
    done = {(kind, chunk): 0 for kind in (FORWARD, INPUT_GRADIENT, WEIGHT_GRADIENT) for chunk in (0, 1)}
    order: list[Operation] = []

    def add(chunk: int, *kinds: int) -> None:
        for kind in kinds:
            order.append((kind, chunk, done[kind, chunk]))
            done[kind, chunk] += 1

    both = (INPUT_GRADIENT, WEIGHT_GRADIENT)
    for _ in range(2 * (stages - rank) - 1):
        add(0, FORWARD)
    for _ in range(rank):
        add(1, FORWARD)
        add(0, FORWARD)
    for _ in range(stages - rank):
        add(1, FORWARD, *both)
    while done[FORWARD, 1] < done[FORWARD, 0] or done[FORWARD, 0] < planned:
        if done[FORWARD, 0] < planned:
            add(0, FORWARD)
        add(0, *both)
        add(1, FORWARD, *both)
    for _ in range(rank):
        add(0, INPUT_GRADIENT)
        add(1, INPUT_GRADIENT)
    for _ in range(stages - rank):
        add(0, *both)
    for chunk in (1, 0):
        while done[WEIGHT_GRADIENT, chunk] < planned:
            add(chunk, WEIGHT_GRADIENT)
    return ((operation,) for operation in order if operation[2] < micro_batches)


def _dualpipe(rank: int, stages: int, micro_batches: int) -> Iterator[Work]:
    """Order of deepseek-ai/DualPipe, whose steps 1 to 8 these are; phase 0 is the direction of the nearer end."""
    half, near, each = stages // 2, min(rank, stages - 1 - rank), micro_batches // 2
    far_half = rank >= half
    done = {(kind, phase): 0 for kind in (FORWARD, BACKWARD) for phase in (0, 1)}
    late: deque[Operation] = deque()

    def take(kind: int, phase: int) -> Operation:
        at = done[kind, phase]
        done[kind, phase] += 1
        chunk = phase ^ far_half
        return (kind, chunk, at + chunk * each)

    def forward(phase: int) -> Work:
        return (take(FORWARD, phase),)

    def backward(phase: int, put_off: bool = False) -> Work:
        _, chunk, micro_batch = take(BACKWARD, phase)
        if put_off:
            late.append((WEIGHT_GRADIENT, chunk, micro_batch))
        return ((INPUT_GRADIENT if put_off else BACKWARD, chunk, micro_batch),)

    def both(first: int, second: int) -> Work:
        return take(FORWARD, first), take(BACKWARD, second)

    for _ in range(2 * (half - near - 1)):  # 1: nF0
        yield forward(0)
    for _ in range(near + 1):  # 2: nF0F1
        yield forward(0)
        yield forward(1)
    for _ in range(half - near - 1):  # 3: nB1W1F1
        yield backward(1, put_off=True)
        yield (late.popleft(),)
        yield forward(1)
    for at in range(each - stages + near + 1):  # 4: nF0B1F1B0
        if (
            at == 0 and near == half - 1
        ):  # the middle stages do not overlap these two, which shortens the bubble
            yield forward(0)
            yield backward(1)
        else:
            yield both(0, 1)
        yield both(1, 0)
    for _ in range(half - near - 1):  # 5: nB1F1B0
        yield backward(1)
        yield both(1, 0)
    put_off = False
    for at in range(near + 1):  # 6: nB1B0, the second half with weight gradients put off
        if at == (near + 1) // 2 and near % 2 == 1:
            put_off = True
        yield backward(1, put_off)
        if at == (near + 1) // 2 and near % 2 == 0:
            put_off = True
        yield backward(0, put_off)
    for _ in range(half - near - 1):  # 7: nWB0
        yield (late.popleft(),)
        yield backward(0, put_off=True)
    while late:  # 8: nW
        yield (late.popleft(),)


Place = tuple[int, int]  # stage, chunk
Output = tuple[bool, int, int, int]  # of a forward pass (or an input gradient), stage, chunk, micro-batch


def _before(schedule: str, stages: int, chunks: int) -> Callable[[int, int], Place | None]:
    """The chunk whose output a chunk's forward pass takes in; None at the embedding."""

    def looped(stage: int, chunk: int) -> Place | None:
        if stage > 0:
            return stage - 1, chunk
        return (stages - 1, chunk - 1) if chunk > 0 else None

    def folded(stage: int, chunk: int) -> Place | None:
        if chunk == 0:
            return (stage - 1, 0) if stage > 0 else None
        return (stage + 1, 1) if stage < stages - 1 else (stage, 0)

    def both_ways(stage: int, chunk: int) -> Place | None:
        other = stage - 1 if chunk == 0 else stage + 1
        return (other, chunk) if 0 <= other < stages else None

    return {"zb_v": folded, "dualpipe": both_ways}.get(schedule, looped)


class _Run:
    """State of the event loop."""

    def __init__(self, schedule: str, times: ChunkTimes, transfer_s: float, orders: list[list[Work]]) -> None:
        self.schedule, self.orders, self.transfer_s = schedule, orders, transfer_s
        stages, chunks = times.forward_s.shape
        places = [(stage, chunk) for stage in range(stages) for chunk in range(chunks)]
        before = _before(schedule, stages, chunks)
        self.upstream = {place: before(*place) for place in places}
        self.downstream = {up: place for place, up in self.upstream.items() if up is not None}
        none = np.zeros_like(times.forward_s)
        both = times.input_gradient_s + times.weight_gradient_s
        alone = (times.forward_s, times.input_gradient_s, times.weight_gradient_s, both)  # by kind
        hidden = (times.hidden_forward_s, none, none, times.hidden_backward_s)
        self.alone_s = [of.tolist() for of in alone]
        self.hidden_s = [of.tolist() for of in hidden]
        self.ends: dict[Output, float] = {}
        self.done: list[tuple[float, float, int, int, int, int, bool, bool]] = []

    def step(self) -> PipelineStep:
        left = [deque(order) for order in self.orders]
        free = [0.0] * len(left)
        waiting: dict[Output, list[int]] = {}
        ready = list(range(len(left)))
        while ready:
            stage = ready.pop()
            while left[stage]:
                work = left[stage][0]
                needed = self._needed(stage, work)
                missing = next((output for output in needed if output not in self.ends), None)
                if missing is not None:
                    waiting.setdefault(missing, []).append(stage)
                    break
                left[stage].popleft()
                arrivals = (self.ends[output] + self._sent_s(output, stage) for output in needed)
                free[stage] = self._run(stage, work, max((free[stage], *arrivals)))
                for kind, chunk, micro_batch in work:
                    if kind != WEIGHT_GRADIENT:
                        ready += waiting.pop((kind == FORWARD, stage, chunk, micro_batch), ())
        assert not any(left), f"{self.schedule} has an order in which stages wait in a ring"
        return self._gathered(len(left))

    def _sent_s(self, output: Output, stage: int) -> float:
        return self.transfer_s if output[1] != stage else 0.0

    def _needed(self, stage: int, work: Work) -> list[Output]:
        needed: list[Output] = []
        for kind, chunk, micro_batch in work:
            if kind == FORWARD:
                before = self.upstream[stage, chunk]
                if before is not None:
                    needed.append((True, *before, micro_batch))
            elif kind != WEIGHT_GRADIENT:  # every order has that after the input gradient on the same stage
                after = self.downstream.get((stage, chunk))
                needed.append(
                    (True, stage, chunk, micro_batch) if after is None else (False, *after, micro_batch)
                )
        return needed

    def _next(self, stage: int, kind: int, chunk: int) -> Place | None:
        """Where the output of a forward pass or input gradient goes."""
        return self.downstream.get((stage, chunk)) if kind == FORWARD else self.upstream[stage, chunk]

    def _run(self, stage: int, work: Work, start: float) -> float:
        lasts: float = sum(self.alone_s[kind][stage][chunk] for kind, chunk, _ in work)
        paired = len(work) > 1
        if paired:
            lasts -= sum(self.hidden_s[kind][stage][chunk] for kind, chunk, _ in work)
        end = start + lasts
        for kind, chunk, micro_batch in work:
            to = None if kind == WEIGHT_GRADIENT else self._next(stage, kind, chunk)
            sends = to is not None and to[0] != stage
            self.done.append((start, end, stage, chunk, micro_batch, kind, paired, sends))
            if kind != WEIGHT_GRADIENT:
                self.ends[kind == FORWARD, stage, chunk, micro_batch] = end
        return end

    def _gathered(self, stages: int) -> PipelineStep:
        self.done.sort(key=lambda one: (one[0], one[2]))
        start, end = (np.array([one[at] for one in self.done]) for at in (0, 1))
        stage, chunk, micro_batch, kind = (
            np.array([one[at] for one in self.done], dtype=np.int64) for at in (2, 3, 4, 5)
        )
        paired, sends = (np.array([one[at] for one in self.done]) for at in (6, 7))
        once = ~(paired & (kind == FORWARD))  # the time of a pair counts once
        busy = np.zeros(stages)
        np.add.at(busy, stage[once], (end - start)[once])
        span = float(end.max() - start.min())
        own = [end[stage == one].max() - start[stage == one].min() for one in range(stages)]
        return PipelineStep(
            schedule=self.schedule,
            stage=stage,
            chunk=chunk,
            micro_batch=micro_batch,
            kind=kind,
            start_s=start,
            end_s=end,
            paired=paired,
            sends=sends,
            span_s=span,
            longest_stage_s=float(max(own)),
            busy_s=busy,
            idle_s=span - busy,
            peak_chunks=np.array([_peak(order) for order in self.orders]),
        )


def _peak(order: list[Work]) -> int:
    """Most chunk activations that a stage holds at once."""
    held = most = 0
    for work in order:
        held += sum(kind == FORWARD for kind, _, _ in work)
        most = max(most, held)
        held -= sum(kind in (WEIGHT_GRADIENT, BACKWARD) for kind, _, _ in work)
    return most
