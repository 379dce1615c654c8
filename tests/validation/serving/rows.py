"""Rows of measured latencies by hand."""

from __future__ import annotations

from app.validation.study import Row

PLAIN: dict[str, object] = {
    "mode": "agg", "model": "DeepSeek-R1", "system": "b200_sxm", "engine": "trtllm", "engine_version": "1.2.0rc6.post2",
    "precision": "fp8", "isl": 1024, "osl": 1024, "concurrency": 32, "batch": 32, "tp": 8, "pp": 1, "dp": 1,
    "moe_tp": 8, "moe_ep": 1, "ttft_ms": 300, "tpot_ms": 15.5, "measured": "2026-01-29", "scored": "yes",
}  # fmt: skip
GROUP: dict[str, object] = {
    **PLAIN, "mode": "disagg", "engine_version": "0.8.1.post2", "tp": "", "pp": "", "dp": "", "moe_tp": "",
    "moe_ep": "", "batch": "", "p_workers": 1, "p_tp": 1, "p_dp": 4, "p_ep": 4, "d_workers": 5, "d_tp": 8, "d_dp": 1,
    "d_ep": 8,
}  # fmt: skip


def row(key: str = "1", **cells: object) -> Row:
    """DeepSeek-R1 on eight B200 with tensor parallelism; cells are changed by name."""
    return _row(key, {**PLAIN, **cells})


def group(key: str = "1", **cells: object) -> Row:
    """DeepSeek-R1 with one prefill instance of four ranks and five decode instances of eight."""
    return _row(key, {**GROUP, **cells})


def _row(key: str, cells: dict[str, object]) -> Row:
    return Row(key=key, cells={name: str(value) for name, value in cells.items()})
