"""The catalog pages: every kind and row, and that search, filters, order and pages say what the catalog says."""

from __future__ import annotations

import datetime
import gzip
import html
import re
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.catalog.ready import ready_engine
from app.settings import get_settings
from app.web.catalog_browse import browse
from app.web.catalog_detail import detail
from app.web.catalog_kinds import GROUPS, VIEWS
from app.web.catalog_query import ROWS_PER_PAGE, read_query, select
from app.web.catalog_table import Table, table_of
from app.web.catalog_words import MARKS
from tests.asgi import AsgiClient
from tests.web.test_pages import text_of

TODAY = datetime.date(2026, 11, 28)
PAGE = {"accept": "text/html"}
SMALL = ("accelerators", "climate", "cpus", "dpus", "models", "nics", "optics", "reference_architectures",
         "sites", "storage", "switches", "systems")  # fmt: skip
LARGE = tuple(kind for kind in VIEWS if kind not in SMALL)
EVERY = 9  # of the rows of a large kind
OURS = re.compile(r'(?:href|src|action)="(/[^"#]*)(?:#[^"]*)?"')


@pytest.fixture(scope="module")
def catalog(asgi_client: AsgiClient) -> Catalog:
    assert asgi_client.get("/catalog").status_code == 200
    return Catalog.open(ready_engine(get_settings()))


def get(client: AsgiClient, path: str, **parameters: str) -> str:
    return client.get(path, params=parameters, headers=PAGE).text


def address(kind: str, key: str) -> str:
    return f"/catalog/{kind}/{quote(key, safe='')}"


def keys_of(page: str, kind: str) -> list[str]:
    """Addresses of the rows of a table, in order."""
    return re.findall(rf'<th scope="row"><a href="/catalog/{kind}/([^"]+)"', page)


def selected(table: Table, **parameters: str) -> list[str]:
    query = read_query(table, parameters.items())
    assert not query.faults
    return [row.key for row in select(table, query)]


# Kinds


def test_every_kind_is_shown_once() -> None:
    assert set(VIEWS) == set(KINDS)
    assert sorted(kind for group in GROUPS for kind in group.kinds) == sorted(KINDS)


@pytest.mark.parametrize("kind", VIEWS)
def test_columns_and_filters_are_fields_of_the_kind(kind: str) -> None:
    fields = {*KINDS[kind].model_fields, "price", "value", "range"}
    assert {name.removeprefix("@") for name in VIEWS[kind].columns} <= fields
    assert set(VIEWS[kind].facets) <= {*fields, "vendor", "status"}


def test_kinds_with_counts_and_what_each_is(asgi_client: AsgiClient, catalog: Catalog) -> None:
    text = text_of(get(asgi_client, "/catalog"))
    for kind, view in VIEWS.items():
        assert f"{view.tab} {len(catalog.keys(kind))} rows {view.what}" in text


def test_top_bar_says_where_one_is(asgi_client: AsgiClient) -> None:
    for path in ("/catalog", "/catalog/cpus", "/catalog/cpus/cpu_grace", "/catalog/nothing"):
        assert '<a href="/catalog" aria-current="page">Catalog</a>' in get(asgi_client, path)
    assert '<a href="/catalog">Catalog</a>' in get(asgi_client, "/nowhere")


@pytest.mark.parametrize("kind", VIEWS)
def test_kind(asgi_client: AsgiClient, catalog: Catalog, kind: str) -> None:
    page = get(asgi_client, f"/catalog/{kind}")
    expected = [quote(key, safe="") for key in catalog.keys(kind)[:ROWS_PER_PAGE]]
    assert keys_of(page, kind) == expected
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for link in set(OURS.findall(page)) - {address(kind, key) for key in catalog.keys(kind)}:
        assert asgi_client.get(html.unescape(link), headers=PAGE).status_code == 200, link


# Rows


def shown_rows(kind: str, catalog: Catalog) -> list[str]:
    keys = list(catalog.keys(kind))
    return keys if kind in SMALL else keys[::EVERY]


