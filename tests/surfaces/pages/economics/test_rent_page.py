"""The tab of own or rent: what is unknown is said so, and what renting is set against stays in the address."""

from __future__ import annotations

import html
from urllib.parse import parse_qs, urlsplit

from tests.asgi import AsgiClient

PAGE = "/economics/edge_node/rent"
UNKNOWN = "/economics/dense_128b_on_tpu_v5p/rent"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_an_unknown_use_is_not_told_as_never(reading_client: AsgiClient) -> None:
    page = text(reading_client, UNKNOWN)
    assert "The use from which owning is cheaper is unknown." in page
    assert "Owning is not cheaper at any price shown." not in page


def test_what_it_is_set_against_stays_when_a_term_changes(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?against=reserved")
    assert '<input type="hidden" name="against" value="reserved">' in page
    assert 'name="against"' not in text(reading_client, PAGE)  # the default is not pinned
    sent = f"{PAGE}?terms=1&economics.utilisation=60"
    for query, kept in (("&against=reserved", ["reserved"]), ("", None)):
        answer = reading_client.get(sent + query, follow_redirects=False)
        assert answer.status_code == 303
        assert parse_qs(urlsplit(answer.headers["location"]).query).get("against") == kept
