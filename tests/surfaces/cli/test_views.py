"""Every view, asked over REST and on the command line: the same answer and options, in every form of it."""

from __future__ import annotations

import csv
import functools
import io
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from app.settings import Settings
from app.surfaces.rest.openapi import openapi_document
from app.surfaces.rest.router import create_api
from app.surfaces.rest.views import example_of
from app.views import economics, fabric, facility, serving
from app.views.view import Flag, View
from tests.asgi import AsgiClient
from tests.surfaces.cli.conftest import Run

VIEWS: tuple[View[Any, Any], ...] = (
    *fabric.VIEWS,
    *facility.VIEWS,
    *economics.VIEWS,
    *serving.VIEWS,
)
COMMANDS = tuple(view for view in VIEWS if view.text is not None)
NOWHERE = "no_such_option"


def named(view: View[Any, Any]) -> str:
    return f"{view.room} {view.name}"


OF_EACH = pytest.mark.parametrize("view", VIEWS, ids=named)
OF_EACH_COMMAND = pytest.mark.parametrize("view", COMMANDS, ids=named)


def address_of(view: View[Any, Any]) -> str:
    return f"/api/v1/{view.room}/{view.name}"


def scenarios_of(view: View[Any, Any]) -> dict[str, Any]:
    """The scenarios of its example."""
    return {name: example_of(view)[name] for name in view.scenarios}


def words_of(view: View[Any, Any], folder: Path) -> list[str]:
    """Its command with the scenarios of its example as files, and the example of what it cannot do without."""
    words = [view.room, view.command_name]
    for name, values in scenarios_of(view).items():
        path = folder / f"{name}.json"
        path.write_text(json.dumps(values), encoding="utf-8")
        words.append(str(path))
    for name, flag in view.flags.items():
        if flag.is_argument:
            path = folder / f"{name}.json"
            path.write_text(json.dumps(view.example), encoding="utf-8")
            words.append(str(path))
    return words


def options_of(view: View[Any, Any]) -> dict[str, Any]:
    """What its command states where nothing is said."""
    if any(flag.is_argument for flag in view.flags.values()):
        return dict(view.example)
    return {
        name: flag.read(flag.default) if flag.read else flag.default
        for name, flag in view.flags.items()
        if flag.default is not None
    }


@functools.cache
def schemas() -> dict[str, Any]:
    components: dict[str, Any] = openapi_document(create_api(Settings()))["components"]
    return components


@OF_EACH
def test_its_example_is_answered_as_declared(view: View[Any, Any], reading_client: AsgiClient) -> None:
    answer = reading_client.post(address_of(view), json=example_of(view))
    assert answer.status_code == 200, answer.text
    declared = {"$ref": f"#/components/schemas/{view.schema}", "components": schemas()}
    jsonschema_rs.validator_for(declared).validate(answer.json())
    assert set(answer.json()) == set(schemas()["schemas"][view.schema]["properties"])


@OF_EACH
def test_faults_of_a_body_are_named(view: View[Any, Any], reading_client: AsgiClient) -> None:
    def faults(body: Any) -> set[str]:
        refused = reading_client.post(address_of(view), json=body)
        assert refused.status_code == 422, refused.text
        return {error["pointer"] for error in refused.json()["errors"]}

    example = example_of(view)
    assert faults(example | {NOWHERE: 1}) == {f"#/{NOWHERE}"}
    for name in view.scenarios:
        assert f"#/{name}" in faults({key: value for key, value in example.items() if key != name})
        assert faults(example | {name: example[name] | {NOWHERE: 1}}) == {f"#/{name}/{NOWHERE}"}
    assert faults([]) == {"#"}
    asked = reading_client.post(f"{address_of(view)}?{NOWHERE}=1", json=example)
    assert (asked.status_code, asked.json()["errors"][0]["parameter"]) == (400, NOWHERE)


@OF_EACH_COMMAND
def test_rest_and_the_command_line_answer_the_same(
    view: View[Any, Any], reading_client: AsgiClient, run: Run, tmp_path: Path
) -> None:
    answer = reading_client.post(address_of(view), json=scenarios_of(view) | options_of(view))
    assert answer.status_code == 200, answer.text
    code, out, err = run(*words_of(view, tmp_path), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == answer.json()


@OF_EACH_COMMAND
def test_text_is_printed(view: View[Any, Any], run: Run, tmp_path: Path) -> None:
    code, out, err = run(*words_of(view, tmp_path))
    assert (code, err) == (0, "")
    assert len(out.split()) > 5
    assert "nan" not in out.lower().split()


@pytest.mark.parametrize(
    ("view", "file"),
    [pytest.param(view, file, id=f"{named(view)} {file.name}") for view in VIEWS for file in view.files],
)
def test_other_forms_are_printed_or_written(
    view: View[Any, Any], file: Any, run: Run, tmp_path: Path
) -> None:
    words, flag = words_of(view, tmp_path), f"--{file.name}"
    place = tmp_path / f"answer.{file.name}"
    if file.is_printed:
        code, out, err = run(*words, flag)
        assert (code, err) == (0, "")
        content = out.encode()
        code, _, err = run(*words, flag, "--json")
        assert (code, f"{flag}" in err) == (2, True)
    else:
        code, out, err = run(*words, flag, place)
        assert (code, out) == (0, "")
        content = place.read_bytes()
        assert err == f"{place}: {len(content):,} bytes\n"
        code, _, err = run(*words, flag, tmp_path / "nowhere" / "file")
        assert (code, "cannot be written" in err) == (2, True)
    if file.name == "xlsx":
        assert content.startswith(b"PK")
    else:
        rows = list(csv.reader(io.StringIO(content.decode())))
        assert len(rows) > 2
        assert len({len(row) for row in rows}) == 1


@OF_EACH_COMMAND
def test_an_unknown_design_is_named(view: View[Any, Any], run: Run, tmp_path: Path) -> None:
    words = words_of(view, tmp_path)
    code, out, err = run(*words[:2], "no_such_design", *words[3:])
    assert (code, out) == (2, "")
    assert "no_such_design" in err


@OF_EACH_COMMAND
def test_help_tells_of_every_flag(view: View[Any, Any], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    code, out, _ = run(view.room, view.command_name, "--help")
    assert code == 0
    own = [name for name in view.options.model_fields if name not in view.without_flag]
    for name in {*own, *view.flags}:
        flag = view.flags.get(name, Flag())
        shown = flag.metavar if flag.is_argument else flag.name or f"--{name.replace('_', '-')}"
        assert set(str(shown).split("/")) <= set(out.split()), name
    for file in view.files:
        assert f"--{file.name}" in out


@OF_EACH
def test_options_that_it_names_exist(view: View[Any, Any]) -> None:
    fields = set(view.options.model_fields)
    assert set(view.without_flag) <= fields
    assert set(view.example) <= fields
    assert {name for name, flag in view.flags.items() if flag.kind is None and not flag.is_argument} <= fields
