"""A demand of a workload that has the pod for a share of the day: what its hours must bear, and what is warned of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.evaluation import Evaluation
from app.engine.problems import Problem
from tests.scenarios.shared_pod.cases import SERVING, TRAINING, evaluated, other

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

A_DAY = {"tokens_per_day": 86_400 * 1536 * 3.0}  # 3 requests a second


def shared(by: str, demand: dict[str, Any], share: float = 0.25, **workload: Any) -> Evaluation:
    asked = {**SERVING, "concurrency": "auto", "demand": demand, **workload}
    return evaluated(by, other(share, workload=asked)).evaluation


def served_per_s(found: Evaluation) -> float:
    performance = found.sections.workloads[1].performance
    return float(np.ravel(performance.requests_per_s)[0])


def warned(found: Evaluation) -> list[Problem]:
    return [one for one in found.problems if one.constraint == "availability"]


def test_tokens_of_a_day_are_borne_in_the_hours_of_their_workload() -> None:
    """A quarter of the day, and no more at the peak than the mean: four times as many a second."""
    steady = {"peak_to_mean": 1}
    by_day = served_per_s(shared("day", A_DAY | steady))
    assert by_day == pytest.approx(12, rel=0.02)
    assert served_per_s(shared("pod", A_DAY | steady)) == pytest.approx(3, rel=0.02)
    assert served_per_s(shared("day", {"requests_per_s": 3} | steady)) == pytest.approx(3, rel=0.02)


def test_explained_as_evaluated() -> None:
    asked = {**SERVING, "concurrency": "auto", "demand": A_DAY}
    found = evaluated("day", other(workload=asked))
    tree = found.explain("workloads[1].performance.requests_per_s")
    assert tree["value"] == pytest.approx(served_per_s(found.evaluation))


def test_a_share_of_the_day_below_the_promised_availability_is_warned_of() -> None:
    (told,) = warned(shared("day", A_DAY))
    assert told.kind == "warning"
    assert told.field == "sharing.others[0].workload.service_level.availability"
    assert (told.value, told.limit) == (pytest.approx(0.25, abs=0.01), 0.999)
    assert "sharing by pod" in told.message
    assert not warned(shared("pod", A_DAY))
    assert not warned(shared("day", A_DAY, service_level={"availability": 0.2}))


def test_the_first_workload_is_warned_of_at_its_own_field() -> None:
    first = {**SERVING, "concurrency": "auto", "demand": A_DAY}
    found = evaluated("day", other(0.4, workload=TRAINING), workload=first).evaluation
    (told,) = warned(found)
    assert told.field == "workload.service_level.availability"
    assert told.value == pytest.approx(0.6, abs=0.01)


def test_where_nothing_is_asked_nothing_is_promised() -> None:
    assert not warned(evaluated("day", other()).evaluation)
