"""Memory against batch: parts that sum up, and the batch that fits."""

from __future__ import annotations

import pytest

from app.scenarios.serving_views.memory import memory_view
from tests.scenarios.serving_views.cases import RACK, changed, example


@pytest.mark.parametrize("key", ["deepseek_r1_on_8_h200", RACK])
def test_the_point_of_the_scenario_and_its_limit_are_those_of_the_evaluation(key: str) -> None:
    view, performance = memory_view(example(key)), example(key).evaluation.sections.performance
    assert view.here.memory_bytes == pytest.approx(float(performance.memory_per_accelerator_bytes[0]))
    assert view.batch_limit == float(performance.batch_limit[0])


def test_parts_sum_and_the_limit_divides_what_fits_from_what_does_not() -> None:
    view = memory_view(example())
    for point in view.points:
        assert sum(point.parts_bytes.values()) == pytest.approx(point.memory_bytes)
        assert point.fits == (point.batch <= view.batch_limit)
    assert not view.points[-1].fits


def test_one_more_sequence_takes_what_the_line_rises_by() -> None:
    view = memory_view(example())
    first, last = view.points[0], view.points[-1]
    assert first.parts_bytes["kv_cache"] == 0
    assert last.memory_bytes == pytest.approx(first.memory_bytes + last.batch * view.bytes_per_sequence)


def test_a_model_that_does_not_fit_is_shown_as_such() -> None:
    view = memory_view(changed(precision="bf16"))
    assert view.batch_limit < 1
    assert not any(point.fits for point in view.points)
    assert view.binds == "weights"
