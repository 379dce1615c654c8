"""Power in is heat out: at every node, and against the evaluation."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from app.charts import FIGURES
from tests.charts.support import layout, traces
from tests.surfaces.pages.states import whole


def drawn(evaluation: dict[str, Any]) -> tuple[list[str], dict[str, float], dict[str, float]]:
    """Names of the nodes, and what each takes in and gives on."""
    figure = FIGURES["power_flow"](evaluation)
    sankey = traces(figure)[0]
    names = [name for name, _ in sankey["node"]["customdata"]]
    taken: dict[str, float] = defaultdict(float)
    given: dict[str, float] = defaultdict(float)
    link = sankey["link"]
    for source, target, watts in zip(link["source"], link["target"], link["value"], strict=True):
        given[names[source]] += watts
        taken[names[target]] += watts
    return names, taken, given


def sink(
    name: str, *, liquid: float = 0, air: float = 0, power: float = 0, uncooled: float = 0
) -> dict[str, Any]:
    parts = {"liquid_heat_w": liquid, "air_heat_w": air, "cooling_power_w": power, "uncooled_w": uncooled}
    return {"sink": name, **parts, "total_w": sum(parts.values())}


def plants() -> dict[str, dict[str, Any]]:
    air = whole()
    air["cooling"] |= {
        "plant": "air",
        "liquid_heat_w": 0.0,
        "air_heat_w": 20.0e6,
        "heat_sinks": [
            sink("dry_coolers", air=8e6, power=0.2e6),
            sink("chiller_condensers", air=12e6, power=0.4e6),
            sink("hall_exhaust", uncooled=0.19e6),
        ],
    }
    lost_outside = whole()
    lost_outside["cooling"] |= {
        "air_heat_w": 4.8e6,
        "heat_sinks": [
            sink("dry_coolers", liquid=14.4e6, air=4.8e6, power=0.6e6),
            sink("hall_exhaust", uncooled=0.99e6),
        ],
    }
    to_hall = whole()  # 14.4 MW of the coolant and 0.1 MW of its fans are in the air's heat
    to_hall["cooling"] |= {
        "plant": "liquid_to_air",
        "air_heat_w": 20.1e6,
        "heat_sinks": [
            sink("chiller_condensers", air=20.1e6, power=0.5e6),
            sink("hall_exhaust", uncooled=0.19e6),
        ],
    }
    reused = whole()
    reused["cooling"]["heat_sinks"] = [
        sink("towers", liquid=7.2e6, air=5.6e6, power=0.5e6),
        sink("heat_network", liquid=7.2e6, power=0.1e6),
        sink("hall_exhaust", uncooled=0.19e6),
    ]
    kept = whole()
    del kept["cooling"]["heat_sinks"]
    kept["cooling"]["air_heat_w"] -= 0.8e6
    small = whole()
    small["power"]["it_breakdown_w"] |= {"storage": 0.03e6, "accelerators": 14.14e6}
    return {"liquid": whole(), "air": air, "losses outside": lost_outside, "liquid to air": to_hall,
            "reused": reused, "kept": kept, "small parts": small}  # fmt: skip


@pytest.mark.parametrize("case", plants())
def test_every_node_gives_on_what_it_takes(case: str) -> None:
    names, taken, given = drawn(plants()[case])
    last = {"Dry coolers", "Towers", "Condensers", "Hall exhaust", "Heat network", "Outdoors"} & set(names)
    for name in names:
        if name not in ("Utility", *last):
            assert taken[name] == pytest.approx(given[name], rel=1e-9)
    assert sum(taken[name] for name in last) == pytest.approx(given["Utility"], rel=1e-9)


@pytest.mark.parametrize("case", plants())
def test_last_column_is_the_sinks_of_the_evaluation(case: str) -> None:
    evaluation = plants()[case]
    names, taken, _ = drawn(evaluation)
    titles = {"dry_coolers": "Dry coolers", "towers": "Towers", "chiller_condensers": "Condensers",
              "hall_exhaust": "Hall exhaust", "heat_network": "Heat network"}  # fmt: skip
    for one in evaluation["cooling"].get("heat_sinks", ()):
        if one["total_w"]:
            assert taken[titles[one["sink"]]] == pytest.approx(one["total_w"])
        else:
            assert titles[one["sink"]] not in names
    assert ("Outdoors" in names) == (case == "kept")


@pytest.mark.parametrize("case", plants())
def test_flows_are_those_of_the_evaluation(case: str) -> None:
    evaluation = plants()[case]
    _, taken, given = drawn(evaluation)
    assert given["Utility"] == pytest.approx(evaluation["power"]["utility_mean_w"])
    assert taken["IT"] == pytest.approx(evaluation["power"]["it_power_mean_w"])
    assert taken["Coolant loop"] == pytest.approx(evaluation["cooling"]["liquid_heat_w"])
    assert taken["Room air"] == pytest.approx(evaluation["cooling"]["air_heat_w"])
    assert taken["GPUs"] == evaluation["power"]["it_breakdown_w"]["accelerators"]


def test_small_parts_flow_together() -> None:
    names, taken, _ = drawn(plants()["small parts"])
    assert "Storage" not in names
    assert taken["Other IT"] == pytest.approx(0.03e6 + 0.05e6)


def test_air_plant_has_no_coolant_loop() -> None:
    names, _, _ = drawn(plants()["air"])
    assert "Coolant loop" not in names


def test_nodes_of_a_column_do_not_overlap() -> None:
    figure = FIGURES["power_flow"](whole())
    sankey, height = traces(figure)[0], layout(figure)["height"] - 16
    _, taken, given = drawn(whole())
    per_watt = min(
        (height - sankey["node"]["pad"] * (count - 1)) / watts
        for count, watts in ((1, 20.79e6), (4, 20.79e6), (8, 18.9e6), (2, 20.0e6))
    )
    columns: dict[float, list[tuple[float, float]]] = defaultdict(list)
    node = sankey["node"]
    for (name, _), x, y in zip(node["customdata"], node["x"], node["y"], strict=True):
        half = max(taken[name], given[name]) * per_watt / height / 2
        columns[x].append((y - half, y + half))
    for spans in columns.values():
        edges = [edge for span in sorted(spans) for edge in span]
        assert edges == sorted(edges)
        assert edges[0] >= -1e-9
        assert edges[-1] <= 1 + 1e-9


@pytest.mark.parametrize("water", [0.0, 1.2, None])
def test_water_is_said(water: float | None) -> None:
    evaluation = whole()
    evaluation["cooling"]["wue_l_per_kwh"] = water
    takeaway = FIGURES["power_flow"](evaluation).takeaway
    assert takeaway.startswith("Of 20.8\u202fMW from the grid, 13.9\u202fMW reaches GPUs")
    assert ("without water" in takeaway) == (water == 0)
    assert ("1.20\u202fL of water" in takeaway) == (water == 1.2)
