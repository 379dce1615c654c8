"""The page of a question: inputs in its address, the answer with the way into the studio, faults beside inputs."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from app.surfaces.pages.designs import begun
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state, with_value
from app.surfaces.pages.workspace import sections
from app.views.questions.declared import QUESTIONS
from app.views.questions.question import Question
from tests.asgi import AsgiClient
from tests.support import read_example

pytestmark = pytest.mark.slow
OF_EACH = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)


def words(page: str) -> str:
    bare = re.sub(r"<script.*?</script>|<svg.*?</svg>|<select.*?</select>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def studio_of(page: str) -> str:
    found = re.search(r'href="(/designs/new-[^"]+)">Open in full', page)
    assert found
    return html.unescape(found[1])


@OF_EACH
def test_a_question_is_answered_without_scripts(reading_client: AsgiClient, question: Question[Any]) -> None:
    answer = reading_client.get(f"/start/{question.key}?now=1")
    assert answer.status_code == 200
    assert not re.search(r"\b(nan|None|inf)\b", words(answer.text).replace("None None", ""))
    address = studio_of(answer.text)
    values = decode_state(address.partition("/new-")[2])
    assert values is not None
    studio = reading_client.get(address)
    assert studio.status_code == 200
    assert html.escape(values["name"], quote=False) in studio.text
    assert "unsaved change" not in studio.text  # changes count from what was answered
    changed = with_value(values, "economics.life_years", 7)
    once = reading_client.get(f"{address}?s={encode_state(changed)}").text
    assert "1 unsaved change," in once
    assert '<span class="chip accent">1 changed</span>' in once
    for link in set(re.findall(r'href="(/designs/new-[^"/]+/explain/[^"]+)"', answer.text)):
        assert reading_client.get(html.unescape(link)).status_code == 200


@OF_EACH
def test_the_first_visit_waits_for_nothing(reading_client: AsgiClient, question: Question[Any], monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr("app.views.questions.question.QuestionAnswers.at_hand", lambda *_: None)
    page = reading_client.get(f"/start/{question.key}").text
    assert "Calculating…" in page
    assert "data-pending" in page
    for name, field in question.options.model_fields.items():
        assert f'name="{name}"' in page
        assert html.escape(field.title or "") in page


def test_what_is_typed_is_in_the_unit_of_its_box(reading_client: AsgiClient) -> None:
    page = reading_client.get(
        "/start/train?model=llama_3_1_8b&tokens=1&system=dgx_h100&deadline_days=30&now=1"
    ).text
    assert "6 × DGX H100 train Llama 3.1 8B" in words(page)
    assert 'name="tokens" type="text" inputmode="decimal" maxlength="80" value="1"' in page
    assert '<option value="llama_3_1_8b" selected>' in page


@pytest.mark.parametrize(
    ("query", "name", "says"),
    [
        ("train?deadline_days=soon", "deadline_days", "Enter a number, 0.1 to 3,650 days; 'soon' is not one."),
        ("train?tokens=0", "tokens", "0.000001 to 1,000,000 T"),
        ("train?model=llama_9", "model", "is not in the catalog of models"),
        ("serve?tpot_s=0", "tpot_s", "0.1 to 10,000 ms"),
        ("compare?systems=dgx_h100&systems=dgx_h100&systems=", "systems", "twice"),
        ("compare?systems=&systems=&systems=", "systems", "1 or more"),
        ("size?sizes=8,x", "sizes", "'x' is not a whole number"),
        ("size?sizes=16,8", "sizes", "smallest first"),
        ("site?power_w=-3", "power_w", "0.01 to 5,000 MW"),
        ("extend?added=1.5", "added", "Enter a whole number"),
    ],
)  # fmt: skip
def test_a_fault_stands_beside_its_input_and_keeps_what_was_typed(
    reading_client: AsgiClient, query: str, name: str, says: str
) -> None:
    for form in ("now", "live"):
        page = reading_client.get(f"/start/{query}&{form}=1").text
        fault = re.search(rf'<p[^>]*data-error="{name}"([^>]*)>([^<]*)</p>', page)
        assert fault
        assert "hidden" not in fault[1]
        assert says in html.unescape(fault[2])
        assert "Open in full" not in page
    page = reading_client.get(f"/start/{query}&now=1").text
    assert 'aria-invalid="true"' in page
    typed = query.partition("=")[2].partition("&")[0]
    assert f'value="{typed}"' in page


def test_an_open_page_is_given_the_answer_alone(reading_client: AsgiClient) -> None:
    page = reading_client.get("/start/extend?live=1").text
    assert 'id="answer"' in page
    assert "<form" not in page
    assert "Open in full" in page


def test_an_unknown_question_names_those_there_are(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/start/everything", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert "train, serve, compare" in words(answer.text)
    assert reading_client.get("/start", follow_redirects=False).headers["location"] == "/"


def test_home_begins_with_the_questions(reading_client: AsgiClient) -> None:
    page = reading_client.get("/").text
    places = [page.index(f'href="/start/{question.key}"') for question in QUESTIONS]
    assert places == sorted(places)
    assert places[-1] < page.index('id="examples"')


def test_home_waits_for_no_example(reading_client: AsgiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.surfaces.pages.designs.Designs.at_hand", lambda *_: None)
    page = reading_client.get("/").text
    assert page.count("data-pending") >= 13
    assert "Llama 3.1 405B on 2,048 DGX H100" in page
    card = reading_client.get("/examples/llama_3_1_405b_on_2048_dgx_h100/card").text
    assert 'class="pod-glyph"' in card
    assert "2,048 SuperNodes of 8, 3 tiers of switches" in card
    assert "M USD" in words(card)
    assert reading_client.get("/examples/nothing/card").status_code == 404


def test_a_design_that_began_with_an_answer_has_every_page(asgi_client: AsgiClient) -> None:
    values = stated_values(read_example("edge_node"))
    key = begun(values)
    pages = ["/explore/{}", "/sweep/{}", "/calibrate/{}", "/compare?a={}", "/designs/{}/explain/cost.tco_usd"]
    pages += [section.address("{}") for section in sections()]
    for page in pages:
        assert asgi_client.get(page.format(key)).status_code == 200, page
    sent = {"scenario": json.dumps(values), "name": "From an answer"}
    saved = asgi_client.post(f"/designs/{key}/save", data=sent)
    assert saved.status_code == 303
    assert "From an answer" in asgi_client.get(saved.headers["location"]).text


@pytest.mark.parametrize("key", ["new-", "new-1.abc", "new-2.abc", begun({"workload": 3}), "newer"])
def test_what_is_no_scenario_is_no_design(reading_client: AsgiClient, key: str) -> None:
    assert reading_client.get(f"/designs/{key}").status_code == 404