@pytest.mark.parametrize("kind", VIEWS)
def test_every_fact_says_value_print_kind_source_and_date(
    asgi_client: AsgiClient, catalog: Catalog, kind: str
) -> None:
    for key in shown_rows(kind, catalog):
        answer = asgi_client.get(address(kind, key), headers=PAGE)
        assert answer.status_code == 200, key
        part = catalog.part(kind, key)
        lines = dict(re.findall(r'<tr id="fact-(\w+)">(.*?)</tr>', answer.text, flags=re.DOTALL))
        assert lines.keys() == part.facts.keys()
        for field, fact in part.facts.items():
            words = text_of(lines[field])
            assert f'<data value="{fact.value}">' in lines[field]
            assert " ".join(fact.printed_value.split()) in words, (key, field)
            assert MARKS[fact.kind] in words
            assert f'class="source-mark {fact.kind}"' in lines[field]
            assert ("not dated" in words) == (not fact.date)
            assert not fact.date or fact.date[:4] in words
            assert ("recalled" in words) == (fact.confidence == "recalled")
            reference = re.search(r'href="#(source-\d+)"', lines[field])
            assert reference
            source = answer.text.partition(f'id="{reference[1]}"')[2].partition("</li>")[0]
            assert html.escape(fact.source, quote=False).replace("'", "&#39;")[:60] in source.replace(
                "&#34;", '"'
            )


@pytest.mark.parametrize("kind", SMALL)
def test_links_of_rows_lead_somewhere_and_tell_nobody(
    asgi_client: AsgiClient, catalog: Catalog, kind: str
) -> None:
    seen: set[str] = set()
    for key in catalog.keys(kind):
        page = get(asgi_client, address(kind, key))
        for link in re.findall(r"<a [^>]*>", page):
            target = html.unescape(re.search(r'href="([^"]*)"', link)[1])  # type: ignore[index]
            if target.startswith(("/", "#")):
                seen.add(target)
            else:
                assert target.startswith(("https://", "http://"))
                assert "noreferrer" in link
        loaded = re.findall(r'<(?:script|img|link|iframe)[^>]*(?:src|href)="([^"]+)"', page)
        assert all(address.startswith("/") for address in loaded)
        for anchor in {target for target in seen if target.startswith("#")}:
            if anchor != "#main":
                assert f'id="{anchor[1:]}"' in page
        seen -= {target for target in seen if target.startswith("#")}
    for target in sorted(seen):
        assert asgi_client.get(target, headers=PAGE).status_code == 200, target


def test_units_printed_stand_beside_units_used(asgi_client: AsgiClient) -> None:
    text = text_of(get(asgi_client, "/catalog/accelerators/nvidia_h100_sxm"))
    assert "450 GB/s 900 GB/s both ways" in text
    assert "50.0 GB/s 400 Gbit/s" in text
    assert "85.5 GB 85520809984 B" in text
    assert "989 TFLOP/s 989.4 TFLOP/s" in text


def test_system_names_its_accelerator_and_is_named_by_it(asgi_client: AsgiClient, catalog: Catalog) -> None:
    mixed = next(part for part in catalog.parts("systems") if part.attributes.get("accelerator_mix"))
    for key, count in (("nvidia_h100_sxm", "150,000"), ("nvidia_h200_sxm", "50,000")):
        accelerator = get(asgi_client, f"/catalog/accelerators/{key}")
        assert address("systems", mixed.key) in accelerator
        assert f"{mixed.name} {count} accelerators" in text_of(accelerator)
        assert address("accelerators", key) in get(asgi_client, address("systems", mixed.key))
    for system in catalog.parts("systems"):
        if key := system.attributes.get("accelerator_key"):
            assert address("systems", system.key) in get(asgi_client, f"/catalog/accelerators/{key}")


def test_prices_and_rentals_stand_on_the_page_of_the_part(catalog: Catalog) -> None:
    shown = detail(catalog, "accelerators", "nvidia_h100_sxm", today=TODAY)
    assert len(shown.prices) == len(catalog.prices("nvidia_h100_sxm"))
    chosen = catalog.price("nvidia_h100_sxm")
    assert chosen
    assert [price.date for price in shown.prices if price.chosen] == ["May 2026"]
    offers = [
        part for part in catalog.parts("rentals") if part.attributes["accelerator_key"] == "nvidia_h100_sxm"
    ]
    assert sum(len(terms.offers) for terms in shown.rentals) == len(offers)
    line = next(line for group in shown.groups for line in group.lines if line.field == "price_usd")
    assert line.note  # the part's own range is not what the engine takes


