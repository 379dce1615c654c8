#!/bin/sh
# Runs a command with a PostgreSQL server of its own, whose address it finds in PODWRIGHT_TEST_POSTGRES; the server
# is thrown away at the end. Where the variable is set already, the server there is used. With --found it only says
# by its exit status whether a server is installed. Needs no right but that to run programs; root will do.
set -eu
cd "$(dirname "$0")/.."

if [ "${1:-}" = --found ]; then
    command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1
    exit
fi
exec .venv/bin/python -m tests.postgres "$@"
