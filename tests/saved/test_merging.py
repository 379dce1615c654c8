"""A save over what others saved meanwhile: both versions stay, and no one's field is lost."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.saved.access import Actor, ForbiddenError
from app.saved.errors import ChangedMeanwhileError, MergeConflictError, NotSavedError
from app.saved.merging import merge_result
from app.saved.records import Saved
from app.saved.store import MOST_TRIES, SavedWork
from app.scenarios.errors import ScenarioError
from tests.databases import only_on_sqlite
from tests.saved.support import document, supernode_design

OVERRIDES = {
    "racks": 1.0, "nodes": 2, "max_power_w": 9e3, "typical_power_w": 8e3, "price_usd": 3e5, "rack_units": 8.0,
    "host_memory_bytes": 2e12, "scale_out_nics": 8,
}  # fmt: skip


def node(**override: Any) -> dict[str, Any]:
    stated: dict[str, Any] = {"override": override} if override else {}
    return supernode_design(system="dgx_h100", **stated)


def history(work: SavedWork, saved: Saved) -> list[tuple[str, dict[str, Any]]]:
    """Notes and documents, oldest first."""
    found = work.revisions(saved.kind, saved.id, limit=100).items
    return [(revision.note, revision.document) for revision in reversed(found)]


def test_where_nobody_came_between_it_is_a_save_like_any_other(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    after = work.merge("supernode", saved.id, node(racks=1.0), base_revision=1, note="Heavier")
    assert (after.revision, after.version, after.note) == (2, 2, "Heavier")
    assert merge_result(work, after, node(racks=1.0), 1).theirs is None


def test_tags_of_others_are_nothing_to_merge_with(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    work.update("supernode", saved.id, version=None, tags=["late"])
    after = work.merge("supernode", saved.id, node(racks=1.0), base_revision=1)
    assert (after.revision, after.tags) == (2, ("late",))


@pytest.mark.slow
def test_changes_of_both_sides_are_one_revision_with_its_figures(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    theirs, mine = document(workload__tokens=2e12), document(pod__supernodes=4)
    work.replace("scenario", saved.id, theirs, version=1, note="Theirs")
    after = work.merge("scenario", saved.id, mine, base_revision=1, note="Mine")
    both = document(workload__tokens=2e12, pod__supernodes=4)
    assert history(work, saved) == [
        ("", document()), ("Theirs", theirs), ("Merged with revision 2: Mine", both),
    ]  # fmt: skip
    assert (after.revision, after.version) == (3, 3)
    merged = merge_result(work, after, mine, 1)
    assert (merged.theirs, merged.kept) == (2, None)
    assert [one.path for one in merged.from_mine] == ["pod.supernodes"]
    assert [one.path for one in merged.from_theirs] == ["workload.tokens"]
    times = [work.results(saved.id, number)["performance"]["elapsed_time_s"] for number in (1, 2, 3)]
    assert len(set(times)) == 3


def test_a_conflict_writes_nothing_until_it_is_chosen(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    work.replace("supernode", saved.id, node(racks=2.0, nodes=4), version=1)
    mine = node(racks=1.0)
    with pytest.raises(MergeConflictError, match="what you changed: Racks") as caught:
        work.merge("supernode", saved.id, mine, base_revision=1)
    assert caught.value.current.revision == 2
    assert work.get("supernode", saved.id).revision == 2
    after = work.merge(
        "supernode", saved.id, mine, base_revision=1, seen_revision=2,
        choices={"supernode.override.racks": "mine"},
    )  # fmt: skip
    assert after.document == node(racks=1.0, nodes=4)
    assert history(work, saved)[2] == ("Kept before it was merged with revision 2", mine)
    merged = merge_result(work, after, mine, 1)
    assert (merged.theirs, merged.kept, after.revision) == (2, 3, 4)


def test_choices_are_asked_anew_where_somebody_saved_since(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    for racks in (2.0, 3.0):
        work.replace("supernode", saved.id, node(racks=racks), version=None)
    choices: Any = {"supernode.override.racks": "mine"}
    for seen in (2, None):
        with pytest.raises(MergeConflictError) as caught:
            work.merge(
                "supernode", saved.id, node(racks=1.0), base_revision=1, choices=choices, seen_revision=seen
            )
        assert caught.value.merge.conflicts[0].theirs == 3.0


def test_mine_that_holds_all_of_theirs_is_one_revision(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    work.replace("supernode", saved.id, node(racks=1.0), version=1)
    after = work.merge("supernode", saved.id, node(racks=1.0, nodes=2), base_revision=1)
    assert (after.revision, after.document) == (3, node(racks=1.0, nodes=2))
    merged = merge_result(work, after, after.document, 1)
    assert (merged.theirs, merged.kept, merged.from_theirs) == (2, None, ())


@pytest.mark.slow
def test_what_evaluating_refuses_is_asked_as_parts_that_go_together(work: SavedWork) -> None:
    """Eight stages of eight accelerators need 64: not there where the other took the pod down to one node."""
    saved = work.create("scenario", document(pod__supernodes=8))
    work.replace("scenario", saved.id, document(pod__supernodes=1, workload__tokens=2e12), version=1)
    mine = document(pod__supernodes=8, parallelism={"tp": 8, "pp": 8})
    with pytest.raises(MergeConflictError) as caught:
        work.merge("scenario", saved.id, mine, base_revision=1)
    (conflict,) = caught.value.merge.conflicts
    assert conflict.path == "parallelism,pod"
    after = work.merge(
        "scenario", saved.id, mine, base_revision=1, choices={conflict.path: "mine"}, seen_revision=2
    )
    assert after.document == mine | {"workload": document(workload__tokens=2e12)["workload"]}


def test_what_cannot_be_saved_is_refused_and_what_is_not_there(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    work.replace("supernode", saved.id, node(racks=2.0), version=1)
    with pytest.raises(ScenarioError, match="dgx_h10"):
        work.merge("supernode", saved.id, supernode_design(system="dgx_h10"), base_revision=1)
    for base in (0, 9):
        with pytest.raises(NotSavedError, match=f"revision {base}"):
            work.merge("supernode", saved.id, node(), base_revision=base)
    assert len(history(work, saved)) == 2


def test_who_may_only_look_is_told_before_anything_is_computed(work: SavedWork) -> None:
    saved = work.create("supernode", node())
    viewer = work.of(
        Actor(name="Vera", account_id="v", roles={saved.workspace_id: "viewer"}), saved.workspace_id
    )
    with pytest.raises(ForbiddenError, match="editor"):
        viewer.merge("supernode", saved.id, {"no": "document"}, base_revision=1)


@only_on_sqlite("a database server locks the row while it is evaluated")
def test_another_process_that_was_faster_is_merged_with_too(
    work: SavedWork, engine: Engine, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = work.create("supernode", node())
    other = SavedWork(engine, lambda: catalog)
    other.replace("supernode", saved.id, node(racks=1.0), version=1)
    meanwhile = iter([node(racks=1.0, nodes=2), node(racks=1.0, nodes=2, price_usd=3e5)])
    writing = work._saved_in_turn

    def overtaken(*args: Any) -> Saved:
        for faster in meanwhile:
            other.replace("supernode", saved.id, faster, version=None)
            break
        return writing(*args)

    monkeypatch.setattr(work, "_saved_in_turn", overtaken)
    after = work.merge("supernode", saved.id, node(rack_units=8.0), base_revision=1)
    assert after.document == node(racks=1.0, nodes=2, price_usd=3e5, rack_units=8.0)
    assert after.note == "Merged with revision 4"

    tries: list[int] = []

    def always(*_: Any) -> Saved:
        tries.append(1)
        raise ChangedMeanwhileError(after)

    monkeypatch.setattr(work, "_saved_in_turn", always)
    with pytest.raises(ChangedMeanwhileError):
        work.merge("supernode", saved.id, node(), base_revision=1)
    assert len(tries) == MOST_TRIES


@pytest.mark.slow
def test_nothing_of_many_who_save_at_once_is_lost(work: SavedWork, engine: Engine, catalog: Catalog) -> None:
    """Each changes a field of their own from the first revision, half in another process."""
    saved = work.create("supernode", node())
    works = [work, SavedWork(engine, lambda: catalog)]
    made: dict[str, Saved] = {}

    def change(number: int, name: str, value: Any) -> None:
        mine = node(**{name: value})
        made[name] = works[number % 2].merge("supernode", saved.id, mine, base_revision=1, note=name)

    threads = [
        threading.Thread(target=change, args=(number, *item)) for number, item in enumerate(OVERRIDES.items())
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(made) == set(OVERRIDES)
    assert work.get("supernode", saved.id).document == node(**OVERRIDES)
    notes = [note.rpartition(": ")[2] for note, _ in history(work, saved)]
    assert notes == ["", *sorted(made, key=lambda name: made[name].revision)]


@pytest.mark.slow
def test_a_save_is_evaluated_once(work: SavedWork, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 24 writers on one scenario evaluating is what a save costs: mine alone is not evaluated as well."""
    saved = work.create("scenario", document())
    work.replace("scenario", saved.id, document(workload__tokens=2e12), version=1)
    evaluated: list[Any] = []
    preparing = work._prepared
    monkeypatch.setattr(work, "_prepared", lambda *args: (evaluated.append(args), preparing(*args))[1])
    work.merge("scenario", saved.id, document(pod__supernodes=4), base_revision=1)
    assert len(evaluated) == 1


@pytest.mark.slow
def test_undoing_a_merged_save_leaves_the_others_changes(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    theirs = document(workload__tokens=2e12)
    work.replace("scenario", saved.id, theirs, version=1)
    after = work.merge("scenario", saved.id, document(pod__supernodes=4), base_revision=1)
    before = work.revision("scenario", saved.id, after.revision - 1).document
    undone = work.merge("scenario", saved.id, before, base_revision=after.revision)
    assert undone.document == theirs
