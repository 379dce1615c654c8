"""Calling `podwright` in this process, as people call it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.settings import get_settings
from app.surfaces import cli
from tests.support import SEED_DATA

FLAGSHIP = SEED_DATA / "examples" / "llama_3_1_405b_on_2048_dgx_h100.yaml"
EDGE_NODE = SEED_DATA / "examples" / "edge_node.yaml"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def own_database(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the seeded database for each file of tests."""
    data_dir = tmp_path_factory.mktemp("cli") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PODWRIGHT_DATA_DIR", str(data_dir))
        get_settings.cache_clear()
        yield data_dir
    get_settings.cache_clear()


@pytest.fixture
def run(monkeypatch, capsysbinary) -> Run:
    """Calls `podwright` with these words; gives exit code, standard output and standard error."""

    def call(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["podwright", *map(str, words)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        shown = capsysbinary.readouterr()  # binary, as an export writes bytes
        return int(stop.value.code or 0), shown.out.decode(), shown.err.decode()

    return call


@pytest.fixture
def changed(tmp_path) -> Callable[[str, str], Path]:
    """The flagship scenario with one piece of its text replaced."""

    def write(old: str, new: str) -> Path:
        text = FLAGSHIP.read_text(encoding="utf-8")
        assert old in text
        path = tmp_path / "changed.yaml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    return write
