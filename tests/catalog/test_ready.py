"""One engine per database, whichever thread asks first."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.catalog.ready import ready_engine
from app.settings import Settings


def test_threads_that_ask_at_once_are_given_one_engine(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, database_url=f"sqlite:///{tmp_path / 'podwright.db'}")
    together = threading.Barrier(6)

    def asked() -> int:
        together.wait(timeout=30)
        return id(ready_engine(settings))

    with ThreadPoolExecutor(6) as threads:
        found = {future.result() for future in [threads.submit(asked) for _ in range(6)]}
    ready_engine(settings).dispose()
    assert len(found) == 1
