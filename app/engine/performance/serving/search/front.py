"""What nothing else beats in two figures at once; more is better in both."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array


def undominated(first: Array, second: Array) -> NDArray[np.intp]:
    """Positions on the Pareto front, by falling `first`: nothing has as much of one and more of the other.

    Of equal ones the earliest stands for all; what is not a finite number is on no front.

    >>> undominated(np.array([1.0, 3.0, 2.0, 3.0]), np.array([5.0, 1.0, 4.0, 0.5])).tolist()
    [1, 2, 0]
    """
    known = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    order = known[np.lexsort((-second[known], -first[known]))]
    most = np.concatenate([[-np.inf], np.maximum.accumulate(second[order])[:-1]]) if order.size else order
    return order[second[order] > most]
