"""Keys of designs in addresses: words for the examples, 32 hex digits for saved work."""

from __future__ import annotations

import re
from typing import NamedTuple

SAVED = re.compile(r"([0-9a-f]{32})(?:@([1-9][0-9]{0,8}))?")


class SavedKey(NamedTuple):
    """`revision` is 0 where the newest is meant."""

    id: str
    revision: int

    def __str__(self) -> str:
        return f"{self.id}@{self.revision}" if self.revision else self.id


def saved_key(key: str) -> SavedKey | None:
    """What a key names among saved work, None where it is the key of an example.

    >>> saved_key("edge_node") is None, saved_key("0" * 32 + "@3").revision
    (True, 3)
    """
    found = SAVED.fullmatch(key)
    return SavedKey(found[1], int(found[2] or 0)) if found else None
