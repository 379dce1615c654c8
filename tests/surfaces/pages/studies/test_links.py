"""From a study to a search, a sweep and a comparison, and from designs to a study."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.saved.support import study

LLAMA, GPT = "llama_3_1_405b_on_2048_dgx_h100", "gpt_3_175b_on_128_dgx_a100"
FOUR, EIGHT = ('{"system": "dgx_h100", "supernodes": 4}', '{"system": "dgx_h100", "supernodes": 8}')


def adopted(client: AsgiClient, to: str) -> tuple[str, dict[str, list[str]]]:
    form = {"s": encode_state(study()), "candidate": EIGHT, "base_candidate": FOUR, "to": to}
    answer = client.post("/studies/adopt", data=form, follow_redirects=False)
    assert answer.status_code == 303, answer.text[:200]
    address = urlsplit(answer.headers["location"])
    return address.path, parse_qs(address.query)


def supernodes(state: str) -> object:
    values = decode_state(state)
    assert values is not None
    return values["pod"]["supernodes"]


@pytest.mark.parametrize(("to", "path"), [("", "/designs/new"), ("search", "/explore/new"), ("sweep", "/sweep/new"), ("other", "/designs/new")])  # fmt: skip
def test_a_candidate_is_opened_searched_around_or_swept(
    reading_client: AsgiClient, to: str, path: str
) -> None:
    found, query = adopted(reading_client, to)
    assert found == path
    assert supernodes(query["s"][0]) == 8


def test_a_sweep_begins_with_the_candidate(reading_client: AsgiClient) -> None:
    found, query = adopted(reading_client, "sweep")
    page = reading_client.get(found, params={"s": query["s"][0]})
    assert page.status_code == 200, page.text[:300]
    assert "SuperNodes, now 8<" in page.text
    assert f'name="s" value="{query["s"][0]}"' in page.text


def test_each_column_of_the_board_has_the_links(reading_client: AsgiClient) -> None:
    page = reading_client.post("/studies/answer", data={"s": encode_state(study())})
    assert page.status_code == 200, page.text[:300]
    columns = page.text.count('name="to" value="search"')
    assert columns > 0
    assert page.text.count('name="to" value="sweep"') == columns
    assert "Sweep this design<" in page.text


def test_a_candidate_is_compared_with_the_base(reading_client: AsgiClient) -> None:
    found, query = adopted(reading_client, "compare")
    assert found == "/compare"
    assert (supernodes(query["t"][0]), supernodes(query["s"][0])) == (4, 8)
    page = reading_client.get("/compare", params={name: values[0] for name, values in query.items()})
    assert page.status_code == 200
    assert "/studies/from?" in page.text


def test_a_comparison_becomes_a_study(reading_client: AsgiClient) -> None:
    page = reading_client.get("/studies/from", params={"a": LLAMA, "b": GPT})
    assert page.status_code == 200, page.text[:300]
    state = page.text.split('name="s" value="')[1].split('"')[0]
    values = decode_state(state)
    assert values is not None
    document = build_document(StudyDocument, values)
    assert [column.name for column in document.chosen] == [
        "Llama 3.1 405B on 2,048 DGX H100", "GPT-3 175B on 128 DGX A100",
    ]  # fmt: skip
    assert document.base == document.chosen[0].name
    assert document.candidates.systems == ("dgx_h100", "dgx_a100_640")
    assert document.workload.training is not None


@pytest.mark.parametrize("params", [{}, {"a": "none_such"}, {"a": "fft_3d_on_512_dgx_a100"}])
def test_what_makes_no_study_is_said(reading_client: AsgiClient, params: dict[str, str]) -> None:
    assert reading_client.get("/studies/from", params=params).status_code == 404
