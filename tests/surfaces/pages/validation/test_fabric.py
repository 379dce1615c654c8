"""Published fabrics as a page: every design with its counts and ours, and what cannot be right."""

from __future__ import annotations

import pytest

from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import get, words

pytestmark = pytest.mark.slow


def test_every_published_fabric_is_there_with_both_counts(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation/fabric")
    said = words(page)
    assert "35 published fabrics print counts" in said
    assert "34 come out in every count" in said
    assert page.count('class="chip bad"') == 1  # differs
    assert page.count('class="chip warn"') == 3  # flagged
    assert "32 / 24 32 / 24" in said  # the leaf groups of a GB200 unit
    assert "336 / 112 336 / 112" in said  # CloudMatrix384
    assert "4,096 48 48 6,144 6,144" in said  # TPU v4: circuit switches and optical ends
    assert "1,296 nodes of 8 are 10,368 accelerators, and 9,216 are printed" in said
    assert "Prints no number of switches or cables" in said


def test_the_page_is_one_of_the_kinds(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation")
    assert 'href="/validation/fabric"' in page
    assert 'aria-current="page">Fabrics' in get(reading_client, "/validation/fabric")
