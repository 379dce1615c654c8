"""Contrast and distance of every colour, computed again from the token file."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

TOKENS = (Path(__file__).resolve().parents[3] / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
DEFINED = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", TOKENS.split("@media")[0])
LIGHT = {name: light for name, light, _ in DEFINED}
DARK = {name: dark for name, _, dark in DEFINED}
SCHEMES = {"light": LIGHT, "dark": DARK}
DATA = [f"c{number}" for number in range(1, 8)]

# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
DEFICIENCIES = {
    "none": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}

Colour = NDArray[np.float64]


def linear(code: str) -> Colour:
    srgb = np.array([int(code[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    result: Colour = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return result


def contrast(one: str, other: str) -> float:
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(weights @ linear(code)) for code in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Colour) -> Colour:
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.072175],
            [0.0193339, 0.119192, 0.9503041],
        ]
    )
    xyz = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(one: Colour, other: Colour) -> float:
    """Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(chroma**7 / (chroma**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    d_l, d_c = l2 - l1, c2 - c1
    d_h = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * np.cos(np.radians(mean_h - 30))
        + 0.24 * np.cos(np.radians(2 * mean_h))
        + 0.32 * np.cos(np.radians(3 * mean_h + 6))
        - 0.2 * np.cos(np.radians(4 * mean_h - 63))
    )
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / np.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    turned = 60 * np.exp(-(((mean_h - 275) / 25) ** 2))
    r_t = -np.sin(np.radians(turned)) * 2 * np.sqrt(mean_c**7 / (mean_c**7 + 25**7))
    parts = (d_l / s_l) ** 2 + (d_c / s_c) ** 2 + (d_h / s_h) ** 2 + r_t * (d_c / s_c) * (d_h / s_h)
    return float(np.sqrt(parts))


def test_distance_agrees_with_the_published_pairs() -> None:
    pairs = [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (61, -5, 29), 22.8977),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ]
    for one, other, expected in pairs:
        assert ciede2000(np.array(one), np.array(other)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["text", "text-2", "text-3", "accent-text", "good", "bad", "warn"])
def test_words_can_be_read(name: str, scheme: str) -> None:
    colours = SCHEMES[scheme]
    assert contrast(colours[name], colours["bg"]) >= 4.5
    assert contrast(colours[name], colours["bg-sunken"]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("words", "ground"),
    [("on-accent", "accent"), ("good", "good-soft"), ("bad", "bad-soft"), ("text-2", "warn-soft"),
     ("text-2", "bg-hover"), *((f"on-{slot}", slot) for slot in DATA)],
)  # fmt: skip
def test_words_on_a_ground_can_be_read(words: str, ground: str, scheme: str) -> None:
    assert contrast(SCHEMES[scheme][words], SCHEMES[scheme][ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["control", *DATA])
def test_marks_can_be_seen(name: str, scheme: str) -> None:
    colours = SCHEMES[scheme]
    assert contrast(colours[name], colours["bg"]) >= 3.0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("deficiency", "least"), [("none", 22), ("protan", 13), ("deutan", 13), ("tritan", 13)]
)
def test_data_colours_stay_apart(deficiency: str, least: float, scheme: str) -> None:
    seen = [lab(DEFICIENCIES[deficiency] @ linear(SCHEMES[scheme][slot])) for slot in DATA]
    closest = min(ciede2000(one, other) for one, other in itertools.combinations(seen, 2))
    assert closest >= least - 0.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_better_and_worse_stay_apart(deficiency: str, scheme: str) -> None:
    good, bad = (lab(DEFICIENCIES[deficiency] @ linear(SCHEMES[scheme][name])) for name in ("good", "bad"))
    assert ciede2000(good, bad) >= 32 - 0.5
