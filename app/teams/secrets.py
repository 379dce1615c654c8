"""Secrets of callers: made at random, shown once, and kept as a hash only.

Hashes are made with the server's own secret, so a stolen database alone opens nothing.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from app.settings import Settings

TOKEN = re.compile(r"pwt_([0-9a-f]{16})\.([A-Za-z0-9_-]{43})")
LINK = re.compile(r"pwl_([0-9a-f]{32})\.([A-Za-z0-9_-]{43})")
FILE = "secret"


class Secrets:
    """Hashes and proofs of one server, or of several that share its secret."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.sha256(secret.encode()).digest()

    def hash(self, what: str, value: str) -> str:
        """The hash under which a secret is kept; `what` keeps those of one use from serving another."""
        return hmac.new(self._key, f"{what}\0{value}".encode(), hashlib.sha256).hexdigest()

    def proof(self, what: str, value: str) -> str:
        """What only this server can make of a value that anybody may know."""
        digest = hmac.new(self._key, f"{what}\0{value}".encode(), hashlib.sha256).digest()
        return _text(digest)

    def proves(self, what: str, value: str, given: str) -> bool:
        """Return whether a proof is right, in the same time whatever it is."""
        return hmac.compare_digest(self.proof(what, value).encode(), given.encode())


def new_secret() -> str:
    """256 bits at random, as text that suits cookies and addresses."""
    return secrets.token_urlsafe(32)


def same(first: str, second: str) -> bool:
    """Return whether two texts are the same, in the same time whatever they are."""
    return hmac.compare_digest(first.encode(), second.encode())


def secrets_of(settings: Settings) -> Secrets:
    """Those of the settings; where none is stated, of a file in the data folder that is made for this machine."""
    stated = settings.secret.get_secret_value()
    return Secrets(stated or _of_file(settings.data_dir.expanduser() / FILE))


def _of_file(path: Path) -> str:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass  # another process was first
        else:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(new_secret())
    return path.read_text(encoding="ascii")


def _text(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
