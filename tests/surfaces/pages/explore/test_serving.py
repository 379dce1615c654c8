"""The search page of a served model: its form, what it finds, files, and options that are adopted."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from starlette.datastructures import QueryParams

from app.scenarios.examples import example
from app.surfaces.pages.explore.serving_form import serving_search_form
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient

KEY = "deepseek_r1_on_8_h200"
PAGE = f"/explore/{KEY}"


def _adoptable(page: str) -> list[str]:
    return re.findall(r'form="adopt" name="layout" value="([^"]+)"', page)


def _values_of(address: str) -> dict[str, dict[str, object]]:
    values = decode_state(parse_qs(urlsplit(address).query)["s"][0])
    assert values is not None
    return values


def test_an_empty_form_searches_everything() -> None:
    form = serving_search_form({})
    assert form.options is not None
    assert (form.options.objective, form.options.top, form.options.power_limit_w) == ("throughput", 10, None)
    assert form.options.modes == ("aggregated", "disaggregated")
    assert (form.held, form.query, form.errors) == (0, [], {})


def test_fields_become_options_and_come_back_as_typed() -> None:
    typed = [("objective", "cost"), ("mode", "aggregated"), ("top", "3"), ("power_limit_kw", "12.5"),
             ("precision", "fp8"), ("precision", "nvfp4"), ("system", "dgx_b200"), ("hold.tp", "4, 8")]  # fmt: skip
    form = serving_search_form(QueryParams(typed))
    assert form.options is not None
    assert form.options.power_limit_w == 12_500
    assert form.options.formats == ("fp8", "nvfp4")
    assert form.options.hardware == ("dgx_b200",)
    assert form.options.hold == {"tp": [4, 8]}
    assert sorted(form.query) == sorted(typed)


@pytest.mark.parametrize(
    ("query", "box", "said"),
    [
        ("top=0", "top", "at least 1"),
        ("top=ten", "top", "whole number"),
        ("power_limit_kw=-3", "power_limit_kw", "above 0"),
        ("power_limit_kw=much", "power_limit_kw", "number"),
        ("mode=split", "mode", "aggregated"),
        ("objective=step_time", "objective", "throughput"),
        ("precision=fp3", "precision", "nvfp4"),
        ("hold.dp=x", "hold-dp", "whole numbers"),
    ],
)
def test_what_cannot_be_used_is_said_beside_its_box(
    reading_client: AsgiClient, query: str, box: str, said: str
) -> None:
    page = reading_client.get(f"{PAGE}?{query}")
    assert page.status_code == 422
    error = re.search(rf'id="{box}-error">([^<]+)<', page.text)
    assert error, query
    assert said in html.unescape(error[1])
    assert html.escape(query.partition("=")[2]) in page.text  # what was typed is kept
    assert reading_client.get(f"{PAGE}/file?{query}").status_code == 422


def test_the_page_comes_at_once_and_asks_for_the_rest(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?top=2&system=dgx_b200")
    assert page.status_code == 200
    assert f'data-answer="{PAGE}/answer?top=2&amp;system=dgx_b200"' in page.text
    part = reading_client.get(f"{PAGE}/answer?top=2").text
    assert "layouts hold a request</h1>" in part
    assert "<html" not in part


@pytest.mark.slow
def test_without_scripts_all_of_it_is_in_the_page(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?now=1&top=3&power_limit_kw=20").text
    assert 'class="working"' not in page
    assert re.findall(r'<figure [^>]*id="figure-(\w+)"', page) == ["serving_pareto", "domain_sizes"]
    assert "Within 20.0" in html.unescape(page)
    assert page.count("Adopt<span") == 3 + 3  # and the cheapest, within the power, and as it is


@pytest.mark.slow
def test_an_option_is_adopted_with_its_load(reading_client: AsgiClient) -> None:
    values = stated_values(example(KEY).read()) | {"name": "Not saved yet"}
    state = encode_state(values)
    page = reading_client.get(f"{PAGE}/answer?top=2&s={state}").text
    answer = reading_client.get(f"{PAGE}/adopt", params={"s": state, "layout": _adoptable(page)[0]})
    assert answer.status_code == 303
    changed = _values_of(answer.headers["location"])
    assert changed["name"] == "Not saved yet"
    assert changed["supernode"] == values["supernode"]
    assert set(changed["workload"]["layout"]) == {"tp", "dp", "pp", "ep", "redundant_experts"}  # type: ignore[call-overload]
    studio = reading_client.get(answer.headers["location"])
    assert studio.status_code == 200
    assert 'id="refused"' not in studio.text


@pytest.mark.slow
def test_an_option_on_other_hardware_takes_its_pod_along(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}/answer?system=dgx_b200&precision=nvfp4").text
    text = next(text for text in _adoptable(page) if "dgx_b200" in text and "nvfp4" in text)
    answer = reading_client.get(f"{PAGE}/adopt", params={"layout": text})
    changed = _values_of(answer.headers["location"])
    assert changed["supernode"] == {"system": "dgx_b200"}
    assert changed["workload"]["precision"] == "nvfp4"
    assert 'id="refused"' not in reading_client.get(answer.headers["location"]).text


@pytest.mark.parametrize(
    "layout",
    ["tp:8", "concurrency:4", "tp:x concurrency:4", "prefill.tp:8 concurrency:4", "other.tp:8 concurrency:4",
     "tp:8 concurrency:4 system:dgx_h20", "tp:8 concurrency:4 precision:fp3", "colour:8"],
)  # fmt: skip
def test_what_is_no_option_is_refused(reading_client: AsgiClient, layout: str) -> None:
    answer = reading_client.get(f"{PAGE}/adopt", params={"layout": layout})
    assert answer.status_code == 422
    assert "cannot be adopted" in answer.text


def test_files_hold_what_is_found(reading_client: AsgiClient) -> None:
    for name in ("csv", "xlsx", "json"):
        answer = reading_client.get(f"{PAGE}/file?format={name}&top=2")
        assert answer.status_code == 200
        assert f".search.{name}" in answer.headers["content-disposition"]
    assert reading_client.get(f"{PAGE}/file?format=pdf").status_code == 404
    assert reading_client.get("/explore/edge_node/file").status_code == 422


def test_a_refused_search_is_said_in_words(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?now=1&system=dgx_h20")
    assert page.status_code == 200
    assert "is not in the catalog of systems" in html.unescape(page.text)
    assert "checked> dgx_h20" in page.text
