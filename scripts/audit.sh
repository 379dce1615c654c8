#!/bin/sh
# Asks PyPI's advisory database about every version of requirements/image.txt (docs/dependencies.md).
set -eu
cd "$(dirname "$0")/.."

tools=build/audit
if [ ! -x $tools/bin/pip-audit ]; then
    "$(sh scripts/find_python.sh)" -m venv $tools
    $tools/bin/python -m pip install --quiet --disable-pip-version-check pip-audit==2.10.1
fi
exec $tools/bin/pip-audit --strict --require-hashes --disable-pip --requirement requirements/image.txt
