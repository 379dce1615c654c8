"""Usual ratios and prices that costs of runs are computed with, for one accelerator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.catalog.view import CatalogView
from app.engine.trace import Array

ROOM = "runs"


@dataclass(frozen=True)
class RunAssumptions:
    """Rows of the assumptions on runs that hold for one accelerator."""

    catalog: CatalogView
    context: Mapping[str, str]

    def __call__(self, name: str, **more: str) -> Array:
        return np.array([self.catalog.assumption(ROOM, name, {**self.context, **more}).value])
