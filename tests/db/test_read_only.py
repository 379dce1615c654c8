"""A database that may not be written is read all the same."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from app.db.engine import open_engine
from app.db.migrate import migrate
from app.db.session import write_connection
from tests.rights import read_only


@pytest.fixture
def engine() -> Iterator[Engine]:
    """A migrated database in a folder that anybody may look into."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        opened = open_engine(f"sqlite:///{folder}/a folder with 100% odd # signs?.db")
        migrate(opened)
        opened.dispose()
        yield opened
        opened.dispose()


@pytest.mark.parametrize(
    ("file", "directory"), [(True, False), (False, True), (True, True)], ids=["file", "folder", "both"]
)
def test_what_may_not_be_written_is_read(engine: Engine, file: bool, directory: bool) -> None:
    with read_only(Path(str(engine.url.database)).parent, file=file, directory=directory):
        with engine.connect() as connection:
            assert connection.execute(text("SELECT key FROM workspace")).scalar() == "personal"
        with pytest.raises(OperationalError, match="readonly"), write_connection(engine) as connection:
            connection.execute(text("INSERT INTO setting VALUES ('a', 'b')"))
        engine.dispose()
    with write_connection(engine) as connection:
        connection.execute(text("INSERT INTO setting VALUES ('a', 'b')"))
