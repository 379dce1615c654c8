"""Search, filters and order say what the catalog says; what cannot be used is said and kept."""

from __future__ import annotations

import html

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.table import table_of
from app.surfaces.pages.catalog.words import MARKS
from tests.asgi import AsgiClient
from tests.surfaces.pages.catalog.support import PAGE, keys_of, selected
from tests.surfaces.pages.test_pages import text_of

kinds = st.sampled_from(list(VIEWS))
RANGED = [
    (kind, name)
    for kind, view in VIEWS.items()
    for name in view.columns
    if not name.startswith("@") and name not in ("price", "range") and (name != "value" or kind == "rentals")
]


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


@given(kind=st.sampled_from([kind for kind in VIEWS if kind != "aliases"]), mark=st.sampled_from(list(MARKS)))
@settings(max_examples=40)
def test_source_filter(catalog: Catalog, kind: str, mark: str) -> None:
    """Other names are no figures, and have no source to filter by."""
    expected = [
        part.key for part in catalog.parts(kind) if any(fact.kind == mark for fact in part.facts.values())
    ]
    assert selected(table_of(catalog, kind), source=mark) == expected


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
        ({"page": "7"}, "There is no page 7; the last is 2."),
        ({"q": "x" * 201}, "A search may have 200 characters; this one has 201."),
        ({"vendr": "AMD"}, "“vendr” is not something to filter accelerators by. The nearest is vendor."),
    ],
)
def test_bad_parameter_is_said_and_kept(
    reading_client: AsgiClient, parameters: dict[str, str], words: str
) -> None:
    answer = reading_client.get("/catalog/accelerators", params={**parameters}, headers=PAGE)
    assert answer.status_code == 422
    assert answer.text.count('role="alert"') == 1
    assert words in text_of(answer.text)
    shown = 16 if parameters == {"page": "7"} else 50  # the last page, or the first
    assert len(keys_of(answer.text, "accelerators")) == shown  # the rest of the request holds
    for name, text in parameters.items():
        if name not in ("vendr", "page"):
            assert html.escape(text) in answer.text


def test_parameter_given_twice(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/catalog/cpus?vendor=AMD&vendor=Intel", headers=PAGE)
    assert answer.status_code == 422
    assert "vendor is given more than once; the first, “AMD”, holds." in text_of(answer.text)
    assert len(keys_of(answer.text, "cpus")) == 3


@pytest.mark.slow
@given(
    kind=kinds,
    names=st.sampled_from(
        ["q", "vendor", "year_from", "tdp_w_min", "value_max", "sort", "order", "page", "x"]
    ),
    text=st.text(max_size=300),
)
@settings(max_examples=60)
def test_no_parameter_breaks_a_page(reading_client: AsgiClient, kind: str, names: str, text: str) -> None:
    answer = reading_client.get(
        f"/catalog/{kind}", params={names: text.encode("utf-8", "replace").decode()}, headers=PAGE
    )
    assert answer.status_code in ((400,) if "\0" in text else (200, 422))
    assert "<script>" not in answer.text
