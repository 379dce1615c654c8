"""Passwords: what is taken for one, and Argon2id, which keeps what could be guessed from being tried quickly.

The cost is above the least that OWASP's Password Storage Cheat Sheet asks for (19 MiB, two passes, one
lane). A hash names its own cost, so it is made again at a sign-in when the cost has been raised.
"""

from __future__ import annotations

import functools
import os
import re
import sys
import threading
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from app.teams.errors import ThrottledError, cannot

SHORTEST = 12
LONGEST = 1024


class Cost(NamedTuple):
    """Of one hash: passes, memory [KiB] and lanes."""

    passes: int
    memory_kib: int
    lanes: int


COST = Cost(3, 64 * 1024, 1)
MOST_SIGN_INS = 8
"""That are checked at once or wait for it, in one process: more would keep its threads from everybody else."""
CROWDED_S = 2
NICENESS = 10


def _yield_to_pages() -> None:
    if sys.platform == "linux":  # where a thread has a priority of its own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_hashing = ThreadPoolExecutor(2, "passwords", initializer=_yield_to_pages)  # each hash takes its memory
_sign_ins = threading.BoundedSemaphore(MOST_SIGN_INS)

# The most common of those that are long enough, by the lists of leaked passwords that guessers begin with.
_COMMON = """
123456789012 1234567890123 12345678901234 123456789123 1234567891011 0123456789ab 987654321098 121212121212
111222333444 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3edc4rfv qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertyuiopasdf
qwertyuiopasdfghjkl asdfghjkl123 zaq12wsxcde3 zxcvbnm12345 q1w2e3r4t5y6 abcdefghijkl abcdefghijklm abcd12345678
abc123456789 a1b2c3d4e5f6 password1234 password12345 password123456 passwordpassword mypassword123 p@ssword1234
p@ssw0rd1234 passw0rd1234 administrator administrator1 administrator123 admin123456789 adminadminadmin
letmeinletmein letmein12345 welcome12345 welcome123456 iloveyou1234 iloveyou12345 iloveyouforever sunshine1234
princess1234 football1234 baseball1234 superman1234 batman123456 dragon123456 monkey123456 changeme1234
changemechangeme changeme12345 correcthorsebatterystaple trustno1trustno1 secretsecret supersecret1 topsecret1234
unknownunknown computer1234 internet1234 michaeljackson manchesterunited liverpoolfc12 helloworld12 helloworld123
"""
COMMON = frozenset(_COMMON.split())


def check(password: str, *, email: str = "", name: str = "", field: str = "password") -> None:
    """Nothing, where a text can be a password: it is long enough, and is not what everybody would try first.

    Raises
    ------
    ScenarioError : it cannot
    """
    text = _normal(password)
    if len(text) < SHORTEST:
        raise cannot(
            f"A password has at least {SHORTEST} characters.",
            rule="too_short",
            field=field,
            hint="Several words that do not belong together are long and easy to remember.",
        )
    if len(text) > LONGEST:
        raise cannot(f"A password has at most {LONGEST:,} characters.", rule="too_long", field=field)
    folded = text.casefold()
    own = {part.casefold() for part in (email, email.partition("@")[0], name, "".join(name.split())) if part}
    if folded in own:
        raise cannot("A password is not one's own name or address.", rule="too_common", field=field)
    if folded in COMMON or re.fullmatch(r"(.{1,4}?)\1+.{0,3}", folded):
        raise cannot(
            "This password is one of those that are tried first.",
            rule="too_common",
            field=field,
            hint="Choose another, or have a password manager make one.",
        )


def hashed(password: str) -> str:
    """The hash under which a password is kept. Slow on purpose: call it outside of transactions."""
    return _hashing.submit(_hasher(COST).hash, _normal(password)).result()


@contextmanager
def room_to_sign_in() -> Iterator[None]:
    """Held while someone's password is checked, from before anything is written down.

    Raises
    ------
    ThrottledError : too many are checked already
    """
    if not _sign_ins.acquire(blocking=False):
        raise ThrottledError(CROWDED_S, "Too many people are signing in at once.")
    try:
        yield
    finally:
        _sign_ins.release()


def verified(password: str, password_hash: str | None) -> tuple[bool, str | None]:
    """Return whether a password is right, and the hash to keep from now on where the old one was too cheap.

    Without a hash the answer is no, in the same time: it must not show who has an account.
    """
    if len(password) > LONGEST:
        password = ""
    kept = password_hash or _dummy(COST)
    right, better = _hashing.submit(_hasher(COST).verify_and_update, _normal(password), kept).result()
    return (right, better) if password_hash else (False, None)


@functools.cache
def _hasher(cost: Cost) -> PasswordHash:
    passes, memory_kib, lanes = cost
    return PasswordHash((Argon2Hasher(time_cost=passes, memory_cost=memory_kib, parallelism=lanes),))


@functools.cache
def _dummy(cost: Cost) -> str:
    return _hasher(cost).hash("no account has this password")


def _normal(password: str) -> str:
    """The same letters typed on another keyboard are the same password."""
    return unicodedata.normalize("NFKC", password)
