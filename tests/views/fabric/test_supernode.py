"""The inside of a SuperNode: what is drawn is what is bought, what is lost with a part, its limits, and its slide."""

from __future__ import annotations

import dataclasses
import functools
import math
import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.charts.fabric.supernode_inside import (
    MOST_ACCELERATORS,
    supernode_inside_figure,
    supernode_tray_figure,
)
from app.charts.fabric.supernode_racks import supernode_racks_figure
from app.charts.figure import Figure
from app.charts.format import show
from app.charts.slide import HEIGHT, SMALL, WIDTH, slide, text_width
from app.engine.fabric.scale_up.graph import scale_up_graph
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.resolve.supernode import parts_of
from app.scenarios.resolve.supernode_parts import as_parts
from app.views.fabric.supernode import SLIDES, SuperNodeInside, supernode_inside, supernode_text
from app.views.plain import report_json
from tests.charts.support import assert_whole
from tests.charts.support import plain as plain_words
from tests.scenarios.support import document

pytestmark = pytest.mark.slow
CATALOG = ready_catalog()
SYSTEMS = [
    key
    for key in CATALOG.keys("systems")
    if as_parts(CATALOG, CATALOG.part("systems", key)) and CATALOG.part("systems", key).facts["accelerators"].value < 5e4
]  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"


def evaluated(system: str, **changes: Any) -> SuperNodeInside:
    whole = evaluate_scenario(
        document(supernode={"system": system}, pod={"supernodes": 1}, **changes), CATALOG
    )
    return supernode_inside(whole, CATALOG)


@functools.cache
def inside(system: str) -> SuperNodeInside:
    return evaluated(system)


def plain(system: str) -> dict[str, Any]:
    found: dict[str, Any] = report_json(inside(system))
    return found


def marks(figure: Figure) -> list[list[Any]]:
    """What can be opened: title, words, detail, and the parts that it stands for."""
    assert figure.plot is not None
    return [
        said
        for trace in figure.plot["data"]
        if trace.get("meta") == "choosable"
        for said in trace["customdata"]
    ]


