"""Measurements that a file holds more than once, and layouts that only one of the repeats states whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.validation.serving.case import Case


def completed(cases: Sequence[Case]) -> list[Case]:
    """Cases with the instances and layouts that the same measurement is filed with elsewhere."""
    whole: dict[tuple[object, ...], Case] = {}
    for case in cases:
        if case.complete and not case.aggregated:
            whole.setdefault(case.measurement, case)
    return [_with_layout_of(whole[case.measurement], case) if _lacks(case, whole) else case for case in cases]


def measurements(cases: Sequence[Case]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Which measurement each case is of, by number, and which case of it counts: the first whose layout is whole."""
    numbers: dict[tuple[object, ...], int] = {}
    member = np.array([numbers.setdefault(case.measurement, len(numbers)) for case in cases], dtype=np.intp)
    chosen: dict[int, int] = {}
    for position in sorted(range(len(cases)), key=lambda at: (not cases[at].complete, at)):
        chosen.setdefault(int(member[position]), position)
    counts = np.zeros(len(cases), dtype=bool)
    counts[list(chosen.values())] = True
    return member, counts


def _lacks(case: Case, whole: dict[tuple[object, ...], Case]) -> bool:
    return not case.complete and case.measurement in whole


def _with_layout_of(other: Case, case: Case) -> Case:
    said = f"layout of the same measurement in row {other.row.key}"
    return replace(
        case,
        decode=other.decode,
        decode_instances=other.decode_instances,
        prefill=other.prefill,
        prefill_instances=other.prefill_instances,
        complete=True,
        assumed=(*(text for text in case.assumed if "instances" not in text), said),
    )
