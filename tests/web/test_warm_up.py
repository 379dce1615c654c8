"""Work that is done when a server starts, so that the first visit of a page is quick."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.scenarios.gallery import answer as gallery
from app.validation.claims import judge
from app.web.warm_up import WarmUp
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


def test_without_a_database_nothing_is_done() -> None:
    warm_up = WarmUp(lambda: None)
    warm_up.start()
    warm_up.stop()
    assert warm_up._thread is not None
    assert not warm_up._thread.is_alive()
