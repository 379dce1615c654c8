"""The speed of a run from what its framework logs: Megatron-LM, NeMo, torchtitan and MaxText.

Each prints a line every few steps. The first are left out, as they compile, allocate and fill caches; of the
rest the median counts, which a slow checkpoint or two do not move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.validation.rows import ValidationFileError

LARGEST_BYTES = 200_000_000
WARM_UP_SHARE, MOST_WARM_UP = 0.2, 10
"""Printed steps that are left out at the start: a fifth, at least one, at most ten."""
FEWEST_STEPS = 3

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal
NUMBER = r"([\d.,]*\d(?:[eE][+-]?\d+)?)"


@dataclass(frozen=True)
class Format:
    """How one framework prints a step: its number, and its time or its speed."""

    name: str
    step: re.Pattern[str]
    value: re.Pattern[str]
    unit: str  # s or tokens/s, of one accelerator
    factor: float = 1.0


FORMATS = (
    Format(
        "Megatron-LM",
        re.compile(r"iteration\s+(\d+)\s*/"),
        re.compile(rf"elapsed time per iteration \(ms\):\s*{NUMBER}"),
        "s",
        1e-3,
    ),
    Format(
        "NeMo",
        re.compile(r"global_step[:=]\s*(\d+)"),
        re.compile(rf"train_step_timing in s[:=]\s*{NUMBER}"),
        "s",
    ),
    Format("torchtitan", re.compile(r"\bstep:\s*(\d+)"), re.compile(rf"\btps:\s*{NUMBER}"), "tokens/s"),
    Format("MaxText", re.compile(r"completed step:\s*(\d+)"), re.compile(rf"\bseconds:\s*{NUMBER}"), "s"),
)
BATCH = re.compile(r"global[ _]batch[ _]size[:=]\s*(\d+)")


@dataclass(frozen=True)
class LoggedRun:
    """What a log says: the median of `value` over `steps` printed steps, in `unit`.

    `global_batch_sequences` is None where the framework does not print it.
    """

    framework: str
    unit: str
    value: float
    steps: int
    left_out: int
    global_batch_sequences: int | None


def read_log(path: Path) -> LoggedRun:
    """The speed of a logged run.

    Raises
    ------
    ValidationFileError : the file cannot be read, or none of the frameworks wrote it
    """
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise ValidationFileError(
                f"{path} has more than {LARGEST_BYTES:,} bytes; keep the lines of some hundred steps"
            )
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ValidationFileError(f"{path} cannot be read: {error.strerror}") from None
    return logged_run(text, str(path))


def logged_run(text: str, name: str) -> LoggedRun:
    """The speed of a run from the text of its log; messages call it `name`.

    Raises
    ------
    ValidationFileError : none of the frameworks wrote it
    """
    lines = [ESCAPES.sub("", line) for line in text.splitlines()]
    for form in FORMATS:
        printed = dict(_steps(lines, form))
        if printed:
            return _logged(name, form, list(printed.values()), lines)
    known = ", ".join(form.name for form in FORMATS)
    raise ValidationFileError(
        f"{name} has no line of a training step of {known}; a step time or tokens a second can be typed instead"
    )


def _steps(lines: list[str], form: Format) -> Iterator[tuple[int, float]]:
    """Numbers of steps and what was printed of them; of several ranks the last."""
    for line in lines:
        step, value = form.step.search(line), form.value.search(line)
        if step and value:
            number = float(value[1].replace(",", "")) * form.factor
            if number > 0:
                yield int(step[1]), number


def _logged(name: str, form: Format, values: list[float], lines: list[str]) -> LoggedRun:
    left_out = min(max(1, int(WARM_UP_SHARE * len(values))), MOST_WARM_UP)
    kept = values[left_out:]
    if len(kept) < FEWEST_STEPS:
        raise ValidationFileError(
            f"{name} has {len(values)} steps of {form.name}; after {left_out} of warm-up at least "
            f"{FEWEST_STEPS} are needed"
        )
    batches = {int(found[1]) for line in lines if (found := BATCH.search(line)) and form.value.search(line)}
    if len(batches) > 1:
        sizes = ", ".join(str(size) for size in sorted(batches))
        raise ValidationFileError(
            f"{name} has steps of several global batches ({sizes}); keep the lines of one"
        )
    return LoggedRun(
        framework=form.name,
        unit=form.unit,
        value=float(np.median(kept)),
        steps=len(kept),
        left_out=left_out,
        global_batch_sequences=batches.pop() if batches else None,
    )
