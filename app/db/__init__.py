"""The database: tables, engine, sessions and migrations. SQLite in WAL by default, PostgreSQL by address."""
