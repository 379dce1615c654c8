"""Work that is done when a server starts, so that the first visit of a page is quick."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.server.metrics import EVENT_STREAMS, REQUESTS_UNDER_WAY, requests_under_way
from app.surfaces.pages.warm_up import WarmUp
from app.validation.claims import judge
from app.views.gallery import answer as gallery
from tests.databases import engine_in

pytestmark = pytest.mark.slow


def test_pages_find_everything_computed(seeded_data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "_kept", {})
    monkeypatch.setattr(judge, "_kept", {})
    engine = engine_in(seeded_data_dir)
    warm_up = WarmUp(lambda: engine)
    warm_up.start()
    assert warm_up._thread is not None
    warm_up._thread.join(300)
    monkeypatch.setattr(gallery, "_worked_out", lambda *_: pytest.fail("computed again"))
    assert len(gallery.gallery_answer(Catalog.open(engine))["items"]) > 20
    assert judge._kept
    warm_up.stop()
    engine.dispose()


def test_whoever_waits_for_a_page_goes_first(seeded_data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    seen: list[int] = []
    monkeypatch.setattr("app.surfaces.pages.warm_up._works", lambda _: [lambda: done.append("design")] * 2)
    answers = iter([1, 1, 0, 1, 0])

    def requests() -> float:
        seen.append(len(done))
        return next(answers)

    engine = engine_in(seeded_data_dir)
    warm_up = WarmUp(lambda: engine, requests)
    warm_up.start()
    assert warm_up._thread is not None
    warm_up._thread.join(30)
    assert seen == [0, 0, 0, 1, 1]
    assert len(done) == 2
    engine.dispose()


def test_a_busy_server_gets_warm_and_ends_at_once(
    seeded_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    monkeypatch.setattr("app.surfaces.pages.warm_up._works", lambda _: [lambda: done.append("design")] * 2)
    engine = engine_in(seeded_data_dir)
    monkeypatch.setattr("app.surfaces.pages.warm_up.PATIENCE_S", 0.1)
    patient = WarmUp(lambda: engine, lambda: 1)
    patient.start()
    assert patient._thread is not None
    patient._thread.join(30)
    assert len(done) == 2
    monkeypatch.setattr("app.surfaces.pages.warm_up.PATIENCE_S", 60)
    stopped = WarmUp(lambda: engine, lambda: 1)
    stopped.start()
    stopped.stop()  # does not wait for the requests
    assert len(done) == 2
    engine.dispose()


def test_requests_under_way_are_counted_without_streams() -> None:
    before = requests_under_way()
    with REQUESTS_UNDER_WAY.track_inprogress():
        assert requests_under_way() == before + 1
        with EVENT_STREAMS.track_inprogress():
            assert requests_under_way() == before


def test_without_a_database_nothing_is_done() -> None:
    warm_up = WarmUp(lambda: None)
    warm_up.start()
    warm_up.stop()
    assert warm_up._thread is not None
    assert not warm_up._thread.is_alive()
