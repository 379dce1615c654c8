"""Requests through one replica, event by event: cases by hand, limits, and what is conserved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.running.requests import (
    FIRST_TURN,
    LOST,
    Engine,
    Prefills,
    Seen,
    Turns,
    through_group,
    through_instance,
)


def engine(**changes: object) -> Engine:
    """Steps of 10 ms anyone who is there, 100 tokens of a prompt in 10 ms, 1,000 tokens a pass."""
    values: dict[str, object] = {
        "steps_s": np.full(65, 0.01), "tokens_per_step": 1.0, "places": 64, "data_parallel": 1, "own_s": 1e-4,
        "shared_s": 0.0, "weights_s": 0.0, "host_s": 0.0, "chunk_tokens": 1000.0, "share": 1.0, "overhead_s": 0.0,
    }  # fmt: skip
    return Engine(**(values | changes))  # type: ignore[arg-type]


def run(of: Engine, arrived: list[float], inputs: list[float], outputs: list[float]) -> Seen:
    return through_instance(
        of, arrived_s=np.array(arrived), input_tokens=np.array(inputs), output_tokens=np.array(outputs)
    )


def test_one_request_by_hand() -> None:
    """500 tokens take 50 ms, and ten further tokens 10 ms each."""
    seen = run(engine(overhead_s=0.02), [1.0], [500], [11])
    assert seen.ttft_s[0] == pytest.approx(0.05 + 0.02)
    assert seen.tpot_s[0] == pytest.approx(0.01)
    assert seen.end_to_end_s[0] == pytest.approx(0.05 + 0.02 + 0.1)


def test_a_reply_is_late_by_some_steps() -> None:
    plain, late = (run(engine(reply_steps=steps), [1.0], [500], [11]) for steps in (0.0, 0.5))
    assert late.ttft_s[0] == pytest.approx(plain.ttft_s[0] + 0.005)
    assert late.tpot_s[0] == pytest.approx(plain.tpot_s[0])


def test_a_prompt_holds_up_an_answer_by_hand() -> None:
    """The second prompt comes at 65 ms: it waits for the step that ends at 70, and its pass takes 10 + 30 ms."""
    seen = run(engine(), [0.0, 0.065], [500, 300], [11, 1])
    assert seen.ttft_s[1] == pytest.approx(0.070 + 0.040 - 0.065)
    assert seen.end_to_end_s[0] == pytest.approx(0.05 + 10 * 0.01 + 0.03)
    assert np.isnan(seen.tpot_s[1])


def test_a_long_prompt_takes_several_passes_by_hand() -> None:
    """2,500 tokens with 1,000 a pass: three passes; an answer alongside them gets a token in each."""
    seen = run(engine(), [0.0, 0.01], [100, 2500], [4, 1])
    assert seen.end_to_end_s[0] == pytest.approx(0.01 + 3 * 0.01 + 0.25)
    assert seen.ttft_s[1] == pytest.approx(0.28)


def test_prompts_share_a_pass_and_its_host_time_by_hand() -> None:
    """Two prompts wait while a third is prefilled, and are prefilled together: sqrt(30^2 + 40^2) = 50 ms."""
    seen = run(engine(host_s=0.04), [0.0, 0.001, 0.002], [300, 150, 150], [1, 1, 1])
    assert seen.end_to_end_s == pytest.approx([0.05, 0.099, 0.098])


def test_a_place_is_waited_for_by_hand() -> None:
    seen = run(engine(places=1), [0.0, 0.0], [100, 100], [11, 1])
    assert seen.ttft_s == pytest.approx([0.01, 0.01 + 10 * 0.01 + 0.01])


def test_replicas_of_attention_prefill_at_the_same_time() -> None:
    one, two = (
        run(engine(data_parallel=count), [0.0, 0.0], [500, 500], [1, 1]).ttft_s.max() for count in (1, 2)
    )
    assert one == pytest.approx(0.1)
    assert two == pytest.approx(0.05)


def test_a_group_by_hand() -> None:
    """Two prompts, one after the other on one prefill instance, then each on a decode instance of its own."""
    seen = through_group(
        engine(overhead_s=0.01), Prefills(instances=1, token_s=1e-4, further_token_s=0.0, transfer_s=0.005), 2,
        arrived_s=np.array([0.0, 0.0]), input_tokens=np.array([100.0, 200.0]), output_tokens=np.array([3.0, 3.0]),
    )  # fmt: skip
    assert seen.ttft_s == pytest.approx([0.01 + 0.015, 0.01 + 0.035])
    assert seen.tpot_s == pytest.approx([0.01, 0.01])


def test_no_request() -> None:
    assert run(engine(), [], [], []).ttft_s.size == 0


def test_a_queue_of_prompts_is_exactly_pollaczek_and_khinchine() -> None:
    """No answers, one prompt a pass: M/G/1 at 70 %, exponential lengths, waits 0.7 / 0.3 x 0.1 s."""
    rng = np.random.default_rng(5)
    count = 200_000
    tokens = rng.exponential(1000.0, count)
    of = engine(chunk_tokens=1e9, own_s=1e-4)
    arrived = np.cumsum(rng.exponential(1 / 7.0, count))
    # passes that hold one prompt alone: each replica of attention is a queue of its own, and this one has one
    alone = through_group(
        engine(), Prefills(instances=1, token_s=of.own_s, further_token_s=0.0, transfer_s=0.0), 1,
        arrived_s=arrived, input_tokens=tokens, output_tokens=np.ones(count),
    )  # fmt: skip
    assert np.mean(alone.ttft_s) == pytest.approx(0.1 / 0.3, rel=0.03)
    shared = through_instance(of, arrived_s=arrived, input_tokens=tokens, output_tokens=np.ones(count))
    assert np.mean(shared.ttft_s) > np.mean(alone.ttft_s)  # all of a pass end with its last


@given(seed=st.integers(0, 10_000), places=st.integers(1, 20), chunk=st.sampled_from([64.0, 512.0, 4096.0]))
def test_nobody_is_lost_and_nobody_is_faster_than_alone(seed: int, places: int, chunk: float) -> None:
    rng = np.random.default_rng(seed)
    count = 60
    of = engine(places=places, chunk_tokens=chunk, host_s=0.003, overhead_s=0.01)
    arrived = np.cumsum(rng.exponential(0.05, count))
    tokens, answers = np.ceil(rng.exponential(300.0, count)), np.ceil(rng.exponential(20.0, count))
    seen = through_instance(of, arrived_s=arrived, input_tokens=tokens, output_tokens=answers)
    assert np.isfinite(seen.end_to_end_s).all()
    assert (seen.running < places).all()
    alone = 0.01 + np.hypot(tokens * of.own_s, of.host_s)
    assert (seen.ttft_s >= alone - 1e-9).all() or chunk < tokens.max()
    assert (seen.ttft_s >= 0.01 + tokens * of.own_s - 1e-9).all()
    further = answers > 1
    assert (seen.tpot_s[further] >= 0.01 - 1e-9).all()
    assert seen.end_to_end_s == pytest.approx(
        np.where(further, seen.ttft_s + (answers - 1) * np.nan_to_num(seen.tpot_s), seen.ttft_s)
    )
    assert 0 < seen.prefill_share < 1


def session(turns: int, *, room: float, host: float = 0.0, gap: float = 1.0, count: int = 1) -> Seen:
    """Sessions that begin together 50 ms apart, of turns that add 200 tokens and answer 11."""
    rows = turns * count
    first = np.arange(count)
    # first turns of all sessions, then the second of all, and so on
    return through_instance(
        engine(),
        arrived_s=np.where(np.arange(rows) < count, 0.05 * np.arange(rows), np.inf),
        input_tokens=np.full(rows, 200.0),
        output_tokens=np.full(rows, 11.0),
        turns=Turns(
            session=np.tile(first, turns),
            after=np.where(np.arange(rows) < rows - count, np.arange(rows) + count, -1),
            gap_s=np.full(rows, gap),
            context_tokens=np.repeat(211.0 * np.arange(turns), count),
            room_tokens=(room, host),
            return_s=(0.0, 1e-3),
            found_work=1.0,
            lost_work=1.0,
            until_s=1e9,
        ),
    )


def test_turns_follow_the_answer_and_the_gap_by_hand() -> None:
    """200 tokens take 20 ms and ten further tokens 10 ms each; the next prompt comes a second later."""
    seen = session(3, room=1e6)
    assert seen.arrived_s == pytest.approx([0, 1.12, 2.24])
    assert seen.ttft_s == pytest.approx([0.02] * 3)
    assert seen.found_in is not None
    assert seen.found_in.tolist() == [FIRST_TURN, 0, 0]


def test_a_context_that_finds_no_room_is_computed_anew_or_comes_back_by_hand() -> None:
    lost, back = session(3, room=0.0), session(3, room=0.0, host=1e6)
    assert lost.found_in is not None
    assert back.found_in is not None
    assert lost.found_in.tolist() == [FIRST_TURN, LOST, LOST]
    assert lost.ttft_s == pytest.approx([0.02, 0.0411, 0.0622])
    assert back.found_in.tolist() == [FIRST_TURN, 1, 1]
    assert back.ttft_s == pytest.approx([0.02, 0.02 + 0.211, 0.02 + 0.422])


def test_the_least_recently_used_of_the_contexts_leaves() -> None:
    """Three sessions by turns and room for two contexts of one turn beside one that runs: all are pushed out in turn."""
    wide, narrow = (session(2, room=room, count=3) for room in (3 * 211 + 450.0, 1 * 211 + 10.0))
    assert wide.found_in is not None
    assert narrow.found_in is not None
    assert wide.found_in[3:].tolist() == [0, 0, 0]
    assert (narrow.found_in[3:] == LOST).sum() >= 2
