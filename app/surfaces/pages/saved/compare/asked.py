"""What a comparison is asked for with: references of both sides, and unsaved scenarios made from them."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode


class Compared(NamedTuple):
    """References of both sides; `s` is an unsaved scenario made from B, `t` one made from A."""

    a: str = ""
    b: str = ""
    s: str = ""
    every: bool = False
    t: str = ""

    @property
    def query(self) -> str:
        """What an address of both sides has."""
        fields = {"a": self.a, "b": self.b, "s": self.s, "t": self.t, "all": "1" if self.every else ""}
        return urlencode({name: text for name, text in fields.items() if text}, safe="@")

    def address(self, **changes: Any) -> str:
        """The address that asks for this, or for something a little different."""
        return f"/compare?{self._replace(**changes).query}"
