"""Compare: only what differs, said plainly where nothing does."""

from __future__ import annotations

import re

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.surfaces.pages.saved.test_saving import MAIN, post_save, saved, scenario
from tests.surfaces.pages.studio.test_routes import text_of

pytestmark = pytest.mark.slow


def part(page: str, heading: str) -> str:
    """The words of a section."""
    found = re.search(rf'<section aria-labelledby="{heading}-title">.*?</section>', page, re.DOTALL)
    assert found
    return text_of(found.group())


def test_only_what_differs_is_shown(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client, "Half of it", workload__tokens=7.8e12)
    page = asgi_client.get(f"/compare?a={MAIN}&b={id}").text
    assert re.search(r"B finishes [\d.]+.days sooner and costs [\d.]+.M.USD less\.", text_of(page))
    inputs = part(page, "inputs")
    assert "Training tokens 15.6 T 7.8 T" in inputs
    assert "Sequence length" not in inputs
    assert "Half of it" not in inputs
    elapsed = re.search(
        r"Elapsed time [\d.]+.days [\d.]+.days \u2212[\d.]+.days better 0\.5\d*\u00d7", part(page, "key")
    )
    assert elapsed
    assert "PUE" not in part(page, "key")
    assert 'id="figure-step_time-a"' in page
    assert 'id="figure-tco-b"' in page
    assert "Training tokens" not in part(page, "results")


def test_all_rows_show_what_is_alike_too(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client, workload__tokens=7.8e12)
    page = asgi_client.get(f"/compare?a={MAIN}&b={id}&all=1").text
    assert "Sequence length 8,192 tokens 8,192 tokens" in part(page, "inputs")
    assert "PUE" in part(page, "key")
    assert page.count('<tr class="alike">') > 100


def test_no_difference_is_said(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client, "The same again")
    page = text_of(asgi_client.get(f"/compare?a={MAIN}&b={id}").text)
    assert "No difference: A and B state the same inputs and come to the same figures." in page
    assert "only their names differ" in page


def test_unsaved_changes_against_the_saved(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    state = encode_state(scenario(name="My pod", workload__tokens=1e12))
    page = asgi_client.get(f"/compare?a={id}&b={id}&s={state}").text
    assert "Unsaved changes" in text_of(page)
    assert "Training tokens 15.6 T 1 T" in part(page, "inputs")
    # Another B has nothing to do with them.
    other = asgi_client.get(f"/compare?a={id}&b={MAIN}&s={state}&of={id}").text
    assert "Unsaved changes" not in text_of(other)
    broken = asgi_client.get(f"/compare?a={id}&b={id}&s=1.AAAA")
    assert "cannot be read" in text_of(broken.text)


def test_revisions_keep_the_figures_of_their_day(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    post_save(asgi_client, id, scenario(name="My pod", economics__wacc=0.05), version="1", revision="1")
    page = asgi_client.get(f"/compare?a={id}@1&b={id}@2").text
    assert "Revision 1, figures as they were saved" in text_of(page)
    assert "Cost of capital 10 % 5 %" in part(page, "inputs")
    assert f"/designs/{id}/explain/cost.tco_breakdown_usd.energy?revision=1" in page


def test_nothing_chosen_or_not_there(asgi_client: AsgiClient) -> None:
    assert "Choose two designs." in asgi_client.get("/compare").text
    assert "Choose what to compare it with." in asgi_client.get(f"/compare?a={MAIN}").text
    answer = asgi_client.get(f"/compare?a={MAIN}&b={'0' * 32}")
    assert answer.status_code == 404
    assert "There is no design" in text_of(answer.text)
    assert "Choose what to compare it with." in answer.text
    odd = encode_state(scenario(parallelism__tp=12))
    assert "tp 12 does not divide" in text_of(asgi_client.get(f"/compare?a={MAIN}&b={MAIN}&s={odd}").text)
