"""Formulas in mathematical notation: well-formed, complete, and in brackets where they must be."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import app.engine.design  # noqa: F401  every quantity is declared by importing it
from app.engine.quantities import REGISTRY
from app.surfaces.pages.mathematics import mathematics_of, values_in


def words_of(markup: str) -> str:
    """The text of MathML with brackets and fractions distinguished."""
    text = re.sub(r"<mfrac><mrow>(.*?)</mrow><mrow>(.*?)</mrow></mfrac>", r"[\1]/[\2]", str(markup))
    return " ".join("".join(ET.fromstring(f"<x>{text}</x>").itertext()).split())


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("return tokens / step_time_s", "y=[tokens]/[step time s]"),
        ("return a - (b - c)", "y=a−(b−c)"),
        ("return (a + b) * c", "y=(a+b)·c"),
        ("return -(a + b)", "y=−(a+b)"),
        ("return np.maximum(a, np.ceil(b))", "y=max(a,⌈b⌉)"),
        ("return np.clip(a, 0, 1)", "y=min(max(a,0),1)"),
        ("return np.where(a > 1, b, np.where(a > 0, c, 0))", "y={bif a>1cif a>00otherwise"),
        ("return np.where(np.isnan(a) | (b <= 0), 0, a)", "y={0if a is unknownorb≤0aotherwise"),
        ("half = a / 2\nreturn half * 1e9", "half=[a]/[2]y=half·109"),
        ("return model.layers * 2", "y=layers·2"),
    ],
)
def test_notation(code: str, words: str) -> None:
    assert words_of(mathematics_of("y", code)) == words


@pytest.mark.parametrize(
    "code",
    [
        "return sum(x for x in xs)",
        "for x in xs:\n    y += x\nreturn y",
        "return helper(a)",
        "return np.prod(a, axis=0)",
    ],
)
def test_code_without_notation_stays_code(code: str) -> None:
    assert mathematics_of("y", code) == ""


def test_values_stand_in_place_of_names() -> None:
    drawn = values_in("return tokens / step_time_s", (("tokens", "16 M"), ("step_time_s", "2 s")), "8 M/s")
    assert words_of(drawn) == "8 M/s=[16 M]/[2 s]"
    assert values_in("return tokens / step_time_s", (("tokens", "16 M"),), "8 M/s") == ""
    assert "<b>" not in values_in("return a", (("a", "<b>"),), "<b>")


def test_most_quantities_have_a_notation_and_none_shows_numpy() -> None:
    drawn = {path: mathematics_of(record.name, record.formula) for path, record in REGISTRY.items()}
    for path, markup in drawn.items():
        words = "".join(ET.fromstring(f"<x>{markup!s}</x>").itertext())
        assert "np." not in words, path
        assert "_" not in words, path
    known = sum(bool(markup) for markup in drawn.values())
    assert known / len(drawn) > 0.8, f"{known} of {len(drawn)}"
