"""The one question: may someone do something?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.saved.access import (
    ACTIONS,
    LOCAL,
    NEEDED,
    NOBODY,
    ROLES,
    THROUGH_A_SHARE,
    Action,
    Actor,
    ForbiddenError,
    HiddenError,
    LinkRight,
    Resource,
    Role,
    may,
    require,
)

OURS, THEIRS = 1, 2


@pytest.mark.parametrize("action", ACTIONS)
def test_whoever_sits_here_may_do_everything_in_the_personal_workspace(action: Action) -> None:
    require(LOCAL, action, Resource(workspace_id=OURS))


@pytest.mark.parametrize("action", ACTIONS)
def test_nobody_sees_anything(action: Action) -> None:
    with pytest.raises(HiddenError):
        require(NOBODY, action, Resource(workspace_id=OURS, saved_id="a"))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ACTIONS)
def test_a_role_may_do_what_it_is_for(role: Role, action: Action) -> None:
    member = Actor(account_id="m", roles={OURS: role})
    allowed = ROLES.index(role) >= ROLES.index(NEEDED[action])
    assert may(member, action, Resource(workspace_id=OURS)) is allowed
    assert not may(member, action, Resource(workspace_id=THEIRS))


def test_what_may_be_seen_is_refused_in_words_and_the_rest_is_hidden() -> None:
    viewer = Actor(account_id="v", roles={OURS: "viewer"})
    with pytest.raises(ForbiddenError, match="needs the role editor; yours is viewer") as caught:
        require(viewer, "write", Resource(workspace_id=OURS))
    assert not isinstance(caught.value, HiddenError)
    with pytest.raises(HiddenError):
        require(viewer, "write", Resource(workspace_id=THEIRS))


def test_a_token_does_what_its_scopes_say_and_no_more_than_its_owner() -> None:
    token = Actor(account_id="o", roles={OURS: "owner"}, scopes=frozenset({"read"}))
    assert may(token, "read", Resource(workspace_id=OURS))
    with pytest.raises(ForbiddenError, match="scopes are read"):
        require(token, "write", Resource(workspace_id=OURS))
    wide = Actor(account_id="v", roles={OURS: "viewer"}, scopes=frozenset(ACTIONS))
    assert not may(wide, "write", Resource(workspace_id=OURS))


@given(st.sampled_from(ROLES), st.sampled_from(ROLES[:-1]), st.sampled_from(ACTIONS))
def test_a_share_gives_no_more_than_it_says_nor_than_the_role_in_the_team(
    role: Role, shared: Role, action: Action
) -> None:
    member = Actor(account_id="m", roles={OURS: role})
    resource = Resource(workspace_id=THEIRS, saved_id="a", shared_with={OURS: shared})
    least = min(role, shared, key=ROLES.index)
    allowed = ROLES.index(least) >= ROLES.index(NEEDED[action]) and action in THROUGH_A_SHARE
    assert may(member, action, resource) is allowed


@given(st.sampled_from(ROLES[:-1]), st.sampled_from(ACTIONS))
def test_a_link_opens_one_thing(role: Role, action: Action) -> None:
    guest = Actor(links=(LinkRight(id="l", saved_id="a", role=role),))
    allowed = ROLES.index(role) >= ROLES.index(NEEDED[action]) and action in THROUGH_A_SHARE
    assert may(guest, action, Resource(workspace_id=OURS, saved_id="a")) is allowed
    assert not may(guest, action, Resource(workspace_id=OURS, saved_id="b"))
    assert not may(guest, action, Resource(workspace_id=OURS))


def test_a_link_to_a_revision_opens_that_revision_only() -> None:
    guest = Actor(links=(LinkRight(id="l", saved_id="a", role="viewer", revision=3),))
    assert may(guest, "read", Resource(workspace_id=OURS, saved_id="a", revision=3))
    assert not may(guest, "read", Resource(workspace_id=OURS, saved_id="a", revision=4))
    assert not may(guest, "read", Resource(workspace_id=OURS, saved_id="a"))


def test_a_share_never_takes_away_what_a_member_may() -> None:
    editor = Actor(
        account_id="e", roles={OURS: "editor"}, links=(LinkRight(id="l", saved_id="a", role="viewer"),)
    )
    assert all(may(editor, action, Resource(workspace_id=OURS, saved_id="a")) for action in ACTIONS[:5])
