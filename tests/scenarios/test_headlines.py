"""Every figure with an interval lies in it, in every example and reference design."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.paths import seed_data
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import read_scenario

DESIGNS = sorted(path for folder in ("examples", "gallery") for path in (seed_data() / folder).glob("*.yaml"))


def intervals(record: Any, path: str = "") -> Iterator[tuple[str, float, float]]:
    """Place and ends of each interval that is known."""
    if dataclasses.is_dataclass(record) and hasattr(record, "low"):
        if record.low is not None and record.high is not None:
            yield path.removeprefix("."), record.low, record.high
    elif dataclasses.is_dataclass(record):
        for field in dataclasses.fields(record):
            yield from intervals(getattr(record, field.name), f"{path}.{field.name}")


@pytest.mark.parametrize("design", DESIGNS, ids=lambda path: path.stem)
def test_a_headline_lies_in_its_own_interval(design: Path) -> None:
    found = evaluate_scenario(read_scenario(design), ready_catalog())
    seen = 0
    for path, low, high in intervals(found.intervals):
        value: Any = found.as_json
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value is None:
            continue
        seen += 1
        assert low * (1 - 1e-9) <= value <= high * (1 + 1e-9), path
    assert seen >= 2
