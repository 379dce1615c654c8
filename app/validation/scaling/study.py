"""Published figures of scaling laws against the laws of the engine."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from app.catalog.scaling_laws import scaling_laws
from app.catalog.validated_collectives import SCALING_FIGURES_FILE
from app.engine.scaling.additive import parameters_exponent, training_flop
from app.engine.scaling.choose import LawInputs, curve_of
from app.engine.scaling.coefficients import (
    additive_coefficients,
    joint_coefficients,
    repeated_coefficients,
    slope,
)
from app.engine.scaling.curve import Curve
from app.engine.scaling.frontier import tokens_growth
from app.engine.scaling.repetition import effective_amount
from app.engine.scaling.routing import effective_dense_parameters, saturating_experts
from app.engine.scaling.serving import lifetime_of
from app.engine.scaling.solve import Given, optimal, solve
from app.engine.trace import Array
from app.paths import seed_data
from app.validation.study import Prediction, Report, Row, Unsupported, UnsupportedRowError, read_rows

# What a row states: letters with numbers, such as N=6.34e9 D=242e9, and sizes in words.

STATED = re.compile(r"([A-Za-z]+)=([-+0-9.eE]+)")
PRODUCT = re.compile(r"([0-9.]+)B x ([0-9.]+)T")
COLUMNS = ("law", "case", "quantity", "published")


@dataclass(frozen=True)
class Figures:
    """One row, read."""

    row: Row

    @property
    def law(self) -> str:
        return self.row.text("law")

    @property
    def what(self) -> str:
        """Case and quantity, by which a row is told from the others of its law."""
        return f"{self.row.text('case')} | {self.row.text('quantity')}"

    def given(self, letter: str) -> Array:
        """A number of the column `input`, which may stand in `case` too.

        Raises
        ------
        UnsupportedRowError : it is not stated
        """
        for column in ("input", "case"):
            for name, number in STATED.findall(self.row.text(column)):
                if name == letter:
                    return np.array([_number(number)])
        raise UnsupportedRowError(f"{letter} is not given in the column input")

    @property
    def product(self) -> tuple[Array, Array]:
        """Parameters and tokens of an input such as 402B x 16.55T.

        Raises
        ------
        UnsupportedRowError : it is not stated
        """
        found = PRODUCT.search(self.row.text("input"))
        if not found:
            raise UnsupportedRowError("parameters and tokens are not given, such as 402B x 16.55T")
        return np.array([_number(found[1]) * 1e9]), np.array([_number(found[2]) * 1e12])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnsupportedRowError(f"{text!r} is not a number") from None


# Which figure of which law a row asks for.

Predict = Callable[[Figures], Array]
INFINITE = np.array([np.inf])
SERVED_EXAMPLE = (np.array([13e9]), np.array([7e9]))
"""Parameters of the two models that the published example compares."""


def predicted(figures: Figures) -> float:
    """The figure that a row asks for, by the engine.

    Raises
    ------
    UnsupportedRowError : no shipped law has it
    """
    for law, what, predict in CASES:
        if re.fullmatch(law, figures.law) and re.search(what, figures.what):
            return float(predict(figures)[0])
    raise UnsupportedRowError(f"no shipped law gives {figures.what!r} of {figures.law!r}")


def _curve(key: str, inputs: LawInputs | None = None) -> Curve:
    laws = scaling_laws()
    return curve_of(laws[key], laws, inputs or LawInputs())


def _constant(key: str, name: str) -> Array:
    return np.array(scaling_laws()[key].value(name))


def _table_tokens(key: str) -> Predict:
    """Tokens of a printed frontier: its compute over 6 N."""

    def predict(figures: Figures) -> Array:
        parameters = figures.given("N")
        for point in scaling_laws()[key].points:
            if np.isclose(point.parameters, parameters[0], rtol=1e-6):
                compute = np.array([point.flops])
                return solve(_curve(key), Given(parameters=parameters, flops=compute)).tokens
        raise UnsupportedRowError(f"the printed table has no model of {parameters[0]:g} parameters")

    return predict


def _slope(key: str) -> Predict:
    return lambda figures: np.array([slope(scaling_laws()[key])])


def _best_parameters(key: str) -> Predict:
    return lambda figures: optimal(_curve(key), figures.given("C")).parameters


def _best_ratio(key: str) -> Predict:
    def predict(figures: Figures) -> Array:
        best = optimal(_curve(key), figures.given("C"))
        return best.tokens / best.parameters

    return predict


def _loss(key: str) -> Predict:
    return lambda figures: _curve(key).loss(figures.given("N"), figures.given("D"))


def _refit_exponent(figures: Figures) -> Array:
    laws = scaling_laws()
    return np.atleast_1d(parameters_exponent(coefficients=additive_coefficients(laws["epoch_refit"], laws)))


def _kaplan_doubling(figures: Figures) -> Array:
    kaplan = _curve("kaplan")
    one = np.array([1e9])
    return kaplan.loss(2 * one, INFINITE) / kaplan.loss(one, INFINITE)


def _kaplan_data(figures: Figures) -> Array:
    return tokens_growth(
        parameters_growth=np.array([8.0]), tokens_per_parameters_exponent=_constant("kaplan", "data_exponent")
    )


def _implied_exponent(figures: Figures) -> Array:
    """The exponent with which the printed prefactor gives the tokens of the anchor."""
    (anchor,) = scaling_laws()["llama_3"].points
    return np.log((anchor.tokens or np.nan) / _constant("llama_3", "cap_a")) / np.log(figures.given("C"))


def _six_n_d(figures: Figures) -> Array:
    parameters, tokens = figures.product
    return training_flop(parameters=parameters, tokens=tokens)


def _closing(figures: Figures) -> Array:
    return np.atleast_1d(_constant("deepseek", "m0") * _constant("deepseek", "d0"))


def _repeated_constant(figures: Figures) -> Array:
    found = repeated_coefficients(scaling_laws()["data_constrained"])
    values = {"A": found.cap_a, "B": found.cap_b, "E": found.irreducible}
    name = figures.row.text("quantity")
    if name not in values:
        raise UnsupportedRowError(f"the constant {name!r} is none of A, B, E")
    return np.atleast_1d(values[name])


def _repeated_loss(figures: Figures) -> Array:
    unique = float(figures.given("U")[0])
    law = _curve("data_constrained", LawInputs(unique_tokens=unique))
    return law.loss(figures.given("N"), figures.given("D"))


def _epochs(figures: Figures) -> Array:
    return effective_amount(
        total=figures.given("epochs"), unique=np.ones(1), decay=_constant("data_constrained", "r_d")
    )


def _joint(figures: Figures) -> Array:
    found = joint_coefficients(scaling_laws()["moe_joint"], float(figures.given("E")[0]))
    values = {"m": found.cap_a, "mu": -found.alpha, "n": found.cap_b, "nu": -found.beta}
    name = figures.row.text("quantity")
    if name not in values:
        raise UnsupportedRowError(f"the constant {name!r} is none of m, mu, n, nu")
    return np.atleast_1d(values[name])


def _dense(figures: Figures) -> Array:
    e_start = _constant("moe_routed", "e_start")
    experts = saturating_experts(
        experts=figures.given("E"), e_start=e_start, e_max=_constant("moe_routed", "e_max")
    )
    return effective_dense_parameters(
        parameters=figures.given("N"),
        saturating_experts=experts,
        e_start=e_start,
        **{name: _constant("moe_routed", name) for name in ("a", "b", "c")},
    )


def _saved(figures: Figures) -> Array:
    served = figures.given("Din")
    law = _curve("inference_aware", LawInputs(inference_tokens=float(served[0])))
    large, small = SERVED_EXAMPLE
    best = solve(law, Given(parameters=large))
    smaller = solve(law, Given(parameters=small, loss=best.loss))
    return lifetime_of(best, served) - lifetime_of(smaller, served)


UNROUNDED = r"Chinchilla approach 3 \(?unrounded.*"
CASES: tuple[tuple[str, str, Predict], ...] = (
    ("Chinchilla approach 1", r"^Table .*D tokens", _table_tokens("chinchilla_1")),
    ("Chinchilla approach 2", r"^Table .*D tokens", _table_tokens("chinchilla_2")),
    ("Chinchilla approach 1", r"first and last", _slope("chinchilla_1")),
    ("Chinchilla approach 2", r"first and last", _slope("chinchilla_2")),
    ("Chinchilla approach 3", r"first and last", _slope("chinchilla_3")),
    (UNROUNDED, r"N params", _best_parameters("chinchilla_3")),
    (UNROUNDED, r"tokens per parameter", _best_ratio("chinchilla_3")),
    ("Epoch refit.*", r"tokens per parameter", _best_ratio("epoch_refit")),
    ("Epoch refit.*", r"exponent of N_opt", _refit_exponent),
    ("Epoch refit.*", r"loss nats", _loss("epoch_refit")),
    ("Kaplan", r"^doubling N", _kaplan_doubling),
    ("Kaplan", r"^8x model \| data factor", _kaplan_data),
    ("Llama 3 IsoFLOP", r"^alpha implied", _implied_exponent),
    ("Llama 3 IsoFLOP", r"^6ND", _six_n_d),
    ("DeepSeek LLM", r"product of prefactors", _closing),
    ("Data-constrained", r"^constants", _repeated_constant),
    ("Data-constrained", r"\| loss", _repeated_loss),
    ("Data-constrained", r"^repeat", _epochs),
    ("Joint MoE", r"^E=", _joint),
    ("Clark routed LM", r"effective dense", _dense),
    ("Inference-aware", r"FLOP saved", _saved),
)
"""Law, words of its case and quantity, and what predicts them; the first that fits."""


# Why a published figure is not what its own law gives, where that is known.

CLOSE = 0.01
"""Figures within this share of one another agree."""

ROUNDED = (
    "printed to two digits: 6 N D of the printed parameters and tokens misses the printed compute by as much"
)
REASONS = (
    ("Chinchilla approach 1", r"^Table .*D tokens", ROUNDED),
    ("Chinchilla approach 2", r"^Table .*D tokens", ROUNDED),
    (
        r"Chinchilla approach 3 \(unrounded.*",
        r"N params",
        "a biased fit: even unrounded, the printed constants do not give the printed table (Besiroglu et al. 2024)",
    ),
    (
        "Llama 3 IsoFLOP",
        r"^alpha implied",
        "printed to two digits: 0.53 and 0.29 do not give the published tokens, so the anchor is used",
    ),
    ("Llama 3 IsoFLOP", r"^6ND of recommendation", "its FLOPs are not counted as 6 N D"),
    ("Inference-aware", r"FLOP saved", "read off a figure and printed to two digits (17 % against 16.3 %)"),
)


def agree(one: float, other: float) -> bool:
    """Whether two figures are within 1 % of one another."""
    return abs(one - other) <= CLOSE * abs(other)


def reason_for(figures: Figures) -> str:
    """Why the published figure of a row differs, empty where nothing is known."""
    for law, what, reason in REASONS:
        if re.fullmatch(law, figures.law) and re.search(what, figures.what):
            return reason
    return ""


# `podwright validate scaling`: published figures of scaling laws against the engine.


@dataclass(frozen=True)
class ScalingReport(Report):
    """A report that says of every difference from a published figure what it comes from."""

    def as_text(self) -> str:
        counts = {name: value for name, value in self.extra.items() if not isinstance(value, list)}
        lines = [Report(**{**self.__dict__, "extra": counts}).as_text()]
        for name in ("explained", "unexplained"):
            found: list[dict[str, Any]] = self.extra[name]
            if found:
                lines += ["", f"more than 1 % from what is published, {name}"]
                lines += [_difference(one) for one in found]
        return "\n".join(lines)


def validate_scaling(path: Path) -> ScalingReport:
    """Compute every scored figure of a file.

    A figure more than 1 % from what is published is explained where the file's own `computed` shows the same
    difference and its cause is known.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    rows = read_rows(path, COLUMNS)
    predictions, unsupported = [], []
    for row in rows:
        if row.scored:
            try:
                predictions.append(_prediction(row))
            except UnsupportedRowError as error:
                unsupported.append(Unsupported(row.key, str(error)))
    return ScalingReport(
        kind="scaling",
        rows=len(rows),
        predictions=tuple(predictions),
        unsupported=tuple(unsupported),
        constants={},
        extra=_agreement(predictions, {row.key: row for row in rows}),
    )


