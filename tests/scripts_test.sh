#!/usr/bin/env bash
# The checks in scripts/ must be able to fail: each is run on a small tree that breaks its rule.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts=$PWD/scripts
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# refused NAME PATTERN COMMAND…: the command must fail and say PATTERN.
refused() {
  local name=$1 pattern=$2
  shift 2
  if "$@" >"$scratch/out" 2>&1; then
    printf 'FAILED  %s: accepted\n' "$name"
    status=1
  elif ! grep -qE "$pattern" "$scratch/out"; then
    printf 'FAILED  %s: no "%s" in\n' "$name" "$pattern"
    cat "$scratch/out"
    status=1
  else
    printf 'ok      %s\n' "$name"
  fi
}
accepted() {
  local name=$1
  shift
  if "$@" >"$scratch/out" 2>&1; then
    printf 'ok      %s\n' "$name"
  else
    printf 'FAILED  %s\n' "$name"
    cat "$scratch/out"
    status=1
  fi
}

# tree FILE LINE: a fresh tree with one source file of one line.
tree() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/include/toolpost" "$scratch/tree/src" "$(dirname "$scratch/tree/$1")"
  printf '%s\n' "$2" >"$scratch/tree/$1"
}
layers() {
  tree "$1" "$2"
  "$scripts/check_layers" "$scratch/tree"
}
accepted 'include to the left' layers src/mcp/a.cc '#include "base/strings.h"'
refused 'include to the right' 'base must not include mcp' layers src/base/a.cc '#include "mcp/registry.h"'
refused 'include of a peer' 'net must not include config' layers src/net/a.cc '#include "config/config.h"'
refused 'public header includes src' 'toolpost must not include base' layers include/toolpost/a.h '#include "base/log.h"'
refused 'category includes category' 'file must not include shell' layers src/tools/file/a.cc '#include "tools/shell/b.h"'
refused 'library outside its folder' 'included only in net' layers src/mcp/a.cc '#include <boost/asio.hpp>'
refused 'unknown library' 'does not know' layers src/mcp/a.cc '#include <fmt/core.h>'
refused 'unknown folder' 'no place' layers src/util/a.cc ''
accepted 'test server in a test' layers src/db/a_test.cc '#include "tds_server/server.h"'
refused 'test server in a product file' 'for tests only' layers src/db/a.cc '#include "tds_server/server.h"'
refused 'a program started outside of the sandbox' 'in sandbox/ only' layers src/net/a.cc 'void Open() { system("xdg-open x"); }'
accepted 'a program started in the sandbox' layers src/sandbox/a.cc '  execve(path, argv, envp);'
refused 'test library in a product file' 'belongs in a _test.cc' layers src/base/a.cc '#include <gtest/gtest.h>'

requirements() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/src/base" "$scratch/tree/tests" "$scratch/tree/docs"
  printf 'PRD_FR_001_1  P0 %s One\nPRD_FR_001_10 P1 9 Ten\n' "${2:-9}" >"$scratch/tree/tests/requirements.txt"
  printf '%s\n' "$1" >"$scratch/tree/src/base/a_test.cc"
  "$scripts/check_requirements" "$scratch/tree" && cat "$scratch/tree/docs/requirements-map.md"
}
names() { requirements "$1" | grep -F "$2"; }
accepted 'name to the longest id' names 'TEST(A, PRD_FR_001_10_Works) {' '| PRD_FR_001_10 | P1 | 9 | Ten | `A.PRD_FR_001_10_Works`'
accepted 'name on a second line' names $'TEST(A,\n     PRD_FR_001_1_Works) {' '| One | `A.PRD_FR_001_1_Works`'
refused 'a finished issue without a test' 'has no test' requirements 'TEST(A, PRD_FR_001_10_Works) {' 2
refused 'unknown id' 'no known requirement id' requirements 'TEST(A, PRD_FR_099_1_Works) {'
drift() { requirements 'TEST(A, PRD_FR_001_1_X) {' >/dev/null && echo more >>"$scratch/tree/docs/requirements-map.md" &&
  "$scripts/check_requirements" --check "$scratch/tree"; }
refused 'a stale map' 'out of date' drift

docs() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/docs"
  printf '%s\n' "$1" | tee "$scratch/tree/README.md" >"$scratch/tree/docs/a.md"
  "$scripts/check_docs" "$scratch/tree"
}
accepted 'marked block' docs $'<!-- tested -->\n```sh\ntrue\n```'
refused 'unmarked block' 'shell block without' docs $'```sh\ntrue\n```'
refused 'broken link' 'broken link to nowhere.md' docs '[x](nowhere.md)'
exit $status
