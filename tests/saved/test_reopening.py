"""Old revisions give the figures of their day, bit for bit, and say what has moved since."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from app.catalog.lookup import Catalog
from app.saved.diff import result_changes
from app.saved.errors import NotSavedError, StorageError
from app.saved.packing import packed, unpacked
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation import intervals
from app.scenarios.evaluation.residuals import residuals
from app.scenarios.examples import list_examples
from tests.saved.support import (
    FACT,
    as_stored,
    changed_catalog,
    document,
    pod_design,
    supernode_design,
)
from tests.support import part_of

pytestmark = pytest.mark.slow

EXAMPLES = {example.key: example for example in list_examples()}
VALUE = "UPDATE fact SET value = value * {factor} WHERE part_id IN (SELECT id FROM part WHERE {parts})"
CHANGES = (
    VALUE.format(factor=1.25, parts="kind = 'accelerators'") + " AND field = 'memory_bandwidth_bytes_per_s'",
    VALUE.format(factor=0.9, parts="kind = 'systems'") + " AND field = 'max_power_w'",
    VALUE.format(factor=1.1, parts="kind = 'assumptions' AND key LIKE 'economics.%'"),
    "UPDATE price SET low = low * 2, typical = typical * 2, high = high * 2",
)


@pytest.fixture(scope="module")
def later(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The catalog of another day: facts, assumptions, prices and rents are others."""
    return changed_catalog(seeded_data_dir, tmp_path_factory.mktemp("later"), *CHANGES)


def on_another_day(work: SavedWork, catalog: Catalog) -> SavedWork:
    return SavedWork(work._sessions.engine, lambda: catalog)


@pytest.mark.slow
@pytest.mark.parametrize("key", part_of(sorted(EXAMPLES)))
def test_every_example_reopens_bit_for_bit(work: SavedWork, later: Catalog, key: str) -> None:
    written = EXAMPLES[key].read().as_dict()
    saved = work.create("scenario", written)
    then = work.results(saved.id, 1)
    for opened in (work.reopened(saved.id, 1), on_another_day(work, later).reopened(saved.id, 1)):
        assert as_stored(opened.evaluated.as_json) == then
        assert opened.engine_moved == ()
        assert opened.from_today == ()
        assert opened.evaluated.resolved.catalog_revision == opened.revision.catalog_revision
    assert work.reopened(saved.id, 1).moved == ()
    assert opened.moved
    # and today's figures are others indeed
    now = as_stored(on_another_day(work, later).evaluated(written).as_json)
    assert now["performance"] != then["performance"]


def test_what_moved_is_named_with_both_values(work: SavedWork, seeded_data_dir: Path, tmp_path: Path) -> None:
    field = "memory_bandwidth_bytes_per_s"
    change = FACT.format(kind="accelerators", key="nvidia_h100_sxm", field=field, factor=2)
    day = changed_catalog(seeded_data_dir, tmp_path, change)
    saved = work.create("scenario", document())
    (moved,) = on_another_day(work, day).reopened(saved.id, 1).moved
    assert moved.path == f"supernode.accelerator.{field}"
    assert moved.after == 2 * moved.before
    assert (moved.unit, moved.catalog) == ("B/s", "accelerators/nvidia_h100_sxm")
    assert "H100" in moved.label
    assert moved.source


@pytest.mark.slow
def test_a_value_that_the_scenario_states_does_not_move(
    work: SavedWork, seeded_data_dir: Path, tmp_path: Path
) -> None:
    field = "memory_bandwidth_bytes_per_s"
    change = FACT.format(kind="accelerators", key="nvidia_h100_sxm", field=field, factor=2)
    stated = document(supernode__override={"accelerator": {field: 3e12}})
    saved = work.create("scenario", stated)
    day = changed_catalog(seeded_data_dir, tmp_path, change)
    assert on_another_day(work, day).reopened(saved.id, 1).moved == ()


@pytest.mark.slow
def test_what_nobody_knew_then_and_is_known_now(
    work: SavedWork, seeded_data_dir: Path, tmp_path: Path
) -> None:
    condition = "part_id = (SELECT id FROM part WHERE key = 'nvidia_h100_sxm') AND field = 'tdp_w'"
    unknown = changed_catalog(seeded_data_dir, tmp_path, f"DELETE FROM fact WHERE {condition}")
    then = on_another_day(work, unknown)
    saved = then.create("scenario", document())
    moved = {found.path: found for found in work.reopened(saved.id, 1).moved}
    assert (moved["supernode.accelerator.tdp_w"].before, moved["supernode.accelerator.tdp_w"].after) == (
        None,
        700,
    )
    assert as_stored(work.reopened(saved.id, 1).evaluated.as_json) == then.results(saved.id, 1)


def test_a_part_that_left_the_catalog_is_still_there(
    work: SavedWork, seeded_data_dir: Path, tmp_path: Path
) -> None:
    saved = work.create("scenario", document())
    day = changed_catalog(
        seeded_data_dir,
        tmp_path,
        "UPDATE part SET key = 'gone' WHERE kind = 'accelerators' AND key = 'nvidia_h100_sxm'",
        "UPDATE part SET key = 'gone' WHERE kind = 'systems' AND key = 'dgx_h100'",
    )
    with pytest.raises(ScenarioError, match="dgx_h100"):
        on_another_day(work, day).evaluated(document())
    opened = on_another_day(work, day).reopened(saved.id, 1)
    assert as_stored(opened.evaluated.as_json) == work.results(saved.id, 1)
    gone = {moved.path: moved for moved in opened.moved}["supernode.accelerator.tdp_w"]
    assert (gone.before, gone.after, gone.catalog) == (700, None, "accelerators/nvidia_h100_sxm")


