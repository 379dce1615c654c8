"""Layouts in words, and ticks that are round as people read them."""

from __future__ import annotations

import pytest

from app.charts.forms import log_ticks, unit_ticks
from app.charts.searching.layout_words import degrees_text, details_text

LAYOUT = {"tp": 4, "pp": 8, "cp": 2, "ep": 1, "vpp": 2, "micro_batch": 1, "zero_stage": 2,
          "sequence_parallel": True, "recompute": "selective"}  # fmt: skip


def test_degrees_that_are_one_are_left_out() -> None:
    assert degrees_text(LAYOUT, 16) == "TP 4, PP 8, CP 2, DP 16"
    assert degrees_text({"tp": 1, "pp": 1, "cp": 1, "ep": 1}) == "TP 1, PP 1"


def test_only_what_is_unusual_is_said() -> None:
    assert details_text(LAYOUT) == "micro-batch 1, 2 virtual stages, ZeRO 2, selective recompute"
    odd = LAYOUT | {"sequence_parallel": False, "inside": "pipeline", "schedule": "zb_h1",
                    "tensor_overlap": False, "data_overlap": False, "offload": "both", "shard_group": 8}  # fmt: skip
    assert details_text(odd).endswith(
        "no sequence parallel, stages inside the domain, ZB-H1, no tensor overlap, no data overlap, "
        "optimizer and activations offloaded, shard groups of 8"
    )
    for tier, said in (("host", "optimizer offloaded"), ("nvme", "optimizer offloaded to NVMe")):
        assert details_text(LAYOUT | {"offload": "optimizer", "offload_to": tier}).endswith(f", {said}")


@pytest.mark.parametrize("low", [0.011, 0.9, 5.3, 33, 7e5])
@pytest.mark.parametrize("times", [1.05, 1.4, 3, 12, 400, 1e5])
@pytest.mark.parametrize("unit", ["s", "USD"])
def test_ticks_lie_between_the_ends(low: float, times: float, unit: str) -> None:
    for most in (4, 6):
        ticks = unit_ticks(low, low * times, unit, most)
        assert 1 <= len(ticks) <= most
        assert ticks == sorted(set(ticks))
        assert all(low <= tick <= low * times for tick in ticks)


def test_one_value_has_one_tick() -> None:
    assert log_ticks(5.0, 5.0) == [5.0]
