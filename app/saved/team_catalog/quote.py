"""A bill to quote against, as a workbook with empty price columns, and the same filled in as prices of the
team."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zipfile import BadZipFile

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from app.exchange import DOLLAR, Rate
from app.saved.exchange_rates import exchange_rates
from app.scenarios.errors import refuse, shorten

QUOTE, LINES = "Quote", "Lines"
MOST_BYTES, MOST_ROWS = 1_000_000, 5_000
PART_KEY, PRICE, PRICE_IN_USD = "Part key", "Unit price", "Unit price, USD"
HEADS = (PART_KEY, "Part", "Use", "Quantity", "Unit", PRICE, "Lead time, weeks", "Notes")
UNIT = {"systems": "system"}
FACTS = (
    ("Quoted by", "vendor"), ("Quote number", "number"), ("Date of the quote, YYYY-MM-DD", "date"),
    ("Currency of the prices", "currency"), ("Rate: how much of it a US dollar is", "rate"),
    ("Date of the rate, YYYY-MM-DD", "rate_date"),
)  # fmt: skip
PRICE_COLUMNS = ("key", "part_key", "item", "unit", "condition", "typical", "source", "as_of", "value_kind")
DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?$")
SLUG = re.compile(r"[^a-z0-9]+")
WHOLE_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
MOST_PRICE = 1e12
LEAST_RATE, MOST_RATE = 1e-3, 1e6


def _explained() -> str:
    known = ", ".join((DOLLAR, *exchange_rates()))
    return (
        "Please fill in the prices per unit, without taxes, and the lines on top. Leave what you do not offer empty. Quantities "
        f"hold spares. Prices are in one currency: {known}; a rate that is left empty is the published one. "
        "The workbook is read back as it is: keep the part keys."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteLine:
    """A part that is to be quoted; without a key it is in no catalog, and its price is not read back."""

    key: str
    kind: str
    part: str
    use: str
    quantity: float

    @property
    def unit(self) -> str:
        return UNIT.get(self.kind, "unit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """A quote that came back: its prices as a table that the team's catalog imports."""

    vendor: str
    number: str
    date: str
    prices: tuple[tuple[str, str, str, float], ...]  # part key, part, unit, price in US dollars
    not_offered: int
    not_read: tuple[str, ...]  # priced lines of no part of the catalog
    rate: Rate | None = None  # what the prices were converted at; None of dollars
    stated: Mapping[str, float] = field(default_factory=dict)  # prices by part key as they were quoted

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The prices as lines of the table of prices, with its header."""
        lines = (
            (_key(part_key), part_key, part, unit, "quote", f"{price!r}", self._source(part_key), self.date, "vendor")
            for part_key, part, unit, price in self.prices
        )  # fmt: skip
        return (PRICE_COLUMNS, *lines)

    def _source(self, part_key: str) -> str:
        """Source of a price: the quote, and in another currency the stated price and the rate with its
        date."""
        source = f"Quote {self.number} of {self.vendor}".replace("  ", " ").strip()
        if self.rate is None:
            return source
        rate = self.rate
        stated = f"{self.stated[part_key]!r} {rate.currency} at {rate.per_usd:.10g} {rate.currency} per USD"
        return f"{source}: {stated}, {rate.basis}, {rate.published.isoformat()}, {rate.source}"


def _key(part_key: str) -> str:
    return f"quote_{SLUG.sub('_', part_key.lower()).strip('_')}"[:80]


def gathered(lines: Iterable[QuoteLine]) -> tuple[QuoteLine, ...]:
    """One line a part, with the quantity of all its uses."""
    found: dict[tuple[str, str], QuoteLine] = {}
    for line in lines:
        place = (line.key, line.part if not line.key else "")
        before = found.get(place)
        if before is None:
            found[place] = line
        else:
            uses = before.use if line.use in before.use else f"{before.use}; {line.use}"
            found[place] = QuoteLine(
                key=line.key,
                kind=line.kind,
                part=before.part,
                use=uses[:400],
                quantity=before.quantity + line.quantity,
            )
    return tuple(found.values())


def quote_xlsx(title: str, lines: Sequence[QuoteLine], created: datetime) -> bytes:
    """The workbook that vendors fill in: a sheet to quote on, and the lines that its quantities come from."""
    from app.views.sheet import Book, Number, Text  # reading a quote needs no writer

    book = Book(title=title, subject="Bill to quote against, by Podwright", created=created)
    sheet = book.sheet(QUOTE, (30, 44, 60, 12, 14, 18, 16, 40))
    sheet.heading(f"{title}: bill to quote against", "title", across=len(HEADS))
    sheet.line(Text(_explained()))
    for words, field_name in FACTS:
        sheet.line(words, Text(DOLLAR) if field_name == "currency" else None)
    sheet.gap()
    sheet.header(*HEADS, numbers=(3, 5, 6))
    for line in gathered(lines):
        sheet.line(
            Text(line.key, "code"), line.part, Text(line.use, "muted"), Number(_known(line.quantity)), line.unit,
        )  # fmt: skip
    detail = book.sheet(LINES, (60, 44, 30, 12))
    detail.header("Use", "Part", PART_KEY, "Quantity", numbers=(3,), frozen=True)
    for line in lines:
        detail.line(line.use, line.part, Text(line.key, "code"), Number(_known(line.quantity)))
    return book.content()


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None


def read_quote(content: bytes) -> Quoted:
    """A workbook of `quote_xlsx` that came back filled in.

    Raises
    ------
    ScenarioError : it cannot be read, or a price in it is none
    """
    rows = _rows(content)
    facts = {field: _fact(rows, words) for words, field in FACTS}
    rate = _rate(facts)
    at = next(
        (place for place, row in enumerate(rows) if PART_KEY in row and {PRICE, PRICE_IN_USD} & {*row}), None
    )
    if at is None:
        raise _refused(
            f"There is no row with the columns {PART_KEY} and {PRICE}.",
            "Fill in the sheet Quote of a vendor pack as it is.",
        )
    columns = {str(name): place for place, name in enumerate(rows[at]) if name}
    price_column = columns[PRICE] if PRICE in columns else columns[PRICE_IN_USD]
    if rate is not None and PRICE not in columns:
        raise _refused(
            f"The prices are in {rate.currency}, and their column says US dollars.",
            "State the currency in one place.",
        )
    prices: dict[str, tuple[str, str, str, float]] = {}
    as_quoted: dict[str, float] = {}
    not_offered, not_read = 0, []
    for place, row in enumerate(rows[at + 1 :], start=at + 2):
        key, part = (str(row[columns[name]] or "").strip() for name in (PART_KEY, "Part"))
        stated = row[price_column]
        if not (key or part):
            continue
        if stated is None or str(stated).strip() == "":
            not_offered += 1
            continue
        quoted = _price(stated, place)
        if not key:
            not_read.append(part)
            continue
        price = quoted if rate is None else quoted / rate.per_usd
        if key in prices and prices[key][3] != price:
            raise _refused(
                f"Row {place} states another price of {shorten(key)} than a row above it.",
                "State one price a part.",
            )
        prices[key] = (key, part, _unit(row[columns["Unit"]]), price)
        as_quoted[key] = quoted
    day = facts["date"][:10]
    if prices and not DATE.fullmatch(day):
        raise _refused(
            f"The date of the quote is {shorten(day) if day else 'empty'}.",
            "State it as YYYY-MM-DD in the third line.",
        )
    if prices and not facts["vendor"]:
        raise _refused("The quote does not say whom it is of.", f"Fill in {FACTS[0][0]}.")
    return Quoted(
        vendor=facts["vendor"][:100], number=facts["number"][:60], date=day, prices=tuple(prices.values()),
        not_offered=not_offered, not_read=tuple(not_read), rate=rate, stated=as_quoted,
    )  # fmt: skip


def _unit(stated: Any) -> str:
    """The unit of a price of the catalog: of "system" USD/system."""
    return f"USD/{str(stated or 'unit').strip().removeprefix('USD/')}"


def _rate(facts: dict[str, str]) -> Rate | None:
    """Exchange rate of the prices: the one that the quote states with its date, else the published one;
    None for dollars."""
    code = facts["currency"].upper() or DOLLAR
    known = exchange_rates()
    if code != DOLLAR and code not in known:
        raise _refused(
            f"There is no exchange rate of {shorten(facts['currency'])}.",
            f"Currencies: {', '.join((DOLLAR, *known))}.",
        )
    if not facts["rate"]:
        return None if code == DOLLAR else known[code]
    if code == DOLLAR:
        raise _refused(
            "A rate is stated, and the prices are in US dollars.",
            f"Fill in {FACTS[3][0]}, or leave the rate out.",
        )
    try:
        per_usd = float(facts["rate"].replace(" ", ""))
    except ValueError:
        per_usd = math.nan
    if not (LEAST_RATE <= per_usd <= MOST_RATE):
        raise _refused(
            f"{shorten(facts['rate'])} is no rate.",
            f"How much {code} a US dollar is: {LEAST_RATE:g} to {MOST_RATE:,g}.",
        )
    if not WHOLE_DATE.fullmatch(facts["rate_date"][:10]):
        raise _refused(
            "The date of the rate is missing or no date.", f"Fill in {FACTS[5][0]}, or leave the rate empty."
        )
    try:
        day = date.fromisoformat(facts["rate_date"][:10])
    except ValueError:
        raise _refused(f"{shorten(facts['rate_date'])} is no date.", f"Fill in {FACTS[5][0]}.") from None
    return Rate(
        currency=code,
        name=code,
        per_usd=per_usd,
        basis="as the quote states",
        published=day,
        source="the quote",
        url="",
    )


def is_quote(sheets: Iterable[str]) -> bool:
    """Return whether a workbook with these sheets is a bill that was sent out to quote against."""
    return {QUOTE, LINES} <= set(sheets)


def _rows(content: bytes) -> list[tuple[Any, ...]]:
    if len(content) > MOST_BYTES:
        raise _refused(
            f"The file has more than {MOST_BYTES:,} bytes.", "Send the workbook of the vendor pack alone."
        )
    try:
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheet = book[QUOTE] if QUOTE in book.sheetnames else book[book.sheetnames[0]]
        rows = list(sheet.iter_rows(values_only=True, max_row=MOST_ROWS, max_col=40))
        book.close()
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError, TypeError) as error:
        raise _refused(
            "The file cannot be read as an Excel workbook.", "Send the .xlsx of the vendor pack."
        ) from error
    width = max((len(row) for row in rows), default=0)
    return [(*row, *(None for _ in range(width - len(row)))) for row in rows]


def _fact(rows: Sequence[Sequence[Any]], words: str) -> str:
    for row in rows[:20]:
        if row and str(row[0] or "").strip() == words and len(row) > 1:
            value = row[1]
            return (
                value.date().isoformat()
                if isinstance(value, datetime)
                else ""
                if value is None
                else str(value).strip()
            )
    return ""


def _price(stated: Any, place: int) -> float:
    text = str(stated).replace("\u202f", "").replace(" ", "").replace(",", "")
    try:
        price = float(text) if not isinstance(stated, bool) else math.nan
    except ValueError:
        price = math.nan
    if not (math.isfinite(price) and 0 < price <= MOST_PRICE):
        raise _refused(
            f"Row {place}: {shorten(str(stated))} is no price.",
            f"A price is a number above 0 and up to {MOST_PRICE:,.0f}.",
        )
    return price


def _refused(message: str, hint: str) -> Exception:
    return refuse(message, rule="quote", path="quote", hint=hint)
