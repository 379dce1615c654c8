"""The tabs of a design and the sections of each: one list, which pages, navigation and routes are made
from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

OVERVIEW, WHOLE = "overview", "all"
"""Places of the key charts, and of every section below one another."""


class Section(NamedTuple):
    """`place` is the end of its address: a room and its page, or a name below the design's own address."""

    place: str
    title: str
    of_a_run: bool = False  # it has nothing to show of a pod that serves
    slow: bool = False  # it may take seconds: a browser gets the workspace first

    @property
    def room(self) -> str:
        """The room whose page it is, "" where the studio draws it from the evaluation."""
        return self.place.rpartition("/")[0]

    def address(self, key: str) -> str:
        """The address for a design, without what is not saved."""
        room, _, page = self.place.rpartition("/")
        if room:
            return f"/{room}/{key}/{page}"
        return f"/designs/{key}" if page == OVERVIEW else f"/designs/{key}/{page}"


class Tab(NamedTuple):
    """`tools` are pages of their own about the design, such as a search: name of the page and title."""

    title: str
    sections: tuple[Section, ...]
    tools: tuple[tuple[str, str], ...] = ()

    @property
    def first(self) -> Section:
        return self.sections[0]


SERVING, PUBLISHED = "Serving", "Published"

TABS: tuple[Tab, ...] = (
    Tab("Overview", (Section(OVERVIEW, "Key charts"), Section(WHOLE, "All sections"))),
    Tab(
        "Performance",
        (Section("performance", "Step time"), Section("fabric/bandwidth", "Bandwidth gaps")),
        (("explore", "Layout search"), ("sweep", "Sweep"), ("calibrate", "Calibration")),
    ),
    Tab(
        SERVING,
        (
            Section("serving/latency", "Latency"),
            Section("serving/simulation", "Simulation"),
            Section("serving/roofline", "Roofline"),
            Section("serving/memory", "Memory"),
            Section("serving/sizing", "Sizing"),
            Section("serving/cost", "Cost of tokens", slow=True),
            Section("serving/edge", "Edge or cloud"),
        ),
    ),
    Tab("SuperNode", (Section("supernode", "Size"), Section("fabric/supernode", "Parts and price"))),
    Tab(
        "Fabric",
        (
            Section("fabric", "Summary"),
            Section("fabric/topology", "Topology"),
            Section("fabric/networks", "Networks"),
            Section("fabric/bill", "Bill of materials"),
            Section("fabric/cables", "Cables"),
            Section("fabric/faults", "Failure analysis"),
            Section("fabric/sharing", "Multi-job contention"),
            Section("fabric/sizes", "Cost vs size"),
            Section("fabric/growth", "Expansion"),
        ),
    ),
    Tab(
        "Power and cooling",
        (
            Section("power", "Summary"),
            Section("facility/it", "IT power"),
            Section("facility/electrical", "Electrical"),
            Section("facility/cooling", "Cooling"),
            Section("facility/hours", "Hours"),
            Section("facility/power_supply", "Power supply"),
            Section("facility/racks", "Racks"),
            Section("fabric/floor", "Floor plan"),
            Section("facility/sites", "Sites"),
            Section("facility/savings", "Savings", of_a_run=True),
        ),
    ),
    Tab(
        "Cost",
        (
            Section("cost", "Summary"),
            Section("economics/cost", "Cost breakdown"),
            Section("economics/cash", "Cash flow"),
            Section("economics/build_out", "Build-out"),
            Section("economics/rent", "Own or rent"),
            Section("economics/decision", "Recommendation"),
            Section("economics/runs", "Cost per run"),
            Section("economics/time", "Cost vs time-to-train", of_a_run=True, slow=True),
            Section("economics/difference", "Difference"),
            Section("economics/carbon", "Carbon", of_a_run=True),
        ),
    ),
    Tab(
        "Reliability",
        (
            Section("reliability", "Summary"),
            Section("operations/goodput", "Goodput", of_a_run=True),
            Section("operations/size", "Failures by size", of_a_run=True),
            Section("operations/checkpoints", "Checkpoints", of_a_run=True),
            Section("operations/run", "Simulated run", of_a_run=True, slow=True),
            Section("operations/spares", "Spares", of_a_run=True),
            Section("operations/shared_parts", "Shared parts", of_a_run=True),
            Section("operations/storage", "Storage"),
            Section("operations/calibrate", "Calibration", of_a_run=True),
        ),
    ),
    Tab("Uncertainty", (Section("economics/uncertainty", "Uncertainty"),)),
    Tab(PUBLISHED, (Section("published", "Published figures"),)),
)


def sections() -> Iterator[Section]:
    """The sections of all tabs."""
    for tab in TABS:
        yield from tab.sections


def sections_of(room: str) -> tuple[Section, ...]:
    """The sections that are pages of a room, in their order."""
    return tuple(section for section in sections() if section.room == room)


def first_of(room: str) -> Section:
    """Where the address of a room leads: to its first section in the tab that holds most sections of it."""
    home = max(TABS, key=lambda tab: sum(section.room == room for section in tab.sections))
    return next(section for section in home.sections if section.room == room)


def section_of(place: str) -> Section:
    """The section of a place.

    Raises
    ------
    KeyError : there is no such place
    """
    for section in sections():
        if section.place == place:
            return section
    raise KeyError(place)


def tab_of(place: str) -> Tab:
    """The tab that a place belongs to.

    Raises
    ------
    KeyError : there is no such place
    """
    section = section_of(place)
    return next(tab for tab in TABS if section in tab.sections)


def tabs_of(*, serves: bool, published: bool) -> tuple[Tab, ...]:
    """The tabs of a design, and their sections: those that have nothing to show of it are left out."""
    without = {title for title, there in ((SERVING, serves), (PUBLISHED, published)) if not there}
    return tuple(
        tab._replace(sections=tuple(one for one in tab.sections if not (serves and one.of_a_run)))
        for tab in TABS
        if tab.title not in without
    )
