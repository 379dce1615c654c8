"""What is exported: evaluated only when asked for, of the right revision, with designs put in."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog, ready_engine
from app.saved.errors import NotSavedError
from app.saved.store import SavedWork
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.settings import get_settings
from app.surfaces.files.formats import scenario_yaml
from app.surfaces.files.work import UNDATED, Work, saved_work, work_of
from tests.surfaces.files.conftest import WITHOUT_FABRIC


@pytest.fixture(scope="module")
def saved() -> SavedWork:
    ready_catalog()
    return SavedWork(ready_engine(get_settings()), ready_catalog)


@pytest.fixture
def values() -> dict:
    return example(WITHOUT_FABRIC).read().as_dict()


def test_a_scenario_is_exported_without_being_evaluated(values):
    def never():
        raise AssertionError("evaluated")

    values["workload"]["model"] = "a_model_that_the_catalog_had_once"
    work = Work(build_scenario(values), never)
    assert b"a_model_that_the_catalog_had_once" in scenario_yaml(work)
    assert work.dated == UNDATED


def test_it_is_evaluated_once(values):
    times = []
    work = Work(build_scenario(values), lambda: times.append(1))  # type: ignore[arg-type, return-value]
    assert (work.evaluated, work.evaluated, times) == (None, None, [1])


def test_the_newest_revision_is_of_today_and_an_old_one_as_it_was(saved, values):
    first = saved.create("scenario", values, note="one")
    values["economics"]["utilisation"] = 0.4
    saved.replace("scenario", first.id, values, version=None, note="two")
    newest, second, old = (saved_work(saved, first.id, number) for number in (None, 2, 1))
    assert (newest.revision, newest.note) == (second.revision, second.note) == (2, "two")
    assert newest.written == second.written
    assert newest.saved_at == second.saved_at
    assert (old.revision, old.note) == (1, "one")
    assert old.evaluated.as_json["cost"] != second.evaluated.as_json["cost"]


def test_what_is_not_saved_is_not_there(saved, values):
    with pytest.raises(NotSavedError):
        saved_work(saved, "0" * 32)
    found = saved.create("scenario", values)
    with pytest.raises(NotSavedError):
        saved_work(saved, found.id, 2)


def test_saved_designs_are_put_in(saved, values):
    plain = work_of(build_scenario(values), saved)
    design = saved.create("supernode", {"name": "Shared", "supernode": values["supernode"]})
    values["supernode"] = {"design": design.id}
    work = work_of(build_scenario(values), saved)
    assert work.written.supernode.design == design.id
    assert work.document == plain.document
    assert scenario_yaml(work) == scenario_yaml(plain)
