"""The memory tab: parts against batch, what fits, and what the rest would need."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from app.charts.figure import Figure
from app.charts.format import Shown, counted, percent, show_computed
from app.charts.serving.batch_memory import PARTS, BatchMemory, MemoryRoom, batch_memory_figure
from app.surfaces.pages.serving.opened import OpenedDep, file_answer, files, view_of
from app.surfaces.pages.templating import TemplatesDep
from app.views.serving.memory import MemoryView, memory_view

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "memory"
OWN = "Memory of the accelerators"
TIERS = {
    "host": "Memory of the host",
    "peer": "Memory of other accelerators",
    "nvme": "NVMe drives",
    "pool": "Memory pool of the SuperNode",
}


@router.get("/serving/{key}/memory")
def memory(opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """Memory of an accelerator of a decode instance."""
    view, refused = view_of(opened, memory_view)
    return page.page(
        "serving/memory.html",
        opened=opened,
        refused=refused,
        view=view,
        figure=_figure(view) if view else None,
        facts=_facts(view) if view else (),
        binds=PARTS[view.binds][0].lower() if view else "",
        contexts=_context_rows(view) if view else (),
        files=files(opened, TAB),
    )


@router.get("/serving/{key}/memory/file")
def memory_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The batches as a file."""
    return file_answer(opened, TAB, format, memory_view)


def _figure(view: MemoryView) -> Figure:
    return batch_memory_figure(
        [
            BatchMemory(batch=one.batch, memory_bytes=one.memory_bytes, parts_bytes=one.parts_bytes)
            for one in view.points
        ],
        MemoryRoom(
            usable_bytes=view.usable_bytes,
            fitted_bytes=view.fitted_bytes,
            batch_limit=view.batch_limit,
            batch=view.here.batch,
        ),
    )


def _facts(view: MemoryView) -> list[tuple[str, Shown, str]]:
    """Label, value, and the figure of the evaluation that it is, "" for none."""
    return [
        ("Sequences per instance", Shown(counted(view.batch_limit)), "performance.batch_limit"),
        ("Decoded at once", Shown(counted(view.here.batch)), "performance.batch"),
        ("Accelerators per instance", show_computed(view.accelerators_per_instance), ""),
        ("Tokens of a running sequence, on average", show_computed(view.sequence_tokens, digits=6), ""),
        ("Keys and values of a finished request", show_computed(view.kv_bytes_per_request, "B"), "performance.kv_bytes_per_request"),
        ("Memory per further sequence", show_computed(view.bytes_per_sequence, "B"), ""),
        ("Memory of the engine", show_computed(view.usable_bytes, "B"), "performance.memory_capacity_bytes"),
        ("Memory in use", show_computed(view.here.memory_bytes, "B"), "performance.memory_per_accelerator_bytes"),
        *_prefix(view),
        *_tier(view),
        *_sessions(view),
    ]  # fmt: skip


def _prefix(view: MemoryView) -> list[tuple[str, Shown, str]]:
    if not view.shared_prefix_bytes:
        return []
    return [("Shared prefix, held once on an accelerator", show_computed(view.shared_prefix_bytes, "B"), "")]


def _sessions(view: MemoryView) -> list[tuple[str, Shown, str]]:
    """What of sessions is found again; nothing of other requests."""
    if view.sessions is None:
        return []
    cache = view.sessions
    return [
        ("Sessions alive on the pod", show_computed(cache.sessions_alive), "performance.sessions_alive"),
        ("Input found in the prefix cache", percent(cache.prefix_hit_share), "performance.prefix_hit_share"),
        ("Prefix cache hits of later turns", percent(cache.context_hit_share), "performance.context_hit_share"),
    ]  # fmt: skip


def _context_rows(view: MemoryView) -> list[tuple[str, list[Shown]]]:
    """Tiers of the prefix cache of sessions, from the accelerators down."""
    if view.sessions is None:
        return []
    return [
        (
            TIERS.get(one.tier, OWN),
            [show_computed(one.held_tokens), show_computed(one.time_s, "s"), percent(one.hit_share)],
        )
        for one in view.sessions.tiers
    ]


def _tier(view: MemoryView) -> list[tuple[str, Shown, str]]:
    """Where cached prompts wait; nothing where they never leave the accelerators."""
    if view.offloaded_sequences is None or view.tier_bytes is None:
        return []
    assert view.return_s is not None
    assert view.saved_by_return_s is not None
    where, saved = TIERS[view.cache_tier], view.saved_by_return_s
    return [
        (f"{where}, for each accelerator", show_computed(view.tier_bytes, "B"), ""),
        ("Waiting sequences per instance", Shown(counted(view.offloaded_sequences)), "performance.offloaded_sequences"),
        ("Bringing the cached part of a prompt back", show_computed(view.return_s, "s"), "performance.ttft_breakdown_s.kv_return"),
        (f"{'Lost' if saved < 0 else 'Saved'} by reload instead of recomputation", show_computed(abs(saved), "s"), "performance.saved_by_return_s"),
    ]  # fmt: skip
