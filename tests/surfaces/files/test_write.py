"""Writing files: whole, or one message that says why not."""

from __future__ import annotations

import pytest

from app.scenarios.errors import ScenarioError
from app.surfaces.files.formats import format_of
from app.surfaces.files.write import write_file, write_output


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "pod.csv"
    path.write_bytes(b"longer than what follows")
    write_file(path, b"short\r\n")
    assert path.read_bytes() == b"short\r\n"


@pytest.mark.parametrize("name", ["missing/pod.csv", "."])
def test_a_place_that_cannot_be_written_is_named(tmp_path, name):
    with pytest.raises(ScenarioError, match=r"cannot be written: .*--output"):
        write_file(tmp_path / name, b"")


def test_bytes_go_out_as_they_are(capsysbinary):
    write_output(b"PK\x03\x04\xff", format_of("xlsx"))
    assert capsysbinary.readouterr().out == b"PK\x03\x04\xff"
