"""Reports of designs as files that need nothing else: content, choices, and what is refused."""

from __future__ import annotations

import functools
import io
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from PIL import Image

from app.catalog.ready import ready_catalog
from app.charts.format import show
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.surfaces.files.work import Work
from app.surfaces.pages.report.design import DesignSubject
from app.surfaces.pages.report.document import chapters_of, report_html
from app.surfaces.pages.report.options import MOST_LOGO_BYTES, logo_address, report_options
from tests.asgi import AsgiClient
from tests.support import part_of

pytestmark = pytest.mark.slow

FLAGSHIP = "llama_3_1_405b_on_2048_dgx_h100"
KEYS = part_of(one.key for one in list_examples())
TAGS = re.compile(r"<[^>]+>")


def subject(key: str, without: tuple[str, ...] = (), **changes: object) -> DesignSubject:
    document = build_scenario({**example(key).read().as_dict(), **changes})
    catalog = ready_catalog()
    return DesignSubject(Work(document, lambda: evaluated(document, catalog)), catalog, without)


@functools.cache
def html(key: str, version: str, without: tuple[str, ...] = ()) -> str:
    return report_html(
        subject(key, without), report_options({"version": version, "without": ",".join(without)})
    )


def words(text: str) -> str:
    return re.sub(r"\s+", " ", TAGS.sub(" ", text.partition("</head>")[2]))


@pytest.mark.parametrize("version", ["board", "full"])
@pytest.mark.parametrize("key", KEYS)
def test_every_design_has_a_report(key: str, version: str) -> None:
    text = html(key, version)
    assert "<script" not in text
    assert "default-src 'none'" in unescape(text)
    assert not re.search(r'(?:src|href)="(?!data:|#)', text), "the file needs nothing else"
    assert not re.search(r"\b(?:nan|None|inf)\b", words(text)), re.search(
        r".{40}\b(?:nan|None|inf)\b", words(text)
    )
    for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        marks = list(ElementTree.fromstring(drawing).iter())
        assert len(marks) > 5, "an empty chart"


@pytest.mark.parametrize("key", KEYS)
def test_the_contents_lead_to_every_chapter_once(key: str) -> None:
    text = html(key, "full")
    links = re.findall(r'<li><a href="#([a-z_]+)">', text)
    assert len(links) == len(set(links)) >= 12
    for link in links:
        assert len(re.findall(rf'id="{link}"', text)) == 1


def test_a_board_finds_question_answer_and_what_decides() -> None:
    text = words(html(FLAGSHIP, "board"))
    for said in ("Question", "Answer", "Options", "Cost", "Time", "Risk", "Assumptions", "Decision", "Hash of the inputs",
                 "16,384 H100", "It fits, and trains", "Renting by contract", "Below 39"):  # fmt: skip
        assert said in text, said


def test_figures_are_those_of_the_evaluation() -> None:
    document = example(FLAGSHIP).read()
    found = evaluated(document, ready_catalog()).as_json
    text = words(html(FLAGSHIP, "board"))
    assert f"{found['performance']['elapsed_time_s'] / 86400:.1f} days" in text
    assert f"{found['cost']['usd_per_run'] / 1e6:.1f} M USD" in text
    assert found["provenance"]["inputs_hash"] in text


def test_sections_title_notes_and_paper_are_as_chosen() -> None:
    given = {
        "version": "full",
        "title": "For <b>the</b> board",
        "notes": "First line\nSecond",
        "paper": "letter",
    }
    options = report_options(given, lists={"sections": ["cost", "sources"]})
    text = report_html(subject("edge_node"), options)
    assert re.findall(r'<section class="chapter" id="([a-z]+)"', text) == ["cost", "sources"]
    assert "For &lt;b&gt;the&lt;/b&gt; board" in text
    assert "<p>First line</p>" in text
    assert "size: letter" in text


def test_the_glossary_explains_words_of_the_report_only() -> None:
    text = html(FLAGSHIP, "full")
    terms = re.findall(r"<dt>([^<]+)</dt><dd>", text.partition('id="glossary"')[2])
    assert len(terms) > 15
    assert "Tensor parallel" in " ".join(terms) or "PUE" in terms
    assert "TTFT" not in terms, "a run has no first token"


def test_prices_are_left_out_and_the_report_says_so() -> None:
    for version in ("board", "full"):
        text = words(html(FLAGSHIP, version, ("prices",)))
        assert not re.search(r"\d[\d.,\s]*(?:billion |M |k )?USD", text), re.search(r".{60}\bUSD", text)
        assert "every amount of money" in text
    assert 'id="cash"' not in html(FLAGSHIP, "full", ("prices",))


