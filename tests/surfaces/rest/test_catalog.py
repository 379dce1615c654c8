"""Search, filters, order, pages and conditional requests of the catalog."""

from __future__ import annotations

import re

import pytest

from app.catalog.kinds import KINDS
from app.catalog.ready import ready_catalog
from app.surfaces.rest.catalog_query import PAGING, Cursor, fields_of, read_query
from app.surfaces.rest.limits import Limits
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

CATALOG = "/api/v1/catalog"


def keys(answer):
    assert answer.status_code == 200, answer.text
    return [item["key"] for item in answer.json()["items"]]


def walked(client, path, limit):
    """All keys, page by page, following the Link header."""
    found, address = [], f"{path}{'&' if '?' in path else '?'}limit={limit}"
    while address:
        answer = client.get(address)
        found += keys(answer)
        link = re.fullmatch(r'<(.+)>; rel="next"', answer.headers.get("link", ""))
        assert bool(link) == (answer.json()["next"] is not None)
        address = link[1] if link else ""
    return found


def test_kinds_are_listed_with_their_fields(asgi_client):
    content = asgi_client.get(CATALOG).json()
    assert [item["kind"] for item in content["items"]] == list(KINDS)
    accelerators = next(item for item in content["items"] if item["kind"] == "accelerators")
    assert accelerators["rows"] == len(ready_catalog().keys("accelerators"))
    memory = next(field for field in accelerators["fields"] if field["name"] == "memory_bytes")
    assert memory == {"name": "memory_bytes", "type": "number", "unit": "B", "basis": "physical bytes"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_of_every_kind_is_found_once_and_has_a_page(asgi_client, kind):
    found = walked(asgi_client, f"{CATALOG}/{kind}", 100)
    assert found == sorted(ready_catalog().keys(kind), key=lambda key: (key.casefold(), key))


@pytest.mark.parametrize("kind", KINDS)
def test_a_listing_leads_to_its_parts(asgi_client, kind):
    items = asgi_client.get(f"{CATALOG}/{kind}?limit=500").json()["items"]
    odd = [item for item in items if not item["key"].isidentifier()]
    for item in items[:3] + odd[:: max(1, len(odd) // 20)]:
        part = asgi_client.get(item["href"])
        assert part.status_code == 200
        assert part.json()["key"] == item["key"]
        assert set(part.json()["facts"]) == set(item["facts"])


@pytest.mark.parametrize("kind", KINDS)
def test_no_field_is_taken_for_something_else(kind):
    names = set(fields_of(kind))
    assert not names & set(PAGING)
    assert not any("__" in name for name in names)


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_every_kind_can_be_sorted_by(asgi_client, kind):
    fields, parts = fields_of(kind), ready_catalog().parts(kind)
    known = {name for name, field in fields.items() if any(field.of(part) is not None for part in parts)}
    for name in fields:
        for sort in (name, f"-{name}"):
            shown, _ = read_query({"sort": sort}, fields, Limits(usual_items=10_000)).page(parts)
            assert {part.key for part in shown} == {part.key for part in parts}
            assert name not in known or fields[name].of(shown[0]) is not None
    assert {"key", "name"} <= known


def test_a_part_has_its_sources(asgi_client):
    content = asgi_client.get(f"{CATALOG}/accelerators/nvidia_h100_sxm").json()
    fact = content["facts"]["bf16_flop_per_s"]
    assert fact["value"] == pytest.approx(989.4e12)
    assert fact["unit"] == "FLOP/s"
    assert fact["printed"]["value"] == "989.4"
    assert fact["printed"]["unit"] == "TFLOP/s"
    assert fact["kind"] in {"vendor", "measured", "third_party", "derived", "assumption"}
    assert fact["source"]
    assert {"date", "confidence", "licence"} <= set(fact)
    assert content["price"]["value"] > 0
    assert len(content["prices"]) >= 1
    assert "workspace_id" not in content


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("vendor=NVIDIA", lambda part: part.vendor == "NVIDIA"),
        ("vendor__eq=nvidia", lambda part: part.vendor == "NVIDIA"),
        ("vendor__ne=nvidia", lambda part: part.vendor and part.vendor != "NVIDIA"),
        ("vendor__in=amd,google", lambda part: part.vendor in ("AMD", "Google")),
        ("name__contains=h100", lambda part: "h100" in part.name.lower()),
        ("year__gte=2024", lambda part: part.year and part.year >= 2024),
        ("year__lt=2024", lambda part: part.year and part.year < 2024),
        ("tdp_w__lte=400", lambda part: "tdp_w" in part.facts and part.facts["tdp_w"].value <= 400),
        ("tdp_w__gt=4e2", lambda part: "tdp_w" in part.facts and part.facts["tdp_w"].value > 400),
        ("tdp_w__in=700,1000", lambda part: "tdp_w" in part.facts and part.facts["tdp_w"].value in (700, 1000)),
        ("tdp_w__ne=700", lambda part: "tdp_w" in part.facts and part.facts["tdp_w"].value != 700),
        ("generation=hopper&year=2022", lambda part: part.attributes.get("generation") == "hopper" and part.year == 2022),
        ("q=h100+sxm", lambda part: "h100" in part.key and "sxm" in part.key),
    ],
)  # fmt: skip
def test_filters(asgi_client, query, expected):
    parts = ready_catalog().parts("accelerators")
    wanted = {part.key for part in parts if expected(part)}
    found = set(keys(asgi_client.get(f"{CATALOG}/accelerators?{query}&limit=500")))
    assert wanted
    assert found == wanted if not query.startswith("q=") else found >= wanted


def test_order_puts_unknown_last_and_pages_agree_with_it(asgi_client):
    catalog = ready_catalog()
    for sort in ("tdp_w", "-tdp_w", "vendor", "-vendor"):
        path = f"{CATALOG}/accelerators?sort={sort}"
        whole = keys(asgi_client.get(f"{path}&limit=500"))
        assert walked(asgi_client, path, 7) == whole
        field = fields_of("accelerators")[sort.removeprefix("-")]
        values = [field.of(catalog.part("accelerators", key)) for key in whole]
        known = [value for value in values if value is not None]
        assert values[len(known) :] == [None] * (len(values) - len(known))
        assert known == sorted(known, reverse=sort.startswith("-"))


def test_a_page_continues_after_rows_that_are_gone(asgi_client):
    cursor = Cursor(sort="key", value="nvidia_h", key="nvidia_h")  # no such row
    found = keys(asgi_client.get(f"{CATALOG}/accelerators?after={cursor.text()}&limit=1"))
    assert found[0] > "nvidia_h"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("vendr=x", "vendor"),
        ("tdp__gte=3", "tdp_w"),
        ("tdp_w__gtr=3", "gt"),
        ("tdp_w__gte=many", "not a number"),
        ("tdp_w__gte=nan", "not a number"),
        ("tdp_w__gte=", "not a number"),
        ("tdp_w__contains=7", "is a number"),
        ("year__in=2024,x", "not a number"),
        ("sort=tdp", "tdp_w"),
        ("sort=", "not a field"),
        ("limit=0", "from 1 to 500"),
        ("limit=501", "from 1 to 500"),
        ("limit=-1", "from 1 to 500"),
        ("limit=ten", "from 1 to 500"),
        ("limit=%C2%B2", "from 1 to 500"),
        ("limit=1&limit=2", "given twice"),
        ("after=x", "does not continue"),
        ("after=W10", "does not continue"),
        ("__=1", "not a field"),
        ("%01=1", "not a"),
        ("=", "not a"),
    ],
)
def test_a_bad_query_is_said(asgi_client, query, said):
    answer = asgi_client.get(f"{CATALOG}/accelerators?{query}")
    stated = query.startswith("limit")  # any other name may be one of a condition
    content = assert_problem(answer, *((400, "invalid-parameter") if stated else (422, "beyond-schema")))
    assert said in content["detail"]
    assert len(content["errors"]) == 1


