"""The bill tab: tables, options, downloads, and lengths that are taken over."""

from __future__ import annotations

import html
import re

import pytest

from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

POD = "gpt_3_175b_on_128_dgx_a100"
PAGE = f"/fabric/{POD}/bill"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_the_page_has_every_role_and_both_bills(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE)
    for words in (
        "Compute network",
        "Leaf switches",
        "Optical modules",
        "Fibre jumpers",
        "Compared with the evaluation",
    ):
        assert words in page
    assert 'id="figure-fabric_price"' in page
    assert 'id="figure-fabric_power"' in page


def test_panels_are_asked_for_and_a_bad_length_is_kept_and_named(reading_client: AsgiClient) -> None:
    assert "Patch panels</th>" in text(reading_client, f"{PAGE}?patched_from_m=2")
    page = text(reading_client, f"{PAGE}?patched_from_m=<far>", 422)
    assert 'value="<far>" aria-invalid="true"' in page
    assert "The bill below is computed without it." in page
    assert "<far>" not in reading_client.get(f"{PAGE}?patched_from_m=<far>").text
    text(reading_client, f"{PAGE}?lengths=guessed", 422)


def test_files_are_downloads(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?lengths=assumed")
    addresses = re.findall(rf'href="({PAGE}/file\?[^"]*)"', page)
    assert len(addresses) == 3
    for address in addresses:
        assert "lengths=assumed" in address
        answer = reading_client.get(address)
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith("attachment")
    text(reading_client, f"{PAGE}/file?format=pdf", 404)
    text(reading_client, f"{PAGE}/file?lengths=guessed", 422)


def test_lengths_of_the_floor_are_taken_over(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE)
    (taken,) = re.findall(rf'href="({PAGE}\?s=[^"]*)">Assume the lengths', page)
    after = text(reading_client, taken)
    assert "Assume the lengths" not in after
    assert "The evaluation assumes the mean lengths of the floor plan." in after


def test_a_single_supernode_has_nothing_to_count(reading_client: AsgiClient) -> None:
    assert "No network equipment" in text(reading_client, "/fabric/edge_node/bill")
