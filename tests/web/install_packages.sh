#!/bin/sh
# Installs Debian's Chromium and PostgreSQL for the tests of the web page, where they are missing.
# Says what to do, and fails, where that is not possible; the tests that need them are then skipped.
set -u
has() { command -v "$1" >/dev/null 2>&1; }
missing=""
has "${CHROMIUM:-chromium-headless-shell}" || has chromium || missing="chromium-headless-shell"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || has initdb || missing="$missing postgresql"
[ -z "$missing" ] && exit 0
say() {
    echo "the tests of the web page need$(printf ' %s' $missing); $1, or these tests are skipped" >&2
    exit 1
}
has apt-get || say "install them by hand"
[ "$(id -u)" = 0 ] || say "run as root: apt-get install $missing"
echo "installing$(printf ' %s' $missing) for the tests of the web page ..."
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1 ||
    say "apt-get could not install them"
