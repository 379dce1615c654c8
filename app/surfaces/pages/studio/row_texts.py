"""The rows of a panel as text: each made once, and left out of an answer where the page shows it already."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection
from typing import Any

import orjson
from jinja2 import Environment
from markupsafe import Markup

from app.surfaces.pages.saved.rights import may_keep
from app.surfaces.pages.studio.rows import Row

KEPT = 2048
FOUND_LAYOUT = "parallelism"
"""The row that says which layout was found as well."""


class RowTexts:
    """Rows of `templates/studio/row.html` for a page that is open.

    Parameters
    ----------
    shown : names of the rows that the page has as they were sent
    """

    def __init__(self, environment: Environment, shown: Collection[str]) -> None:
        self._environment, self._shown = environment, frozenset(shown)

    def text(self, row: Row, layout: dict[str, Any]) -> Markup:
        """A row with its name; only its place where the page has it."""
        found = orjson.dumps(layout) if row.field.path == FOUND_LAYOUT else b""
        name, text = _named(self._environment, row, found, may_keep())
        if name in self._shown:
            return Markup('<div class="field" data-path="{}" data-same></div>').format(row.field.path)
        return text


@functools.lru_cache(KEPT)
def _named(environment: Environment, row: Row, layout: bytes, keeps: bool) -> tuple[str, Markup]:
    """The name of a row, which is of its content, and its text.

    `keeps`, which it follows from, is of the caller.
    """
    macro: Any = environment.get_template("studio/row.html").module
    text = str(macro.field_row(row, {}, True, orjson.loads(layout) if layout else {}))
    name = hashlib.sha256(text.encode()).hexdigest()[:10]
    return name, Markup(text.replace('<div class="field ', f'<div data-of="{name}" class="field ', 1))
