"""LICENSES.md: written from the data, nothing left out."""

from __future__ import annotations

from app.catalog.licences import licences_markdown, needing_check
from app.catalog.seed import read_seed
from tests.support import SEED_DATA


def test_the_page_is_up_to_date() -> None:
    page = (SEED_DATA / "LICENSES.md").read_text(encoding="utf-8")
    assert page == licences_markdown(read_seed(SEED_DATA)), "run python -m app.catalog.licences"


def test_every_family_climate_file_and_credit_is_named() -> None:
    seed = read_seed(SEED_DATA)
    page = (SEED_DATA / "LICENSES.md").read_text(encoding="utf-8")
    for family in seed.families:
        assert f"**{family.key}**" in page
        assert family.credit in page
    for path in (SEED_DATA / "climate").glob("*.gz"):
        assert f"`{path.name}`" in page


def test_files_needing_a_check() -> None:
    found = needing_check(read_seed(SEED_DATA))
    assert len(found) == 19
    assert {"amsterdam", "beijing", "lisbon", "zurich"} <= set(found)
