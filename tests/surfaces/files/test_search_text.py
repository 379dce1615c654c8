"""A search as text for a terminal."""

from __future__ import annotations

from app.charts.format import THIN_SPACE
from app.surfaces.files.search_text import search_text

ROW = {
    "rank": 1,
    "parallelism": {"tp": 8, "pp": 4, "cp": 1, "ep": 1, "vpp": 2, "micro_batch": 1, "zero_stage": 2,
                    "sequence_parallel": False, "tensor_overlap": False, "data_overlap": False,
                    "recompute": "selective", "inside": "pipeline", "schedule": "zb_h1"},
    "dp": 64, "step_time_s": 5.86, "mfu": 0.42, "memory_per_accelerator_bytes": 70e9,
    "usd_per_million_tokens": 1.5, "feasible": True,
}  # fmt: skip
ANSWER = {
    "name": "A pod", "objective": "step_time", "strategies": 1200, "feasible_strategies": 1000,
    "rejected": {"memory: weights": 150, "memory: logits": 50}, "search_time_s": 0.25, "best": [ROW],
}  # fmt: skip


def _text(**changes: object) -> str:
    return search_text(ANSWER | changes).replace(THIN_SPACE, " ")


def test_counts_reasons_and_the_best_are_said() -> None:
    lines = _text().splitlines()
    assert lines[0] == "A pod: 1,000 of 1,200 layouts can run"
    assert lines[1] == "Searched in 0.25 s; ranked by step time."
    assert [line.split() for line in lines[2:4]] == [
        ["150", "rejected", "for", "memory:", "weights"],
        ["50", "rejected", "for", "memory:", "logits"],
    ]
    assert lines[-1].startswith("  1  tp8 pp4 cp1 ep1 dp64 vpp2 mb1 zero2, recompute selective")
    for word in ("no sequence parallel", "PP within scale-up domain", "schedule zb_h1", "no tensor overlap",
                 "no data overlap", "5.86 s", "MFU 42 %", "70.0 GB"):  # fmt: skip
        assert word in lines[-1]


def test_the_stated_layout_is_compared() -> None:
    stated = {"step_time_s": 6.4, "slower_by": 0.1, "rank": 301}
    assert "takes 6.40 s, 10 % longer than the best; 300 are faster." in _text(stated=stated)
    assert "stated layout" not in _text(stated=stated | {"slower_by": None})


def test_where_none_can_run_the_way_out_is_said() -> None:
    text = _text(fix={"message": "Weights need 4 SuperNodes."}, best=[ROW | {"feasible": False}])
    assert "Weights need 4 SuperNodes." in text
    assert text.endswith("(does not work)")
    assert _text(best=[]).endswith("No layout can run.")


def test_variants_are_named_by_what_differs() -> None:
    other = ROW | {"parallelism": ROW["parallelism"] | {"tensor_overlap": True, "cp": 2}, "dp": 32}
    text = _text(best=[ROW | {"variants": [other], "variant_count": 8}])
    assert text.splitlines()[-1] == "     also: cp 2, dp 32, tensor overlap on; 7 more"


def test_sizes_are_named() -> None:
    assert "1  1,024 accelerators  tp8" in _text(best=[ROW | {"accelerators": 1024}])
