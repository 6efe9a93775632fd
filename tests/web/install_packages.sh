#!/bin/sh
# Installs Debian's Chromium and PostgreSQL for the tests of the web page, where they are missing.
# Says what to do, and fails, where that is not possible; the tests that need them are then skipped.
set -u
missing=""
command -v chromium >/dev/null 2>&1 || [ -n "${CHROMIUM:-}" ] || missing="chromium"
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1 || missing="$missing postgresql"
[ -z "$missing" ] && exit 0
say() {
    echo "the tests of the web page need$(printf ' %s' $missing); $1, or these tests are skipped" >&2
    exit 1
}
command -v apt-get >/dev/null 2>&1 || say "install them by hand"
[ "$(id -u)" = 0 ] || say "run as root: apt-get install $missing"
echo "installing$(printf ' %s' $missing) for the tests of the web page ..."
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >/dev/null 2>&1 ||
    say "apt-get could not install them"
