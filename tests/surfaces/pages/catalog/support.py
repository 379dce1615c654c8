"""What the tests of the catalog pages have in common."""

from __future__ import annotations

import datetime
import re
from urllib.parse import quote

from app.surfaces.pages.catalog.filters import read_query, select
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.table import Table
from tests.asgi import AsgiClient

TODAY = datetime.date(2026, 11, 28)
PAGE = {"accept": "text/html"}
SMALL = ("accelerators", "climate", "cpus", "dpus", "models", "nics", "optics", "reference_architectures",
         "sites", "storage", "switches", "systems")  # fmt: skip
LARGE = tuple(kind for kind in VIEWS if kind not in SMALL)


def get(client: AsgiClient, path: str, **parameters: str) -> str:
    return client.get(path, params=parameters, headers=PAGE).text


def address(kind: str, key: str) -> str:
    return f"/catalog/{kind}/{quote(key, safe='')}"


def keys_of(page: str, kind: str) -> list[str]:
    """Addresses of the rows of a table, in order."""
    return re.findall(rf'<th scope="row"><a href="/catalog/{kind}/([^"]+)"', page)


def selected(table: Table, **parameters: str) -> list[str]:
    """Keys of the rows that a request asks for."""
    query = read_query(table, parameters.items())
    assert not query.faults
    return [row.key for row in select(table, query)]
