"""Forms of charts: from plain arrays and words to the Plotly document that a page draws, in one theme."""

from __future__ import annotations

from app.charts.forms.axes import (
    Chart,
    Labels,
    along,
    axis_title,
    blank,
    cells,
    even_ticks,
    few_ticks,
    font,
    from_zero,
    log,
    log_ticks,
    look,
    names,
    plain,
    plot,
    powers,
    round_ticks,
    rows,
    tick_text,
    token,
    unit_ticks,
    values,
)
from app.charts.forms.marks import (
    LINE_STYLES,
    SYMBOLS,
    band,
    bars,
    columns,
    dots,
    end_labels,
    error_bars,
    heat_map,
    inside,
    inside_or_beside,
    limit,
    line,
    note,
    rect,
    ring,
    rule,
    sankey,
    segment,
    segments,
    style,
    texts,
)
from app.charts.forms.waterfall import Step, narrow_waterfall, waterfall

__all__ = [
    "LINE_STYLES", "SYMBOLS", "Chart", "Labels", "Step", "along", "axis_title", "band", "bars", "blank", "cells",
    "columns", "dots", "end_labels", "error_bars", "even_ticks", "few_ticks", "font", "from_zero", "heat_map",
    "inside", "inside_or_beside", "limit", "line", "log", "log_ticks", "look", "names", "narrow_waterfall", "note",
    "plain", "plot", "powers", "rect", "ring", "round_ticks", "rows", "rule", "sankey", "segment", "segments",
    "style", "texts", "tick_text", "token", "unit_ticks", "values", "waterfall",
]  # fmt: skip
