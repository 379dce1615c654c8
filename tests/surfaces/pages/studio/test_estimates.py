"""Missing inputs in the studio: suggested, accepted in one click or all at once, changed, removed, and marked."""

from __future__ import annotations

import itertools
import re
from html import unescape
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import accept_suggestions, evaluate_scenario
from app.scenarios.load import build_scenario
from app.settings import get_settings
from app.surfaces.pages.design_page import design_page
from app.surfaces.pages.designs import NEW, evaluated
from app.surfaces.pages.studio.changes import change_words, changed_paths
from app.surfaces.pages.studio.estimates import restated, suggested, with_estimates
from app.surfaces.pages.studio.offers import refusal
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient
from tests.support import part_of
from tests.surfaces.pages.studio.test_routes import text_of

PLACE = "pod.fabric.switch.typical_power_w"


def values_of(system: str, supernodes: int = 4, kind: str = "training", batch: int = 576) -> dict[str, Any]:
    training = {"tokens": 100e9, "sequence_length": 8192, "global_batch_sequences": batch}
    return {
        "name": "Missing inputs",
        "workload": {"kind": kind, "model": "llama_3_1_8b", "precision": "bf16"}
        | (training if kind == "training" else {}),
        "supernode": {"system": system},
        "pod": {"supernodes": supernodes},
    }


