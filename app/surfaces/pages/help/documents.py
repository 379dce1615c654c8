"""The documents that are served, in groups, and the sections that their headings make of them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from app import paths

DECISIONS = "decisions"
LEAD = re.compile(r"^\*\*(?:Context|Question)\.\*\* ")
LONG_DOCUMENT = 4_000
"""Lines from which each second-level section is a page of its own."""


class Group(NamedTuple):
    title: str
    keys: tuple[str, ...]


GROUPS = (
    Group(
        "Work with designs",
        (
            "questions",
            "interface",
            "studio",
            "saved",
            "sharing",
            "together",
            "sweeps",
            "study",
            "fleet",
            "exports",
            "handover",
            "team_catalog",
        ),
    ),
    Group(
        "Methods: performance",
        ("training", "serving", "serving_model", "generic", "shared_pod", "scaling", "uncertainty"),
    ),
    Group(
        "Methods: SuperNode, fabric, facility, cost",
        ("supernode", "fabric", "facility", "economics", "operations", "reliability"),
    ),
    Group(
        "Data and accuracy",
        ("catalog", "validation", "training_errors", "claims", "gallery", "growth", "data_licences"),
    ),
    Group("Reference", ("quantities", "commands", "api")),
    Group(
        "Run a server",
        ("deploy", "settings", "databases", "people", "security", "dependencies"),
    ),
)
"""Every document of docs/ is in one group; decisions make a group of their own."""


class Section(NamedTuple):
    """A heading, as text and as `marked` up, and the text below it.

    `level` is 1 for the title of the document.
    """

    level: int
    heading: str
    marked: str
    anchor: str
    text: str

    @property
    def markdown(self) -> str:
        return f"{'#' * self.level} {self.marked}\n{self.text}"


class Document(NamedTuple):
    """`source` is the path below the root of the repository, against which its links are read."""

    key: str
    title: str
    summary: str
    source: str
    text: str

    @property
    def address(self) -> str:
        return f"/help/{self.key}"

    @property
    def is_long(self) -> bool:
        """Return whether sections have pages of their own."""
        return self.text.count("\n") > LONG_DOCUMENT

    def address_of(self, section: Section, chapter: str) -> str:
        """Address of a section; `chapter` is the anchor of the second-level heading above it."""
        if section.level == 1:
            return self.address
        if not self.is_long:
            return f"{self.address}#{section.anchor}"
        page = f"{self.address}/{chapter}"
        return page if section.anchor == chapter else f"{page}#{section.anchor}"


@cache
def documents() -> dict[str, Document]:
    """Every document by its key, read once a process."""
    found = {
        path.stem: _read(path.stem, path, f"docs/{path.name}") for path in sorted(paths.docs().glob("*.md"))
    }
    for path in sorted((paths.docs() / DECISIONS).glob("*.md")):
        key = f"{DECISIONS}/{path.stem}"
        found[key] = _read(key, path, f"docs/{DECISIONS}/{path.name}")
    found["data_licences"] = _read(
        "data_licences", paths.seed_data() / "LICENSES.md", "seed_data/LICENSES.md"
    )
    return found


@cache
def grouped() -> tuple[tuple[str, tuple[Document, ...]], ...]:
    """The documents in the order of the help page."""
    known = documents()
    decisions = tuple(document for key, document in known.items() if key.startswith(f"{DECISIONS}/"))
    groups = tuple((group.title, tuple(known[key] for key in group.keys if key in known)) for group in GROUPS)
    return (*groups, ("Design decisions", decisions))


@cache
def by_source() -> dict[str, Document]:
    """Documents by their file, as links between them name it."""
    return {document.source: document for document in documents().values()}


@cache
def sections(key: str) -> tuple[Section, ...]:
    """The headings of a document with the text below each, in its order; code blocks hold no headings."""
    found: list[Section] = []
    lines: list[str] = []
    slugs: dict[str, int] = {}
    heading, level, fenced = "", 0, False
    for line in [*documents()[key].text.splitlines(), "# "]:
        if line.startswith("```"):
            fenced = not fenced
        match = None if fenced else re.match(r"(#{1,4}) ?(.*)", line)
        if match is None:
            lines.append(line)
            continue
        if heading:
            found.append(Section(level, plain(heading), heading, slug(heading, slugs), "\n".join(lines)))
        level, heading, lines = len(match[1]), match[2].strip(), []
    return tuple(found)


@cache
def chapters(key: str) -> dict[str, str]:
    """Anchor of each section -> anchor of the second-level section that it is in."""
    above, found = "", {}
    for section in sections(key):
        above = section.anchor if section.level <= 2 else above
        found[section.anchor] = above
    return found


def section_at(key: str, anchor: str) -> Section | None:
    """The section of a document with this anchor, None where there is none."""
    return next((section for section in sections(key) if section.anchor == anchor), None)


def slug(heading: str, taken: dict[str, int]) -> str:
    """The anchor of a heading, as GitHub makes it; a number tells repeated ones apart.

    >>> taken = {}
    >>> slug("POST /api/v1/evaluations:batch", taken), slug("In a search", taken), slug("In a search", taken)
    ('post-apiv1evaluationsbatch', 'in-a-search', 'in-a-search-1')
    """
    base = re.sub(r"[^\w\- ]", "", plain(heading).lower()).replace(" ", "-")
    count = taken.get(base, 0)
    taken[base] = count + 1
    return f"{base}-{count}" if count else base


def plain(text: str) -> str:
    """A line of Markdown without its marks.

    >>> plain("`podwright fabric` and [Sizes](#sizes)")
    'podwright fabric and Sizes'
    """
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return text.replace("`", "").replace("**", "")


def _read(key: str, path: Path, source: str) -> Document:
    text = path.read_text(encoding="utf-8")
    title = re.match(r"# (.*)", text)
    if title is None:
        raise ValueError(f"{source} does not begin with a first-level heading")
    return Document(key, plain(title[1]), _summary(text), source, text)


def _summary(text: str) -> str:
    """The first sentence of prose."""
    for paragraph in text.split("\n\n")[1:]:
        prose = plain(LEAD.sub("", paragraph).replace("\n", " ").strip())
        if prose and not prose.startswith(("#", "|", "```", "- ", "1. ")):
            first = re.split(r"(?<=[.!?:]) (?=[A-Z])", prose, maxsplit=1)[0]
            return re.sub(r" \([\w/]+\.md\)", "", first)
    return ""
