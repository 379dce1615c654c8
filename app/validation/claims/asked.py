"""Which claims are asked for: by verdict, article, topic, kind, and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.validation.claims.judge import Judged
from app.validation.claims.ledger import KINDS, TOPICS, ledger
from app.validation.claims.rules import VERDICTS

SEARCH = "q"
LONGEST_SEARCH = 200


def facets() -> dict[str, dict[str, str]]:
    """What claims can be chosen by: parameter -> its words, each with its label."""
    return {
        "verdict": {verdict: verdict.capitalize() for verdict in VERDICTS},
        "article": {key: article.short for key, article in ledger().articles.items()},
        "topic": TOPICS,
        "kind": KINDS,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A parameter that cannot be used, and a way out."""

    name: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request read. What could not be used is in `faults` and narrows nothing."""

    words: tuple[str, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    @property
    def narrows(self) -> bool:
        return bool(self.words or self.chosen)

    def holds(self, one: Judged) -> bool:
        """Whether a claim is asked for."""
        if any(getattr(one.claim, name) != word for name, word in self.chosen.items()):
            return False
        said = searched_text(one)
        return all(word in said for word in self.words)


def read_asked(given: Mapping[str, str]) -> Asked:
    """What is asked for, by parameter; empty ones ask for nothing."""
    chosen: dict[str, str] = {}
    faults: list[Fault] = []
    for name, labels in facets().items():
        text = given.get(name, "")
        if text in labels:
            chosen[name] = text
        elif text:
            near = nearest_names(text[:80], labels, count=1)
            hint = f"Nearest: {near}. Known: {', '.join(labels)}."
            faults.append(Fault(name=name, message=f"{name} cannot be {shorten(text)}.", hint=hint))
    search = given.get(SEARCH, "")
    if len(search) > LONGEST_SEARCH:
        message = f"A search may have {LONGEST_SEARCH} characters; this one has {len(search):,}."
        faults.append(Fault(name=SEARCH, message=message, hint="Shorten it."))
        search = ""
    return Asked(words=tuple(search.casefold().split()), chosen=chosen, faults=tuple(faults))


def searched_text(one: Judged) -> str:
    """All that is said about a claim."""
    claim = one.claim
    said = (claim.id, claim.claim, claim.correction, claim.reason, claim.source, one.article.title)
    return "\n".join((*said, TOPICS[claim.topic], KINDS[claim.kind])).casefold()
