"""The page of a search: at once with scripts, whole without them, and layouts that are adopted from it."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from app.scenarios.examples import example
from app.surfaces.pages.explore.adopt import layout_text, with_layout
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

PAGE = "/explore/edge_node"


def _typed(**changes: object) -> dict[str, object]:
    values = stated_values(example("edge_node").read())
    return values | changes


def _layouts(page: str) -> list[str]:
    """The layouts that can be adopted from a page, in its order."""
    return re.findall(r'form="adopt" name="layout" value="([^"]+)"', page)


def _values_of(address: str) -> dict[str, object]:
    """The scenario that an address of the studio carries."""
    values = decode_state(parse_qs(urlsplit(address).query)["s"][0])
    assert values is not None
    return values


def test_the_page_comes_at_once_and_asks_for_the_rest(reading_client: AsgiClient) -> None:
    page = reading_client.get(PAGE)
    assert page.status_code == 200
    assert f'data-answer="{PAGE}/answer"' in page.text
    assert "<noscript><meta" in page.text  # without scripts it comes back here, to be computed
    assert "layouts can run" not in page.text
    part = reading_client.get(f"{PAGE}/answer").text
    assert "layouts can run</h1>" in part
    assert "<html" not in part


def test_without_scripts_all_of_it_is_in_the_page(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?now=1&top=3").text
    assert "layouts can run</h1>" in page
    assert 'class="working"' not in page
    figures = re.findall(r'<figure [^>]*id="figure-(\w+)"', page)
    assert figures == ["degrees", "front", "layout_axes", "rejected", "domain_sizes"]
    assert page.count(">Adopt<") == 3 + 1  # and the head of the column
    assert "The stated layout takes" in page


def test_a_layout_is_adopted_and_nothing_else_changes(reading_client: AsgiClient) -> None:
    values = _typed(name="Not saved yet")
    state = encode_state(values)
    page = reading_client.get(f"{PAGE}?now=1&top=2&s={state}").text
    layouts = _layouts(page)
    assert len(layouts) > 2
    for layout in layouts[:3]:
        answer = reading_client.get(f"{PAGE}/adopt", params={"s": state, "layout": layout})
        assert answer.status_code == 303
        changed = _values_of(answer.headers["location"])
        assert changed["parallelism"] != values["parallelism"]
        assert changed | {"parallelism": 0} == values | {"parallelism": 0}
        assert layout_text(changed["parallelism"]) == layout  # type: ignore[arg-type]
    studio = reading_client.get(answer.headers["location"]).text
    assert "Not saved yet" in studio
    assert 'id="refused"' not in studio


def test_the_page_names_its_scenario_a_few_times_only(reading_client: AsgiClient) -> None:
    state = encode_state(_typed(name="Not saved yet"))
    few, many = (reading_client.get(f"{PAGE}?now=1&top={top}&s={state}").text for top in (1, 50))
    assert many.count(state) == few.count(state) < 12
    assert len(many) < 400_000


@pytest.mark.parametrize("layout", ["tp", "tp:", "colour:8", "tp:8 __class__:1"])
def test_what_is_no_layout_is_refused(reading_client: AsgiClient, layout: str) -> None:
    answer = reading_client.get(f"{PAGE}/adopt", params={"layout": layout})
    assert answer.status_code == 422
    assert "cannot be adopted" in answer.text


def test_narrowed_axes_are_held_and_searched(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?now=1&top=50").text
    values = re.findall(r'name="values\.micro_batch" value="([^"]+)"', page)[0]
    first, *_, last = values.split(",")
    query = {"top": "50", "now": "1", "values.micro_batch": values, "from.micro_batch": first,
             "to.micro_batch": first, "only.recompute": "none", "to.tp": "nonsense"}  # fmt: skip
    answer = reading_client.get(f"{PAGE}/narrow", params=query)
    assert answer.status_code == 303
    assert parse_qs(urlsplit(answer.headers["location"]).query) == {
        "top": ["50"], "now": ["1"], "hold.micro_batch": [first], "hold.recompute": ["none"]
    }  # fmt: skip
    narrow = reading_client.get(answer.headers["location"]).text
    layouts = _layouts(narrow)
    assert layouts
    assert all(f"micro_batch:{first} " in layout and "recompute:none" in layout for layout in layouts)
    assert f'href="{PAGE}?top=50">Show all again' in narrow
    whole = reading_client.get(f"{PAGE}/narrow", params={"values.micro_batch": values, "from.micro_batch": last, "to.micro_batch": first})  # fmt: skip
    assert whole.headers["location"] == PAGE  # from the last to the first is all of them


def test_the_way_back_and_the_options_keep_what_is_not_saved(reading_client: AsgiClient) -> None:
    state = encode_state(_typed(name="Not saved yet"))
    page = reading_client.get(f"{PAGE}?s={state}").text
    assert f'href="/designs/edge_node?s={state}"' in page
    assert f'name="s" value="{state}"' in page
    assert f"{PAGE}/answer?s={state}" in page


def test_other_sizes_are_adopted_with_their_supernodes(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?now=1&objective=cost").text
    assert re.findall(r'<figure [^>]*id="figure-(\w+)"', page)[0] == "job_sizes"
    assert "Ranked sizes" in page
    values = _typed(pod={"supernodes": 4, "accelerators_used": 6})
    changed = with_layout(values, {"tp": 2}, 8)
    assert changed["pod"] == {"supernodes": 8, "accelerators_used": "all"}
    assert with_layout(values, {"tp": 2})["pod"] == values["pod"]


@pytest.mark.parametrize(
    ("query", "field", "said"),
    [("top=0", "top", "at least 1"), ("hold.tp=x", "hold-tp", "whole numbers"),
     ("objective=accelerators", "deadline_days", "days")],
)  # fmt: skip
def test_options_that_cannot_be_used_are_said_beside_them(
    reading_client: AsgiClient, query: str, field: str, said: str
) -> None:
    page = reading_client.get(f"{PAGE}?{query}")
    assert page.status_code == 422
    error = re.search(rf'id="{field}-error">([^<]+)<', page.text)
    assert error is not None
    assert said in error[1]
    assert "data-answer" not in page.text
    assert reading_client.get(f"{PAGE}/answer?{query}").status_code == 422


def test_a_scenario_that_is_refused_leads_back(reading_client: AsgiClient) -> None:
    state = encode_state(_typed(supernode={"system": "no_such_system"}))
    page = reading_client.get(f"{PAGE}?s={state}")
    assert page.status_code == 422
    assert "Not searched" in page.text
    assert f"/designs/edge_node?s={state}" in page.text


@pytest.mark.slow
def test_layouts_that_tie_stand_below_their_answer(reading_client: AsgiClient) -> None:
    assert re.search(
        r'class="caption">Also: [^<]*zero stage \d', reading_client.get(f"{PAGE}?now=1&top=40").text
    )


def test_where_no_layout_fits_the_fix_is_a_link(reading_client: AsgiClient) -> None:
    workload = stated_values(example("edge_node").read())["workload"] | {"model": "llama_3_1_405b"}
    values = _typed(workload=workload, parallelism="auto")
    page = reading_client.get(f"{PAGE}?now=1&s={encode_state(values)}").text
    assert "0 of" in page
    assert "No layout fits" in page
    (link,) = re.findall(r'class="button primary" href="([^"]+)"', page)
    state = parse_qs(urlsplit(html.unescape(link)).query)["s"][0]
    assert decode_state(state) != values
    # charts that would have nothing to show are left out, and the study says why it is none
    assert re.findall(r'<figure [^>]*id="figure-(\w+)"', page) == ["rejected"]
    assert "No layout can run at any size of the domain" in page


def test_a_space_that_is_too_large_is_refused_on_the_page(
    reading_client: AsgiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.views.searching.layouts.MOST_LAYOUTS", 5)
    page = reading_client.get(f"{PAGE}?now=1&hold.micro_batch=1,2").text
    assert "more than 5" in page
    assert 'value="1,2"' in page


def test_unknown_designs_are_not_found(reading_client: AsgiClient) -> None:
    assert reading_client.get("/explore/no_such_design").status_code == 404
    assert reading_client.get("/explore/no_such_design/answer").status_code == 404


def test_what_is_typed_is_escaped(reading_client: AsgiClient) -> None:
    page = reading_client.get(f"{PAGE}?hold.tp=<script>alert(1)</script>&objective=<b>").text
    assert "<script>alert" not in page
    assert "<b>" not in page


def test_domains_are_drawn_for_a_scenario(reading_client: AsgiClient) -> None:
    answer = reading_client.post("/explore/domains", json={"scenario": _typed()})
    assert answer.status_code == 200
    assert 'id="figure-domain_sizes"' in answer.json()["chart"]  # two nodes of one get a fabric
    several = example("llama_3_1_405b_on_2048_dgx_h100").read().as_dict()
    answer = reading_client.post("/explore/domains", json={"scenario": several})
    assert 'id="figure-domain_sizes"' in answer.json()["chart"]
    refused = reading_client.post("/explore/domains", json={"scenario": _typed(workload={})}).json()
    assert "required" in refused["error"]
    foreign = {"sec-fetch-site": "cross-site"}
    assert reading_client.post("/explore/domains", json={}, headers=foreign).status_code == 403


def test_the_studio_leads_to_the_search_and_to_the_domains(reading_client: AsgiClient) -> None:
    assert 'href="/explore/edge_node"' in reading_client.get("/designs/edge_node").text
    assert 'id="domain-study"' in reading_client.get("/designs/edge_node/supernode").text
    state = encode_state(_typed(name="Changed"))
    changed = reading_client.get(f"/designs/edge_node?s={state}").text
    assert f'href="/explore/edge_node?s={state}"' in changed


def test_a_saved_scenario_is_searched_and_adopted_under_its_id(asgi_client: AsgiClient) -> None:
    saved = asgi_client.post("/api/v1/scenarios", json=_typed(name="Kept")).json()
    page = asgi_client.get(f"/explore/{saved['id']}?now=1&top=1")
    assert page.status_code == 200
    assert f'href="/designs/{saved["id"]}"' in page.text
    assert f'action="/explore/{saved["id"]}/adopt"' in page.text
    layout = _layouts(page.text)[0]
    adopted = asgi_client.get(f"/explore/{saved['id']}/adopt", params={"layout": layout})
    assert adopted.headers["location"].startswith(f"/designs/{saved['id']}?s=")
    studio = asgi_client.get(f"/designs/{saved['id']}").text
    assert f'href="/explore/{saved["id"]}"' in studio