@pytest.mark.parametrize(("days", "mark"), [(0, ""), (180, ""), (181, "stale")])
def test_prices_older_than_180_days_are_stale(catalog: Catalog, days: int, mark: str) -> None:
    as_of = datetime.date(2026, 5, 31)  # a month counts from its end
    shown = detail(catalog, "accelerators", "nvidia_h100_sxm", today=as_of + datetime.timedelta(days=days))
    assert [price.age_mark for price in shown.prices if price.chosen] == [mark]
    assert any(badge.word == "price stale" for badge in shown.badges) == bool(mark)


def test_stale_and_undated_prices_are_marked_in_the_tables(catalog: Catalog) -> None:
    table = table_of(catalog, "accelerators")
    rows = browse(catalog, "accelerators", read_query(table, ()), today=TODAY).rows
    marks = {row.link.rsplit("/", 1)[1]: row.price_mark for row in rows}
    assert marks["nvidia_a100_sxm_40"] == "stale"
    assert marks["nvidia_h800_sxm"] == "undated"
    assert marks["nvidia_h100_sxm"] == "stale"
    assert marks["google_tpu_v5p"] == ""


def test_climate_year_by_months(asgi_client: AsgiClient, catalog: Catalog) -> None:
    months = detail(catalog, "climate", "london", today=TODAY).months
    year = catalog.climate("london")
    assert [month.name for month in months][:3] == ["Jan", "Feb", "Mar"]
    assert max(float(month.dry_bulb_highest) for month in months) == year.dry_bulb_c.max()
    january = year.dry_bulb_c[: 31 * 24].mean()
    assert float(months[0].dry_bulb_mean.replace("\u2212", "-")) == pytest.approx(january, abs=0.051)
    december = year.wet_bulb_c[-31 * 24 :].max()
    assert float(months[-1].wet_bulb_highest.replace("\u2212", "-")) == pytest.approx(december, abs=0.051)
    assert "The year by months" in get(asgi_client, "/catalog/climate/london")


def test_assumption_says_room_range_source_and_where_it_applies(asgi_client: AsgiClient) -> None:
    key = "economics.accelerator_embodied_kg[generation=ampere]"
    text = text_of(get(asgi_client, address("assumptions", key)))
    assert "Room economics" in text
    assert "Applies to generation=ampere" in text
    text = text_of(get(asgi_client, address("assumptions", "economics.server_price_ratio")))
    assert "1.54 to 1.69" in text
    assert "Epoch AI, training-cost-trends" in text


# Search, filters, order and pages against the catalog itself

kinds = st.sampled_from(list(VIEWS))


@given(kind=kinds, data=st.data())
@settings(max_examples=60)
def test_search_finds_what_holds_the_words(catalog: Catalog, kind: str, data: st.DataObject) -> None:
    part = catalog.part(kind, data.draw(st.sampled_from(catalog.keys(kind))))
    source = f"{part.name} {part.vendor} {part.key}"
    words = data.draw(st.lists(st.sampled_from(source.split()), min_size=1, max_size=3))
    found = selected(table_of(catalog, kind), q=" ".join(words).upper())
    assert part.key in found
    for other in catalog.parts(kind):
        said = f"{other.key} {other.name} {other.vendor}".lower()
        if all(word.lower() in said for word in words):
            assert other.key in found
    rows = {row.key: row for row in table_of(catalog, kind).rows}
    assert all(word.lower() in rows[key].words for key in found for word in words)


@given(kind=kinds, text=st.text(max_size=12))
@settings(max_examples=60)
def test_search_leaves_nothing_out(catalog: Catalog, kind: str, text: str) -> None:
    table = table_of(catalog, kind)
    found = set(selected(table, q=text))
    for row in table.rows:
        assert (row.key in found) == all(word in row.words for word in text.lower().split())


@given(kind=st.sampled_from([kind for kind in VIEWS if "vendor" in VIEWS[kind].facets]), data=st.data())
@settings(max_examples=40)
def test_vendor_filter(catalog: Catalog, kind: str, data: st.DataObject) -> None:
    parts = catalog.parts(kind)
    vendor = data.draw(st.sampled_from(sorted({part.vendor for part in parts} - {""})))
    expected = [part.key for part in parts if part.vendor == vendor]
    assert selected(table_of(catalog, kind), vendor=vendor) == expected


@given(kind=kinds, mark=st.sampled_from(list(MARKS)))
@settings(max_examples=40)
def test_source_filter(catalog: Catalog, kind: str, mark: str) -> None:
    expected = [
        part.key for part in catalog.parts(kind) if any(fact.kind == mark for fact in part.facts.values())
    ]
    assert selected(table_of(catalog, kind), source=mark) == expected


