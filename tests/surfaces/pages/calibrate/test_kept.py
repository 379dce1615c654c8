"""Kept runs on the calibration page: kept from it, counted again, listed and removed."""

from __future__ import annotations

import re

from tests.asgi import AsgiClient
from tests.surfaces.pages.calibrate.test_pages import PAGE, sent


def kept_ids(page: str) -> list[str]:
    return re.findall(r'name="id" value="(\d+)"', page)


def test_a_kept_run_counts_until_it_is_removed(asgi_client: AsgiClient) -> None:
    page = sent(asgi_client, step_times="15.6", keep="yes")
    assert page.status_code == 200
    assert len(kept_ids(page.text)) == 1
    assert "this one" in page.text
    assert len(kept_ids(sent(asgi_client, step_times="15.6", keep="yes").text)) == 1  # given again, it is one
    with_it = sent(asgi_client, step_times="15.7", use_kept="yes").text
    assert with_it.count("step time 15.6 s</th>") == 2  # as a run that was used and as one that is kept
    assert sent(asgi_client, step_times="15.7").text.count("step time 15.6 s</th>") == 1
    assert sent(asgi_client, use_kept="yes").status_code == 200  # nothing typed: the kept one alone
    other = asgi_client.get("/calibrate/llama_3_1_405b_on_2048_dgx_h100").text
    assert kept_ids(other)
    assert "this one" not in other
    gone = sent(asgi_client, f"{PAGE}/remove", id=kept_ids(page.text)[0])
    assert (gone.status_code, gone.headers["location"]) == (303, f"{PAGE}#kept")
    assert not kept_ids(asgi_client.get(PAGE).text)
    assert sent(asgi_client, f"{PAGE}/remove", id=kept_ids(page.text)[0]).status_code == 303


def test_nothing_typed_is_not_kept(asgi_client: AsgiClient) -> None:
    page = sent(asgi_client, keep="yes", use_kept="yes")
    assert page.status_code == 422
    assert "is empty" in page.text
    refused = sent(asgi_client, step_times="0.0000001", keep="yes")
    assert refused.status_code == 422
    assert not kept_ids(refused.text)


def test_another_site_can_neither_keep_nor_remove(asgi_client: AsgiClient) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded", "origin": "https://elsewhere.example"}
    for path, content in ((PAGE, "step_times=15.6&keep=yes"), (f"{PAGE}/remove", "id=1")):
        assert asgi_client.post(path, content=content, headers=headers).status_code == 403
