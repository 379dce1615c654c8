"""Curves by size: lines that end, rings at crossings, and nothing where nothing is known."""

from __future__ import annotations

from app.charts.fabric.by_size import POWER, PRICE, Curve, Ring, by_size_figure

SIZES = (16.0, 512.0, 16_384.0)
OWN = Curve(title="Fat tree", here=True, values=(16e3, 1e6, 8e7), low=(8e3, 5e5, 6e7), high=(2e4, 2e6, 9e7))
OTHER = Curve(title="Dragonfly", here=False, values=(32e3, 2e6, None))


def drawn(figure):
    assert figure.plot is not None
    return figure.plot


def test_lines_are_shares_of_one_accelerator_and_end_where_a_topology_does() -> None:
    ring = Ring(accelerators=100, value=1e5, words="From 100 accelerators Dragonfly, before Fat tree")
    figure = by_size_figure(PRICE, SIZES, [OTHER, OWN], [ring], here=512)
    plot = drawn(figure)
    low, high, other, own, rings = plot["data"]
    assert own["y"] == [1000.0, 1e6 / 512, 8e7 / 16_384]
    assert other["y"] == [2000.0, 2e6 / 512, None]
    assert (own["line"]["color"], other["line"]["color"]) == ("var(--c1)", "var(--c2)")
    assert (high["fill"], low["y"][0], high["y"][0]) == ("tonexty", 500.0, 1250.0)
    assert (rings["x"], rings["y"]) == ([100], [1000.0])
    assert plot["layout"]["xaxis"]["type"] == "log"
    assert plot["layout"]["xaxis"]["title"]["text"] == "Accelerators"
    assert plot["layout"]["yaxis"]["title"]["text"] == "USD an accelerator"
    assert plot["layout"]["shapes"][0]["x0"] == 512
    assert figure.rows[2].cells[1] == "not joined"


def test_the_takeaway_is_of_this_pod() -> None:
    cheaper = Curve(title="Dragonfly", here=False, values=(8e3, 2e5, None))
    says = by_size_figure(POWER, SIZES, [OWN, cheaper], [], here=512).takeaway
    assert says.startswith("At 512 accelerators Dragonfly draws least: ")
    assert "of this design" in says
    own = by_size_figure(POWER, SIZES, [OWN, OTHER], [], here=512).takeaway
    assert own.startswith("At 512 accelerators Fat tree draws least, ")
    beyond = by_size_figure(POWER, SIZES, [OWN, OTHER], [], here=777).takeaway
    assert beyond.startswith("At 16,384 accelerators")


def test_nothing_is_drawn_where_nothing_is_known() -> None:
    nothing = Curve(title="Fat tree", here=True, values=(None, None, None))
    figure = by_size_figure(PRICE, SIZES, [nothing], [], here=512)
    assert figure.plot is None
    assert figure.takeaway.endswith("unknown.")
