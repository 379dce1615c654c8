"""Measured traces: three ways to write them, what cannot be read, and what a prefix cache finds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app.scenarios.errors import ScenarioError
from app.views.serving.simulated import SimulationOptions, simulated_view
from app.views.serving.simulated_requests import BLOCK_TOKENS, arrivals, found_tokens, read_trace
from tests.views.serving.test_simulated import DEPLOYMENTS, deployed

OWN = "arrived_s,input_tokens,output_tokens\n10,100,20\n12.5,0,1\n11,300,40\n"
AZURE = (
    "TIMESTAMP,ContextTokens,GeneratedTokens\n"
    "2023-11-16 18:15:46.6805900,374,44\n"
    "2023-11-16 18:15:50.9951690,396,109\n"
    "2024-05-10 00:00:00.009930+00:00,12,7\n"
)


def mooncake(rows: list[tuple[int, int, int, list[int]]]) -> str:
    return "\n".join(
        json.dumps({"timestamp": at, "input_length": long, "output_length": out, "hash_ids": blocks})
        for at, long, out, blocks in rows
    )


def test_columns_of_this_product_in_any_order() -> None:
    trace = read_trace(OWN, "trace")
    assert trace.arrived_s.tolist() == [0, 1, 2.5]
    assert trace.input_tokens.tolist() == [100, 300, 1]  # an empty prompt is one token
    assert trace.output_tokens.tolist() == [20, 40, 1]
    assert trace.blocks is None


def test_an_azure_trace_with_and_without_a_zone() -> None:
    trace = read_trace(AZURE, "trace")
    assert trace.arrived_s[1] == pytest.approx(4.314579, abs=1e-5)
    assert trace.input_tokens.tolist() == [374, 396, 12]


def test_a_mooncake_trace() -> None:
    trace = read_trace(mooncake([(0, 1000, 10, [1, 2]), (500, 1600, 20, [1, 2, 3, 9])]), "trace")
    assert trace.arrived_s.tolist() == [0, 0.5]
    assert trace.blocks == ((1, 2), (1, 2, 3, 9))


def test_what_a_cache_finds_by_hand() -> None:
    """Blocks are found from the start on, as long as they were not pushed out; the last token is always computed."""
    trace = read_trace(
        mooncake(
            [
                (0, 1024, 1, [1, 2]),
                (1, 1024, 1, [1, 2]),
                (2, 1500, 1, [1, 7, 2]),
                (3, 512, 1, [4]),
                (4, 1024, 1, [1, 2]),
            ]
        ),
        "trace",
    )
    assert found_tokens(trace, 100 * BLOCK_TOKENS).tolist() == [0, 1023, 512, 0, 1023]
    assert found_tokens(trace, 3 * BLOCK_TOKENS).tolist() == [
        0,
        1023,
        512,
        0,
        0,
    ]  # block 1 went as block 4 came
    assert found_tokens(trace, 0).tolist() == [0] * 5


def test_a_larger_cache_finds_no_less() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for at in range(300):
        kind, blocks = int(rng.integers(40)), int(rng.integers(1, 9))
        rows.append((at, 512 * blocks, 10, [kind * 10 + one for one in range(blocks)]))
    trace = read_trace(mooncake(rows), "trace")
    shares = [found_tokens(trace, size * BLOCK_TOKENS).sum() for size in (0, 10, 40, 100, 1000)]
    assert shares == sorted(shares)
    assert shares[-1] > 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("a,b\n1,2\n", "has no column arrived_s"),
        ("arrived_s,input_tokens,output_tokens\n1,2,3\n", "has 1 requests, and two are needed"),
        ("arrived_s,input_tokens,output_tokens\n1,2,3\n2,x,3\n", "line 3"),
        ("arrived_s,input_tokens,output_tokens\n1,2,3\n2,nan,3\n", "which is no number"),
        ("arrived_s,input_tokens,output_tokens\n1,2,3\n2,-5,3\n", "not from 0 to"),
        ("arrived_s,input_tokens,output_tokens\n1,2,3\n2,5\n", "has 2 cells, and 3 columns"),
        ("TIMESTAMP,ContextTokens,GeneratedTokens\nyesterday,1,1\n", "neither seconds nor a date"),
        ('{"timestamp": 1, "input_length": 5', "is not a line of JSON"),
        ('{"timestamp": 1, "output_length": 5}', "has input_length 'None'"),
        ('{"timestamp": 1, "input_length": 5, "output_length": 5, "hash_ids": "x"}', "hash_ids"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_trace(text, "trace")
    fault = caught.value.errors[0]
    assert words in str(fault)
    assert fault.path == "trace"


def test_a_replayed_trace_says_what_came() -> None:
    rng = np.random.default_rng(4)
    rows = [
        f"{at:.3f},{rng.integers(200, 3000)},{rng.integers(5, 400)}"
        for at in np.cumsum(rng.exponential(0.4, 600))
    ]
    text = "arrived_s,input_tokens,output_tokens\n" + "\n".join(rows)
    view = simulated_view(deployed(DEPLOYMENTS[3]), SimulationOptions(trace=text))
    assert view.requests == 600
    assert view.requests_per_s == pytest.approx(2.5, rel=0.1)
    assert view.arrival_variation == pytest.approx(1, abs=0.15)
    assert view.cut_from_minutes is None
    assert view.found_share is None
    difference = {f"{row.of} {row.measure}": row.difference for row in view.rows}
    assert abs(difference["tpot mean"]) < 0.15
    assert abs(difference["ttft mean"]) < 0.15


def test_a_trace_that_ends_before_each_replica_had_two() -> None:
    with pytest.raises(ScenarioError, match="fewer than two"):
        simulated_view(
            deployed(DEPLOYMENTS[3]), SimulationOptions(trace=OWN.replace("12.5", "10").replace("11", "10"))
        )


@pytest.mark.parametrize("variation", [0, 1, 10])
def test_arrivals_fill_their_time_at_their_rate(variation: float) -> None:
    """However bursty: an hour does not end before its time as a burst used up the numbers drawn."""
    for seed in range(20):
        arrived = arrivals(2.0, 3600.0, 100.0, variation, seed)
        assert arrived[0] >= -100
        assert arrived[-1] < 3700
        assert (np.diff(arrived) >= 0).all()
        assert arrived[-1] > 3000 or variation == 10
        if variation < 10:
            assert arrived.size == pytest.approx(2 * 3800, rel=0.1)
    sizes = [arrivals(2.0, 3600.0, 100.0, variation, seed).size for seed in range(40)]
    assert np.mean(sizes) == pytest.approx(2 * 3800, rel=0.15)


def test_a_trace_of_other_lengths_takes_its_own_steps_and_passes() -> None:
    """Prompts four times as long as the scenario's and answers half as long: formulas and simulation agree on them."""
    rng = np.random.default_rng(6)
    rows = [
        f"{at:.3f},{rng.integers(4000, 12000)},{rng.integers(50, 450)}"
        for at in np.cumsum(rng.exponential(1.5, 4000))
    ]
    text = "arrived_s,input_tokens,output_tokens\n" + "\n".join(rows)
    view = simulated_view(deployed(DEPLOYMENTS[3]), SimulationOptions(trace=text))
    difference = {f"{row.of} {row.measure}": row.difference for row in view.rows}
    assert abs(difference["tpot mean"]) < 0.1
    assert abs(difference["ttft mean"]) < 0.12
