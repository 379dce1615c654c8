"""Every place that is taken for a column, tried one by one: blocks and single designs agree bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.design import evaluate
from app.engine.explore.job_sizes import evaluate_block
from app.engine.leaves import leaves
from app.scenarios.examples import example
from app.scenarios.resolve import resolve
from app.scenarios.sweeping.columns import AFTER_PERFORMANCE, OF_PERFORMANCE
from tests.support import part_of

FACTORS = np.array([0.5, 1.0, 1.3])


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", ["llama_3_1_405b_on_2048_dgx_h100", "deepseek_v3_on_256_hgx_h800", "fft_3d_on_512_dgx_a100"]
)
def test_every_place_is_read_as_an_array(catalog: Catalog, key: str) -> None:
    resolved = resolve(example(key).read(), catalog)
    outputs = [path for path, figure in leaves(evaluate(resolved.design).sections) if np.size(figure) == 1]
    columns = {
        place: value
        for place, value in resolved.values.items()
        if AFTER_PERFORMANCE.fullmatch(place) or OF_PERFORMANCE.fullmatch(place)
        if value.size == 1 and np.isfinite(value).all()
    }
    assert len(columns) > 80
    wrong = []
    for place, value in part_of(columns.items()):
        column = value * FACTORS if value[0] else np.array([0.0, 0.1, 1.0])
        together = evaluate_block(resolved.design, {place: column}, len(column), outputs)
        for row in range(len(column)):
            alone = evaluate_block(resolved.design, {place: column[row : row + 1]}, 1, outputs)
            same = np.array_equal(together.values[:, row], alone.values[:, 0], equal_nan=True)
            if not same or together.limits[row] != alone.limits[0]:
                wrong.append((place, column[row]))
    assert wrong == []
