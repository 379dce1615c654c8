"""The table of roles in the docs says what the code does."""

from __future__ import annotations

from pathlib import Path

from app.saved.access import ACTIONS, ROLES, Actor, Resource, may
from app.teams.roles import ACTION_WORDS, MEANINGS, table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "people.md"


def test_the_docs_say_what_each_role_may_do():
    assert table() in PAGE.read_text(encoding="utf-8")


def test_the_table_is_what_is_asked_before_anything_is_done():
    lines = dict(zip(ACTIONS, table().splitlines()[2:], strict=True))
    for action in ACTIONS:
        said = [cell.strip() for cell in lines[action].split("|")[2:-1]]
        done = [
            "yes" if may(Actor(roles={7: role}), action, Resource(workspace_id=7)) else "" for role in ROLES
        ]
        assert said == done


def test_every_role_and_action_has_words():
    assert set(MEANINGS) == set(ROLES)
    assert set(ACTION_WORDS) == set(ACTIONS)
