"""Reports as they are printed: pages, how full they are, that nothing is cut off, and text that can be found."""

from __future__ import annotations

import functools
import io
import re

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Browser

from app.scenarios.examples import list_examples
from app.settings import Settings
from app.surfaces.files import pdf as printing
from app.surfaces.files.pdf import NoPdfError, html_pdf
from app.surfaces.files.pdf_places import pages_of_places
from app.surfaces.pages.report.printing import report_pdf
from tests.surfaces.pages.report.studies import STUDIES, study_html
from tests.surfaces.pages.report.test_report import FLAGSHIP, KEYS, html

pytestmark = pytest.mark.slow

MOST_PAGES = {"board": 2, "full": 25}
LEAST_FULL = 0.2
PRINTED = [one.key for one in list_examples()[:10] if one.key in KEYS]
SHEET_WIDTH = 673
"""Pixels between the margins of A4."""
COLOURED = 28
"""Levels between the channels of a pixel of a mark; text, axes and paper are nearly grey."""
GREY = (116, 117, 120)
"""The one grey of marks."""
LEAST_MARKED = 0.0003
"""Share of the pixels of a chart that must be of a mark, not text, axes or paper; drawings of lines have little."""


def report_of(key: str, version: str) -> str:
    return study_html(key, version) if key in STUDIES else html(key, version)


@functools.cache
def content_of(key: str, version: str, chromium: str) -> bytes:
    return report_pdf(report_of(key, version), Settings(chromium=chromium))


def printed(content: bytes) -> pypdfium2.PdfDocument:
    assert b"/StructTreeRoot" in content, "tagged"
    assert b"/Lang" in content
    return pypdfium2.PdfDocument(content)


@pytest.mark.parametrize("version", ["board", "full"])
@pytest.mark.parametrize("key", [*PRINTED, *STUDIES])
def test_pages_are_few_full_and_whole(key: str, version: str, chromium_path: str) -> None:
    document = printed(content_of(key, version, chromium_path))
    assert len(document) <= MOST_PAGES[version]
    for page in document:
        ink = np.asarray(page.render(scale=1).to_pil().convert("L")) < 245
        body = ink[int(0.05 * len(ink)) : int(0.935 * len(ink))]
        rows = np.flatnonzero(body.any(axis=1))
        assert (rows[-1] + 1) / len(body) >= LEAST_FULL
        edge = int(0.04 * ink.shape[1])
        assert not ink[:, :edge].any(), "something reaches into the left margin"
        assert not ink[:, -edge:].any(), "something is cut off at the right"
    document.close()


def test_text_is_found_and_the_outline_has_every_chapter(chromium_path: str) -> None:
    document = printed(content_of(FLAGSHIP, "full", chromium_path))
    text = "\n".join(page.get_textpage().get_text_range() for page in document)
    for words in ("Own or rent", "Effective training time", "Nearest measured runs", "Glossary"):
        assert words in text
    assert f"1 of {len(document)}" in text
    titles = [one.get_title() for one in document.get_toc()]
    for chapter in ("Performance", "Cash flow", "Sources", "Glossary"):
        assert any(chapter in title for title in titles), chapter
    document.close()


@pytest.mark.parametrize(("key", "last"), [(FLAGSHIP, "Glossary"), ("ranked", "Glossary")])
def test_contents_name_the_page_of_every_chapter(key: str, last: str, chromium_path: str) -> None:
    document = printed(content_of(key, "full", chromium_path))
    starts = {one.get_title().split(" ", 1)[-1]: one.get_dest().get_index() + 1 for one in document.get_toc()
              if re.match(r"\d+ ", one.get_title())}  # fmt: skip
    assert last in starts
    cover = document[0].get_textpage().get_text_range()
    assert [int(one) for one in re.findall(r"^(\d+)\s*$", cover, re.MULTILINE)] == list(starts.values())
    document.close()


def test_pages_of_places_are_found_and_of_other_files_none(chromium_path: str) -> None:
    links = '<a href="#one_1">1</a> <a href="#two">2</a>'
    text = f"<html lang=en><body>{links}" + "".join(
        f'<p id="{name}" style="break-before: page">{name}</p>' for name in ("one_1", "two")
    )
    assert pages_of_places(html_pdf(text, Settings(chromium=chromium_path))) == {"one_1": 2, "two": 3}
    for other in (b"", b"%PDF-1.7", b"1 0 obj <</Type /Catalog /Pages 2 0 R /Dests 3 0 R>> endobj"):
        assert pages_of_places(other) == {}


@pytest.mark.parametrize("key", [*PRINTED, *STUDIES])
def test_charts_have_marks_and_no_table_is_clipped(key: str, browser: Browser) -> None:
    """As on paper: coloured pixels in every chart, and tables that are no wider than the sheet."""
    page = browser.new_page(viewport={"width": SHEET_WIDTH, "height": 1000}, java_script_enabled=True)
    try:
        page.emulate_media(media="print")
        page.set_content(report_of(key, "full"))
        wide = page.evaluate("""() => [...document.querySelectorAll('table, th, td, svg')]
            .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1
                || (one.tagName !== 'svg' && one.scrollWidth > one.clientWidth + 1)).map(one => one.textContent.slice(0, 80))""")
        assert wide == []
        boxes = page.evaluate("""() => [...document.querySelectorAll('figure')].map(one => {
            const box = one.querySelector('svg').getBoundingClientRect();
            return [box.x, box.y + window.scrollY, box.width, box.height, one.querySelector('.eyebrow').textContent]; })""")
        shot = np.asarray(Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")).astype(int)
    finally:
        page.close()
    assert boxes
    for x, y, width, height, title in boxes:
        part = shot[int(y) : int(y + height), int(x) : int(x + width)]
        marked = (np.ptp(part, axis=2) > COLOURED) | (np.abs(part - GREY).max(axis=2) <= 2)
        assert marked.mean() > LEAST_MARKED, title


def test_without_chromium_it_says_what_to_do() -> None:
    for setting in ("none", "/nowhere/chromium"):
        with pytest.raises(NoPdfError, match="PODWRIGHT_CHROMIUM"):
            html_pdf("<p>", Settings(chromium=setting))


def test_a_browser_that_hangs_or_fails_is_ended(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(printing, "SECONDS", 0.3)
    for script, said in (("sleep 60", "within 0.3 s"), ("exit 3", "ended with 3")):
        program = tmp_path / "browser"
        program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program.chmod(0o755)
        with pytest.raises(NoPdfError, match=said):
            html_pdf("<p>", Settings(chromium=str(program)))
