"""Saving, reading, renaming, deleting and copying."""

from __future__ import annotations

import copy
from datetime import UTC

import pytest

from app.saved.access import Actor, HiddenError
from app.saved.errors import ChangedMeanwhileError, NotSavedError
from app.saved.records import Kind
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.saved.support import (
    UNKNOWN_ID,
    as_stored,
    document,
    pod_design,
    projection,
    study,
    supernode_design,
)

DOCUMENTS = {
    "scenario": document(),
    "supernode": supernode_design(),
    "pod": pod_design(),
    "projection": projection(),
    "study": study(),
}
KINDS: tuple[Kind, ...] = ("scenario", "supernode", "pod", "projection", "study")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_saved_can_be_read_again(work: SavedWork, kind: Kind) -> None:
    saved = work.create(kind, DOCUMENTS[kind], note="First", tags=["Blue", "2027"])
    assert work.get(kind, saved.id) == saved
    assert (saved.kind, saved.revision, saved.version, saved.note) == (kind, 1, 1, "First")
    assert saved.tags == ("2027", "blue")
    assert saved.document == DOCUMENTS[kind]
    assert saved.created_at.tzinfo == saved.updated_at.tzinfo == UTC
    assert saved.etag == f'"{saved.id}-1"'
    assert len(saved.id) == 32


def test_a_document_stays_as_it_was_written(work: SavedWork) -> None:
    written = document(workload__tokens=2e3, economics__wacc=0.1)
    saved = work.create("scenario", written)
    assert saved.document == written
    assert "pod" not in saved.document  # no default is written in
    assert type(saved.document["workload"]["global_batch_sequences"]) is int


def test_what_is_given_may_change_afterwards(work: SavedWork) -> None:
    given = document()
    saved = work.create("scenario", given)
    before = copy.deepcopy(saved.document)
    given["workload"]["tokens"] = 7
    assert saved.document == before


def test_a_scenario_is_summed_up(work: SavedWork) -> None:
    summary = work.create("scenario", document(pod__supernodes=4)).summary
    assert (summary["model"], summary["model_key"]) == ("Llama 3.1 8B", "llama_3_1_8b")
    assert (summary["system_key"], summary["accelerators"], summary["feasible"]) == ("dgx_h100", 32, True)
    assert 0 < summary["mfu"] < 1
    assert summary["elapsed_time_s"] > 0
    assert summary["tco_usd"] > summary["usd_per_run"] > 0


def test_a_design_is_summed_up(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design(system="gb200_nvl72")).summary
    assert (node["system_key"], node["accelerators"]) == ("gb200_nvl72", 72)
    custom = {"name": "Mine", "accelerator": "nvidia_h100_sxm", "accelerators": 16}
    mine = work.create("supernode", supernode_design(custom=custom)).summary
    assert (mine["system"], mine["accelerators"]) == ("Mine", 16)
    pod = work.create("pod", pod_design(supernodes=128, fabric={"switch": "qm9700"})).summary
    assert pod["supernodes"] == 128
    assert pod["switch"]


