"""Speeds from logs: the median after the warm-up, of every program."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.validation.calibration.runs import read_log
from app.validation.study import ValidationFileError
from tests.validation.calibration.logs import MAXTEXT, MEGATRON, NEMO, TORCHTITAN, log


@pytest.mark.parametrize(
    ("line", "framework", "unit", "value", "batch"),
    [
        (MEGATRON, "Megatron-LM", "s", 2.0, 128),
        (NEMO, "NeMo", "s", 2.0, 128),
        (TORCHTITAN, "torchtitan", "tokens/s", 5868, None),
        (MAXTEXT, "MaxText", "s", 2.0, None),
    ],
)
def test_every_framework(
    tmp_path: Path, line: str, framework: str, unit: str, value: float, batch: int | None
) -> None:
    path = tmp_path / "run.log"
    path.write_text(log(line), encoding="utf-8")
    found = read_log(path)
    assert (found.framework, found.unit, found.value) == (framework, unit, value)
    assert (found.steps, found.left_out) == (32, 8)
    assert found.global_batch_sequences == batch


def test_progress_bar_of_nemo(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    bar = "Epoch 0: : {step}/100 [00:02<?, reduced_train_loss=10.9, global_step={step}.00, train_step_timing in s=2.780]"
    path.write_text("\r".join(bar.format(step=step) for step in range(10)), encoding="utf-8")
    assert read_log(path).value == 2.78


def test_long_logs_leave_ten_steps_out(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    path.write_text(log(MAXTEXT, steps=500), encoding="utf-8")
    assert read_log(path).left_out == 10


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nothing of the kind\n", "no line of a training step of Megatron-LM, NeMo, torchtitan, MaxText"),
        (log(MEGATRON, steps=3), "has 3 steps of Megatron-LM; after 1 of warm-up at least 3 are needed"),
        (log(MEGATRON) + log(MEGATRON, batch=256), r"several global batches \(128, 256\)"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "run.log"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValidationFileError, match=reason):
        read_log(path)
    with pytest.raises(ValidationFileError, match="cannot be read"):
        read_log(tmp_path / "none.log")
