"""podwright fabric bill: text, files, and options that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

POD = "gpt_3_175b_on_128_dgx_a100"


def test_the_bill_as_text(run) -> None:
    code, out, err = run("fabric", "bill", POD)
    assert (code, err) == (0, "")
    assert "Leaf switches" in out
    assert "All networks:" in out


def test_the_bill_as_files(run, tmp_path: Path) -> None:
    _, out, _ = run("fabric", "bill", POD, "--format", "json", "--lengths", "assumed")
    found = json.loads(out)
    assert found["options"]["lengths"] == "assumed"
    book = tmp_path / "bill.xlsx"
    code, out, _ = run("fabric", "bill", POD, "--format", "xlsx", "--output", str(book))
    assert (code, out) == (0, "")
    assert book.read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "pdf"), "json, csv, xlsx"),
        (("--format", "xlsx"), "--output"),
        (("--lengths", "guessed"), "lengths"),
        (("--patched-from-m", "0"), "patched_from_m"),
    ],
)
def test_what_cannot_be_used_is_said(run, words: tuple[str, ...], said: str) -> None:
    code, out, err = run("fabric", "bill", POD, *words)
    assert code == 2
    assert out == ""
    assert said in err