RANGED = [
    (kind, name)
    for kind, view in VIEWS.items()
    for name in view.columns
    if not name.startswith("@") and name not in ("price", "range") and (name != "value" or kind == "rentals")
]


@given(column=st.sampled_from(RANGED), data=st.data())
@settings(max_examples=80)
def test_range_filter(catalog: Catalog, column: tuple[str, str], data: st.DataObject) -> None:
    kind, name = column
    table = table_of(catalog, kind)
    scale = next(found.scale for found in table.columns if found.name == name)
    values = {part.key: part.facts[name].value for part in catalog.parts(kind) if name in part.facts}
    assert scale
    low, high = sorted(data.draw(st.tuples(*[st.sampled_from(sorted(values.values()))] * 2)))
    asked = {f"{name}_min": repr(low / scale.divisor), f"{name}_max": repr(high / scale.divisor)}
    margin = 1e-9 * max(abs(low), abs(high))
    expected = [key for key, value in values.items() if low - margin <= value <= high + margin]
    assert selected(table, **asked) == expected


@given(kind=st.sampled_from([kind for kind in VIEWS if KINDS[kind].hardware]), data=st.data())
@settings(max_examples=30)
def test_year_filter(catalog: Catalog, kind: str, data: st.DataObject) -> None:
    low, high = sorted(data.draw(st.tuples(st.integers(2016, 2028), st.integers(2016, 2028))))
    if not any(part.year for part in catalog.parts(kind)):
        return
    expected = [part.key for part in catalog.parts(kind) if part.year and low <= part.year <= high]
    assert selected(table_of(catalog, kind), year_from=str(low), year_to=str(high)) == expected


@given(column=st.sampled_from(RANGED), order=st.sampled_from(["asc", "desc", ""]))
@settings(max_examples=60)
def test_order_by_number(catalog: Catalog, column: tuple[str, str], order: str) -> None:
    kind, name = column
    parts = catalog.parts(kind)
    found = selected(table_of(catalog, kind), sort=name, order=order)
    assert sorted(found) == sorted(part.key for part in parts)
    facts = {part.key: part.facts.get(name) for part in parts}
    values = [fact.value if (fact := facts[key]) else None for key in found]
    known = [value for value in values if value is not None]
    assert values == known + [None] * (len(values) - len(known))
    assert known == sorted(known, reverse=order == "desc")


@given(kind=kinds, data=st.data())
@settings(max_examples=60)
def test_order_by_any_column_keeps_all_rows(catalog: Catalog, kind: str, data: st.DataObject) -> None:
    table = table_of(catalog, kind)
    name = data.draw(st.sampled_from(["name", "as_of", *(column.name for column in table.columns)]))
    up = selected(table, sort=name)
    assert sorted(up) == sorted(catalog.keys(kind))
    if name == "name":
        names = {row.key: row.name.casefold() for row in table.rows}
        assert [names[key] for key in up] == sorted(names.values())


@pytest.mark.parametrize("kind", LARGE)
def test_pages_together_are_the_whole_table(asgi_client: AsgiClient, catalog: Catalog, kind: str) -> None:
    found, path = [], f"/catalog/{kind}?sort=name"
    while path:
        page = asgi_client.get(path, headers=PAGE).text
        rows = keys_of(page, kind)
        assert len(rows) <= ROWS_PER_PAGE
        found += rows
        following = re.search(r'rel="next" href="([^"]+)"', page)
        path = html.unescape(following[1]) if following else ""
    assert found == [quote(key, safe="") for key in selected(table_of(catalog, kind), sort="name")]
    assert len(found) == len(catalog.keys(kind))


