"""save, scenarios, and commands on what was saved."""

from __future__ import annotations

import json

import pytest

from app.scenarios.imports import import_file
from tests.cli.conftest import EDGE_NODE, FLAGSHIP

pytestmark = pytest.mark.slow

NAME = "Edge node, Llama 3.1 8B"


@pytest.fixture(scope="module")
def edge_id() -> str:
    """The edge node saved, with a second revision that is another design."""
    from app.cli.common import saved_work_here

    saved, document = saved_work_here(), import_file(EDGE_NODE).as_dict()
    first = saved.create("scenario", document, note="first", tags=["edge"])
    document["economics"]["utilisation"] = 0.5
    saved.replace("scenario", first.id, document, version=None, note="half used")
    return first.id


def test_save_prints_the_id_that_evaluate_takes(run, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(EDGE_NODE.read_text("utf-8").replace(NAME, "Saved by hand"), encoding="utf-8")
    code, out, _ = run("save", path, "--note", "a start", "--tag", "mine", "--tag", "small")
    assert code == 0
    id = out.split()[0]
    assert run("evaluate", id) == run("evaluate", path)
    assert run("evaluate", "Saved by hand") == run("evaluate", path)
    assert run("explain", id, "performance.mfu") == run("explain", path, "performance.mfu")
    listed = json.loads(run("scenarios", "--search", "by hand", "--json")[1])
    assert [one["id"] for one in listed] == [id]
    assert listed[0]["tags"] == ["mine", "small"]
    assert listed[0]["note"] == "a start"


def test_save_makes_a_further_revision_of_what_is_there(run, tmp_path):
    id = run("save", FLAGSHIP)[1].split()[0]
    code, out, _ = run("save", FLAGSHIP, "--id", id, "--note", "again", "--tag", "big", "--json")
    assert code == 0
    saved = json.loads(out)
    assert (saved["id"], saved["revision"], saved["note"], saved["tags"]) == (id, 2, "again", ["big"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.yaml"], "does not exist"),
        ([EDGE_NODE, "--id", "0" * 32], "There is no saved scenario"),
        ([EDGE_NODE, "--tag", ""], "tag"),
    ],
)
def test_what_cannot_be_saved_is_one_clear_message(run, words, said):
    code, out, err = run("save", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_scenarios_lists_what_is_saved(run, edge_id):
    line = next(line for line in run("scenarios")[1].splitlines() if line.startswith(edge_id))
    assert line.endswith(f"revision 2  {NAME}  [edge]")
    assert "there are more" in run("scenarios", "--limit", "1")[1]
    assert run("scenarios", "--tag", "nobody-has-this")[1] == "No saved scenario matches.\n"


def test_a_revision_is_exported_as_it_was(run, edge_id):
    first, second = (
        json.loads(run("export", edge_id, "--what", "evaluation", "--revision", str(number))[1])
        for number in (1, 2)
    )
    assert first["saved"]["note"] == "first"
    assert first["cost"]["usd_per_run"] < second["cost"]["usd_per_run"]
    assert second["scenario"]["economics"]["utilisation"] == 0.5
    code, _, err = run("export", edge_id, "--revision", "9")
    assert code == 2
    assert "revision 9" in err
