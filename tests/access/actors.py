"""Everybody who may ask for something of one team, and what each may do with it.

What is expected is written out here by hand, so that it is not the code under test that is asked.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Need = Literal[
    "open",  # for anybody
    "known",  # for whoever is known, a guest with a link too
    "account",  # for whoever has an account, about that account
    "admin",  # for administrators
    "read", "comment", "write", "delete", "share", "manage",  # of the item, or of the workspace
]  # fmt: skip
Scope = Literal["item", "workspace"]
Outcome = Literal["allowed", "forbidden", "hidden", "sign in"]

OF_ROLE: dict[str, frozenset[str]] = {
    "viewer": frozenset({"read"}),
    "commenter": frozenset({"read", "comment"}),
    "editor": frozenset({"read", "comment", "write", "delete", "share"}),
    "owner": frozenset({"read", "comment", "write", "delete", "share", "manage"}),
}
OF_SHARE: dict[str, frozenset[str]] = {
    "viewer": frozenset({"read"}),
    "commenter": frozenset({"read", "comment"}),
    "editor": frozenset({"read", "comment", "write"}),
}


class Somebody(NamedTuple):
    """`item` and `workspace` are what they may do with the team's item, and in the team."""

    name: str
    item: frozenset[str] = frozenset()
    workspace: frozenset[str] = frozenset()
    has_account: bool = True
    is_known: bool = True
    is_admin: bool = False

    def expected(self, need: Need, scope: Scope) -> Outcome:
        """What becomes of a request."""
        if need == "open":
            return "allowed"
        if not self.is_known:
            return "sign in"
        if need == "known":
            return "allowed"
        if need == "account":
            return "allowed" if self.has_account else "forbidden"
        if need == "admin":
            return "allowed" if self.is_admin else "forbidden"
        may = self.item if scope == "item" else self.workspace
        if need in may:
            return "allowed"
        return "forbidden" if "read" in may else "hidden"


ANONYMOUS = Somebody("nobody", has_account=False, is_known=False)
OUTSIDER = Somebody("outsider")
MEMBERS = [Somebody(role, allowed, allowed) for role, allowed in OF_ROLE.items()]
SHARED = [Somebody(f"shared {role}", allowed) for role, allowed in OF_SHARE.items()]
GUESTS = [Somebody(f"link {role}", allowed, has_account=False) for role, allowed in OF_SHARE.items()]
PINNED = Somebody("link pinned", has_account=False)
TOKENS = [
    Somebody("token reading", frozenset({"read"}), frozenset({"read"})),
    Somebody("token writing", frozenset({"read", "write"}), frozenset({"read", "write"})),
    Somebody("token elsewhere"),
]
ADMIN = Somebody("administrator", is_admin=True)  # manages accounts, and sees nobody's work for that
EVERYBODY = [ANONYMOUS, OUTSIDER, *MEMBERS, *SHARED, *GUESTS, PINNED, *TOKENS, ADMIN]
