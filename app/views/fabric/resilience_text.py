"""Faults, sharing and utilisation of a fabric as text for a terminal."""

from __future__ import annotations

from app.charts.fabric.words import TRAFFIC, part_name, share_text, slower_text, tier_name
from app.charts.format import show
from app.views.fabric.faults_answer import Bandwidth, FaultsAnswer, JobLeft
from app.views.fabric.sharing import SharingAnswer
from app.views.fabric.utilisation import UtilisationAnswer
from app.views.table import table


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
        f"step {times} ({slower_text(job.slowdown)}); its worst host keeps {share_text(job.access_share)} of its "
        f"links, its worst switch or unit {share_text(job.beyond_share)} of its way out{looked_at}"
    )
