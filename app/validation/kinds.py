"""The kinds of published measurement that the engine is held against."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.catalog.kinds.reference_architectures import ReferenceArchitecture
from app.catalog.lookup import Catalog
from app.catalog.validated import (
    COLLECTIVES_FILE,
    COST_FIGURES_FILE,
    LATENCIES_FILE,
    POWER_FIGURES_FILE,
    RELIABILITY_FIGURES_FILE,
    RUNS_FILE,
    SCALING_FIGURES_FILE,
)
from app.validation.collectives.study import validate_collectives
from app.validation.cost.study import COST
from app.validation.fabric.study import FABRIC
from app.validation.power.regions import REGIONS
from app.validation.power.study import POWER
from app.validation.reliability.study import RELIABILITY
from app.validation.scaling.study import SCALING
from app.validation.serving.study import validate_serving
from app.validation.study import Report, first_that_reads
from app.validation.training.study import validate_training

Progress = Callable[[str], None]
Validate = Callable[[Path, Catalog, Progress], Report]

KINDS: dict[str, Validate] = {
    "collectives": lambda path, catalog, progress: validate_collectives(path, catalog, progress=progress),
    "cost": first_that_reads(COST),
    "fabric": first_that_reads(FABRIC),
    "power": first_that_reads(REGIONS, POWER),
    "reliability": first_that_reads(RELIABILITY),
    "scaling": first_that_reads(SCALING),
    "serving": lambda path, catalog, progress: validate_serving(path, catalog, progress=progress),
    "training": lambda path, catalog, progress: validate_training(path, catalog, progress=progress),
}

PUBLISHED = {
    "collectives": COLLECTIVES_FILE,
    "cost": COST_FIGURES_FILE,
    "fabric": ReferenceArchitecture.file,
    "power": POWER_FIGURES_FILE,
    "reliability": RELIABILITY_FIGURES_FILE,
    "scaling": SCALING_FIGURES_FILE,
    "serving": LATENCIES_FILE,
    "training": RUNS_FILE,
}
"""Measurements of each kind that Podwright comes with."""

REFITTED: dict[str, Validate] = {
    "training": lambda path, catalog, progress: validate_training(
        path, catalog, refit=True, progress=progress
    ),
}
"""Kinds that refit their constants to a file when asked, and only then."""
