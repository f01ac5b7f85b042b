#!/usr/bin/env bash
# Installs what the tests need (Debian 12), builds, and runs everything under ctest.
set -euo pipefail
cd "$(dirname "$0")"
source scripts/packages.sh

usage() {
  cat <<'TEXT'
Usage: ./test.sh [--unit | --full | --coverage]
  (nothing)    builds dev (ASan, UBSan) and release, runs every test
  --unit       builds dev and runs the unit tests only
  --full       everything, then fuzzing, clang-tidy, ThreadSanitizer, kills, races, a soak run and both scripts in a fresh Debian
  --coverage   unit and transcript tests with line coverage of src/; fails below 80 %
TEXT
}

mode=default
case ${1:-} in
  '') ;;
  --unit | --full | --coverage) mode=${1#--} ;;
  -h | --help) usage; exit 0 ;;
  *) printf 'test.sh: unknown argument %s\n' "$1" >&2; usage >&2; exit 2 ;;
esac
if (($# > 1)); then
  printf 'test.sh: one argument at most\n' >&2
  usage >&2
  exit 2
fi

passed=0
failed=0
failures=()

# step NAME COMMAND…: one line in the summary; the run goes on after a failure.
step() {
  local name=$1
  shift
  printf '\n== %s\n' "$name"
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    failures+=("$name")
  fi
}

# build PRESET [TARGET]: configures and builds; without a build there is nothing to test, so a failure ends the run.
build() {
  printf '\n== build %s\n' "$1"
  if ! { cmake --preset "$1" && cmake --build --preset "$1" ${2:+--target "$2"}; }; then
    failed=$((failed + 1))
    failures+=("build $1")
    summary
    exit 1
  fi
}

# suite PRESET CTEST-ARGUMENT…: runs ctest and adds its counts to ours.
suite() {
  local preset=$1 log=build/$1/ctest.log counts
  shift
  printf '\n== ctest %s %s\n' "$preset" "$*"
  ctest --preset "$preset" --parallel 2 --no-tests=error "$@" 2>&1 | tee "$log" || true
  counts=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+)$/\1 \2/p' "$log")
  if [[ -z $counts ]]; then
    failed=$((failed + 1))
    failures+=("ctest $preset")
    return
  fi
  failed=$((failed + ${counts% *}))
  passed=$((passed + ${counts#* } - ${counts% *}))
  if ((${counts% *} > 0)); then failures+=("ctest $preset"); fi
}

summary() {
  if ((${#failures[@]})); then printf '\nFAILED: %s' "${failures[@]}"; fi
  printf '\n\n%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}

full() {
  source scripts/full_steps.sh
  step 'clang-tidy' run_clang_tidy
  step 'fuzzing' run_fuzzers 60
  build tsan
  export TSAN_OPTIONS=halt_on_error=1
  suite tsan --label-regex '^unit$'
  step 'a thousand kills during key rotation' env TOOLPOST_FULL=1 build/dev/src/store/store_tests --gtest_filter='*VaultCrash*'
  step 'a million mutated statements for each engine' env TOOLPOST_FULL=1 build/dev/src/db/db_tests --gtest_filter='PostgresMutationTest.*:SelectGuardSqlite.Mutated*'
  step 'a million swaps under every file tool' env TOOLPOST_FULL=1 build/dev/src/tools/tools_tests --gtest_filter='RaceTest.*'
  step 'soak' scripts/soak build/release/toolpost
  step 'fresh Debian' scripts/chroot_test.sh
}

install_packages "${BUILD_PACKAGES[@]}" "${UNIT_PACKAGES[@]}"
case $mode in
  unit)
    build dev
    suite dev --label-regex '^unit$'
    ;;
  coverage)
    install_packages "${COVERAGE_PACKAGES[@]}"
    build coverage
    find build/coverage -name '*.gcda' -delete
    suite coverage --label-regex '^(unit|transcript)$'
    step 'at least 80 % of the lines of src/' gcovr --root . --filter 'src/' --exclude '.*_test\.cc' \
      --print-summary --fail-under-line 80 build/coverage
    ;;
  *)
    install_packages "${TEST_PACKAGES[@]}"
    build release toolpost
    build dev
    suite dev
    if [[ $mode == full ]]; then
      install_packages "${FULL_PACKAGES[@]}"
      full
    fi
    ;;
esac
summary