def test_a_save_makes_a_revision(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    after = work.replace("scenario", saved.id, document(pod__supernodes=2), version=1, note="Twice as many")
    assert (after.revision, after.version, after.note) == (2, 2, "Twice as many")
    assert after.document["pod"] == {"supernodes": 2}
    assert after.created_at == saved.created_at
    assert after.updated_at > saved.updated_at
    assert work.revision("scenario", saved.id, 1).document == saved.document


def test_the_same_document_makes_a_revision_too(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    assert work.replace("scenario", saved.id, document(), version=1).revision == 2


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_is_late_is_told_what_it_is_now(work: SavedWork, kind: Kind) -> None:
    saved = work.create(kind, DOCUMENTS[kind])
    newer = work.replace(kind, saved.id, DOCUMENTS[kind], version=saved.version)
    for change in (
        lambda: work.replace(kind, saved.id, DOCUMENTS[kind], version=saved.version),
        lambda: work.update(kind, saved.id, version=saved.version, name="Other"),
        lambda: work.delete(kind, saved.id, version=saved.version),
    ):
        with pytest.raises(ChangedMeanwhileError, match="changed meanwhile") as caught:
            change()
        assert caught.value.current == newer
    assert work.get(kind, saved.id) == newer
    assert len(work.revisions(kind, saved.id).items) == 2


def test_without_a_version_whatever_it_is_now_is_changed(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    work.replace("scenario", saved.id, document(), version=None)
    assert work.replace("scenario", saved.id, document(), version=None).version == 3


def test_another_name_is_a_revision_of_the_same_figures(work: SavedWork) -> None:
    saved = work.create("scenario", document("Before"), tags=["kept"])
    renamed = work.update("scenario", saved.id, version=1, name="After")
    assert (renamed.name, renamed.document["name"], renamed.note) == ("After", "After", "Renamed")
    assert (renamed.revision, renamed.version, renamed.tags) == (2, 2, ("kept",))
    assert renamed.summary == saved.summary
    before, after = work.results(saved.id, 1), work.results(saved.id, 2)
    assert after["name"] == "After"
    assert after["provenance"]["inputs_hash"] != before["provenance"]["inputs_hash"]
    assert {**after, "name": "", "provenance": {}} == {**before, "name": "", "provenance": {}}
    assert as_stored(work.reopened(saved.id, 2).evaluated.as_json) == after


def test_other_tags_make_no_revision(work: SavedWork) -> None:
    saved = work.create("scenario", document(), tags=["old"])
    tagged = work.update("scenario", saved.id, version=1, tags=["New ", "new", "b"])
    assert (tagged.tags, tagged.revision, tagged.version) == (("b", "new"), 1, 2)
    assert tagged.etag != saved.etag


def test_an_update_that_changes_nothing_leaves_the_version(work: SavedWork) -> None:
    saved = work.create("scenario", document("Same"), tags=["a"])
    assert work.update("scenario", saved.id, version=1, name="Same", tags=["a"]) == saved


@pytest.mark.parametrize("kind", KINDS)
def test_delete_and_undo(work: SavedWork, kind: Kind) -> None:
    saved = work.create(kind, DOCUMENTS[kind], tags=["a"])
    deleted = work.delete(kind, saved.id, version=1)
    assert deleted.deleted_at is not None
    assert deleted.version == 2
    with pytest.raises(NotSavedError):
        work.get(kind, saved.id)
    with pytest.raises(NotSavedError):
        work.replace(kind, saved.id, DOCUMENTS[kind], version=None)
    with pytest.raises(NotSavedError):
        work.revisions(kind, saved.id)
    with pytest.raises(NotSavedError):
        work.delete(kind, saved.id, version=None)
    assert work.get(kind, saved.id, deleted=True) == deleted
    restored = work.restore(kind, saved.id)
    assert (restored.deleted_at, restored.version, restored.revision) == (None, 3, 1)
    assert restored.document == saved.document
    assert work.restore(kind, saved.id) == restored  # what is there stays as it is


def test_a_copy_has_the_same_figures_under_a_name_of_its_own(work: SavedWork) -> None:
    saved = work.create("scenario", document("Mine"), tags=["a"])
    work.replace("scenario", saved.id, document("Mine", pod__supernodes=3), version=1)
    copied = work.duplicate("scenario", saved.id)
    assert (copied.name, copied.revision, copied.version) == ("Mine (copy)", 1, 1)
    assert (copied.forked_from_id, copied.tags, copied.note) == (saved.id, ("a",), "Copy of revision 2")
    assert copied.document["pod"] == {"supernodes": 3}
    assert work.results(copied.id, 1)["performance"] == work.results(saved.id, 2)["performance"]
    assert work.duplicate("scenario", saved.id, name="Another").name == "Another"


def test_a_copy_of_the_longest_name_still_has_a_name(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design("n" * 200))
    assert work.duplicate("supernode", saved.id).name == "n" * 193 + " (copy)"


def test_names_need_not_differ(work: SavedWork) -> None:
    first, second = (work.create("scenario", document("Same")) for _ in range(2))
    assert first.id != second.id


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_there_is_said(work: SavedWork, kind: Kind) -> None:
    with pytest.raises(NotSavedError, match=UNKNOWN_ID):
        work.get(kind, UNKNOWN_ID)
    saved = work.create(kind, DOCUMENTS[kind])
    with pytest.raises(NotSavedError, match="revision 2"):
        work.revision(kind, saved.id, 2)


def test_a_design_is_only_found_under_its_own_kind(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design())
    with pytest.raises(NotSavedError):
        work.get("pod", saved.id)
    with pytest.raises(NotSavedError):
        work.get("scenario", saved.id)


def test_another_workspace_sees_nothing(work: SavedWork) -> None:
    saved = work.create("scenario", document(), tags=["a"])
    other = work.of(Actor(account_id="b", roles={2: "owner"}), 2)
    with pytest.raises(NotSavedError):
        other.get("scenario", saved.id)
    assert other.listed("scenario").items == ()
    assert other.tags("scenario") == ()
    with pytest.raises(HiddenError):
        other.of(other.actor, 1).listed("scenario")


def test_an_id_may_be_chosen_once(work: SavedWork) -> None:
    chosen = "0123456789abcdef" * 2
    saved = work.create("scenario", document(), id=chosen)
    assert saved.id == chosen
    with pytest.raises(ChangedMeanwhileError) as caught:
        work.create("scenario", document("Other"), id=chosen)
    assert caught.value.current == saved
    with pytest.raises(ScenarioError, match="32 digits"):
        work.create("scenario", document(), id="mine")


def test_saving_as_remembers_where_it_came_from(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    assert work.create("scenario", document("As"), forked_from_id=saved.id).forked_from_id == saved.id
    with pytest.raises(NotSavedError):
        work.create("scenario", document(), forked_from_id=UNKNOWN_ID)


def test_what_cannot_be_evaluated_is_not_saved(work: SavedWork) -> None:
    with pytest.raises(ScenarioError, match="Nearest"):
        work.create("scenario", document(supernode__system="dgx_h1000"))
    saved = work.create("scenario", document())
    with pytest.raises(ScenarioError, match="Nearest"):
        work.replace("scenario", saved.id, document(workload__model="llama"), version=1)
    with pytest.raises(ScenarioError, match="note is too long"):
        work.replace("scenario", saved.id, document(), version=1, note="n" * 501)
    assert work.listed("scenario").items == (saved,)


def test_results_are_those_of_the_save(work: SavedWork) -> None:
    written = document(pod__supernodes=4)
    saved = work.create("scenario", written)
    assert work.results(saved.id, 1) == as_stored(work.evaluated(written).as_json)


def test_revisions_come_a_page_at_a_time_newest_first(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design(), note="note 1")
    for number in range(2, 8):
        work.replace("supernode", saved.id, supernode_design(), version=None, note=f"note {number}")
    seen, after = [], None
    while True:
        page = work.revisions("supernode", saved.id, limit=3, after=after)
        seen += [(found.revision, found.note) for found in page.items]
        after = page.next
        if after is None:
            break
    assert seen == [(number, f"note {number}") for number in range(7, 0, -1)]
