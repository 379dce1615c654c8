"""The main navigation: five menus by what people do. Header, command palette and tests read it from here."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A page of a menu. `key` is the `here` of its template."""

    key: str
    address: str
    name: str
    note: str


class Menu(NamedTuple):
    """`keys` are the `here` of pages that belong to the menu without a place in it."""

    key: str
    name: str
    places: tuple[Place, ...]
    keys: frozenset[str] = frozenset()

    def holds(self, here: str) -> bool:
        """Return whether a page belongs to this menu."""
        return here in self.keys or any(place.key == here for place in self.places)


MENUS = (
    Menu(
        "design",
        "Design",
        (
            Place("home", "/", "Designs", "Your designs and worked examples"),
            Place("studies", "/studies", "Studies", "Requirements in, ranked designs out"),
            Place("templates", "/templates", "Templates", "Start from a template"),
            Place("library", "/library", "Library", "Your SuperNodes, SuperPODs and projections"),
            Place("import", "/import", "Import", "Read a scenario as YAML or JSON"),
            Place("deleted", "/deleted", "Deleted", "Restore what was deleted"),
        ),
        frozenset(("design", "save", "fork", "export", "history", "conflict", "comments", "explain", "mentions")),
    ),
    Menu(
        "compare",
        "Compare",
        (
            Place("compare", "/compare", "Compare designs", "Figures of two designs side by side"),
            Place("sweeps", "/sweeps", "Sweeps", "One input over many values"),
            Place("fleet", "/fleet", "Fleets", "A stream of jobs on pods: utilisation, waiting and cost"),
            Place("scaling-compare", "/scaling/compare", "Compare projections", "Scaling-law projections side by side"),
        ),
    ),
    Menu(
        "reference",
        "Reference",
        (
            Place("catalog", "/catalog", "Catalog", "Accelerators, systems, models and sites, with sources"),
            Place("gallery", "/gallery", "Reference designs", "Published systems, modelled"),
            Place("scaling", "/scaling", "Scaling laws", "Loss from parameters, tokens and compute"),
            Place("growth", "/trends", "Growth", "Trends of compute, memory and bandwidth"),
        ),
    ),
    Menu(
        "accuracy",
        "Accuracy",
        (
            Place("validation", "/validation", "Validation", "Errors against published runs"),
            Place("claims", "/claims", "Claims", "Published claims, checked"),
        ),
    ),
    Menu(
        "help",
        "Help",
        (
            Place("help", "/help", "Guide", "Every document, with search"),
            Place("methods", "/help/methods", "Methods", "The section that explains each tab of a design"),
            Place("terms", "/terms", "Glossary", "Definitions, with references"),
            Place("units", "/units", "Units", "Bits or bytes, kW or tons, °C or °F"),
            Place("api", "/docs", "API", "REST operations, to read and to try"),
            Place("problems", "/docs/problems", "Error messages", "Problems of the API and how to solve them"),
        ),
        frozenset(("document",)),
    ),
)  # fmt: skip
