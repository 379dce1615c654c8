"""The shipped scaling laws: whole, sourced, and refused where a cell cannot be used."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.catalog.scaling_laws import CONSTANTS_FILE, DEFAULT_LAW, POINTS_FILE, read_scaling_laws, scaling_laws
from app.engine.scaling.choose import CURVES
from tests.support import SEED_DATA


def test_every_law_is_whole() -> None:
    laws = scaling_laws()
    assert next(iter(laws)) == DEFAULT_LAW
    for key, law in laws.items():
        assert law.key == key
        assert law.form in CURVES
        assert "arXiv" in law.source
        assert law.formula
        assert law.confidence in ("high", "medium", "memory")
        assert law.constants or law.base in laws
        for span in law.spans.values():
            assert span.low is None or span.high is None or 0 < span.low <= span.high
        for constant in law.constants.values():
            assert math.isfinite(constant.value)
            if constant.low is not None and constant.high is not None:
                assert constant.low <= constant.value <= constant.high
                assert constant.probability in (0.8, 0.95)


def test_printed_models_close_in_compute() -> None:
    """6 N D of a printed model is its compute, to the digits of the tables."""
    for law in scaling_laws().values():
        flops = [point.flops for point in law.points]
        assert flops == sorted(flops)
        for point in law.points:
            if point.tokens is not None:
                assert 6 * point.parameters * point.tokens == pytest.approx(point.flops, rel=0.06)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (CONSTANTS_FILE, "482.01", "many", "not a number"),
        (CONSTANTS_FILE, "482.01", "", "is empty"),
        (CONSTANTS_FILE, "482.01", "inf", "not finite"),
        (CONSTANTS_FILE, "epoch_refit,cap_a", "unheard_of,cap_a", "not a law"),
        (POINTS_FILE, "llama_3", "llama_9", "not a law"),
    ],
)
def test_a_cell_that_cannot_be_used_is_named(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = tmp_path / "scaling_laws"
    shutil.copytree(SEED_DATA / "scaling_laws", folder)
    path = tmp_path / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SeedError, match=said):
        read_scaling_laws(tmp_path)
