"""The columns of a published run as people read them."""

from __future__ import annotations

from typing import NamedTuple

from app.validation.study import Row

GROUPS = (
    ("Model", (
        ("model_name", "Name", ""), ("arch", "Architecture", ""), ("params_b", "Parameters", "billion"),
        ("active_params_b", "Active parameters", "billion"), ("layers", "Layers", ""),
        ("hidden", "Hidden size", ""), ("ffn_hidden", "Feed-forward size", ""), ("heads", "Heads", ""),
        ("kv_heads", "KV heads", ""), ("vocab", "Vocabulary", ""), ("experts", "Experts", ""),
        ("topk", "Experts per token", ""),
    )),
    ("Job", (
        ("hardware", "Hardware", ""), ("n_accelerators", "Accelerators", ""),
        ("gpus_per_node", "Accelerators per node", ""), ("scale_out", "Network", ""),
        ("seq_len", "Sequence length", "tokens"), ("global_batch_seqs", "Global batch", "sequences"),
        ("precision", "Precision", ""), ("framework", "Framework", ""), ("software_date", "Date", ""),
    )),
    ("Layout", (
        ("tp", "Tensor parallel", ""), ("pp", "Pipeline stages", ""), ("vpp", "Virtual stages", ""),
        ("dp", "Data parallel", ""), ("cp", "Context parallel", ""), ("ep", "Expert parallel", ""),
        ("micro_batch", "Micro-batch", ""), ("zero_stage", "ZeRO stage", ""),
        ("sequence_parallel", "Sequence parallel", ""), ("recompute", "Recompute", ""),
    )),
    ("Measured", (
        ("measured_tokens_per_s_per_gpu", "Speed", "tokens/s per accelerator"),
        ("measured_iteration_s", "Step", "s"), ("measured_tflops_per_gpu", "Arithmetic", "TFLOP/s"),
        ("measured_mfu_pct", "MFU", "%"), ("measured_peak_mem_gb", "Peak memory", "GB"),
        ("flop_convention", "FLOPs counted", ""), ("derived_fields", "Converted by us", ""),
    )),
)  # fmt: skip
"""Column, label and unit, in reading order."""

LABELS = {column: label for _, columns in GROUPS for column, label, _ in columns}
YES_OR_NO = {"True": "yes", "False": "no"}


class Given(NamedTuple):
    label: str
    text: str


class InputGroup(NamedTuple):
    """What a source says of one side of a run, and what it leaves open."""

    title: str
    given: tuple[Given, ...]
    open: str


def input_groups(row: Row) -> tuple[InputGroup, ...]:
    """The cells of a row as its source prints them."""
    return tuple(
        InputGroup(
            title,
            tuple(
                Given(label, _text(row, column, unit)) for column, label, unit in columns if row.text(column)
            ),
            ", ".join(
                label.lower() for column, label, _ in columns if title == "Layout" and not row.text(column)
            ),
        )
        for title, columns in GROUPS
    )


def assumed_text(line: str) -> str:
    """What was taken for a column, with the column as people write it.

    >>> assumed_text("sequence_parallel True"), assumed_text("layout: the best of the search")
    ('Sequence parallel: yes', 'Layout: the best of the search')
    """
    column, _, value = line.partition(" ")
    if column not in LABELS:
        return line[:1].upper() + line[1:]
    return f"{LABELS[column]}: {YES_OR_NO.get(value, value)}"


def _text(row: Row, column: str, unit: str) -> str:
    """A cell as it is printed; names of columns and conventions as words."""
    text = row.text(column)
    if column == "derived_fields":
        return ", ".join(LABELS.get(name, name.replace("_", " ")).lower() for name in text.split(";"))
    if column == "flop_convention":
        return text.replace("_", " ")
    if column == "measured_peak_mem_gb":
        unit = row.text("measured_peak_mem_unit") or unit
    return f"{text} {unit}".strip()
