"""Templates, static files, seed data and documents are found in a checkout and in a wheel."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app import paths

ROOT = Path(__file__).resolve().parents[1]
PRINT_FOLDERS = "from app import paths; print(paths.templates(), paths.static(), paths.seed_data(), paths.docs(), sep='\\n')"


def test_a_checkout_has_them_beside_the_package() -> None:
    assert paths.templates() == ROOT / "templates"
    assert paths.static() == ROOT / "static"
    assert paths.seed_data() == ROOT / "seed_data"
    assert paths.docs() == ROOT / "docs"
    assert paths.default_data_dir() == ROOT / "data"


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="cellar"):
        paths.folder("cellar")


@pytest.mark.parametrize("shared", ["/shared", ""])
def test_an_installed_package_keeps_its_data_with_the_user(
    shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "PACKAGE", tmp_path / "app")
    monkeypatch.setenv("XDG_DATA_HOME", shared)
    monkeypatch.setenv("HOME", "/home/someone")
    expected = "/shared/podwright" if shared else "/home/someone/.local/share/podwright"
    assert paths.default_data_dir() == Path(expected)


@pytest.mark.slow
def test_a_wheel_has_them_inside(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", str(tmp_path), str(ROOT)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    assert {path.name for path in unpacked.iterdir() if path.suffix != ".dist-info"} == {"app"}
    printed = subprocess.run(
        [sys.executable, "-c", PRINT_FOLDERS],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert [Path(line) for line in printed] == [
        unpacked / "app" / name for name in ("templates", "static", "seed_data", "docs")
    ]
    for folder in map(Path, printed):
        beside = ROOT / folder.name
        expected = {path.relative_to(beside) for path in beside.rglob("*") if path.is_file()}
        assert {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()} == expected
