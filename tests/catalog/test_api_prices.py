"""List prices of others for models of the catalog."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from app.catalog.api_prices import COLUMNS, FILE, api_prices, prices_of
from app.catalog.errors import SeedError
from app.catalog.ready import ready_catalog


def test_every_price_is_of_a_model_of_the_catalog(seeded_data_dir: object) -> None:
    keys = set(ready_catalog().keys("models"))
    assert {row.model_key for row in api_prices()} <= keys
    for row in api_prices():
        assert 0 < row.input_usd < row.output_usd
        assert math.isnan(row.cached_input_usd) or row.cached_input_usd < row.input_usd
        assert math.isnan(row.batch_share) or 0 < row.batch_share <= 1


def test_the_latest_comes_first_and_what_nobody_lists_has_none() -> None:
    dated = [row.as_of for row in prices_of("deepseek_v3")]
    assert dated == sorted(dated, reverse=True)
    assert prices_of("gpt_2_xl") == ()


@pytest.mark.parametrize(
    ("column", "text", "said"),
    [("source", "", "is missing"), ("input_usd", "cheap", "is not a number"), ("output_usd", "0", "above 0")],
)
def test_bad_rows_are_named(tmp_path: Path, column: str, text: str, said: str) -> None:
    cells = dict.fromkeys(COLUMNS, "1") | {column: text}
    (tmp_path / "serving").mkdir()
    (tmp_path / FILE).write_text(f"{','.join(cells)}\n{','.join(cells.values())}\n", encoding="utf-8")
    with pytest.raises(SeedError, match=said):
        api_prices(tmp_path)
