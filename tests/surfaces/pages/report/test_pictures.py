"""Pictures for slides: of their size, with title and source, and never empty, in both themes, by every way to ask."""

from __future__ import annotations

import io
import random
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from app.catalog.ready import ready_catalog
from app.charts import FIGURES
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import example, list_examples
from app.settings import Settings
from app.surfaces.files.pdf import svg_png
from app.surfaces.files.work import Work
from app.surfaces.pages.report.pictures import DRAWINGS, HIGH, QUICK, THEMES, WIDE, Pictures, Theme
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

EXAMPLES = [one.key for one in list_examples()]
SVG = "{http://www.w3.org/2000/svg}"
MARKS = frozenset(f"{SVG}{name}" for name in ("path", "rect", "circle", "ellipse", "polygon", "line"))
COLOURED = 24
"""Steps between the channels of a colour that is no grey: axes and grids are grey, marks are not."""
PICK = random.Random(30)
DRAWN = [
    (PICK.choice(EXAMPLES), PICK.choice((*FIGURES, *DRAWINGS)), theme) for theme in ("light", "dark") * 3
]


def pictures(key: str, without: tuple[str, ...] = ()) -> Pictures:
    document, catalog = example(key).read(), ready_catalog()
    scenario = evaluated(document, catalog)
    return Pictures(Work(document, lambda: scenario), catalog, without)


def is_coloured(value: str) -> bool:
    match = re.match(r"#([0-9a-fA-F]{6})$", value or "")
    if match is None:
        found = re.match(r"rgba?\((\d+),\s*(\d+),\s*(\d+)", value or "")
        channels = [int(one) for one in found.groups()] if found else [0]
    else:
        channels = [int(match[1][at : at + 2], 16) for at in (0, 2, 4)]
    return max(channels) - min(channels) >= COLOURED


def coloured_marks(drawing: str) -> int:
    root = ElementTree.fromstring(drawing)
    inside = {id(one) for clip in root.iter(f"{SVG}clipPath") for one in clip.iter()}
    return sum(
        1
        for one in root.iter()
        if one.tag in MARKS
        and id(one) not in inside
        and (is_coloured(one.get("fill", "")) or is_coloured(one.get("stroke", "")))
    )


def drawn_or_unknown(found: Pictures, name: str, theme: Theme) -> str:
    """A picture; "" where its figures are unknown: it is refused with a message, and no empty picture is made."""
    try:
        return found.svg(name, theme)
    except ScenarioError as error:
        if error.errors[0].rule != "unknown":
            raise
        return ""


@pytest.mark.parametrize("key", EXAMPLES)
def test_no_chart_of_an_example_is_empty(key: str) -> None:
    found, drawn = pictures(key), 0
    for name in (*FIGURES, *DRAWINGS):
        for theme in THEMES:
            drawing = drawn_or_unknown(found, name, theme)
            if not drawing:
                continue
            drawn += 1
            root = ElementTree.fromstring(drawing)
            assert (root.get("width"), root.get("height")) == (str(WIDE), str(HIGH))
            assert coloured_marks(drawing) >= 1, (name, theme)
            words = [text.text or "" for text in root.findall(f"{SVG}text")]
            assert words[0], "a title"
            assert "Podwright, planning estimates" in " ".join(words)
            assert "var(" not in drawing
            assert "nan" not in drawing.lower().replace("nano", "")
    assert drawn >= 12


@pytest.mark.parametrize(("key", "name", "theme"), DRAWN)
def test_pixels_of_a_picture_are_drawn(key: str, name: str, theme: str, chromium_path: str) -> None:
    found = pictures(key)
    # the one that was picked, or the first whose figures are known
    drawing = next(filter(None, (drawn_or_unknown(found, one, theme) for one in (name, *FIGURES))))  # type: ignore[arg-type]
    image = Image.open(io.BytesIO(svg_png(drawing, WIDE, HIGH, Settings(chromium=chromium_path))))
    assert image.size == (WIDE, HIGH)
    pixels = np.asarray(image.convert("RGB")).astype(int)
    ground = pixels[2, 2]
    assert (ground.mean() > 128) == (theme == "light")
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    area = spread[int(0.15 * HIGH) : int(0.9 * HIGH)]
    assert (area >= COLOURED).mean() > 0.0005, "marks in the area of the chart"
    edge = np.abs(pixels[:, :20] - ground).max()
    assert edge < 16, "nothing reaches into the margin"


def test_charts_of_every_room_may_be_asked_for() -> None:
    found = pictures("edge_node")
    names = found.names()
    assert len(names) > 15
    rooms = [name for name in names if name not in QUICK]
    for name in PICK.sample(rooms, 4):
        assert coloured_marks(found.svg(name, "light")) >= 1, name


def test_money_that_is_left_out_is_in_no_picture() -> None:
    found = pictures("edge_node", ("prices", "names"))
    with pytest.raises(ScenarioError):
        found.svg("tco", "light")
    assert "Edge node" not in found.svg("step_time", "light")


def test_over_rest(reading_client: AsgiClient) -> None:
    scenario = example("edge_node").read().as_dict()
    answer = reading_client.post("/api/v1/pictures/step_time/svg?theme=dark", json=scenario)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert coloured_marks(answer.text) >= 1
    assert reading_client.post("/api/v1/pictures/step_time/svg?theme=blue", json=scenario).status_code == 422
    assert reading_client.post("/api/v1/pictures/step_time/gif", json=scenario).status_code == 404
    missing = reading_client.post("/api/v1/pictures/step_tme/svg", json=scenario)
    assert missing.status_code == 404
    assert "step_time" in missing.json()["detail"]
