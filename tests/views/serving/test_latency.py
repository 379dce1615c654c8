"""Latency vs load: the scenario's own point, the knee, and what breaks."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.scenarios.errors import ScenarioError
from app.views.serving.latency import latency_view
from app.views.serving.sizing import sizing_view
from tests.support import read_example
from tests.views.serving.cases import RACK, changed, evaluated, example


@pytest.mark.parametrize("key", ["deepseek_r1_on_8_h200", RACK])
def test_the_point_of_the_scenario_is_that_of_its_evaluation(key: str) -> None:
    view, performance = latency_view(example(key)), example(key).evaluation.sections.performance
    here = view.here
    for name in (
        "concurrency",
        "requests_per_s",
        "ttft_s",
        "tpot_s",
        "ttft_within_s",
        "tpot_within_s",
        "batch",
    ):
        assert getattr(here, name) == pytest.approx(float(getattr(performance, name)[0]), rel=1e-9), name
    assert here in view.points


@pytest.mark.parametrize("key", ["deepseek_r1_on_8_h200", RACK])
def test_the_most_that_keeps_is_that_of_the_engine(key: str) -> None:
    view, performance = latency_view(example(key)), example(key).evaluation.sections.performance
    assert view.at_most is not None
    assert view.at_most.requests_per_s == pytest.approx(float(performance.requests_per_s_limit[0]))
    assert view.at_most.keeps
    assert view.breaks in ("ttft", "tpot", "prefill", "memory")


def test_loads_rise_and_nothing_gets_faster_with_them() -> None:
    points = latency_view(example()).points
    assert [point.concurrency for point in points] == sorted({point.concurrency for point in points})
    assert all(after.tpot_s >= before.tpot_s * (1 - 1e-9) for before, after in pairwise(points))
    # Of the queue a little may go where a second prompt that waits shares a pass.
    assert all(after.ttft_s >= before.ttft_s * (1 - 1e-3) for before, after in pairwise(points))


def test_no_load_has_more_throughput_over_response_time_than_the_knee() -> None:
    view = latency_view(example())
    knee = view.knee.requests_per_s / view.knee.end_to_end_s
    within = [point for point in view.points if point.concurrency <= view.memory_holds]
    assert knee >= max(point.requests_per_s / point.end_to_end_s for point in within) * (1 - 1e-3)


def test_parts_of_a_token_sum_to_its_time() -> None:
    for time in latency_view(example()).token_times:
        assert sum(time.parts_s.values()) == pytest.approx(time.tpot_s)


def test_what_ends_the_load_is_named() -> None:
    strict = {"ttft_s": 1e-3, "tpot_s": 0.05}
    assert latency_view(changed(service_level=strict)).breaks == "none"
    assert latency_view(changed(service_level=strict)).at_most is None
    assert latency_view(changed(service_level=None)).breaks == "memory"
    assert latency_view(changed(service_level={"tpot_s": 0.03})).breaks == "tpot"


def test_prefill_that_takes_no_more_prompts_is_named_as_the_sizing_names_it() -> None:
    groups = {
        "prefill": {"dp": 4, "ep": 4, "instances": 2},
        "decode": {"dp": 48, "ep": 48, "redundant_experts": 32},
    }
    few = changed(RACK, layout=groups)
    assert latency_view(few).breaks == sizing_view(few).binds == "prefill"


def test_where_the_load_comes_from() -> None:
    assert latency_view(example()).load_from == "stated"
    assert latency_view(changed(concurrency="auto")).load_from == "demand"
    free = latency_view(changed(concurrency="auto", demand=None))
    assert free.load_from == "promise"
    assert free.at_most is not None
    assert free.here.requests_per_s == pytest.approx(free.at_most.requests_per_s)


def test_a_job_that_trains_is_refused_in_words() -> None:
    with pytest.raises(ScenarioError, match="Latency vs load is of models that answer requests"):
        latency_view(evaluated(read_example("edge_node")))


def test_each_length_of_guesses_has_its_gain() -> None:
    """The length of the scenario has the time per token of the evaluation; the found one is the shortest."""
    view = latency_view(changed(speculation={"tokens": 2}, demand=None, concurrency=8, arrivals="steady"))
    now = view.guess_lengths[view.guessed_tokens]
    assert now.tpot_s == pytest.approx(view.here.tpot_s)
    assert view.guess_lengths[0].gain == 1
    auto = latency_view(
        changed(speculation={"tokens": "auto"}, demand=None, concurrency=8, arrivals="steady")
    )
    assert auto.guessed_tokens == min(auto.guess_lengths, key=lambda one: one.tpot_s).tokens > 0


def test_classes_of_requests_are_shown_at_the_load_of_the_scenario() -> None:
    own = {"input_tokens": 2000, "output_tokens": 500}
    classes = [
        {"name": "Short", "share": 0.8, **own},
        {"name": "Long", "share": 0.2, "input_tokens": 16000, "output_tokens": 500},
    ]
    view = latency_view(changed(requests={"classes": classes}))
    short, long = view.classes
    assert (short.name, short.share, long.input_tokens) == ("Short", 0.8, 16000)
    assert long.ttft_s > short.ttft_s
    assert long.end_to_end_s > short.end_to_end_s
    for one in view.classes:
        assert one.ttft_p95_s > one.ttft_s
        assert one.within_promise is not None
        assert 0 <= one.within_promise <= 1
    mean = sum(one.share * one.ttft_s for one in view.classes)
    assert mean == pytest.approx(view.here.ttft_s, rel=0.02)
    assert latency_view(example()).classes == ()