# What cannot be used, and what is not there


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"memory_label_bytes_min": "abc"}, "“abc” is not a number."),
        ({"tdp_w_min": "nan"}, "“nan” is not a number."),
        ({"tdp_w_max": "1e999"}, "“1e999” is not a number."),
        ({"tdp_w_min": "700", "tdp_w_max": "300"}, "700 to 300 is empty"),
        ({"vendor": "nvidia"}, "Vendor cannot be “nvidia”. The nearest is “NVIDIA”."),
        ({"sort": "memory"}, "Sort cannot be “memory”."),
        ({"order": "up"}, "Order cannot be “up”."),
        ({"source": "vendors"}, "The nearest is “vendor”."),
        ({"page": "0"}, "A page is a number from 1; this was “0”."),
        ({"page": "٣"}, "A page is a number from 1"),
        ({"page": "9" * 400}, "A page is a number from 1"),
        ({"page": "7"}, "There is no page 7; the last is 1."),
        ({"q": "x" * 201}, "A search may have 200 characters; this one has 201."),
        ({"vendr": "AMD"}, "“vendr” is not something to filter accelerators by. The nearest is vendor."),
    ],
)
def test_bad_parameter_is_said_and_kept(
    asgi_client: AsgiClient, parameters: dict[str, str], words: str
) -> None:
    answer = asgi_client.get("/catalog/accelerators", params={**parameters}, headers=PAGE)
    assert answer.status_code == 422
    assert answer.text.count('role="alert"') == 1
    assert words in text_of(answer.text)
    assert len(keys_of(answer.text, "accelerators")) == 44  # the rest of the request holds
    for name, text in parameters.items():
        if name not in ("vendr", "page"):
            assert html.escape(text) in answer.text


def test_parameter_given_twice(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get("/catalog/cpus?vendor=AMD&vendor=Intel", headers=PAGE)
    assert answer.status_code == 422
    assert "vendor is given more than once; the first, “AMD”, holds." in text_of(answer.text)
    assert len(keys_of(answer.text, "cpus")) == 3


@given(
    kind=kinds,
    names=st.sampled_from(
        ["q", "vendor", "year_from", "tdp_w_min", "value_max", "sort", "order", "page", "x"]
    ),
    text=st.text(max_size=300),
)
@settings(max_examples=60)
def test_no_parameter_breaks_a_page(asgi_client: AsgiClient, kind: str, names: str, text: str) -> None:
    answer = asgi_client.get(
        f"/catalog/{kind}", params={names: text.encode("utf-8", "replace").decode()}, headers=PAGE
    )
    assert answer.status_code in (200, 422)
    assert "<script>" not in answer.text


def test_typed_text_is_shown_as_text(asgi_client: AsgiClient) -> None:
    page = get(asgi_client, "/catalog/cpus", q='"><script>alert(1)</script>')
    assert 'value="&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in page
    assert "<script>alert" not in page


def test_nothing_found_says_what_was_looked_for_and_offers_to_clear(asgi_client: AsgiClient) -> None:
    page = get(asgi_client, "/catalog/accelerators", q="h1000", vendor="NVIDIA", tdp_w_min="300")
    text = text_of(page)
    assert "No accelerators match." in text
    assert "Looked for “h1000”, vendor NVIDIA, TDP from 300 W" in text
    assert "Nearest: H100" in text
    assert '<a class="button primary" href="/catalog/accelerators">Clear search and filters</a>' in page


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("/catalog/accelerator", "/catalog/accelerators"),
        ("/catalog/accelerators/nvidia_h100_sxn", "/catalog/accelerators/nvidia_h100_sxm"),
        ("/catalog/models/llama 3.1 405b", "/catalog/models/llama_3_1_405b"),
        ("/catalog/systems/DGX-H100", "/catalog/systems/dgx_h100"),
    ],
)
def test_missing_page_names_the_nearest(asgi_client: AsgiClient, path: str, nearest: str) -> None:
    answer = asgi_client.get(path, headers=PAGE)
    assert answer.status_code == 404
    assert f'href="{nearest}"' in answer.text


@pytest.mark.parametrize(
    "path", ["/catalog/zzzz", "/catalog/cpus/%00", "/catalog/cpus/a/b/c", "/catalog/cpus/"]
)
def test_missing_page_of_anything(asgi_client: AsgiClient, path: str) -> None:
    assert asgi_client.get(path, headers=PAGE).status_code == 404


# Cost


@pytest.mark.parametrize(
    "path", ["/catalog", "/catalog/systems", "/catalog/aliases", "/catalog/accelerators/nvidia_h100_sxm"]
)
def test_page_with_all_it_loads_weighs_little(asgi_client: AsgiClient, path: str) -> None:
    page = get(asgi_client, path)
    loaded = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    sheet = next(link for link in loaded if link.endswith("base.css"))
    loaded.add(sheet.replace("css/base.css", "vendor/inter/inter.woff2"))
    weight = len(gzip.compress(page.encode(), 6))
    for link in loaded:
        content = asgi_client.get(link).content
        weight += len(content) if link.endswith("woff2") else len(gzip.compress(content, 6))
    assert weight <= 120_000
