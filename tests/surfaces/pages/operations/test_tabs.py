"""The pages of operations: every tab, what may be asked, files, and what cannot be shown."""

from __future__ import annotations

import html
import re

import pytest

from app.surfaces.pages.operations.tabs import TABS
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.pages.part import section_text

KEY = "llama_3_1_405b_on_2048_dgx_h100"
FIGURES = {
    "goodput": ("goodput_waterfall",),
    "size": ("mtbf_by_size", "ettr_by_size"),
    "checkpoints": ("checkpoint_intervals",),
    "run": ("finish", "run_timeline"),
    "spares": ("spare_units",),
    "shared_parts": (),
    "storage": ("storage_needs",),
    "calibrate": (),
}


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_the_room_opens_at_its_first_tab(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"/operations/{KEY}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/operations/{KEY}/goodput"


@pytest.mark.parametrize("tab", [one.key for one in TABS])
def test_every_tab_has_its_figures(asgi_client: AsgiClient, tab: str) -> None:
    address = f"/operations/{KEY}/{tab}{'?runs=50' if tab == 'run' else ''}"
    assert 'aria-current="page"' in text(asgi_client, address)
    page = section_text(asgi_client, address)
    assert all(f'id="figure-{name}"' in page for name in FIGURES[tab])
    assert "nan" not in page.replace("finance", "").replace("maintenance", "").replace("Nanosec", "")


def test_what_is_unknown_says_so(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/operations/{KEY}/goodput")
    assert "not in the evaluation: counted as 0" in page
    assert "Queue before the job starts" in page
    assert 'data-explain="reliability.goodput_breakdown.restart"' in page


def test_a_run_wanted_by_a_day(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"/operations/{KEY}/run?runs=60&deadline_days=70&fleets=false")
    assert "60 runs of" in page
    assert "by day 70.0 it is" in page
    assert "all at the rate of the evaluation" in page


@pytest.mark.parametrize(
    ("query", "field"), [("runs=many", "runs"), ("deadline_days=-1", "deadline_days"), ("runs=0", "runs")]
)
def test_what_cannot_be_simulated_keeps_what_was_typed(
    asgi_client: AsgiClient, query: str, field: str
) -> None:
    page = text(asgi_client, f"/operations/{KEY}/run?{query}", 422)
    assert f'value="{query.partition("=")[2]}"' in page
    assert f'id="{field}-error">' in page
    assert "Your entries are kept" in page


def test_own_interruptions_narrow_the_rate_and_go_into_the_design(asgi_client: AsgiClient) -> None:
    empty = text(asgi_client, f"/operations/{KEY}/calibrate")
    assert "Count the interruptions" in empty
    page = text(asgi_client, f"/operations/{KEY}/calibrate?count=419&node_days=110,592")
    assert "as wide as that of published fleets" in page
    assert f"/designs/{KEY}?s=" in page


@pytest.mark.parametrize(
    "query", ["count=3&node_days=0", "count=3&node_days=-5", "count=-1&node_days=5", "count=3"]
)
def test_interruptions_that_cannot_be_are_refused(asgi_client: AsgiClient, query: str) -> None:
    assert '-error">' in text(asgi_client, f"/operations/{KEY}/calibrate?{query}", 422)


@pytest.mark.parametrize(
    ("tab", "format"), [("goodput", "csv"), ("size", "xlsx"), ("run", "csv"), ("spares", "xlsx")]
)
def test_files(asgi_client: AsgiClient, tab: str, format: str) -> None:
    answer = asgi_client.get(f"/operations/{KEY}/{tab}/file?format={format}&runs=20")
    assert answer.status_code == 200
    assert f"{tab}.{format}" in answer.headers["content-disposition"]
    assert answer.content[:2] == b"PK" if format == "xlsx" else b"," in answer.content
    assert asgi_client.get(f"/operations/{KEY}/{tab}/file?format=doc").status_code == 404


def test_a_pod_that_serves_has_no_run(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, "/operations/deepseek_r1_on_8_h200/goodput")
    assert "a pod that serves has no run" in page
    assert "/goodput" not in text(asgi_client, "/designs/deepseek_r1_on_8_h200/reliability")


def test_unknown_inputs_are_named(asgi_client: AsgiClient) -> None:
    """Helios has no published power, and its run is known; without an accelerator's speed nothing is."""
    state = encode_state(scenario(assumptions={"operations.elastic_operation": 0}, pod__supernodes=12_800))
    page = text(asgi_client, f"/operations/edge_node/size?s={state}")
    assert "unknown" in page


def test_the_studio_links_to_it(asgi_client: AsgiClient) -> None:
    assert f'href="/operations/{KEY}/goodput"' in text(asgi_client, f"/designs/{KEY}/reliability")


def test_no_such_design(asgi_client: AsgiClient) -> None:
    assert asgi_client.get("/operations/none/goodput").status_code == 404


@pytest.mark.parametrize("page", ["operations/{}/storage", "economics/{}/runs"])
@pytest.mark.parametrize("key", ["dense_128b_on_tpu_v5p", "edge_node"])
def test_what_is_unknown_is_said_in_words(asgi_client: AsgiClient, page: str, key: str) -> None:
    shown = text(asgi_client, f"/{page.format(key)}")
    assert re.search(r"\bnan\b", shown) is None
    assert re.search(r"\b1 racks", shown) is None
