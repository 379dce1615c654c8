"""Published costs of runs as a page and over HTTP."""

from __future__ import annotations

import pytest

from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import get, words

pytestmark = pytest.mark.slow


def test_every_figure_is_there_with_its_arithmetic(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation/cost")
    said = words(page)
    assert "19 of 20 published figures" in said
    assert "Nothing is fitted to them." in said
    assert page.count("<tr id=") == 19
    assert 'id="dsv3_total"' in page
    assert "2,788,000 accelerator-hours x 2 USD/h" in said
    assert "GPT-4 (Mar 2023): amortised ownership" in said
    assert "Grok 3: amortised ownership" in said


def test_what_is_left_out_is_said_with_the_reason(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, "/validation/cost"))
    assert "so nothing would be compared" in said
    assert "36 published figures" in said
    assert "No inputs published with the figure" in said


def test_the_page_is_one_of_the_kinds(reading_client: AsgiClient) -> None:
    assert 'href="/validation/cost"' in get(reading_client, "/validation")
    assert 'aria-current="page">Costs of runs' in get(reading_client, "/validation/cost")


def test_the_same_over_http(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/api/v1/validation/cost")
    content = answer.json()
    assert (content["rows"], content["scored"], content["computed"]) == (56, 20, 19)
    assert len(content["items"]) + len(content["unsupported"]) == content["scored"]
    assert len(content["unscored"]) == content["rows"] - content["scored"]
    assert all(one["arithmetic"] for one in content["items"])
    assert len(content["models"]) == 6
    tag = answer.headers["etag"]
    assert reading_client.get("/api/v1/validation/cost", headers={"if-none-match": tag}).status_code == 304
