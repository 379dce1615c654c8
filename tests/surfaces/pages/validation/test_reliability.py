"""Published failures and spares as a page."""

from __future__ import annotations

import pytest

from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import get, words

pytestmark = pytest.mark.slow


def test_every_figure_is_there_with_its_interval(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation/reliability")
    said = words(page)
    assert "10 of 32 published figures" in said
    assert page.count("<tr id=") == 10
    assert 'id="rsc_1024"' in page
    assert "Meta RSC: MTTF measured" in said
    assert "4.46 to 55.1" in said


def test_what_is_left_out_is_said_with_the_reason(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, "/validation/reliability"))
    assert "The shares of components are these counts" in said
    assert "23 published figures" in said


def test_the_page_is_one_of_the_kinds(reading_client: AsgiClient) -> None:
    assert 'href="/validation/reliability"' in get(reading_client, "/validation")
    assert 'aria-current="page">Failures and spares' in get(reading_client, "/validation/reliability")
