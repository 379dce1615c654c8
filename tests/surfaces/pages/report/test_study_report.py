"""Reports of studies: content, figures, what is left out, and the ways to them."""

from __future__ import annotations

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from openpyxl import load_workbook
from typer.testing import CliRunner

from app.charts.format import show_computed
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.yaml_text import write_yaml
from app.surfaces.cli import app as command_line
from app.surfaces.pages.report.document import chapters_of, report_html
from app.surfaces.pages.report.options import report_options
from app.surfaces.pages.report.study import StudySubject
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.surfaces.pages.report.studies import STUDIES, study, study_html
from tests.surfaces.pages.report.test_report import words

pytestmark = pytest.mark.slow

SMALL = {**STUDIES["ranked"], "candidates": {"systems": ["dgx_h100"], "supernodes": [8], "sites": ["dallas"]}}


@pytest.mark.parametrize("version", ["board", "full"])
@pytest.mark.parametrize("name", STUDIES)
def test_every_study_has_a_report(name: str, version: str) -> None:
    text = study_html(name, version)
    assert "<script" not in text
    assert not re.search(r'(?:src|href)="(?!data:|#)', text), "the file needs nothing else"
    assert not re.search(r"\b(?:nan|None|inf)\b", words(text)), re.search(
        r".{40}\b(?:nan|None|inf)\b", words(text)
    )
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert drawings
    for drawing in drawings:
        assert len(list(ElementTree.fromstring(drawing).iter())) > 5, "an empty chart"


def test_a_board_has_question_options_and_what_decides() -> None:
    text = words(study_html("ranked", "board"))
    for said in ("Question", "Answer", "Options", "Cost", "Time", "Risk", "Assumptions", "Decision", "Hash of the study",
                 "Which pod trains the model", "8 DGX H100, Dallas TX, own (base)", "which binds", "Revision 3 was approved"):  # fmt: skip
        assert said in text, said
    kept = words(study_html("kept", "board"))
    for said in ("trains our 8B model soonest", "Chosen: B, Sixteen.", "We wait for a quote.", "D: Edge"):
        assert said in kept, said


def spaced(text: str) -> str:
    return words(f"</head>{text}").strip()


def test_figures_are_those_of_the_study() -> None:
    found = study("ranked")
    text = words(study_html("ranked", "full"))
    for row in found.answer.rows:
        for key, unit in (("tco_usd", "USD"), ("time_s", "s"), ("carbon_kg", "kg")):
            shown = spaced(show_computed(row.figures[key].value, unit).text)
            assert shown in text, (row.key, key, shown)
    assert found.answer.timing is not None
    assert spaced(show_computed(found.answer.timing.present_value_usd, "USD").text) in text
    assert f"{found.answer.searched.designs:,} designs searched" in text


def test_the_full_version_has_every_part_of_the_answer() -> None:
    ids = re.findall(r'<section class="chapter" id="([a-z]+)"', study_html("ranked", "full"))
    assert ids == ["summary", "board", "charts", "candidates", "limits", "differences", "firmness", "timing", "decision",
                   "assumptions", "sources"]  # fmt: skip
    text = words(study_html("ranked", "full"))
    for said in (
        "Inputs that could change the winner",
        "Regret",
        "Value of knowing",
        "Months after the order",
        "98.9",
    ):
        assert said in text, said


def test_a_limit_that_none_keeps_says_what_would_keep_it() -> None:
    text = words(study_html("kept", "full"))
    assert "missed" in text
    assert "Nearest changes" in text
    assert re.search(r"\b60(\.0)?.?kW", text), "as it was stated"


def test_the_same_study_has_the_same_hash_and_another_another() -> None:
    one, other = StudySubject(study("ranked")), StudySubject(study("kept"))
    of = [
        dict(found.identity.facts)["Hash of the study"]
        for found in (one, StudySubject(study("ranked")), other)
    ]
    assert of[0] == of[1] != of[2]


def test_prices_names_and_sites_are_left_out_everywhere() -> None:
    for version in ("board", "full"):
        text = words(study_html("ranked", version, ("prices",)))
        assert not re.search(r"\d[\d.,\s]*(?:billion |M |k )?USD", text), re.search(r".{60}\bUSD", text)
        assert "every amount of money" in text
    for version in ("board", "full"):
        text = study_html("kept", version, ("names", "sites"))
        for name in (
            "Board of kept columns",
            "Sixteen",
            "Eight of today",
            "We wait for a quote",
            "soonest",
            "Dallas",
        ):
            assert name not in text, name
        assert "Own names:" in text
        assert "Sites: the names of" in text


def test_a_chapter_that_there_is_not_is_refused() -> None:
    with pytest.raises(ScenarioError, match="Chapters: summary"):
        report_html(StudySubject(study("ranked")), report_options({"version": "full", "sections": "cash"}))


def test_the_page_offers_every_chapter_and_shows_the_report(reading_client: AsgiClient) -> None:
    state = encode_state(SMALL)
    page = reading_client.get(f"/studies/new/report?s={state}")
    assert page.status_code == 200
    for key, _ in chapters_of(StudySubject(study("ranked"))):
        assert f'name="section" value="{key}"' in page.text
    assert 'formaction="/studies/new/workbook"' in page.text
    shown = reading_client.get(f"/studies/new/report/document?s={state}&version=full&section=limits")
    assert shown.status_code == 200
    assert shown.headers["x-frame-options"] == "SAMEORIGIN"
    assert "script" not in shown.headers["content-security-policy"]
    assert re.findall(r'<section class="chapter" id="([a-z]+)"', shown.text) == ["limits"]
    sent = reading_client.post(
        "/studies/new/report/document",
        data={"s": state, "title": "Ours", "format": "html", "without": ["names"]},
    )
    assert sent.headers["content-disposition"].startswith('attachment; filename="Ours.html"')
    assert "Own names:" in sent.text


@pytest.mark.parametrize("address", ["report", "report/document", "workbook"])
def test_an_address_that_was_cut_off_says_so(reading_client: AsgiClient, address: str) -> None:
    answer = reading_client.get(f"/studies/new/{address}?s=nothing")
    assert answer.status_code == 404
    assert "cut off" in answer.text


def test_over_rest(reading_client: AsgiClient) -> None:
    answer = reading_client.post("/api/v1/study/reports/html?version=full&sections=limits", json=SMALL)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert re.findall(r'<section class="chapter" id="([a-z]+)"', answer.text) == ["limits"]
    refused = reading_client.post("/api/v1/study/reports/html?version=long", json=SMALL)
    assert refused.status_code == 400
    assert reading_client.post("/api/v1/study/reports/docx", json=SMALL).status_code == 404
    unusable = reading_client.post("/api/v1/study/reports/html", json={"name": "Nothing to do"})
    assert unusable.status_code == 422
    book = reading_client.post("/api/v1/study/workbook", json=SMALL)
    assert load_workbook(io.BytesIO(book.content)).sheetnames[:2] == ["Summary", "Time"]


def test_on_the_command_line(tmp_path: Path, seeded_data_dir: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(write_yaml(SMALL), encoding="utf-8")
    for name, begins in (("board.html", b"<!doctype html>"), ("all.xlsx", b"PK")):
        done = CliRunner().invoke(command_line, ["report", str(file), "-o", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert "8B in three weeks" in (tmp_path / "board.html").read_text(encoding="utf-8")