def test_what_was_not_kept_is_read_today_and_said(work: SavedWork, engine: Engine) -> None:
    saved = work.create("scenario", document())
    with engine.begin() as connection:  # as a revision of an older version would be
        connection.execute(text("UPDATE scenario_revision SET snapshot_hash = NULL, results = NULL"))
    opened = work.reopened(saved.id, 1)
    assert "part accelerators/nvidia_h100_sxm" in opened.from_today
    assert any(found.startswith("climate ") for found in opened.from_today)
    assert (opened.moved, opened.engine_moved) == ((), ())
    assert work.results(saved.id, 1) == as_stored(work.evaluated(document()).as_json)


@pytest.mark.slow
def test_another_hourly_year_is_said(work: SavedWork, seeded_data_dir: Path, tmp_path: Path) -> None:
    saved = work.create("scenario", document())
    day = changed_catalog(seeded_data_dir, tmp_path, "UPDATE climate_year SET digest = 'another'")
    (found,) = on_another_day(work, day).reopened(saved.id, 1).from_today
    assert found.startswith("climate ")


def test_an_engine_that_computes_otherwise_is_said(work: SavedWork, engine: Engine) -> None:
    saved = work.create("scenario", document())
    results: dict[str, Any] = work.results(saved.id, 1)
    mfu = results["performance"]["mfu"]
    results["performance"]["mfu"] = mfu / 2  # what an older engine might have computed
    with engine.begin() as connection:
        statement = text("UPDATE scenario_revision SET results = :results")
        connection.execute(statement, {"results": packed(results)})
    (change,) = work.reopened(saved.id, 1).engine_moved
    assert (change.path, change.before, change.after) == ("performance.mfu", mfu / 2, mfu)
    assert change.label


def test_a_design_that_changed_since_does_not_change_an_old_revision(work: SavedWork) -> None:
    node = work.create("supernode", supernode_design("Node"))
    pod = work.create("pod", pod_design("Fabric", supernodes=4))
    saved = work.create("scenario", document(supernode={"design": node.id}, pod={"design": pod.id}))
    then = work.results(saved.id, 1)
    work.replace("supernode", node.id, supernode_design("Node", system="gb200_nvl72"), version=1)
    work.delete("pod", pod.id, version=1)
    opened = work.reopened(saved.id, 1)
    assert as_stored(opened.evaluated.as_json) == then
    moved = {found.path: (found.before, found.after, found.unit) for found in opened.moved}
    assert moved == {"supernode.design": (1, 2, "revision"), "pod.design": (1, None, "revision")}
    assert opened.revision.document["supernode"] == {"design": node.id}


def test_revisions_share_what_they_kept(work: SavedWork, engine: Engine) -> None:
    for number in range(3):
        saved = work.create("scenario", document(f"Pod {number}", pod__supernodes=number + 2))
        work.replace(
            "scenario", saved.id, document(pod__supernodes=number + 3, workload__tokens=1e11), version=1
        )
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM scenario_revision")).scalar() == 6
        assert connection.execute(text("SELECT count(*) FROM catalog_snapshot")).scalar() == 1


def test_kept_values_that_are_damaged_are_said(work: SavedWork, engine: Engine) -> None:
    saved = work.create("scenario", document())
    with engine.begin() as connection:
        connection.execute(text("UPDATE catalog_snapshot SET content = :zero"), {"zero": b"\0"})
        connection.execute(text("UPDATE scenario_revision SET results = :zero"), {"zero": b"\0"})
    for read in (work.reopened, work.results):
        with pytest.raises(StorageError, match="db check") as caught:
            read(saved.id, 1)
        assert caught.value.reason == "damaged"


def test_only_what_is_there_reopens(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    with pytest.raises(NotSavedError, match="revision 9"):
        work.reopened(saved.id, 9)
    work.delete("scenario", saved.id, version=1)
    with pytest.raises(NotSavedError):
        work.reopened(saved.id, 1)


def test_results_are_kept_to_the_last_bit() -> None:
    values = {"a": 0.1 + 0.2, "b": 5e-324, "c": 10**30, "d": [1.0, 1, None, True], "e": "µ"}
    again = unpacked(packed(values))
    assert again == values
    assert [type(value) for value in again["d"]] == [float, int, type(None), bool]


def test_runs_measured_since_change_no_revision(work: SavedWork, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was saved keeps the intervals of its day; those of another day are no change of the design."""
    saved = work.create("scenario", document())
    then = work.results(saved.id, 1)
    other = replace(residuals(), errors=2 * residuals().errors)
    monkeypatch.setattr(intervals, "residuals", lambda: other)
    opened = work.reopened(saved.id, 1)
    assert opened.evaluated.as_json["intervals"]["performance"] != then["intervals"]["performance"]
    assert opened.engine_moved == ()
    assert work.results(saved.id, 1) == then


def test_results_from_before_there_were_intervals(work: SavedWork) -> None:
    saved = work.create("scenario", document())
    then = {name: part for name, part in work.results(saved.id, 1).items() if name != "intervals"}
    assert result_changes(then, work.reopened(saved.id, 1).evaluated.as_json) == ()
