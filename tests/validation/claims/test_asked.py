"""Claims narrowed by words and choices; what cannot be used is said and narrows nothing."""

from __future__ import annotations

import pytest

from app.validation.claims.judge import LONGEST_SEARCH, Claims, facets, read_asked


def found(claims: Claims, **given: str) -> list[str]:
    asked = read_asked(given)
    assert not asked.faults
    return [one.claim.id for one in claims.all() if asked.holds(one)]


@pytest.mark.parametrize("name", facets())
def test_choices_part_the_claims(claims: Claims, name: str):
    parts = [found(claims, **{name: word}) for word in facets()[name]]
    assert sorted(key for part in parts for key in part) == sorted(found(claims))
    assert all(parts)


def test_words_are_looked_for_in_corrections_too(claims: Claims):
    assert "S2-12" in found(claims, q="3d TORUS")
    assert found(claims, q="3d torus", verdict="right") == ["S0-33"] or not found(
        claims, q="3d torus", verdict="right"
    )
    assert found(claims, q="zzzz") == []


def test_a_bad_choice_names_the_nearest_and_narrows_nothing(claims: Claims):
    asked = read_asked({"verdict": "wrnog"})
    assert [str(fault) for fault in asked.faults] == [
        "verdict cannot be 'wrnog'. Nearest: wrong. Known: wrong, imprecise, right, unverifiable."
    ]
    assert not asked.narrows


def test_a_search_has_an_end():
    (fault,) = read_asked({"q": "x" * (LONGEST_SEARCH + 1)}).faults
    assert fault.name == "q"
    assert "201" in fault.message