def dots(figure: Figure, symbol: str) -> int:
    """Small marks of a kind."""
    assert figure.plot is not None
    return sum(
        len(trace["x"])
        for trace in figure.plot["data"]
        if trace.get("meta") != "choosable" and trace.get("marker", {}).get("symbol") == symbol
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_drawn_is_what_is_bought(system: str) -> None:
    """Marks stand for as many parts as the bill of the SuperNode has, over every catalog system."""
    figure = supernode_inside_figure(plain(system))
    assert_whole(figure)
    answer, bought = inside(system), {part.name: part.count for part in inside(system).parts}
    if answer.network.structure == "torus":
        return  # counted by its graph, below
    found = marks(figure)
    if not found:  # one tray, all of it drawn
        counts = {"circle": "accelerators", "triangle-up": "processors", "square": "nics"}
        assert {name: dots(figure, symbol) for symbol, name in counts.items()} == pytest.approx(
            {name: bought.get(name, 0) for name in counts.values()}
        )
        assert dots(figure, "diamond") == bought.get("scale_up_switches", 0)
        return
    sums = {
        name: sum(one[3].get(name, 0.0) for one in found)
        for name in ("accelerators", "processors", "nics", "switches", "trays")
    }
    assert sums == pytest.approx(
        {
            "accelerators": answer.accelerators, "processors": bought.get("processors", 0), "nics": bought.get("nics", 0),
            "switches": bought.get("scale_up_switches", 0), "trays": bought["trays"],
        }
    )  # fmt: skip
    if answer.accelerators <= MOST_ACCELERATORS and len(found) > 1 and dots(figure, "circle"):
        assert dots(figure, "circle") == answer.accelerators


@pytest.mark.parametrize("system", SYSTEMS)
def test_links_drawn_are_those_of_the_graph_and_the_bill(system: str) -> None:
    """Links by tier are those of every accelerator's graph; those that cost something are those of the bill."""
    answer = inside(system)
    found = parts_of(document(supernode={"system": system}, pod={"supernodes": 1}), CATALOG)
    assert found is not None
    built = found[1]
    assert built.plan is not None
    if answer.network.domains % 1 == 0:
        graph = scale_up_graph(built.plan, np.full(1, built.domain))
        of_tier = np.bincount(graph.links.tier, minlength=len(graph.tiers)) * answer.network.domains
        assert {one.name: one.links for one in answer.links} == pytest.approx(
            dict(zip(graph.tiers, of_tier.tolist(), strict=True))
        )
        joined = sum(one.links for one in answer.network.joins)
        if answer.network.structure == "torus" and answer.network.joins:
            within = 0 if math.isnan(answer.network.cube_side) else of_tier[graph.tiers.index("copper")]
            assert joined * answer.network.domains == of_tier.sum() - within
    bought = sum(part.count for part in answer.parts if part.name in ("scale_up_links", "scale_up_far_links"))
    assert sum(one.links for one in answer.links if one.cables != 0) == pytest.approx(bought)
    assert sum(one.cables for one in answer.links) == pytest.approx(answer.scale_up_cables, nan_ok=True)
    assert sum(one.modules for one in answer.links) == pytest.approx(answer.scale_up_modules, nan_ok=True)


@pytest.mark.parametrize(
    ("system", "cubes", "lines"),
    [
        ("aws_trn2_ultraserver", 64, 192),
        ("tpu_v4_pod", 64, 192),
        ("tpu_v7_pod", 144, 432),
        ("tpu_v5p_pod", 96, 288),
    ],
)
def test_a_torus_is_a_box_that_turns(system: str, cubes: int, lines: int) -> None:
    """A mark for every accelerator or cube; a line for every two neighbours, and the ends of one that closes a ring."""
    figure = supernode_inside_figure(plain(system))
    assert figure.plot is not None
    straight, closing, places = figure.plot["data"]
    assert {trace["type"] for trace in figure.plot["data"]} == {"scatter3d"}
    assert len(places["x"]) == cubes
    assert len(straight["x"]) / 3 + len(closing["x"]) / 6 == lines
    assert figure.plot["layout"]["scene"]["dragmode"] == "turntable"
    assert_whole(supernode_tray_figure(plain(system)))


@pytest.mark.parametrize("system", SYSTEMS)
def test_elevations_add_up(system: str) -> None:
    answer, figure = inside(system), supernode_racks_figure(plain(system))
    assert_whole(figure)
    if not answer.rack_kinds:
        assert figure.plot is None
        return
    trays = sum(kind.count * kind.trays for kind in answer.rack_kinds)
    assert trays == pytest.approx(next(part.count for part in answer.parts if part.name == "trays"))
    assert figure.plot is not None
    boxes = sum(shape["type"] == "rect" for shape in figure.plot["layout"]["shapes"])
    devices = sum(shelf.count for kind in answer.rack_kinds for shelf in kind.shelves)
    assert boxes == devices + len(answer.rack_kinds)


def test_limits_by_hand() -> None:
    """1,360 kg over 0.75 x 2.25 m are 806 kg/m2; 12 kPa carry 1,224; a chip has 72 ports, all in use."""
    limits = {one.name: one for one in inside("gb200_nvl72").limits}
    assert limits["floor_load"].value == pytest.approx(1360 / (0.75 * 2.25), rel=1e-3)
    assert limits["floor_load"].limit == pytest.approx(12000 / 9.80665)
    assert (limits["radix"].value, limits["radix"].limit, limits["radix"].status) == (72, 72, "fits")
    assert limits["rack_power"].limit == 150e3
    assert limits["addressing"].status == "unknown"
    assert "reach" not in limits
    two = {one.name: one for one in inside("gb200_nvl36x2").limits}
    assert (two["radix"].value, two["reach"].value, two["reach"].limit) == (72, 4.5, 5)


def test_an_unpublished_weight_stays_unknown_and_says_so() -> None:
    load = next(one for one in inside("huawei_cloudmatrix384").limits if one.name == "floor_load")
    assert math.isnan(load.value)
    assert load.status == "unknown"
    assert "not published" in load.note
    assert "816 kg" in load.note


def test_a_weak_floor_is_exceeded_and_aisles_relieve_it() -> None:
    """The load falls with the aisle that a rack shares, and is over where the floor carries less."""

    def load(**changes: Any) -> Any:
        return next(one for one in evaluated("gb200_nvl72", **changes).limits if one.name == "floor_load")

    weak = load(assumptions={"facility.floor_load_limit_n_per_m2": 7200})
    assert weak.status == "over"
    assert "facility.floor_load_limit_n_per_m2" in weak.note
    double = next(one for one in inside("amd_helios_72").limits if one.name == "floor_load")
    assert (round(double.value), double.status) == (1881, "over")
    wide = evaluate_scenario(
        document(supernode={"system": "gb200_nvl72"}, pod={"supernodes": 1, "floor": {"hot_aisle_m": 3.0}}),
        CATALOG,
    )
    wider = next(one for one in supernode_inside(wide, CATALOG).limits if one.name == "floor_load")
    assert wider.value < weak.value


def test_losses_have_their_spares() -> None:
    answer = inside("gb200_nvl72")
    lost = {one.name: one for one in answer.losses}
    assert lost["tray"].accelerators == 4
    assert lost["tray"].replaced == "unit of 4 accelerators"
    assert lost["tray"].spares >= 0
    assert lost["switch"].bandwidth_share == pytest.approx(1 / 18)
    assert lost["switch"].replaced == ""
    assert lost["accelerator"].failures_per_day > lost["switch"].failures_per_day > 0
    cube = next(one for one in inside("tpu_v4_pod").losses if one.name == "rack")
    assert (cube.accelerators, cube.replaced) == (64, "unit of 64 accelerators")
    two = {one.name: one.bandwidth_share for one in inside("huawei_cloudmatrix384").losses}
    assert two["switch"] == pytest.approx(1 / 7)
    assert two["upper_switch"] == pytest.approx(1 / 112)


def test_text_names_limits_losses_and_links() -> None:
    text = supernode_text(inside("huawei_cloudmatrix384"))
    for words in (
        "Floor load of a rack",
        "Ports of a switch chip",
        "Lower to upper switches",
        "Switch rack",
        "Lost with one",
    ):
        assert words in text


@pytest.mark.parametrize(
    "system",
    ["dgx_h100", "amd_mi300x_8way", "gb200_nvl72", "gb200_nvl36x2", "huawei_cloudmatrix384", "tpu_v7_pod"],
)
@pytest.mark.parametrize("file", SLIDES, ids=lambda file: file.name)
def test_slides_are_whole(system: str, file: Any) -> None:
    """Well-formed, 16:9, every colour filled in, and all words within the slide and large enough to read."""
    content = file.format.content(inside(system))
    root = ElementTree.fromstring(content)
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert WIDTH * 9 == HEIGHT * 16
    assert b"var(--" not in content
    assert not re.search(rb"\bnan\b|\binf\b", content)
    for word in root.iter(f"{SVG}text"):
        size, x = float(word.get("font-size", "")), float(word.get("x", ""))
        assert size >= SMALL
        wide = text_width(word.text or "", size)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[word.get("text-anchor", "")]
        assert left >= 0, word.text
        assert left + wide <= WIDTH, word.text
        assert 0 < float(word.get("y", "")) < HEIGHT, word.text
    assert inside(system).name in "".join(root.itertext())


def test_a_long_name_is_cut_and_escaped() -> None:
    figure = dataclasses.replace(supernode_inside_figure(plain("dgx_h100")), takeaway="A < B & C. " * 40)
    content = slide(figure, title="W" * 300, facts=[("Name", "M" * 500)] * 40, source="x " * 900)
    for word in ElementTree.fromstring(content).iter(f"{SVG}text"):
        assert text_width(word.text or "", float(word.get("font-size", ""))) <= WIDTH - 64


def test_an_unknown_inside_is_refused() -> None:
    with pytest.raises(ScenarioError, match="The inside is unknown"):
        evaluated("aws_trn3_ultraserver_gen2")


@pytest.mark.parametrize(
    ("system", "row"),
    [
        ("dgx_h100", "DGX H100"), ("gb200_nvl72", "GB200 NVL72"), ("gb200_nvl36x2", "GB200 NVL36x2"),
        ("huawei_cloudmatrix384", "CloudMatrix384"), ("tpu_v7_pod", "Ironwood"),
    ],
)  # fmt: skip
def test_the_table_of_pictures_says_what_is_drawn(system: str, row: str) -> None:
    """docs/supernode.md: power and weight of the fullest rack, and the links of the last tier."""
    text = (Path(__file__).parents[3] / "docs" / "supernode.md").read_text(encoding="utf-8")
    pictures = text[text.index("### Pictures") : text.index("### What is lost")]
    line = next(line for line in pictures.splitlines() if line.startswith(f"| {row} |"))
    answer = inside(system)
    most = max(answer.rack_kinds, key=lambda one: one.power_w)
    assert plain_words(show(most.power_w, "W").text) in line
    if "kg" in line:
        assert f"{most.weight_kg:,.0f} kg" in line
    if "links" in line:
        assert f"{answer.links[-1].links:,.0f} links" in line


def test_pictures_hold_whatever_the_design() -> None:
    """Seeded SuperNodes of parts, with trays that are not full, domains, two tiers and shared racks."""
    draw = random.Random(36)
    drawn = 0
    while drawn < 60:
        count = draw.choice([1, 2, 3, 7, 8, 31, 64, 72, 73, 144, 200, 576, 1000])
        chip = draw.choice(
            [
                "nvidia_gb200",
                "nvidia_h100_sxm",
                "amd_mi300x",
                "huawei_ascend_910c",
                "aws_trainium2",
                "google_tpu_v4",
            ]
        )
        custom: dict[str, Any] = {
            "name": "A & B <drawn>", "accelerator": chip, "accelerators": count,
            "parts": {"accelerators_per_tray": draw.choice([1, 2, 4, 8, 16]), "processors_per_tray": draw.randint(1, 3)},
        }  # fmt: skip
        if draw.random() < 0.4:
            custom["scale_up"] = {
                "domain_accelerators": draw.choice([one for one in (1, 2, 4, 8, 72) if one <= count])
            }
        try:
            whole = evaluate_scenario(document(supernode={"custom": custom}, pod={"supernodes": 1}), CATALOG)
            answer = supernode_inside(whole, CATALOG)
        except ScenarioError:
            continue
        drawn += 1
        values = report_json(answer)
        figure = supernode_inside_figure(values)
        assert_whole(figure)
        assert_whole(supernode_racks_figure(values))
        assert "nan" not in supernode_text(answer).lower().split()
        for file in SLIDES:
            ElementTree.fromstring(file.format.content(answer))
        if answer.network.structure == "torus" and answer.network.joins:
            continue
        stand = marks(figure)
        sums = sum(one[3].get("accelerators", 0.0) for one in stand) if stand else dots(figure, "circle")
        assert sums == pytest.approx(answer.accelerators), custom
