"""podwright catalog climate: an EPW file becomes a year of the workspace, or says which line is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.catalog.weather.files import as_bytes, epw_lines, with_cell

pytestmark = pytest.mark.slow


def test_upload_list_and_use(run, tmp_path: Path) -> None:
    file = tmp_path / "graz.epw"
    file.write_bytes(as_bytes(epw_lines(leap=True)))
    code, out, err = run("catalog", "climate", str(file), "--key", "graz_2024", "--source", "Own station")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "climate/graz_2024: Graz, AUT, TMYx, 8,760 hours."
    assert "29 February left out" in out
    code, out, _ = run("catalog", "climate", "graz_2024", "--json")
    assert code == 0
    assert json.loads(out)["attributes"]["licence_note"].startswith("not stated")
    assert "graz_2024" in run("catalog", "climate")[1]


def test_a_wrong_line_is_named(run, tmp_path: Path) -> None:
    file = tmp_path / "graz.epw"
    file.write_bytes(as_bytes(with_cell(epw_lines(), 500, 7, "cold")))
    code, _, err = run("catalog", "climate", str(file), "--key", "graz", "--source", "Own station")
    assert code == 2
    assert "500" in err
    assert "Column 7, dry bulb: 'cold' is not a number." in err
    code, _, err = run("catalog", "climate", str(tmp_path / "none.epw"), "--key", "graz", "--source", "x")
    assert code == 2
    assert "does not exist" in err
