"""What the pages say, before any script runs."""

from __future__ import annotations

import gzip
import html
import json
import re

import pytest

from app.charts import FIGURES
from app.surfaces.pages.security import CONTENT_SECURITY_POLICY
from tests.asgi import AsgiClient
from tests.surfaces.pages.states import StateDesigns

STATES = list(StateDesigns.made)


def text_of(page: str) -> str:
    """The words of a page with ordinary spaces."""
    bare = re.sub(r"<script.*?</script>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def test_home_shows_every_design_as_a_card(client: AsgiClient) -> None:
    page = client.get("/").text
    assert [key for key in STATES if f'href="/designs/{key}"' in page] == STATES
    assert "78.4 days" in text_of(page)
    assert "80.8 M USD" in text_of(page)
    assert "Does not fit" in text_of(page)
    assert page.count('class="timebar"') == len(STATES)


@pytest.mark.slow
def test_links_of_the_pages_lead_somewhere(client: AsgiClient) -> None:
    """No dead links: every address on a page answers, but for what needs more than the figures of a recorded state."""
    links: set[str] = set()
    for address in ("/", "/designs/whole", "/designs/whole/explain/performance.elapsed_time_s", "/nowhere"):
        page = client.get(address, headers={"accept": "text/html"}).text
        links |= set(re.findall(r'(?:href|src|data-plotly)="(/[^"#]*)"', page))
    for link in sorted(links):
        if "/explain/" not in link and not link.startswith(
            ("/fabric/", "/facility/", "/operations/", "/economics/", "/calibrate/", "/scaling", "/start/")
        ):
            assert client.get(link).status_code == 200, link


@pytest.mark.parametrize("place", ["", "/all", "/fabric"])
@pytest.mark.parametrize("state", STATES)
def test_anchors_exist(client: AsgiClient, state: str, place: str) -> None:
    page = client.get(f"/designs/{state}{place}").text
    names = set(re.findall(r'\sid="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= names
    for attribute in ("aria-labelledby", "aria-controls"):
        for value in re.findall(rf'{attribute}="([^"]+)"', page):
            assert set(value.split()) <= names


@pytest.mark.parametrize("place", ["", "/all", "/cost"])
@pytest.mark.parametrize("state", STATES)
def test_ids_are_unique(client: AsgiClient, state: str, place: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', client.get(f"/designs/{state}{place}").text)
    assert len(ids) == len(set(ids))


def test_design_answers_in_words(client: AsgiClient) -> None:
    text = text_of(client.get("/designs/whole/all").text)
    for words in (
        "It fits, and trains on 15.6 T tokens in 78 days for 81 M USD.",
        "The largest loss is tensor-parallel traffic, 12 % of each step, then pipeline bubble, 11 %.",
        "Rented on demand the run costs 102 M USD, 26 % more.",
        "published 78.0 days",
        "Leaving the SuperNode costs a factor of 9.0.",
        "A non-blocking rail fat tree: any of 64 units reaches any other at 400 Gbit/s per accelerator.",
        "Compute is 45 % of 1.50 billion USD; energy is 4.52 %.",
        "9.0× less",
        "three tiers, 1,280 switches, 49,152 cables",
    ):
        assert words in text


def test_data_of_every_chart_is_in_the_page(client: AsgiClient) -> None:
    page = client.get("/designs/whole/all").text
    for name in FIGURES:
        table = re.search(rf'id="figure-{name}-data".*?</table>', page, flags=re.DOTALL)
        assert table
        assert table.group().count("<tr") >= 4


def test_infeasible_design_says_so_and_keeps_its_figures(client: AsgiClient) -> None:
    text = text_of(client.get("/designs/infeasible").text)
    assert "94.3 GB needed on an 85.5 GB GPU" in text
    assert "Set \u201cPipeline stages\u201d to 16 instead of 8." in text
    assert "As designed it would train" in text
    assert "78.4 days" in text


def test_unknown_figures_name_what_is_missing(client: AsgiClient) -> None:
    text = text_of(client.get("/designs/unknown/all").text)
    assert "its cost is unknown" in text
    assert "needs The price of TPU v5p" in text
    assert "Suggested: 12,000 USD (estimate from rental rates)." in text
    assert "The total cost is unknown." in text


def test_single_supernode_shows_its_inside(client: AsgiClient) -> None:
    text = text_of(client.get("/designs/single/all").text)
    assert "One SuperNode: any of 2 accelerators reaches any other through switches" in text
    assert "no scale-out fabric" in text


def test_explanation_goes_down_to_the_source(client: AsgiClient) -> None:
    text = text_of(client.get("/designs/whole/explain/performance.elapsed_time_s").text)
    assert "elapsed_time_s = training_time_s / ettr" in text
    assert "Productive training time" in text
    assert "Training tokens: Llama 3.1 model card" in text


@pytest.mark.parametrize("path", ["/designs/nothing", "/designs/whole/explain/cost.nothing", "/nothing"])
def test_what_is_not_there_is_a_page_for_people(client: AsgiClient, path: str) -> None:
    answer = client.get(path, headers={"accept": "text/html,*/*"})
    assert answer.status_code == 404
    assert "There is nothing at this address." in answer.text
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_what_is_not_there_is_a_problem_for_programs(client: AsgiClient) -> None:
    answer = client.get("/designs/nothing", headers={"accept": "application/json"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is no design nothing.",
        "instance": "/designs/nothing",
        "request_id": answer.headers["x-request-id"],
    }


def test_failure_tells_nothing_of_the_inside(client: AsgiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: StateDesigns) -> list[str]:
        raise RuntimeError("secret")

    monkeypatch.setattr(StateDesigns, "listed", fail)
    answer = client.get("/", headers={"accept": "text/html"})
    assert answer.status_code == 500
    assert "Something went wrong on our side." in answer.text
    assert "secret" not in answer.text
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_page_without_charts_is_light(client: AsgiClient) -> None:
    """At most 120 KB with everything it needs, compressed."""
    page = client.get("/").text
    parts = [gzip.compress(page.encode())]
    for link in set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page)):
        parts.append(gzip.compress(client.get(link).content))
        if link.endswith("base.css"):
            font = link.rsplit("/css/", 1)[0] + "/vendor/inter/inter.woff2"
            parts.append(client.get(font).content)
    assert len(parts) >= 6
    assert sum(map(len, parts)) <= 120_000
    assert "plotly" not in page


def test_nothing_runs_but_files_of_our_own(client: AsgiClient) -> None:
    for address in ("/", "/designs/whole"):
        page = client.get(address).text
        for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, flags=re.DOTALL):
            assert 'src="/static/' in attributes or 'type="application/json"' in attributes
            assert "</" not in body
        assert not re.search(r'\son\w+="', page)
        # sources are links to follow; nothing of theirs is fetched, and they are not told who reads
        own = re.sub(r'<a href="https://[^"]+" rel="noreferrer external">', "<a>", page)
        assert not re.search(r'(?:href|src)="(?:https?:)?//', own)


def test_plots_travel_as_data(client: AsgiClient) -> None:
    page = client.get("/designs/whole/all").text
    plots = re.findall(r'<script type="application/json" class="chart-plot">(.*?)</script>', page)
    assert len(plots) == len(FIGURES)
    for plot in plots:
        assert json.loads(plot)["plot"]["data"]


def test_health(client: AsgiClient) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    assert re.fullmatch(r"\d+\.\d+\.\d+", client.get("/healthz").json()["version"])
