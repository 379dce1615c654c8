"""The scaling pages: answers and faults without scripts, saving and comparing, and the way to a scenario and back."""

from __future__ import annotations

import html
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.support import read_example
from tests.surfaces.pages.saved.test_saving import SCRIPT
from tests.surfaces.pages.studio.test_routes import text_of

pytestmark = pytest.mark.slow

EDGE = "design=edge_node"


def link(page: str, pattern: str) -> str:
    """The address of a link, told by what stands around it."""
    found = re.search(pattern, page)
    assert found, text_of(page)[:1000]
    return html.unescape(found[1])


def save(client: AsgiClient, name: str, query: str, **more: str) -> str:
    """The id of a projection that was saved from the form with `query`."""
    told = client.post(
        "/scaling/save", data={"query": query, "new": "yes", "name": name, **more}, headers=SCRIPT
    )
    return str(told.json()["saved"]["id"])


def test_the_best_model_that_a_design_can_train(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/scaling?{EDGE}&deadline_days=90")
    page = text_of(answer.text)
    assert answer.status_code == 200
    assert re.search(
        r"The best model that .+ can train in 90 days: [\d.]+ \w+ parameters on .+ for a loss of", page
    )
    assert "It is compute-optimal by Chinchilla, refit by Epoch AI" in page
    assert re.findall(r'<figure [^>]*id="figure-(\w+)"', answer.text) == [
        "scaling_loss", "scaling_isoflop", "scaling_tokens_per_parameter",
    ]  # fmt: skip
    assert "Elapsed time 90.0 days" in page
    assert "The best model for this compute last column: holds it with 80 % probability" in page.replace(
        "\u202f", " "
    )


def test_the_first_visit_shows_a_worked_case(reading_client: AsgiClient) -> None:
    page = text_of(reading_client.get("/scaling").text)
    assert "The best model that Llama 3.1 405B on 2,048 DGX H100 can train in 90 days:" in page


def test_the_superpod_that_a_model_needs(reading_client: AsgiClient) -> None:
    page = text_of(reading_client.get(f"/scaling?parameters=70B&tokens=15T&{EDGE}&deadline_days=90").text)
    found = re.search(
        r"The SuperPOD that this model needs, to be trained in 90 days: ([\d,]+) SuperNodes(?: \([\d,]+ to [\d,]+\))? like those of .+?, "
        r"([\d,]+) accelerators; the design has 1\.", page
    )  # fmt: skip
    assert found, page[:2000]
    nodes, accelerators = (int(text.replace(",", "")) for text in found.groups())
    assert nodes > 100
    assert accelerators % nodes == 0
    assert "over-trained" in page


def test_beyond_the_fitted_range_it_is_said(reading_client: AsgiClient) -> None:
    far = text_of(reading_client.get("/scaling?flops=1e25").text)
    assert "Beyond what the law was fitted on" in far
    assert "3,330 times the FLOP that the law was fitted up to: an extrapolation." in far
    near = text_of(reading_client.get("/scaling?flops=1e20").text)
    assert "Beyond what the law was fitted on" not in near


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("loss=1.2", "loss", "With any compute the loss stays above 1.8172, the irreducible term; 1.2 cannot be reached. Give a loss above 1.8172."),
        ("tokens=0", "tokens", "0 must be at least 1."),
        ("law=llama_3&loss=2", "loss", "The law says how compute is best spent, not what loss it buys. Choose epoch_refit."),
        ("law=moe_routed&parameters=1e9", "experts", "needs experts. Give experts, or choose another law."),
        ("flops=1e20&experts=8", "experts", "does not take experts."),
        ("deadline_days=90", "deadline_days", "Deadline needs a design to count by."),
        ("flops=1e20&design=unknown_design", "design", "There is no such design."),
        ("flops=1e20&design=edge_node&s=1.junk", "design", "cannot be read."),
        ("deadline_days=90&design=fft_3d_on_512_dgx_a100", "design", "generic"),
        (f"deadline_days=90&design={'0' * 32}", "design", "There is no such design."),
    ],
)  # fmt: skip
def test_what_cannot_be_is_a_form_error_that_keeps_what_was_typed(
    reading_client: AsgiClient, query: str, field: str, words: str
) -> None:
    answer = reading_client.get(f"/scaling?{query}")
    assert answer.status_code == 422
    error = re.search(rf'<p class="field-error" id="{field}-error">([^<]+)</p>', answer.text)
    assert error, text_of(answer.text)[:1500]
    assert words in html.unescape(error[1])
    typed = dict(pair.split("=") for pair in query.split("&"))
    for name, text in typed.items():
        kept = (
            rf'name="{name}"[^>]*value="{text}"'
            if name not in ("law", "design")
            else f'value="{text}" selected'
        )
        assert re.search(kept, answer.text), name
    assert "Your entries are kept." in text_of(answer.text)
    assert "figure-scaling_loss" not in answer.text


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("law=epoch_refit", "Nothing is known of the model. Give one or two of"),
        (
            "parameters=1e9&tokens=1e9&flops=1e20",
            "parameters, tokens, flops are given: two determine the others.",
        ),
    ],
)
def test_too_little_and_too_much_are_told_of_the_form(
    reading_client: AsgiClient, query: str, words: str
) -> None:
    answer = reading_client.get(f"/scaling?{query}")
    assert answer.status_code == 422
    assert words in text_of(answer.text)


