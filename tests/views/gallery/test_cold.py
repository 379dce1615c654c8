"""The list of reference designs where nothing is worked out yet: quick, and honest about what is missing."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from app.catalog.gallery import reference_designs
from app.catalog.ready import ready_catalog
from app.views.gallery import answer as gallery


@pytest.mark.slow
def test_a_cold_list_says_what_is_still_computed(
    seeded_data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask, the designs are worked out once; those that are done are shown."""
    catalog, go, worked_out = ready_catalog(), threading.Event(), []
    first, *others = reference_designs()

    def slowly(_catalog: Any, design: Any) -> dict[str, Any]:
        worked_out.append(design.key)
        if design.key != first:
            go.wait(10)
        return {
            "key": design.key,
            "group": design.group,
            "name": design.name,
            "description": "",
            "illustrative": False,
            "feasible": True,
            "system": "",
            "accelerator": "",
            "figures": {},
            "published": [],
        }

    monkeypatch.setattr(gallery, "_kept", {})
    monkeypatch.setattr(gallery, "_BACKGROUND", gallery._Background())
    monkeypatch.setattr(gallery, "_worked_out", slowly)
    start = time.monotonic()
    for _ in range(3):
        cold = gallery.gallery_answer(catalog, 0.1)
    assert time.monotonic() - start < 5
    assert [item["key"] for item in cold["items"]] == [first, *others]
    assert cold["computing"] == len(others)
    assert cold["items"][0]["feasible"] is True
    assert cold["items"][1]["feasible"] is None
    assert set(cold["items"][1]["figures"].values()) == {None}
    assert cold["items"][1]["description"]
    go.set()
    warm = gallery.gallery_answer(catalog, 10)
    assert warm["computing"] == 0
    assert worked_out == [first, *others]
