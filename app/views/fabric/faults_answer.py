"""Remaining fabric after a failure, as it is answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from app.charts.fabric.words import TRAFFIC, part_name, share_text, slower_text, tier_name
from app.charts.format import show
from app.scenarios.fields import Count, CountOrZero, Line, Part, Whole
from app.views.fabric.sharing import SharingAnswer
from app.views.fabric.utilisation import UtilisationAnswer
from app.views.table import table


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
    first: str  # name of the first
    devices: int
    failed: int
    cut_off: int  # hosts that no longer reach the others
    share: float  # links that work, of all links of these devices
    unit: int | None  # scalable unit whose hosts they are, from 1; None for others
    names: tuple[str, ...]  # of these devices, of the first few
    link: str  # one working link of the first device, "" for none


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleLeft:
    """The links between two places, by their positions in the list of places."""

    one: int
    other: int
    links: int
    links_left: int
    link: str  # one that works, "" where none does
    between: str  # all of them by their two devices, where each place is one device; else empty


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
    bundles: tuple[BundleLeft, ...]
    bisection: Bandwidth | None
    worst_pair: Bandwidth | None
    between: Bandwidth | None
    job: JobLeft
    single: tuple[SingleRow, ...]


def _looked_at(some: int, all_: int, what: str) -> str:
    return f"{some:,} of {all_:,} {what} looked at" if some < all_ else ""


def faults_text(answer: FaultsAnswer) -> str:
    """Failures, remaining fabric, and the loss of each part alone."""
    failed, reach = answer.failed, answer.reach
    lines = [
        f"{answer.name}, {answer.topology}",
        f"Failed switches: {failed.switches:,}, links: {failed.links:,}; links lost in all: {failed.links_lost:,}.",
        f"Hosts cut off: {reach.cut_off:,} of {reach.hosts:,}; pairs joined: {share_text(reach.joined_share)}.",
    ]
    if reach.cut_off_names:
        more = ", ..." if reach.cut_off > len(reach.cut_off_names) else ""
        lines.append(f"  {', '.join(reach.cut_off_names)}{more}")
    tiers = [
        (tier_name(tier.tier), f"{tier.links:,}", f"{tier.links_left:,}", share_text(tier.share))
        for tier in answer.tiers
    ]
    lines += ["", *table(("tier", "links", "left", "share"), tiers, left=True), ""]
    for title, pair in (
        ("Bisection", answer.bisection),
        ("Worst pair", answer.worst_pair),
        ("Between", answer.between),
    ):
        if pair:
            lines.append(f"{title}: {_bandwidth(pair)}")
    lines.append(f"Job: {_job(answer.job)}")
    if answer.single:
        heads = ("one lost", "of", "such as", "hosts cut off", "host keeps", "way out keeps", "step")
        rows = [
            (
                part_name(row.part, row.tier),
                f"{row.count:,}",
                f"{row.example} ({row.kinds_looked_at})" if row.kinds_looked_at else row.example,
                f"{row.cut_off:,}",
                share_text(row.job.access_share),
                share_text(row.job.beyond_share),
                slower_text(row.job.slowdown) if row.job.runs else "stops",
            )
            for row in answer.single
        ]
        lines += ["", *table(heads, rows, left=True)]
    return "\n".join(lines)


def sharing_text(answer: SharingAnswer) -> str:
    """A row a job, and the load of each tier."""
    heads = ("job", "hosts", "units", "placement", "pattern", "alone", "shared", "talks", "step", "held by")
    rows = [
        (
            job.name,
            f"{job.hosts:,}",
            f"{job.units:,}",
            job.placement,
            job.pattern,
            share_text(job.pace_alone),
            share_text(job.pace),
            slower_text(job.communication_slowdown),
            slower_text(job.step_slowdown),
            job.held_by or "nothing",
        )
        for job in answer.jobs
    ]
    head = f"{answer.name}, {answer.topology}, {answer.routing} routing, {answer.free_hosts:,} hosts free"
    loads = [(tier_name(tier.tier), share_text(tier.mean), share_text(tier.peak)) for tier in answer.tiers]
    busy = table(("tier", "mean load", "peak load"), loads, left=True)
    return "\n".join([head, "", *table(heads, rows, left=True), "", *busy])


def utilisation_text(answer: UtilisationAnswer) -> str:
    """Bytes by purpose, and a row a tier."""
    rows = [
        (
            TRAFFIC.get(row.kind, row.kind),
            show(row.scale_up_bytes, "B").text,
            show(row.scale_out_bytes, "B").text,
        )
        for row in answer.traffic
    ]
    busy = [(tier_name(tier.tier), share_text(tier.mean), share_text(tier.peak)) for tier in answer.tiers]
    head = f"{answer.name}, {answer.topology}, step {show(answer.step_time_s, 's').text}"
    sent = table(("an accelerator sends", "scale-up", "scale-out"), rows, left=True)
    return "\n".join([head, "", *sent, "", *table(("tier", "mean", "peak"), busy, left=True)])


def _bandwidth(pair: Bandwidth) -> str:
    left, whole = show(pair.left_bytes_per_s, "B/s").text, show(pair.whole_bytes_per_s, "B/s").text
    return f"{left} of {whole} ({share_text(pair.share)}) between {pair.one} and {pair.other}"


def _job(job: JobLeft) -> str:
    if not job.runs:
        return f"stops. {job.reason}"
    looked_at = f" ({job.looked_at})" if job.looked_at else ""
    times = f"{show(job.step_time_whole_s, 's').text} to {show(job.step_time_s, 's').text}"
    return (
        f"step {times} ({slower_text(job.slowdown)}); worst-host bandwidth {share_text(job.access_share)} and "
        f"worst uplink capacity {share_text(job.beyond_share)} of those before{looked_at}"
    )


Names = Annotated[tuple[Line, ...], Field(strict=False, max_length=1_000)]
Numbers = Annotated[tuple[Count, ...], Field(strict=False, max_length=64)]


class FeedDocument(Part):
    """A power feed that fails. A device with two supplies lives on the other one."""

    feed: Literal["A", "B"] = Field(description="Which of the two feeds fails.")
    racks: Annotated[tuple[Line, ...], Field(strict=False, min_length=1, max_length=10_000)] | None = Field(
        default=None,
        description="Racks of the floor plan whose feed fails, such as R01-05; all racks when left out.",
    )
    one_supply: Annotated[tuple[Line, ...], Field(strict=False, max_length=16)] = Field(
        default=(),
        description="Kinds of device that have one supply, such as leaf; odd ones of a kind hang on feed A and "
        "even ones on feed B. Every other device has two.",
    )


class FaultsDocument(Part):
    """Simultaneous failures. Nothing at all leaves the fabric whole."""

    links: Names = Field(
        default=(),
        description="Links as DEVICE:PORT, ports counted from 1, or DEVICE/DEVICE for all between two devices.",
    )
    switches: Names = Field(default=(), description="Switches by name, such as leaf-3 or spine-p2-07.")
    hosts: Names = Field(
        default=(),
        description="Hosts, or all of a scalable unit, such as node-0001 or unit-2, that lose all links.",
    )
    planes: Numbers = Field(default=(), description="Planes, counted from 1.")
    rails: Numbers = Field(default=(), description="Rails, counted from 1.")
    power: FeedDocument | None = Field(default=None, description="A power feed that fails.")
    random_links: CountOrZero = Field(default=0, description="Further links, drawn at random.")
    random_switches: CountOrZero = Field(default=0, description="Further switches, drawn at random.")
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = Field(
        default=0, description="Random seed: the same seed draws the same parts."
    )
    between: Annotated[tuple[Line, Line], Field(strict=False)] | None = Field(
        default=None, description="Two hosts or units, such as node-0001 and unit-2, to see what joins them."
    )
    single: bool = Field(
        default=True,
        description="Also show the loss of one link, switch, plane and rail of each tier by itself.",
    )
