"""Refuse wording that readers from the field would not use, wherever a reader sees it: `python -m scripts.plain_words`.

`plain_words.csv` lists the wording and what to write instead. `phrase` is a regular expression, without regard to case
unless it has a capital letter. `where` narrows it: with `label` it is the whole of a text, as a title, a column head or
a button is; with `docstring` the beginning of one that readers see; with `message` it stands in a sentence of pages or the engine.
`plain_words_exceptions.csv` names a file, the wording and the reason why it may stay; an exception that excuses nothing
any more is refused too.

Read are strings and docstrings of app/, texts and attributes of templates/, strings of static/js, and docs/*.md,
README.md and CONTRIBUTING.md without their code. Of a docstring the first line counts, and every line where readers see
all of it: quantities, fields and REST operations. Generated files repeat what is declared elsewhere and are left out.
"""

from __future__ import annotations

import ast
import csv
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / "scripts/plain_words.csv"
EXCEPTIONS = ROOT / "scripts/plain_words_exceptions.csv"
GENERATED = frozenset({"docs/quantities.md", "docs/dependencies.md"})
SHOWN_WHOLE = ("app/surfaces/rest/", "app/scenarios/document/")
"""Folders whose docstrings are descriptions in the document of the API."""
SHOWS_LABELS = ("app/surfaces/pages/", "app/charts/", "templates/", "static/")
"""Where a key is never shown. Messages of the engine and of views name fields by key, which programs and files need;
pages put labels in their place (`in_field_words`)."""
SHOWN_ATTRIBUTES = re.compile(r'\b(?:title|placeholder|alt|value|aria-label|aria-description)="([^"]*)"')
QUANTITY_DECORATORS = frozenset({"quantity"})


QUANTITY_DOCSTRING = re.compile(r'@quantity\((?:(?!""")[^@])*"""')
WORD_ENDS = (r"(?<![\w-])(?:", r")(?!\w)")
TEXT_ENDS = {
    "label": (r"\A\s*(?:", r")[.:…]?\s*\Z"),
    "docstring": (r"\s*(?:", r")\b"),
    "message": (r"(?<=\s)(?:", r")(?!\w)"),
}
"""What must be around a phrase in a text, by `where`."""
FILE_ENDS = {
    "label": (r"[\"'>`|]\s*(?:", r")[.:…]?\s*[\"'<`|]"),
    "docstring": (r'"""\s*(?:', r")\b"),
    "message": (r"[\s\"'`>](?:", r")"),
}
"""What must be around it in a file that has such a text."""


@dataclass(frozen=True)
class Text:
    """What a reader sees at a line."""

    line: int
    words: str
    is_docstring: bool = False
    is_published: bool = False  # whether readers see the docstring: of a quantity, a field or an operation


@dataclass(frozen=True)
class Word:
    """A wording to avoid, and what to write instead."""

    phrase: str
    where: str
    instead: str
    pattern: re.Pattern[str]  # of a text
    literal: str  # lower-case letters that every occurrence has
    probes: tuple[re.Pattern[str], ...]
    """Of a whole file, the fastest first: each finds all that have the wording, and others."""

    @classmethod
    def of(cls, phrase: str, where: str, instead: str) -> Word:
        before, after = TEXT_ENDS.get(where, WORD_ENDS)
        pattern = before + phrase + after
        if where == "message":
            pattern += r"|\A(?:" + phrase + r")(?=\s)"
        lowered = phrase.lower()
        # A group at the beginning is left out first: a pattern that begins with a letter is found much faster.
        fast = re.sub(r"^\([^()]*\)(?=\s)", "", phrase)
        before, after = FILE_ENDS.get(where, WORD_ENDS)
        probes = (re.compile(fast), re.compile(before + phrase + after))
        flags = re.IGNORECASE if phrase == lowered else re.NOFLAG
        return cls(phrase, where, instead, re.compile(pattern, flags), _literal(lowered), probes)

    def is_in(self, text: Text) -> bool:
        if (self.where == "docstring" and not text.is_published) or (
            self.where == "message" and text.is_docstring
        ):
            return False
        look = self.pattern.match if self.where == "docstring" else self.pattern.search
        return bool(look(text.words))

    def may_be_in(self, path: str, source: str, lowered: str) -> bool:
        """Whether a file deserves to be read: quick, and never no where the wording is."""
        if self.where == "message" and not path.startswith(SHOWS_LABELS):
            return False
        if self.where == "docstring" and not path.startswith(SHOWN_WHOLE):
            return any(
                self.pattern.match(source, found.end()) for found in QUANTITY_DOCSTRING.finditer(source)
            )
        searched = lowered if self.phrase == self.phrase.lower() else source
        return self.literal in lowered and all(probe.search(searched) for probe in self.probes)


