"""A scenario of another kind of workload: what it starts from, and the way back."""

from __future__ import annotations

import re

import pytest

from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import new_design
from app.surfaces.pages.studio.fields import KINDS
from app.surfaces.pages.studio.form import filled_in, form_of, stated_values
from app.surfaces.pages.studio.kinds import kind_of, other_scenarios, with_kind
from app.surfaces.pages.studio.serving_fields import LAYOUT, found_layouts, layout_word
from app.surfaces.pages.studio.state import MISSING, encode_state, value_at, with_value
from tests.asgi import AsgiClient

NEW = stated_values(new_design())
SERVING = stated_values(example("deepseek_r1_on_8_h200").read())
SPLIT = stated_values(example("deepseek_r1_on_gb200_nvl72").read())


@pytest.mark.parametrize("key", [one.key for one in list_examples()])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_a_scenario_that_can_be_read(key: str, kind: str) -> None:
    values = stated_values(example(key).read())
    changed = with_kind(values, values, kind)
    assert build_scenario(changed).workload.kind == kind
    assert (changed == values) == (kind == kind_of(values))


def test_model_and_format_stay() -> None:
    serving = with_kind(NEW, NEW, "serving")["workload"]
    assert {name: serving[name] for name in ("model", "precision")} == {
        name: NEW["workload"][name] for name in ("model", "precision")
    }
    generic = with_kind(with_value(NEW, "workload.precision", "nvfp4"), NEW, "generic")["workload"]
    assert generic["precision"] == "bf16"
    assert "model" not in generic


def test_the_way_back_is_the_scenario_as_it_started() -> None:
    stated = with_value(NEW, "parallelism", {"tp": 4})
    away = with_kind(stated, stated, "serving")
    assert value_at(away, "parallelism") is MISSING
    assert with_kind(away, stated, "training") == stated


def test_the_page_holds_what_the_others_start_from() -> None:
    assert set(other_scenarios(SERVING, SERVING)) == {"training", "generic"}


def test_a_form_without_scripts_changes_the_kind(reading_client: AsgiClient) -> None:
    form = form_of(NEW) | {"workload.kind": "serving", "workload.tokens": "5"}
    changed = filled_in(NEW, form)
    assert changed == with_kind(NEW, NEW, "serving")  # what the new kind does not have is left
    page = reading_client.get("/designs/new", params={"workload.kind": "serving"})
    assert page.status_code == 200
    assert "Time per output token" in page.text
    assert "Training tokens" not in page.text


def test_a_layout_is_stated_as_it_was_found() -> None:
    found = found_layouts({"tp": 8.0, "pp": 1.0, "dp": 2.0, "ep": 16.0, "redundant_experts": 0.0})
    assert found["instance"] == {"tp": 8, "pp": 1, "dp": 2, "ep": 16}
    assert found["split"]["prefill"] == {**found["instance"], "instances": 1}
    split = found_layouts({"tp": 1, "dp": 48, "prefill_tp": 4, "prefill_instances": 6, "decode_instances": 2})
    assert split["split"] == {
        "prefill": {"tp": 4, "instances": 6},
        "decode": {"tp": 1, "dp": 48, "instances": 2},
    }


@pytest.mark.parametrize(
    ("values", "word"), [(SERVING, "auto"), (SERVING, "split"), (SPLIT, "instance"), (SPLIT, "auto")]
)
def test_a_form_without_scripts_changes_the_layout(
    reading_client: AsgiClient, values: dict[str, object], word: str
) -> None:
    key = "deepseek_r1_on_8_h200" if values is SERVING else "deepseek_r1_on_gb200_nvl72"
    state = encode_state(with_value(values, "workload.mode", "auto"))
    page = reading_client.get(f"/designs/{key}", params={"s": state, LAYOUT: word})
    assert page.status_code == 200
    shown = f'name="{LAYOUT}" value="{word}" checked'
    assert shown in page.text
    assert (f'name="{LAYOUT}.tp"' in page.text) == (word == "instance")
    assert (f'name="{LAYOUT}.prefill.tp"' in page.text) == (word == "split")


def test_words_of_layouts() -> None:
    assert layout_word(MISSING) == "auto"


def test_what_is_wrong_stands_at_its_field(reading_client: AsgiClient) -> None:
    """And what was typed stays there."""
    for path, text, said in (
        ("workload.requests.output_tokens", "0.5", "at least 1"),
        ("workload.requests.input_tokens", "1000000", "takes at most"),
        ("workload.concurrency", "0", "at least 1"),
        ("workload.layout.tp", "3", "heads"),
        ("workload.demand.tokens_per_day", "5", "states its amount twice"),
    ):
        page = reading_client.get("/designs/deepseek_r1_on_8_h200", params={path: text}).text
        field = "workload.demand.requests_per_s" if said == "states its amount twice" else path
        row = page.split(f'data-path="{field}"')[1].split('<div class="field ')[0]
        assert 'aria-invalid="true"' in row, path
        assert said in row, path
        typed = page.split(f'data-path="{path}"')[1].split('<div class="field ')[0]
        assert text in typed.replace(",", ""), path


@pytest.mark.parametrize(("base", "kind"), [(NEW, "serving"), (SERVING, "training"), (NEW, "generic")])
def test_figures_of_different_kinds_are_not_compared(
    reading_client: AsgiClient, base: dict[str, object], kind: str
) -> None:
    key = "new" if base is NEW else "deepseek_r1_on_8_h200"
    changed = with_kind(base, base, kind)
    body = {"key": key, "scenario": changed, "before": base}
    answer = reading_client.post("/studio/evaluate", json=body).json()
    said = answer["said"] + answer["results"]
    assert "Figures of another kind of workload are not comparable" in answer["said"]
    assert not re.search(r"tokens/s (less|more)|sooner|later\b.*Last change", said)
    assert 'class="key-change' not in answer["results"]
    assert "than before" not in answer["results"]
    same = reading_client.post("/studio/evaluate", json={**body, "before": changed}).json()
    assert "Last change" not in same["said"]
    slower = with_value(changed, "pod.supernodes", 2)
    within = reading_client.post(
        "/studio/evaluate", json={**body, "scenario": slower, "before": changed}
    ).json()
    assert "not comparable" not in within["said"]
