"""Interruption rates against published fleets."""

import numpy as np
import pytest

from app.engine.operations.failures import failures_per_day, mtbf_s, node_failures_per_day, nodes_used
from tests.support import number


def hours(nodes: float, node_rate: float, job_rate: float = 0.0) -> float:
    by_node = node_failures_per_day(nodes=number(nodes), failures_per_node_day=number(node_rate))
    rate = failures_per_day(node_failures_per_day=by_node, job_failures_per_day=number(job_rate))
    return float(mtbf_s(failures_per_day=rate)[0]) / 3600


def test_llama_3_interruptions() -> None:
    # 419 unexpected interruptions in 54 days on 2,048 hosts: 3.093 h (arXiv 2407.21783, table 5).
    assert hours(2048, 419 / 54 / 2048) == pytest.approx(3.093, abs=0.001)


@pytest.mark.parametrize(("accelerators", "published_h"), [(16384, 1.8), (131072, 0.23)])
def test_rsc_projection(accelerators: int, published_h: float) -> None:
    # 6.5 failures per 1,000 node-days, projected by Kokolis et al. (arXiv 2410.21680).
    assert hours(accelerators / 8, 6.5e-3) == pytest.approx(published_h, rel=0.03)


def test_job_level_rate_explains_the_measured_thousand() -> None:
    # 7.9 h measured at 1,024 accelerators, where hosts alone would give 28.8 h.
    assert hours(128, 6.5e-3) == pytest.approx(28.8, abs=0.1)
    assert hours(128, 6.5e-3, 2.2) == pytest.approx(7.9, abs=0.1)
    assert hours(2048, 6.5e-3, 2.2) == pytest.approx(1.55, abs=0.01)


def test_nothing_fails() -> None:
    with np.errstate(divide="ignore"):
        assert hours(2048, 0.0) == np.inf


def test_a_part_of_a_rack_exposes_its_own_trays_only() -> None:
    def nodes(used: float) -> float:
        return float(
            nodes_used(
                accelerators_used=number(used),
                accelerators_per_supernode=number(72),
                nodes_per_supernode=number(18),
            )[0]
        )

    assert nodes(72 * 28) == 18 * 28
    assert nodes(5) == 2
