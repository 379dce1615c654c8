"""Errors of accounts and teams.

What was typed and cannot be used is a `ScenarioError` with one fault for each field, as everywhere else.
"""

from __future__ import annotations

from app.scenarios.errors import ScenarioError, refuse


class NotThereError(LookupError):
    """There is no such account, team, invitation or token, or the caller may not know of it."""


class SignInError(Exception):
    """Address and password do not belong together, or the account cannot be used. It does not say which."""


class ThrottledError(Exception):
    """Too many failures, or whatever `reason` says: the next attempt is heard after `retry_after_s` seconds."""

    def __init__(self, retry_after_s: int, reason: str = "Too many attempts failed.") -> None:
        self.retry_after_s = retry_after_s
        many = f"{retry_after_s} seconds" if retry_after_s < 120 else f"{-(-retry_after_s // 60)} minutes"
        super().__init__(f"{reason} Try again in {many}.")


def cannot(
    message: str, *, rule: str, field: str = "", hint: str = "", stated: bool = False
) -> ScenarioError:
    """Something that was asked for and cannot be done; the value is left out, for it may be a password."""
    return refuse(message, rule=rule, path=field, hint=hint, stated=stated)