def test_a_cursor_of_another_order_is_refused(asgi_client):
    cursor = asgi_client.get(f"{CATALOG}/accelerators?sort=year&limit=1").json()["next"]
    assert_problem(asgi_client.get(f"{CATALOG}/accelerators?sort=-year&after={cursor}"), 422)


@pytest.mark.parametrize("path", ["accelerator", "accelerators/nvidia_h10", "accelerators/%01", "prices/x"])
def test_what_is_not_there_names_the_nearest(asgi_client, path):
    content = assert_problem(asgi_client.get(f"{CATALOG}/{path}"), 404, "not-found")
    assert "nearest" in content["detail"]


@pytest.mark.parametrize("path", ["", "/accelerators?limit=3", "/accelerators/nvidia_h100_sxm"])
def test_what_the_caller_has_is_not_sent_again(asgi_client, path):
    first = asgi_client.get(CATALOG + path)
    tag = first.headers["etag"]
    for sent in (tag, f'"other", W/{tag}', "*"):
        again = asgi_client.get(CATALOG + path, headers={"if-none-match": sent})
        assert again.status_code == 304
        assert again.content == b""
        assert again.headers["etag"] == tag
    assert asgi_client.get(CATALOG + path, headers={"if-none-match": '"other"'}).status_code == 200


def test_the_tag_depends_on_the_query_and_not_on_its_order(asgi_client):
    tags = [
        asgi_client.get(f"{CATALOG}/accelerators?{query}").headers["etag"]
        for query in ("limit=3&sort=key", "sort=key&limit=3", "limit=4&sort=key")
    ]
    assert tags[0] == tags[1] != tags[2]
