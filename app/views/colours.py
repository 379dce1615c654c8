"""Colours of the themes, from the one file that defines them, for charts that no page draws."""

from __future__ import annotations

import functools
import re
from typing import Any

from app import paths

THEMES = ("light", "dark")
DEFINED = re.compile(r"^\s*--([\w-]+): light-dark\(([^;]*?), ([^;]*?)\);", re.MULTILINE)
MIXED = re.compile(
    r"^\s*--([\w-]+): color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, var\(--([\w-]+)\)\);", re.MULTILINE
)
NAMED = re.compile(r"var\(--([\w-]+)\)")


def in_colours(plot: Any, theme: str) -> Any:
    """A plot with every "var(--c1)" replaced by the colour of a theme."""
    if isinstance(plot, dict):
        return {name: in_colours(value, theme) for name, value in plot.items()}
    if isinstance(plot, list | tuple):
        return [in_colours(value, theme) for value in plot]
    if isinstance(plot, str) and "var(--" in plot:
        return NAMED.sub(lambda found: colours(theme).get(found[1], found[0]), plot)
    return plot


@functools.cache
def colours(theme: str) -> dict[str, str]:
    """Name -> colour, from the one file that defines them."""
    text = (paths.static() / "css" / "tokens.css").read_text(encoding="utf-8").split("@media")[0]
    place = 2 + THEMES.index(theme)
    found = {match[1]: match[place].strip() for match in DEFINED.finditer(text)}
    for match in MIXED.finditer(text):
        found[match[1]] = _mixed(found[match[2]], found[match[4]], int(match[3]) / 100)
    return found


def _mixed(one: str, other: str, share: float) -> str:
    """`share` of one colour and the rest of the other, as browsers mix in sRGB.

    >>> _mixed("#FFFFFF", "#000000", 0.5)
    '#808080'
    """
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{int(a * share + b * (1 - share) + 0.5):02X}" for a, b in pairs)
