"""OpenAI's multi-plane fabric of 2026 (Multipath Reliable Connection) against what is published of it.

131,072 GPUs at full bisection in two tiers, NICs of 800 Gbit/s split over eight planes of 100 Gbit/s, on switches of
512 such ports; two thirds of the optics and three fifths of the switches of a three-tier fabric of unsplit ports, and
at most three switches on a path in place of five (Araujo et al., arXiv 2605.04333, 2026, as reported by
https://zubnet.ai/news/en/openai-mrc-fabric-131k-gpus-l3-routing-8-plane-spraying-lossy-ethernet/).
"""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from tests.scenarios.support import document

pytestmark = pytest.mark.slow


def fabric(servers: int, switch: str = "sn5600", **plan: Any) -> dict[str, Any]:
    """Servers of eight GPUs with a NIC of 800 Gbit/s each."""
    evaluated = evaluate_scenario(
        document(
            pod__supernodes=servers,
            supernode__system="dgx_b300",
            pod__fabric={"switch": switch, "management_ports": 0} | plan,
        ),
        ready_catalog(),
    )
    found = dict(evaluated.as_json["fabric"])
    found["infeasible"] = [
        problem for problem in evaluated.as_json["problems"]
        if problem["kind"] == "infeasible" and "fabric" in problem["affects"]
    ]  # fmt: skip
    return found


PLANES = {"planes": 8, "switch_logical_ports": 512}


@pytest.mark.parametrize("switch", ["sn5600", "th5"])
def test_131_072_gpus_in_two_tiers(seeded_data_dir, switch: str) -> None:
    """512 leaves and 256 spines a plane: all ports of both are taken."""
    found = fabric(16_384, switch, **PLANES)
    assert not found["infeasible"]
    assert [(tier["name"], tier["switches"]) for tier in found["tiers"]] == [
        ("leaf", 8 * 512),
        ("spine", 8 * 256),
    ]
    assert [tier["ports_used"] for tier in found["tiers"]] == [1, 1]
    assert found["links_total"] == 2 * 131_072 * 8
    assert found["oversubscription"] == 1
    assert found["bisection_bandwidth_bytes_per_s"] == pytest.approx(131_072 / 2 * 100e9)
    assert found["diameter_links"] == 4  # three switches
    # a module has the eight links of its NIC, or of one port of a switch
    assert found["modules_total"] == 4 * 131_072


@pytest.mark.parametrize("switch", ["sn5600", "th5"])
def test_two_thirds_of_the_optics_and_three_fifths_of_the_switches(seeded_data_dir, switch: str) -> None:
    """At 65,536 GPUs, where three tiers of 64 ports end; for each GPU the planes take the same at 131,072."""
    single, planes = fabric(8_192, switch), fabric(8_192, switch, **PLANES)
    assert len(single["tiers"]) == 3
    assert len(planes["tiers"]) == 2
    assert planes["switches_total"] / single["switches_total"] == pytest.approx(3 / 5, abs=1e-12)
    assert planes["modules_total"] / single["modules_total"] == pytest.approx(2 / 3, abs=1e-12)
    assert planes["bisection_bandwidth_bytes_per_s"] == single["bisection_bandwidth_bytes_per_s"]
    twice = fabric(16_384, switch, **PLANES)
    for name in ("switches_total", "modules_total"):
        assert twice[name] == 2 * planes[name]


def test_three_tiers_of_64_ports_do_not_join_so_many(seeded_data_dir) -> None:
    assert fabric(16_384)["infeasible"]
