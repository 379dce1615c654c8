"""Addresses of the catalog: where one is, what is not there, and what a page weighs."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.asgi import AsgiClient
from tests.surfaces.pages.catalog.support import PAGE, get


def test_top_bar_says_where_one_is(reading_client: AsgiClient) -> None:
    for path in ("/catalog", "/catalog/cpus", "/catalog/cpus/cpu_grace", "/catalog/nothing"):
        assert 'href="/catalog" aria-current="page">Catalog</a>' in get(reading_client, path)
    assert 'href="/catalog">Catalog</a>' in get(reading_client, "/nowhere")


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("/catalog/accelerator", "/catalog/accelerators"),
        ("/catalog/accelerators/nvidia_h100_sxn", "/catalog/accelerators/nvidia_h100_sxm"),
        ("/catalog/models/llama 3.1 405b", "/catalog/models/llama_3_1_405b"),
        ("/catalog/systems/DGX-H100", "/catalog/systems/dgx_h100"),
    ],
)
def test_missing_page_names_the_nearest(reading_client: AsgiClient, path: str, nearest: str) -> None:
    answer = reading_client.get(path, headers=PAGE)
    assert answer.status_code == 404
    assert f'href="{nearest}"' in answer.text


@pytest.mark.parametrize(
    "path", ["/catalog/zzzz", "/catalog/cpus/%01", "/catalog/cpus/a/b/c", "/catalog/cpus/"]
)
def test_missing_page_of_anything(reading_client: AsgiClient, path: str) -> None:
    assert reading_client.get(path, headers=PAGE).status_code == 404


@pytest.mark.parametrize(
    "path", ["/catalog", "/catalog/systems", "/catalog/aliases", "/catalog/accelerators/nvidia_h100_sxm"]
)
def test_page_with_all_it_loads_weighs_little(reading_client: AsgiClient, path: str) -> None:
    page = get(reading_client, path)
    loaded = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    sheet = next(link for link in loaded if link.endswith("base.css"))
    loaded.add(sheet.replace("css/base.css", "vendor/inter/inter.woff2"))
    weight = len(gzip.compress(page.encode(), 6))
    for link in loaded:
        content = reading_client.get(link).content
        weight += len(content) if link.endswith("woff2") else len(gzip.compress(content, 6))
    assert weight <= 120_000
