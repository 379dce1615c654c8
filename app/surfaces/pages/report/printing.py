"""A report as PDF: printed, and where it has contents printed again with the pages that its chapters came to
be on."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from app.settings import Settings
from app.surfaces.files.pdf import html_pdf
from app.surfaces.files.pdf_places import pages_of_places

NUMBER = re.compile(r'<span class="page-number" data-of="([^"]*)"></span>')


def page_number(key: str) -> Markup:
    """Room for the number of the page that a chapter is on; it takes no line of its own, so that filling it
    in moves nothing."""
    return Markup(f'<span class="page-number" data-of="{escape(key)}"></span>')


def report_pdf(html: str, settings: Settings) -> bytes:
    """A report as PDF.

    Raises
    ------
    NoPdfError : there is no Chromium, or it did not print in time
    """
    content = html_pdf(html, settings)
    if not NUMBER.search(html):
        return content
    pages = pages_of_places(content)
    filled = NUMBER.sub(lambda found: f'<span class="page-number">{pages.get(found[1], "")}</span>', html)
    return html_pdf(filled, settings) if pages else content
