"""Charts of cost and carbon: bars that lead to each level, both sides of zero, and what is unknown."""

from __future__ import annotations

import math
from collections.abc import Callable

import plotly.graph_objects as go
import pytest

from app.charts.economics import carbon
from app.charts.economics.build_up import BuildUpPart, build_up_figure
from app.charts.economics.carbon import CarbonShare, CarbonStep, parts_figure
from app.charts.economics.cash_flow import CashYears, cash_flow_figure
from app.charts.economics.cost_against_time import DrawnPod, DrawnSystem, cost_against_time_figure
from app.charts.economics.difference import Brought, difference_figure
from app.charts.economics.run_methods import MethodBar, run_methods_figure
from app.charts.economics.waterfall import Scale, scale_of
from app.charts.figure import Figure
from tests.charts.support import layout, plain, traces

PARTS = [
    BuildUpPart("SuperNodes", "capital", 1.4, "cost.capital_breakdown_usd_per_year.servers"),
    BuildUpPart("Storage", "capital", 0.004),
    BuildUpPart("Land", "capital", 0.005),
    BuildUpPart("Electricity", "running", 0.591),
]


def test_bars_lead_to_the_total() -> None:
    figure = build_up_figure(PARTS, 2.0)
    (bars,) = traces(figure)
    assert bars["y"] == ["SuperNodes", "Other, capex", "Electricity", "Total"]
    ends = [start + size for start, size in zip(bars["base"], bars["x"], strict=True)]
    assert ends[:-1] == pytest.approx([1.4, 1.409, 2.0])
    assert ends[-2:] == pytest.approx([2.0, 2.0])
    assert [row.cells[0] for row in figure.rows] == ["SuperNodes", "Storage", "Land", "Electricity", "Total"]
    assert figure.rows[0].path.endswith("servers")
    assert figure.takeaway.startswith("70.4")


def test_nothing_costs_nothing() -> None:
    figure = build_up_figure([BuildUpPart("SuperNodes", "capital", 0.0)], 0.0)
    assert figure.takeaway == "A utilised hour costs nothing."


ENDS = {"title": "Cost per run", "unit": "USD", "takeaway": "Site 80 %.", "caption": "", "view": "cause"}


def bars(figure: Figure) -> tuple[list[str], list[float]]:
    """Names of the bars, and where each ends."""
    (trace,) = traces(figure)
    return trace["y"], [start + size for start, size in zip(trace["base"], trace["x"], strict=True)]


def build_up(**changes: float) -> Figure:
    kg = {"tdp_only_kg": 100e3, "meter_kg": 150e3, "idle_kg": 20e3} | changes
    factors = [CarbonStep("Load", -10e3), CarbonStep("Servers", 60e3)]
    return carbon.build_up_figure(factors, making=[CarbonStep("Making", 30e3)], **kg)


def test_factors_lead_to_the_meter_and_on() -> None:
    figure = build_up()
    names, ends = bars(figure)
    assert names[0] == "Accelerator design power"
    assert ends == pytest.approx([100, 90, 150, 150, 180, 180, 200, 200])
    assert figure.eyebrow.endswith(", t")
    assert figure.takeaway == "The meter reads 1.50× what design power says; all in all 200\u202ft."
    assert {mark.label for mark in figure.legend} == {
        "Electricity", "Below design power", "Making of hardware", "Waiting",
    }  # fmt: skip


def test_a_grid_without_carbon() -> None:
    figure = carbon.build_up_figure(
        [CarbonStep("Load", 0.0)], tdp_only_kg=0.0, meter_kg=0.0, making=[CarbonStep("Making", 5.0)],
        idle_kg=0.0,
    )  # fmt: skip
    assert figure.takeaway.startswith("A grid without carbon")
    assert bars(figure)[1][-1] == 5


def test_parts_add_up_to_all() -> None:
    figure = parts_figure(
        [CarbonShare("Power", "operational", 75.0), CarbonShare("Making", "embodied", 25.0)]
    )
    assert bars(figure)[1] == pytest.approx([75, 100, 100])
    assert figure.takeaway == "Power 75 %, embodied carbon 25 %."


def test_a_difference_may_pass_below_nought() -> None:
    lines = [Brought("Operations", -5e6), Brought("Hardware", 8e6)]
    figure = difference_figure(lines, first=1e6, second=4e6, **ENDS)
    names, ends = bars(figure)
    assert names == ["A", "Hardware", "Operations", "B"]  # largest first
    assert ends == pytest.approx([1, 9, 4, 4])
    turned = difference_figure(lines[:1], first=1e6, second=-4e6, **ENDS)
    low, high = layout(turned)["xaxis"]["range"]
    assert low < -4 < 1 < high


