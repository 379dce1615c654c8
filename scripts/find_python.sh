#!/bin/sh
# Prints a Python that can make the virtual environment: 3.11 or newer, with venv and pip's bundle.
# Without one, says in a line what to install and fails.
set -u

without_venv=""
for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python; do
    [ -n "$candidate" ] || continue
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    if "$candidate" -c 'import ensurepip, venv' 2>/dev/null; then
        echo "$candidate"
        exit 0
    fi
    without_venv="${without_venv:-$candidate}"
done

if [ -n "$without_venv" ]; then
    echo "$without_venv has no venv module. On Debian or Ubuntu: apt install python3-venv" >&2
else
    echo "Python 3.11 or newer is needed. On Debian or Ubuntu: apt install python3 python3-venv" >&2
fi
exit 1
