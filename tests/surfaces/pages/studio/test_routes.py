"""What the studio answers: pages for everybody, fragments for its own script."""

from __future__ import annotations

import gzip
import html
import re
from typing import Any

import pytest

from app.catalog.validated import validated_runs
from app.scenarios.examples import list_examples
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state, with_value
from tests.asgi import AsgiClient
from tests.support import read_example

pytestmark = pytest.mark.slow

MAIN = "llama_3_1_405b_on_2048_dgx_h100"
JSON = {"content-type": "application/json"}


def base() -> dict[str, Any]:
    return stated_values(read_example(MAIN))


def text_of(page: str) -> str:
    bare = re.sub(r"<script.*?</script>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def evaluate(client: AsgiClient, values: Any, **more: Any) -> dict[str, Any]:
    answer = client.post("/studio/evaluate", json={"key": MAIN, "scenario": values, **more})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_change_is_said_with_its_effect(asgi_client: AsgiClient) -> None:
    changed = with_value(base(), "pod.supernodes", 1920)
    changed = with_value(changed, "workload.global_batch_sequences", 1920)
    answer = evaluate(asgi_client, changed, before=base())
    text = text_of(answer["results"])
    assert "Last change: Global batch size 2,048 seqs to 1,920 seqs, SuperNodes 2,048 to 1,920." in text
    assert "days later" in text
    assert "2 unsaved changes, reset to the example" in text
    panel = text_of(answer["panel"])
    assert "2 changed" in panel
    assert "was 2,048" in panel


def test_what_auto_chose_is_told_with_its_undoing(asgi_client: AsgiClient) -> None:
    page = text_of(asgi_client.get(f"/designs/{MAIN}").text)
    assert "23 spare SuperNodes bought: +1.1 % of the SuperNodes, 5.53 M USD" in page
    assert "Set Spare units to 0" in page


def test_unchanged_scenario_has_no_changes(asgi_client: AsgiClient) -> None:
    for item in list_examples():
        answer = asgi_client.post(
            "/studio/evaluate", json={"key": item.key, "scenario": stated_values(item.read())}
        )
        assert "changed" not in text_of(answer.json()["panel"]), item.key


def test_faults_come_by_field(asgi_client: AsgiClient) -> None:
    answer = evaluate(asgi_client, with_value(base(), "parallelism.tp", 12))
    assert answer["errors"][0]["path"] == "parallelism.tp"
    assert [offer["value"] for offer in answer["errors"][0]["offers"]] == [8, 16]
    assert evaluate(asgi_client, {"nonsense": 1})["errors"]
    assert evaluate(asgi_client, None)["errors"]
    assert evaluate(asgi_client, [1, 2])["errors"]


def test_answer_is_small(asgi_client: AsgiClient) -> None:
    """At most 64 KB compressed, for the largest example too."""
    for item in list_examples():
        body = {"key": item.key, "scenario": stated_values(item.read())}
        answer = asgi_client.post("/studio/evaluate", json=body, headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.num_bytes_downloaded <= 64 * 1024, item.key


@pytest.mark.parametrize("path", ["/studio/evaluate", "/studio/explain", "/studio/yaml"])
@pytest.mark.parametrize(
    ("headers", "content", "status"),
    [
        ({**JSON, "sec-fetch-site": "cross-site"}, "{}", 403),
        ({**JSON, "origin": "https://example.org"}, "{}", 403),
        ({"content-type": "text/plain"}, "{}", 415),
        ({"content-type": "application/x-www-form-urlencoded"}, "a=1", 415),
        (JSON, "[]", 400),
        (JSON, "{", 400),
        (JSON, "[" * 100_000, 400),
        (JSON, b"\xff\xfe", 400),
        (JSON, '{"name": "' + "a" * 1_100_000 + '"}', 413),
    ],
)
def test_what_is_not_the_page_itself_is_refused(
    asgi_client: AsgiClient, path: str, headers: dict[str, str], content: str | bytes, status: int
) -> None:
    answer = asgi_client.post(path, content=content, headers={**headers, "accept": "application/json"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_explanation_is_of_the_changed_scenario(asgi_client: AsgiClient) -> None:
    body = {
        "key": MAIN,
        "path": "performance.steps",
        "scenario": with_value(base(), "workload.tokens", 16.777216e12),
    }
    answer = asgi_client.post("/studio/explain", json=body)
    text = text_of(answer.text)
    assert "1,000,000" in text
    assert 'data-text="1,000,000 = 16.8 T tokens / 16.8 M tokens"' in re.sub(r"\s", " ", answer.text)
    assert "<mfrac>" in answer.text
    assert "Set in the scenario" in text
    nowhere = asgi_client.post("/studio/explain", json={**body, "path": "performance.nothing"})
    assert nowhere.status_code == 404


def test_yaml_there_and_back(asgi_client: AsgiClient) -> None:
    written = asgi_client.post("/studio/yaml", json={"scenario": base()}).json()
    read = asgi_client.post("/studio/yaml", json={"text": written["text"]}).json()
    assert read["text"] == written["text"]
    assert asgi_client.post("/studio/yaml", json={"text": "workload: 1"}).json()["errors"]


def test_address_opens_the_changed_scenario_without_scripts(asgi_client: AsgiClient) -> None:
    state = encode_state(with_value(base(), "workload.tokens", 7.8e12))
    page = asgi_client.get(f"/designs/{MAIN}?s={state}").text
    assert "trains on 7.80 T tokens" in text_of(page)
    link = re.search(r'href="(/designs/[^"]+/explain/performance\.elapsed_time_s[^"]*)"', page)
    assert link
    explained = asgi_client.get(html.unescape(link.group(1)))
    assert explained.status_code == 200
    assert f"?s={state}" in explained.text


def test_form_is_answered_without_scripts(asgi_client: AsgiClient) -> None:
    """Every field as the browser would send it; only the one that was changed is different."""
    page = asgi_client.get(f"/designs/{MAIN}").text
    boxes = r'<input id="[^"]+" name="([^"]+)" type="text"[^>]*? value="([^"]*)"'
    fields = {name: html.unescape(value) for name, value in re.findall(boxes, page)}
    assert len(fields) > 40
    same = asgi_client.get(f"/designs/{MAIN}", params=fields)
    assert "changed" not in text_of(same.text).split("Workload")[0]
    changed = asgi_client.get(f"/designs/{MAIN}", params={**fields, "workload.tokens": "7.8"})
    assert "trains on 7.80 T tokens" in text_of(changed.text)
    assert "1 changed" in text_of(changed.text)


def test_refused_address_keeps_what_was_typed(asgi_client: AsgiClient) -> None:
    state = encode_state(with_value(base(), "parallelism.tp", 12))
    page = asgi_client.get(f"/designs/{MAIN}?s={state}").text
    assert "Not evaluated: tp 12 does not divide the 128 heads." in text_of(page)
    assert re.search(r'name="parallelism.tp"[^>]*value="12"', page)


@pytest.mark.parametrize("state", ["nonsense", "1.AAAA", "9.x", encode_state({"workload": 3})])
def test_hostile_address_still_opens(asgi_client: AsgiClient, state: str) -> None:
    assert asgi_client.get(f"/designs/{MAIN}", params={"s": state}).status_code == 200


def test_new_design_opens_and_fits(asgi_client: AsgiClient) -> None:
    text = text_of(asgi_client.get("/designs/new").text)
    assert "It fits" in text
    assert "not published, so" not in text


def test_page_and_answer_say_the_same(asgi_client: AsgiClient) -> None:
    """The page as it is first served and the fragments put into it later come from the same templates."""
    values = with_value(base(), "workload.tokens", 7.8e12)
    page = text_of(asgi_client.get(f"/designs/{MAIN}?s={encode_state(values)}").text)
    results = text_of(evaluate(asgi_client, values)["results"])
    assert results in page


def test_page_of_the_largest_design_is_light(asgi_client: AsgiClient) -> None:
    page = asgi_client.get(f"/designs/{MAIN}").content
    assert len(gzip.compress(page)) < 76_000  # each offered change holds the whole scenario, 1 kB


def intervals_of(results: str) -> list[str]:
    """What is shown next to the bars of the key figures."""
    return re.findall(r'<svg class="interval-bar".*?</svg><span>([^<]+)<', results)


def test_key_figures_carry_their_interval_and_it_follows_the_inputs(asgi_client: AsgiClient) -> None:
    page = asgi_client.get(f"/designs/{MAIN}").text
    first = intervals_of(page)
    assert (
        len(first) == 4
    )  # elapsed time, MFU, cost and ETTR; the others follow from neither speed nor failures
    assert all(re.fullmatch(r"[\d.,]+ to [\d.,]+", text) for text in first)
    assert "80 % interval from comparable runs" in text_of(page)
    changed = evaluate(asgi_client, with_value(base(), "workload.tokens", 1e12))
    elapsed, mfu, cost, ettr = intervals_of(changed["results"])
    assert ettr == first[3]
    assert elapsed != first[0]
    assert cost != first[2]
    assert mfu == first[1]  # tokens change how long it runs, not how fast


def test_explanation_leads_to_the_nearest_measured_runs(asgi_client: AsgiClient) -> None:
    page = asgi_client.get(f"/designs/{MAIN}/explain/performance.mfu").text
    text = text_of(page)
    assert "Nearest measured runs" in text
    assert "80 % interval from comparable runs" in text
    links = re.findall(r'href="/validation/training/([^"]+)"', page)
    known = {run.id for run in validated_runs()}
    assert len(links) == 5
    assert set(links) <= known
    panel = asgi_client.post(
        "/studio/explain", json={"key": MAIN, "scenario": base(), "path": "performance.mfu"}
    )
    assert re.findall(r'href="/validation/training/([^"]+)"', panel.text) == links
    without = asgi_client.get(f"/designs/{MAIN}/explain/cooling.pue").text
    assert "Nearest measured runs" not in text_of(without)


def test_without_a_layout_each_way_out_is_a_button(asgi_client: AsgiClient) -> None:
    """Each takes a change of one field with it, and leads to a layout."""
    values = with_value(base(), "parallelism", "auto")
    values = with_value(values, "workload.global_batch_sequences", 2)
    results = evaluate(asgi_client, with_value(values, "pod.supernodes", 505))["results"]
    fields = re.findall(r'data-action="offer" data-field="([^"]+)" data-value="([^"]+)"', results)
    assert {field for field, _ in fields} >= {"workload.global_batch_sequences", "pod.supernodes"}
    for field, value in fields:
        if field in ("workload.global_batch_sequences", "pod.supernodes"):
            changed = with_value(with_value(values, "pod.supernodes", 505), field, int(value))
            assert "No layout of" not in evaluate(asgi_client, changed)["results"]


def test_idle_accelerators_are_said_with_a_way_out(asgi_client: AsgiClient) -> None:
    values = with_value(stated_values(read_example("llama_3_1_405b_on_gb200_nvl72")), "parallelism", "auto")
    values = with_value(values, "pod.accelerators_used", "all")
    values = with_value(values, "pod.accelerators_per_domain_used", 60)
    answer = asgi_client.post(
        "/studio/evaluate", json={"key": "llama_3_1_405b_on_gb200_nvl72", "scenario": values}
    )
    results = answer.json()["results"]
    assert "12 of 72 accelerators per SuperNode idle" in text_of(results)
    assert 'data-field="pod.accelerators_per_domain_used" data-value="&#34;all&#34;"' in results
