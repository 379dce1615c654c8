"""An empty database, as tests of saved work have it."""

from tests.saved.conftest import catalog, data_dir, empty_data_dir, engine, work

__all__ = ["catalog", "data_dir", "empty_data_dir", "engine", "work"]
