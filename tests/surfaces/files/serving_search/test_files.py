"""A search of a served model as text, CSV, workbook and JSON: the same options in each."""

from __future__ import annotations

import csv
import io
import json

import openpyxl
import pytest

from app.catalog.ready import ready_catalog
from app.db.tables import PERSONAL_WORKSPACE_ID
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document
from app.surfaces.files.serving_search.files import FORMATS
from app.surfaces.files.serving_search.text import serving_search_text
from app.views.searching.options import ServingSearchOptions
from app.views.searching.serving import search_serving_scenario
from app.views.searching.serving_rows import ServingSearchAnswer
from tests.support import read_example

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def answer(seeded_data_dir: object) -> ServingSearchAnswer:
    scenario = evaluate_scenario(read_example("deepseek_r1_on_8_h200"), ready_catalog())
    options = build_document(ServingSearchOptions, {"top": 3, "power_limit_w": 9e3})
    return search_serving_scenario(scenario, ready_catalog().of(PERSONAL_WORKSPACE_ID), options)


def test_csv_is_read_back_exactly(answer: ServingSearchAnswer) -> None:
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"].write(answer).decode())))
    assert [row["rank"] for row in rows[:4]] == ["1", "2", "3", ""]
    assert len(rows) == 3 + len(answer.pareto) + 1
    for row, option in zip(rows, (*answer.best, *answer.pareto, answer.stated), strict=True):
        assert option is not None
        assert float(row["tokens_per_s"]) == option.tokens_per_s
        assert row["keeps_level"] == ("yes" if option.keeps_level else "no")


def test_the_workbook_has_the_same_lines(answer: ServingSearchAnswer) -> None:
    content = FORMATS["xlsx"].write(answer)
    assert content == FORMATS["xlsx"].write(answer)
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert book.sheetnames == ["Options", "Pods"]
    assert book["Options"].max_row == 1 + 3 + len(answer.pareto) + 1
    assert book["Pods"]["D2"].value == 8


def test_json_is_the_whole_answer(answer: ServingSearchAnswer) -> None:
    found = json.loads(FORMATS["json"].write(answer))
    assert found["best"][0]["tokens_per_s"] == answer.best[0].tokens_per_s
    assert found["within_power"]["accelerators"] == answer.within_power.accelerators  # type: ignore[union-attr]


def test_text_says_what_is_promised_and_what_is_best(answer: ServingSearchAnswer) -> None:
    text = serving_search_text(answer)
    assert f"{answer.feasible_layouts:,} of {answer.layouts:,} layouts hold a request" in text
    assert "first token within" in text
    assert "As stated:" in text
    assert [
        line.split()[0] for line in text.splitlines() if line.startswith("  ") and line.strip()[0] in "123"
    ][-3:] == ["1", "2", "3"]
