"""The roofline: roofs, points and what is said of them."""

from __future__ import annotations

from app.charts.serving.roofline import Roof, RoofPoint, roofline_figure
from tests.charts.support import traces

ROOF = Roof(
    title="A chip, FP8", peak_flop_per_s=2e15, peak_16_bit_flop_per_s=1e15, memory_bandwidth_bytes_per_s=4e12
)


def point(phase: str, batch: float, intensity: float, rate: float) -> RoofPoint:
    return RoofPoint(
        phase=phase,
        batch=batch,
        intensity=intensity,
        flop_per_s=rate,
        share=0.5,
        bound="memory" if intensity < 500 else "arithmetic",
    )


def test_two_roofs_and_both_phases() -> None:
    figure = roofline_figure(ROOF, [point("decode", 1, 2, 1e12), point("prefill", 1, 600, 1e15)])
    roof, lower, decode, prefill = traces(figure)
    assert roof["y"][-2:] == [2e15, 2e15]
    assert roof["x"][1] == 500  # the ridge
    assert lower["y"][-1] == 1e15
    assert (decode["name"], prefill["name"]) == ("Decode", "Prefill")
    assert "Decode is bound by memory at every batch" in figure.takeaway
    assert "The ridge is at 500 FLOP/B" in figure.takeaway


def test_where_decode_leaves_the_slope_is_said() -> None:
    figure = roofline_figure(ROOF, [point("decode", 1, 2, 1e12), point("decode", 900, 600, 1e15)])
    assert "leaves the slope at a batch of 900" in figure.takeaway


def test_a_batch_is_rounded_down_alike_in_chart_words_and_table() -> None:
    figure = roofline_figure(ROOF, [point("decode", 0.97, 2, 1e12), point("decode", 697.96, 600, 1e15)])
    decode = traces(figure)[-1]
    assert [row.cells[1] for row in figure.rows] == decode["text"] == ["0.97", "697"]
    assert "697" in decode["customdata"][1][0]
    assert "leaves the slope at a batch of 697: at 697 sequences" in figure.takeaway


def test_one_roof_where_there_is_no_faster_format() -> None:
    same = Roof(
        title="A chip, BF16",
        peak_flop_per_s=1e15,
        peak_16_bit_flop_per_s=1e15,
        memory_bandwidth_bytes_per_s=4e12,
    )
    figure = roofline_figure(same, [point("decode", 1, 2, 1e12)])
    assert len(traces(figure)) == 2
    assert len(figure.legend) == 1
