"""The ladder on the page of a system of the catalog."""

from __future__ import annotations

import html

import pytest

from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow


def test_a_system_has_its_ladder_and_other_parts_have_none(asgi_client: AsgiClient) -> None:
    page = html.unescape(asgi_client.get("/catalog/systems/gb200_nvl72").text)
    assert "Leaving the SuperNode costs a factor of 18.0." in page
    assert "data-plotly" in page
    other = asgi_client.get("/catalog/accelerators/nvidia_h100_sxm").text
    assert "figure-bandwidth" not in other
    assert "data-plotly" not in other