def test_many_small_ones_are_drawn_as_one() -> None:
    small = [Brought(f"part {place}", 0.1) for place in range(5)]
    figure = difference_figure([Brought("Site", 1e6), *small], first=0.0, second=1e6 + 0.5, **ENDS)
    assert bars(figure)[0] == ["A", "Site", "5 others", "B"]
    assert difference_figure([], first=1.0, second=1.0, **ENDS).plot is None


def test_scales() -> None:
    assert scale_of(5e7, "kg").unit == "kt"
    assert scale_of(9.9e3, "kg") == Scale(1.0, "kg")
    assert scale_of(-3e9, "USD").divisor == 1e9
    assert Scale(1e6, "M").signed(-22.04e6) == "−22.0"
    assert Scale(1.0, "").signed(0) == "0"


NOTHING = [math.nan, math.nan, math.nan]
YEARS = CashYears(
    revenue=[0, 700e6, 700e6], sales=[0, 0, 50e6], purchase=[1000e6, 0, 0], running=[0, 100e6, 100e6],
    tax=[0, 20e6, -10e6], cumulative=[-1000e6, -420e6, 240e6], discounted=[-1000e6, -473e6, 73e6],
)  # fmt: skip


def drawn(years: CashYears = YEARS, *, has_tax: bool = True) -> Figure:
    return cash_flow_figure(years, revenue_label="Rent avoided", takeaway="Paid back.", has_tax=has_tax)


def test_bars_and_lines() -> None:
    figure = drawn()
    heights = {trace["name"]: trace["y"] for trace in traces(figure)}
    assert heights["Purchase"][0] == pytest.approx(-1000)
    assert heights["Tax"] == pytest.approx([0, -20, 10])  # what a loss saves comes in
    assert heights["Cumulative"][-1] == pytest.approx(240)
    stacked = sum(heights[name][2] for name in ("Rent avoided", "Worth at the end", "Running cost", "Tax"))
    assert stacked == pytest.approx(heights["Cumulative"][2] - heights["Cumulative"][1])
    axis = layout(figure)["yaxis"]
    assert axis["range"][0] < -1000
    assert axis["range"][1] > 750
    assert min(axis["tickvals"]) < 0 < max(axis["tickvals"])
    assert axis["ticktext"][-1].endswith("M\u00a0USD")
    assert [row.cells[0] for row in figure.rows] == ["0", "1", "2"]


def test_without_tax_there_is_no_bar_of_it() -> None:
    figure = drawn(has_tax=False)
    assert "Tax" not in [mark.label for mark in figure.legend]


def test_unknown_revenue_leaves_the_cost() -> None:
    figure = drawn(
        YEARS._replace(revenue=[0, math.nan, math.nan], cumulative=NOTHING, discounted=NOTHING, tax=NOTHING)
    )
    assert [trace["name"] for trace in traces(figure)] == ["Worth at the end", "Purchase", "Running cost"]
    assert [mark.label for mark in figure.legend] == ["Worth at the end", "Purchase", "Running cost"]


BARS = [
    MethodBar("Rented on demand", "rented", 110e6, 330e6),
    MethodBar("Rented on spot", "rented", math.nan, math.nan),
    MethodBar("Levelised ownership", "owned", 55e6, 165e6),
    MethodBar("Acquisition of the cluster", "bought", 780e6, None),
]


def test_bars_stand_on_a_logarithmic_axis() -> None:
    figure = run_methods_figure(BARS, 1.0)
    (bars,) = traces(figure)
    assert bars["y"] == ["Rented on demand", "Levelised ownership", "Acquisition of the cluster"]
    assert bars["x"] == [110e6, 55e6, 780e6]
    assert layout(figure)["xaxis"]["type"] == "log"
    assert figure.takeaway == "Rented on demand is 2.0 times levelised ownership."
    assert [row.cells[2] for row in figure.rows][1] == "unknown"
    assert [len(row.cells) for row in figure.rows] == [len(figure.columns)] * 4


def test_research_is_a_mark_beyond_the_bar() -> None:
    figure = run_methods_figure(BARS, 3.0)
    marks = traces(figure)[1]
    assert marks["x"] == [330e6, 165e6]
    assert "diamond" in figure.caption
    low, high = layout(figure)["xaxis"]["range"]
    assert 10**low < 55e6
    assert 10**high > 780e6
    assert figure.columns[-1].name == "With research"
    assert "Rented on<br>demand" in figure.narrow["yaxis.ticktext"]


DAY_S = 86_400.0


