"""What a number may be, from a low, a typical and a high value: quantile functions, so that samples are drawn
by shares of probability and every sampler serves every distribution.

Of triangular, log_triangular, uniform and PERT low and high are the ends. Of normal and lognormal one in ten
lies below low and one in ten above high, and half below the typical value; where that is not the middle of
the two, each side has its own spread [1].

[1] Wallis 2014, The Two-Piece Normal, Binormal, or Double Gaussian Distribution, Statistical Science 29(1);
scaled here so that the typical value is the median
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri

from app.engine.trace import Array
from app.engine.uncertainty.interval import HIGH_SHARE

ENDS = ("triangular", "log_triangular", "uniform", "pert")
ABOVE_ZERO = ("log_triangular", "lognormal")
TAILED = ("normal", "lognormal")
KINDS = ENDS + TAILED
PERT_WEIGHT = 4.0
"""Of the typical value against the two ends: Malcolm et al. 1959, Operations Research 7(5)."""
DEVIATIONS = float(ndtri(HIGH_SHARE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A number that is not known exactly. `least` and `most` are what it can be at all."""

    kind: str
    low: float
    typical: float
    high: float
    least: float = -np.inf
    most: float = np.inf

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.kind!r} is none of {', '.join(KINDS)}")
        if not self.low <= self.typical <= self.high:
            raise ValueError(f"{self.low:g}, {self.typical:g}, {self.high:g} are not in order")
        if self.kind in ABOVE_ZERO and self.low <= 0:
            raise ValueError(f"a {self.kind} number is above zero, and low is {self.low:g}")

    @property
    def width(self) -> float:
        return self.high - self.low

    def quantile(self, share: Array) -> Array:
        """Values that these shares of probability, from 0 to 1, lie below; the same shape."""
        if self.width == 0:
            return np.full(np.shape(share), self.low)
        if self.kind in TAILED:
            return self._tailed(share)
        return {
            "triangular": triangular_quantile,
            "log_triangular": log_triangular_quantile,
            "uniform": uniform_quantile,
            "pert": pert_quantile,
        }[self.kind](share=share, low=self.low, typical=self.typical, high=self.high)

    @property
    def cut_share(self) -> float:
        """Probability that lay beyond what the number can be, and was put back inside."""
        if self.kind in ENDS or self.width == 0:
            return 0.0
        below, above = self._shares_of_limits()
        return below + 1 - above

    def _tailed(self, share: Array) -> Array:
        below, above = self._shares_of_limits()
        inside = below + share * (above - below)
        # the outermost samples of a Sobol sequence may be 0 itself, whose quantile is infinite
        tiny = np.finfo(float).eps
        within = np.clip(inside, tiny, 1 - tiny)
        low, typical, high = self._scaled(np.array([self.low, self.typical, self.high]))
        found = two_piece_normal_quantile(share=within, low=low, typical=typical, high=high)
        values = np.exp(found) if self.kind == "lognormal" else found
        return np.clip(values, self.least, self.most)

    def _shares_of_limits(self) -> tuple[float, float]:
        """Probability below the least and below the most, before anything is cut."""
        low, typical, high = self._scaled(np.array([self.low, self.typical, self.high]))
        limits = self._scaled(np.array([self.least, self.most]))
        spread = np.where(limits < typical, typical - low, high - typical) / DEVIATIONS
        with np.errstate(divide="ignore", invalid="ignore"):
            apart = (limits - typical) / spread
        shares = np.where(np.isnan(apart), 0.5, ndtr(apart))
        return float(shares[0]), float(shares[1])

    def _scaled(self, values: Array) -> Array:
        """On the scale on which it is normal."""
        if self.kind != "lognormal":
            return values
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(values, 0.0)))


def uniform_quantile(*, share: Array, low: float, typical: float, high: float) -> Array:
    """Every value between low and high is as likely as any other; the typical one plays no part."""
    return low + share * (high - low)


def triangular_quantile(*, share: Array, low: float, typical: float, high: float) -> Array:
    """Likelihood rises in a line from low to typical and falls in a line to high."""
    below_typical = (typical - low) / (high - low)
    rising = low + np.sqrt(share * (high - low) * (typical - low))
    falling = high - np.sqrt((1 - share) * (high - low) * (high - typical))
    found: Array = np.where(share < below_typical, rising, falling)
    return found


def log_triangular_quantile(*, share: Array, low: float, typical: float, high: float) -> Array:
    """Triangular in the logarithm, for values known within a factor: half the typical value is as likely as
    twice it.

    >>> log_triangular_quantile(share=np.array([0.0, 0.5, 1.0]), low=0.1, typical=1.0, high=10.0)
    array([ 0.1,  1. , 10. ])
    """
    found: Array = np.exp(
        triangular_quantile(share=share, low=np.log(low), typical=np.log(typical), high=np.log(high))
    )
    return found


def pert_quantile(*, share: Array, low: float, typical: float, high: float) -> Array:
    """A beta distribution between low and high whose mean counts the typical value four times."""
    width = high - low
    below = 1 + PERT_WEIGHT * (typical - low) / width
    above = 1 + PERT_WEIGHT * (high - typical) / width
    # SciPy gives no value for shares next to nothing, which are those of the low end
    found: Array = low + width * betaincinv(below, above, np.where(share < 1e-12, 0.0, share))
    return found


def two_piece_normal_quantile(*, share: Array, low: float, typical: float, high: float) -> Array:
    """Normal on each side of the median, through low at P10 and high at P90."""
    deviations = ndtri(share) / DEVIATIONS
    found: Array = typical + deviations * np.where(deviations < 0, typical - low, high - typical)
    return found