def _literal(phrase: str) -> str:
    """The longest run of plain characters outside of groups and of what may be missing."""
    if "|" in re.sub(r"\([^()]*\)", "", phrase):
        return ""
    return max(re.split(r"\([^()]*\)[?*+]?|\\.|\[[^]]*\][?*+]?|.[?*]|[.+^$]", phrase), key=len)


class Words:
    """The wording to avoid; labels are looked for all at once, as each alone would take a pass over every file."""

    def __init__(self, every: Iterable[Word]) -> None:
        self.every = tuple(every)
        phrases = "|".join(word.phrase.lower() for word in self.every if word.where == "label")
        self._label = re.compile(r"[\"'>`|]\s*(?:" + phrases + r")[.:…]?\s*[\"'<`|]")

    def likely_in(self, path: str, source: str) -> list[Word]:
        if path.endswith(".py"):  # strings that are written in several pieces are read as one
            source = re.sub(r'"\n\s+f?"', "", source)
        lowered = source.lower()
        has_label = bool(self._label.search(lowered))
        wanted = (word for word in self.every if has_label or word.where != "label")
        return [word for word in wanted if word.may_be_in(path, source, lowered)]


@dataclass(frozen=True)
class Finding:
    path: str
    text: Text
    word: Word

    def __str__(self) -> str:
        found = self.word.pattern.search(self.text.words)
        seen = found[0].strip() if found else self.word.phrase
        return f"{self.path}:{self.text.line}: “{seen}”: write {self.word.instead}"


@dataclass(frozen=True)
class Excuse:
    """Wording that may stay in a file, with the reason; an empty path is any file."""

    path: str
    wording: str
    reason: str

    def covers(self, finding: Finding) -> bool:
        return finding.path.startswith(self.path) and self.wording in finding.text.words


def words(path: Path = WORDS) -> Words:
    with path.open(encoding="utf-8", newline="") as rows:
        return Words(Word.of(row["phrase"], row["where"], row["instead"]) for row in csv.DictReader(rows))


def excuses(path: Path = EXCEPTIONS) -> list[Excuse]:
    with path.open(encoding="utf-8", newline="") as rows:
        return [Excuse(row["path"], row["wording"], row["reason"]) for row in csv.DictReader(rows)]


