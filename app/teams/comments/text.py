"""The text of a comment: plain, of bounded length, with people named in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.fields import BLANKS, WORDS, matches
from app.teams.comments.records import Person

LONGEST = 4_000
LONGEST_NAME = 80
MOST_MENTIONS = 20
BODY: Final = (
    "^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*"
    f"[^\x00-\x20\x7f-\x9f\u2028\u2029{BLANKS}][^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$"
)
"""Lines of text that are not blank."""
MENTION = re.compile(
    r'(?<![\w@])@(?:"(?P<quoted>[^"\n]{1,200})"|(?P<email>[^\s@"<>,;]{1,64}@[\w.-]{1,250})|(?P<plain>[\w][\w.\'-]{0,79}))'
)


def clean_body(text: str) -> str:
    """The text as it is kept.

    Raises
    ------
    ScenarioError : it is empty, too long, or holds what is not text
    """
    body = re.sub(r"\r\n?", "\n", text).strip()
    if not body:
        raise refuse(
            "The comment is empty.", rule="not_empty", path="body", hint="Write something.", stated=True
        )
    if len(body) > LONGEST:
        raise refuse(
            f"The comment has {len(body):,} characters.",
            rule="at_most",
            path="body",
            hint=f"At most {LONGEST:,} are kept; put the rest into an answer.",
        )
    if not matches(BODY, text) or re.search("[\ud800-\udfff]", text):
        raise _not_plain("body")
    return body


def clean_guest_name(text: str) -> str:
    """Name of a guest.

    Raises
    ------
    ScenarioError : it is empty, too long, or no line of text
    """
    name = " ".join(text.split())
    if not 1 <= len(name) <= LONGEST_NAME:
        hint = f"1 to {LONGEST_NAME} characters, so that others know who wrote."
        raise refuse("A guest gives a name.", rule="guest_name", path="guest_name", hint=hint)
    if not matches(WORDS, name):
        raise _not_plain("guest_name")
    return f"Guest: {name}"


def named_in(body: str, people: Iterable[Person]) -> list[Person]:
    """Those of `people` whom a text names: `@"Full Name"`, `@you@example.org`, or `@Name` where it is one person's.

    >>> ada = Person(id="1", name="Ada Lovelace", email="ada@example.org")
    >>> [one.name for one in named_in("ask @ada, not grace@example.org", [ada])]
    ['Ada Lovelace']
    """
    known = list(people)
    found: dict[str, Person] = {}
    for match in MENTION.finditer(body):
        if match["email"]:
            wanted = match["email"].rstrip(".-").casefold()
            those = [one for one in known if one.email.casefold() == wanted]
        else:
            wanted = (match["quoted"] or match["plain"].rstrip(".'-")).casefold()
            those = [one for one in known if one.name.casefold() == wanted]
            if not those and match["plain"]:
                those = [one for one in known if one.name.casefold().split()[:1] == [wanted]]
        if len(those) == 1:
            found[those[0].id] = those[0]
    return list(found.values())[:MOST_MENTIONS]


def _not_plain(path: str) -> ScenarioError:
    return refuse(
        "The text holds a control character.",
        rule="plain_text",
        path=path,
        hint="Send plain text.",
        stated=True,
    )
