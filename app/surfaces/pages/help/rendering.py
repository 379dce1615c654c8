"""A document as a page: Markdown without raw HTML, headings with anchors, links between documents."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from app.surfaces.pages.help.documents import (
    Document,
    Section,
    by_source,
    chapters,
    documents,
    section_at,
    sections,
)

RENDERED = 32
"""Pages that are kept as they were rendered."""

FILES = {"docs/openapi.json": "/openapi.json", "docs/sbom.cdx.json": "/help/files/sbom.cdx.json"}
"""Files beside the documents, by the addresses that serve them."""

MOST_ENTRIES = 40
"""Entries of a table of contents that lists third-level headings as well."""


class Entry(NamedTuple):
    """A line of the table of contents."""

    level: int
    text: str
    address: str


class HelpPage(NamedTuple):
    """`chapter` is the heading of a section that has a page of its own, else empty."""

    document: Document
    chapter: str
    body: Markup
    contents: tuple[Entry, ...]


@lru_cache(maxsize=RENDERED)
def help_page(key: str, chapter: str = "") -> HelpPage:
    """A document, or one section of a long one.

    Raises
    ------
    KeyError : no such document or section
    """
    document, all_sections = documents()[key], sections(key)
    above = chapters(key)
    if chapter:
        if not document.is_long or above.get(chapter) != chapter:
            raise KeyError(chapter)
        shown = tuple(section for section in all_sections if above[section.anchor] == chapter)
    elif document.is_long:
        shown = all_sections[:1]
    else:
        shown = all_sections
    title = shown[0].heading if chapter else ""
    return HelpPage(document, title, render(document, shown), _contents(document, all_sections))


def render(document: Document, shown: Sequence[Section]) -> Markup:
    """Sections as HTML, without the heading of the first."""
    markdown = _markdown()
    tokens = markdown.parse("\n".join(section.markdown for section in shown))
    headings = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    for place, section in zip(headings, shown, strict=True):
        tokens[place].attrSet("id", section.anchor)
        tokens[place].meta["section"] = section
    for token in tokens:
        children = token.children or []
        for place, child in enumerate(children):
            if child.type == "link_open":
                _lead(document, child, children[place + 1])
    return Markup(markdown.renderer.render(tokens[3:], markdown.options, {}))


def address_of(document: Document, target: str) -> str:
    """Address of what a link of a document leads to; the top of a document without the section (a test finds
    those).

    Raises
    ------
    KeyError : it leads to nothing that is served
    """
    path, _, anchor = target.partition("#")
    source = _source(document, path) if path else ""
    if source in FILES:
        return FILES[source]
    to = by_source()[source] if source else document
    section = section_at(to.key, anchor)
    return to.address if section is None else to.address_of(section, chapters(to.key)[anchor])


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("heading_close", _heading_close)
    made.add_render_rule("table_open", _table_open)
    made.add_render_rule("table_close", _table_close)
    made.add_render_rule("th_open", _th_open)
    made.add_render_rule("th_close", _th_close)
    made.add_render_rule("fence", _fence)
    made.add_render_rule("code_block", _fence)
    return made


def _lead(document: Document, link: Token, text: Token) -> None:
    """Let a link lead where it does inside the product; one whose text is a file name has the title
    instead."""
    target = str(link.attrGet("href"))
    if "://" in target:
        link.attrSet("rel", "noreferrer external")
        return
    link.attrSet("href", address_of(document, target))
    named = by_source().get(_source(document, text.content))
    if text.type == "text" and named is not None:
        text.content = named.title


def _source(document: Document, path: str) -> str:
    """The file that a path of a document names, below the root of the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(document.source), path))


def _contents(document: Document, found: Sequence[Section]) -> tuple[Entry, ...]:
    deepest = 3 if not document.is_long and sum(one.level in (2, 3) for one in found) <= MOST_ENTRIES else 2
    above = chapters(document.key)
    return tuple(
        Entry(section.level, section.heading, document.address_of(section, above[section.anchor]))
        for section in found
        if 2 <= section.level <= deepest
    )


def _heading_close(self: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    section: Section = tokens[place - 2].meta["section"]
    link = Markup(' <a class="anchor" href="#{}" aria-label="Link to {}">#</a>')
    return f"{link.format(section.anchor, section.heading)}</{tokens[place].tag}>\n"


def _table_open(self: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    heads = [tokens[at + 1].content for at in range(place, len(tokens)) if tokens[at].type == "th_open"]
    number = sum(token.type == "table_open" for token in tokens[: place + 1])
    label = escape(f"Table {number}: {', '.join(head for head in heads[:3] if head)}".replace("`", ""))
    return f'<div class="table-frame" role="region" tabindex="0" aria-label="{label}"><table>\n'


def _table_close(self: RendererHTML, *_: object) -> str:
    return "</table></div>\n"


def _th_open(self: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    return '<th scope="col">' if tokens[place + 1].content else '<td class="corner">'


def _th_close(self: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    return "</th>\n" if tokens[place - 1].content else "</td>\n"


def _fence(self: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    return f'<pre class="code" tabindex="0"><code>{escape(tokens[place].content.rstrip())}</code></pre>\n'
