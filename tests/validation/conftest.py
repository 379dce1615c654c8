"""A catalog, and some published runs."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.validation.study import Row
from tests.databases import engine_in

RUNS = Path(__file__).resolve().parents[1] / "fixtures" / "training_runs.csv"


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path) -> Catalog:
    return Catalog.open(engine_in(seeded_data_dir))


@pytest.fixture
def run() -> Callable[..., Row]:
    """Llama 3.1 8B on eight H100 as a row; cells are changed by name."""

    def row(**cells: object) -> Row:
        plain = {
            "id": "A-1", "accelerator_key": "nvidia_h100_sxm", "n_accelerators": 8, "gpus_per_node": 8,
            "arch": "dense", "params_b": 8.03, "layers": 32, "hidden": 4096, "ffn_hidden": 14336, "heads": 32,
            "kv_heads": 8, "vocab": 128256, "seq_len": 8192, "global_batch_seqs": 128, "tp": 1, "pp": 1,
            "framework": "megatron", "software_date": "2025-09", "precision_class": "bf16",
            "measured_tokens_per_s_per_gpu": 11000,
        }  # fmt: skip
        whole = {**plain, **cells}
        return Row(key=str(whole["id"]), cells={name: str(value) for name, value in whole.items()})

    return row


@pytest.fixture
def written(tmp_path: Path) -> Callable[[list[dict[str, object]]], Path]:
    """A file with these rows."""

    def write(rows: list[dict[str, object]]) -> Path:
        path = tmp_path / "rows.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return path

    return write
