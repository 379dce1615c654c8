"""Problems of the networks beside the compute fabric."""

from __future__ import annotations

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.problems import fabric_problems
from app.engine.problems import Problem
from app.engine.specs import Networks, Pod
from tests.engine.fabric.networks.plans import in_band, networks, pod, storage, superpod_system
from tests.engine.fabric.pods import evaluate, qm9700
from tests.support import assumptions


def found(asked: Pod) -> list[Problem]:
    system = superpod_system()
    problems = fabric_problems(
        pod=asked,
        supernode=system,
        fabric=evaluate(asked, system),
        assumptions=assumptions("fabric", FabricAssumptions),
    )
    return [problem for problem in problems if problem.field.startswith(("pod.networks", "pod.fabric.kind"))]


def test_the_published_pod_has_none() -> None:
    assert found(pod(127)) == []


def test_ports_faster_than_those_of_the_switch() -> None:
    (problem,) = found(pod(127, networks(in_band=in_band(port_bandwidth_bytes_per_s=25e9))))
    assert (problem.kind, problem.value, problem.limit, problem.missed_by) == ("warning", 200, 100, 100)
    assert problem.fix is not None
    assert (problem.fix.field, problem.fix.value) == ("pod.networks.in_band.port_gbit_s", 100)


def test_a_switch_too_small_for_three_tiers() -> None:
    """Eight ports: 32 leaves in three tiers, of 4 hosts each at 4:3, not 128 hosts of two ports."""
    small = storage(switch=qm9700(ports=8, max_logical_ports=8))
    (problem,) = found(pod(128, networks(storage=small)))
    assert problem.kind == "infeasible"
    assert problem.limit == 32
    assert problem.value is not None
    assert problem.value > 32
    assert problem.fix is not None
    assert problem.fix.field == "pod.networks.storage.switch"


def test_a_switch_with_no_ports_left_below_its_spines() -> None:
    (problem,) = found(pod(4, networks(storage=storage(switch=qm9700(ports=2, max_logical_ports=2)))))
    assert problem.kind == "infeasible"
    assert problem.value is None


def test_one_supernode_needs_no_networks_and_is_told_so() -> None:
    (problem,) = found(pod(1))
    assert "storage and in-band and out-of-band" in problem.message
    assert found(pod(1, Networks())) == []
