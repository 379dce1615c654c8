"""Rows of measured collectives for tests."""

from __future__ import annotations

from pathlib import Path

from app.validation.study import Row

COLLECTIVES = Path(__file__).resolve().parents[2] / "fixtures" / "collectives.csv"


def row(**cells: object) -> Row:
    """An all-reduce of 64 MiB on one server of eight H100; cells are changed by name."""
    plain = {
        "id": "1", "system": "a server", "accelerator": "H100 SXM", "num_accelerators": 8, "num_nodes": 1,
        "domain": "scale-up", "collective": "all_reduce", "message_size_bytes": 2**26, "time_us": 320,
        "algorithm_or_library": "NCCL default (nccl-tests one process many threads)",
    }  # fmt: skip
    whole = {**plain, **cells}
    return Row(key=str(whole["id"]), cells={name: str(value) for name, value in whole.items()})


def dispatch(**cells: object) -> Row:
    """A low-latency dispatch on two servers of eight H800."""
    return row(
        **{
            "accelerator": "H800", "num_accelerators": 16, "num_nodes": 2, "domain": "scale-out",
            "collective": "moe_dispatch", "message_size_bytes": "", "tokens_per_rank": 128,
            "nic_gbit_s_per_accelerator": 400, "algorithm_or_library": "DeepEP V1 low latency",
            "notes": "hidden 7168; top-8; FP8 dispatch",
        }
        | cells
    )  # fmt: skip
