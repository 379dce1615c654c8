"""Requirements of the articles: verdicts by hand, what does not apply, and remedies that work."""

from __future__ import annotations

from typing import Any

import pytest

from app.views.gallery.answer import reference_answer
from app.views.gallery.requirements import requirements
from tests.views.searching.test_recent import ready_catalog


def evaluation(**changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "headline": {"peak_bf16_flop_per_s": 360e15, "accelerators": 144},
        "inputs": {"pod": {"supernodes": 2}, "supernode": {"scale_up_domain_accelerators": 72}},
        "reliability": {
            "storage_read_rated_bytes_per_s": 2e12,
            "storage_read_bandwidth_bytes_per_s": 0.9e12,
            "availability": 0.999,
        },
        "power": {"facility_availability": 0.9999},
        "fabric": {"topology": "fat_tree", "oversubscription": 2.0, "scale_up": {"latency_s": 0.9e-6}},
    }
    return plain | changes


def judged(values: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {one["key"]: one for one in requirements(values)}


def test_verdicts_by_hand() -> None:
    found = judged(evaluation())
    assert {key: one["verdict"] for key, one in found.items()} == {
        "peak": "pass", "storage": "fail", "six_nines": "fail", "convergence": "fail", "scale_up_latency": "pass",
    }  # fmt: skip
    assert found["peak"]["ours"] == 180e15
    assert found["six_nines"]["ours"] == pytest.approx(0.999 * 0.9999)
    assert "5 times the storage" in found["storage"]["remedy"]
    assert "4.5e+12" in found["storage"]["remedy"]
    assert "at 3 sites" in found["six_nines"]["remedy"]  # 1.1e-3 cubed is below 1e-6, squared is 1.2e-6
    assert "oversubscription 1 in place of 2" in found["convergence"]["remedy"]


def test_bounds_themselves() -> None:
    at = evaluation(
        headline={"peak_bf16_flop_per_s": 200e15, "accelerators": 144},
        fabric={"topology": "fat_tree", "oversubscription": 1.0, "scale_up": {"latency_s": 1e-6}},
    )
    found = judged(at)
    assert [found[key]["verdict"] for key in ("peak", "convergence", "scale_up_latency")] == [
        "fail",
        "pass",
        "fail",
    ]
    assert found["peak"]["remedy"].startswith("72 of its accelerators")


def test_what_does_not_apply_and_what_is_unknown() -> None:
    alone = evaluation(
        fabric={"topology": "none", "oversubscription": None},
        inputs={"pod": {"supernodes": 1}, "supernode": {"scale_up_domain_accelerators": 1}},
        power={},
    )
    found = judged(alone)
    assert found["convergence"]["verdict"] == found["scale_up_latency"]["verdict"] == "does not apply"
    assert found["six_nines"]["verdict"] == "unknown"


@pytest.mark.slow
@pytest.mark.parametrize("key", ["gb200_nvl72", "superpod_h100", "ai_super_node"])
def test_designs_of_the_gallery(key: str) -> None:
    found = {one["key"]: one for one in reference_answer(ready_catalog(), key)["requirements"]}
    assert set(found) == {"peak", "storage", "six_nines", "convergence", "scale_up_latency"}
    assert found["peak"]["verdict"] == ("fail" if key == "superpod_h100" else "pass")
    assert all(one["remedy"] for one in found.values() if one["verdict"] == "fail")
