"""Measured runs as they are typed: what was typed, the runs it stands for, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.errors import InputError, ScenarioError, shorten
from app.scenarios.load import build_document
from app.validation.calibration.measured import MOST_LOG_CHARACTERS, MOST_RUNS, MeasuredRun, MeasuredRuns

SPEEDS = {"step_times": "step_time_s", "speeds": "tokens_per_s_per_accelerator"}
"""Fields of the form that take numbers, and what one of them is."""


class CalibrationForm(NamedTuple):
    """`measured` is None where nothing was typed yet, or something that cannot be used."""

    step_times: str = ""
    speeds: str = ""
    log: str = ""
    use_kept: bool = True
    keep: bool = False
    measured: MeasuredRuns | None = None
    errors: Mapping[str, str] = {}

    def error(self, name: str) -> str:
        """What is wrong with a field, "" where nothing is."""
        return self.errors.get(name, "")

    def refused(self, fault: InputError) -> CalibrationForm:
        """The form with a fault that only the comparison with the scenario showed."""
        name = "log" if fault.path == "log" or not (self.step_times or self.speeds) else self._filled
        return self._replace(errors={name: message_of(fault)})

    @property
    def _filled(self) -> str:
        return "step_times" if self.step_times else "speeds"


def calibration_form(fields: Mapping[str, str]) -> CalibrationForm:
    """A form that was sent."""
    texts = {name: fields.get(name, "").strip() for name in (*SPEEDS, "log")}
    errors: dict[str, str] = {}
    runs: list[dict[str, Any]] = []
    for name, member in SPEEDS.items():
        found, errors[name] = _runs(texts[name], member)
        runs += found
    if len(runs) > MOST_RUNS:
        longest = max(SPEEDS, key=lambda name: len(texts[name]))
        errors[longest] = f"has too many runs: {len(runs)}, and {MOST_RUNS} are read at once."
    if len(texts["log"]) > MOST_LOG_CHARACTERS:
        errors["log"] = (
            f"has {len(texts['log']):,} characters, more than {MOST_LOG_CHARACTERS:,}. Keep the lines of some "
            "hundred steps."
        )
    keep, use_kept = bool(fields.get("keep")), bool(fields.get("use_kept"))
    if not any(texts.values()) and (keep or not use_kept):
        errors["step_times"] = "is empty, and so are the others. Give a step time, a speed or a log."
    errors = {name: text for name, text in errors.items() if text}
    measured = (
        None
        if errors
        else build_document(
            MeasuredRuns, {"runs": runs, "log": texts["log"], "use_kept": use_kept, "keep": keep}
        )
    )
    return CalibrationForm(**texts, use_kept=use_kept, keep=keep, measured=measured, errors=errors)


def message_of(fault: InputError) -> str:
    """A fault in words, with its way out."""
    return f"{fault.message} {fault.hint}".strip()


def _runs(text: str, member: str) -> tuple[list[dict[str, Any]], str]:
    """The runs of a list of numbers, and what is wrong with the first that cannot be used."""
    runs = []
    for word in text.replace(";", " ").replace(", ", " ").split():
        run = {member: _number(word)}
        if isinstance(run[member], str):
            return [], f"{shorten(word)} is not a number. Write 18362.5, and a blank between two runs."
        try:
            build_document(MeasuredRun, run)
        except ScenarioError as error:
            return [], message_of(error.errors[0])
        runs.append(run)
    return runs, ""


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