def python_texts(source: str, *, whole: bool = False) -> Iterator[Text]:
    """Strings of a module and its docstrings, of each the first line or all of it."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                documented.add(id(first.value))
                lines = str(first.value.value).splitlines()
                published = whole or _is_quantity(node)
                for line, shown in enumerate(lines if published else lines[:1], first.lineno):
                    yield Text(
                        line, shown, is_docstring=True, is_published=published and line == first.lineno
                    )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield from (Text(line, words) for line, words in enumerate(node.value.splitlines(), node.lineno))


def _is_quantity(node: ast.AST) -> bool:
    marks = getattr(node, "decorator_list", ())
    return any(
        isinstance(mark, ast.Call) and getattr(mark.func, "id", "") in QUANTITY_DECORATORS for mark in marks
    )


def template_texts(source: str) -> Iterator[Text]:
    """Text between tags, the attributes that people see, and strings inside expressions."""
    source = re.sub(
        r"\{#.*?#\}|<!--.*?-->|<script\b[^>]*>.*?</script>|<style.*?</style>", _blank, source, flags=re.S
    )
    expressions = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.S)
    for match in expressions.finditer(source):
        for quoted in re.finditer(r"'([^'\n]*)'|\"([^\"\n]*)\"", match[0]):
            yield Text(_line(source, match.start() + quoted.start()), quoted[1] or quoted[2] or "")
    source = expressions.sub(lambda match: re.sub(r"[^\n]", "\x00", match[0]), source)
    for tag in re.finditer(r"<[^>]*>", source, re.S):
        for shown in SHOWN_ATTRIBUTES.finditer(tag[0]):
            yield Text(_line(source, tag.start() + shown.start()), shown[1].replace("\x00", ""))
    for match in re.finditer(r"(?:\A|>)([^<]+)", source):
        for line, text in enumerate(match[1].split("\n"), _line(source, match.start())):
            yield Text(line, text.replace("\x00", ""))


def script_texts(source: str) -> Iterator[Text]:
    """Strings and template literals of a script, without its comments."""
    strings = r"'((?:\\.|[^'\\\n])*)'|\"((?:\\.|[^\"\\\n])*)\"|`((?:\\.|[^`\\])*)`"
    for match in re.finditer(r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*|" + strings, source, re.S):
        shown = (match[1] or match[2] or match[3] or "").split("\n")
        yield from (Text(line, text) for line, text in enumerate(shown, _line(source, match.start())))


def document_texts(source: str) -> Iterator[Text]:
    """Lines of a page in Markdown without its code; the cells of a table are texts of their own."""
    source = re.sub(r"^```.*?^```|`[^`\n]*`", _blank, source, flags=re.M | re.S)
    for number, line in enumerate(source.split("\n"), 1):
        parts = line.strip("|").split("|") if line.startswith("|") else [line.lstrip("#> ")]
        yield from (Text(number, part.strip()) for part in parts)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _line(source: str, position: int) -> int:
    return source.count("\n", 0, position) + 1


def texts(path: str, source: str) -> Iterator[Text]:
    if path.endswith(".py"):
        return python_texts(source, whole=path.startswith(SHOWN_WHOLE))
    return {".html": template_texts, ".js": script_texts, ".md": document_texts}[Path(path).suffix](source)


def files(root: Path = ROOT) -> list[Path]:
    found = [*root.glob("app/**/*.py"), *root.glob("templates/**/*.html"), *root.glob("static/js/**/*.js")]
    pages = [*root.glob("docs/*.md"), *root.glob("README.md"), *root.glob("CONTRIBUTING.md")]
    return sorted(path for path in (*found, *pages) if path.relative_to(root).as_posix() not in GENERATED)


def findings(path: str, source: str, wanted: Words) -> Iterator[Finding]:
    """Wording to avoid in a file, once a text."""
    likely = wanted.likely_in(path, source)
    if likely:
        for text in texts(path, source):
            yield from (Finding(path, text, word) for word in likely if word.is_in(text))


def check(root: Path = ROOT) -> list[str]:
    """Every finding that nothing excuses, and every excuse that is not needed."""
    wanted, allowed = words(), excuses()
    needed: set[Excuse] = set()
    refused = []
    for path in files(root):
        for finding in findings(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"), wanted):
            excuse = next((one for one in allowed if one.covers(finding)), None)
            if excuse:
                needed.add(excuse)
            else:
                refused.append(str(finding))
    unneeded = [
        f"{EXCEPTIONS.name}: “{one.wording}” in {one.path}: remove" for one in allowed if one not in needed
    ]
    return refused + unneeded


if __name__ == "__main__":
    problems = check()
    print("\n".join(problems) or "Wording: nothing to replace.")
    sys.exit(bool(problems))
