"""The documents as pages: every one is listed, rendered and searched, and no link of one leads nowhere."""

from __future__ import annotations

import posixpath
import re

import pytest

from app import paths
from app.surfaces.pages import workspace
from app.surfaces.pages.help.documents import (
    GROUPS,
    Document,
    Section,
    by_source,
    chapters,
    documents,
    grouped,
    section_at,
    sections,
)
from app.surfaces.pages.help.methods import METHODS, method_of
from app.surfaces.pages.help.rendering import address_of, help_page, render
from app.surfaces.pages.help.search import search
from tests.asgi import AsgiClient

RESERVED = {"methods", "files", "decisions"}
PAGES = [
    (key, chapter)
    for key, document in documents().items()
    for chapter in (
        "",
        *(sorted(set(chapters(key).values()) - {sections(key)[0].anchor}) if document.is_long else ()),
    )
]


def test_every_document_is_in_one_group() -> None:
    files = {path.stem for path in paths.docs().glob("*.md")} | {"data_licences"}
    listed = [key for group in GROUPS for key in group.keys]
    assert sorted(listed) == sorted(files)
    assert not files & RESERVED
    decisions = {path.stem for path in (paths.docs() / "decisions").glob("*.md")}
    assert {document.key.partition("/")[2] for document in grouped()[-1][1]} == decisions


@pytest.mark.parametrize(("key", "chapter"), PAGES, ids=["/".join(filter(None, page)) for page in PAGES])
def test_a_page_has_every_heading_and_its_links_lead_somewhere(key: str, chapter: str) -> None:
    page = help_page(key, chapter)
    ids = re.findall(r'<h[1-4] id="([^"]+)"', page.body)
    document = documents()[key]
    above = chapters(key)
    if chapter:
        expected = [one.anchor for one in sections(key)[1:] if above[one.anchor] == chapter][1:]
    else:
        expected = [] if document.is_long else [one.anchor for one in sections(key)[1:]]
    assert ids == expected
    assert len(ids) == len(set(ids))
    assert not re.search(r"<script|javascript:|onerror=", page.body)
    for target in re.findall(r'href="(/help/[^"]+|#[^"]+)"', page.body):
        assert leads_somewhere(target, ids), target


def leads_somewhere(target: str, ids: list[str]) -> bool:
    address, _, anchor = target.partition("#")
    if not address:
        return anchor in ids
    key = address.removeprefix("/help/")
    if key.startswith("files/"):
        return (paths.docs() / key.removeprefix("files/")).is_file()
    if key in documents():
        return not anchor or anchor in chapters(key)
    document, _, chapter = key.partition("/")
    return chapters(document)[anchor or chapter] == chapter


def test_markup_of_a_document_is_escaped() -> None:
    text = "# One\n\n<script>alert(1)</script> <b>bold</b> [x](javascript:alert(1))\n\n## `A` & B\n\nText\n"
    document = Document("fabric", "One", "", "docs/fabric.md", text)
    shown = (
        Section(1, "One", "One", "one", text.split("\n", 1)[1].partition("## ")[0]),
        Section(2, "A & B", "`A` & B", "a--b", "\nText\n"),
    )
    html = render(document, shown)
    assert "<script" not in html
    assert "<b>" not in html
    assert 'href="javascript' not in html
    assert '<h2 id="a--b"><code>A</code> &amp; B <a class="anchor" href="#a--b"' in html


def test_links_to_nothing_are_refused() -> None:
    fabric = documents()["fabric"]
    assert (
        address_of(fabric, "quantities.md#carbonembodied_kg") == "/help/quantities/carbon#carbonembodied_kg"
    )
    assert (
        address_of(fabric, "decisions/0006-one-collective-model.md")
        == "/help/decisions/0006-one-collective-model"
    )
    assert address_of(fabric, "openapi.json") == "/openapi.json"
    with pytest.raises(KeyError):
        address_of(fabric, "cellar.md")
    assert address_of(fabric, "facility.md#cellar") == "/help/facility"  # the next test finds these


@pytest.mark.parametrize("key", documents())
def test_anchors_in_links_exist(key: str) -> None:
    document = documents()[key]
    for path, anchor in re.findall(r"\]\(([\w./-]*\.md)?#([^)]+)\)", document.text):
        folder = posixpath.dirname(document.source)
        source = posixpath.normpath(posixpath.join(folder, path)) if path else document.source
        assert section_at(by_source()[source].key, anchor), f"{path}#{anchor}"


def test_anchors_of_methods_exist() -> None:
    for entry in METHODS.values():
        key, _, anchor = entry.partition("#")
        assert not anchor or section_at(key, anchor), entry


def test_every_section_but_the_overview_has_a_method() -> None:
    places = {section.place for section in workspace.sections()}
    assert set(METHODS) == places - {workspace.OVERVIEW, workspace.WHOLE}
    assert all(method_of(place) for place in METHODS)
    assert method_of("cellar") is None


@pytest.mark.parametrize(
    ("key", "document"),
    [
        ("edge_node", "training"),
        ("deepseek_r1_on_8_h200", "serving_model"),
        ("fft_3d_on_512_dgx_a100", "generic"),
    ],
)
def test_sections_of_the_studio_lead_to_their_method(
    reading_client: AsgiClient, key: str, document: str
) -> None:
    page = reading_client.get(f"/designs/{key}/all").text
    links = re.findall(r'<a class="help-link" href="/help/([^"]+)"', page)
    sections = re.findall(r'<section class="part" id="(\w+)"', page)
    expected = [METHODS[one].partition("#")[0] for one in sections if one in METHODS]
    assert document in links
    assert {link.partition("#")[0] for link in links} >= {*expected} - {"training"}
    assert len(links) >= len(expected)
    assert f'href="/help/{document}"' in reading_client.get(f"/designs/{key}/performance").text


def test_a_search_ranks_headings_before_text_and_prose_before_lists() -> None:
    found = search("bill of materials")
    assert (found.hits[0].document, found.hits[0].heading) == ("Fabric", "Bill of materials")
    assert found.hits[0].address == "/help/fabric#bill-of-materials"
    first = search("oversubscription").hits[0]
    assert first.document != "Quantities"
    assert "<mark>" in first.excerpt
    assert search("<b>").near == () or "<b>" not in search("<b>").near[0].excerpt


def test_every_word_must_be_found_and_a_slip_finds_what_is_near() -> None:
    assert search("oversubscription zzz").total == 0
    assert any("Checkpoints" in hit.heading for hit in search("chekpoints").near)
    assert search("").hits == ()
    assert search("the").total > len(search("the").hits) == 30


def test_pages_answer(reading_client: AsgiClient) -> None:
    index = reading_client.get("/help").text
    assert all(f'href="{document.address}"' in index for document in documents().values())
    assert 'href="/help/fabric#faults"' in reading_client.get("/help?q=faults").text
    nothing = reading_client.get("/help?q=<script>zz").text
    assert "No section matches." in nothing
    assert "<script>zz" not in nothing
    assert "Topologies" in reading_client.get("/help/fabric").text
    assert reading_client.get("/help/quantities/carbon").status_code == 200
    assert reading_client.get("/help/decisions/0006-one-collective-model").status_code == 200
    assert reading_client.get("/help/files/sbom.cdx.json").status_code == 200
    for missing in ("cellar", "quantities/cellar", "fabric/faults", "files/settings.md", "decisions/cellar"):
        assert reading_client.get(f"/help/{missing}").status_code == 404
    assert (
        '<a class="help-link" href="/help/fabric#topologies"'
        in reading_client.get("/fabric/edge_node/topology").text
    )
