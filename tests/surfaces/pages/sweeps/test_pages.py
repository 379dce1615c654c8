"""Pages of sweeps: the form, what it refuses in words, progress, results and the way into the studio."""

from __future__ import annotations

import html
import re
import time

import pytest

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

FIELDS = {
    "name": "Money",
    "field1": "economics.wacc", "from1": "5", "to1": "20", "steps1": "4",
    "field2": "pod.supernodes", "from2": "1", "to2": "2", "steps2": "2",
}  # fmt: skip


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def start(client: AsgiClient, key: str = "edge_node", **changes: str):
    return client.post(f"/sweep/{key}", data=FIELDS | changes)


def over(client: AsgiClient, address: str) -> str:
    for _ in range(600):
        if "data-unfinished" not in client.get(f"{address}/progress").text:
            return text(client, address)
        time.sleep(0.05)
    raise AssertionError("it is not over")


@pytest.fixture(scope="module")
def swept(asgi_client: AsgiClient) -> str:
    """The address of a sweep that is over."""
    answer = start(asgi_client)
    assert answer.status_code == 303
    over(asgi_client, answer.headers["location"])
    return answer.headers["location"]


def test_the_form_offers_numbers_in_their_units(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, "/sweep/edge_node")
    assert re.search(r'<option value="economics.wacc">Cost of capital \(%\), now [\d.]+</option>', page)
    assert 'value="workload.tokens"' in page
    assert 'value="facility.redundancy"' not in page  # a word
    assert 'value="workload.flop_per_step"' not in page
    generic = text(asgi_client, "/sweep/fft_3d_on_512_dgx_a100")
    assert 'value="workload.flop_per_step"' in generic
    assert 'value="parallelism.tp"' not in generic


def test_results_are_drawn_ranked_and_counted(asgi_client: AsgiClient, swept: str) -> None:
    page = text(asgi_client, swept)
    assert "8 of 8 designs, 4 feasible" in page
    assert "Cost of capital: 5" in page
    assert 'id="figure-sweep"' in page
    assert "Why the others are excluded" in page
    assert f'href="{swept}/designs/0"' in page
    assert "economics.wacc" in page  # the document
    chosen = text(asgi_client, f"{swept}?output=cost.capex_usd&field=pod.supernodes&goal=highest")
    assert re.search(r'value="cost.capex_usd" selected', chosen)
    assert "the highest first" in chosen
    assert text(asgi_client, f"{swept}?output=nonsense&field=nonsense&goal=nonsense")


def test_a_design_opens_in_the_studio_as_it_is(asgi_client: AsgiClient, swept: str) -> None:
    answer = asgi_client.get(f"{swept}/designs/2")
    assert answer.status_code == 303
    values = decode_state(answer.headers["location"].partition("/new-")[2])
    assert values is not None
    assert values["economics"]["wacc"] == pytest.approx(0.15)
    assert values["pod"]["supernodes"] == 1
    assert asgi_client.get(answer.headers["location"]).status_code == 200
    assert asgi_client.get(f"{swept}/designs/8").status_code == 404


def test_the_list_and_the_file(asgi_client: AsgiClient, swept: str) -> None:
    page = text(asgi_client, "/sweeps")
    assert re.search(r'href="/sweeps"[^>]* aria-current="page"', page)
    assert f'href="{swept}"' in page
    assert "<html" not in text(asgi_client, "/sweeps/progress")
    file = asgi_client.get(f"{swept}/results.csv")
    assert file.headers["content-disposition"].startswith("attachment")
    assert len(file.text.splitlines()) == 9


