"""The tab of the cost of a run: methods, served tokens, terms that change the scenario, and what cannot be used."""

from __future__ import annotations

import html
import re

import pytest

from app.surfaces.pages.studio.state import decode_state
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

PAGE = "/economics/edge_node/runs"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_every_method_is_named_and_published_models_stand_beside(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE)
    assert 'id="figure-run_methods"' in page
    for title in ("Rented on demand", "Levelised ownership", "Amortised by Epoch's method", "Acquisition of"):
        assert f'<th scope="row">{title}' in page
    assert "at a rate that is given" in page
    assert "Enter tokens per second below" in page
    assert page.count('scope="rowgroup"') == 6
    assert "GPT-4 (Mar 2023)" in page
    assert 'href="/validation/cost"' in page


def test_tokens_at_a_rate_that_is_in_the_address(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?tokens_per_s=2,500")
    assert "2,500 tokens/s on 2 accelerators, as given" in page
    assert "Per 1 M tokens</th>" in page


def test_terms_change_the_scenario_and_the_rate_stays(reading_client: AsgiClient) -> None:
    answer = reading_client.get(
        f"{PAGE}?terms=1&economics.research_multiplier=3&tokens_per_s=2500", follow_redirects=False
    )
    assert answer.status_code == 303
    there = answer.headers["location"]
    assert there.endswith("&tokens_per_s=2500")
    state = decode_state(re.findall(r"s=([^&]+)", there)[0])
    assert state is not None
    assert state["economics"]["research_multiplier"] == 3
    assert "x 3</span>" in text(reading_client, there)


def test_what_cannot_be_used_is_said_and_kept(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?tokens_per_s=<b>many&hardware_age_years=-1", 422)
    assert 'value="<b>many"' in page
    assert re.search(r'id="hardware_age_years-error"[^>]*>[^<]*at least 0', page)
    page = text(reading_client, f"{PAGE}?terms=1&economics.research_multiplier=0.5", 422)
    assert "at least 1" in page
    assert 'value="0.5"' in page
