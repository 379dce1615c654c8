"""The roofline tab: prefill and decode against what the accelerator can do."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from app.catalog.number_formats import number_formats
from app.charts.figure import Figure
from app.charts.format import Shown, counted, percent, show_computed
from app.charts.serving.roofline import Roof, RoofPoint, roofline_figure
from app.surfaces.pages.serving.opened import OpenedDep, file_answer, files, view_of
from app.surfaces.pages.templating import TemplatesDep
from app.views.serving.roofline import RooflinePoint, RooflineView, roofline_view

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

TAB = "roofline"


@router.get("/serving/{key}/roofline")
def roofline(opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """Points of both phases at several batches."""
    view, refused = view_of(opened, roofline_view)
    return page.page(
        "serving/roofline.html",
        opened=opened,
        refused=refused,
        view=view,
        figure=_figure(view) if view else None,
        rows=[(point, _cells(point)) for point in view.points] if view else (),
        files=files(opened, TAB),
    )


@router.get("/serving/{key}/roofline/file")
def roofline_file(opened: OpenedDep, format: str = "csv") -> Response:
    """The points as a file."""
    return file_answer(opened, TAB, format, roofline_view)


def _figure(view: RooflineView) -> Figure:
    return roofline_figure(
        Roof(
            title=f"{view.accelerator}, {number_formats()[view.precision].label}",
            peak_flop_per_s=view.peak_flop_per_s,
            peak_16_bit_flop_per_s=view.peak_16_bit_flop_per_s,
            memory_bandwidth_bytes_per_s=view.memory_bandwidth_bytes_per_s,
        ),
        [
            RoofPoint(
                phase=point.phase,
                batch=point.batch,
                intensity=point.arithmetic_intensity,
                flop_per_s=point.flop_per_s,
                share=point.roof_share,
                bound=point.bound,
            )
            for point in view.points
        ],
        None
        if view.prefill is None
        else Roof(
            title=view.prefill.accelerator,
            peak_flop_per_s=view.prefill.peak_flop_per_s,
            peak_16_bit_flop_per_s=view.prefill.peak_16_bit_flop_per_s,
            memory_bandwidth_bytes_per_s=view.prefill.memory_bandwidth_bytes_per_s,
        ),
    )


def _cells(point: RooflinePoint) -> list[Shown]:
    return [
        Shown(counted(point.batch)),
        show_computed(point.arithmetic_intensity),
        show_computed(point.flop_per_s, "FLOP/s"),
        percent(point.roof_share),
        show_computed(point.time_s, "s"),
    ]
