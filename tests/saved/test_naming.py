"""Names of revisions: given, changed, taken off, each once in a history."""

from __future__ import annotations

import pytest

from app.saved.access import Actor, ForbiddenError
from app.saved.errors import NotSavedError
from app.saved.naming import name_revision, unname_revision
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.saved.support import supernode_design


def test_revisions_are_named(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design())
    work.replace("supernode", saved.id, supernode_design(system="dgx_h200"), version=1)
    named = name_revision(work, "supernode", saved.id, 1, " As ordered ", "Signed")
    assert (named.label, named.label_note) == ("As ordered", "Signed")
    assert [one.label for one in work.revisions("supernode", saved.id).items] == ["", "As ordered"]
    with pytest.raises(ScenarioError, match="Revision 1 has this name"):
        name_revision(work, "supernode", saved.id, 2, "As ordered")
    name_revision(work, "supernode", saved.id, 1, "Draft")
    name_revision(work, "supernode", saved.id, 2, "As ordered")
    assert [one.label for one in work.revisions("supernode", saved.id).items] == ["As ordered", "Draft"]
    for _ in range(2):
        unname_revision(work, "supernode", saved.id, 1)
    assert work.revision("supernode", saved.id, 1).label == ""
    assert work.get("supernode", saved.id).version == 2


@pytest.mark.parametrize(
    ("name", "note"), [("", ""), (" ", ""), ("x" * 201, ""), ("a\nb", ""), ("a", "n" * 501)]
)
def test_names_that_cannot_be_used_are_refused(work: SavedWork, name: str, note: str) -> None:
    saved = work.create("supernode", supernode_design())
    with pytest.raises(ScenarioError):
        name_revision(work, "supernode", saved.id, 1, name, note)
    with pytest.raises(NotSavedError):
        name_revision(work, "supernode", saved.id, 2, "Fine")


def test_whoever_may_only_look_names_nothing(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design())
    viewer = Actor(name="Vera", account_id="v", roles={saved.workspace_id: "viewer"})
    with pytest.raises(ForbiddenError):
        name_revision(work.of(viewer, saved.workspace_id), "supernode", saved.id, 1, "Mine")
