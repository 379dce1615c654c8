"""The lint on wording finds what it should, in every kind of file, and nothing else."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from scripts.plain_words import WORDS, Excuse, check, files, findings, words

PLANTED = {
    "app/a.py": '"""Rates of a fabric."""\n\nLABEL = "Price that nobody knows"\n',
    "app/scenarios/document/b.py": 'def f() -> int:\n    """What a fabric costs."""\n    return 1\n',
    "app/engine/c.py": '@quantity(unit="1")\ndef f():\n    """Overlap.\n\n    Mode, 0 or 1.\n    """\n',
    "app/d.py": 'f"costs {price} USD an accelerator"\n',
    "app/e.py": 'WORDS = ("sent in a "\n    "batch; all of them")\n',
    "app/surfaces/pages/f.py": 'hint = f"Set facility.heat_reuse to {value}."\n',
    "templates/a.html": '{# nobody #}<p>{{ shown }}</p>\n<button title="Draw up">Go</button>\n',
    "templates/b.html": "<table>\n<tr><th>Value</th>\n<th>Said</th></tr>\n",
    "templates/c.html": "{{ box('unit', 'Sharing') }}\n",
    "static/js/a.js": "// nobody\nshow(`as it stands ${now}`);\n",
    "docs/a.md": "# A\n\nText `nobody`.\n\n| Part | Said |\n",
}
"""Files with one wording to avoid each, on the line below."""
LINES = {
    "app/a.py": 3, "app/scenarios/document/b.py": 2, "app/engine/c.py": 5, "app/d.py": 1, "app/e.py": 1, "app/surfaces/pages/f.py": 1,
    "templates/a.html": 2, "templates/b.html": 3, "templates/c.html": 1, "static/js/a.js": 2, "docs/a.md": 5,
}  # fmt: skip

PLAIN = {
    "app/a.py": 'KEY = "facility.heat_reuse"\nSaid = tuple\n# nobody\nKIND = "nobody_else"\n',
    "app/b.py": 'def f() -> int:\n    """Cost of a fabric.\n\n    What it costs where nobody looks is not shown.\n    """\n',
    "app/engine/c.py": 'hint = "Set facility.heat_reuse to 40."\n',
    "templates/a.html": '<p data-nobody="nobody">{{ nobody }}</p><script>nobody</script>\n',
    "docs/a.md": "```\nnobody\n```\nSaid so.\n",
}


@pytest.mark.parametrize("path", PLANTED)
def test_a_planted_wording_is_found_at_its_line(path: str) -> None:
    found = list(findings(path, PLANTED[path], words()))
    assert [finding.text.line for finding in found] == [LINES[path]]
    assert str(found[0]).startswith(f"{path}:{LINES[path]}: “")
    assert found[0].word.instead in str(found[0])


@pytest.mark.parametrize("path", PLAIN)
def test_names_code_and_comments_are_left_alone(path: str) -> None:
    assert not list(findings(path, PLAIN[path], words()))


def test_an_excuse_is_for_its_file_and_wording() -> None:
    path = "app/a.py"
    (finding,) = findings(path, PLANTED[path], words())
    assert Excuse("app/a.py", "nobody", "a reason").covers(finding)
    assert not Excuse("app/b.py", "nobody", "a reason").covers(finding)
    assert not Excuse("app/a.py", "anew", "a reason").covers(finding)


def test_a_copy_with_a_planted_wording_is_refused(tmp_path: Path) -> None:
    for path, source in PLANTED.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(source, encoding="utf-8")
    assert len(files(tmp_path)) == len(PLANTED)
    refused = [line for line in check(tmp_path) if not line.startswith("plain_words_exceptions.csv")]
    assert sorted(line.split(":")[0] for line in refused) == sorted(PLANTED)


def test_every_word_says_what_to_write_and_is_listed_once() -> None:
    assert all(word.instead for word in words().every)
    rows = WORDS.read_text(encoding="utf-8").splitlines()
    assert len(rows) == len(set(rows))
    assert len({(word.phrase, word.where) for word in words().every}) == len(words().every)


@pytest.mark.slow
def test_the_product_is_in_plain_words_and_that_is_seen_in_seconds() -> None:
    began = process_time()
    assert check() == []
    assert process_time() - began < 4  # 1.5 s on an idle machine
