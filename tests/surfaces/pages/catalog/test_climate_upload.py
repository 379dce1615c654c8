"""Uploading a climate year in the browser's form."""

from __future__ import annotations

import html
import re

import pytest

from tests.asgi import AsgiClient
from tests.catalog.weather.files import as_bytes, epw_lines, with_cell

pytestmark = pytest.mark.slow

FORM = "/catalog/own/climate"


def sent(client: AsgiClient, content: bytes, **fields: str):
    token = re.search(r'name="csrf" value="([^"]*)"', client.get(FORM).text)
    data = {"csrf": token[1] if token else "", "key": "graz_2023", "source": "Own station", **fields}
    return client.post(FORM, data=data, files={"file": ("graz.epw", content)})


def test_a_year_is_uploaded_shown_and_removed(asgi_client: AsgiClient) -> None:
    assert "Upload an EPW file" in asgi_client.get("/catalog/climate").text
    refused = sent(asgi_client, as_bytes(with_cell(epw_lines(), 77, 7, "warm")), name="Graz roof")
    assert refused.status_code == 422
    page = html.unescape(refused.text)
    assert "<b>Line 77</b> Column 7, dry bulb: 'warm' is not a number." in page
    assert 'value="Graz roof"' in page

    answer = sent(asgi_client, as_bytes(epw_lines(leap=True)), name="Graz roof")
    assert answer.status_code in (200, 303), answer.text
    page = html.unescape(asgi_client.get("/catalog/climate/graz_2023").text)
    assert "Graz roof" in page
    assert "29 February left out" in page
    assert "not stated: ask before passing it on" in page
    assert "Upload another file" in page
    assert "graz_2023" in asgi_client.get("/catalog/own").text
    assert "Another file for this year" in asgi_client.get(f"{FORM}?key=graz_2023").text

    taken = sent(asgi_client, as_bytes(epw_lines()))
    assert taken.status_code == 409
    token = re.search(r'name="csrf" value="([^"]*)"', asgi_client.get(FORM).text)
    fields = {"csrf": token[1] if token else "", "kind": "climate", "key": "graz_2023", "version": "1"}
    assert asgi_client.post("/catalog/own/remove", data=fields).status_code in (200, 303)
    assert asgi_client.get("/catalog/climate/graz_2023").status_code == 404
    assert asgi_client.get(f"{FORM}?key=graz_2023").status_code == 404
