"""Hours of a demand: shifted clocks, places together, the busiest hour."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.demand_shapes import demand_shapes
from app.engine.performance.serving.demand_hours import (
    hours_peak_to_mean,
    place_weights,
    pod_weights,
    requests_of_hours_per_s,
    steepest_rise,
)
from app.engine.trace import Array
from tests.support import number

DAY = np.arange(24.0)


def place(offset: float, weights: Array = DAY) -> Array:
    return place_weights(weights=weights, clock_offset_h=np.array([offset]))[0]


def test_a_clock_ahead_has_its_hours_earlier() -> None:
    """At midnight of the shape's clock it is six o'clock there; half an hour is between two hours."""
    assert place(0) == pytest.approx(DAY / 11.5)
    assert place(6)[0] * 11.5 == pytest.approx(6)
    assert place(-6)[0] * 11.5 == pytest.approx(18)
    assert place(5.5)[0] * 11.5 == pytest.approx(5.5)
    assert place(24) == pytest.approx(place(0))


def test_three_places_eight_hours_apart_by_hand() -> None:
    """One busy hour of 24 in each: three, each a third as high."""
    weights = np.zeros(24)
    weights[12] = 1
    found = pod_weights(weights=weights, shares=np.full(3, 1 / 3), clock_offset_h=np.array([0.0, 8.0, -8.0]))
    assert found[[4, 12, 20]] == pytest.approx(8)
    assert found.sum() == pytest.approx(24)
    assert hours_peak_to_mean(weights=weights)[0] == pytest.approx(24)
    assert hours_peak_to_mean(weights=found)[0] == pytest.approx(8)


def test_places_keep_the_mean_and_never_raise_the_peak() -> None:
    """200 random shapes, places and clocks: what all ask for is what they ask for one by one, and not more uneven."""
    draws = np.random.default_rng(3)
    for _ in range(200):
        weights = draws.gamma(draws.uniform(0.2, 5), size=int(draws.choice([24, 168])))
        count = int(draws.integers(1, 6))
        shares = draws.dirichlet(np.ones(count))
        offsets = draws.uniform(-24, 24, count)
        found = pod_weights(weights=weights, shares=shares, clock_offset_h=offsets)
        assert found.mean() == pytest.approx(1)
        assert found.min() >= 0
        alone = hours_peak_to_mean(weights=weights)[0]
        assert 1 <= hours_peak_to_mean(weights=found)[0] <= alone * (1 + 1e-12)
        assert steepest_rise(weights=found)[0] <= steepest_rise(weights=weights)[0] * (1 + 1e-12)


def test_requests_of_an_hour() -> None:
    found = requests_of_hours_per_s(mean_requests_per_s=number(3), hour_weights=np.array([0.5, 1.5]))
    assert found == pytest.approx([1.5, 4.5])


def test_published_shapes_have_their_published_totals() -> None:
    """DeepSeek: 278 nodes at most and 226.75 in the mean; weekends of the Azure traces are quiet."""
    shapes = {name: np.array(shape.weights) for name, shape in demand_shapes().items()}
    day = shapes["consumer_day"]
    assert (day.max(), day.mean()) == (278, pytest.approx(226.75, abs=0.01))
    assert shapes["flat"].tolist() == [1]
    for name, weekend in (("coding_week", 0.3), ("conversation_week", 0.6)):
        days = shapes[name].reshape(7, 24).sum(axis=1)
        assert days.sum() == pytest.approx(168, rel=1e-2)
        assert days[5:].mean() < weekend * days[:5].mean() * 1.2
        assert days[5:].max() < days[:5].min()
