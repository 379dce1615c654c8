"""The form of an own model: required fields, faults, a known model or a config.json to begin with, and the way back."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

from app.catalog.ready import ready_engine
from app.db.session import write_session
from app.settings import get_settings
from app.surfaces.pages.catalog.own.model import GROUPS, INPUTS, LABELS
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.soak import lasting

pytestmark = pytest.mark.slow

PAGE = "/catalog/own/model"
SMALL = {
    "name": "Small one", "layers": "2", "hidden": "8", "heads": "2", "vocabulary": "10",
    "feed_forward_hidden": "16", "source": "Own model", "value_kind": "assumption", "as_of": "2026-11",
}  # fmt: skip
CONFIG = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256,
    "max_position_embeddings": 131072, "tie_word_embeddings": False, "frobnication_dim": 3,
}  # fmt: skip


@pytest.fixture
def client(asgi_client: AsgiClient) -> Iterator[AsgiClient]:
    """A client whose own models are removed again."""
    before = own_models(asgi_client)
    yield asgi_client
    for key in own_models(asgi_client) - before:
        asgi_client.delete(f"/api/v1/catalog/models/{key}", headers={"if-match": "*"})


def own_models(client: AsgiClient) -> set[str]:
    text = client.get("/catalog/own").text
    return set(re.findall(r'href="/catalog/models/([a-z0-9_]+)"', text))


def sent(client: AsgiClient, **fields: str) -> Any:
    return client.post(PAGE, data={**SMALL, **fields})


def value_of(page: str, name: str) -> str:
    found = re.search(rf'<input id="f-{name}" name="{name}" value="([^"]*)"', page)
    if found:
        return found[1]
    part = page.split(f'name="{name}"')[1].split("</select>", maxsplit=1)[0]
    chosen = re.search(r'value="([^"]*)" selected', part)
    return chosen[1] if chosen else ""


def size_of(page: str, id: str) -> str:
    part = page.split(f'data-size="{id}"')[1].split("</div>", maxsplit=1)[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>|[\u2009\u202f]", " ", part.split("<dd>")[1])).strip()


def test_a_model_by_hand(client: AsgiClient) -> None:
    """2 layers of 4 x 8 x 8 attention and 3 x 8 x 16 MLP, and twice an embedding of 10 x 8: 1,440."""
    counted = client.post(f"{PAGE}/size", data=SMALL)
    assert counted.status_code == 200
    assert size_of(counted.text, "parameters") == size_of(counted.text, "active") == "1,440"
    assert size_of(counted.text, "kv") == "64 B"  # keys and values, 2 layers, 2 heads of 4, 2 bytes
    answer = sent(client)
    assert (answer.status_code, answer.headers["location"]) == (303, "/catalog/models/small_one")
    row = client.get("/api/v1/catalog/models/small_one").json()
    assert row["facts"]["layers"]["source"] == "Own model"
    again = sent(client, name="Small one")  # a free key is made
    assert again.headers["location"] == "/catalog/models/small_one_2"
    change = client.get(f"{PAGE}?key=small_one").text
    assert (value_of(change, "name"), value_of(change, "layers")) == ("Small one", "2")
    answer = sent(client, of_key="small_one", version="1", layers="3")
    assert answer.headers["location"] == "/catalog/models/small_one"
    assert client.get("/api/v1/catalog/models/small_one").json()["facts"]["layers"]["value"] == 3
    assert sent(client, of_key="small_one", version="1", layers="4").status_code == 409


def test_every_fault_at_once_in_the_labels_of_the_form(client: AsgiClient) -> None:
    answer = sent(
        client, name="", layers="", heads="8", kv_heads="3", experts="4", as_of="soon", url="nowhere",
        source="", vocabulary="many", licence="Kept <words>",
    )  # fmt: skip
    assert answer.status_code == 422
    summary = answer.text.split('id="faults"')[1].split("</div>")[0]
    for name in (
        "name",
        "layers",
        "kv_heads",
        "experts_per_token",
        "expert_hidden",
        "as_of",
        "url",
        "source",
        "vocabulary",
    ):
        assert f'href="#f-{name}">{LABELS[name]}<' in summary, name
        assert re.search(rf'name="{name}"[^>]*aria-invalid', answer.text), name
    assert "Query heads 8 is not a multiple of Key and value heads 3" in summary
    assert not re.search(r"\b[a-z]+_[a-z_]+\b", re.sub(r"<[^>]+>", "", summary))
    assert value_of(answer.text, "vocabulary") == "many"
    assert value_of(answer.text, "licence") == "Kept &lt;words&gt;"
    assert "small_one" not in own_models(client)


def test_what_is_missing_is_named_and_never_nan(client: AsgiClient) -> None:
    page = client.post(f"{PAGE}/size", data={"hidden": "8"}).text
    assert "nan" not in page.lower()
    assert "Needs Layers, Query heads, Vocabulary" in size_of(page, "parameters")
    calculated = sent(client, do="calculate", layers="")
    assert calculated.status_code == 200
    assert "Needs Layers" in size_of(calculated.text, "parameters")
    assert "small_one" not in own_models(client)


def test_a_known_model_to_begin_with(client: AsgiClient) -> None:
    page = client.get(f"{PAGE}?begin=llama_3_1_8b").text
    assert (value_of(page, "layers"), value_of(page, "kv_heads")) == ("32", "8")
    assert size_of(page, "parameters").startswith("8,029,")
    assert "(own)" in value_of(page, "name")
    assert "after Llama" in value_of(page, "source")
    fields = {name: value_of(page, name) for name in INPUTS}
    assert client.post(PAGE, data=fields).status_code == 303
    assert client.get(f"{PAGE}?begin=none_such").status_code == 404


def test_the_form_takes_every_model_of_the_catalog(client: AsgiClient) -> None:
    page = client.get(PAGE).text
    keys = re.findall(r'<option value="([a-z0-9_]+)">', page.split('name="begin"')[1].split("</select>")[0])
    assert len(keys) > 50
    for key in random.Random(5).sample(keys, 8):
        shown = client.get(f"{PAGE}?begin={key}").text
        fields = {name: value_of(shown, name).replace("&#39;", "'") for name in INPUTS}
        assert client.post(PAGE, data={**fields, "key": f"own_{key}"[:60]}).status_code == 303, key


@pytest.mark.parametrize("way", ["paste", "file"])
def test_a_configuration_fills_the_form(client: AsgiClient, way: str) -> None:
    text = json.dumps(CONFIG)
    files = {"file": ("config.json", text.encode(), "application/json")} if way == "file" else None
    data = {"do": "read", "name": "Read", "layers": "99", "config": "" if files else text}
    answer = client.post(PAGE, data=data, files=files)
    assert answer.status_code == 200
    assert {name: value_of(answer.text, name) for name in ("name", "layers", "kv_heads", "feed_forward_hidden")} == {
        "name": "Read", "layers": "32", "kv_heads": "8", "feed_forward_hidden": "14336"
    }  # fmt: skip
    assert size_of(answer.text, "parameters").startswith("8,029,")
    found = answer.text.split('class="config-found"')[1].split("model-columns")[0]
    assert all(
        words in found for words in ("num_hidden_layers", "By default", "Not read", "frobnication_dim")
    )


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"a": NaN}', "[" * 100_000, "<script>alert(1)</script>"])
def test_a_configuration_that_cannot_be_read(client: AsgiClient, text: str) -> None:
    answer = client.post(PAGE, data={**SMALL, "do": "read", "config": text})
    assert answer.status_code == 422
    assert value_of(answer.text, "layers") == "2"
    assert "<script>alert" not in answer.text


def test_the_way_back_to_the_design(client: AsgiClient) -> None:
    from app.surfaces.pages.designs import new_design
    from app.surfaces.pages.studio.form import stated_values

    values = {**stated_values(new_design()), "name": "Kept"}
    answer = sent(client, design="new", s=encode_state(values))
    path, _, state = answer.headers["location"].partition("?s=")
    back = decode_state(state)
    assert path == "/designs/new"
    assert back is not None
    assert (back["name"], back["workload"]["model"]) == ("Kept", "small_one")
    shown = client.get(answer.headers["location"])
    assert shown.status_code == 200
    assert "Small one" in shown.text
    for design in ("//evil.example", "https://evil.example", "..", "no_such_design", "new/../../x"):
        found = sent(client, design=design).headers["location"]
        assert found.startswith("/catalog/models/small_one_")
        assert "evil" not in client.get(PAGE, params={"design": design}).text


def test_a_stored_model_that_lacks_a_field_names_it(client: AsgiClient) -> None:
    """Rows of earlier versions were accepted without a feed-forward size."""
    sent(client)
    with write_session(ready_engine(get_settings())) as session:
        part = "SELECT id FROM part WHERE key = 'small_one'"
        gone = session.connection().execute(
            text(f"DELETE FROM fact WHERE field = 'feed_forward_hidden' AND part_id IN ({part})")
        )
        assert gone.rowcount == 1
        session.connection().execute(text("UPDATE workspace SET catalog_changes = catalog_changes + 1"))
    for kind in ("training", "serving"):
        query = {"workload.model": "small_one", "workload.kind": kind}
        answer = client.get("/designs/new", params=query)
        assert answer.status_code == 200, kind
        assert re.search(r"feed.forward hidden is not published", answer.text, re.IGNORECASE)


def test_fields_are_named_once() -> None:
    names = [one.name for group in GROUPS for one in group.inputs]
    assert len(names) == len(set(names)) == len(set(LABELS.values()))


WORDS = (
    "",
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "64",
    "4096",
    "-1",
    "1.5",
    "1e9",
    "1e400",
    "nan",
    "x" * 300,
    "٣",
    "½",
    " 8 ",
    "\x00",
)


def forms(count: int) -> Iterator[dict[str, str]]:
    """Forms with any subset of fields; most values are possible, some are not."""
    dice = random.Random(19)
    for number in range(count):
        form = {**SMALL, "name": f"Model {number}"} if dice.random() < 0.5 else {}
        for name in dice.sample(INPUTS, dice.choice((1, 2, 3, dice.randrange(len(INPUTS) + 1)))):
            if dice.random() < 0.5:
                form.pop(name, None)
            else:
                form[name] = dice.choice(WORDS if dice.random() < 0.3 else WORDS[:9])
        for name in ("attention", "mlp_matrices", "value_kind", "tied_embedding"):
            if dice.random() < 0.1:
                form[name] = dice.choice(["MLA", "gqa", "MHA", "3", "1", "vendor", "nothing"])
        yield form


def post_forms(client: AsgiClient, count: int) -> dict[int, int]:
    seen: dict[int, int] = {}
    for form in forms(count):
        answer = client.post(PAGE, data=form)
        refused = 400 if any("\0" in text for text in form.values()) else 422
        assert answer.status_code in (303, refused), (answer.status_code, form)
        if answer.status_code == 303:
            key = answer.headers["location"].rpartition("/")[2]
            client.delete(f"/api/v1/catalog/models/{key}", headers={"if-match": "*"})
        else:
            assert ('<dl class="kept">' if refused == 400 else 'id="faults"') in answer.text, form
        seen[answer.status_code] = seen.get(answer.status_code, 0) + 1
    return seen


def test_any_subset_of_fields_is_saved_or_refused(client: AsgiClient) -> None:
    seen = post_forms(client, 60)
    assert set(seen) == {303, 400, 422}


@pytest.mark.soak
def test_a_thousand_forms(client: AsgiClient) -> None:
    count = lasting(1_000, short=200)
    assert sum(post_forms(client, count).values()) == count