@pytest.mark.parametrize(
    ("changes", "box", "words"),
    [
        ({"to1": "150"}, "to1", "150 % is beyond the most that Cost of capital takes, 100 %."),
        ({"from1": "x"}, "from1", "must be a number"),
        ({"to1": "2"}, "to1", "must be above from"),
        ({"to1": ""}, "field1", "needs values, or a range with from and to"),
        ({"steps1": "1"}, "steps1", "must be at least 2"),
        ({"steps1": "many"}, "steps1", "must be a whole number"),
        ({"field2": "economics.wac"}, "field2", "Nearest: economics.wacc"),
    ],
)
def test_what_is_refused_stands_beside_its_box_and_nothing_typed_is_lost(
    asgi_client: AsgiClient, changes: dict[str, str], box: str, words: str
) -> None:
    answer = start(asgi_client, **changes)
    page = html.unescape(answer.text)
    assert answer.status_code == 422
    beside = re.search(rf'id="{box}-error">([^<]*)<', page)
    assert beside
    assert words in beside[1]
    for name, typed in (FIELDS | changes).items():
        assert typed in page, name


def test_counts_double_where_the_form_leaves_their_number_open(asgi_client: AsgiClient) -> None:
    meta = "llama_3_1_405b_on_2048_dgx_h100"
    asked = {"field1": "pod.supernodes", "from1": "256", "to1": "4096", "steps1": "", "field2": ""}
    page = over(asgi_client, start(asgi_client, meta, **asked).headers["location"])
    assert "5 of 5 designs, 5 feasible" in page
    assert "SuperNodes: 256 to 4,096, 5 values" in page
    refused = over(
        asgi_client, start(asgi_client, meta, **{**asked, "steps1": "3", "to1": "660"}).headers["location"]
    )
    assert "3 of 3 designs, 1 feasible" in refused
    assert "does not divide the" in refused
    assert re.search(r"Nearest that fits: SuperNodes \d+ in place of \d+\.", refused)
    evenly = start(asgi_client, field1="economics.wacc", steps1="", field2="").headers["location"]
    assert "20 of 20 designs" in over(asgi_client, evenly)


def test_without_a_field_the_form_says_what_to_do(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post("/sweep/edge_node", data={"name": "x"})
    assert answer.status_code == 422
    assert "Choose a field, and say from where to where it goes." in answer.text


def test_the_scenario_of_the_address_is_swept(asgi_client: AsgiClient) -> None:
    own = {
        "name": "My own",
        "workload": {"kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192,
                     "global_batch_sequences": 512},
        "supernode": {"system": "dgx_h100"},
    }  # fmt: skip
    state = encode_state(own)
    assert "Sweep My own" in text(asgi_client, f"/sweep/edge_node?s={state}")
    answer = start(asgi_client, s=state, name="", field2="", from2="", to2="")
    assert "<h1>My own</h1>" in over(asgi_client, answer.headers["location"])
    refused = encode_state(own | {"supernode": {"system": "nothing"}})
    assert "Not swept" in text(asgi_client, f"/sweep/edge_node?s={refused}", 422)


def test_a_sweep_is_cancelled_and_removed(asgi_client: AsgiClient) -> None:
    answer = start(
        asgi_client, field1="facility.coolant_supply_c", from1="15", to1="45", steps1="3000", field2=""
    )
    address = answer.headers["location"]
    assert asgi_client.post(f"{address}/cancel", data={"csrf": ""}).headers["location"] == address
    assert "Cancelled" in over(asgi_client, address)
    assert asgi_client.post(f"{address}/remove", data={"csrf": ""}).headers["location"] == "/sweeps"
    assert asgi_client.get(address).status_code == 404


@pytest.mark.parametrize("path", ["/sweeps/nothing", "/sweeps/nothing/results.csv", "/sweep/nothing"])
def test_what_is_not_there_is_404(asgi_client: AsgiClient, path: str) -> None:
    assert asgi_client.get(path).status_code == 404


def test_pages_of_other_sites_change_nothing(asgi_client: AsgiClient, swept: str) -> None:
    headers = {"origin": "https://elsewhere.example"}
    for path in ("/sweep/edge_node", f"{swept}/cancel", f"{swept}/remove"):
        assert asgi_client.post(path, data=FIELDS, headers=headers).status_code == 403


def test_names_with_marks_are_only_text(asgi_client: AsgiClient) -> None:
    answer = start(asgi_client, name="<script>alert(1)</script>", field2="")
    page = asgi_client.get(answer.headers["location"]).text
    assert "<script>alert(1)" not in page
    over(asgi_client, answer.headers["location"])
