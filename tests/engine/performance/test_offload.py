"""Offload: what leaves the accelerator, what the way to each tier costs, and when a tier is too small."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import DRIVES, HOST, PEER
from app.engine.performance.offload import away_parameter_time_s, exposed_offload_time_s
from app.engine.performance.problems import performance_problems
from app.engine.performance.search import Computed, computed
from app.engine.performance.section import evaluate_training
from app.engine.performance.space import BOTH_AWAY, KEPT, USUAL, Space
from app.engine.problems import Problem
from app.engine.specs import SuperNode, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100, number

WORKLOAD = cases.training(cases.gpt(48, 8192, 64), 4096, 256)
USED = 64


def test_states_leave_the_accelerator_for_the_host() -> None:
    a = cases.assumed(WORKLOAD, dgx_h100())
    kept, away = (
        cases.held(WORKLOAD, cases.layout(tp=8, zero=1, optimizer_offload=value), USED, a) for value in (0, 1)
    )
    assert away.breakdown_bytes["optimizer"] == 0
    np.testing.assert_allclose(away.offloaded_per_accelerator_bytes, kept.breakdown_bytes["optimizer"])
    assert kept.offloaded_per_accelerator_bytes == 0
    same = [name for name in kept.breakdown_bytes if name != "optimizer"]
    assert all(kept.breakdown_bytes[name] == away.breakdown_bytes[name] for name in same)


def test_activations_leave_but_for_two_layers() -> None:
    a = cases.assumed(WORKLOAD, dgx_h100())
    kept, away = (
        cases.held(WORKLOAD, cases.layout(tp=8, activation_offload=value), USED, a) for value in (0, 1)
    )
    layer = cases.layer_kept(WORKLOAD, cases.layout(tp=8), a)
    np.testing.assert_allclose(
        kept.breakdown_bytes["activations"] - away.breakdown_bytes["activations"],
        46 * layer * (1 + a.fragmentation),
    )
    np.testing.assert_allclose(away.offloaded_per_accelerator_bytes, 46 * layer)


def test_update_by_the_host() -> None:
    """1 B each way over 1 GB/s and 4 B of memory traffic at 2 GB/s: 1 + 1 + 2 ns."""
    time = away_parameter_time_s(
        traffic_parameter_bytes=number(4),
        gradient_parameter_bytes=number(1),
        weight_parameter_bytes=number(1),
        link_bytes_per_s=number(1e9),
        medium_bytes_per_s=number(2e9),
    )
    np.testing.assert_allclose(time, 4e-9)


@pytest.mark.parametrize(("away", "link", "expected"), [(0, 9, 0), (1, 2, 0), (1, 9, 6)])
def test_link_is_hidden_behind_its_layer(away: float, link: float, expected: float) -> None:
    exposed = exposed_offload_time_s(activation_offload=number(away), link_s=number(link), layer_s=number(3))
    assert exposed == expected


def test_a_faster_link_is_never_slower() -> None:
    layout = cases.layout(tp=2, optimizer_offload=1, activation_offload=1)
    a = cases.assumed(WORKLOAD, dgx_h100())
    times = [
        cases.timed(
            WORKLOAD, layout, USED, assumptions=replace(a, host_link_bytes_per_s=number(rate))
        ).step_time_s[0]
        for rate in (1e9, 1e10, 1e11, np.inf)
    ]
    assert times == sorted(times, reverse=True)
    assert times[0] > times[2]


def test_every_tier_takes_the_same_formula() -> None:
    """Drives of the host's rates are the host; a slower drive holds up activations that a link would pass."""
    layout = {"tp": 2, "optimizer_offload": 1, "activation_offload": 1}
    a = cases.assumed(WORKLOAD, dgx_h100())
    alike = replace(a, drive_bandwidth_bytes_per_s=a.host_memory_bandwidth_bytes_per_s)
    times = {
        tier: cases.timed(WORKLOAD, cases.layout(**layout, offload_tier=tier), USED, assumptions=alike)
        for tier in (HOST, PEER, DRIVES)
    }
    assert times[DRIVES].step_time_s == times[HOST].step_time_s
    assert times[PEER].step_time_s < times[HOST].step_time_s
    slow = cases.timed(WORKLOAD, cases.layout(**layout, offload_tier=DRIVES), USED, assumptions=a).breakdown_s
    for part in ("offload", "optimizer"):
        assert slow[part] > times[HOST].breakdown_s[part]


def test_peers_by_hand() -> None:
    """Gradient and weight over one NVLink way, states at the bandwidth of the peer's memory."""
    a = cases.assumed(WORKLOAD, dgx_h100())
    hardware = cases.hardware(WORKLOAD, dgx_h100(), USED, a)
    away = cases.timed(
        WORKLOAD, cases.layout(tp=8, zero=0, optimizer_offload=1, offload_tier=PEER), USED, assumptions=a
    )
    crossing = (a.gradient_parameter_bytes + a.weight_parameter_bytes) / (450e9 * a.scale_up_efficiency)
    traffic = a.optimizer_traffic_parameter_bytes / hardware.memory_bandwidth_bytes_per_s
    held = cases.job(WORKLOAD).counts.total / 8
    np.testing.assert_allclose(away.breakdown_s["optimizer"], held * (crossing + traffic), rtol=1e-12)


