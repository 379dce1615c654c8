"""Published power and cooling as a page: every figure and region with ours, and what is left out."""

from __future__ import annotations

import pytest

from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import get, words

pytestmark = pytest.mark.slow


def test_every_figure_and_region_is_there(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation/power")
    said = words(page)
    assert "67 of 67 published figures" in said
    assert "Nothing is fitted to them." in said
    assert page.count("<tr id=") == 67
    assert 'id="h100_node_gpt3_mean"' in page
    assert "8xH100 node power, mean (Llama-2 70B LoRA, 64 nodes)" in said
    assert "PUE less one" in said
    assert "Spearman" in said
    assert "Asia Pacific (Jakarta), 2024 894 km" in said
    assert "its printed coordinates lie" in said


def test_what_is_left_out_is_said_with_the_reason(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, "/validation/power"))
    assert (
        "None beyond 1,000 km stands for a place" in said or "none beyond 1,000 km stands for a place" in said
    )
    assert "No PUE is published" in said
    assert "60 published figures" in said  # not compared
    assert "One-second power step, no engine output" in said


def test_the_page_is_one_of_the_kinds(reading_client: AsgiClient) -> None:
    assert 'href="/validation/power"' in get(reading_client, "/validation")
    assert 'aria-current="page">Power and cooling' in get(reading_client, "/validation/power")