def posted(client: AsgiClient, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = client.post("/studio/evaluate", json={"key": NEW, "scenario": values, "place": "all", **more})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def catalog(asgi_client: AsgiClient) -> Any:
    return ready_catalog(get_settings())


def test_missing_inputs_show_value_range_and_rule_and_one_post_accepts_all(asgi_client: AsgiClient) -> None:
    values = values_of("gb300_nvl72")
    before = posted(asgi_client, values)
    text = text_of(before["results"])
    assert "Q3400-RA / Q3401-RD, typical power is not published" in text
    assert re.search(r"Suggested: [\d.]+\s?k?W ?, range [\d.]+.*?Ports x port bandwidth of", text)
    assert "Accept all suggestions" in text
    assert "estimate</span>" not in before["results"]  # nothing rests on one yet
    after = posted(asgi_client, values, before=values, accept=True)
    assert set(after["values"]["estimates"]) >= {PLACE}
    assert "not published, so" not in text_of(after["results"])
    for label in ("Cost per run", "Utility peak"):
        figure = next(part for part in after["results"].split("<li>") if f'key-label">{label}' in part)
        assert 'class="chip estimate"' in figure
    assert 'class="chip estimate"' not in next(
        part for part in after["results"].split("<li>") if 'key-label">Elapsed time' in part
    )
    assert "estimates accepted" in after["said"]
    # the same scenario evaluated again says the same: the one answer was enough
    assert text_of(posted(asgi_client, after["values"])["panel"]) == text_of(after["panel"])
    assert {**after["values"], "estimates": None} == {**values, "estimates": None}


def test_one_is_accepted_changed_and_removed_without_scripts(asgi_client: AsgiClient) -> None:
    page = asgi_client.get(f"/designs/{NEW}?s={encode_state(values_of('gb300_nvl72'))}").text
    links = re.findall(r'href="([^"]+)" data-action="estimates"', page)
    assert len(links) >= 2
    accepted = asgi_client.get(unescape(links[0])).text
    assert "1 accepted estimate;" in text_of(accepted)
    assert len(re.findall('data-action="estimates"', accepted)) == len(
        links
    )  # one to remove, one less to accept
    state = re.search(r'<form id="estimate-1".*?name="s" value="([^"]+)"', accepted, re.S)
    place = re.search(r'data-estimate="([^"]+)"', accepted)
    assert state
    assert place
    changed = asgi_client.get(f"/designs/{NEW}?s={state[1]}&estimate={place[1]}&to=5e-7").text
    assert "Set by hand; suggested was:" in text_of(changed)
    removed = re.search(
        r'<details class="note calm" id="accepted".*?href="([^"]+)" data-action="estimates"', changed, re.S
    )
    assert removed
    assert "accepted estimate" not in text_of(asgi_client.get(unescape(removed[1])).text)
    everything = asgi_client.get(f"/designs/{NEW}?accept=all&s={encode_state(values_of('gb300_nvl72'))}").text
    assert "not published, so" not in text_of(everything)


def test_an_explanation_marks_the_estimate_and_the_figure(asgi_client: AsgiClient) -> None:
    values = posted(asgi_client, values_of("gb300_nvl72"), accept=True)["values"]
    body = {"key": NEW, "scenario": values, "path": "power.utility_peak_w"}
    page = asgi_client.post("/studio/explain", json=body).text
    assert 'class="chip estimate"' in page
    assert '<i class="source-mark estimate"' in page
    assert "Accepted estimate" in text_of(page)


def test_what_is_rent_only_costs_rent_and_says_so(asgi_client: AsgiClient) -> None:
    values = values_of("tpu_v7_pod", supernodes=1, batch=9216)
    results = posted(asgi_client, values, accept=True)["results"]
    text = text_of(results)
    assert "Cost per run, rented" in text
    assert "rent only, on demand" in text
    assert "of rent." in text  # the answer's sentence
    assert "is rent only: Google Cloud TPU pricing lists rental alone" in text
    assert '<span class="unknown">rent only</span>' in results  # figures of owning
    assert "supernode.price_usd" not in posted(asgi_client, values, accept=True)["values"]["estimates"]
    priced = {**values, "supernode": {**values["supernode"], "override": {"price_usd": 2e8}}}
    stated = text_of(posted(asgi_client, priced, accept=True)["results"])
    assert "Cost per run, rented" not in stated.replace("Cost per run, rented on demand", "")
    assert "is rent only" not in stated


def test_comparison_and_files_mark_what_rests_on_an_estimate(asgi_client: AsgiClient) -> None:
    values = posted(asgi_client, values_of("gb300_nvl72"), accept=True)["values"]
    state = encode_state(values)
    compared = asgi_client.get(f"/compare?a={NEW}&b={NEW}&s={state}").text
    assert 'class="chip estimate"' in compared
    assert "Q3400-RA / Q3401-RD, typical power, accepted estimate" in text_of(compared)
    for kind, marked in (("csv", "Rests on accepted estimates."), ("csv", "Accepted estimate of Q3400")):
        written = asgi_client.get(f"/designs/{NEW}/export/evaluation/{kind}?s={state}").text
        assert marked in written
    detail = text_of(asgi_client.get(f"/economics/{NEW}/cost?s={state}").text)
    assert f"may rest on {len(values['estimates'])} accepted estimates" in detail


def test_a_change_by_hand_widens_the_range_and_keeps_the_rule() -> None:
    one = {"of": "x", "value": 2.0, "low": 1.0, "high": 3.0, "rule": "median of parts"}
    values = with_estimates({"name": "n"}, {PLACE: one})
    changed = restated(restated(values, PLACE, "5k"), PLACE, "0.5")
    assert changed["estimates"][PLACE] == {
        "of": "x", "value": 0.5, "low": 0.5, "high": 5000.0, "rule": "set by hand; suggested was: median of parts",
    }  # fmt: skip
    assert restated(values, PLACE, "many") == values
    assert restated(values, "elsewhere", "5") == values
    assert with_estimates(values, {PLACE: None}) == {"name": "n"}
    assert changed_paths(changed, values) == [f"estimates.{PLACE}"]
    assert change_words(values, {"name": "n"}, {}) == "1 estimate accepted"
    assert change_words(changed, values, {}) == "1 estimate changed"
    assert change_words({"name": "n"}, values, {}) == "1 estimate removed"


PATH = re.compile(r"\b[a-z][a-z0-9_]*(?:\[\d+\])?\.[a-z][a-z0-9_]+(?:\.[a-z0-9_]+)*")
KEY = re.compile(
    r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b(?:systems|accelerators|switches|nics|sites|prices|rentals)/\w+"
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["training", "serving"])
def test_no_text_for_people_names_a_key_or_a_path(catalog: Any, kind: str) -> None:
    """Over the systems of the catalog: problems, ways out, suggestions and refusals are in words."""
    said: set[str] = set()
    for system, supernodes in part_of(itertools.product(catalog.keys("systems"), (1, 4)), parts=5):
        values = values_of(system, supernodes, kind, batch=512)
        try:
            scenario = evaluate_scenario(build_scenario(values), catalog)
        except ScenarioError as error:
            said |= {
                text for fault in error.errors for text in (refusal(fault).message, refusal(fault).label)
            }
            continue
        found = evaluated(NEW, scenario)
        page = design_page(found)
        groups = (page.notes.infeasible, page.notes.missing, page.notes.warnings)
        said |= {
            text for notes in groups for note in notes for text in (note.message, note.remedy, note.label)
        }
        said |= {figure.beside for figure in page.key_figures} | {page.verdict.answer}
        said |= {text for one in suggested(found).values() for text in (one.label, one.rule, one.affects)}
    assert len(said) > 100
    assert not [text for text in said if PATH.search(text) or KEY.search(text)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["training", "serving"])
def test_after_accepting_all_no_system_lacks_power_or_a_cost(catalog: Any, kind: str) -> None:
    """Of what is rent only the cost is the rent; systems without one kind of accelerator are refused with a way out."""
    path = "usd_per_run" if kind == "training" else "usd_per_million_tokens"
    refused, rented = [], []
    systems = part_of(catalog.keys("systems"))
    for system in systems:
        count = catalog.part("systems", system).facts.get("accelerators")
        batch = 512 if count is None else int(count.value) * max(1, -(-512 // int(count.value)))
        try:
            scenario = evaluate_scenario(build_scenario(values_of(system, 1, kind, batch)), catalog)
        except ScenarioError as error:
            refused += [system for fault in error.errors if fault.hint]
            continue
        done = accept_suggestions(scenario)
        answer = done.as_json
        assert answer["power"]["utility_peak_w"] > 0, system
        assert answer["cost"][f"{path}_rented_on_demand"] > 0, system
        missing = [problem for problem in done.problems if problem.kind == "missing_input"]
        if answer["cost"][path] is None:
            assert [problem.constraint for problem in missing] == ["rent_only"], system
            rented.append(system)
        else:
            assert answer["cost"][path] > 0
            assert not missing, system
        assert all(one.low <= one.value <= one.high for one in done.document.estimates.values())
    without_bf16 = {"dgx2_v100", "azure_openai_2020", "groqrack_64", "nvidia_groq3_lpx", "vr_cpx_144"}
    assert set(refused) == (without_bf16 | {"coreweave_fleet_2024"}) & set(systems)
    chips = {one: catalog.part("systems", one).attributes.get("accelerator_key") for one in systems}
    assert set(rented) == {
        one for one, chip in chips.items()
        if chip and catalog.part("accelerators", chip).attributes["sold"] != "yes"
    }  # fmt: skip
