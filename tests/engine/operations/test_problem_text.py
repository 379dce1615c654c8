"""Text of problems where a figure is unknown."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from app.engine.operations.problems import _blocking_too_dear


@pytest.mark.parametrize(
    ("ettr", "words"), [(np.nan, "part of the elapsed time"), (0.9, "10.0% of elapsed time")]
)
def test_unknown_ettr_is_not_printed(ettr: float, words: str):
    one = np.ones(1)
    reliability = SimpleNamespace(
        storage_write_bandwidth_bytes_per_s=one * 1e9,
        blocking_bandwidth_bytes_per_s=one * 2e9,
        checkpoint_scheme="blocking",
        ettr=one * ettr,
    )
    problem = _blocking_too_dear(reliability)
    assert problem is not None
    assert words in problem.message
    assert "nan" not in problem.message
