"""Warnings of the new design, the examples and the gallery: each is listed, and names a figure that is beyond its limit.

`python -m tests.surfaces.pages.test_warnings > tests/surfaces/pages/warnings.csv` lists them again.
"""

from __future__ import annotations

import csv
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from app.catalog.gallery import reference_designs
from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example, list_examples
from app.surfaces.pages.designs import NEW, new_design
from tests.support import part_of

LISTED = Path(__file__).with_name("warnings.csv")
KEYS = (NEW, *(one.key for one in list_examples()), *reference_designs())
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
SCALES = (1.0, 100.0, 1e-3, 1e-6, 1e-9, 1e3, 1e6)
"""Of a value in base units to one that people read: percent, and SI prefixes."""
NEAR = 0.05
"""Values may move by as much before the list is to be looked at again."""


class Listed(NamedTuple):
    """A warning with the value that justifies it, the limit that it is beyond, and their unit."""

    design: str
    warning: str
    value: str
    limit: str
    unit: str


def warnings_of(key: str) -> list[dict[str, Any]]:
    document = new_design() if key == NEW else example(key).read()
    problems = evaluate_scenario(document, ready_catalog()).as_json["problems"]
    return [problem for problem in problems if problem["kind"] == "warning"]


def listed_of(key: str) -> Iterator[Listed]:
    for one in warnings_of(key):
        yield Listed(key, one["constraint"], f"{one['value']:.3g}", f"{one['limit']:.3g}", one["unit"])


def read_listed() -> list[Listed]:
    with LISTED.open(encoding="utf-8", newline="") as file:
        return [Listed(**row) for row in csv.DictReader(file)]


def names(message: str, value: float) -> bool:
    """Return whether a message has a value, in any unit that people read it in."""
    found = [float(text.replace(",", "")) for text in NUMBER.findall(message)]
    return any(
        math.isclose(one, value * scale, rel_tol=0.02, abs_tol=1e-9) for one in found for scale in SCALES
    )


@pytest.mark.parametrize("key", part_of(KEYS, parts=4))
def test_a_warning_names_a_figure_that_is_beyond_its_limit(key: str) -> None:
    listed = {one.warning: one for one in read_listed() if one.design == key}
    found = warnings_of(key)
    assert {one["constraint"] for one in found} == set(listed), "list them again, and look at what changed"
    for one in found:
        value, limit, words = one["value"], one["limit"], (key, one["constraint"], one["message"])
        assert math.isfinite(value), words
        assert math.isfinite(limit), words
        assert one["missed_by"] == pytest.approx(abs(value - limit)), words
        assert one["missed_by"] > 0, words
        assert names(one["message"], value), words
        kept = listed[one["constraint"]]
        assert value == pytest.approx(float(kept.value), rel=NEAR, abs=1e-9), words
        assert limit == pytest.approx(float(kept.limit), rel=NEAR, abs=1e-9), words
        assert one["unit"] == kept.unit, words


def test_the_list_is_of_designs_that_there_are() -> None:
    assert {one.design for one in read_listed()} <= set(KEYS)


def test_a_new_design_has_no_warning() -> None:
    """One server of 10 kW in its rack was warned of 41 kW, those of four."""
    assert not warnings_of(NEW)


if __name__ == "__main__":
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Listed._fields)
    writer.writerows(row for key in KEYS for row in listed_of(key))
