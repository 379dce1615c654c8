"""Import: whatever is pasted either opens in the studio or says where it is wrong."""

from __future__ import annotations

import json
import random

import pytest

from app.scenarios.examples import list_examples
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state
from tests.asgi import AsgiClient
from tests.surfaces.pages.saved.test_saving import SCRIPT, scenario
from tests.surfaces.pages.studio.test_routes import text_of


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_every_example_comes_back(reading_client: AsgiClient, form: str) -> None:
    for item in list_examples():
        document = item.read()
        text = document.as_yaml() if form == "yaml" else document.as_json()
        answer = reading_client.post("/import", data={"text": text})
        assert answer.status_code == 303, item.key
        address, _, state = answer.headers["location"].partition("?s=")
        assert address == "/designs/new"
        assert decode_state(state) == stated_values(document.__class__.model_validate(document.as_dict()))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The text is empty."),
        ("name: [unclosed\nworkload: 3\n", "line 2"),
        ('{"name": "x",\n "workload": }', "line 2, column 14"),
        ("{name: Flow, workload: 3}", "workload"),
        ("name: x\nworkload:\n  kind: training\n  tokens: lots\n", "line 4"),
        ("\x02\x01", "unacceptable character"),
        ("a" * 1_000_001, "larger than 1,000,000 bytes"),
    ],
)
def test_what_is_wrong_is_named_and_the_text_stays(reading_client: AsgiClient, text: str, words: str) -> None:
    answer = reading_client.post("/import", data={"text": text})
    assert answer.status_code == 422
    assert words in text_of(answer.text)
    if 0 < len(text) < 1000 and text.isprintable():
        assert text in answer.text
    assert "form" in reading_client.post("/import", data={"text": text}, headers=SCRIPT).json()


def test_large_scenario_opens_without_an_address(reading_client: AsgiClient) -> None:
    """A thousand assumptions that nothing packs: too long for an address, so the studio is the answer."""
    chance = random.Random(1)
    made_up = {f"performance.{chance.randbytes(12).hex()}": chance.random() for _ in range(1000)}
    text = json.dumps(scenario() | {"name": "Huge pod", "assumptions": made_up})
    answer = reading_client.post("/import", data={"text": text})
    assert answer.status_code == 200
    assert "Huge pod" in answer.text
    told = reading_client.post("/import", data={"text": text}, headers=SCRIPT).json()
    assert told["scenario"]["assumptions"] == made_up
    assert told["size"] > 30_000
