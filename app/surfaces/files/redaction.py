"""Redaction of a report or a pack for others: prices, names and sites are left out and listed."""

from __future__ import annotations

import functools
import html
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from app.catalog.view import CatalogView
from app.charts.figure import Figure
from app.engine.fabric.cabling.schedule import NetworkCables
from app.likeness import nearest_names
from app.saved.team_catalog.rests_on import rests_on
from app.scenarios.errors import refuse, shorten
from app.surfaces.files.cables.text import each
from app.surfaces.files.own_words import OwnWord, own_words
from app.surfaces.files.work import Work

LeftOut = Literal["prices", "names", "sites"]
KINDS: dict[str, str] = {
    "prices": "Prices and costs",
    "names": "Own names",
    "sites": "Sites",
}
"""What can be left out, as people choose it."""
AMOUNT = re.compile(r"\bUSD\b|\$")
SHORTEST = 4
"""Letters and digits of a word that is looked for in whatever case; a shorter one is looked for as it is
written."""
TOKEN = re.compile(r"[^\W_]+")
LETTER = re.compile(r"[^\W\d_]")
TAG = re.compile(r"(<style\b.*?</style>|<[^>]*>)", re.DOTALL)
SAID_BY_TAGS = re.compile(r'((?:aria-label|title|alt|content)=")([^"]*)')
QUOTED = re.compile(r'"[^"\n]*"')
BETWEEN = r"(?:<br ?/?>|[\W_]){1,6}"
CUT = re.compile(r"([^…<>]{1,120})…")
KEY = re.compile(r"[a-z0-9_]+$")


@dataclass(frozen=True)
class Redaction:
    """Applied to every text, chart, cable and evaluation on its way out.

    Parameters
    ----------
    prices : whether no amount of money may leave
    words : what is replaced, and by what, the longest first
    said : the list of what was left out
    """

    kinds: tuple[str, ...] = ()
    prices: bool = False
    words: tuple[tuple[str, str], ...] = ()
    said: tuple[str, ...] = field(default=())

    @property
    def sites(self) -> bool:
        return "sites" in self.kinds

    def text(self, words: str) -> str:
        """A text without the words that are left out, however they are joined: "Our node", our_node,
        OUR-NODE."""
        if not self.words:
            return words
        if "…" in words:
            words = CUT.sub(self._cut_short, words)
        present = {token.casefold() for token in TOKEN.findall(words)}
        meant = tuple(at for at, tokens in enumerate(self._tokens) if tokens <= present)
        if not meant:
            return words
        neutral = [self.words[at][1] for at in meant]
        return _pattern(tuple(self.words[at][0] for at in meant)).sub(
            lambda match: _in_place_of(match[0], neutral[(match.lastindex or 1) - 1]), words
        )

    def _cut_short(self, match: re.Match[str]) -> str:
        """A label that was cut where it had no more room, without the beginning of a word that is left
        out."""
        label = match[1]
        for at in (found.start() for found in TOKEN.finditer(label)):
            end = label[at:].rstrip().casefold()
            if len(end) >= SHORTEST or at == 0:
                for word, neutral in self.words:
                    if word.casefold().startswith(end):
                        return f"{label[:at]}{neutral}…"
        return match[0]

    def markup(self, page: str) -> str:
        """A page or a drawing without them: in its texts, and in what tags say to people; names of tags
        stay."""
        return "".join(self._markup(part) for part in TAG.split(page)) if self.words else page

    def key(self, key: str) -> str:
        """A key of the catalog; "" where it is an own one, which says nothing to others."""
        return key if self.text(key) == key else ""

    def figure(self, figure: Figure) -> Figure:
        """A chart without them, before its labels are broken into lines."""
        if not self.words:
            return figure
        return replace(
            figure,
            eyebrow=self.text(figure.eyebrow),
            takeaway=self.text(figure.takeaway),
            caption=self.text(figure.caption),
            plot=self._values(figure.plot),
            legend=tuple(
                replace(one, label=self.text(one.label), value=self.text(one.value)) for one in figure.legend
            ),
        )

    def cables(self, networks: Sequence[NetworkCables]) -> tuple[NetworkCables, ...]:
        """Cables without them: parts, racks, and types of switches."""
        return tuple(
            replace(
                one,
                parts=each(one.parts, self._bytes),
                rack_names=each(one.rack_names, self._bytes),
                switch_type=self._bytes(one.switch_type),
                switch_types={kind: self._bytes(name) for kind, name in one.switch_types.items()},
            )
            for one in networks
        )

    def keeps(self, words: str) -> bool:
        """Return whether a sentence may leave: one with an amount of money may not, where prices are left
        out."""
        return not (self.prices and AMOUNT.search(words))

    def evaluation(self, evaluation: dict[str, Any]) -> dict[str, Any]:
        """An evaluation in which every amount of money is unknown, where prices are left out."""
        return _without_money(evaluation) if self.prices else evaluation

    @cached_property
    def _tokens(self) -> tuple[frozenset[str], ...]:
        return tuple(frozenset(token.casefold() for token in TOKEN.findall(word)) for word, _ in self.words)

    def _bytes(self, words: bytes) -> bytes:
        return self.text(words.decode()).encode()

    def _values(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._values(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._values(inner) for inner in value]
        return self.text(value) if isinstance(value, str) and LETTER.search(value) else value

    def _markup(self, part: str) -> str:
        if part.startswith("<style"):
            return QUOTED.sub(lambda match: self.text(match[0]), part)
        if part.startswith("<"):
            return SAID_BY_TAGS.sub(lambda match: match[1] + self._escaped(match[2], quote=True), part)
        return self._escaped(part, quote=False)

    def _escaped(self, words: str, *, quote: bool) -> str:
        if not LETTER.search(words):
            return words
        plain = html.unescape(words)
        shown = self.text(plain)
        return words if shown == plain else html.escape(shown, quote=quote)


@functools.lru_cache(maxsize=512)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """One of several words, each in a group of its own: in whatever case, and however its parts are
    joined."""
    found = []
    for word in words:
        tokens = TOKEN.findall(word)
        if len("".join(tokens)) < SHORTEST:
            found.append(f"({re.escape(word)})")
        else:
            found.append(f"((?i:{BETWEEN.join(map(re.escape, tokens))}))")
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(found)})(?![^\W_])")


