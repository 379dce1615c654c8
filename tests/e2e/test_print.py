"""Designs printed to PDF by the browser: every page has content, every chart has ink."""

from __future__ import annotations

import io
import re

import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Page

from app.scenarios.examples import list_examples
from tests.browser import until
from tests.conftest import OpenPage
from tests.soak import IS_SHORT
from tests.support import part_of

DOTS_PER_POINT = 1.5
COLOURED = 60
"""Difference of a pixel's strongest and weakest channel from which it counts as coloured: text and axes are grey."""
LEAST_INK = 60
"""Coloured pixels below a chart's title; an empty frame has none."""
QUICK = ("llama_3_1_405b_on_2048_dgx_h100", "deepseek_r1_on_cloudmatrix384")

CHARTS = """
() => [...document.querySelectorAll('figure.chart:not(.is-empty)')]
  .filter((figure) => figure.offsetParent)
  .map((figure) => [figure.querySelector('h3').textContent.trim(), parseFloat(figure.querySelector('.plot').style.height)])
"""


def printed(page: Page) -> pypdfium2.PdfDocument:
    """The page as `Print`, `Save as PDF` gives it, once the browser has been idle."""
    until(page, "window.Plotly !== undefined")
    return pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True, format="A4"))


def coloured_pixels(picture: Image.Image) -> int:
    """Number of pixels that are neither white, grey nor black."""
    red, green, blue = picture.convert("RGB").split()
    pairs = zip(red.tobytes(), green.tobytes(), blue.tobytes(), strict=True)
    return sum(max(pixel) - min(pixel) >= COLOURED for pixel in pairs)


def ink_below(document: pypdfium2.PdfDocument, title: str, height_px: float) -> int:
    """Coloured pixels in the frame below a title, the largest where the title is printed more than once."""
    words = max(re.split("[\u202f\xa0]", title), key=len)[:40]  # narrow spaces are other ones in a PDF
    most = -1
    for sheet in document:
        search = sheet.get_textpage().search(words.strip(), match_case=True)
        while (found := search.get_next()) is not None:
            _, bottom, _, _ = search.textpage.get_charbox(found[0])
            top = sheet.get_height() - bottom
            frame = sheet.render(scale=DOTS_PER_POINT).to_pil()
            lower = min(top + height_px * 0.75 + 40, sheet.get_height())
            box = (0, int(top * DOTS_PER_POINT), frame.width, int(lower * DOTS_PER_POINT))
            most = max(most, coloured_pixels(frame.crop(box)))
    return most


def lines_of(sheet: pypdfium2.PdfPage) -> list[str]:
    return [line for line in sheet.get_textpage().get_text_bounded().splitlines() if line.strip()]


def all_designs() -> list[pytest.param]:
    others = [example.key for example in list_examples() if example.key not in QUICK]
    if IS_SHORT:
        others = part_of(others)
    return [*QUICK, *(pytest.param(key, marks=pytest.mark.soak) for key in others)]


@pytest.mark.parametrize("key", all_designs())
def test_a_design_prints_with_every_chart_drawn(key: str, open_page: OpenPage) -> None:
    page = open_page(f"/designs/{key}/all", scheme="dark")
    until(page, "window.Plotly !== undefined")
    charts = page.evaluate(
        CHARTS
    )  # a study that comes while the page is being printed is not in the document
    document = printed(page)
    for number, sheet in enumerate(document, start=1):
        assert len(lines_of(sheet)) > 2, f"page {number} of {len(document)} has a title only"
    text = "\n".join(sheet.get_textpage().get_text_bounded() for sheet in document)
    assert "Calculating" not in text
    ink = {title: ink_below(document, title, height) for title, height in charts}
    assert len(ink) > 2
    assert {title: drawn for title, drawn in ink.items() if drawn < LEAST_INK} == {}


def test_the_menu_prints_once_everything_is_calculated(open_page: OpenPage) -> None:
    page = open_page("/designs/llama_3_1_405b_on_2048_dgx_h100/all")
    page.evaluate("() => { window.print = () => { document.documentElement.dataset.printed = 'yes'; }; }")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Print this page or save as PDF").click()
    until(page, "document.documentElement.dataset.printed === 'yes'")
    assert page.locator("#domain-study figure.chart").count() == 1
    until(page, "[...document.querySelectorAll('.plot-frame .plot')].every((plot) => plot.dataset.drawn)")


def test_a_wide_table_fits_its_sheet(open_page: OpenPage) -> None:
    page = open_page("/catalog/systems")
    document = pypdfium2.PdfDocument(io.BytesIO(page.pdf(prefer_css_page_size=True, format="A4")))
    for sheet in document:
        picture = sheet.render(scale=1).to_pil().convert("L")
        margin = picture.crop((picture.width - 12, 0, picture.width, picture.height))
        assert margin.getextrema()[0] > 200, "something is printed up to the edge of the sheet"