def _prediction(row: Row) -> Prediction:
    published = row.number("published")
    if not published:
        raise UnsupportedRowError("published is empty or zero")
    return Prediction(
        key=row.key,
        family=row.text("law"),
        groups={},
        measured=published,
        predicted=predicted(Figures(row)),
    )


def _agreement(predictions: list[Prediction], rows: dict[str, Row]) -> dict[str, Any]:
    explained: list[dict[str, Any]] = []
    unexplained: list[dict[str, Any]] = []
    with_computed = agreeing = 0
    for one in predictions:
        row = rows[one.key]
        computed = row.number("computed")
        same = computed is not None and agree(one.predicted, computed)
        with_computed += computed is not None
        agreeing += same
        if not agree(one.predicted, one.measured) or not (same or computed is None):
            reason = reason_for(Figures(row)) if same else ""
            (explained if reason else unexplained).append(_entry(one, row, computed, reason))
    return {
        "within_1_pct_of_published": sum(agree(one.predicted, one.measured) for one in predictions),
        "with_computed": with_computed,
        "within_1_pct_of_computed": agreeing,
        "explained": explained,
        "unexplained": unexplained,
    }


def _entry(one: Prediction, row: Row, computed: float | None, reason: str) -> dict[str, Any]:
    return {
        "id": one.key,
        "law": row.text("law"),
        "case": row.text("case"),
        "input": row.text("input"),
        "published": one.measured,
        "predicted": one.predicted,
        "computed": computed,
        "reason": reason,
    }


