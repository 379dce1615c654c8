"""The kinds of published measurement that the engine is held against."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.catalog.lookup import Catalog
from app.validation.collectives.study import validate_collectives
from app.validation.cost.study import validate_cost
from app.validation.fabric.study import validate_fabric
from app.validation.power.study import validate_power
from app.validation.scaling.study import validate_scaling
from app.validation.serving.study import validate_serving
from app.validation.study import Report
from app.validation.training.study import validate_training

Progress = Callable[[str], None]
Validate = Callable[[Path, Catalog, Progress], Report]

KINDS: dict[str, Validate] = {
    "collectives": lambda path, catalog, progress: validate_collectives(path, catalog, progress=progress),
    "cost": lambda path, catalog, progress: validate_cost(path, catalog),
    "fabric": lambda path, catalog, progress: validate_fabric(path, catalog),
    "power": lambda path, catalog, progress: validate_power(path, catalog),
    "scaling": lambda path, catalog, progress: validate_scaling(path),
    "serving": lambda path, catalog, progress: validate_serving(path, catalog, progress=progress),
    "training": lambda path, catalog, progress: validate_training(path, catalog, progress=progress),
}

REFITTED: dict[str, Validate] = {
    "training": lambda path, catalog, progress: validate_training(
        path, catalog, refit=True, progress=progress
    ),
}
"""Kinds that refit their constants to a file when asked, and only then."""