def test_a_script_is_answered_well(reading_client: AsgiClient) -> None:
    assert reading_client.get("/scaling?tokens=0&live=1").status_code == 200


def test_every_law_stands_with_its_constants_and_source(reading_client: AsgiClient) -> None:
    page = text_of(reading_client.get("/scaling?flops=1e21").text)
    for words in (
        "alpha 0.3478 0.317 to 0.373 (95", "parameters exponent 0.513 ± 0.02 (standard error)", "arXiv 2404.10102",
        "Fitted on, FLOP 6×10¹⁸ to 3×10²¹", "unverified", "Constants of Chinchilla, approach 3",
    ):  # fmt: skip
        assert words in page.replace("\u202f", " "), words


def test_save_reopen_and_compare(asgi_client: AsgiClient) -> None:
    query = f"law=epoch_refit&deadline_days=90&{EDGE}"
    id = save(asgi_client, "Edge in 90 days", query, tags="plan, edge", note="First")
    record = asgi_client.get(f"/scaling/{id}")
    page = text_of(record.text)
    assert "Edge in 90 days" in page
    assert "Given: deadline 90 days." in page
    again = link(record.text, r'href="(/scaling\?[^"]+)">Open</a>')
    opened = asgi_client.get(again)
    assert "This began as Edge in 90 days , revision 1." in text_of(opened.text)
    assert 'name="deadline_days" type="text" inputmode="text" value="90"' in opened.text
    # goes on as revision 2, with the version that the form was made from
    form = {"query": f"deadline_days=45&{EDGE}&projection={id}", "version": "1", "note": "Half"}
    told = asgi_client.post("/scaling/save", data=form, headers=SCRIPT).json()
    assert told["said"] == "Saved as revision 2"
    late = asgi_client.post("/scaling/save", data=form)
    assert late.status_code == 409
    assert "It was changed meanwhile" in text_of(late.text)
    history = text_of(asgi_client.get(f"/scaling/{id}").text)
    assert "Half Deadline 90 to 45" in history
    assert "Revision 1 of 2" in text_of(asgi_client.get(f"/scaling/{id}?revision=1").text)
    other = save(asgi_client, "By Kaplan", "law=kaplan&flops=1e22")
    compared = text_of(asgi_client.get(f"/scaling/compare?p={id}&p={other}&p={id}@1").text)
    assert "Law Chinchilla, refit by Epoch AI Kaplan Chinchilla, refit by Epoch AI" in compared
    assert "Given deadline 45 days compute 10²² FLOP deadline 90 days" in compared
    asgi_client.post(f"/scaling/{id}/revisions/1/restore", data={"version": "2"})
    assert "Restored from revision 1" in text_of(asgi_client.get(f"/scaling/{id}").text)


def test_the_library_lists_deletes_and_restores_projections(asgi_client: AsgiClient) -> None:
    id = save(asgi_client, "Shelved projection", "flops=1e21", tags="shelf")
    page = text_of(asgi_client.get("/library?q=shelved").text)
    assert "Shelved projection shelf Parameters" in page
    gone = asgi_client.post(f"/saved/projection/{id}/delete", data={"version": "1"}, headers=SCRIPT).json()
    assert gone["said"] == "Shelved projection was deleted"
    assert asgi_client.get(f"/scaling/{id}").status_code == 404
    assert "Shelved projection Projection Chinchilla, refit by Epoch AI" in text_of(
        asgi_client.get("/deleted").text
    )
    asgi_client.post(gone["undo"], data={"version": "2"}, headers=SCRIPT)
    assert asgi_client.get(f"/scaling/{id}").status_code == 200


