"""The glossary: two sentences and a source each, and nothing twice."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.catalog.glossary import COLUMNS, FILE, glossary, read_glossary
from app.surfaces.pages.catalog.sources import is_web_address

TERMS = glossary()
LINE = "mfu,MFU,,It is this.,It matters.,A paper,https://example.org/a"


@pytest.mark.parametrize("key", TERMS)
def test_two_sentences_and_a_source(key: str) -> None:
    term = TERMS[key]
    for sentence in term.sentences:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not re.search(r"[.!?] +[A-Z]", sentence), "more than one sentence"
        assert 20 < len(sentence) < 180
    assert term.source
    assert is_web_address(term.address)


def test_no_name_means_two_things() -> None:
    names = Counter(name.casefold() for term in TERMS.values() for name in {term.term, *term.aliases})
    assert [name for name, count in names.items() if count > 1] == []
    assert [term.term.casefold() for term in TERMS.values()] == sorted(
        term.term.casefold() for term in TERMS.values()
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (LINE.replace("It matters.", ""), "why: is empty"),
        (LINE.replace("https://", "http://"), "no address that starts with https"),
        (f"{LINE}\n{LINE}", "is there already"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / FILE).write_text(f"{','.join(COLUMNS)}\n{line}\n", encoding="utf-8")
    with pytest.raises(SeedError) as error:
        read_glossary(tmp_path)
    assert said in str(error.value)
