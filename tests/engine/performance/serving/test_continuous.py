"""Formulas of continuous batching at random times: limits by hand, and what must hold of any instance."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.continuous import Instance, requests_per_s, waits_of
from app.engine.performance.serving.prefill import PassTimes
from app.engine.trace import Array

PLENTY = np.full(1, 1e9)


def instance(**changes: float) -> Instance:
    """Steps of 10 ms; one prompt of 1,000 tokens fills a pass and takes 0.1 s, all prompts and answers alike."""
    values = {
        "step_s": 0.01, "step_elasticity": 0.0, "steps": 99.0, "alone_s": 0.1, "data_parallel": 1.0,
        "input_variation": 0.0, "output_variation": 0.0, "share": 1.0, "return_s": 0.0, "own_s": 0.1, "shared_s": 0.0,
        "weights_s": 0.0, "host_s": 0.0, "tokens": 1000.0, "chunk_tokens": 1000.0,
    } | changes  # fmt: skip
    arrays = {name: np.full(1, value) for name, value in values.items()}
    passes = {name: arrays.pop(name) for name in PassTimes.__dataclass_fields__}
    return Instance(passes=PassTimes(**passes), **arrays)


def at(rate: float, of: Instance, prompts: float = 1.0) -> dict[str, float]:
    found = waits_of(of, np.full(1, rate), np.full(1, prompts), PLENTY)
    return {name: float(np.ravel(getattr(found, name))[0]) for name in found.__dataclass_fields__}


def test_one_prompt_a_pass_by_hand() -> None:
    """5 prompts a second of 0.1 + 0.01 s: M/G/1 at 55 %; half of the time is prefill, so that a step takes twice as long.

    W / (1 - rho): a fifth of what a prompt waits brings one of 0.1 s, in the share of passes that hold none.
    """
    found = at(5, instance())
    assert found["utilisation"] == pytest.approx(0.55)
    wait = 5 * 0.11**2 / (2 * 0.45)
    assert found["queue_s"] == pytest.approx(wait)
    share = 5 * 0.01 / (1 - 5 * 0.1)
    behind = (1 - share) * 5 * (wait + 0.11) * 0.1 / 0.5
    worked = -np.expm1(-99 * (1 - share) * 0.1 / behind)
    assert found["held_up_s"] == pytest.approx(0.01 + behind * worked / 99)


def test_nobody_else() -> None:
    found = at(1e-9, instance())
    for name in ("met_s", "queue_s", "place_s", "held_up_s", "utilisation"):
        assert found[name] == pytest.approx(0, abs=1e-6)


def test_prompts_that_share_a_pass_share_its_host_time() -> None:
    """Passes with room for many: the host's 50 ms are paid once a pass, so that twice the prompts cost less than twice."""
    of = instance(tokens=10.0, own_s=1e-4, host_s=0.05, alone_s=0.05)
    few, many = (requests_per_s(of, np.full(1, count)) for count in (4.0, 40.0))
    assert many[1][0] > few[1][0] >= 1
    each = [at(float(rate[0]), of, float(prompts[0]))["prefill_s"] for rate, prompts in (few, many)]
    assert each[1] < each[0]


def test_the_rate_is_that_of_littles_law() -> None:
    of = instance(step_elasticity=0.5)
    for count in (0.01, 1.0, 5.0):
        rate, prompts = requests_per_s(of, np.full(1, count))
        found = at(float(rate[0]), of, float(prompts[0]))
        in_service = float(rate[0]) * (0.1 + 99 * (0.01 + found["held_up_s"]))
        assert in_service == pytest.approx(count, rel=1e-3)


def drawn(rng: np.random.Generator) -> Instance:
    """Any instance: tokens from a hundredth of a chunk to ten, bound by host or accelerator, with or without replicas."""
    prefill = 10 ** rng.uniform(-3, 0)
    shared = rng.choice([0.0, rng.uniform(0, 1)])
    replicas = float(rng.choice([1, 1, 2, 8, 64]))
    return instance(
        step_s=10 ** rng.uniform(-3, -1), step_elasticity=rng.uniform(0, 1), steps=10 ** rng.uniform(0, 3.5),
        alone_s=prefill, data_parallel=replicas, input_variation=float(rng.choice([0, 0.5, 1, 2])),
        output_variation=float(rng.choice([0, 0.5, 1, 2])), share=rng.uniform(0.8, 1.2),
        own_s=prefill * (1 - shared), shared_s=prefill * shared / replicas, weights_s=prefill * rng.uniform(0, 1),
        host_s=10 ** rng.uniform(-4, -1), tokens=8192 * 10 ** rng.uniform(-2, 1), chunk_tokens=8192.0,
    )  # fmt: skip


@pytest.mark.slow
def test_what_holds_of_three_hundred_random_instances() -> None:
    """Nothing is negative or unknown; more in service bring more requests, and each waits no less."""
    rng = np.random.default_rng(21)
    load: Array = np.geomspace(1e-3, 300, 40)
    for _ in range(300):
        of = drawn(rng)
        rate, prompts = requests_per_s(of, load)
        found = waits_of(of, rate, prompts, np.full(1, 400.0))
        for name in found.__dataclass_fields__:
            values = np.broadcast_to(getattr(found, name), load.shape)
            assert np.isfinite(values).all(), (name, of)
            assert (values >= -1e-12).all(), (name, of)
        assert (np.diff(rate) >= -1e-9 * rate[1:]).all(), of
        assert (np.diff(found.utilisation) >= -1e-9).all(), of
        assert (np.diff(found.queue_s) >= -1e-9).all(), of
        assert (prompts >= 1).all(), of
        assert (found.utilisation <= 1 + 1e-6).all(), of
