"""Views of a served model as files."""

from __future__ import annotations

import csv
import dataclasses
import io
import json

from app.views.serving.memory import MemoryPoint, MemoryView
from app.views.serving.needs_text import FORMATS, ROWS, table_csv

POINT = MemoryPoint(batch=1.0, memory_bytes=2.5e9, parts_bytes={"weights": 2e9, "kv_cache": 0.5e9}, fits=True)
VIEW = MemoryView(
    name="A pod",
    mode="aggregated",
    layout="TP 8",
    accelerators_per_instance=8.0,
    points=(POINT, dataclasses.replace(POINT, batch=2.0, memory_bytes=float("nan"), fits=False)),
    here=POINT,
    batch_limit=1.0,
    usable_bytes=2.6e9,
    fitted_bytes=3e9,
    sequence_tokens=1536.0,
    kv_bytes_per_request=1e8,
    bytes_per_sequence=1e8,
    shared_prefix_bytes=0.0,
    cache_tier="accelerator",
    tier_bytes=None,
    offloaded_sequences=None,
    return_s=None,
    saved_by_return_s=None,
    sessions=None,
    binds="weights",
)


def test_a_row_a_point_parts_as_columns_unknown_as_nothing() -> None:
    rows = list(csv.DictReader(io.StringIO(table_csv(VIEW).decode())))
    assert [row["batch"] for row in rows] == ["1", "2"]
    assert rows[0]["parts_bytes.weights"] == "2e+09"
    assert rows[1]["memory_bytes"] == ""


def test_json_has_everything_and_null_for_unknown() -> None:
    _, media_type, suffix, _, write = FORMATS["json"]
    content = write(VIEW)
    found = json.loads(content)
    assert (media_type, suffix) == ("application/json", ".json")
    assert found["points"][1]["memory_bytes"] is None
    assert found["batch_limit"] == 1


def test_every_view_has_a_table() -> None:
    assert len(ROWS) == 7
    assert set(FORMATS) == {"csv", "json"}