def test_what_cannot_be_saved_comes_back_with_its_fault(asgi_client: AsgiClient) -> None:
    for query, name, words in (
        ("flops=1e21", "", "name"), ("loss=1", "Low", "irreducible"), ("flops=1e21&design=unknown_design", "Lost", "There is no example"),
    ):  # fmt: skip
        answer = asgi_client.post(
            "/scaling/save", data={"query": query, "new": "yes", "name": name, "note": "Kept"}
        )
        assert answer.status_code == 422
        assert words in text_of(answer.text)
        assert "Kept" in answer.text
    foreign = asgi_client.post("/scaling/save", data={}, headers={"origin": "http://elsewhere.example"})
    assert foreign.status_code == 403


def test_an_unsaved_scenario_is_saved_with_its_projection(asgi_client: AsgiClient) -> None:
    values = {"name": "Two nodes", "workload": {"kind": "training", "model": "llama_3_1_8b", "tokens": 1e11,
              "sequence_length": 8192, "global_batch_sequences": 512}, "supernode": {"system": "dgx_h100"},
              "pod": {"supernodes": 2}}  # fmt: skip
    query = f"{EDGE}&of=edge_node&s={encode_state(values)}&deadline_days=30"
    assert "that Two nodes can train in 30 days" in text_of(asgi_client.get(f"/scaling?{query}").text)
    id = save(asgi_client, "Carried", query)
    record = asgi_client.get(f"/scaling/{id}").text
    again = link(record, r'href="(/scaling\?[^"]+)">Open</a>')
    assert "that Two nodes can train in 30 days" in text_of(asgi_client.get(again).text)


def choices(page: str) -> list[dict[str, Any]]:
    """The scenarios that the choices of a model lead to."""
    links = re.findall(r'href="(/designs/[^"]+)">Open in the studio', page)
    states = [parse_qs(urlsplit(html.unescape(one)).query)["s"][0] for one in links]
    return [values for state in states if (values := decode_state(state)) is not None]


def test_a_projection_feeds_the_workload_of_a_scenario(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/scaling/use?parameters=70B&tokens=2T&{EDGE}&deadline_days=30")
    page = text_of(answer.text)
    assert answer.status_code == 200
    assert "Wanted: 70 billion parameters, 2.00 T tokens." in page.replace("\u00a0", " ")
    nearest, scaled = choices(answer.text)
    assert isinstance(nearest["workload"]["model"], str)
    assert nearest["workload"]["tokens"] == scaled["workload"]["tokens"] == 2e12
    architecture = scaled["workload"]["model"]
    assert architecture["hidden"] == 128 * architecture["heads"] == 9216
    assert "parallelism" not in scaled
    assert scaled["supernode"] == nearest["supernode"] == read_example("edge_node").as_dict()["supernode"]
    assert "Brown et al. 2020, arXiv 2005.14165" in page
    deep = reading_client.get(f"/scaling/use?parameters=70B&tokens=2T&aspect_ratio=64&{EDGE}")
    assert choices(deep.text)[1]["workload"]["model"]["layers"] > architecture["layers"]
    needed = reading_client.get(f"/scaling/use?parameters=70B&tokens=2T&{EDGE}&deadline_days=30&size=needed")
    assert choices(needed.text)[0]["pod"]["supernodes"] > 100


def test_a_ratio_that_is_none_is_refused_and_kept(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/scaling/use?flops=1e22&aspect_ratio=3")
    assert answer.status_code == 422
    assert "3 must be between 8 and 1024." in text_of(answer.text)
    assert 'name="aspect_ratio" value="3"' in answer.text
    assert len(choices(answer.text)) == 1
    assert reading_client.get("/scaling/use?flops=1e22&aspect_ratio=wide").status_code == 422
    refused = reading_client.get("/scaling/use?loss=1")
    assert refused.status_code == 422
    assert "irreducible" in text_of(refused.text)


def test_the_studio_projects_its_model(reading_client: AsgiClient) -> None:
    page = reading_client.get("/designs/edge_node").text
    address = link(page, r'href="(/scaling\?[^"]+)">Project this')
    query = parse_qs(urlsplit(address).query)
    assert query == {"parameters": ["8.029995008e9"], "tokens": ["1e9"], "design": ["edge_node"]}
    assert "8.03 billion parameters on 1.00 G tokens take" in text_of(
        reading_client.get(address).text
    ).replace("\u00a0", " ")


@pytest.mark.parametrize(
    "path", ["/scaling/unknown", f"/scaling/{'0' * 32}", f"/scaling/compare?p={'0' * 32}"]
)
def test_what_is_not_there_is_said(reading_client: AsgiClient, path: str) -> None:
    answer = reading_client.get(path)
    assert answer.status_code == 404
    assert "There is no saved projection" in text_of(answer.text)
