"""A key figure reads the same wherever it is shown, letter by letter: page, command line, workbook, and its API value."""

from __future__ import annotations

import html
import io
import re
from typing import Any

import openpyxl
import pytest

from app.charts.figure import at
from app.charts.format import is_percent, one_prefix, show_at, unit_at
from app.scenarios.examples import example
from app.surfaces.files.text import evaluation_text, key_figures, label
from tests.asgi import AsgiClient

DESIGNS = ("llama_3_1_405b_on_2048_dgx_h100", "deepseek_r1_on_gb200_nvl72", "edge_node")
SHEET = "Summary"


@pytest.fixture(scope="module", params=DESIGNS)
def design(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def evaluation(design: str, reading_client: AsgiClient) -> dict[str, Any]:
    """The figures as the API answers them."""
    answer = reading_client.post("/api/v1/evaluations", json=example(design).read().as_dict())
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def known(evaluation: dict[str, Any]) -> dict[str, str]:
    """Key figures that are known, as they are to be read."""
    values = {path: at(evaluation, path) for path in key_figures(evaluation)}
    found = {
        path: show_at(path, value).text for path, value in values.items() if isinstance(value, int | float)
    }
    assert len(found) > 8
    return found


def test_on_the_page(design: str, known: dict[str, str], reading_client: AsgiClient) -> None:
    page = reading_client.get(f"/designs/{design}").text
    for path, text in known.items():
        rows = re.findall(rf'data-explain="{re.escape(path)}"[^>]*>.*?</(?:tr|li)>', page, flags=re.DOTALL)
        for row in rows:  # beside the figure a row may have the published one
            pairs = re.findall(r'class="number">([^<]*)</span>(?:<span class="unit">([^<]*)<)?', row)
            assert not pairs or text in {html.unescape("".join(pair)) for pair in pairs}, path


def test_on_the_command_line(evaluation: dict[str, Any], known: dict[str, str]) -> None:
    lines = evaluation_text(evaluation).splitlines()
    for path, text in known.items():
        assert any(label(path) in line and text in line for line in lines), (path, text)


def test_in_the_workbook(
    design: str, evaluation: dict[str, Any], known: dict[str, str], reading_client: AsgiClient
) -> None:
    file = reading_client.get(f"/designs/{design}/export/evaluation/xlsx").content
    sheet = openpyxl.load_workbook(io.BytesIO(file), data_only=True)[SHEET]
    rows = {row[3].value: row for row in sheet.iter_rows(min_row=1, max_col=4) if row[3].value in known}
    assert set(rows) == set(known)
    for path, (named, number, unit, _) in rows.items():
        value = at(evaluation, path)
        assert named.value == label(path)
        if is_percent(path):
            assert number.number_format.endswith("%")
            assert number.value == pytest.approx(value)
        else:
            divisor, expected = one_prefix([value], unit_at(path))
            assert number.value == pytest.approx(value / divisor)
            assert (unit.value or "") == expected.replace("\u00a0", " ")
