"""The source of a value: its own line before that of its row, and a kind and confidence that agree with it."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.catalog.kinds import KINDS
from app.catalog.seed import Seed, read_seed
from app.catalog.seed_files import read_rows
from tests.support import SEED_DATA

FILE = "cell_sources.csv"
HEADER = "kind,key,columns,source,url,as_of,family,confidence\n"
SAMPLED = 60
HARDWARE = ("accelerators", "systems", "switches", "nics", "optics", "cpus", "dpus", "storage")


@pytest.fixture(scope="module")
def seed() -> Seed:
    return read_seed(SEED_DATA)


def _facts(seed: Seed, kinds=HARDWARE):
    return [
        (kind, record.key, name, fact)
        for kind in kinds
        for record in seed.records[kind]
        for name, fact in record.facts.items()
    ]


def _of(seed: Seed, kind: str, key: str, name: str):
    (found,) = [record for record in seed.records[kind] if record.key == key]
    return found.facts[name]


def test_sixty_values_drawn_by_rule_read_as_their_source_does(seed: Seed) -> None:
    drawn = random.Random(27).sample(_facts(seed), SAMPLED)
    for kind, key, name, fact in drawn:
        where = (kind, key, name)
        family = seed.families.get(fact.citation.families[0])
        assert family is not None, where
        measurable = KINDS[kind].measurable
        if fact.kind == "assumption":
            assert fact.confidence in ("recalled", "weak", ""), where
        elif fact.kind == "derived":
            continue
        elif family.kind == "measured" and measurable is not None and name not in measurable:
            assert fact.kind == "third_party", where
        else:
            assert fact.kind == family.kind, where


def test_no_rating_reads_measured_and_no_assumption_confirmed(seed: Seed) -> None:
    facts = _facts(seed, tuple(name for name, kind in KINDS.items() if kind.measurable is not None))
    assert len(facts) > 1_000
    for kind, key, name, fact in facts:
        assert fact.kind != "measured" or name in KINDS[kind].measurable, (kind, key, name)
        if "data sheet" in fact.citation.text:  # read, or recalled
            assert fact.kind in ("vendor", "assumption", "derived"), (kind, key, name)
        assert fact.kind != "assumption" or fact.confidence not in ("confirmed", "secondary")


def test_a_value_has_its_own_source_where_its_row_has_another(seed: Seed) -> None:
    peak = _of(seed, "accelerators", "nvidia_h100_sxm", "bf16_flop_per_s")
    assert (peak.kind, peak.confidence, peak.as_of) == ("vendor", "secondary", "2026-11")
    assert "data sheet" in peak.citation.text
    assert _of(seed, "accelerators", "nvidia_h100_sxm", "achievable_bf16_flop_per_s").kind == "third_party"
    assert _of(seed, "accelerators", "nvidia_b300_sxm", "bf16_flop_per_s").kind == "vendor"
    assert _of(seed, "accelerators", "nvidia_b300_sxm", "tdp_w").kind == "third_party"
    assert _of(seed, "accelerators", "nvidia_b300_sxm", "achievable_bf16_flop_per_s").kind == "measured"
    assert _of(seed, "systems", "huawei_cloudmatrix384", "max_power_w").citation.families == ("semianalysis",)
    assert _of(seed, "systems", "huawei_cloudmatrix384", "accelerators").kind == "vendor"


def test_every_line_is_used_and_has_a_source_that_its_family_fits(seed: Seed) -> None:
    for row in read_rows(SEED_DATA, FILE, HEADER.strip().split(",")):
        assert row.cells["source"]
        assert row.cells["url"].startswith("https://"), row.cells
        assert seed.families.get(row.cells["family"]) is not None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "accelerators,no_such_part,tdp_w,x,,,press,A",
            "no row of 'accelerators' has the key 'no_such_part'",
        ),
        (
            "accelerators,nvidia_h100_sxm,no_such_column,x,,,press,A",
            "'no_such_column' of 'nvidia_h100_sxm' holds",
        ),
        ("accelerators,nvidia_h100_sxm,fp4_dense_tflops,x,,,press,A", "holds no value"),
        ("accelerators,nvidia_h100_sxm,tdp_w;tdp_w,x,,,press,A", "stands here twice"),
        ("accelerators,nvidia_h100_sxm,tdp_w,x,,,nobody,A", "'nobody' is no family"),
        ("accelerators,nvidia_h100_sxm,tdp_w,x,,,press,sure", "'sure' is no known word"),
        ("accelerators,nvidia_h100_sxm,tdp_w,,,,press,A", "is missing"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_by_line_and_column(
    tmp_path: Path, line: str, words: str
) -> None:
    folder = tmp_path / "seed"
    shutil.copytree(SEED_DATA, folder, ignore=shutil.ignore_patterns("examples", "gallery", "validation"))
    (folder / FILE).write_text(HEADER + line + "\n", encoding="utf-8")
    with pytest.raises(SeedError) as refused:
        read_seed(folder)
    assert words in str(refused.value)
    assert f"{FILE}" in str(refused.value)
