"""Tags: a few short words, normalised for every author."""

from __future__ import annotations

from collections.abc import Iterable

from app.scenarios.errors import refuse, shorten
from app.scenarios.fields import WORDS, matches

MOST_TAGS = 20
LONGEST_TAG = 40


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Lower-case, without blanks around, each once, in alphabetical order.

    Raises
    ------
    ScenarioError : a tag is empty, too long or not one line of text, or there are too many

    >>> clean_tags(["Blue ", "2027", "blue"])
    ('2027', 'blue')
    """
    found: set[str] = set()
    for position, tag in enumerate(tags):
        path = f"tags[{position}]"
        if not isinstance(tag, str):
            raise refuse(f"{shorten(tag)} must be text.", rule="text", path=path, stated=True)
        clean = " ".join(tag.lower().split())
        if not clean:
            raise refuse(
                "A tag must not be empty.", rule="not_empty", path=path, hint="Leave it out.", stated=True
            )
        if len(clean) > LONGEST_TAG:
            hint = f"Tags have at most {LONGEST_TAG} characters."
            raise refuse(
                f"{shorten(tag)} is too long.",
                rule="at_most",
                path=path,
                value=tag[:200],
                hint=hint,
                stated=len(tag) > LONGEST_TAG,
            )
        if not matches(WORDS, tag):
            raise refuse(f"{shorten(tag)} is not printable text.", rule="plain_text", path=path, stated=True)
        found.add(clean)
    if len(found) > MOST_TAGS:
        hint = f"At most {MOST_TAGS} are kept."
        raise refuse(f"{len(found)} tags are too many.", rule="at_most", path="tags", hint=hint, stated=True)
    return tuple(sorted(found))
