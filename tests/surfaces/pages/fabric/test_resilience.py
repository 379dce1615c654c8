"""The tabs of faults and sharing: what is shown, what is refused, and what was typed."""

from __future__ import annotations

import html
from urllib.parse import urlencode

import pytest

from app.charts.format import THIN_SPACE
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

STATE = encode_state(scenario(pod__supernodes=64, parallelism={"tp": 1}))


def page(client: AsgiClient, tab: str, status: int = 200, **typed: str) -> str:
    answer = client.get(f"/fabric/edge_node/{tab}?{urlencode({'s': STATE, **typed})}")
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_a_lost_leaf_is_drawn_and_told(asgi_client: AsgiClient) -> None:
    text = page(asgi_client, "faults", switches="leaf-3", one="node-0001", other="unit-2")
    assert "All 64 hosts still reach each other." in text
    assert "leaf-01-3 failed" in text
    assert "node-0001 and unit-2" in text
    assert 'value="leaf-3"' in text
    assert "Spine switch" in text


def test_what_there_is_not_stands_beside_its_box_and_is_kept(asgi_client: AsgiClient) -> None:
    text = page(asgi_client, "faults", 422, switches="laef-3", rails="99", seed="<b>")
    assert 'value="laef-3"' in text
    assert "seed-error" in text
    assert "Nothing has failed" in text
    text = page(asgi_client, "faults", 422, switches="laef-3")
    assert "There is no device 'laef-3' in this fabric. Nearest:" in text


@pytest.mark.parametrize("tab", ["faults", "sharing"])
def test_a_pod_without_a_fabric_says_so(asgi_client: AsgiClient, tab: str) -> None:
    text = asgi_client.get(f"/fabric/edge_node/{tab}").text
    assert "This design has no scale-out fabric whose links are known." in text


def test_jobs_share_the_fabric_from_the_start(asgi_client: AsgiClient) -> None:
    text = page(asgi_client, "sharing")
    assert "64 of 64 hosts have a job" in text
    assert "Under the workload of this design" in text
    assert "Data parallelism" in text


def test_jobs_as_they_were_typed(asgi_client: AsgiClient) -> None:
    typed = {"name1": "Big", "hosts1": "48", "placement1": "spread", "on2": "unit-1", "routing": "ecmp"}
    text = page(asgi_client, "sharing", 422, **typed)
    assert "unit-1 has a job already." in text
    assert 'value="Big"' in text
    text = page(asgi_client, "sharing", **(typed | {"on2": "", "hosts2": "16", "exposed_share2": "20"}))
    assert f"20{THIN_SPACE}%" in text
    assert "Limited by" in text
    assert "Job 3" in text


def test_a_share_that_is_none_is_refused_by_name(asgi_client: AsgiClient) -> None:
    text = page(asgi_client, "sharing", 422, hosts1="4", exposed_share1="lots", seed="-1")
    assert 'id="exposed_share1-error">' in text
    assert 'value="lots"' in text
    assert 'id="seed-error">' in text


def test_a_job_that_is_wrong_is_told_once_beside_its_box(asgi_client: AsgiClient) -> None:
    text = page(asgi_client, "sharing", 422, hosts1="0")
    assert "0 must be at least 1." in text
    assert "Errors are shown next to the fields" in text
    assert "or more entries" not in text


def test_jobs_of_an_unknown_step_time_ask_for_what_is_missing(asgi_client: AsgiClient) -> None:
    # 97 is a prime above every degree, so there are at least 97 replicas for 64 sequences
    state = encode_state(scenario(pod__supernodes=97, workload__global_batch_sequences=64))
    answer = asgi_client.get(f"/fabric/edge_node/sharing?s={state}")
    text = html.unescape(answer.text)
    assert answer.status_code == 200
    assert "Missing values are marked next to the fields." in text
    assert "State what share of its step waits, such as 20 %." in text
    asked = asgi_client.get(f"/fabric/edge_node/sharing?s={state}&hosts1=2")
    assert asked.status_code == 422
