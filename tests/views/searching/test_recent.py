"""A search that was made is at hand; another one is not mistaken for it."""

from __future__ import annotations

import dataclasses
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document
from app.views.economics.difference.answer import DifferenceOptions
from app.views.searching import recent
from app.views.searching.options import SearchOptions
from app.views.searching.recent import AT_ONCE, RecentSearches
from tests.support import read_example


def test_each_search_is_made_once(seeded_data_dir: object, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(recent, "search_scenario", lambda _, asked: made.append(asked.objective) or {})
    monkeypatch.setattr(recent, "domain_study", lambda *_: made.append("domains") or {})
    scenario = evaluate_scenario(read_example("edge_node"), ready_catalog())
    searches = RecentSearches(most=2)
    fast, lean = (build_document(SearchOptions, {"objective": name}) for name in ("step_time", "memory"))
    for options in (fast, fast, lean, fast):
        searches.search(scenario, options)
    assert made == ["step_time", "memory"]
    searches.domain_study(scenario, ready_catalog())  # the search for memory is the one not asked for longest
    searches.search(scenario, fast)
    searches.search(scenario, lean)
    assert made == ["step_time", "memory", "domains", "memory"]


def test_a_changed_catalog_is_searched_anew(seeded_data_dir: object, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(recent, "search_scenario", lambda scenario, _: made.append("search") or {})
    scenario = evaluate_scenario(read_example("edge_node"), ready_catalog())
    resolved = dataclasses.replace(scenario.resolved, catalog_revision="another")
    later = dataclasses.replace(scenario, resolved=resolved)
    options = build_document(SearchOptions, {})
    searches = RecentSearches()
    for one in (scenario, later, scenario, later):
        searches.search(one, options)
    assert len(made) == 2


def test_equal_requests_at_once_are_searched_once(
    seeded_data_dir: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = evaluate_scenario(read_example("edge_node"), ready_catalog())
    begun, let_go = threading.Semaphore(0), threading.Event()
    made: list[str] = []

    def slow(_: object, asked: SearchOptions) -> dict[str, str]:
        made.append(asked.objective)
        begun.release()
        assert let_go.wait(20)
        return {}

    monkeypatch.setattr(recent, "search_scenario", slow)
    searches, options = RecentSearches(), build_document(SearchOptions, {})
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(searches.search, scenario, options) for _ in range(4)]
        assert begun.acquire(timeout=20)
        let_go.set()
        assert [one.result() for one in waiting] == [{}] * 4
    assert made == ["step_time"]


def test_a_kept_answer_waits_for_no_search(seeded_data_dir: object, monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = evaluate_scenario(read_example("edge_node"), ready_catalog())
    fast, lean = (build_document(SearchOptions, {"objective": name}) for name in ("step_time", "memory"))
    begun, let_go = threading.Semaphore(0), threading.Event()

    def slow(_: object, asked: SearchOptions) -> dict[str, str]:
        if asked.objective == "memory":
            begun.release()
            assert let_go.wait(20)
        return {"objective": asked.objective}

    monkeypatch.setattr(recent, "search_scenario", slow)
    searches = RecentSearches()
    searches.search(scenario, fast)
    others = [lean.model_copy(update={"top": top}) for top in range(1, AT_ONCE + 1)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = [pool.submit(searches.search, scenario, options) for options in others]
        assert all(begun.acquire(timeout=20) for _ in waiting)
        assert searches.search(scenario, fast) == {"objective": "step_time"}  # every turn is taken
        let_go.set()
    assert [one.result()["objective"] for one in waiting] == ["memory"] * AT_ONCE


def test_equal_differences_at_once_are_computed_once(
    seeded_data_dir: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is asked four times at once; other figures, and the two sides exchanged, are others."""
    catalog = ready_catalog()
    first, second = (
        evaluate_scenario(read_example(key), catalog) for key in ("edge_node", "gpt_3_175b_on_128_dgx_a100")
    )
    cost, carbon = (build_document(DifferenceOptions, {"figure": name}) for name in ("tco", "carbon"))
    begun, let_go = threading.Semaphore(0), threading.Event()
    made: list[str] = []

    def slow(*asked: Any) -> object:
        made.append(asked[3].figure)
        begun.release()
        assert let_go.wait(20)
        return object()

    monkeypatch.setattr(recent, "difference_answer", slow)
    searches = RecentSearches()
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(searches.difference, first, second, catalog, cost) for _ in range(4)]
        assert begun.acquire(timeout=20)
        let_go.set()
        (found,) = {one.result() for one in waiting}
    assert searches.difference(first, second, catalog, cost) is found  # at hand
    assert made == ["tco"]
    assert searches.difference(second, first, catalog, cost) is not found
    searches.difference(first, second, catalog, carbon)
    assert made == ["tco", "tco", "carbon"]
