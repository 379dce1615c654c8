"""How quick a study is searched: the example of docs/study.md, 100,000 designs of the same job, and what the home page asks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from app.catalog.ready import ready_catalog
from app.jobs.studies import StudyProcesses
from app.paths import docs
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import read_yaml
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.studies.asking import first_values
from app.views.study.answer import study_space
from app.views.study.looked_at import searched
from app.views.study.search import Found, search_steps
from bench.timing import Measurement, measured

WORKERS = 2
LAST = 30
"""SuperNodes of the largest pod: 7 systems x 2 networks x 30 numbers x 60 places and terms."""
SITES = [
    "oslo", "abilene", "ashburn", "columbus", "dallas", "houston", "phoenix", "las_vegas", "memphis", "council_bluffs",
    "chicago", "atlanta", "charlotte", "hillsboro", "quincy",
]  # fmt: skip


def study_measurements() -> Iterator[Measurement]:
    """The example of the documentation, then over more sites and terms, with the time until the first rows."""
    example = example_study()
    studies = (
        ("example", example),
        ("many places", _many(example)),
        ("as the home page begins", first_values()),
    )
    for name, study in studies:
        first, took, found = _searched(study)
        known = searched(found)
        yield measured(f"study, {name}: first rows", [first], unit="s", aim=3)
        yield measured(f"  {known.designs:,} designs", [took], unit="s", aim=60)
        yield measured(
            "  designs a second", [known.designs / took], unit="1/s", aim=100_000 / 60, at_least=True
        )
        yield measured("  evaluated", [float(known.evaluated)], unit="", aim=1, at_least=True)
        yield measured("  gap to the bound", [known.gap], unit="1", aim=0.01)


def example_study() -> dict[str, Any]:
    """The study written out in docs/study.md."""
    text = (docs() / "study.md").read_text(encoding="utf-8")
    block = next(part.split("```")[0] for part in text.split("```yaml\n")[1:] if "200B-A20B" in part)
    values: dict[str, Any] = read_yaml(block).values
    return values


def _many(example: dict[str, Any]) -> dict[str, Any]:
    candidates = example["candidates"] | {
        "sites": SITES,
        "terms": ["own", "colocate", "rent_reserved", "rent_on_demand"],
        "supernodes": {"from": 1, "to": 120},
    }
    return example | {"candidates": candidates}


def _searched(values: dict[str, Any]) -> tuple[float, float, Found]:
    study, catalog, pool = build_document(StudyDocument, values), ready_catalog(), StudyProcesses(WORKERS)
    start = time.perf_counter()
    first = 0.0
    steps = search_steps(study, catalog, study_space(study, catalog), pool)
    try:
        while True:
            next(steps)
            first = first or time.perf_counter() - start
    except StopIteration as ended:
        found: Found = ended.value
    finally:
        pool.close()
    return first, time.perf_counter() - start, found
