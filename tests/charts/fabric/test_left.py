"""The fabric after a failure as a picture."""

from __future__ import annotations

from app.charts.fabric.left import Place, left_figure
from tests.charts.support import traces

HOSTS = [Place("host", "node-0001", 4, 0, 1.0), Place("host", "node-0005", 4, 1, 0.7)]
LEAVES = [Place("leaf", "leaf-01", 1, 0, 0.9), Place("leaf", "leaf-02", 1, 1, 0.0)]


def drawn(places, **words):
    figure = left_figure(places, **words)
    return figure


def test_each_place_has_the_look_of_what_is_left_of_it():
    figure = drawn([*HOSTS, *LEAVES], hosts=8, cut_off=1)
    whole, part, none = traces(figure)
    assert (whole["y"], part["y"], none["y"]) == (["Hosts"], ["Leaf switches", "Hosts"], ["Leaf switches"])
    assert len({trace["marker"]["symbol"] for trace in traces(figure)}) == 3  # not by colour alone
    assert figure.takeaway == "1 of 8 hosts are cut off."
    assert [row.cells[0] for row in figure.rows] == ["node-0005", "leaf-01", "leaf-02"]


def test_kinds_stand_above_each_other_and_places_side_by_side():
    plot = drawn([*HOSTS, *LEAVES], hosts=8, cut_off=0).plot
    assert plot["layout"]["yaxis"]["categoryarray"] == ["Leaf switches", "Hosts"]
    assert sorted(x for trace in plot["data"] for x in trace["x"]) == [0.25, 0.25, 0.75, 0.75]


def test_a_whole_fabric_says_so():
    assert drawn(HOSTS[:1], hosts=4, cut_off=0).takeaway.startswith("Nothing has failed")
