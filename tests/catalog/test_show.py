"""The catalog on the command line."""

from __future__ import annotations

import io

import orjson
import pytest
from rich.console import Console
from sqlalchemy import Engine

from app.catalog.lookup import Catalog, CatalogLookupError
from app.catalog.show import seed_catalog, show_catalog
from tests.support import SEED_DATA


def shown(catalog: Catalog, *words: str, as_json: bool = False) -> str:
    out = io.StringIO()
    show_catalog(catalog, *words, as_json=as_json, console=Console(file=out, width=200))
    return out.getvalue()


def test_kinds_are_listed(catalog: Catalog) -> None:
    text = shown(catalog)
    assert "accelerators" in text
    assert "66" in text
    rows = orjson.loads(shown(catalog, as_json=True))
    assert {"kind": "climate", "title": "Climate years", "rows": 66} in rows


def test_rows_are_listed(catalog: Catalog) -> None:
    assert "nvidia_h100_sxm" in shown(catalog, "accelerators")
    rows = orjson.loads(shown(catalog, "accelerators", as_json=True))
    assert len(rows) == 66
    assert rows[0].keys() == {"key", "name", "vendor", "year", "status"}


def test_a_part_is_shown_with_its_sources(catalog: Catalog) -> None:
    text = shown(catalog, "accelerators", "nvidia_h100_sxm")
    for word in ("700 W", "tdp_w", "third_party", "2026-08-22", "source: stas00/ml-engineering", "3.35 TB/s"):
        assert word in text
    fact = orjson.loads(shown(catalog, "accelerators", "nvidia_h100_sxm", as_json=True))["facts"]["tdp_w"]
    assert (fact["value"], fact["unit"], fact["printed_unit"], fact["kind"]) == (
        700.0,
        "W",
        "W",
        "vendor",
    )
    assert fact["licence"]


@pytest.mark.parametrize(
    "kind", ["prices", "rentals", "climate", "sites", "assumptions", "aliases", "cloud_regions"]
)
def test_every_kind_can_be_shown(catalog: Catalog, kind: str) -> None:
    key = catalog.keys(kind)[0]
    assert shown(catalog, kind)
    assert orjson.loads(shown(catalog, kind, key, as_json=True))["key"] == key
    assert key in shown(catalog, kind, key)


@pytest.mark.parametrize(
    ("words", "near"), [(("swiches",), "switches"), (("systems", "dgx_h10"), "dgx_h100")]
)
def test_a_wrong_word_names_the_nearest(catalog: Catalog, words: tuple[str, ...], near: str) -> None:
    with pytest.raises(CatalogLookupError, match=near):
        shown(catalog, *words)


@pytest.mark.slow
def test_seeding_says_what_it_did(own_database: Engine) -> None:
    out = io.StringIO()
    console = Console(file=out, width=200)
    seed_catalog(own_database, SEED_DATA, console=console)
    assert "up to date" in out.getvalue()
    seed_catalog(own_database, SEED_DATA, ship_climate_needing_check=False, console=console)
    assert "Left out, as their terms need a check: amsterdam" in out.getvalue()
    out.seek(0)
    out.truncate()
    seed_catalog(own_database, SEED_DATA, force=True, as_json=True, console=console)
    assert orjson.loads(out.getvalue())["counts"]["climate"] == 47
