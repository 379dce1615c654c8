"""podwright facility sites: text, JSON, and what cannot be asked."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow


def test_a_line_a_site_in_order(run) -> None:
    code, out, err = run("facility", "sites", "edge_node", "--sort", "pue")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Place Site")
    assert sum("not ranked" in line for line in lines) == 3
    assert any("Stockholm *" in line for line in lines)
    assert any("262 km away" in line for line in lines)
    assert "no hourly series" in out
    assert "No other site beats these in cost and carbon at once" in out


def test_as_json(run) -> None:
    code, out, _ = run("facility", "sites", "edge_node", "--json", "--weights", "0,1,0,0")
    assert code == 0
    found = json.loads(out)
    carbon = [site["operational_kg"] for site in found["sites"] if site["place"] is not None]
    assert carbon == sorted(carbon)


def test_what_cannot_be_asked(run) -> None:
    assert (
        "'ice' must be 'as_designed', 'cheapest'"
        in run("facility", "sites", "edge_node", "--plant", "ice")[2]
    )
    code, _, err = run("facility", "sites", "edge_node", "--weights", "1,2")
    assert code == 2
    assert "four numbers" in err