def _difference(one: dict[str, Any]) -> str:
    share = 100 * (one["predicted"] / one["published"] - 1)
    what = " ".join(word for word in (one["law"], one["case"], one["input"]) if word)
    return f"  {one['id']}: {what}: {share:+.1f} %{'; ' if one['reason'] else ''}{one['reason']}"


# Published figures of scaling laws beside ours, each with what explains a difference.


class ScalingFigure(NamedTuple):
    """One published figure. `reason` says why ours differs by more than 1 %, "" where it does not."""

    row: Row
    published: float
    predicted: float
    reason: str

    @property
    def error(self) -> float:
        """Ours over the published one, less one."""
        return self.predicted / self.published - 1

    @property
    def agrees(self) -> bool:
        """Whether the two are within 1 %."""
        return agree(self.predicted, self.published)


@functools.cache
def scaling_figures() -> tuple[ScalingFigure, ...]:
    """Every shipped figure that is scored, in the order of the file; computed once a process."""
    path = seed_data() / SCALING_FIGURES_FILE
    report = validate_scaling(path)
    rows = {row.key: row for row in read_rows(path, COLUMNS)}
    reasons = {one["id"]: one["reason"] for one in report.extra["explained"]}
    return tuple(
        ScalingFigure(rows[one.key], one.measured, one.predicted, reasons.get(one.key, ""))
        for one in report.predictions
    )
