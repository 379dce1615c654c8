"""Saved studies: one more kind of saved work, with an answer where one is kept."""

from __future__ import annotations

from typing import Any

import pytest

from app.saved.access import Actor
from app.saved.diff import input_changes
from app.saved.errors import ChangedMeanwhileError
from app.saved.merge import merged_document
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.saved.support import document, study

ANSWER: dict[str, Any] = {
    "verdict": "Eight do.",
    "rows": [{"rank": 1, "supernodes": 8, "system_name": "DGX H100"}],
}


def test_a_list_says_what_it_asks(work: SavedWork) -> None:
    saved = work.create("study", study(question="How many?", objective="power"))
    (listed,) = work.listed("study", search="how many").items
    assert listed.id == saved.id
    assert listed.summary["model"] == "llama_3_1_8b"
    assert (listed.summary["columns"], listed.summary["objective"]) == (2, "power")
    assert listed.summary["winner"] is None
    assert work.kept("study", saved.id, 1) is None


def test_an_answer_is_kept_with_a_revision_of_the_same_study(work: SavedWork) -> None:
    saved = work.create("study", study())
    kept = work.keep_answer("study", saved.id, ANSWER, version=1, note="Answer")
    assert (kept.revision, kept.document) == (2, saved.document)
    assert kept.summary["winner"] == "8 DGX H100"
    assert work.kept("study", saved.id, 2) == ANSWER
    assert work.kept("study", saved.id, 1) is None
    # a change of the question is another study, which has no answer yet; a name changes nothing
    renamed = work.update("study", saved.id, version=2, name="Another")
    assert work.kept("study", saved.id, renamed.revision) == ANSWER
    changed = work.replace("study", saved.id, study("Another", objective="time"), version=3)
    assert work.kept("study", saved.id, changed.revision) is None
    assert changed.summary["winner"] is None
    with pytest.raises(ChangedMeanwhileError):
        work.keep_answer("study", saved.id, ANSWER, version=2, note="Late")


def test_columns_of_two_people_are_merged_one_by_one() -> None:
    base = study()
    mine = {**base, "chosen": [*base["chosen"], {"name": "Mine", "scenario": "edge_node"}]}
    theirs = {**base, "objective": "time", "chosen": base["chosen"][:1]}
    both = merged_document("study", base, mine, theirs).document
    assert both is not None
    assert [column["name"] for column in both["chosen"]] == ["Small", "Mine"]
    assert both["objective"] == "time"


def test_a_range_of_sizes_is_compared_by_its_own_words() -> None:
    before, after = (study(candidates={"supernodes": {"from": first, "to": 9}}) for first in (2, 4))
    (change,) = input_changes(before, after)
    assert (change.path, change.before, change.after) == ("candidates.supernodes.from", 2, 4)


def test_a_study_keeps_the_scenarios_of_its_columns(work: SavedWork) -> None:
    scenario = work.create("scenario", document())
    work.create("study", study("The user", chosen=[{"name": "Ours", "scenario": scenario.id}]))
    work.delete("scenario", scenario.id, version=None)
    with pytest.raises(ScenarioError, match="used by The user"):
        work.erase("scenario", scenario.id)


def test_a_copy_elsewhere_has_the_scenarios_written_out(work: SavedWork) -> None:
    scenario = work.create("scenario", document())
    saved = work.create("study", study(chosen=[{"name": "Ours", "scenario": scenario.id}]))
    same = work.duplicate("study", saved.id)
    assert same.document["chosen"][0]["scenario"] == scenario.id
    both = Actor(name="Ada", roles={1: "owner", 2: "owner"})
    elsewhere = work.of(both, 2)
    with work.sessions.writing() as session:
        from app.db.tables import WorkspaceRow

        session.add(WorkspaceRow(id=2, key="second", name="Second", kind="team"))
    copy = elsewhere.duplicate("study", saved.id)
    assert input_changes(copy.document["chosen"][0]["scenario"], scenario.document) == ()
