"""Charts as pictures for slides: of their size, with words, in either theme, and not empty."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.e2e.charts.test_charts import drawn

SVG = "{http://www.w3.org/2000/svg}"
CHARTS_PAGE = "/charts/whole"
CHARTS = ("step_time", "power_flow", "tco", "topology")


def menu(page, name):
    figure = drawn(page, name)
    figure.locator("details.download > summary").click()
    return figure


def downloaded(page, figure, kind, theme=""):
    figure.locator(".download-theme select").select_option(theme)
    with page.expect_download() as found:
        figure.locator(f'[data-kind="{kind}"]').click()
    return found.value.path().read_bytes()


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize(("theme", "is_light"), [("light", True), ("dark", False)])
def test_a_slide_is_of_its_size_in_its_theme_and_drawn(open_page, name, theme, is_light):
    page = open_page(CHARTS_PAGE)
    content = downloaded(page, menu(page, name), "slide-png", theme)
    picture = Image.open(io.BytesIO(content)).convert("L")
    assert picture.size == (1920, 1080)
    grey = np.asarray(picture).astype(int)
    assert (grey[0, 0] > 200) == is_light
    ink = np.abs(grey - grey[0, 0]) > 24
    assert ink[:140].any(), "a title"
    assert ink[-120:].any(), "a source"
    assert ink[200:900].mean() > 0.004, "a chart"
    assert not ink[:, :30].any(), "nothing is cut off at the left"
    assert not ink[:, -30:].any(), "nor at the right"


def test_a_slide_as_svg_has_words_and_no_script(open_page):
    page = open_page(CHARTS_PAGE)
    figure = menu(page, "tco")
    says = figure.locator(".chart-says h3").text_content()
    slide = ElementTree.fromstring(downloaded(page, figure, "slide-svg", "light"))
    assert (slide.get("width"), slide.get("height")) == ("1920", "1080")
    text = " ".join("".join(one.itertext()) for one in slide.iter("{http://www.w3.org/2000/svg}text"))
    assert " ".join(says.split())[:30] in " ".join(text.split())
    assert "Podwright, planning estimates." in text
    assert not list(slide.iter("{http://www.w3.org/2000/svg}script"))
    assert page.evaluate("document.documentElement.dataset.theme ?? ''") in ("", "light", "dark")


def test_series_of_a_slide_are_named_in_their_colours(open_page):
    page = open_page(CHARTS_PAGE)
    figures = page.locator("figure.chart:has(.chart-legend li, .chart-key .swatch)")
    figures.first.wait_for(state="attached")
    names = figures.evaluate_all("(all) => all.map((one) => one.dataset.name)")
    assert names
    for name in names:
        figure = menu(page, name)
        said = figure.locator(".chart-legend li, .chart-key tbody th:has(.swatch)").all_text_contents()
        slide = ElementTree.fromstring(downloaded(page, figure, "slide-svg", "light"))
        texts = {" ".join((one.text or "").split()) for one in slide.findall(f"{SVG}text")}
        assert {" ".join(one.split()) for one in said} <= texts, name
        swatches = [one for one in slide.findall(f"{SVG}rect") if one.get("rx") == "2"]
        assert len(swatches) == len(said), name
        assert all(re.match(r"(rgb|#)", one.get("fill", "")) for one in swatches), name
        (drawing,) = slide.findall(f"{SVG}svg")
        assert float(drawing.get("y", 0)) > max(float(one.get("y", 0)) for one in swatches), name
        assert float(drawing.get("height", 0)) > 200, name


def test_a_chart_is_copied_as_a_picture(open_page):
    page = open_page(CHARTS_PAGE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu(page, "tco").locator('[data-kind="copy"]').click()
    page.get_by_text("The chart is copied as a picture.").wait_for()
    kinds = page.evaluate("navigator.clipboard.read().then((items) => items.flatMap((one) => one.types))")
    assert kinds == ["image/png"]
