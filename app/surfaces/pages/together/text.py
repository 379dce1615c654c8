"""The text of a comment in a page: plain, with links that can be followed."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

ADDRESS = re.compile(r"https?://[^\s<>\"'`]+")
ENDS = ".,;:!?)]}"
"""What ends a sentence rather than an address."""


def comment_text(body: str) -> Markup:
    """Everything escaped; addresses become links that tell the other site nothing.

    >>> str(comment_text("<b>see https://example.org/a?b=1&c.</b>"))  # doctest: +ELLIPSIS
    '&lt;b&gt;see <a href="https://example.org/a?b=1&amp;c" ...>https://example.org/a?b=1&amp;c</a>.&lt;/b&gt;'
    """
    parts: list[Markup] = []
    at = 0
    for match in ADDRESS.finditer(body):
        address = match[0].rstrip(ENDS)
        parts.append(escape(body[at : match.start()]))
        parts.append(
            Markup('<a href="{}" rel="external nofollow noopener noreferrer">{}</a>').format(address, address)
        )
        at = match.start() + len(address)
    parts.append(escape(body[at:]))
    return Markup("").join(parts)
