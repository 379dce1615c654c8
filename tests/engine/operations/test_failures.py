"""Interruption rates against published fleets, whatever the accelerators stand in."""

from typing import Any

import numpy as np
import pytest

from app.catalog.assumptions import choose, read_assumptions
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.failures import COMPONENTS, failures_of, nodes_used
from tests.engine.operations.runs import with_assumptions
from tests.support import SEED_DATA, number, part_of


def failures(
    accelerators: float,
    *,
    assumptions: OperationsAssumptions | None = None,
    per_supernode: float = 8,
    nodes: float = 1,
) -> dict[str, Any]:
    return failures_of(
        accelerators_used=number(accelerators),
        accelerators_per_supernode=number(per_supernode),
        nodes_per_supernode=number(nodes),
        assumptions=assumptions or with_assumptions(),
    )


def hours(accelerators: float, rate: float) -> float:
    found = failures(accelerators, assumptions=with_assumptions(failures_per_node_day=rate))
    return float(found["mtbf_s"][0]) / 3600


def test_llama_3_interruptions() -> None:
    # 419 unexpected interruptions in 54 days on 2,048 hosts: 3.093 h (arXiv 2407.21783, table 5).
    assert hours(16384, 419 / 54 / 2048) == pytest.approx(3.093, abs=0.001)


@pytest.mark.parametrize(("accelerators", "published_h"), [(16384, 1.8), (131072, 0.23)])
def test_rsc_projection(accelerators: int, published_h: float) -> None:
    # 6.5 failures per 1,000 node-days, projected by Kokolis et al. (arXiv 2410.21680).
    assert hours(accelerators, 6.5e-3) == pytest.approx(published_h, rel=0.03)


def test_one_rate_explains_jobs_of_8_and_of_1024() -> None:
    """47.7 days and 7.9 h were measured in one fleet: the rates a node-day are 13 % apart, over 128 times the size."""
    rates = [24 / hours_measured / hosts for hours_measured, hosts in ((1144.8, 1), (7.9, 128))]
    assert rates == pytest.approx([0.0210, 0.0237], rel=2e-3)
    for rate in rates:
        assert hours(8, rate) / hours(1024, rate) == pytest.approx(128)


FLEETS = {
    "rsc_8": (8, 1144.8),
    "rsc_1024": (1024, 7.9),
    "opt": (992, 13.71),
    "crusoe": (1600, 14.05),
    "llama": (16384, 3.093),
}


def test_the_interval_is_that_of_five_fleets() -> None:
    """Geometric mean, log-sigma and the interval of a sixth fleet, as the catalog has them to two digits."""
    row = choose(read_assumptions(SEED_DATA / "assumptions/operations.csv"), "failures_per_node_day", {})
    assert row is not None
    logs = np.log(
        [24 / hours_measured * 8 / accelerators for accelerators, hours_measured in FLEETS.values()]
    )
    assert np.exp(logs.mean()) == pytest.approx(row.value, rel=0.03)
    assert logs.std(ddof=1) == pytest.approx(0.75, abs=0.01)
    reach = np.exp(
        1.533 * logs.std(ddof=1) * np.sqrt(1 + 1 / logs.size)
    )  # Student's t: one in ten beyond, 4 degrees
    assert row.low == pytest.approx(row.value / reach, rel=0.02)
    assert row.high == pytest.approx(row.value * reach, rel=0.02)


@pytest.mark.parametrize(
    ("accelerators", "measured_h"), [(8, 1144.8), (1024, 7.9), (16384, 1.8), (16384, 3.093), (992, 13.71)]
)
def test_published_times_lie_within_the_interval(accelerators: int, measured_h: float) -> None:
    row = choose(read_assumptions(SEED_DATA / "assumptions/operations.csv"), "failures_per_node_day", {})
    assert row is not None
    assert row.low is not None
    assert row.high is not None
    assert hours(accelerators, row.high) < measured_h < hours(accelerators, row.low)


def test_nothing_fails() -> None:
    with np.errstate(divide="ignore"):
        assert hours(16384, 0.0) == np.inf


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
    assert failures(5, per_supernode=72, nodes=18)["failures_per_day"][0] == pytest.approx(0.012)


@pytest.mark.parametrize(
    ("per_supernode", "nodes"), [(8, 1), (16, 1), (72, 18), (384, 48), (9216, 2304), (256, 32), (1152, 288)]
)
def test_as_many_accelerators_fail_as_often_in_any_supernode(per_supernode: int, nodes: int) -> None:
    """Trays of 4, servers of 8 and pods of 9,216 compare by what they hold, not by the number of their hosts."""
    found = failures(9216 * 8, per_supernode=per_supernode, nodes=nodes)
    assert found["failures_per_day"][0] == pytest.approx(9216 * 0.012)


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(200)))
def test_components_make_up_the_whole(seed: int) -> None:
    draw = np.random.default_rng(seed)
    shares = {component.share: float(draw.uniform(0, 1)) for component in COMPONENTS}
    used = float(draw.integers(1, 100_000))
    found = failures(
        used, assumptions=with_assumptions(failures_per_node_day=draw.uniform(1e-4, 0.1), **shares)
    )
    rates = {one.name: one.failures_per_day[0] for one in found["components"]}
    assert sum(rates.values()) == pytest.approx(found["failures_per_day"][0])
    assert found["node_failures_per_day"][0] == pytest.approx(sum(rates.values()) - rates["software"])
    for one in found["components"]:
        if one.away_days is None:
            assert one.name == "software"
        else:
            assert with_assumptions().reset_days[0] <= one.away_days[0] <= with_assumptions().repair_days[0]


def test_shares_are_those_of_the_published_counts() -> None:
    known = with_assumptions()
    counts = {
        "accelerators": 268,
        "hosts": 40,
        "network": 42,
        "power_supplies": 3,
        "local_storage": 3,
        "software": 63,
    }
    assert sum(counts.values()) == 419
    for component in COMPONENTS:
        assert getattr(known, component.share)[0] == pytest.approx(counts[component.name] / 419, abs=1e-4)
