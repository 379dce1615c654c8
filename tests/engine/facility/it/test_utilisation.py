"""How far jobs load their nodes: measured nodes, the step's busy share, limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.it.utilisation import power_utilisation
from tests.engine.facility.cases import defaults
from tests.support import number

SMC = "MLPerf Training v4.0, Supermicro power submission, nodes of 10.2 kW"
DELL = "MLPerf Training v4.1, Dell power submission, nodes of 10.2 kW"
LENOVO = "MLPerf Training v5.0, Lenovo power submission, nodes of 14.3 kW"
SERVED = "MLPerf Inference v5.1, Lenovo power submissions, nodes of 14.3 kW"


AUTO = defaults(load_profile="auto")


def _stated(profile):
    return power_utilisation(profile, None, defaults(load_profile=profile))[0]


def _auto(busy):
    share = None if busy is None else number(busy)
    return power_utilisation("auto", share, AUTO)[0]


@pytest.mark.parametrize(
    ("measured_kw", "rated_kw", "profile", "source"),
    [
        (6.85, 10.2, "large_batch", f"{SMC}: GPT-3 on 64"),
        (6.97, 10.2, "large_batch", f"{SMC}: LoRA on 1"),
        (5.09, 10.2, "strong_scaled", f"{SMC}: LoRA on 64"),
        (10.4, 14.3, "serving", f"{SERVED}: Llama 2 70B, offline, air"),
        (10.44, 14.3, "serving", f"{SERVED}: Llama 2 70B, server, air"),
        (9.89, 14.3, "serving", f"{SERVED}: Llama 3.1 405B, offline, liquid"),
        (9.57, 14.3, "serving", f"{SERVED}: Llama 3.1 405B, server, liquid"),
        (9.44, 14.3, "serving", f"{SERVED}: Llama 3.1 8B, offline, liquid"),
    ],
)
def test_nodes_that_the_defaults_are_made_of(measured_kw, rated_kw, profile, source):
    assert rated_kw * _stated(profile) == pytest.approx(measured_kw, rel=0.07), source


@pytest.mark.parametrize(
    ("measured_kw", "rated_kw", "source"),
    [
        (7.2, 10.2, f"{DELL}: Llama 2 70B LoRA on 8"),
        (9.57, 14.3, f"{LENOVO}: Llama 2 70B LoRA"),
        (9.69, 14.3, f"{LENOVO}: BERT"),
        (9.57, 14.3, f"{LENOVO}: RetinaNet"),
        (10.05, 14.3, f"{LENOVO}: Stable Diffusion"),
    ],
)
def test_nodes_that_the_defaults_have_not_seen(measured_kw, rated_kw, source):
    assert rated_kw * _stated("large_batch") == pytest.approx(measured_kw, rel=0.07), source
    assert rated_kw * _auto(0.95) == pytest.approx(measured_kw, rel=0.07), source


def test_a_fine_tuning_run_that_is_scaled_out_loses_power_as_it_loses_throughput():
    """LoRA on 1 and 8 nodes, 6.97 and 5.81 kW: throughput for each accelerator fell to 0.728.

    2,207 and 1,607 tokens/s (MLPerf Training v4.0, NVIDIA, the same job on 8 and on 64 accelerators).
    """
    alone = 0.65  # of the step, where a single node reaches what it drew
    assert 10.2 * _auto(alone) == pytest.approx(6.97, rel=0.05)
    assert 10.2 * _auto(alone * 1606.96 / 2206.94) == pytest.approx(5.81, rel=0.05)


def test_mean_over_the_step_by_hand():
    assert _auto(0.5) == pytest.approx(0.5 * 0.85 + 0.5 * 0.34)
    assert _auto(0) == pytest.approx(0.34)


def test_usual_waiting_does_not_show():
    """Nodes that compute 0.71 of their step and more draw what large-batch jobs were measured at."""
    assert _auto(0.71) == _auto(1) == _stated("large_batch") == 0.70


def test_jobs_whose_step_nobody_knows_are_taken_as_measured():
    assert _auto(None) == 0.70


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_computing_never_draws_less(one, other):
    less, more = sorted((one, other))
    assert 0.34 <= _auto(less) <= _auto(more) <= 0.70


def test_a_stated_profile_is_not_asked_for_its_step():
    a = defaults(load_profile="strong_scaled")
    assert power_utilisation("strong_scaled", number(1.0), a)[0] == 0.50


def test_a_job_that_no_layout_can_run_is_taken_for_a_large_batch_one():
    assert _auto(float("nan")) == 0.70
