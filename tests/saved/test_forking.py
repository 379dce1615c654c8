"""Copies in another workspace: what only the first one has is written out in them."""

from __future__ import annotations

import pytest

from app.db.session import write_session
from app.db.tables import WorkspaceRow
from app.saved.access import Actor, HiddenError
from app.saved.diff import input_changes
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.saved.support import changed_catalog, document, pod_design, projection, supernode_design

BOTH = Actor(name="Ada", account_id="a", home=1, roles={1: "owner", 2: "editor"})
FIRST, SECOND = 1, 2


@pytest.fixture
def works(work, engine):
    """Saved work as someone of both workspaces sees it, from each."""
    with write_session(engine) as session:
        session.add(WorkspaceRow(id=SECOND, key="beta", name="Beta", kind="team"))
    return work.of(BOTH, FIRST), work.of(BOTH, SECOND)


def test_a_copy_knows_its_parent_and_keeps_its_figures(works):
    first, second = works
    original = first.create("scenario", document(), tags=("draft",))
    copy = second.duplicate("scenario", original.id, name="Ours")
    assert (copy.workspace_id, copy.forked_from_id, copy.tags) == (SECOND, original.id, ("draft",))
    assert copy.note == "Copy of revision 1"
    before, after = first.results(original.id, 1), second.results(copy.id, 1)
    assert {**after, "name": before["name"], "provenance": before["provenance"]} == before
    assert [saved.id for saved in second.listed("scenario").items] == [copy.id]


def test_designs_of_the_other_workspace_are_written_out(works):
    first, second = works
    node = first.create("supernode", supernode_design(system="dgx_h100", override={"max_power_w": 9000}))
    pod = first.create("pod", pod_design(supernodes=4))
    named = {**document(), "supernode": {"design": node.id}, "pod": {"design": pod.id}}
    original = first.create("scenario", named)
    copy = second.duplicate("scenario", original.id)
    assert copy.document["supernode"] == {"system": "dgx_h100", "override": {"max_power_w": 9000}}
    assert copy.document["pod"]["supernodes"] == 4
    assert copy.note == "Copy of revision 1; designs of the other workspace are written out"
    assert second.used_by("supernode", node.id)[0].id == original.id  # the copy uses none
    assert len(second.used_by("supernode", node.id)) == 1
    today = second.evaluated(copy.document).as_json
    assert today["power"] == first.results(original.id, 1)["power"]


def test_within_its_workspace_a_copy_goes_on_naming_designs(works):
    first, _ = works
    node = first.create("supernode", supernode_design())
    original = first.create("scenario", {**document(), "supernode": {"design": node.id}})
    copy = first.duplicate("scenario", original.id)
    assert copy.document["supernode"] == {"design": node.id}
    assert len(first.used_by("supernode", node.id)) == 2


def test_the_scenario_of_a_projection_is_written_out(works):
    first, second = works
    scenario = first.create("scenario", document())
    original = first.create("projection", projection(scenario=scenario.id, deadline_days=30.0))
    copy = second.duplicate("projection", original.id)
    assert input_changes(copy.document["scenario"], scenario.document) == ()
    assert second.projection(copy.id, 1)["model"] == first.projection(original.id, 1)["model"]


def test_parts_that_the_other_catalog_lacks_are_named(engine, works, catalog, seeded_data_dir, tmp_path):
    first, _ = works
    original = first.create("scenario", document())
    gone = changed_catalog(
        seeded_data_dir, tmp_path, "UPDATE part SET key = 'gone' WHERE kind = 'systems' AND key = 'dgx_h100'"
    )
    second = SavedWork(engine, lambda: gone).of(BOTH, SECOND)
    with pytest.raises(ScenarioError, match="dgx_h100") as caught:
        second.duplicate("scenario", original.id)
    assert caught.value.errors[0].path == "workspace"
    assert second.listed("scenario").items == ()


def test_nothing_is_copied_to_where_one_may_not_save(works, work):
    first, _ = works
    original = first.create("scenario", document())
    with pytest.raises(HiddenError):
        first.of(BOTH, 3).duplicate("scenario", original.id)


def test_templates_are_marked_listed_and_not_inherited(works):
    first, _ = works
    plain, template = first.create("scenario", document()), first.create("scenario", document("Base"))
    marked = first.update("scenario", template.id, version=template.version, template=True)
    assert (marked.is_template, marked.revision, marked.version) == (True, 1, template.version + 1)
    assert first.update("scenario", template.id, version=None, template=True).version == marked.version
    assert [saved.id for saved in first.listed("scenario", template=True).items] == [template.id]
    assert [saved.id for saved in first.listed("scenario", template=False).items] == [plain.id]
    assert not first.duplicate("scenario", template.id, name="Mine").is_template
    assert not first.update("scenario", template.id, version=None, template=False).is_template
