"""Remaining fabric after a failure, as it is answered."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedParts:
    """Failed parts, stated and dependent."""

    switches: int
    links: int  # that failed by themselves
    links_lost: int  # they and those of failed devices
    names: tuple[str, ...]  # of the first few


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Remaining reachability."""

    hosts: int
    cut_off: int
    cut_off_names: tuple[str, ...]  # of the first few
    parts: int
    joined_share: float  # of all pairs of hosts


@dataclass(frozen=True, slots=True, kw_only=True)
class TierLeft:
    """The links of one tier."""

    tier: str
    links: int
    links_left: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceLeft:
    """Devices of one kind that stand together, such as the hosts of a scalable unit."""

    kind: str
    first: str  # name of the first of them
    devices: int
    failed: int
    cut_off: int  # hosts that no longer reach the others
    share: float  # links that work, of all links of these devices


@dataclass(frozen=True, slots=True, kw_only=True)
class Bandwidth:
    """Between two sets of hosts, one way."""

    one: str
    other: str
    whole_bytes_per_s: float
    left_bytes_per_s: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLeft:
    """The job of the scenario, which keeps its layout. Step times are None where it stops or nothing is known."""

    runs: bool
    reason: str  # in words, where it stops
    access_share: float
    beyond_share: float
    places: int  # kinds of switch and unit that have a way out
    places_looked_at: int  # of these, where beyond_share was computed: those that lost most nearby
    step_time_whole_s: float | None
    step_time_s: float | None
    slowdown: float | None

    @property
    def looked_at(self) -> str:
        """Of how many places the way out was computed, where it was not all; else empty."""
        return _looked_at(self.places_looked_at, self.places, "kinds of place")


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleRow:
    """The loss of one part of a kind; of the worst of those that differ."""

    part: str  # link | switch | plane | rail
    tier: str
    example: str
    count: int
    kinds: int
    looked_at: int
    cut_off: int
    tier_share: float | None  # of the tier of a link; None for other parts
    job: JobLeft

    @property
    def kinds_looked_at(self) -> str:
        """Number of kinds of a part that were simulated as failed, where not all; else empty."""
        return _looked_at(self.looked_at, self.kinds, "kinds")


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsAnswer:
    """Remaining fabric after a failure."""

    name: str
    topology: str
    failed: FailedParts
    reach: Reached
    tiers: tuple[TierLeft, ...]
    places: tuple[PlaceLeft, ...]
    bisection: Bandwidth | None
    worst_pair: Bandwidth | None
    between: Bandwidth | None
    job: JobLeft
    single: tuple[SingleRow, ...]


def _looked_at(some: int, all_: int, what: str) -> str:
    return f"{some:,} of {all_:,} {what} looked at" if some < all_ else ""