def _in_place_of(found: str, neutral: str) -> str:
    """The neutral name as what it takes the place of was written: a key for a key."""
    return neutral.replace(" ", "_").lower() if "_" in found and KEY.match(found) else neutral


def _without_money(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _without_money(inner, key) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_money(inner, name) for inner in value]
    is_money = "usd" in name.lower() and isinstance(value, int | float)
    return None if is_money else value


def read_kinds(names: Iterable[str]) -> tuple[str, ...]:
    """The kinds that a list names, in their order.

    Raises
    ------
    ScenarioError : there is no such kind
    """
    asked = [name.strip() for name in names if name.strip()]
    for name in asked:
        if name not in KINDS:
            raise refuse(
                f"{shorten(name)} cannot be left out.", rule="one_of", path="without", value=name,
                hint=f"Nearest: {nearest_names(name[:80], KINDS)}. What can be: {', '.join(KINDS)}.", stated=False,
            )  # fmt: skip
    return tuple(kind for kind in KINDS if kind in asked)


def redaction(work: Work, catalog: CatalogView, kinds: Iterable[str]) -> Redaction:
    """What to leave out of the files of a design.

    Parameters
    ----------
    catalog : for those who see no catalog of the workspace
    """
    asked = tuple(kinds)
    if not asked:
        return Redaction()
    view = work.view() if work.view else None
    rests = rests_on(work.document, view) if view is not None else None
    found = own_words(work.evaluated, rests, (view or catalog).today, (work.note,))
    words = left_out_words(found, asked)
    said: list[str] = []
    if "prices" in asked:
        count = len(
            {one.neutral for one in words if one.is_of_money and one.kind in ("price row", "rental row")}
        )
        left = f", among them those of {_count(count, 'own row')}" if count else ""
        said.append(f"Prices and costs: every amount of money{left}, and the sections that are about money.")
    if "names" in asked:
        names = [one for one in found if not one.is_place]
        said.append(f"Own names: that of the design, its description{_listed(names)}.")
    if "sites" in asked:
        places = [one for one in found if one.is_place]
        count = len({one.neutral for one in places if one.kind == "site"} - {"the site"}) or 1
        said.append(
            f"Sites: the name and the place of {_count(count, 'site')}; figures that follow from its climate stay."
        )
    return Redaction(asked, "prices" in asked, in_order(words), tuple(said))


def left_out_words(found: Iterable[OwnWord], kinds: Sequence[str]) -> list[OwnWord]:
    """The own words that are left out with these kinds of content."""
    return [
        one for one in found
        if ("prices" in kinds and one.is_of_money) or ("sites" if one.is_place else "names") in kinds
    ]  # fmt: skip


def in_order(words: Iterable[OwnWord]) -> tuple[tuple[str, str], ...]:
    """Words with their neutral names, the longest first; those without a letter would be found in figures."""
    kept = {one.word: one.neutral for one in reversed(list(words)) if LETTER.search(one.word)}
    return tuple(sorted(kept.items(), key=lambda one: (-len(one[0]), one[0])))


def _listed(names: Iterable[OwnWord]) -> str:
    """How many rows and texts of each kind: ", 1 system, 2 sources"."""
    kinds = {one.neutral: one.kind for one in names if one.kind not in ("design", "team")}
    counts = Counter(kinds.values())
    return "".join(f", {_count(count, kind)}" for kind, count in sorted(counts.items()))


def _count(number: int, words: str) -> str:
    return f"{number} {words}{'' if number == 1 else 's'}"
