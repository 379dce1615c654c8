"""Roles in words, as pages and docs say them. What each may do is in app/saved/access.py."""

from __future__ import annotations

from app.saved.access import ACTIONS, NEEDED, ROLES, Action, Role

MEANINGS: dict[Role, str] = {
    "viewer": "Opens and exports everything of the team, and changes nothing.",
    "commenter": "And comments.",
    "editor": "And saves, deletes, restores and shares.",
    "owner": "And looks after members, invitations and the team itself.",
}

ACTION_WORDS: dict[Action, str] = {
    "read": "Open, compare, export",
    "comment": "Comment and answer",
    "write": "Save, rename, tag, import",
    "delete": "Delete and restore",
    "share": "Share with other teams and by links",
    "manage": "Members, roles, invitations, the webhook, the team itself, its log",
}


def table() -> str:
    """What each role may do, as a table of Markdown.

    >>> print(table().splitlines()[2])
    | Open, compare, export (`read`) | yes | yes | yes | yes |
    """
    lines = [f"| | {' | '.join(ROLES)} |", f"|---|{'---|' * len(ROLES)}"]
    for action in ACTIONS:
        needed = ROLES.index(NEEDED[action])
        marks = ["yes" if ROLES.index(role) >= needed else "" for role in ROLES]
        lines.append(f"| {ACTION_WORDS[action]} (`{action}`) | {' | '.join(marks)} |".replace("|  |", "| |"))
    return "\n".join(lines)
