"""Which term binds, and what is missing."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.performance.serving.binding import binding
from tests.support import number


def test_what_binds() -> None:
    """30 ms of a step that may take 20: launches alone would have to shrink to 7 of 17 ms."""
    parts = {"launch": number(0.017), "weights": number(0.008), "exchange": number(0.005)}
    found = binding(parts_s=parts, promised_s=number(0.02))
    assert found.largest == "launch"
    assert found.floor_s[0] == pytest.approx(0.03)
    assert sum(share[0] for share in found.shares.values()) == pytest.approx(1)
    assert found.missing_s[0] == pytest.approx(0.01)
    assert found.largest_must_shrink_to[0] == pytest.approx(7 / 17)
    hopeless = binding(parts_s=parts, promised_s=number(0.01))
    assert hopeless.largest_must_shrink_to[0] == 0
    kept = binding(parts_s=parts, promised_s=number(0.05))
    assert (kept.missing_s[0], kept.largest_must_shrink_to[0]) == (0, 1)
    assert np.isnan(binding(parts_s=parts, promised_s=number(np.nan)).missing_s[0])
