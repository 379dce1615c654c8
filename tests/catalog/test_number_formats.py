"""Number formats: bits with scales, where each is multiplied as it is, and which engine runs it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from app.catalog.errors import SeedError
from app.catalog.number_formats import (
    ENGINE_COLUMNS,
    ENGINES_FILE,
    FORMAT_COLUMNS,
    FORMATS_FILE,
    engine_formats,
    is_native,
    number_formats,
    rate_fact,
    run_by,
)
from app.catalog.ready import ready_catalog
from app.paths import seed_data
from app.scenarios.document.serving import ENGINES
from app.scenarios.document.serving_parts import KvFormat, ServingPrecision

pytestmark = pytest.mark.usefixtures("seeded_data_dir")


def chip(key: str):  # type: ignore[no-untyped-def]
    return ready_catalog().part("accelerators", key)


def test_every_format_of_a_scenario_is_declared_and_none_else() -> None:
    assert set(number_formats()) == set(get_args(ServingPrecision))
    assert {key for key, form in number_formats().items() if form.cache} == set(get_args(KvFormat))
    assert {row.engine for row in engine_formats()} <= set(ENGINES)


@pytest.mark.parametrize(
    ("key", "bits"),
    [
        ("bf16", 16), ("fp8", 8), ("fp8_block", 8 + 32 / 128**2), ("mxfp8", 8.25), ("nvfp4", 4.5), ("mxfp4", 4.25),
        ("int8", 8), ("w8a16", 8.125), ("w4a16", 4 + (16 + 4) / 128), ("w4a16_g32", 4.5),
    ],
)  # fmt: skip
def test_bits_count_scales(key: str, bits: float) -> None:
    assert number_formats()[key].bits == pytest.approx(bits, rel=1e-12)


@pytest.mark.parametrize(
    ("key", "accelerator", "rate"),
    [
        ("nvfp4", "nvidia_b200_sxm", "fp4_flop_per_s"),
        ("nvfp4", "nvidia_h100_sxm", "bf16_flop_per_s"),
        ("nvfp4", "amd_mi355x", "bf16_flop_per_s"),  # NVIDIA's own block format
        ("mxfp4", "nvidia_b200_sxm", "fp8_flop_per_s"),  # its activations are in MXFP8
        ("mxfp4", "nvidia_h100_sxm", "bf16_flop_per_s"),
        ("mxfp8", "nvidia_h100_sxm", "bf16_flop_per_s"),
        ("mxfp8", "nvidia_b200_sxm", "fp8_flop_per_s"),
        ("fp8", "nvidia_a100_sxm_80", "bf16_flop_per_s"),
        ("fp8_block", "nvidia_h100_sxm", "fp8_flop_per_s"),
        ("int8", "nvidia_a100_sxm_80", "int8_flop_per_s"),
        ("int8", "nvidia_b300_sxm", "bf16_flop_per_s"),  # its INT8 units are slower than those of 16 bit
        ("w4a16", "nvidia_b200_sxm", "bf16_flop_per_s"),
        ("w8a16", "nvidia_h100_sxm", "bf16_flop_per_s"),
    ],
)
def test_where_a_format_is_multiplied(key: str, accelerator: str, rate: str) -> None:
    assert rate_fact(number_formats()[key], chip(accelerator)) == rate


@pytest.mark.parametrize(
    ("engine", "key", "accelerator", "version", "how"),
    [
        ("tensorrt_llm", "w4a16", "nvidia_h100_sxm", None, "weight_only"),
        ("tensorrt_llm", "w4a16", "nvidia_b200_sxm", None, None),
        ("vllm", "w4a16", "nvidia_b200_sxm", None, "weight_only"),
        ("vllm", "w4a16", "amd_mi300x", None, None),
        ("sglang", "w4a16", "amd_mi300x", None, "weight_only"),
        ("vllm", "int8", "nvidia_b200_sxm", None, None),
        ("vllm", "int8", "nvidia_h100_sxm", None, "native"),
        ("vllm", "nvfp4", "nvidia_h100_sxm", None, "weight_only"),
        ("vllm", "nvfp4", "nvidia_h100_sxm", "0.6.4", None),
        ("sglang", "nvfp4", "nvidia_h100_sxm", None, None),
        ("tensorrt_llm", "fp8", "nvidia_a100_sxm_80", None, None),
        ("vllm", "bf16", "google_tpu_v6e", None, "native"),
        ("vllm", "bf16", "nvidia_v100_sxm2_32", None, None),
    ],
)
def test_which_engine_runs_it(
    engine: str, key: str, accelerator: str, version: str | None, how: str | None
) -> None:
    assert run_by(engine, "weights", number_formats()[key], chip(accelerator), version) == how


def test_4_bit_keys_and_values_are_for_few() -> None:
    form = number_formats()["nvfp4"]
    assert run_by("tensorrt_llm", "kv_cache", form, chip("nvidia_b200_sxm"), None) == "native"
    assert run_by("tensorrt_llm", "kv_cache", form, chip("nvidia_b200_sxm"), "1.0.0") is None
    assert run_by("vllm", "kv_cache", form, chip("nvidia_b200_sxm"), None) is None
    assert run_by("sglang", "kv_cache", form, chip("nvidia_h100_sxm"), None) is None


def test_no_format_is_multiplied_faster_than_the_bits_of_its_activations_allow() -> None:
    """On every chip of the catalog; a format of weights alone never faster than 16 bit."""
    catalog = ready_catalog()
    for name in catalog.keys("accelerators"):
        part = catalog.part("accelerators", name)
        for form in number_formats().values():
            fact = rate_fact(form, part)
            if fact not in part.facts:
                continue  # nobody published a 16-bit peak either
            if form.weights_alone or not is_native(form, part):
                assert fact in ("bf16_flop_per_s", "fp16_flop_per_s")
            else:
                assert part.facts[fact].value >= part.facts.get("bf16_flop_per_s", part.facts[fact]).value


@pytest.mark.parametrize(
    ("file", "change", "said"),
    [
        (FORMATS_FILE, ("source", ""), "is missing"),
        (FORMATS_FILE, ("element_bits", "four"), "is not a number"),
        (ENGINES_FILE, ("how", "fast"), "neither native"),
        (ENGINES_FILE, ("format", "int3"), "is not a format"),
        (ENGINES_FILE, ("first_version", "newest"), "is not a version"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, file: str, change: tuple[str, str], said: str) -> None:
    (tmp_path / "serving").mkdir()
    for name, columns in ((FORMATS_FILE, FORMAT_COLUMNS), (ENGINES_FILE, ENGINE_COLUMNS)):
        text = (seed_data() / name).read_text(encoding="utf-8")
        if name == file:
            cells = dict.fromkeys(columns, "x") | {
                "element_bits": "4", "scale_bits": "0", "block_elements": "1", "how": "native", "holds": "weights",
                "format": "fp8", "first_version": "",
            } | dict([change])  # fmt: skip
            header = text.splitlines()[0]
            text += ",".join(cells[column] for column in header.split(",")) + "\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SeedError, match=said):
        engine_formats(tmp_path) if file == ENGINES_FILE else number_formats(tmp_path)