def test_memory_is_away_whichever_tier_it_is_in() -> None:
    layouts = [cases.layout(tp=8, optimizer_offload=1, offload_tier=tier) for tier in (HOST, DRIVES)]
    host, drives = (cases.evaluated(WORKLOAD, layout, USED) for layout in layouts)
    assert host.offloaded_per_accelerator_bytes == drives.offloaded_per_accelerator_bytes
    assert host.host_memory_per_accelerator_bytes == host.offloaded_per_accelerator_bytes
    assert drives.host_memory_per_accelerator_bytes == 0
    assert drives.offload_capacity_bytes == 3.84e12


def test_peers_spare_nothing_unless_it_is_stated() -> None:
    node = dgx_h100()
    (problem,) = _problems(node, 1, PEER)
    assert problem.constraint == "peer_memory"
    assert problem.limit == 0
    assert "memory of other accelerators" in problem.message
    assert "performance.peer_memory_bytes" in problem.message
    roomy = replace(cases.assumed(WORKLOAD, node), peer_memory_bytes=number(40e9))
    assert _problems(node, 1, PEER, roomy) == []


def test_small_drives_are_named_with_what_they_lack() -> None:
    small = replace(cases.assumed(WORKLOAD, dgx_h100()), drive_bytes=number(1e9))
    (problem,) = _problems(dgx_h100(), 1, DRIVES, small)
    assert problem.constraint == "drives"
    assert problem.missed_by == pytest.approx((problem.value or 0) - 1e9)
    assert f"{(problem.missed_by or 0) / 1e9:,.1f} GB too much" in problem.message


def test_search_counts_the_tier_that_is_too_small() -> None:
    big = cases.training(cases.gpt(80, 8192, 64), 4096, 64)
    away = _searched(big, Space(only={**USUAL.only, "offload": (BOTH_AWAY,), "offload_tier": (HOST, PEER)}))
    assert away.fits.sum() + sum(away.rejected.values()) == away.step_time_s.size
    assert away.rejected["memory of other accelerators"] > away.rejected["host memory"] > 0
    assert away.fits.any()


def test_a_host_that_is_too_small_is_named() -> None:
    node = replace(dgx_h100(), host_memory_bytes=number(8e9))
    (problem,) = _problems(node, 1)
    assert problem.constraint == "host_memory"
    assert problem.kind == "infeasible"
    assert problem.limit == 1e9
    assert _problems(dgx_h100(), 1) == []


def test_a_host_of_unknown_size_is_a_warning() -> None:
    node = replace(dgx_h100(), host_memory_bytes=number(np.nan))
    (problem,) = _problems(node, 1)
    assert problem.kind == "warning"
    assert _problems(node, 0) == []


def test_search_offloads_where_asked() -> None:
    """70 B parameters on eight accelerators: none fits without the host, some do with it."""
    big = cases.training(cases.gpt(80, 8192, 64), 4096, 64)
    plain, away = (
        _searched(big, Space(only={**USUAL.only, "offload": (choice,)})) for choice in (KEPT, BOTH_AWAY)
    )
    assert not plain.fits.any()
    assert away.memory_bytes.min() < plain.memory_bytes.min()
    small_host = _searched(big, Space(only={**USUAL.only, "offload": (BOTH_AWAY,)}), host=1e9)
    assert not small_host.fits.any()
    assert small_host.fits.sum() + sum(small_host.rejected.values()) == small_host.step_time_s.size


def _problems(
    node: SuperNode, away: float, tier: float = HOST, assumed: PerformanceAssumptions | None = None
) -> list[Problem]:
    layout, used = cases.layout(tp=8, optimizer_offload=away, offload_tier=tier), cases.pod(USED, node)
    a = assumed or cases.assumed(WORKLOAD, node)
    return performance_problems(
        workload=WORKLOAD,
        supernode=node,
        pod=used,
        layout=layout,
        performance=evaluate_training(
            workload=WORKLOAD,
            supernode=node,
            pod=used,
            fabric=cases.fabric(node),
            layout=layout,
            assumptions=a,
        ),
        assumptions=a,
    )


def _searched(workload: TrainingWorkload, space: Space, host: float = 2e12) -> Computed:
    node = replace(dgx_h100(), host_memory_bytes=number(host))
    a = cases.assumed(workload, node)
    return computed(
        job=cases.job(workload),
        hardware=cases.hardware(workload, node, 8, a),
        layouts=cases.layouts(workload, node, 8, space),
        assumptions=a,
    )