def pod(days: float, usd: float, **flags: bool) -> DrawnPod:
    return DrawnPod(
        words=f"{1000 / days:,.0f} accelerators",
        elapsed_time_s=days * DAY_S,
        usd=usd,
        feasible=flags.get("feasible", True),
        on_front=flags.get("on_front", False),
        picked=flags.get("picked", False),
        reason="" if flags.get("feasible", True) else "It does not fit.",
    )


OWN = DrawnSystem(name="Own", pods=(pod(10, 9e6, picked=True), pod(20, 8e6)))
NEW = DrawnSystem(name="New", pods=(pod(5, 7e6, on_front=True), pod(12, 5e6, on_front=True)))
BIG = DrawnSystem(name="Big", pods=(pod(4, 6e6, feasible=False),))


def figure(*systems: DrawnSystem, **limits: float) -> Figure:
    return cost_against_time_figure(systems or (OWN, NEW, BIG), money="owned", left_out=["Dear"], **limits)


def test_a_line_a_system_and_the_front_as_a_staircase() -> None:
    drawn = go.Figure(figure().plot)
    step, own, new, big = drawn.data
    assert step.line.shape == "hv"  # what a pod beats lies above it and to its right
    assert [list(step.x), list(step.y)] == [[5 * DAY_S, 12 * DAY_S], [7e6, 5e6]]
    assert [own.name, new.name, big.name] == ["Own", "New", "Big"]
    assert len({own.line.dash, new.line.dash, big.line.dash}) == 3  # colour is never the only sign
    assert list(big.marker.symbol) == ["diamond-open"]
    assert own.marker.size[0] > own.marker.size[1]  # the one that is picked
    assert (drawn.layout.xaxis.type, drawn.layout.yaxis.type) == ("log", "log")
    assert [mark.label for mark in figure().legend] == ["Own", "New", "Big"]


def test_what_it_says() -> None:
    assert plain(figure().takeaway) == (
        "New with 83 accelerators is cheapest, 5.00 M USD in 12.0 days; New with 200 accelerators is soonest, "
        "7.00 M USD in 5.00 days."
    )
    one = DrawnSystem(name="One", pods=(pod(5, 7e6, on_front=True),))
    assert "is both soonest and cheapest" in figure(one).takeaway
    assert figure(BIG).takeaway == "No pod is feasible."
    assert "Not drawn, as a time or price is unknown: Dear." in figure().caption


def test_the_deadline_and_the_budget_are_drawn_and_named() -> None:
    limited = figure(deadline_s=8 * DAY_S, budget_usd=6e6)
    drawn = go.Figure(limited.plot)
    deadline, budget = drawn.layout.shapes
    assert (deadline.x0, budget.y0) == (8 * DAY_S, 6e6)
    texts = {plain(note.text): note for note in drawn.layout.annotations}
    assert texts["Deadline 8.00 days"].x == pytest.approx(math.log10(8 * DAY_S))
    assert texts["Budget 6.00 M USD"].y == pytest.approx(math.log10(6e6))
    assert plain(limited.takeaway).startswith(
        "New with 200 accelerators is the cheapest that meets the deadline of 8.00 days"
    )
    assert plain(figure(deadline_s=DAY_S).takeaway).startswith("No pod meets the deadline of 24.0 h.")


def test_the_seventh_system_and_those_after_it_share_a_colour() -> None:
    many = [DrawnSystem(name=f"S{place}", pods=OWN.pods) for place in range(9)]
    found = figure(*many)
    assert [mark.slot for mark in found.legend] == ["c1", "c2", "c3", "c4", "c5", "c6", "c7"]
    assert found.legend[-1].label == "S6, S7, S8"


def test_the_table_says_what_the_marks_mean() -> None:
    cells = {row.cells[0] + row.cells[2]: row.cells[-1] for row in figure().rows}
    assert "no other is sooner and cheaper" in cells.values()
    assert "It does not fit." in cells.values()
    assert "picked" in cells.values()


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda: build_up_figure(PARTS, math.nan), "unknown"),
        (lambda: build_up(meter_kg=math.nan), "unknown"),
        (lambda: parts_figure([CarbonShare("Accelerators", "operational", math.nan)]), "unknown"),
        (lambda: drawn(YEARS._replace(purchase=NOTHING)), "unknown"),
        (
            lambda: run_methods_figure([MethodBar("Rented on demand", "rented", math.nan, None)], 1.0),
            "by every method",
        ),
        (lambda: figure(DrawnSystem(name="Dear", pods=())), "No pod has both"),
    ],
)
def test_what_is_unknown_is_said_and_not_drawn(draw: Callable[[], Figure], words: str) -> None:
    assert draw().plot is None
    assert words in draw().takeaway
