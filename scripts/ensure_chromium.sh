#!/bin/sh
# Sees to it that the browser tests have a Chromium: one on the PATH, else the distribution's, else
# Playwright's own build. Without any it says so, and fails where CI=true.
set -u
cd "$(dirname "$0")/.."

has_browser() {
    .venv/bin/python -c 'from tests.browser import find_browser; raise SystemExit(find_browser() is None)'
}

has_browser && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "No Chromium found: installing the distribution's"
    export DEBIAN_FRONTEND=noninteractive
    install="apt-get install -y -qq --no-install-recommends"
    { apt-get update -qq && { $install chromium-headless-shell || $install chromium; }; } </dev/null >/dev/null
    has_browser && exit 0
fi

echo "No Chromium found: asking Playwright for its own"
.venv/bin/python -m playwright install chromium
has_browser && exit 0

echo "==================================================================================" >&2
echo "NO CHROMIUM: the browser tests cannot run. On Debian or Ubuntu: apt install chromium" >&2
echo "==================================================================================" >&2
[ "${CI:-}" != "true" ]
