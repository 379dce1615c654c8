"""Every key figure reads the same on every surface, letter by letter: API, page, command line and workbook."""

from __future__ import annotations

import html
import io
import itertools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest

from app.charts.figure import get_path
from app.charts.format import is_percent, one_prefix, unit_at
from app.charts.key_figures import ROOMS, key_figures, show_figure
from app.engine.quantities import REGISTRY, label_at, quantity_at
from app.scenarios.examples import example
from app.surfaces import cli
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient

SHEET = "Summary"
DESIGNS: dict[str, tuple[str, dict[str, Any]]] = {
    "training": ("llama_3_1_405b_on_2048_dgx_h100", {}),
    "serving": ("deepseek_r1_on_8_h200", {}),
    "disaggregated": ("deepseek_r1_on_gb200_nvl72", {}),
    "generic": ("fft_3d_on_512_dgx_a100", {}),
    "rent only": ("dense_128b_on_tpu_v5p", {}),
    "unknown price": ("cloudmatrix384", {}),
    "infeasible": ("edge_node", {"facility": {"utility_limit_w": 1_000}}),
}
"""An example or reference design, and what is changed in it."""


class Asked(NamedTuple):
    """A design as the API answers it, and its key figures as they are to be read: label and value by place."""

    values: dict[str, Any]
    evaluation: dict[str, Any]
    rows: Mapping[str, tuple[str, str]]


@pytest.fixture(scope="module", params=DESIGNS)
def asked(request: pytest.FixtureRequest, reading_client: AsgiClient) -> Asked:
    key, changes = DESIGNS[request.param]
    values = example(key).read().as_dict()
    for part, stated in changes.items():
        values[part] = {**values.get(part, {}), **stated}
    answer = reading_client.post("/api/v1/evaluations", json=values)
    assert answer.status_code == 200, answer.text
    evaluation: dict[str, Any] = answer.json()
    rows = {path: (label_at(path), show_figure(evaluation, path).text) for path in key_figures(evaluation)}
    assert len(rows) > 20
    return Asked(values, evaluation, rows)


def missing_on_page(page: str, rows: Mapping[str, tuple[str, str]]) -> list[str]:
    """Places of key figures that no row of the page shows with this label and value."""
    shown = set()
    for row in re.findall(r"<tr.*?</tr>|<li.*?</li>", page, flags=re.DOTALL):
        text = html.unescape(re.sub(r"<[^>]*>", "\n", row))
        words = [word for word in (line.strip(" \n") for line in text.split("\n")) if word]
        shown |= {(words[0], value) for value in _values(words[1:])} if words else set()
    return [path for path, row in rows.items() if row not in shown]


def _values(words: list[str]) -> set[str]:
    """What a row shows: a word by itself, or with the unit after it."""
    return {*words, *("".join(pair) for pair in itertools.pairwise(words))}


def missing_in_text(text: str, rows: Mapping[str, tuple[str, str]]) -> list[str]:
    """Places of key figures that no line shows with this label and value."""
    lines = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
    return [path for path, shown in rows.items() if not any(tuple(line[:2]) == shown for line in lines)]


def wrong_in_workbook(content: bytes, asked: Asked) -> list[str]:
    """Places of key figures that the first sheet shows otherwise, or not at all."""
    sheet = openpyxl.load_workbook(io.BytesIO(content), data_only=True)[SHEET]
    found = {row[3].value: row for row in sheet.iter_rows(min_row=1, max_col=4)}
    return [path for path in asked.rows if path not in found or not _is_right(path, found[path], asked)]


def _is_right(path: str, row: tuple[Any, ...], asked: Asked) -> bool:
    named, cell, unit, _ = row
    label, text = asked.rows[path]
    value = get_path(asked.evaluation, path)
    if str(named.value).removesuffix(" (estimate)") != label:
        return False
    if value is None:
        return bool(cell.value == text)
    if is_percent(path):
        return cell.number_format.endswith("%") and cell.value == pytest.approx(value)
    divisor, expected = one_prefix([value], unit_at(path))
    return cell.value == pytest.approx(value / divisor) and (unit.value or "") == expected.replace(
        "\u00a0", " "
    )


def test_of_the_api(asked: Asked, reading_client: AsgiClient) -> None:
    described = reading_client.get("/openapi.json").text
    for path, (label, text) in asked.rows.items():
        value = get_path(asked.evaluation, path)
        assert (value is None) == (text in ("unknown", "rent only")), path
        assert json.dumps(label, ensure_ascii=False)[1:-1] in described, path


def test_on_the_page(asked: Asked, reading_client: AsgiClient) -> None:
    page = reading_client.get(f"/designs/new/all?s={encode_state(asked.values)}").text
    assert missing_on_page(page, asked.rows) == []
    path, (label, _) = next(iter(asked.rows.items()))
    assert missing_on_page(page, {path: (label, "another")}) == [path]


def test_on_the_command_line(
    asked: Asked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "scenario.json"
    file.write_text(json.dumps(asked.values))
    monkeypatch.setattr("sys.argv", ["podwright", "evaluate", str(file)])
    with pytest.raises(SystemExit):
        cli.main()
    text = capsysbinary.readouterr().out.decode()
    assert missing_in_text(text, asked.rows) == []
    path, (label, _) = next(iter(asked.rows.items()))
    assert missing_in_text(text, {path: (label, "another")}) == [path]


def test_in_the_workbook(asked: Asked, reading_client: AsgiClient) -> None:
    address = f"/designs/new/export/evaluation/xlsx?s={encode_state(asked.values)}"
    content = reading_client.get(address).content
    assert wrong_in_workbook(content, asked) == []
    path, (_, text) = next(iter(asked.rows.items()))
    changed = asked._replace(rows={path: ("Another", text)})
    assert wrong_in_workbook(content, changed) == [path]


def test_every_key_figure_is_in_some_design(reading_client: AsgiClient) -> None:
    """A quantity that is declared as key stands in a room, so that the surfaces find it."""
    declared = {path for path, record in REGISTRY.items() if record.key}
    assert {path.partition(".")[0] for path in declared} == set(ROOMS)
    assert all(path.count(".") == 1 and quantity_at(path) for path in declared)
