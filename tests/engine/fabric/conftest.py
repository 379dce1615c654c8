"""The engine's own policy for unknown values, as `design.py` sets it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def unknown_is_quiet() -> Iterator[None]:
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        yield
