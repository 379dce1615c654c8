"""Measured runs as they are typed: what was typed, the runs it stands for, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.errors import InputError, ScenarioError, shorten
from app.scenarios.load import build_document
from app.validation.calibration.measured import MOST_LOG_CHARACTERS, MOST_RUNS, MeasuredRun, MeasuredRuns

SPEEDS = {"step_times": "step_time_s", "speeds": "tokens_per_s_per_accelerator"}
"""Fields of the form that take numbers, and what one of them is."""
LATENCIES = {"ttfts": "ttft_s", "tpots": "tpot_s"}
"""The same of a served model."""
MILLI = 1e-3


class CalibrationForm(NamedTuple):
    """`measured` is None where nothing was typed yet, or something that cannot be used."""

    step_times: str = ""
    speeds: str = ""
    log: str = ""
    ttfts: str = ""
    tpots: str = ""
    use_kept: bool = True
    keep: bool = False
    measured: MeasuredRuns | None = None
    errors: Mapping[str, str] = {}

    def error(self, name: str) -> str:
        """What is wrong with a field, "" where nothing is."""
        return self.errors.get(name, "")

    def refused(self, fault: InputError) -> CalibrationForm:
        """The form with a fault that only the comparison with the scenario showed."""
        return self._replace(errors={self._at_fault(fault.path): message_of(fault)})

    def _at_fault(self, path: str) -> str:
        """The field that a fault of the comparison stands beside."""
        of_latencies = {member: name for name, member in LATENCIES.items()}
        member = path.rpartition(".")[2]  # of runs[0].tpot_s
        if member in of_latencies:
            return of_latencies[member]
        filled = [name for name in (*SPEEDS, *LATENCIES) if getattr(self, name)]
        return "log" if path == "log" or not filled else filled[0]


def calibration_form(fields: Mapping[str, str]) -> CalibrationForm:
    """A form that was sent: of a training run, or of a served model."""
    members = LATENCIES if "tpots" in fields else SPEEDS
    texts = {name: fields.get(name, "").strip() for name in (*members, "log")}
    errors: dict[str, str] = {}
    runs: list[dict[str, Any]] = []
    for name, member in members.items():
        found, errors[name] = _runs(texts[name], member)
        runs += found
    if len(runs) > MOST_RUNS:
        longest = max(members, key=lambda name: len(texts[name]))
        errors[longest] = f"has too many runs: {len(runs)}, and {MOST_RUNS} are read at once."
    if len(texts["log"]) > MOST_LOG_CHARACTERS:
        errors["log"] = (
            f"has {len(texts['log']):,} characters, more than {MOST_LOG_CHARACTERS:,}. Keep the lines of some "
            "hundred steps."
        )
    keep, use_kept = bool(fields.get("keep")), bool(fields.get("use_kept"))
    if members is SPEEDS and not any(texts.values()) and (keep or not use_kept):
        errors["step_times"] = "is empty, and so are the others. Give a step time, a speed or a log."
    if members is LATENCIES and not runs and not any(errors.values()):
        errors["tpots"] = "is empty, and so is the other. Give what users waited for, in milliseconds."
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
        value = _number(word)
        if isinstance(value, str):
            return [], f"{shorten(word)} is not a number. Write 18362.5, and a blank between two runs."
        run = {member: value * MILLI if member in LATENCIES.values() else value}
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
