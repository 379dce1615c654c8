"""Lines that can be told apart without their colours: colour, dash and mark of each."""

from __future__ import annotations

LINE_STYLES = (
    ("c1", "solid", "circle"),
    ("c2", "dash", "square"),
    ("c3", "longdash", "diamond"),
    ("c4", "dot", "cross"),
    ("c5", "longdashdot", "triangle-up"),
    ("c6", "dashdot", "triangle-down"),
)
