"""Memory against batch: areas that stack, what there is, and what fits."""

from __future__ import annotations

from app.charts.serving.batch_memory import BatchMemory, MemoryRoom, batch_memory_figure
from tests.charts.support import layout, traces

POINTS = [
    BatchMemory(batch=0, memory_bytes=80e9, parts_bytes={"weights": 80e9, "kv_cache": 0.0, "logits": 0.0}),
    BatchMemory(
        batch=100, memory_bytes=180e9, parts_bytes={"weights": 80e9, "kv_cache": 100e9, "logits": 0.0}
    ),
]
ROOM = MemoryRoom(usable_bytes=130e9, fitted_bytes=141e9, batch_limit=50, batch=10)


def test_areas_lines_and_words() -> None:
    figure = batch_memory_figure(POINTS, ROOM)
    assert [trace["name"] for trace in traces(figure)] == ["Weights", "Keys and values"]
    assert {trace["stackgroup"] for trace in traces(figure)} == {"memory"}
    texts = [note["text"].replace("\u202f", " ") for note in layout(figure)["annotations"]]
    assert texts == ["10 now", "50 fit", "130 GB engine's share", "141 GB fitted"]
    assert figure.takeaway.replace("\u202f", " ") == "50 sequences fit into 130.0 GB; 10 are decoded at once."
    assert [row.cells[-1] for row in figure.rows] == ["yes", "no"]


def test_mean_batches_are_rounded_down_alike_in_chart_words_and_table() -> None:
    points = [*POINTS[:1], BatchMemory(batch=697.96, memory_bytes=100e9, parts_bytes=POINTS[1].parts_bytes)]
    room = MemoryRoom(usable_bytes=130e9, fitted_bytes=141e9, batch_limit=41_958.9, batch=697.96)
    figure = batch_memory_figure(points, room)
    assert [note["text"] for note in layout(figure)["annotations"]][:2] == ["697 now", "41,958 fit"]
    assert figure.takeaway.startswith("41,958 sequences fit")
    assert "697 are decoded" in figure.takeaway
    assert figure.rows[1].cells[0] == traces(figure)[0]["customdata"][1] == "697"


def test_a_model_that_does_not_fit() -> None:
    figure = batch_memory_figure(
        POINTS, MemoryRoom(usable_bytes=70e9, fitted_bytes=80e9, batch_limit=0, batch=1)
    )
    assert figure.takeaway.startswith("Not one sequence fits: 80.0")
    assert not any(
        "fit" in note["text"] and "fitted" not in note["text"] for note in layout(figure)["annotations"]
    )