def test_a_redacted_report_has_none_of_the_own_prices() -> None:
    """Neither the price itself nor a figure that it went into."""
    economics = {
        **example("edge_node").read().as_dict().get("economics", {}),
        "supernode_price_usd": 287_654.0,
    }
    found = subject("edge_node", economics=economics)
    spent = words(f"</head>{show(found._evaluation['cost']['capex_usd'], 'USD').text}").strip()
    whole, redacted = (
        words(report_html(one, report_options({"version": "full", "without": ",".join(without)})))
        for one, without in (
            (found, ()),
            (subject("edge_node", ("prices",), economics=economics), ("prices",)),
        )
    )
    assert spent in whole
    assert spent not in redacted
    assert not re.search(r"287[.,]?6|\d[\d.,\s]*(?:billion |M |k )?USD", redacted)


def test_names_and_sites_are_left_out_everywhere() -> None:
    found = subject(FLAGSHIP, ("names", "sites"))
    text = report_html(found, report_options({"version": "full", "without": "names,sites"}))
    assert "Llama 3.1 405B on 2,048 DGX H100" not in text
    assert "Ashburn" not in text
    assert "Sites: the name and the place of 1 site" in text


def picture(kind: str, width: int = 40, height: int = 20) -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (width, height), "#2B59C3").save(held, kind)
    return held.getvalue()


@pytest.mark.parametrize(("kind", "name"), [("PNG", "png"), ("JPEG", "jpeg")])
def test_a_logo_is_put_into_the_file(kind: str, name: str) -> None:
    text = report_html(subject("edge_node"), report_options({}), logo_address(picture(kind)))
    assert f'<img class="logo" src="data:image/{name};base64,' in text


@pytest.mark.parametrize(
    "content",
    [b"<svg onload=alert(1)>", b"GIF89a" + b"\0" * 40, b"\x89PNG\r\n\x1a\nshort", b"\xff\xd8\xff\xe0",
     b"\x89PNG\r\n\x1a\n" + b"\0" * MOST_LOGO_BYTES, picture("PNG", 4001, 1)],
)  # fmt: skip
def test_what_is_no_logo_is_refused(content: bytes) -> None:
    with pytest.raises(ScenarioError, match="PNG or JPEG"):
        logo_address(content)


@pytest.mark.parametrize(
    ("given", "said"),
    [({"version": "long"}, "version"), ({"without": "price"}, "prices"), ({"paper": "a3"}, "paper")],
)
def test_a_choice_that_there_is_not_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        report_options(given)


def test_a_chapter_that_there_is_not_names_those_there_are() -> None:
    with pytest.raises(ScenarioError, match="Chapters: summary"):
        report_html(subject("edge_node"), report_options({"version": "full", "sections": "summry"}))


def test_the_page_offers_every_chapter_and_shows_the_report(reading_client: AsgiClient) -> None:
    page = reading_client.get("/designs/edge_node/report")
    assert page.status_code == 200
    for key, _ in chapters_of(subject("edge_node")):
        assert f'name="section" value="{key}"' in page.text
    shown = reading_client.get("/designs/edge_node/report/document?version=full&section=cost&without=names")
    assert shown.headers["x-frame-options"] == "SAMEORIGIN"
    assert "script" not in shown.headers["content-security-policy"]
    assert re.findall(r'<section class="chapter" id="([a-z]+)"', shown.text) == ["cost"]


def test_a_form_brings_a_logo(reading_client: AsgiClient) -> None:
    answer = reading_client.post(
        "/designs/edge_node/report/document", data={"title": "Ours", "format": "html", "without": ["prices", "names"]},
        files={"file": ("logo.png", picture("PNG"), "image/png")},
    )  # fmt: skip
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="Ours.html"')
    assert "data:image/png" in answer.text
    assert "Own names:" in answer.text


def test_a_refusal_is_shown_in_the_frame(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/designs/edge_node/report/document?version=long")
    assert answer.status_code == 422
    assert answer.headers["x-frame-options"] == "SAMEORIGIN"
    assert "board" in answer.text


def test_over_rest(reading_client: AsgiClient) -> None:
    scenario = example("edge_node").read().as_dict()
    answer = reading_client.post("/api/v1/reports/html?version=full&sections=cost", json=scenario)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert 'id="cost"' in answer.text
    refused = reading_client.post("/api/v1/reports/html?version=long", json=scenario)
    assert refused.status_code == 400
    assert "version" in refused.json()["errors"][0]["parameter"]
    assert reading_client.post("/api/v1/reports/docx", json=scenario).status_code == 404
