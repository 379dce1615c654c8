"""Saved projections: kept with their figures, and the scenario that they count by."""

from __future__ import annotations

from typing import Any

import pytest

from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.views.projecting.options import ProjectionDocument
from tests.saved.support import UNKNOWN_ID, document, projection, supernode_design


def today(work: SavedWork, id: str) -> dict[str, Any]:
    return work.projected(build_document(ProjectionDocument, work.get("projection", id).document))


def test_figures_of_a_revision_stay(work: SavedWork) -> None:
    scenario = work.create("scenario", document(pod__supernodes=4))
    saved = work.create("projection", projection(scenario=scenario.id, deadline_days=30.0))
    then = work.projection(saved.id, 1)
    assert then == today(work, saved.id)
    assert saved.summary["parameters"] == then["model"]["parameters"]
    assert (saved.summary["design"], saved.summary["days"]) == ("My pod", pytest.approx(30))
    # a change of the scenario shows today, and not in what was saved
    work.replace("scenario", scenario.id, document(pod__supernodes=8), version=1)
    assert today(work, saved.id)["design"]["supernodes"] == 8
    assert work.projection(saved.id, 1) == then
    work.delete("scenario", scenario.id, version=2)
    with pytest.raises(ScenarioError) as caught:
        today(work, saved.id)
    assert caught.value.errors[0].path == "scenario"
    assert work.projection(saved.id, 1) == then


def test_another_name_moves_no_figure(work: SavedWork) -> None:
    saved = work.create("projection", projection())
    renamed = work.update("projection", saved.id, version=1, name="Another")
    assert (renamed.name, renamed.revision) == ("Another", 2)
    assert work.projection(saved.id, 2) == work.projection(saved.id, 1)


def test_a_scenario_that_is_written_out_names_designs(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design(system="dgx_h100"))
    written = document(supernode={"design": node.id})
    saved = work.create("projection", projection(scenario=written, deadline_days=30.0))
    plain = work.create("projection", projection(scenario=document(), deadline_days=30.0))
    assert work.projection(saved.id, 1)["model"] == work.projection(plain.id, 1)["model"]


def test_each_kind_is_listed_by_itself(work: SavedWork) -> None:
    saved = work.create("projection", projection("Best in a month"), tags=["plan"])
    work.create("supernode", supernode_design())
    assert [one.id for one in work.listed("projection").items] == [saved.id]
    assert [one.kind for one in work.listed("design").items] == ["supernode"]
    assert [one.id for one in work.listed("projection", search="epoch month").items] == [saved.id]
    assert work.tags("projection") == (("plan", 1),)
    assert work.used_by("projection", saved.id) == ()


@pytest.mark.parametrize(
    ("stated", "path", "rule"),
    [
        ({"scenario": "edge_nod", "deadline_days": 30.0}, "scenario", "unknown_scenario"),
        ({"scenario": UNKNOWN_ID, "deadline_days": 30.0}, "scenario", "unknown_scenario"),
        ({"loss": 1.0}, "loss", "outside_law"),
        ({"tokens": 0}, "tokens", "at_least"),
        ({"law": "moe_joint", "flops": 1e20}, "experts", "outside_law"),
        ({"deadline_days": 30.0}, "deadline_days", "required"),
    ],
)
def test_what_cannot_be_projected_is_not_saved(
    work: SavedWork, stated: dict[str, Any], path: str, rule: str
) -> None:
    with pytest.raises(ScenarioError) as caught:
        work.create("projection", projection(**stated))
    (error,) = caught.value.errors
    assert (error.path, error.rule) == (path, rule)
    assert error.hint
    assert work.listed("projection").items == ()
