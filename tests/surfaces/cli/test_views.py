"""Every view on the command line: the answer of REST in every form, and what it says of what cannot be."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from app.views.economics import room as economics
from app.views.fabric import room as fabric
from app.views.facility import room as facility
from app.views.rooms import VIEWS
from app.views.serving import room as serving
from tests.asgi import AsgiClient
from tests.every_view import (
    OF_EACH_COMMAND,
    OF_EACH_VIEW,
    AnyView,
    address_of,
    command_of,
    defaults_of,
    flag_of,
    flags_of,
    named,
    scenarios_of,
)
from tests.surfaces.cli.conftest import Run

REFUSED: tuple[tuple[AnyView, str, str], ...] = (
    (economics.OWN_OR_RENT, "--against free", "'capacity_block'"),
    (economics.DECISION, "--months-of-work 0", "months_of_work"),
    (economics.RUNS, "--tokens-per-s -1", "tokens_per_s: -1.0 must be above 0."),
    (economics.COST_AGAINST_TIME, "--system dgx_h101", "Nearest: dgx_h100"),
    (economics.COST_AGAINST_TIME, "--shared deadline", "deadline_days is needed"),
    (economics.CARBON, "--building-embodied -3", "building_embodied_kg: -3.0 must be at least 0."),
    (economics.CARBON, "--intensity-by-hour nowhere.txt", "cannot be read"),
    (economics.DIFFERENCE, "--figure speed", "usd_per_run"),
    (facility.IT, "--ramp -1", "ramp_limit_w_per_s"),
    (facility.ELECTRICAL, "--standard bs", "standard"),
    (facility.COOLING, "--tank -1", "tank_m3"),
    (facility.HOURS, "--ramp-months 99", "ramp_months"),
    (facility.RACKS, "--rack R77-01", "R01-01"),
    (facility.RACKS, "--standard ul", "standard"),
    (facility.SITES, "--plant ice", "'ice' must be 'as_designed', 'cheapest'"),
    (facility.SITES, "--weights 1,2", "four numbers"),
    (facility.SAVINGS, "--step solar", "'renewables'"),
    (facility.SAVINGS, "--set battery_h=-1", "battery_h: -1.0 must be at least 0."),
    (facility.SAVINGS, "--set battery_h", "Write NAME=VALUE."),
    (fabric.GROWTH, "--stages 20,x", "stages[1]: 'x' must be a whole number"),
    (fabric.SIZES, "--topologies fattree", "Nearest: fat_tree"),
    (fabric.FLOOR, "--rack R77-01", "R01-01"),
    (fabric.FAULTS, "--switch laef-3", "switches[0]: There is no device 'laef-3'"),
    (fabric.FAULTS, "--feed C", "power.feed"),
    (fabric.FAULTS, "--rack R01-01", "Add --feed A."),
    (fabric.FAULTS, "--seed -1", "seed"),
    (serving.COST, "--system no_such_system", "no_such_system"),
    (serving.SIMULATION, "--minutes 0.5", "minutes: 0.5 must be at least 1"),
    (serving.SIMULATION, "--trace nowhere.csv", "cannot be read"),
    (serving.EDGE, "--edge-share 2", "edge_share"),
)
"""Words that are added to a command, and notes."""


@OF_EACH_COMMAND
def test_rest_and_the_command_line_answer_the_same(
    view: AnyView, reading_client: AsgiClient, run: Run, tmp_path: Path
) -> None:
    words, options = flags_of(view)
    body = scenarios_of(view) | defaults_of(view) | options
    answer = reading_client.post(address_of(view), json=body)
    assert answer.status_code == 200, answer.text
    code, out, err = run(*command_of(view, tmp_path), *words, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == answer.json()


@OF_EACH_COMMAND
def test_text_is_printed(view: AnyView, run: Run, tmp_path: Path) -> None:
    code, out, err = run(*command_of(view, tmp_path))
    assert (code, err) == (0, "")
    assert len(out.split()) > 5
    assert "nan" not in out.lower().split()


@pytest.mark.parametrize(
    ("view", "file"),
    [pytest.param(view, file, id=f"{named(view)} {file.name}") for view in VIEWS for file in view.files],
)
def test_other_forms_are_printed_or_written(view: AnyView, file: Any, run: Run, tmp_path: Path) -> None:
    words, flag = command_of(view, tmp_path), f"--{file.name}"
    place = tmp_path / f"answer.{file.name}"
    if file.is_printed:
        code, out, err = run(*words, flag)
        assert (code, err) == (0, "")
        content = out.encode()
        code, out, err = run(*words, flag, "--json")
        assert (code, out) == (2, "")
        assert all(f"--{name}" in err for name in ("json", *(one.name for one in view.files)))
    else:
        code, out, err = run(*words, flag, place)
        assert (code, out) == (0, "")
        content = place.read_bytes()
        assert err == f"{place}: {len(content):,} bytes\n"
        code, _, err = run(*words, flag, tmp_path / "nowhere" / "file")
        assert (code, "cannot be written" in err) == (2, True)
    if file.name == "xlsx":
        assert content.startswith(b"PK")
    elif file.format.media_type == "image/svg+xml":
        assert ElementTree.fromstring(content).tag.endswith("svg")
    else:
        rows = list(csv.reader(io.StringIO(content.decode())))
        assert len(rows) > 2
        assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize(
    ("view", "words", "said"), [pytest.param(*row, id=f"{named(row[0])} {row[1]}") for row in REFUSED]
)
def test_what_cannot_be_exits_2(view: AnyView, words: str, said: str, run: Run, tmp_path: Path) -> None:
    code, out, err = run(*command_of(view, tmp_path), *words.split())
    assert (code, out) == (2, "")
    assert said in err


@OF_EACH_COMMAND
def test_an_unknown_design_is_named(view: AnyView, run: Run, tmp_path: Path) -> None:
    words = command_of(view, tmp_path)
    code, out, err = run(*words[:2], "no_such_design", *words[3:])
    assert (code, out) == (2, "")
    assert "no_such_design" in err


@OF_EACH_COMMAND
def test_help_tells_of_every_flag(view: AnyView, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    code, out, _ = run(view.room, view.command_name, "--help")
    assert code == 0
    own = [name for name in view.options.model_fields if name not in view.without_flag]
    for name in {*own, *view.flags}:
        flag = flag_of(view, name)
        assert set(str(flag.metavar if flag.is_argument else flag.name).split("/")) <= set(out.split())
    for file in view.files:
        assert f"--{file.name}" in out


@OF_EACH_VIEW
def test_options_that_it_names_exist(view: AnyView) -> None:
    fields = set(view.options.model_fields)
    assert set(view.without_flag) <= fields
    assert set(view.example) <= fields
    assert {name for name, flag in view.flags.items() if flag.kind is None and not flag.is_argument} <= fields
