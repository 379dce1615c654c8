"""Hot spares: published counts, limits and monotony."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.operations.spares import (
    availability,
    shortage_probability,
    spare_coverage,
    spare_supernodes_recommended,
    supernodes_in_repair,
    waiting_s,
)
from tests.support import number


def recommended(supernodes: float, rate: float, days: float, confidence: float = 0.99) -> float:
    away = supernodes_in_repair(
        supernodes_used=number(supernodes),
        nodes_per_supernode=number(1),
        failures_per_node_day=number(rate),
        repair_days=number(days),
    )
    return float(
        spare_supernodes_recommended(
            supernodes_in_repair=away, idle_supernodes=number(0), confidence=number(confidence)
        )[0]
    )


@pytest.mark.parametrize(
    ("supernodes", "rate", "days", "spares"),
    [(2048, 3.79e-3, 1, 15), (2048, 6.5e-3, 3, 55), (128, 6.5e-3, 3, 7), (32, 6.5e-3, 3, 3)],
)
def test_worked_counts(supernodes: float, rate: float, days: float, spares: float) -> None:
    assert recommended(supernodes, rate, days) == spares


def test_limits() -> None:
    assert recommended(2048, 0.0, 1) == 0
    assert np.isnan(recommended(np.nan, 5e-3, 1))
    none = {"supernodes_in_repair": number(2), "spare_supernodes": number(0), "idle_supernodes": number(0)}
    assert shortage_probability(**none)[0] == 1
    assert availability(**none, supernodes_used=number(100))[0] == pytest.approx(0.98)
    many = none | {"spare_supernodes": number(100)}
    assert availability(**many, supernodes_used=number(100))[0] == pytest.approx(1)
    assert spare_coverage(**many)[0] == pytest.approx(1)


def test_idle_supernodes_are_spares() -> None:
    away = number(10.24)
    counts = [
        spare_supernodes_recommended(
            supernodes_in_repair=away, idle_supernodes=number(idle), confidence=number(0.99)
        )[0]
        for idle in (0, 10, 100)
    ]
    assert counts == [18, 8, 0]


@given(spares=st.integers(0, 60), away=st.floats(0.01, 40))
def test_a_spare_more_never_hurts(spares: int, away: float) -> None:
    def wait(count: int) -> tuple[float, float]:
        pool = {
            "supernodes_in_repair": number(away),
            "spare_supernodes": number(count),
            "idle_supernodes": number(0),
        }
        time = waiting_s(
            shortage_probability=shortage_probability(**pool),
            repair_days=number(1),
            spare_supernodes=number(count),
            idle_supernodes=number(0),
            node_failures_per_day=number(10),
            failures_per_day=number(12),
        )
        return float(time[0]), float(availability(**pool, supernodes_used=number(2048))[0])

    (time, share), (less_time, more_share) = wait(spares), wait(spares + 1)
    assert less_time <= time
    assert more_share >= share - 1e-12


@pytest.mark.slow
def test_probabilities_are_those_of_the_poisson_distribution():
    from scipy.stats import poisson  # slow to import, so only here

    from app.engine.operations.spares import _at_most, _more_than, _smallest_enough

    count, mean = np.meshgrid(np.arange(-1.0, 60.0), [1e-9, 0.01, 0.7, 7.75, 40.0, 2000.0])
    np.testing.assert_allclose(_at_most(count, mean), poisson.cdf(count, mean), rtol=1e-9)
    np.testing.assert_allclose(_more_than(count, mean), poisson.sf(count, mean), rtol=1e-9)
    for probability in (0.5, 0.99, 0.9999):
        np.testing.assert_array_equal(
            _smallest_enough(np.full(6, probability), mean[:, 0]), poisson.ppf(probability, mean[:, 0])
        )
    assert _smallest_enough(np.full(1, 0.99), np.zeros(1)) == 0
