"""Passwords: what can be one, and that its hash costs what it should."""

from __future__ import annotations

import pytest

from app.scenarios.errors import ScenarioError
from app.teams import passwords
from app.teams.passwords import Cost, check, hashed, verified


@pytest.mark.parametrize(
    "password",
    [
        "quite unlikely words",
        "x1!x1!y2?z3:",
        "ünwahrscheinliche Wörter",
        "a" * 11 + "bcdefg",
        " leading blank",
        "密码密码不常见的一句话啊",
    ],
)
def test_anything_long_and_uncommon_is_taken(password):
    check(password, email="ada@example.org", name="Ada")


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("short enough", None),
        ("elevenchars", "at least 12"),
        ("é" * 11, "at least 12"),
        ("x" * 1025, "at most 1,024"),
        ("PasswordPassword", "tried first"),
        ("aaaaaaaaaaaaaaa", "tried first"),
        ("abcabcabcabcab", "tried first"),
        ("123456789012", "tried first"),
        ("Ada.Lovelace@example.org", "own name or address"),
        ("adalovelacethecountess", "own name or address"),
    ],
)
def test_what_is_tried_first_is_refused(password, words):
    given = {"email": "ada.lovelace@example.org", "name": "Ada Lovelace The Countess"}
    if words is None:
        check(password, **given)
        return
    with pytest.raises(ScenarioError, match=words) as refused:
        check(password, **given)
    assert password not in str(refused.value)


@pytest.mark.slow
def test_a_hash_costs_what_was_decided_and_says_so():
    assert Cost(3, 64 * 1024, 1) == passwords.COST
    found = hashed("quite unlikely words")
    assert found.startswith("$argon2id$v=19$m=65536,t=3,p=1$")
    assert verified("quite unlikely words", found) == (True, None)
    assert verified("quite unlikely word", found) == (False, None)
    assert verified("x" * 5000, found) == (False, None)


def test_nobody_s_password_is_right(monkeypatch):
    monkeypatch.setattr(passwords, "COST", Cost(1, 8, 1))
    assert verified("no account has this password", None) == (False, None)


def test_the_same_letters_typed_otherwise_are_the_same_password(monkeypatch):
    monkeypatch.setattr(passwords, "COST", Cost(1, 8, 1))
    assert verified("A\u030angstro\u0308m units", hashed("\u00c5ngstr\u00f6m units"))[0]
