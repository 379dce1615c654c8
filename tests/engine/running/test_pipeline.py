"""The simulated step of a pipeline: what must hold of any, cases by hand, published bubbles, closed forms."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from app.engine.performance.activations import chunks_in_flight, last_chunks_in_flight
from app.engine.performance.pipeline import (
    dualpipe_bubble_s,
    filling_micro_batches,
    one_f_one_b_bubble_s,
    overlapped_bubble_s,
    paired_micro_batches,
    pipeline_transfer_time_s,
    zero_bubble_h1_bubble_s,
    zero_bubble_v_bubble_s,
)
from app.engine.performance.schedules import CODES, micro_batch_group
from app.engine.running.pipeline import (
    BACKWARD,
    FORWARD,
    INPUT_GRADIENT,
    WEIGHT_GRADIENT,
    ChunkTimes,
    PipelineStep,
    ScheduleError,
    even_times,
    simulate_step,
)

SAMPLES = 30  # of each schedule, of the grid
CLOSE = 0.03  # closed form against simulation

CASES = (
    ("1f1b", 1, 1, 3),
    ("1f1b", 4, 1, 2),
    ("1f1b", 4, 1, 9),
    ("1f1b", 4, 3, 8),
    ("1f1b", 4, 2, 11),  # no multiple of the stages
    ("1f1b", 6, 2, 4),  # fewer than the stages
    ("moe_overlap", 1, 1, 5),
    ("moe_overlap", 4, 2, 12),
    ("zb_h1", 5, 1, 3),
    ("zb_h1", 4, 1, 12),
    ("zb_v", 4, 2, 2),
    ("zb_v", 4, 2, 6),
    ("zb_v", 3, 2, 16),
    ("dualpipe", 2, 2, 4),
    ("dualpipe", 8, 2, 16),
    ("dualpipe", 6, 2, 20),
)
"""Schedule, stages, chunks, micro-batches."""


def simulated(
    schedule: str,
    stages: int,
    micro_batches: int,
    stage_s: tuple[float, float, float],
    *,
    chunks: int = 1,
    exchange_s: tuple[float, float] = (0.0, 0.0),
    transfer_s: float = 0.0,
) -> PipelineStep:
    """A step of stages that are all alike.

    `stage_s` is the compute of F, B, W of a whole stage, `exchange_s` the exchange of a forward and a backward pass
    alone; a pair takes the longer of all its compute and all its exchange.
    """
    if schedule in ("zb_v", "dualpipe"):
        chunks = 2
    whole = 2 if schedule == "dualpipe" else 1  # its two chunks are whole stages, one a direction
    forward, inputs, weights = (whole * time for time in stage_s)
    hidden = whole * min(sum(stage_s), sum(exchange_s))
    return simulate_step(
        schedule=schedule,
        micro_batches=micro_batches,
        transfer_s=transfer_s,
        times=even_times(
            stages=stages,
            chunks=chunks,
            forward_s=forward + whole * exchange_s[0],
            input_gradient_s=inputs + whole * exchange_s[1],
            weight_gradient_s=weights,
            hidden_forward_s=hidden / 2,
            hidden_backward_s=hidden / 2,
        ),
    )


def bubble(step: PipelineStep, micro_batches: int, stage_s: tuple[float, float, float]) -> float:
    return step.span_s - micro_batches * sum(stage_s)


def uneven(stages: int, chunks: int, seed: int) -> ChunkTimes:
    """Random times, no two alike."""
    rng = np.random.default_rng(seed)
    times = [rng.uniform(0.5, 2.0, (stages, chunks)) for _ in range(5)]
    return ChunkTimes(
        forward_s=times[0],
        input_gradient_s=times[1],
        weight_gradient_s=times[2],
        hidden_forward_s=times[3] / 8,
        hidden_backward_s=times[4] / 8,
    )


def ends_of(step: PipelineStep) -> dict[tuple[bool, int, int, int], float]:
    """End of every forward pass (True) and input gradient (False) by stage, chunk, micro-batch."""
    return {
        (bool(kind == FORWARD), int(stage), int(chunk), int(micro_batch)): float(end)
        for kind, stage, chunk, micro_batch, end in zip(
            step.kind, step.stage, step.chunk, step.micro_batch, step.end_s, strict=True
        )
        if kind != WEIGHT_GRADIENT
    }


def parts_of(schedule: str, stages: int, chunks: int, direction: int) -> list[tuple[int, int]]:
    """Stage and chunk of every part of the model, embedding first, written down apart from the simulator."""
    if schedule == "zb_v":
        return [(stage, 0) for stage in range(stages)] + [(stage, 1) for stage in reversed(range(stages))]
    if schedule == "dualpipe":
        order = range(stages) if direction == 0 else reversed(range(stages))
        return [(stage, direction) for stage in order]
    return [(stage, chunk) for chunk in range(chunks) for stage in range(stages)]


@pytest.mark.parametrize(("schedule", "stages", "chunks", "micro_batches"), CASES)
def test_every_operation_runs_once_after_its_inputs_and_alone_on_its_stage(
    schedule: str, stages: int, chunks: int, micro_batches: int
) -> None:
    times, transfer = uneven(stages, chunks, seed=7), 0.3
    step = simulate_step(schedule=schedule, micro_batches=micro_batches, times=times, transfer_s=transfer)

    passes = stages * micro_batches * (1 if schedule == "dualpipe" else chunks)
    seen = set(
        zip(
            step.kind.tolist(),
            step.stage.tolist(),
            step.chunk.tolist(),
            step.micro_batch.tolist(),
            strict=True,
        )
    )
    assert len(seen) == step.kind.size
    count = np.bincount(step.kind, minlength=4)
    assert count[FORWARD] == passes
    assert count[INPUT_GRADIENT] + count[BACKWARD] == passes
    assert count[WEIGHT_GRADIENT] + count[BACKWARD] == passes

    ends = ends_of(step)
    start = dict(
        zip(
            zip(
                step.kind.tolist(),
                step.stage.tolist(),
                step.chunk.tolist(),
                step.micro_batch.tolist(),
                strict=True,
            ),
            step.start_s.tolist(),
            strict=True,
        )
    )
    for direction in (0, 1) if schedule == "dualpipe" else (0,):
        parts = parts_of(schedule, stages, chunks, direction)
        half = micro_batches // 2
        batches = (
            range(direction * half, (direction + 1) * half)
            if schedule == "dualpipe"
            else range(micro_batches)
        )
        for micro_batch, (before, after) in itertools.product(batches, itertools.pairwise(parts)):
            sent = transfer if before[0] != after[0] else 0.0
            assert start[FORWARD, *after, micro_batch] >= ends[True, *before, micro_batch] + sent - 1e-9
            back = start.get(
                (BACKWARD, *before, micro_batch), start.get((INPUT_GRADIENT, *before, micro_batch))
            )
            assert back is not None
            assert back >= ends[False, *after, micro_batch] + sent - 1e-9
        for micro_batch, place in itertools.product(batches, parts):
            late = start.get((WEIGHT_GRADIENT, *place, micro_batch))
            assert late is None or late >= ends[False, *place, micro_batch] - 1e-9

    for stage in range(stages):
        here = (step.stage == stage) & ~(step.paired & (step.kind == FORWARD))
        begin, end = step.start_s[here], step.end_s[here]
        assert np.all(begin[1:] >= end[:-1] - 1e-9)  # sorted by start: none begins before the last has ended
        assert step.busy_s[stage] == pytest.approx((end - begin).sum())
        assert step.busy_s[stage] + step.idle_s[stage] == pytest.approx(step.span_s)


@pytest.mark.parametrize(("schedule", "stages", "chunks", "micro_batches"), CASES)
def test_busy_time_is_the_work_whatever_the_order(
    schedule: str, stages: int, chunks: int, micro_batches: int
) -> None:
    times = uneven(stages, chunks, seed=3)
    none = np.zeros((stages, chunks))
    times = ChunkTimes(
        forward_s=times.forward_s,
        input_gradient_s=times.input_gradient_s,
        weight_gradient_s=times.weight_gradient_s,
        hidden_forward_s=none,
        hidden_backward_s=none,
    )
    step = simulate_step(schedule=schedule, micro_batches=micro_batches, times=times)
    each = micro_batches // 2 if schedule == "dualpipe" else micro_batches
    work = each * (times.forward_s + times.input_gradient_s + times.weight_gradient_s).sum(axis=1)
    assert step.busy_s == pytest.approx(work)
    assert step.span_s >= work.max() - 1e-9
    assert step.longest_stage_s <= step.span_s + 1e-9


def test_two_stages_and_two_micro_batches_by_hand() -> None:
    # stage 0: F0 0-1, F1 1-2, waits, B0 5-8, B1 9-12; stage 1: F0 1-2, B0 2-5, F1 5-6, B1 6-9
    step = simulated("1f1b", 2, 2, (1.0, 2.0, 1.0))
    first, last = step.stage == 0, step.stage == 1
    assert step.kind[first].tolist() == [FORWARD, FORWARD, BACKWARD, BACKWARD]
    assert step.start_s[first].tolist() == [0, 1, 5, 9]
    assert step.kind[last].tolist() == [FORWARD, BACKWARD, FORWARD, BACKWARD]
    assert step.start_s[last].tolist() == [1, 2, 5, 6]
    assert step.span_s == 12
    assert step.busy_s.tolist() == [8, 8]
    assert step.peak_chunks.tolist() == [2, 1]


def test_weight_gradients_fill_the_wait_by_hand() -> None:
    # stage 1: F0 1-2, B0 2-3, F1 3-4, B1 4-5, W0 5-6, W1 6-7, as stage 1 puts weight gradients one off
    # stage 0: F0 0-1, F1 1-2, B0 3-4, W0 4-5, B1 5-6, W1 6-7
    step = simulated("zb_h1", 2, 2, (1.0, 1.0, 1.0))
    first, last = step.stage == 0, step.stage == 1
    assert step.kind[first].tolist() == [
        0,
        0,
        INPUT_GRADIENT,
        WEIGHT_GRADIENT,
        INPUT_GRADIENT,
        WEIGHT_GRADIENT,
    ]
    assert step.start_s[first].tolist() == [0, 1, 3, 4, 5, 6]
    assert step.kind[last].tolist() == [
        0,
        INPUT_GRADIENT,
        0,
        INPUT_GRADIENT,
        WEIGHT_GRADIENT,
        WEIGHT_GRADIENT,
    ]
    assert step.span_s == 7


def test_order_of_megatron_cores_schedule_table() -> None:
    """The example in the comment of forward_backward_pipelining_with_interleaving: PP2 N3M5 with VP2."""
    times = even_times(stages=2, chunks=2, forward_s=2, input_gradient_s=2, weight_gradient_s=2)
    step = simulate_step(schedule="1f1b", micro_batches=5, times=times, group=3)
    forward = (step.stage == 1) & (step.kind == FORWARD)
    assert step.micro_batch[forward].tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 3, 4]
    assert step.chunk[forward].tolist() == [0, 0, 0, 1, 1, 1, 0, 0, 1, 1]
    backward = (step.stage == 1) & (step.kind == BACKWARD)
    assert step.micro_batch[backward].tolist() == [0, 1, 2, 0, 1, 2, 3, 4, 3, 4]
    assert step.chunk[backward].tolist() == [1, 1, 1, 0, 0, 0, 1, 1, 0, 0]
    before = step.start_s[forward] < step.start_s[backward][0]
    assert before.sum() == 0 * 2 + (2 - 1) * 3 + 1  # warm-up of the last rank, and the first forward of 1F1B


@pytest.mark.parametrize(
    ("schedule", "chunks", "micro_batches", "problem"),
    [
        ("gpipe", 1, 8, "is not a schedule"),
        ("1f1b", 1, 0, "at least 1 micro-batch"),
        ("zb_h1", 2, 8, "1 chunk per stage"),
        ("zb_v", 1, 8, "2 chunks per stage"),
        ("moe_overlap", 1, 8, "at least 2 chunks"),
        ("dualpipe", 2, 6, "at least 8"),
        ("dualpipe", 2, 9, "even number of at least 8"),
    ],
)
def test_refuses_what_implementations_refuse(
    schedule: str, chunks: int, micro_batches: int, problem: str
) -> None:
    times = even_times(stages=4, chunks=chunks, forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    with pytest.raises(ScheduleError, match=problem):
        simulate_step(schedule=schedule, micro_batches=micro_batches, times=times)


def test_refuses_groups_that_megatron_core_refuses() -> None:
    times = even_times(stages=4, chunks=2, forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    with pytest.raises(ScheduleError, match="4 to 9"):
        simulate_step(schedule="1f1b", micro_batches=9, times=times, group=3)
    with pytest.raises(ScheduleError, match="leave 1"):
        simulate_step(schedule="1f1b", micro_batches=9, times=times, group=4)


@pytest.mark.parametrize("stage_s", [(1.0, 1.0, 1.0), (1.0, 1.2, 0.8), (1.0, 2.0, 0.7)])
@pytest.mark.parametrize(("stages", "micro_batches"), [(2, 4), (4, 8), (8, 32)])
def test_published_bubbles(stages: int, micro_batches: int, stage_s: tuple[float, float, float]) -> None:
    f, b, w = stage_s
    size = (stages, micro_batches, stage_s)
    assert bubble(simulated("1f1b", *size), *size[1:]) == pytest.approx((stages - 1) * (f + b + w))
    for chunks in (2, 4):
        interleaved = simulated("1f1b", *size, chunks=chunks)
        assert bubble(interleaved, *size[1:]) == pytest.approx((stages - 1) / chunks * (f + b + w))
    assert bubble(simulated("zb_h1", *size), *size[1:]) == pytest.approx((stages - 1) * (f + b - w))


@pytest.mark.parametrize(("stages", "micro_batches"), [(2, 4), (4, 8), (8, 20), (16, 32)])
def test_published_bubble_of_dualpipe(stages: int, micro_batches: int) -> None:
    """Table 2 of arXiv 2412.19437: (pp / 2 - 1)(F&B + B - 3 W), B both gradients; pp + 1 activations."""
    stage_s = (1.0, 1.0, 0.8)  # the table is exact where F = B >= W
    step = simulated("dualpipe", stages, micro_batches, stage_s)
    published = (stages / 2 - 1) * (sum(stage_s) + stage_s[1] + stage_s[2] - 3 * stage_s[2])
    assert bubble(step, micro_batches, stage_s) == pytest.approx(published)
    assert step.peak_chunks.tolist() == [stages + 1] * stages


@pytest.mark.parametrize("stages", [2, 4, 8])
def test_zb_v_keeps_no_stage_waiting_where_all_passes_take_as_long(stages: int) -> None:
    """Section 6 of arXiv 2401.10241, each stage from its own start to its own end; memory as 1F1B."""
    micro_batches, stage_s = 3 * stages, (1.0, 1.0, 1.0)
    step = simulated("zb_v", stages, micro_batches, stage_s)
    assert step.longest_stage_s == pytest.approx(micro_batches * 3)
    assert bubble(step, micro_batches, stage_s) == pytest.approx((stages - 1) / 2)  # first start to last end
    assert step.peak_chunks.tolist() == [2 * stages] * stages


def test_pairs_hide_the_exchange_in_the_steady_state() -> None:
    """8 stages, 64 micro-batches: 1F1B pays all exchange, pairs only that of warm-up and cool-down."""
    stage_s, exchange = (1.0, 1.0, 1.0), (0.5, 0.5)
    size = (8, 64, stage_s)
    paid = simulated("1f1b", *size, chunks=2, exchange_s=exchange).span_s
    hidden = simulated("moe_overlap", *size, chunks=2, exchange_s=exchange).span_s
    assert paid == pytest.approx((64 + 7 / 2) * 4)
    assert hidden == pytest.approx((64 + 7 / 2) * 3 + 8 * 1)
    both_ways = simulated("dualpipe", *size, exchange_s=exchange).span_s
    assert both_ways < 0.8 * paid
    free = simulated("moe_overlap", *size, chunks=2).span_s
    assert free == pytest.approx(simulated("1f1b", *size, chunks=2).span_s)


def test_exchange_longer_than_compute_sets_the_pace_of_pairs() -> None:
    step = simulated("moe_overlap", 1, 101, (0.1, 0.1, 0.1), exchange_s=(1.0, 1.0))
    assert step.span_s == pytest.approx(100 * 2.0 + 2.3)  # pairs at the exchange, one micro-batch alone


def test_slowest_stage_sets_the_pace() -> None:
    times = even_times(stages=4, chunks=1, forward_s=1, input_gradient_s=1, weight_gradient_s=1)
    times.forward_s[3] = 1.5  # the output head
    span = {m: simulate_step(schedule="1f1b", micro_batches=m, times=times).span_s for m in (64, 65)}
    assert span[65] - span[64] == pytest.approx(3.5)
    assert span[64] == pytest.approx(64 * 3.5 + 3 * 3.0)


def sample_sizes(schedule: str) -> list[tuple[int, int, int]]:
    """Stages, chunks, micro-batches: the corners and a seeded sample of the grid."""
    rng = np.random.default_rng(len(schedule))
    stages = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32)
    micro = (1, 2, 3, 4, 6, 7, 8, 9, 13, 16, 17, 24, 31, 32, 33, 48, 63, 64, 100, 128)
    chunks = {"1f1b": (1, 2, 3, 4, 6, 8, 12), "moe_overlap": (2, 3, 4, 6, 8, 12)}.get(schedule, (1,))
    corners = itertools.product((1, 2, 32), (chunks[0], chunks[-1]), (1, 2, 33))
    drawn = [
        (int(rng.choice(stages)), int(rng.choice(chunks)), int(rng.choice(micro))) for _ in range(SAMPLES)
    ]
    sizes = [*corners, *drawn]
    if schedule == "dualpipe":
        sizes = [(2 * (p // 2 + p % 2), v, 4 * (p // 2 + p % 2) + 2 * (m // 2)) for p, v, m in sizes]
    return sizes


def shape_of(schedule: str, stages: int, chunks: int, micro_batches: int) -> dict[str, np.ndarray]:
    """Stages, chunks, micro-batches, group and schedule as the formulas take them."""
    v = 2 if schedule == "zb_v" else chunks
    counts = {
        "pipeline_parallel": np.array([float(stages)]),
        "virtual_stages": np.array([float(v)]),
        "micro_batches": np.array([float(micro_batches)]),
    }
    return counts | {"group": micro_batch_group(*counts.values()), "schedule": np.array([CODES[schedule]])}


def closed_form_s(
    schedule: str,
    stages: int,
    chunks: int,
    micro_batches: int,
    stage_s: tuple[float, float, float],
    exchange_s: tuple[float, float],
) -> float:
    """Time of a step as the step-time model has it: work, less what pairs hide, and the bubble."""
    shape = shape_of(schedule, stages, chunks, micro_batches)
    passes = {
        "forward_s": np.array([stage_s[0] + exchange_s[0]]),
        "input_gradient_s": np.array([stage_s[1] + exchange_s[1]]),
        "weight_gradient_s": np.array([stage_s[2]]),
    }
    hidden = min(sum(stage_s), sum(exchange_s))
    alone = sum(stage_s) + sum(exchange_s)
    stages_and_batches = {name: shape[name] for name in ("pipeline_parallel", "micro_batches")}
    by_chunk = stages_and_batches | {"virtual_stages": shape["virtual_stages"]}
    filling = filling_micro_batches(**{name: shape[name] for name in shape if name != "micro_batches"})
    pairs = paired_micro_batches(
        micro_batches=shape["micro_batches"], schedule=shape["schedule"], filling=filling
    )
    one_f_one_b = one_f_one_b_bubble_s(**by_chunk, mean_stage_s=np.array([alone]))
    bubble = {
        "1f1b": one_f_one_b,
        "zb_h1": zero_bubble_h1_bubble_s(**stages_and_batches, **passes),
        "zb_v": zero_bubble_v_bubble_s(**stages_and_batches, **passes),
        "dualpipe": dualpipe_bubble_s(
            pipeline_parallel=shape["pipeline_parallel"], hidden_s=np.array([hidden]), **passes
        ),
        "moe_overlap": overlapped_bubble_s(
            **by_chunk,
            filling=filling,
            one_f_one_b_s=one_f_one_b,
            forward_s=passes["forward_s"],
            mean_stage_s=np.array([alone]),
            hidden_s=np.array([hidden]),
        ),
    }[schedule]
    return float((micro_batches * alone - pairs * hidden + bubble)[0])


@pytest.mark.parametrize("schedule", CODES)
def test_closed_forms_hold_within_three_percent(schedule: str) -> None:
    rng = np.random.default_rng(11)
    errors = []
    for stages, chunks, micro_batches in sample_sizes(schedule):
        stage_s = (1.0, float(rng.uniform(0.7, 2.6)), float(rng.uniform(0.2, 1.6)))
        exchange = float(rng.uniform(0.0, 1.5))
        exchange_s = (exchange, exchange * float(rng.uniform(0.8, 1.2)))
        step = simulated(schedule, stages, micro_batches, stage_s, chunks=chunks, exchange_s=exchange_s)
        formula = closed_form_s(schedule, stages, chunks, micro_batches, stage_s, exchange_s)
        errors.append(formula / step.span_s - 1)
        assert abs(errors[-1]) < CLOSE, (stages, chunks, micro_batches, stage_s, exchange_s, errors[-1])
    if schedule in ("1f1b", "zb_h1"):
        assert max(map(abs, errors)) < 1e-9  # exact


@pytest.mark.parametrize("schedule", CODES)
def test_closed_forms_hold_the_activations_of_both_ends_exactly(schedule: str) -> None:
    for stages, chunks, micro_batches in sample_sizes(schedule):
        step = simulated(schedule, stages, micro_batches, (1.0, 1.0, 1.0), chunks=chunks)
        shape = shape_of(schedule, stages, chunks, micro_batches)
        ends = (float(chunks_in_flight(**shape)[0]), float(last_chunks_in_flight(**shape)[0]))
        assert (step.peak_chunks[0], step.peak_chunks[-1]) == ends, (stages, chunks, micro_batches)
        assert step.peak_chunks.max() == max(ends), (stages, chunks, micro_batches)


@pytest.mark.parametrize(
    ("stages", "chunks", "m"),
    [
        (2, 1, 16),
        (4, 1, 32),
        (8, 1, 64),
        (2, 2, 16),
        (4, 3, 32),
        (8, 2, 64),
        (8, 2, 1),
        (12, 4, 1),
        (9, 9, 2),
    ],
)
def test_closed_form_of_transfers(stages: int, chunks: int, m: int) -> None:
    """Sent beside compute: nothing of the steady state of interleaved stages is exposed; a lone micro-batch waits for
    every transfer there is."""
    now, later = (
        simulated("1f1b", stages, m, (1.0, 1.0, 0.8), chunks=chunks, transfer_s=sent).span_s
        for sent in (0.0, 0.01)
    )
    shape = shape_of("1f1b", stages, chunks, m)
    formula = pipeline_transfer_time_s(
        pipeline_parallel=shape["pipeline_parallel"],
        virtual_stages=shape["virtual_stages"],
        micro_batches=shape["micro_batches"],
        transfer_s=np.array([0.01]),
        exposed=np.zeros(1),
    )
    assert later - now == pytest.approx(float(formula[0]))
