"""Own runs that correct a design, as a page: what is typed, what is kept, and the figures before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from app.charts.format import percent, show, show_at, span
from app.engine.quantities import label_at
from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.serving import ServingCalibrationDocument
from app.scenarios.errors import InputError, ScenarioError, shorten
from app.scenarios.load import build_document
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studio.carried import Carried, carried
from app.surfaces.pages.studio.fields import FRAMEWORKS, PRECISIONS, in_field_words
from app.surfaces.pages.studio.state import MISSING, value_at, with_value
from app.validation.calibration.calibrate import Calibrated, Calibration
from app.validation.calibration.latency import WORDS, ServingCalibration
from app.validation.calibration.measured import (
    MOST_LOG_CHARACTERS,
    MOST_RUNS,
    MeasuredRun,
    MeasuredRuns,
    calibrated,
)
from app.validation.calibration.runs import deployment_of


class KeptLine(NamedTuple):
    """`own` says that the run is of the deployment of the design at hand, and corrects it."""

    id: int
    scenario: str
    deployment: str
    source: str
    measured: str
    kept_at: str
    own: bool


def kept_lines(designs: Designs, scenario: ScenarioDocument | None) -> tuple[KeptLine, ...]:
    """All kept runs, those of the deployment of a scenario first, each time the newest first."""
    here, kept = _deployment(designs, scenario), designs.own_runs()
    lines = [
        KeptLine(
            id=run.id,
            scenario=run.scenario,
            deployment=", ".join(
                (
                    run.accelerator,
                    FRAMEWORKS.get(run.framework, run.framework),
                    PRECISIONS.get(run.precision, run.precision),
                )
            ),
            source=run.source,
            measured=f"{run.measured_tokens_per_s:,.1f}",
            kept_at=f"{run.kept_at:%Y-%m-%d}",
            own=run.deployment == here,
        )
        for run in (kept.listed() if kept.has_workspace else ())
    ]
    return tuple(sorted(lines, key=lambda line: not line.own))


def _deployment(designs: Designs, scenario: ScenarioDocument | None) -> dict[str, str] | None:
    """None where there is no scenario that can be evaluated; the page says why."""
    if scenario is None:
        return None
    try:
        return deployment_of(designs.scenario(scenario))
    except ScenarioError:
        return None


SPEEDS = {"step_times": "step_time_s", "speeds": "tokens_per_s_per_accelerator"}
"""Fields of the form that take numbers, and what one is."""
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
        """Message of a fault of a field; "" without one."""
        return self.errors.get(name, "")

    def refused(self, fault: InputError) -> CalibrationForm:
        """The form with a fault that only the comparison with the scenario showed."""
        return self._replace(errors={self._at_fault(fault.path): message_of(fault)})

    def _at_fault(self, path: str) -> str:
        """The field that a fault of the comparison is shown next to."""
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
    return in_field_words(f"{fault.message} {fault.hint}".strip())


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


class RunLine(NamedTuple):
    source: str
    measured: str
    predicted: str
    ratio: str
    believed: str


class FigureLine(NamedTuple):
    """A figure before and after, each with its interval."""

    label: str
    predicted: str
    predicted_between: str
    corrected: str
    corrected_between: str


class CalibrationAnswer(NamedTuple):
    """`figures_basis` and `runs_basis` say what the two tables are of; runs of a served model have no belief."""

    headline: str
    sentence: str
    runs: tuple[RunLine, ...]
    figures: tuple[FigureLine, ...]
    apply: str
    figures_basis: str = "8 of 10 comparable runs, then 8 of 10 further runs of yours, lie in the interval"
    runs_basis: str = "tokens per second and accelerator; the share of each run's error that is believed"
    believed: bool = True


def calibration_answer(found: Calibration, apply: str) -> CalibrationAnswer:
    """Everything the page shows of a calibration; `apply` is the address that states it."""
    return CalibrationAnswer(
        headline=_headline(found.correction),
        sentence=_sentence(found),
        runs=tuple(
            RunLine(
                source=run.source,
                measured=f"{run.measured:,.1f}",
                predicted=f"{run.predicted:,.1f}",
                ratio=f"{run.ratio:.3f}",
                believed=percent(believed).text,
            )
            for run, believed in zip(found.runs, found.beliefs, strict=True)
        ),
        figures=tuple(_figure(path, figure) for path, figure in found.figures.items()),
        apply=apply,
    )


def serving_answer(found: ServingCalibration, apply: str) -> CalibrationAnswer:
    """The same of a served model."""
    return CalibrationAnswer(
        headline=_latency_headline(found),
        sentence=_latency_sentence(found),
        runs=tuple(
            RunLine(
                source=run.source,
                measured=show(run.measured, "s").text,
                predicted=show(run.predicted, "s").text,
                ratio=f"{run.ratio:.3f}",
                believed="",
            )
            for run in found.runs
        ),
        figures=tuple(
            _figure(path, figure) for path, figure in found.figures.items() if figure.predicted is not None
        ),
        apply=apply,
        figures_basis="8 of 10 measured points, then 8 of 10 other points of one deployment, lie in the interval",
        runs_basis=_load_words(found.concurrency),
        believed=False,
    )


def _latency_headline(found: ServingCalibration) -> str:
    """What was measured of the time per token, else of the time to the first."""
    name = "tpot" if "tpot" in found.corrections else "ttft"
    change = found.corrections[name].correction - 1
    what = f"{WORDS[name][:1].upper()}{WORDS[name][1:]}"
    if abs(change) < 0.0005:
        return f"{what}: as predicted"
    return f"{what}: {percent(abs(change)).text} {'longer' if change > 0 else 'shorter'} than predicted"


def _latency_sentence(found: ServingCalibration) -> str:
    said = [
        f"{WORDS[name]} by {one.correction:.3f}, and 8 of 10 other points of the deployment lie between {one.low:.3f} "
        f"and {one.high:.3f} of what was predicted"
        for name, one in found.corrections.items()
    ]
    return f"The engine's answer is multiplied: {'; '.join(said)}."


def _load_words(concurrency: float | None) -> str:
    return (
        "as predicted" if concurrency is None else f"as predicted with {concurrency:,.4g} requests in flight"
    )


def _headline(correction: float) -> str:
    change = correction - 1
    if abs(change) < 0.0005:
        return "Your runs are as fast as predicted"
    return f"Your runs are {percent(abs(change)).text} {'faster' if change > 0 else 'slower'} than predicted"


def _sentence(found: Calibration) -> str:
    return (
        f"Every predicted speed is multiplied by {found.correction:.3f}; {round(10 * found.probability)} of 10 "
        f"further runs lie between {found.low:.3f} and {found.high:.3f} of it."
    )


def _figure(path: str, figure: Calibrated) -> FigureLine:
    return FigureLine(
        label=label_at(path),
        predicted=show_at(path, figure.predicted).text,
        predicted_between=_between(path, figure.predicted_low, figure.predicted_high),
        corrected=show_at(path, figure.corrected).text,
        corrected_between=_between(path, figure.low, figure.high),
    )


def _between(path: str, low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else span(show_at(path, low), show_at(path, high))


CALIBRATION = "workload.calibration"


class CalibratePage(NamedTuple):
    """A scenario, the runs that were typed or kept, and what they say of it."""

    carried: Carried
    form: CalibrationForm
    kept: tuple[KeptLine, ...] = ()
    answer: CalibrationAnswer | None = None

    @property
    def own_kept(self) -> int:
        """Number of kept runs of the deployment of this design."""
        return sum(line.own for line in self.kept)

    @property
    def stated(self) -> float | None:
        """The correction that the scenario states already."""
        scenario = self.carried.scenario
        own = getattr(scenario.workload, "calibration", None) if scenario else None
        return own.measured_over_predicted if isinstance(own, CalibrationDocument) else None

    @property
    def serves(self) -> bool:
        """Return whether latencies of a served model are asked for."""
        return bool(value_at(self.carried.values, "workload.kind") == "serving")

    @property
    def stated_of_latencies(self) -> str:
        """The corrections that a served model states already, "" where there are none."""
        scenario = self.carried.scenario
        own = getattr(scenario.workload, "calibration", None) if scenario else None
        if not isinstance(own, ServingCalibrationDocument):
            return ""
        words = {
            "the time to the first token": own.measured_ttft_over_predicted,
            "the time per output token": own.measured_tpot_over_predicted,
        }
        return " and ".join(f"{ratio:g} of {name}" for name, ratio in words.items() if ratio is not None)

    @property
    def without(self) -> str:
        """The studio without what is stated of own runs."""
        return self.carried.studio_with(with_value(self.carried.values, CALIBRATION, MISSING))


def calibrate_page(designs: Designs, key: str, state: str, form: CalibrationForm) -> CalibratePage:
    """The page of a design, with the scenario that the address carries in place of its own.

    Raises
    ------
    KeyError : there is no such design
    """
    designs = designs.of(key)
    page = CalibratePage(carried(designs, key, state), form)
    scenario = page.carried.scenario
    if scenario is not None and form.measured is not None:
        page = _answered(designs, page, scenario)
    return page._replace(kept=kept_lines(designs, scenario))


def _answered(designs: Designs, page: CalibratePage, scenario: ScenarioDocument) -> CalibratePage:
    assert page.form.measured is not None
    try:
        found = calibrated(
            designs.scenario(scenario), designs.catalog(), page.form.measured, designs.own_runs()
        )
    except ScenarioError as error:
        return page._replace(form=page.form.refused(error.errors[0]))
    stated = found.workload_calibration.model_dump(mode="json", exclude_none=True)
    apply = page.carried.studio_with(with_value(page.carried.values, CALIBRATION, stated))
    if isinstance(found, ServingCalibration):
        return page._replace(answer=serving_answer(found, apply))
    return page._replace(answer=calibration_answer(found, apply))
