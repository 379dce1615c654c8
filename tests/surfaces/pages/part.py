"""A section of a design without the workspace around it."""

from __future__ import annotations

import html

from app.surfaces.pages.later import PART_HEADER
from tests.asgi import AsgiClient


def section_text(client: AsgiClient, path: str, status: int = 200) -> str:
    """The HTML of a section alone, its entities read."""
    answer = client.get(path, headers={PART_HEADER: "section"})
    assert answer.status_code == status, answer.text[-400:]
    return html.unescape(answer.text)
