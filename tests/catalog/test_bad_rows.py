"""A bad row stops loading and says where it is and what is wrong."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.catalog.load import load_catalog
from app.catalog.seed import read_seed
from app.db.migrate import migrate
from tests.catalog.conftest import Spoil, line_of
from tests.databases import engine_in

pytestmark = pytest.mark.slow

BAD_CELLS = [
    ("accelerators.csv", "nvidia_h100_sxm", "tdp_w", "seven hundred", "not a number"),
    ("accelerators.csv", "nvidia_h100_sxm", "tdp_w", "nan", "not a finite number"),
    ("accelerators.csv", "nvidia_h100_sxm", "tdp_w", "1e400", "not a finite number"),
    ("accelerators.csv", "nvidia_h100_sxm", "tdp_w", "-700", "greater than or equal to 0"),
    ("accelerators.csv", "nvidia_h100_sxm", "year", "22", "not a year"),
    ("accelerators.csv", "nvidia_h100_sxm", "scale_up_gb_s_bidir", "450", "not twice"),
    ("accelerators.csv", "nvidia_h100_sxm", "memory_bytes", "160e9", "memory_gb labels"),
    ("accelerators.csv", "nvidia_h100_sxm", "price_usd_low", "50000", "not in order"),
    ("accelerators.csv", "nvidia_h100_sxm", "confidence", "sure", "word of confidence"),
    ("accelerators.csv", "nvidia_h100_sxm", "name", "", "at least 1 character"),
    ("generations.csv", "nvidia_h100_sxm", "accelerator_key", "nvidia_h101", "no row has the key 'nvidia_h101'"),
    ("system_nodes.csv", "dgx_h100", "nodes", "one", "not a number of hosts"),
    ("systems.csv", "dgx_h100", "accelerator_key", "nvidia_h101", "no row has the key 'nvidia_h101'"),
    ("systems.csv", "dgx_h100", "accelerators", "7.5", "integer"),
    ("systems.csv", "dgx_h100", "fp8_dense_pflops", "31.7", "+100.2% off"),
    ("systems.csv", "dgx_h100", "accel_memory_tb", "0.5", "off the 6.4e+11 B"),
    ("systems.csv", "dgx_h100", "scale_up_gb_s_bidir_per_accel", "1800", "above what the chip's links carry"),
    ("systems.csv", "dgx_h100", "scale_out_total_gbit_s", "1600", "-50.0% off"),
    ("systems.csv", "xai_colossus_200k", "accelerator_mix", "nvidia_h100_sxm:150000", "does not add up"),
    ("models.csv", "llama_3_1_405b", "published_params_b", "450", "-9.8%"),
    ("models.csv", "llama_3_1_405b", "kv_heads", "7", "not a multiple"),
    ("models.csv", "deepseek_v3", "experts_per_token", "", "experts_per_token is missing"),
    ("dpus.csv", "nvidia_bluefield_3_dpu", "nic_key", "bf9", "no row has the key 'bf9'"),
    ("nics.csv", "cx7_ndr", "basis", "rack", "'card', 'instance' or 'accelerator'"),
    ("prices.csv", "dgx_h100", "part_key", "dgx_h101", "no row has the key 'dgx_h101'"),
    ("prices.csv", "dgx_h100", "unit", "EUR/unit", "unknown unit 'EUR/unit'"),
    ("prices.csv", "dgx_h100", "condition", "cheap", "'new'"),
    ("prices.csv", "dgx_h100", "as_of", "May 2026", "pattern"),
    ("prices.csv", "demand_charge", "typical", "20", "not in order"),
    ("cloud_rentals.csv", "aws_trainium2_on_demand_2026_trn2_48xlarge", "accelerator_key", "trn2", "no row has"),
    ("sites.csv", "ashburn", "climate_key", "ashburn", "no row has the key 'ashburn'"),
    ("sites.csv", "ashburn", "rankable", "maybe", "'yes' or 'no'"),
    ("climate/index.csv", "ashburn_va", "licence_key", "climate_x", "no row has the key 'climate_x'"),
    ("aliases.csv", "GB200 NVL72", "key", "gb300_nvl", "no row has the key 'gb300_nvl'"),
    ("sources.csv", "press", "ship", "perhaps", "none of yes, check"),
]  # fmt: skip

# Every one reads all the files; the first of each file is always tried, the others when there is time.
SEEN_FIRST = {cell[0]: cell for cell in reversed(BAD_CELLS)}.values()
CELLS = [pytest.param(*cell, marks=() if cell in SEEN_FIRST else pytest.mark.slow) for cell in BAD_CELLS]

# A check over two columns names the first of them.
NAMED_INSTEAD = {
    ("demand_charge", "typical"): "low",
}


@pytest.mark.parametrize(("file", "key", "column", "text", "reason"), CELLS)
def test_a_bad_cell_is_named(spoil: Spoil, file: str, key: str, column: str, text: str, reason: str) -> None:
    seed = spoil(file, key, column, text)
    with pytest.raises(SeedError) as caught:
        read_seed(seed)
    error = caught.value
    assert (error.file, error.line) == (file, line_of(file, key))
    assert error.column == NAMED_INSTEAD.get((key, column), column)
    assert reason in error.reason
    assert str(error) == f"{file}, line {error.line}, column {error.column}: {error.reason}"


def test_a_duplicate_key_names_both_places(seed_copy: Path) -> None:
    path = seed_copy / "cpus.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*lines, lines[1]]) + "\n", encoding="utf-8")
    with pytest.raises(SeedError, match=r"already that of cpus.csv, line 2") as caught:
        read_seed(seed_copy)
    assert (caught.value.line, caught.value.column) == (len(lines) + 1, "key")


def test_hardware_keys_are_unique_across_files(spoil: Spoil) -> None:
    with pytest.raises(SeedError, match="the key 'cx7_ndr' is already that of"):
        read_seed(spoil("switches.csv", "sn5600", "key", "cx7_ndr"))


def test_a_missing_column_is_named(seed_copy: Path) -> None:
    path = seed_copy / "switches.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("latency_ns", "delay_ns", 1), encoding="utf-8")
    with pytest.raises(SeedError, match=r"switches\.csv, line 1, column latency_ns: the column is missing"):
        read_seed(seed_copy)


def test_an_unknown_column_is_named(seed_copy: Path) -> None:
    path = seed_copy / "generations.csv"
    text = path.read_text(encoding="utf-8").replace("\n", ",\n").replace("generation,", "generation,extra", 1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SeedError, match="column extra: the column is unknown"):
        read_seed(seed_copy)


def test_a_short_row_is_named(seed_copy: Path) -> None:
    with (seed_copy / "generations.csv").open("a", encoding="utf-8") as file:
        file.write("lonely\n")
    with pytest.raises(SeedError, match="1 cells where the header has 2"):
        read_seed(seed_copy)


def test_an_accelerator_needs_a_generation(seed_copy: Path) -> None:
    path = seed_copy / "generations.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("nvidia_l40s,ada\n", ""), encoding="utf-8")
    with pytest.raises(SeedError, match="column key: has no generation"):
        read_seed(seed_copy)


def test_a_missing_file_is_named(seed_copy: Path) -> None:
    (seed_copy / "sites.csv").unlink()
    with pytest.raises(SeedError, match=r"sites\.csv, line 0: the file is missing"):
        read_seed(seed_copy)


@pytest.mark.parametrize(
    ("bytes_", "reason"),
    [(b"key,\xff\n", "is not UTF-8"), (b'key,"open\n', "unexpected end of data"), (b"", "is missing")],
)
def test_a_file_that_is_no_csv_is_named(seed_copy: Path, bytes_: bytes, reason: str) -> None:
    (seed_copy / "dpus.csv").write_bytes(bytes_)
    with pytest.raises(SeedError, match=f"dpus.csv, line .*{reason}"):
        read_seed(seed_copy)


def test_a_broken_climate_file_is_named(seed_copy: Path) -> None:
    path = seed_copy / "climate" / "ashburn_va.csv.gz"
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[:1000])
    with pytest.raises(SeedError, match=r"ashburn_va\.csv\.gz, line 0: cannot be unpacked"):
        read_seed(seed_copy).climate()


def climate_with(seed: Path, change: tuple[int, int, str]) -> Path:
    """One cell of the hours of one place changed: (line, cell, text)."""
    path = seed / "climate" / "ashburn_va.csv.gz"
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    line, cell, text = change
    cells = lines[line - 1].split(",")
    cells[cell] = text
    lines[line - 1] = ",".join(cells)
    path.unlink()
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 1))
    return seed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "text", "reason"),
    [
        (3, "warm", "column dry_bulb_c: 'warm' is not a number"),
        (3, "99", "column dry_bulb_c: 99 is not between"),
        (3, "nan", "column dry_bulb_c: nan is not between"),
        (7, "45", "column wet_bulb_c: is above dry_bulb_c"),
        (6, "1013", "column pressure_pa: 1013 is not between"),
    ],
)
def test_a_bad_hour_is_named(seed_copy: Path, cell: int, text: str, reason: str) -> None:
    seed = read_seed(climate_with(seed_copy, (100, cell, text)))
    with pytest.raises(SeedError) as caught:
        seed.climate()
    assert str(caught.value) == f"climate/ashburn_va.csv.gz, line 100, {reason}" or (
        str(caught.value).startswith(f"climate/ashburn_va.csv.gz, line 100, {reason}")
    )


def test_hours_that_do_not_fit_the_index_are_named(spoil: Spoil) -> None:
    seed = read_seed(spoil("climate/index.csv", "ashburn_va", "db_mean_c", "20"))
    with pytest.raises(
        SeedError, match=r"column db_mean_c: 20 degC, but the hours have a mean of 13.78 degC"
    ):
        seed.climate()


def test_a_bad_row_leaves_the_database_empty(spoil: Spoil, tmp_path: Path) -> None:
    engine = engine_in(tmp_path)
    migrate(engine)
    seed = spoil("sites.csv", "ashburn", "lat", "north")
    with pytest.raises(SeedError):
        load_catalog(engine, seed)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM part").scalar() == 0
