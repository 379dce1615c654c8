"""Pages of fleets: the form, what it refuses by row and field, the answer, cancelling and removing."""

from __future__ import annotations

import html
import time
from urllib.parse import parse_qs, urlsplit

import pytest

from app.surfaces.pages.fleet.result import EXAMPLE
from app.surfaces.pages.studio.state import decode_state
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

SHORT = EXAMPLE.replace("days: 14", "days: 3").replace("replications: 3", "replications: 1")
SMALL = """
name: Small
days: 3
warmup_days: 0.5
replications: 1
classes: [{name: Research, jobs_per_hour: 2, sizes: [1, 2], duration_hours: 2}]
pods: [{supernodes: 4, accelerators: 8}]
policies: [fifo]
"""


def test_the_answer_has_tables_and_charts(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post("/fleet/new", data={"by": "yaml", "yaml": SHORT})
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"]
    for _ in range(1200):
        if "data-unfinished" not in asgi_client.get(f"{address}/progress").text:
            break
        time.sleep(0.05)
    page = html.unescape(asgi_client.get(address).text)
    for words in (
        "Priority with preemption",
        "Idle by fragmentation",
        "Smallest fleet",
        "As <code>economics",
    ):
        assert words in page
    for name in ("fleet_timeline", "fleet_queue", "fleet_waiting", "fleet_placement", "fleet_cost"):
        assert name in page
    assert "A shared pod" in asgi_client.get("/fleet").text
    assert asgi_client.get(address.replace("fleet", "sweeps")).status_code == 404
    assert asgi_client.post(f"{address}/remove", data={"sure": "yes"}).status_code == 303
    assert asgi_client.get(address).status_code == 404


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"yaml": ""}, "The text is empty"),
        ({"yaml": SHORT.replace("supernodes: 24", "supernodes: 1")}, "Training has jobs of 32 accelerators"),
        ({"yaml": SHORT.replace("jobs_per_hour: 6", "jobs_per_hour: -6")}, "classes[0].jobs_per_hour"),
        (
            {
                "yaml": "pods: [{supernodes: 1, accelerators: 4}]",
                "trace": "arrival_s,accelerators,duration_s\n0,9,1",
            },
            "Row 2",
        ),
    ],
)
def test_what_is_refused_stays_in_the_form(asgi_client: AsgiClient, form: dict[str, str], words: str) -> None:
    answer = asgi_client.post("/fleet/new", data={"by": "yaml", **form})
    page = html.unescape(answer.text)
    assert answer.status_code == 422
    assert words in page
    assert form["yaml"].strip() in page


def run_of(client: AsgiClient, text: str) -> str:
    """The address of a run that has ended."""
    answer = client.post("/fleet/new", data={"by": "yaml", "yaml": text})
    assert answer.status_code == 303, answer.text[:300]
    address = str(answer.headers["location"])
    for _ in range(1200):
        if "data-unfinished" not in client.get(f"{address}/progress").text:
            return address
        time.sleep(0.05)
    raise AssertionError(f"{address} did not end")


def kept_id(location: str) -> str:
    return urlsplit(location).path.rsplit("/", 1)[1]


def test_a_run_is_kept_compared_and_used_in_a_design(asgi_client: AsgiClient) -> None:
    first = run_of(asgi_client, SMALL)
    second = run_of(asgi_client, SMALL.replace("supernodes: 4", "supernodes: 8"))
    kept = asgi_client.post(f"{first}/keep", data={"name": "Four SuperNodes"}, follow_redirects=False)
    assert kept.status_code == 303, kept.text[:300]
    saved = kept_id(kept.headers["location"])
    page = html.unescape(asgi_client.get(f"/fleet/saved/{saved}").text)
    assert "Four SuperNodes" in page
    assert "First in, first out" in page
    exported = asgi_client.get(f"/fleet/saved/{saved}/export")
    assert exported.headers["content-type"].startswith("application/yaml")
    assert "Four SuperNodes" in exported.text

    run = second.rsplit("/", 1)[1]
    compared = html.unescape(asgi_client.get(f"/fleet/compare?fleet={saved}&fleet={run}").text)
    assert "pods[0].supernodes" in compared
    assert all(f">{count}<" in compared for count in (4, 8))
    assert asgi_client.get(f"/fleet/compare?fleet={saved}&fleet=no_such").status_code in (404, 422)

    again = asgi_client.post(f"{second}/keep", data={"into": saved}, follow_redirects=False)
    assert kept_id(again.headers["location"]) == saved
    assert "supernodes: 8" in asgi_client.get(f"/fleet/saved/{saved}/export").text

    used = asgi_client.post(f"{second}/use", data={"design": "edge_node"}, follow_redirects=False)
    assert used.status_code == 303, used.text[:300]
    values = decode_state(parse_qs(urlsplit(used.headers["location"]).query)["s"][0])
    assert values is not None
    answer = asgi_client.get(f"/api/v1/fleets/{run}").json()
    productive = {one["name"]: one["mean"] for one in answer["policies"][-1]["figures"]}["productive"]
    assert values["economics"]["utilisation"] == pytest.approx(productive, abs=1e-4)
    over_rest = asgi_client.post(f"/api/v1/fleets/{run}/use", json={"design": "edge_node"})
    assert over_rest.json()["economics"]["utilisation"] == values["economics"]["utilisation"]
    assert asgi_client.post(f"{second}/use", data={"design": "no_such"}).status_code == 404
